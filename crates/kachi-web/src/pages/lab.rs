//! The laboratory: running and finished campaigns, their progress as it happens, and their pictures.

use super::Visit;
use super::board::picture_of;
use super::claims::anchor;
use super::frame::page;
use super::problem::problem;
use crate::address::encoded;
use crate::app::App;
use crate::lab::{Details, Results, Run, Stage, Verdict};
use crate::lang::Lang;
use axum::extract::{Path, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use kachi::core::Error;
use kachi_lab::simulate::plot::grouped;
use maud::{Markup, html};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// People who watch at a time; everyone holds a connection.
const MOST_WATCHERS: usize = 200;
/// Between two pieces of news.
const PACE: Duration = Duration::from_secs(1);

async fn runs(app: &Arc<App>) -> Arc<Vec<Run>> {
    let shared = Arc::clone(app);
    // Reading the disk must not keep other requests waiting.
    tokio::task::spawn_blocking(move || shared.lab.runs()).await.unwrap_or_default()
}

/// `GET /lab`.
pub(crate) async fn lab(State(app): State<Arc<App>>, visit: Visit) -> Response {
    let lang = visit.lang;
    let runs = runs(&app).await;
    let of = |stage: Stage| runs.iter().filter(move |run| run.stage == stage);
    let groups = [
        (Stage::Running, "lab-running", lang.t("Running", "実行中")),
        (Stage::Stopped, "lab-stopped", lang.t("Stopped before the end", "中断")),
        (Stage::Finished, "lab-finished", lang.t("Finished", "完了")),
    ];
    let body = html! {
        div.heading { h1 { (lang.t("The laboratory", "実験室")) } }
        p.lead {
            (lang.t(
                "Long runs on this machine: many games by a player of the program, or claims checked further than usual. Progress is shown as it happens.",
                "この計算機での長い実験。プログラムどうしの多数の対局や、主張のより広い範囲での確認。進み具合はその場で更新されます。"
            ))
        }
        div data-events="/lab/events" {
            @for (stage, id, words) in groups {
                @if of(stage).next().is_some() {
                    section aria-labelledby=(id) {
                        h2 id=(id) { (words) }
                        ul.runs { @for run in of(stage) { li { (card(run, lang)) } } }
                    }
                }
            }
            @if runs.is_empty() {
                section.tool {
                    p { (lang.t("Nothing has been run yet. Begin one in a terminal:", "まだ実験はありません。端末から始められます。")) }
                    pre tabindex="0" { "kachi lab calculation --stacks 3 --player plans --games 1000" }
                }
            }
        }
    };
    page(&app, &visit, lang.t("The laboratory", "実験室"), "lab", &body)
}

fn link(run: &Run) -> String {
    format!("/lab/run/{}", encoded(&run.name, &[]))
}

fn card(run: &Run, lang: Lang) -> Markup {
    html! {
        article.run data-run=(run.name) data-stage=(stage_key(run.stage)) {
            h3 { a href=(link(run)) { (run.title) } " " span.badge { (kind(&run.kind, lang)) } }
            (progress(run, lang))
        }
    }
}

/// A kind of campaign in a word.
fn kind(kind: &str, lang: Lang) -> &str {
    match kind {
        "simulation" => lang.t("simulation", "対局実験"),
        "comparison" => lang.t("comparison", "比較"),
        "claims" => lang.t("claims", "主張の確認"),
        "table" => lang.t("table", "表の計算"),
        "counts" => lang.t("counts", "数え上げ"),
        other => other,
    }
}

fn stage_key(stage: Stage) -> &'static str {
    match stage {
        Stage::Running => "running",
        Stage::Stopped => "stopped",
        Stage::Finished => "finished",
    }
}

/// The bar, the numbers beside it, what was found and what is being done. The script renews these.
fn progress(run: &Run, lang: Lang) -> Markup {
    html! {
        p.progress {
            progress max=(run.total.max(1)) value=(run.done.min(run.total.max(1))) aria-label=(lang.t("progress", "進み具合")) {}
            " " span data-count { (count(run)) }
            " " b data-found { (run.found) }
            " " span.faint data-words lang="en" { (run.words) }
        }
    }
}

fn count(run: &Run) -> String {
    match run.total {
        0 => String::new(),
        total => format!("{} / {} {}", grouped(run.done), grouped(total), run.unit),
    }
}

