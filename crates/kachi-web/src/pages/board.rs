//! The board page, the same plan for every game: the verdict, the table with its moves, and the panels beside it.

use super::Visit;
use super::frame::{page, page_with};
use super::problem::{problem, status_of, with_retry};
use crate::address::{Address, LONGEST_HISTORY, Show};
use crate::app::App;
use crate::engine::{self, Best};
use crate::headers::PICTURE_POLICY;
use crate::lang::Lang;
use crate::vault::random_seed;
use crate::view::panels::{self, Past};
use crate::view::table::table;
use crate::view::tools;
use crate::view::verdict::{Known, verdict};
use crate::view::{Sight, Way, spoken};
use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Redirect, Response};
use kachi::core::scene::Action;
use kachi::core::surface::{Board, Entry, MoveLine, Report};
use kachi::core::{Error, Seat};
use maud::{Markup, html};
use std::sync::Arc;

/// `/game`: the position of the query, or the game's first example.
pub(crate) async fn game(State(app): State<Arc<App>>, Path(game): Path<String>, visit: Visit) -> Response {
    let entry = match app.registry.find(&game) {
        Ok(entry) => entry,
        Err(error) => return problem(&app, &visit, &error),
    };
    let mut address = Address::read(&game, None, &visit.query);
    let given = form_urlencoded::parse(visit.query.as_bytes()).any(|(key, _)| key == "p");
    if given {
        // A position from the editor gets its own link.
        let neat = address.start.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Ok(board) = entry.board(&neat) {
            let notation = board.notation();
            let neat = if notation.is_empty() { neat } else { notation };
            let link = Address { start: neat, ..address.clone() }.href();
            if !link.contains("?p=") {
                return Redirect::to(&link).into_response();
            }
        }
    } else if let Some(example) = entry.about().examples.first() {
        address.start = example.position.to_owned();
    }
    show(&app, &visit, entry, address).await
}

/// `/game/position`.
pub(crate) async fn position(
    State(app): State<Arc<App>>,
    Path((game, start)): Path<(String, String)>,
    visit: Visit,
) -> Response {
    match app.registry.find(&game) {
        Ok(entry) => {
            let address = Address::read(&game, Some(&start), &visit.query);
            show(&app, &visit, entry, address).await
        }
        Err(error) => problem(&app, &visit, &error),
    }
}

/// `/game/deal?kind=0&seed=7`: a fresh deal, by its link.
pub(crate) async fn deal(State(app): State<Arc<App>>, Path(game): Path<String>, visit: Visit) -> Response {
    let entry = match app.registry.find(&game) {
        Ok(entry) => entry,
        Err(error) => return problem(&app, &visit, &error),
    };
    let field = |name: &str| {
        form_urlencoded::parse(visit.query.as_bytes())
            .find(|(key, _)| key == name)
            .and_then(|(_, value)| value.trim().parse::<u64>().ok())
    };
    const SEEDS: u64 = 1_000_000;
    let seed = field("seed").or_else(|| random_seed().ok().map(|seed| seed % SEEDS)).unwrap_or(1);
    let kind = entry.deals().get(field("kind").unwrap_or(0) as usize);
    let start = match kind {
        Some(kind) => kind.position(seed),
        None => entry.deal(seed).notation(),
    };
    Redirect::to(&Address::new(game, start).href()).into_response()
}

/// `/game/play?p=...&you=0&level=3`: the same board, with a person on a seat.
pub(crate) async fn play(Path(game): Path<String>, visit: Visit) -> Response {
    let mut address = Address::read(&game, None, &visit.query);
    address.show = Show::Board;
    Redirect::to(&address.href()).into_response()
}

/// A play up to the board that is shown.
struct Course {
    board: Arc<dyn Board>,
    past: Vec<Past>,
}

