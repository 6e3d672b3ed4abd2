//! `kachi play`: a person against the engine, line by line, in any terminal or through a pipe.

mod course;
mod json;
mod offer;
mod words;

use crate::failure::{Exit, Failure};
use crate::positions::{CostArgs, find_game, quoted, read};
use crate::scene::Scene;
use clap::{Args, ValueEnum};
use course::{Course, Played};
use kachi::core::random::Dealer;
use kachi::core::surface::{Board, Ended, Entry, Report, Tone};
use kachi::core::{Error, Place, Seat};
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

const EXAMPLES: &str = "\
Examples:
  kachi play tanhinmin                                  a fresh deal
  kachi play tanhinmin 2,6,7/3,4,5,8@1 --seat second    from a position; the engine begins
  kachi play shichinarabe deal@7:j1-1 --engine random   a named deal, a joker each, against random moves
  kachi play calculation --coach                        deal real cards, type them, get advice

--watch shows the engine at play on every seat. House rules come from a file: --rules house.toml.
While playing: type a move, or hint, why, moves, undo, restart, save, record, help, quit.
With --json every event is one JSON object a line, and moves are read the same way.";

/// Play against perfect play, with hints, undo and the win shown as it changes
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct PlayArgs {
    /// The game; `kachi games` lists them
    game: String,

    /// The position to begin from, with or without quotes; left out: a fresh deal
    #[arg(value_name = "POSITION")]
    position: Vec<String>,

    /// Your seat: first, second, or its number counted from 1
    #[arg(long, value_name = "SEAT", default_value = "first", value_parser = seat)]
    seat: Seat,

    /// The seed of the deal and of the random engine; left out: a new one, which is told
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Who plays against you
    #[arg(long, value_name = "ENGINE", default_value = "perfect")]
    engine: Engine,

    /// Watch the engine play, on every seat
    #[arg(long, conflicts_with_all = ["seat", "coach"])]
    watch: bool,

    /// Tell what chance does: deal real cards on your own table, type each as it turns up, and get the chances of every move
    #[arg(long, conflicts_with_all = ["seed", "rules"])]
    coach: bool,

    /// House rules from a file, for games that have them (hana: TOML, `preset = "modern"` and what differs)
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,

    #[command(flatten)]
    cost: CostArgs,
}

/// How the other seats choose their moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// The best move; in a lost position the most stubborn one
    Perfect,
    /// Any legal move, by the seed
    Random,
}

/// What the person does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Plays a seat.
    Player,
    /// Watches the engine on every seat.
    Watcher,
    /// Deals at a table of his own: plays a seat and tells what chance does.
    Dealer,
}

impl Role {
    fn name(self) -> &'static str {
        match self {
            Role::Player => "player",
            Role::Watcher => "watcher",
            Role::Dealer => "dealer",
        }
    }
}

fn seat(word: &str) -> Result<Seat, String> {
    match word {
        "first" => Ok(Seat::FIRST),
        "second" => Ok(Seat::SECOND),
        number => match number.parse::<usize>() {
            Ok(number) if number >= 1 => Ok(Seat(number - 1)),
            _ => Err("a seat is first, second, or a number from 1".to_owned()),
        },
    }
}

/// What stays the same during a play.
struct Setting<'a> {
    game: &'a dyn Entry,
    /// The person's seat.
    you: Seat,
    role: Role,
    /// The names of all seats.
    seats: Vec<String>,
    engine: Engine,
    seed: u64,
    /// Was the start dealt, not given?
    dealt: bool,
    cost: CostArgs,
}