/// `GET /lab/run/name`: one run with its pictures.
pub(crate) async fn run(State(app): State<Arc<App>>, Path(name): Path<String>, visit: Visit) -> Response {
    let lang = visit.lang;
    let runs = runs(&app).await;
    let Some(run) = runs.iter().find(|run| run.name == name) else {
        return problem(
            &app,
            &visit,
            &Error::new("unknown_page", "There is no such run.").hint("see the list of runs"),
        );
    };
    let (shared, asked) = (Arc::clone(&app), run.clone());
    let details = tokio::task::spawn_blocking(move || shared.lab.details(&asked)).await.ok().flatten();
    let body = html! {
        div.heading { h1 { (run.title) @if run.title != run.name { " " span.japanese { (run.name) } } } }
        p { a href="/lab" { "← " (lang.t("The laboratory", "実験室")) } }
        div data-events="/lab/events" {
            article.run data-run=(run.name) data-stage=(stage_key(run.stage)) { (progress(run, lang)) }
        }
        @if let Some(results) = details.as_ref().and_then(|details| details.results.as_ref()) {
            section.shows {
                h2 #shows-head { (lang.t("What it shows", "結果")) }
                (shows(results, lang))
            }
        }
        @if run.plots.is_empty() {
            p.faint { (lang.t("Pictures are drawn when the run is complete.", "図は実験が終わると描かれます。")) }
        } @else {
            div.plots {
                @for plot in &run.plots {
                    @let href = format!("{}/{}", link(run), encoded(plot, &[]));
                    figure {
                        a href=(href) hx-boost="false" { img src=(href) alt=(format!("{} ({})", plot_words(plot, lang), run.title)) loading="lazy" decoding="async"; }
                        figcaption { (plot_words(plot, lang)) }
                    }
                }
            }
        }
        @if let Some(details) = &details { (rests_on(run, details, lang)) }
    };
    page(&app, &visit, &run.title, "lab", &body)
}

/// What a run rests on, and the command for whoever wants to check it or to go on.
fn rests_on(run: &Run, details: &Details, lang: Lang) -> Markup {
    let words = match run.stage {
        Stage::Finished => lang.t("Checked against its hash by", "ハッシュとの照合"),
        Stage::Running | Stage::Stopped => {
            lang.t("If it is interrupted, it goes on with", "中断しても続きから再開できます")
        }
    };
    html! {
        section aria-labelledby="facts-head" {
            h2 #facts-head { (lang.t("What it rests on", "条件")) }
            dl.facts lang="en" { @for (name, value) in &details.facts { dt { (name) } dd { code { (value) } } } }
            p { (words) ": " code lang="en" { (details.command) } }
        }
    }
}

/// The results of a run as tables.
fn shows(results: &Results, lang: Lang) -> Markup {
    match results {
        Results::Games { rows, comparisons } => html! {
            div.sheet tabindex="0" role="region" aria-labelledby="shows-head" {
                table lang="en" {
                    thead lang=(lang.code()) {
                        tr {
                            th scope="col" { (lang.t("player", "プレイヤー")) }
                            th scope="col" { (lang.t("result (95 % interval)", "成績（95 % 信頼区間）")) }
                            th scope="col" { (lang.t("seeds", "配札の種")) }
                            th scope="col" { (lang.t("time a game, one core", "一局の時間（1 コア）")) }
                        }
                    }
                    tbody {
                        @for [player, found, deals, time] in rows {
                            tr { th scope="row" { (player) } td { (found) } td { (deals) } td { (time) } }
                        }
                    }
                }
            }
            @if !comparisons.is_empty() {
                ul lang="en" { @for comparison in comparisons { li { (comparison) } } }
            }
        },
        Results::Claims { rows, cases } => html! {
            p {
                (grouped(rows.len() as u64)) " " (lang.t("claims over", "件の主張、")) " " (grouped(*cases)) " "
                (lang.t("cases", "通りを確認")) ": "
                @if rows.iter().any(|verdict| verdict.surprise) { b { (lang.t("not all as expected", "予想外の結果あり")) } }
                @else { (lang.t("all that were checked are as expected", "確認したものはすべて予想どおり")) }
            }
            div.sheet tabindex="0" role="region" aria-labelledby="shows-head" {
                table {
                    thead {
                        tr {
                            th scope="col" { (lang.t("claim", "主張")) }
                            th scope="col" { (lang.t("verdict", "判定")) }
                            th.number scope="col" { (lang.t("size", "大きさ")) }
                            th.number scope="col" { (lang.t("cases", "件数")) }
                        }
                    }
                    tbody { @for verdict in rows { (claim(verdict, lang)) } }
                }
            }
        },
        Results::Levels(facts) => html! {
            dl.facts lang="en" { @for (name, value) in facts { dt { (name) } dd { (value) } } }
        },
    }
}