fn replay(entry: &dyn Entry, address: &Address) -> Result<Course, Error> {
    if address.moves.len() > LONGEST_HISTORY {
        return Err(Error::too_large("moves in one link", address.moves.len(), LONGEST_HISTORY));
    }
    let mut board: Arc<dyn Board> = entry.board(&address.start)?.into();
    let mut shown = Arc::clone(&board);
    let mut past = Vec::new();
    for (i, mv) in address.moves.iter().enumerate() {
        let seat = board.mover();
        board = board.play(mv)?.into();
        past.push(Past { seat, mv: mv.clone() });
        if i + 1 == address.at {
            shown = Arc::clone(&board);
        }
    }
    Ok(Course { board: shown, past })
}

async fn show(app: &App, visit: &Visit, entry: &'static dyn Entry, address: Address) -> Response {
    let course = match replay(entry, &address) {
        Ok(course) => course,
        Err(error) => return mend(app, visit, entry, &address, &error),
    };
    let seats = course.board.seats();
    let (mover, ended) = (course.board.mover(), course.board.ended());
    let you = address.you.filter(|you| you.0 < seats.len());
    if let Some(you) = you.filter(|&you| mover.is_some_and(|mover| mover != you))
        && address.at == address.moves.len()
    {
        return engine_moves(app, visit, entry, &address, you).await;
    }
    let think = |board: Arc<dyn Board>| app.think(visit.client, move |budget| board.report(budget));
    let report = if ended.is_some() { None } else { Some(think(Arc::clone(&course.board)).await) };
    let line = if address.show == Show::Line && mover.is_some() {
        let board = Arc::clone(&course.board);
        app.think(visit.client, move |budget| engine::line(&*board, budget)).await.ok()
    } else {
        None
    };
    if let Some(Err(error)) = &report
        && matches!(error.code, "queue_full" | "too_many_searches")
    {
        return problem(app, visit, error);
    }
    let view = View { entry, address: &address, course: &course, seats, mover, you, lang: visit.lang };
    let body = view.body(report.as_ref(), line.as_ref());
    let about = entry.about();
    let title = format!("{} {}", about.name, about.japanese);
    page(app, visit, &title, about.name, &body)
}

/// The engine moves, and the link says so.
async fn engine_moves(
    app: &App,
    visit: &Visit,
    entry: &'static dyn Entry,
    address: &Address,
    you: Seat,
) -> Response {
    let (from, salt) = (address.clone(), engine::salt(&address.href()));
    let moved = app
        .think(visit.client, move |budget| {
            let mut board = entry.board(&from.start)?;
            for mv in from.made() {
                board = board.play(mv)?;
            }
            engine::advance(board, you, from.level, salt, budget).map(|(_, moves)| moves)
        })
        .await;
    match moved {
        Ok(moves) => {
            let next = moves.iter().fold(address.clone(), |address, mv| address.after(mv));
            Redirect::to(&next.href()).into_response()
        }
        Err(error) => problem(app, visit, &error),
    }
}

/// A wrong position or move: the place is marked, and an editor is there to mend it.
fn mend(app: &App, visit: &Visit, entry: &'static dyn Entry, address: &Address, error: &Error) -> Response {
    let lang = visit.lang;
    let about = entry.about();
    let about_start = entry.board(&address.start).is_err();
    let body = html! {
        (heading(entry, lang))
        div.mend {
            @if about_start {
                (tools::editor(entry, &address.start, Some(error), lang))
            } @else {
                div.wrong role="alert" {
                    p { strong { (lang.t("This move cannot be made: ", "その手は指せません: ")) } span lang="en" { (error.message) } }
                    @if let Some(hint) = &error.hint { p lang="en" { (hint) } }
                    p { a.button href=(Address::new(about.name, &address.start).href()) { (lang.t("To the start of this play", "最初の局面へ")) } }
                }
                (tools::editor(entry, &address.start, None, lang))
            }
            (examples(entry, lang))
        }
    };
    with_retry(page_with(app, visit, status_of(error.code), about.name, about.name, &body))
}

fn heading(entry: &dyn Entry, lang: Lang) -> Markup {
    let about = entry.about();
    html! {
        div.heading {
            h1 {
                @match lang {
                    Lang::En => { (about.name) " " span.japanese lang="ja" { (about.japanese) } },
                    Lang::Ja => { (about.japanese) " " span.japanese { (about.name) } },
                }
            }
        }
    }
}