impl Setting<'_> {
    fn name(&self, seat: Seat) -> &str {
        self.seats.get(seat.0).map_or("?", String::as_str)
    }

    /// Who made a move.
    fn name_of(&self, played: &Played) -> &str {
        played.seat.map_or("chance", |seat| self.name(seat))
    }

    /// The command line that goes on from a position in which the person is to move.
    fn resume(&self, position: &str) -> String {
        let mut command = format!("kachi play {} {}", self.game.about().name, quoted(position));
        // Some notations name the seats, others put whoever is to move first.
        let seat = self.game.board(position).ok().and_then(|board| board.mover()).unwrap_or(Seat::FIRST);
        if seat != Seat::FIRST {
            command += &format!(" --seat {}", seat.0 + 1);
        }
        if self.engine == Engine::Random {
            command += " --engine random";
        }
        command += match self.role {
            Role::Player => "",
            Role::Watcher => " --watch",
            Role::Dealer => " --coach",
        };
        command
    }

    /// The seat in a sentence: "the second player", but "B".
    fn player(&self, seat: Seat) -> String {
        let name = self.name(seat);
        if name.starts_with(char::is_lowercase) { format!("the {name} player") } else { name.to_owned() }
    }
}

/// Something that happened and is told.
enum Event<'e> {
    Begin {
        position: &'e str,
    },
    Turn {
        board: &'e dyn Board,
        report: &'e Report,
    },
    /// Chance is next, and the person tells what it does.
    Chance {
        board: &'e dyn Board,
    },
    Played {
        played: &'e Played,
        by_engine: bool,
        gift: Gift,
    },
    Hint(&'e Report),
    Why(&'e Report),
    Moves(&'e Report),
    Undone(usize),
    Restarted,
    Saved {
        position: &'e str,
    },
    Record(&'e Course),
    Help,
    Refused(&'e Error),
    End {
        ended: &'e Ended,
        course: &'e Course,
    },
    Bye {
        course: &'e Course,
    },
}

/// What a move gave away.
#[derive(Clone, PartialEq, Eq)]
enum Gift {
    Nothing,
    /// Something, not everything.
    Part(String),
    /// The win; with what refutes the move.
    Win(String),
}

/// What a person wants next.
enum Wish {
    Play(Box<dyn Board>, Played, Gift),
    Undo,
    Restart,
    Quit,
}

pub(crate) fn run(args: &PlayArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    let game = find_game(scene, &args.game)?;
    let dealt = args.position.is_empty();
    let seed = args.seed.unwrap_or_else(|| if dealt { fresh_seed() } else { 0 });
    let start = match &args.rules {
        Some(path) => by_rules(game, path, args, seed)?,
        None if dealt && args.coach => undealt(game)?,
        None if dealt => game.deal(seed),
        None => read(game, &args.position.join(" "), None)?,
    };
    let seats = start.seats();
    if args.seat.0 >= seats.len() {
        let message = format!("there is no seat {}; the seats are: {}", args.seat.0 + 1, seats.join(", "));
        return Err(Error::new("bad_seat", message)
            .hint(format!("--seat 1 to --seat {}", seats.len()))
            .into());
    }
    let role = match (args.watch, args.coach) {
        (true, _) => Role::Watcher,
        (_, true) => Role::Dealer,
        _ => Role::Player,
    };
    let dealt = dealt && !args.coach;
    offer::table(game.about().name, start.as_ref(), scene)?;
    let setting =
        Setting { game, you: args.seat, role, seats, engine: args.engine, seed, dealt, cost: args.cost };
    Play { setting, course: Course::new(start), dealer: Dealer::new(seed) }.run(scene)
}

/// The start for a person who deals at a table of his own.
fn undealt(game: &dyn Entry) -> Result<Box<dyn Board>, Failure> {
    game.undealt().ok_or_else(|| {
        let message =
            format!("{} is not played against chance alone: there is nothing to coach", game.about().name);
        Error::new("no_coach", message).hint("kachi play calculation --coach").into()
    })
}

/// A start by house rules; what is wrong with them is told with the line of their file.
fn by_rules(game: &dyn Entry, path: &Path, args: &PlayArgs, seed: u64) -> Result<Box<dyn Board>, Failure> {
    let rules = std::fs::read_to_string(path).map_err(|error| Failure::file("cannot_read", path, &error))?;
    let position = args.position.join(" ");
    let notation = (!args.position.is_empty()).then_some(position.as_str());
    game.board_by_rules(&rules, notation, seed).map_err(|mut error| {
        if let (Some(Place::Text(place)), "bad_house_rules") = (&error.at, error.code) {
            let line = 1 + rules.get(..place.start).map_or(0, |before| before.matches('\n').count());
            error.message = format!("{}, line {line}: {}", path.display(), error.message);
            error.at = None;
        }
        error.into()
    })
}

/// A person who names no seed wants a new deal each time; it is told, so that it can be played again.
fn fresh_seed() -> u64 {
    const SEEDS: u64 = 1_000_000;
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |now| u64::from(now.subsec_nanos()) ^ now.as_secs())
        % SEEDS
}

struct Play<'a> {
    setting: Setting<'a>,
    course: Course,
    dealer: Dealer,
}

impl Play<'_> {
    fn run(mut self, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
        let position = self.course.now().notation();
        self.tell(scene, &Event::Begin { position: &position })?;
        loop {
            let now = self.course.now();
            let wish = match (now.mover(), self.setting.role) {
                (Some(seat), Role::Player | Role::Dealer) if seat == self.setting.you => {
                    self.your_turn(scene)?
                }
                (Some(seat), Role::Watcher) => match self.watched_turn(scene)? {
                    Some(wish) => wish,
                    None => {
                        self.engine_plays(seat, scene)?;
                        continue;
                    }
                },
                (Some(seat), _) => {
                    self.engine_plays(seat, scene)?;
                    continue;
                }
                (None, role) if !now.chances().is_empty() => {
                    if role == Role::Dealer {
                        self.your_draw(scene)?
                    } else {
                        self.chance_plays(scene)?;
                        continue;
                    }
                }
                (None, Role::Watcher) => {
                    let ended = self.ended();
                    self.tell(scene, &Event::End { ended: &ended, course: &self.course })?;
                    return Ok(Exit::Answered);
                }
                (None, _) => self.after_the_end(scene)?,
            };
            match wish {
                Wish::Play(board, played, gift) => {
                    self.tell(scene, &Event::Played { played: &played, by_engine: false, gift })?;
                    self.course.play(board, played);
                }
                Wish::Undo => {
                    let undone = match self.setting.role {
                        // A card that was mistyped is taken back like a move.
                        Role::Dealer => self.course.undo_last(),
                        Role::Player | Role::Watcher => self.course.undo_to(self.setting.you),
                    };
                    self.tell(scene, &Event::Undone(undone))?;
                }
                Wish::Restart => {
                    self.course.restart();
                    self.dealer = Dealer::new(self.setting.seed);
                    self.tell(scene, &Event::Restarted)?;
                }
                Wish::Quit => {
                    self.tell(scene, &Event::Bye { course: &self.course })?;
                    return Ok(Exit::Answered);
                }
            }
        }
    }

    fn tell(&self, scene: &mut Scene<'_>, event: &Event<'_>) -> Result<(), Failure> {
        if scene.json {
            json::tell(scene, &self.setting, event)
        } else {
            words::tell(scene, &self.setting, event)
        }
    }

    fn report(&self) -> Result<Report, Failure> {
        Ok(self.setting.cost.within(|budget| self.course.now().report(budget))?)
    }

    fn engine_plays(&mut self, seat: Seat, scene: &mut Scene<'_>) -> Result<(), Failure> {
        let report = self.report()?;
        let chosen = match self.setting.engine {
            Engine::Perfect => report.best,
            Engine::Random => Some(self.dealer.below(report.moves.len() as u64) as usize),
        };
        let Some(line) = chosen.and_then(|index| report.moves.get(index)) else {
            return Err(Error::new("no_move", format!("{} has no move", self.setting.player(seat))).into());
        };
        let board = self.course.now().play(&line.mv)?;
        let played = Played { seat: Some(seat), mv: line.mv.clone(), words: line.words.clone() };
        let gift = gift(&report, line.tone, &line.note);
        self.tell(scene, &Event::Played { played: &played, by_engine: true, gift })?;
        self.course.play(board, played);
        Ok(())
    }

    /// Chance decides, by the seed.
    fn chance_plays(&mut self, scene: &mut Scene<'_>) -> Result<(), Failure> {
        let chances = self.course.now().chances();
        let cases: u64 = chances.iter().map(|chance| chance.weight).sum();
        let mut case = self.dealer.below(cases);
        let fallen = chances.into_iter().find(|chance| match case.checked_sub(chance.weight) {
            Some(rest) => {
                case = rest;
                false
            }
            None => true,
        });
        let Some(chance) = fallen else {
            return Err(Error::new("no_move", "chance has nothing to decide").into());
        };
        let board = self.course.now().play(&chance.mv)?;
        let played = Played { seat: None, mv: chance.mv, words: chance.words };
        self.tell(scene, &Event::Played { played: &played, by_engine: true, gift: Gift::Nothing })?;
        self.course.play(board, played);
        Ok(())
    }

    /// Shows the table to one who watches; somebody at a terminal goes on with the enter key.
    fn watched_turn(&self, scene: &mut Scene<'_>) -> Result<Option<Wish>, Failure> {
        let report = self.report()?;
        self.tell(scene, &Event::Turn { board: self.course.now(), report: &report })?;
        if !scene.stage.typed || scene.json {
            return Ok(None);
        }
        loop {
            let Some(word) = listen(scene, "enter for the next move> ")? else { return Ok(Some(Wish::Quit)) };
            match word.as_str() {
                "" => return Ok(None),
                "hint" | "h" => self.tell(scene, &Event::Hint(&report))?,
                "why" | "w" => self.tell(scene, &Event::Why(&report))?,
                "moves" | "m" => self.tell(scene, &Event::Moves(&report))?,
                other => match self.command(other, scene)? {
                    Heard::Wish(wish) => return Ok(Some(wish)),
                    Heard::Told => {}
                    Heard::Nothing => {
                        let error =
                            Error::new("bad_move", "you watch").hint("enter, moves, why, save or quit");
                        self.tell(scene, &Event::Refused(&error))?;
                    }
                },
            }
        }
    }

    /// Listens for what turned up at the person's own table.
    fn your_draw(&self, scene: &mut Scene<'_>) -> Result<Wish, Failure> {
        let now = self.course.now();
        self.tell(scene, &Event::Chance { board: now })?;
        loop {
            let Some(word) = listen(scene, "what turned up> ")? else { return Ok(Wish::Quit) };
            match word.as_str() {
                "" => {}
                // Reports cost time, and before a draw few people ask for one.
                "why" | "w" => self.tell(scene, &Event::Why(&self.report()?))?,
                // A card comes before a command of the same name: q is a queen.
                other => match now.play(other) {
                    Ok(board) => {
                        let after = board.notation();
                        let same = |mv: &str| {
                            mv == other || now.play(mv).is_ok_and(|other| other.notation() == after)
                        };
                        let chances = now.chances();
                        let known = chances.iter().find(|chance| same(&chance.mv));
                        let (mv, words) =
                            known.map_or((other, other), |chance| (&*chance.mv, &*chance.words));
                        let played = Played { seat: None, mv: mv.to_owned(), words: words.to_owned() };
                        return Ok(Wish::Play(board, played, Gift::Nothing));
                    }
                    Err(error) => match self.command(other, scene)? {
                        Heard::Wish(wish) => return Ok(wish),
                        Heard::Told => {}
                        Heard::Nothing => self.tell(scene, &Event::Refused(&error))?,
                    },
                },
            }
        }
    }

    /// How it ended.
    fn ended(&self) -> Ended {
        let nobody = || Ended { words: "The play is over.".to_owned(), winners: Vec::new() };
        self.course.now().ended().unwrap_or_else(nobody)
    }

    /// Shows the table and listens until the person does something that changes it.
    fn your_turn(&self, scene: &mut Scene<'_>) -> Result<Wish, Failure> {
        let report = self.report()?;
        self.tell(scene, &Event::Turn { board: self.course.now(), report: &report })?;
        loop {
            let Some(word) = listen(scene, "your move> ")? else { return Ok(Wish::Quit) };
            // A move comes before a command of the same name.
            if report.moves.iter().any(|line| line.mv == word) {
                return self.your_move(&word, &report);
            }
            match word.as_str() {
                "" => {}
                "hint" | "h" => self.tell(scene, &Event::Hint(&report))?,
                "why" | "w" => self.tell(scene, &Event::Why(&report))?,
                "moves" | "m" => self.tell(scene, &Event::Moves(&report))?,
                other => match self.command(other, scene)? {
                    Heard::Wish(wish) => return Ok(wish),
                    Heard::Told => {}
                    Heard::Nothing => match self.your_move(other, &report) {
                        Err(Failure::Input(wrong)) => self.tell(scene, &Event::Refused(&wrong.error))?,
                        done => return done,
                    },
                },
            }
        }
    }

    fn after_the_end(&self, scene: &mut Scene<'_>) -> Result<Wish, Failure> {
        let ended = self.ended();
        self.tell(scene, &Event::End { ended: &ended, course: &self.course })?;
        loop {
            let Some(word) = listen(scene, "undo, restart or quit> ")? else { return Ok(Wish::Quit) };
            match self.command(&word, scene)? {
                Heard::Wish(wish) => return Ok(wish),
                Heard::Told => {}
                Heard::Nothing if word.is_empty() => {}
                Heard::Nothing => {
                    let error =
                        Error::new("already_over", "the play is over").hint("undo, restart, record or quit");
                    self.tell(scene, &Event::Refused(&error))?;
                }
            }
        }
    }

    /// The commands that make sense at any time.
    fn command(&self, word: &str, scene: &mut Scene<'_>) -> Result<Heard, Failure> {
        match word {
            "undo" | "u" => return Ok(Heard::Wish(Wish::Undo)),
            "restart" => return Ok(Heard::Wish(Wish::Restart)),
            "quit" | "q" | "exit" => return Ok(Heard::Wish(Wish::Quit)),
            "save" => self.tell(scene, &Event::Saved { position: &self.course.now().notation() })?,
            "record" => self.tell(scene, &Event::Record(&self.course))?,
            "help" | "?" => self.tell(scene, &Event::Help)?,
            _ => return Ok(Heard::Nothing),
        }
        Ok(Heard::Told)
    }

    fn your_move(&self, word: &str, report: &Report) -> Result<Wish, Failure> {
        let now = self.course.now();
        let board = now.play(word)?;
        let after = board.notation();
        // A move may be written in more than one way; the list knows it by one of them.
        let same = |mv: &str| mv == word || now.play(mv).is_ok_and(|other| other.notation() == after);
        let line = report.moves.iter().find(|line| same(&line.mv));
        let gift = line.map_or(Gift::Nothing, |line| gift(report, line.tone, &line.note));
        let (mv, words) = line.map_or((word, word), |line| (line.mv.as_str(), line.words.as_str()));
        let played = Played { seat: Some(self.setting.you), mv: mv.to_owned(), words: words.to_owned() };
        Ok(Wish::Play(board, played, gift))
    }
}

enum Heard {
    Wish(Wish),
    Told,
    Nothing,
}

fn gift(report: &Report, tone: Tone, note: &str) -> Gift {
    let could_win = report.moves.iter().any(|line| line.tone == Tone::Winning);
    match tone {
        Tone::Losing if could_win => Gift::Win(note.to_owned()),
        Tone::Middling if could_win => Gift::Part(note.to_owned()),
        _ => Gift::Nothing,
    }
}

/// Bytes of one typed line; what is longer is taken for several.
const LONGEST_LINE: u64 = 1 << 16;

/// The next line typed, without blanks around it; `None` at the end of the input.
fn listen(scene: &mut Scene<'_>, prompt: &str) -> Result<Option<String>, Failure> {
    if !scene.json {
        let mark = scene.paint.mark;
        write!(scene.stage.output, "{mark}{prompt}{mark:#}")?;
        scene.stage.output.flush()?;
    }
    let mut bytes = Vec::new();
    let count = (&mut *scene.stage.input).take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
    let line = String::from_utf8_lossy(&bytes).trim().to_owned();
    if !scene.json && (count == 0 || !scene.stage.typed) {
        // A terminal shows what is typed; a transcript should too.
        writeln!(scene.stage.output, "{line}")?;
    }
    Ok((count > 0).then_some(line))
}
