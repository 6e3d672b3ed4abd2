//! Games with hidden cards: the server knows them, the page shows one seat's view. A move is kept on the disk before it is answered.

use super::Visit;
use super::board::rules;
use super::frame::page;
use super::problem::problem;
use crate::address::{Level, Show};
use crate::app::App;
use crate::engine;
use crate::lang::Lang;
use crate::vault::{Kept, Trouble, Vault, random_seed};
use crate::view::table::table;
use crate::view::verdict::{Known, verdict};
use crate::view::{Sight, Way, panels, seat_name, spoken, tools};
use axum::extract::{Form, Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use kachi::core::surface::{Board, Entry, Report};
use kachi::core::{Error, Seat};
use maud::{Markup, html};
use serde::Deserialize;
use std::sync::Arc;

/// The form that begins a game.
#[derive(Debug, Deserialize)]
pub(crate) struct Begin {
    game: String,
    #[serde(default)]
    kind: usize,
    #[serde(default)]
    level: Option<u8>,
}

/// The form that makes a move.
#[derive(Debug, Deserialize)]
pub(crate) struct Move {
    mv: String,
    /// How many moves the page had seen.
    ply: usize,
}

fn explained(trouble: &Trouble) -> Error {
    match trouble {
        Trouble::Unknown => {
            Error::new("unknown_table", "There is no such game; it may have been cleared away.")
                .hint("begin a new one")
        }
        other => Error::new("internal_error", other.to_string()),
    }
}

fn vault(app: &App) -> Result<&Vault, Error> {
    app.vault.as_ref().ok_or_else(|| {
        Error::new("no_tables", "This server keeps no games with hidden cards.")
            .hint("start it with a folder: kachi serve --data DIR")
    })
}

/// `POST /tables`: deals a game that nobody can guess.
pub(crate) async fn begin(State(app): State<Arc<App>>, visit: Visit, Form(form): Form<Begin>) -> Response {
    let begun = async {
        let entry = app.registry.find(&form.game)?;
        let no_deal = || Error::new("bad_kind", "This game has no such deal with hidden cards.");
        let deal = entry.deals().get(form.kind).filter(|deal| deal.hidden).ok_or_else(no_deal)?;
        let level = form.level.and_then(Level::new).unwrap_or_default();
        let seed = random_seed().map_err(|trouble| explained(&trouble))?;
        let kept = Kept::new(entry.about().name, deal.position(seed), Seat(0), level);
        let kept = advanced(&app, &visit, entry, kept).await?;
        vault(&app)?.add(&kept).map_err(|trouble| explained(&trouble))
    };
    match begun.await {
        Ok(id) => Redirect::to(&format!("/table/{id}")).into_response(),
        Err(error) => problem(&app, &visit, &error),
    }
}

/// Lets the engine move until the person is asked.
async fn advanced(app: &App, visit: &Visit, entry: &'static dyn Entry, kept: Kept) -> Result<Kept, Error> {
    let now = kept.clone();
    let moves = app
        .think(visit.client, move |budget| {
            let (board, _) = now.board(entry)?;
            let salt = engine::salt(&format!("{}~{}", now.start, now.moves.len()));
            engine::advance(board, Seat(now.you), now.level, salt, budget).map(|(_, moves)| moves)
        })
        .await?;
    let mut kept = kept;
    kept.moves.extend(moves);
    Ok(kept)
}

/// `POST /table/id/move`: the person's move and the answers to it, in one step.
pub(crate) async fn make_move(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    visit: Visit,
    Form(form): Form<Move>,
) -> Response {
    let moved = async {
        let kept = vault(&app)?.get(&id).map_err(|trouble| explained(&trouble))?;
        let before = kept.moves.len();
        if form.ply != before {
            // A second click, or an old page: what is there now is the answer.
            return Ok(());
        }
        let entry = app.registry.find(&kept.game)?;
        let (board, _) = kept.board(entry)?;
        if board.mover().is_some_and(|mover| mover.0 != kept.you) {
            // The engine was cut short; it goes on.
            let next = advanced(&app, &visit, entry, kept).await?;
            return keep(&app, &id, before, &next);
        }
        board.play(&form.mv)?;
        let mut next = kept;
        next.moves.push(form.mv.clone());
        let next = advanced(&app, &visit, entry, next).await?;
        keep(&app, &id, before, &next)
    };
    match moved.await {
        Ok(()) => Redirect::to(&format!("/table/{id}")).into_response(),
        Err(error) => problem(&app, &visit, &error),
    }
}

fn keep(app: &App, id: &str, before: usize, next: &Kept) -> Result<(), Error> {
    match vault(app)?.advance(id, before, next) {
        Ok(()) | Err(Trouble::MovedOn) => Ok(()),
        Err(trouble) => Err(explained(&trouble)),
    }
}

/// `GET /table/id`: the game as its person sees it.
pub(crate) async fn show(State(app): State<Arc<App>>, Path(id): Path<String>, visit: Visit) -> Response {
    let opened = vault(&app).and_then(|vault| vault.get(&id).map_err(|trouble| explained(&trouble)));
    let opened = opened.and_then(|kept| {
        let entry = app.registry.find(&kept.game)?;
        let (board, by) = kept.board(entry)?;
        Ok((kept, entry, board, by))
    });
    let (kept, entry, board, by) = match opened {
        Ok(opened) => opened,
        Err(error) => return problem(&app, &visit, &error),
    };
    let board: Arc<dyn Board> = board.into();
    let yours = board.mover() == Some(Seat(kept.you));
    // Another seat's analysis would tell what that seat sees.
    let report = if yours {
        let board = Arc::clone(&board);
        app.think(visit.client, move |budget| board.report(budget)).await.ok()
    } else {
        None
    };
    let show = form_urlencoded::parse(visit.query.as_bytes())
        .find(|(key, _)| key == "show")
        .map_or(Show::Board, |(_, word)| Show::of(&word));
    let seen = Seen { id: &id, kept: &kept, entry, board: &*board, by: &by, show, lang: visit.lang };
    let about = entry.about();
    page(&app, &visit, &format!("{} {}", about.name, about.japanese), about.name, &seen.body(report.as_ref()))
}

/// What the person sees.
struct Seen<'a> {
    id: &'a str,
    kept: &'a Kept,
    entry: &'static dyn Entry,
    board: &'a dyn Board,
    by: &'a [Seat],
    show: Show,
    lang: Lang,
}