fn examples(entry: &dyn Entry, lang: Lang) -> Markup {
    html! {
        section.tool aria-labelledby="examples-head" {
            h2 #examples-head { (lang.t("Positions worth looking at", "おすすめの局面")) }
            ul.examples {
                @for example in entry.about().examples {
                    li { a href=(Address::new(entry.about().name, example.position).href()) { (spoken(lang, example.words)) } }
                }
            }
        }
    }
}

/// The way to the table beside the screen, for games that can be followed there.
fn coach(entry: &dyn Entry, lang: Lang) -> Markup {
    let Some(start) = entry.undealt() else { return html! {} };
    html! {
        section.tool aria-labelledby="coach-head" {
            h2 #coach-head { (lang.t("Coach for a real deck", "実物の札のコーチ")) }
            p { (lang.t(
                "Play with cards on your table: tell the page what turns up, and it tells you the chances of every placement.",
                "手元の札で遊びながら、出た札を伝えると、どこに置くとよいかを確率で示します。"
            )) }
            p { a.button href=(Address::new(entry.about().name, start.notation()).href()) { (lang.t("Begin", "始める")) } }
        }
    }
}

pub(crate) fn rules(entry: &dyn Entry, lang: Lang) -> Markup {
    let about = entry.about();
    html! {
        details.rules {
            summary { (lang.t("Rules", "ルール")) }
            @match (lang, entry.in_japanese()) {
                (Lang::Ja, Some(japanese)) => p { (japanese.rules) },
                _ => p lang="en" { (about.rules) },
            }
        }
    }
}

/// Everything that a board page shows.
struct View<'a> {
    entry: &'static dyn Entry,
    address: &'a Address,
    course: &'a Course,
    seats: Vec<String>,
    mover: Option<Seat>,
    you: Option<Seat>,
    lang: Lang,
}

impl View<'_> {
    fn body(
        &self,
        report: Option<&Result<Report, Error>>,
        line: Option<&(Vec<Best>, Option<String>)>,
    ) -> Markup {
        let (lang, address, board) = (self.lang, self.address, &self.course.board);
        let ended = board.ended();
        let known = match (&ended, report) {
            (Some(ended), _) => Known::Over(ended),
            (None, Some(Ok(report))) => Known::Report(report),
            (None, Some(Err(error))) => Known::Nothing(&error.message),
            (None, None) => Known::Nothing(""),
        };
        let report = report.and_then(|report| report.as_ref().ok());
        let best = report.and_then(|report| Some(report.moves.get(report.best?)?.mv.as_str()));
        // Whoever plays wants to find the move alone.
        let open = self.you.is_none() || address.show == Show::Values;
        let hinted = address.show == Show::Hint;
        let viewer = self.you.or(self.mover).unwrap_or(Seat(0));
        let sight = Sight {
            lang,
            game: self.entry.about().name,
            way: if ended.is_some() { Way::Watch } else { Way::Link(address) },
            values: report.filter(|_| open),
            hint: best.filter(|_| hinted),
        };
        let mut scene = board.scene(viewer);
        if scene.is_empty() && scene.actions.is_empty() {
            // A game without a scene is played by its list of moves.
            let moves = report.map(|report| report.moves.as_slice()).unwrap_or_default();
            let action = |line: &MoveLine| Action { mv: line.mv.clone(), words: line.words.clone() };
            scene.actions = moves.iter().map(action).collect();
        }
        let notation = board.notation();
        let picture = report.filter(|_| open).map(|_| self.picture());
        html! {
            (heading(self.entry, lang))
            (verdict(&known, &self.seats, self.mover, self.you, lang))
            div.board {
                div.stage {
                    section #table.table aria-label=(lang.t("the table", "場")) {
                        (table(&scene, &self.seats, self.mover, &board.drawing(viewer), &sight))
                        (panels::chances(address, &board.chances(), lang))
                    }
                    (tools::buttons(address, self.undo(), best, ended.is_some(), lang))
                    @if let (true, Some(report)) = (hinted, report) { p.hint role="note" { span aria-hidden="true" { "★ " } (spoken(lang, &report.advice)) } }
                    @if !notation.is_empty() {
                        p.position {
                            (lang.t("This position: ", "この局面: "))
                            a href=(Address::new(&address.game, &notation).href()) { code { (notation) } }
                        }
                    }
                    @if let Some((best, ended)) = line { (panels::line(address, best, ended.as_deref(), &self.seats, lang)) }
                    (panels::history(address, &self.course.past, &self.seats, lang))
                }
                div.side {
                    @if let Some(report) = report.filter(|_| open) {
                        (panels::moves(report, &sight))
                        (panels::why(report, picture.as_deref(), lang))
                    } @else if self.you.is_some() && ended.is_none() {
                        p.panel.faint { (lang.t(
                            "You are playing: values and reasons are hidden until you ask for a hint or for values.",
                            "対局中です。評価と理由は、ヒントか評価を求めるまで隠されています。"
                        )) }
                    }
                }
            }
            div.tools {
                (tools::new_deal(self.entry, lang))
                @if board.hidden() { (tools::sit_down(self.entry, lang)) }
                @else {
                    @if ended.is_none() && self.seats.len() > 1 { (tools::play_me(address, &self.seats, self.mover, lang)) }
                    (tools::sit_down(self.entry, lang))
                }
                (coach(self.entry, lang))
                (tools::editor(self.entry, if notation.is_empty() { &address.start } else { &notation }, None, lang))
                (examples(self.entry, lang))
            }
            (rules(self.entry, lang))
        }
    }

    /// Taking back one move, or against the engine all moves since one's own last turn.
    fn undo(&self) -> Option<usize> {
        let at = self.address.at;
        match self.you {
            None => at.checked_sub(1),
            Some(you) => (0..at).rev().find(|&i| self.course.past[i].seat == Some(you)),
        }
    }

    fn picture(&self) -> String {
        let bare = Address { at: self.address.at, you: None, show: Show::Board, ..self.address.clone() };
        let join = if bare.href().contains('?') { '&' } else { '?' };
        format!("/picture{}{join}svg=1", bare.href())
    }
}