fn claim(verdict: &Verdict, lang: Lang) -> Markup {
    let Verdict { game, claim, status, expected, size, checked, surprise, counterexample } = verdict;
    let words = match status.as_str() {
        "refuted" => lang.t("✗ refuted", "✗ 誤り(反例あり)"),
        // Runs that were finished earlier took a claim without cases for one that holds.
        "holds" if *checked == 0 => lang.t("· nothing checked", "· 未確認"),
        // An erratum may need larger positions.
        "holds" if expected == "refuted" => lang.t("· no counterexample", "· 反例なし"),
        "holds" => lang.t("✓ holds", "✓ 成立"),
        _ => lang.t("· nothing checked", "· 未確認"),
    };
    html! {
        tr {
            th scope="row" lang="en" {
                (game) " " a href={ "/claims#" (anchor(game, claim)) } hx-boost="false" { code { (claim) } }
            }
            td {
                (words)
                @if let Some(case) = counterexample { " " code lang="en" { (case.position) } }
                @if *surprise { " " b { (lang.t("not as expected", "予想外")) } }
            }
            td.number { (size) }
            td.number { (grouped(*checked)) }
        }
    }
}

fn plot_words(file: &str, lang: Lang) -> &str {
    match file {
        "lost.svg" => lang.t("Where games are lost", "どこで負けるか"),
        "time.svg" => lang.t("Success against time", "時間と成功率"),
        "cases.svg" => lang.t("Cases checked", "確認した数"),
        "ladder.svg" => lang.t("The ladder of players", "プレイヤーの強さ"),
        "levels.svg" => lang.t("States by level", "段階ごとの状態数"),
        other => other.trim_end_matches(".svg"),
    }
}

/// `GET /lab/run/name/picture.svg`.
pub(crate) async fn plot(
    State(app): State<Arc<App>>,
    Path((run, name)): Path<(String, String)>,
    visit: Visit,
) -> Response {
    let shared = Arc::clone(&app);
    let svg = tokio::task::spawn_blocking(move || shared.lab.plot(&run, &name)).await.ok().flatten();
    match svg {
        Some(svg) => picture_of(svg, "private, max-age=5"),
        None => problem(&app, &visit, &Error::new("unknown_page", "There is no such picture.")),
    }
}

/// `GET /lab/events`: the runs whenever something has changed, as server-sent events, until the watcher leaves or the server closes.
pub(crate) async fn events(State(app): State<Arc<App>>, visit: Visit) -> Response {
    let Ok(seat) = Arc::clone(&app.watchers).try_acquire_owned() else {
        let full = format!("{MOST_WATCHERS} people are watching already: limit \"watchers\"");
        return problem(&app, &visit, &Error::new("queue_full", full).hint("look again later"));
    };
    let closing = app.closing.subscribe();
    let stream = unfold((app, seat, closing, None), |(app, seat, mut closing, told)| async move {
        let mut told: Option<String> = told;
        loop {
            if told.is_some() {
                tokio::select! {
                    () = tokio::time::sleep(PACE) => {}
                    _ = closing.wait_for(|closing| *closing) => return None,
                }
            }
            let news = serde_json::to_string(&*runs(&app).await).unwrap_or_default();
            if told.as_ref() != Some(&news) {
                let event = Event::default().event("runs").data(&news);
                told = Some(news);
                return Some((Ok::<_, Infallible>(event), (app, seat, closing, told)));
            }
        }
    });
    Sse::new(stream).keep_alive(KeepAlive::default()).into_response()
}

/// Places for watchers.
pub(crate) fn watchers() -> Arc<tokio::sync::Semaphore> {
    Arc::new(tokio::sync::Semaphore::new(MOST_WATCHERS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_grouped() {
        let all: Vec<String> = [0, 12, 123, 1234, 123_456, 1_234_567].map(grouped).to_vec();
        assert_eq!(all, ["0", "12", "123", "1,234", "123,456", "1,234,567"]);
    }
}
