// What a page can do better with a script: read news aloud, keep the focus, shortcuts on the table, auto-play, copying the link.
// Everything else works without it.
"use strict";
(() => {
  const $ = (selector, root = document) => root.querySelector(selector);
  const table = () => $("#table");
  const moves = () => [...document.querySelectorAll("#table .move")].filter((move) => move.closest("details:not([open])") === null || move.matches("summary"));

  // A swapped live region is not announced, so the verdict is copied into one that stays.
  let told = "";
  const tell = () => {
    const words = $("#say")?.textContent.trim() ?? "";
    if (words && words !== told) $("#news").textContent = words;
    told = words;
  };

  const reveal = () => {
    for (const button of document.querySelectorAll("[data-copy]")) button.hidden = !navigator.clipboard;
    const auto = $("[data-auto]");
    if (auto) {
      auto.hidden = !$("[data-auto-step]");
      auto.textContent = playing ? auto.dataset.stop : auto.dataset.play;
      auto.setAttribute("aria-pressed", playing ? "true" : "false");
    }
  };

  // Auto-play presses "play the best move" again and again until it is paused or there is none.
  let playing = 0;
  const PAUSE = 900;
  const step = () => {
    const best = $("[data-auto-step]");
    if (!best) { stop(); return; }
    best.click();
  };
  const stop = () => { clearTimeout(playing); playing = 0; reveal(); };
  const go = () => { clearTimeout(playing); playing = setTimeout(step, PAUSE); };

  document.addEventListener("click", async (event) => {
    const copy = event.target.closest("[data-copy]");
    if (copy) {
      await navigator.clipboard.writeText(location.href);
      const words = copy.textContent;
      copy.textContent = copy.dataset.done;
      $("#news").textContent = copy.dataset.done;
      setTimeout(() => { copy.textContent = words; }, 1500);
    }
    // htmx takes no links inside pictures, so a vertex presses a plain link of the same address.
    const node = event.target.closest("svg a.node");
    if (node && window.htmx && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0) {
      event.preventDefault();
      const link = document.createElement("a");
      link.href = node.getAttribute("href");
      link.hidden = true;
      $("#page").append(link);
      window.htmx.process(link);
      link.click();
    }
    const auto = event.target.closest("[data-auto]");
    if (auto) {
      if (playing) stop(); else { go(); reveal(); }
    }
    for (const open of document.querySelectorAll("details.choice[open]")) {
      if (!open.contains(event.target)) open.open = false;
    }
  });

  // Shortcuts hold only while the focus is on the table, so they never get in the way of typing or of screen readers.
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      if (playing) stop();
      for (const open of document.querySelectorAll("details.choice[open]")) { open.open = false; $("summary", open).focus(); }
      return;
    }
    if (!table()?.contains(document.activeElement) || event.ctrlKey || event.metaKey || event.altKey) return;
    const press = (key) => { const link = $(`[data-key="${key}"]`); if (link) { event.preventDefault(); link.click(); } };
    const walk = (by) => {
      const all = moves();
      if (!all.length) return;
      event.preventDefault();
      const now = all.indexOf(document.activeElement);
      all[(now + by + all.length) % all.length].focus();
    };
    switch (event.key) {
      case "ArrowRight": case "ArrowDown": walk(1); break;
      case "ArrowLeft": case "ArrowUp": walk(-1); break;
      case "Home": walk(-moves().indexOf(document.activeElement)); break;
      case "h": press("hint"); break;
      case "u": case "Backspace": press("undo"); break;
      case "b": press("best"); break;
      case "l": press("line"); break;
      case "[": press("back"); break;
      case "]": press("forward"); break;
      default:
    }
  });

  // After a move the pressed card is gone; the focus goes on to the next move, not to the top of the page.
  let onTable = false;
  document.addEventListener("htmx:beforeSwap", () => { onTable = !!table()?.contains(document.activeElement); });
  document.addEventListener("htmx:afterSettle", () => {
    if (onTable) (moves()[0] ?? $("#page")).focus({ preventScroll: true });
    onTable = false;
    if (playing) go();
    reveal();
    follow();
    tell();
  });

  // The laboratory: numbers change in place; when a run begins or ends, the page is fetched again.
  let stream = null;
  const hear = (event) => {
    const runs = new Map(JSON.parse(event.data).map((run) => [run.name, run]));
    const shown = [...document.querySelectorAll("[data-run]")];
    const list = location.pathname === "/lab";
    let stale = list && shown.length !== runs.size;
    for (const place of shown) {
      const run = runs.get(place.dataset.run);
      if (!run || run.stage !== place.dataset.stage) { stale = true; continue; }
      const bar = $("progress", place);
      bar.max = Math.max(1, run.total);
      bar.value = run.done;
      $("[data-count]", place).textContent = run.total ? `${run.done.toLocaleString("en")} / ${run.total.toLocaleString("en")} ${run.unit}` : "";
      $("[data-found]", place).textContent = run.found;
      $("[data-words]", place).textContent = run.words;
    }
    if (stale) window.htmx?.ajax("GET", location.href, { target: "#page", select: "#page", swap: "outerHTML" });
  };
  const follow = () => {
    const place = $("[data-events]");
    if (!place) { stream?.close(); stream = null; return; }
    if (stream || !window.EventSource) return;
    stream = new EventSource(place.dataset.events);
    stream.addEventListener("runs", hear);
  };

  const start = () => {
    // On a phone the games are a strip; the one that is open should be in sight.
    $(".top nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
    told = $("#say")?.textContent.trim() ?? ""; reveal(); follow(); };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start); else start();
})();