/// The picture of the reason.
pub(crate) async fn picture(
    State(app): State<Arc<App>>,
    Path((game, start)): Path<(String, String)>,
    visit: Visit,
) -> Response {
    let address = Address::read(&game, Some(&start), &visit.query);
    draw(&app, &visit, &game, &address).await
}

/// The picture of a position that does not fit into a path.
pub(crate) async fn picture_of_query(
    State(app): State<Arc<App>>,
    Path(game): Path<String>,
    visit: Visit,
) -> Response {
    let address = Address::read(&game, None, &visit.query);
    draw(&app, &visit, &game, &address).await
}

async fn draw(app: &App, visit: &Visit, game: &str, address: &Address) -> Response {
    let course = app.registry.find(game).and_then(|entry| replay(entry, address));
    let svg = match course {
        Ok(course) => app.think(visit.client, move |budget| course.board.svg(budget)).await,
        Err(error) => Err(error),
    };
    match svg {
        Ok(svg) => picture_of(svg, "private, max-age=600"),
        Err(error) => with_retry((status_of(error.code), error.message).into_response()),
    }
}

pub(crate) fn picture_of(svg: String, keep: &'static str) -> Response {
    let headers = [
        (CONTENT_TYPE, "image/svg+xml; charset=utf-8"),
        (CONTENT_SECURITY_POLICY, PICTURE_POLICY),
        (CACHE_CONTROL, keep),
    ];
    (headers, svg).into_response()
}

/// The face of a painted card.
pub(crate) async fn card(
    State(app): State<Arc<App>>,
    Path((game, name)): Path<(String, String)>,
    visit: Visit,
) -> Response {
    let name = name.strip_suffix(".svg").unwrap_or(&name);
    let svg = app.registry.find(&game).ok().and_then(|entry| entry.card_picture(name));
    match svg {
        Some(svg) => picture_of(svg, "public, max-age=86400"),
        None => problem(&app, &visit, &Error::new("unknown_page", "There is no such card.")),
    }
}