impl Seen<'_> {
    fn body(&self, report: Option<&Report>) -> Markup {
        let (lang, board, kept) = (self.lang, self.board, self.kept);
        let (about, you) = (self.entry.about(), Seat(kept.you));
        let seats = board.seats();
        let ended = board.ended();
        let known = match (&ended, report) {
            (Some(ended), _) => Known::Over(ended),
            (None, Some(report)) => Known::Report(report),
            (None, None) => Known::Nothing(""),
        };
        let best = report.and_then(|report| Some(report.moves.get(report.best?)?.mv.as_str()));
        let helped = matches!(self.show, Show::Hint | Show::Values);
        let sight = Sight {
            lang,
            game: about.name,
            way: if board.mover() == Some(you) { Way::Form } else { Way::Watch },
            values: report.filter(|_| self.show == Show::Values),
            hint: best.filter(|_| helped),
        };
        let here = format!("/table/{}", self.id);
        html! {
            div.heading { h1 { (lang.t(about.name, about.japanese)) " " span.japanese { (lang.t(about.japanese, about.name)) } } }
            (verdict(&known, &seats, board.mover(), Some(you), lang))
            div.board {
                div.stage {
                    (self.news(&seats))
                    form #table.table method="post" action={ (here) "/move" } aria-label=(lang.t("the table", "場")) {
                        input type="hidden" name="ply" value=(kept.moves.len());
                        (table(&board.scene(you), &seats, board.mover(), &board.drawing(you), &sight))
                        @if board.mover().is_some_and(|mover| mover != you) {
                            button.button type="submit" name="mv" value="" { (lang.t("Go on", "続ける")) }
                        }
                    }
                    div.buttons role="group" aria-label=(lang.t("tools", "道具")) {
                        @if report.is_some() {
                            @for (show, on, off) in [
                                (Show::Hint, lang.t("Hint", "ヒント"), lang.t("Hide the hint", "ヒントを隠す")),
                                (Show::Values, lang.t("Show values", "評価を表示"), lang.t("Hide values", "評価を隠す")),
                            ] {
                                @let active = self.show == show;
                                a.button role="button" data-key=(show.word()) aria-pressed=[active.then_some("true")]
                                    href={ (here) @if !active { "?show=" (show.word()) } } { @if active { (off) } @else { (on) } }
                            }
                        }
                        a.button href=(format!("/{}", about.name)) { (lang.t("Leave the table", "席を立つ")) }
                    }
                    @if let (true, Some(report)) = (helped, report) { p.hint role="note" { span aria-hidden="true" { "★ " } (spoken(lang, &report.advice)) } }
                }
                div.side {
                    @if let (true, Some(report)) = (helped, report) {
                        @if self.show == Show::Values { (panels::moves(report, &Sight { way: Way::Watch, ..sight })) }
                        (panels::why(report, None, lang))
                    }
                    (self.record(&seats))
                    @if ended.is_some() { (tools::sit_down(self.entry, lang)) }
                }
            }
            (rules(self.entry, lang))
        }
    }

    /// What the others did since the person's last move.
    fn news(&self, seats: &[String]) -> Markup {
        let you = Seat(self.kept.you);
        let since = self.by.iter().rposition(|&seat| seat == you).map_or(0, |last| last + 1);
        let news = self.by.iter().zip(&self.kept.moves).skip(since);
        let shown: Vec<(&Seat, &String)> = news.collect();
        if shown.is_empty() {
            return html! {};
        }
        html! {
            p.news {
                (self.lang.t("Since your move: ", "あなたの手のあと: "))
                @for (i, (seat, mv)) in shown.iter().enumerate() {
                    @if i > 0 { ", " }
                    (seat_name(seats, **seat, self.lang)) " " (mv)
                }
            }
        }
    }

    /// All moves; what they took face down stays unsaid.
    fn record(&self, seats: &[String]) -> Markup {
        html! {
            section.panel aria-labelledby="history-head" {
                h2 #history-head { (self.lang.t("History", "棋譜")) }
                @if self.kept.moves.is_empty() { p.faint { (self.lang.t("No moves yet.", "まだ手がありません。")) } }
                ol.history tabindex="0" {
                    @for (seat, mv) in self.by.iter().zip(&self.kept.moves) {
                        li.made { (seat_name(seats, *seat, self.lang)) " " (mv) }
                    }
                }
            }
        }
    }
}
