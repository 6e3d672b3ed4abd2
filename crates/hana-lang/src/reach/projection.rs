//! The month projection: a full state seen through one month is the number of its cards at every place. What a turn does to that view depends
//! on the view alone (and on what is thrown, drawn and chosen of the month), so the finitely many schedules of one month decide the Lemma and the BIKI
//! theorem for the full deck. That the projection commutes with a turn of the program is tested on random full states, month by month.

use crate::compiled::{Cell, Compiled, Limits, Oracles, Question, State, Value};
use crate::host::persons::{Alone, Chance, Dealing};
use crate::host::table::Table;
use hana::theory::projection::{LAST_THROW, Places, biki_takes_held, choices, left_over};
use kachi_core::Error;
use std::fmt;

/// One month of a full state: how many of its cards lie where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct View {
    table: u32,
    yama: u32,
    hand: [u32; 3],
    window: [u32; 3],
    taken: [u32; 3],
}

/// The parts of the state that a view needs.
struct Scene<'s> {
    bouquet: &'s [i64],
    player: &'s [i64],
    flower: &'s [i64],
    turn: i64,
}

impl Scene<'_> {
    fn view(&self, month: i64, seats: usize) -> View {
        let cards = 0b1111 << (4 * (month - 1));
        let at = |place: usize| self.bouquet.get(place).map_or(0, |bits| (bits & cards).count_ones());
        let of = |kind: usize| {
            std::array::from_fn(|n| {
                let person = usize::try_from(self.player.get(n).copied().unwrap_or(1)).unwrap_or(1);
                at(1 + kind * seats + person)
            })
        };
        View { table: at(0), yama: at(1), hand: of(0), window: of(1), taken: of(2) }
    }
}

/// What is thrown of a month: by whom, from where, and from whose Window it takes if it takes from one.
#[derive(Debug, Clone, Copy)]
struct Throw {
    card: i64,
    shown: bool,
    from_window_of: Option<usize>,
}

impl View {
    /// A card of the month is laid by `player` and takes what it can; from the Window of `shown` only if nothing lies on the table.
    fn lay(&mut self, player: usize, shown: Option<usize>) {
        match (self.table, shown) {
            (0, Some(other)) => {
                self.window[other] = self.window[other].saturating_sub(1);
                self.taken[player] += 2;
            }
            (0, None) => self.table = 1,
            (3, _) => {
                self.table = 0;
                self.taken[player] += 4;
            }
            _ => {
                self.table -= 1;
                self.taken[player] += 2;
            }
        }
    }

    /// A turn: perhaps a throw of this month, perhaps a draw of it.
    fn turn(&mut self, player: usize, throw: Option<Throw>, draws: bool) {
        if let Some(throw) = throw {
            let from = if throw.shown { &mut self.window[player] } else { &mut self.hand[player] };
            *from = from.saturating_sub(1);
            self.lay(player, throw.from_window_of);
        }
        if draws {
            self.yama = self.yama.saturating_sub(1);
            self.lay(player, None);
        }
    }
}

fn month_of(card: i64) -> i64 {
    card / 4 + 1
}

/// Plays by chance and compares, at every question, the views with what the turns since the last comparison make of the earlier views.
struct Watch<'a> {
    table: Table<Alone<Chance>>,
    program: &'a Compiled,
    cells: [Cell; 4],
    throw_in: usize,
    take_out: usize,
    deal: usize,
    before: Option<([View; 12], i64)>,
    thrown: Option<Throw>,
    checked: u64,
    wrong: Option<String>,
}

impl Watch<'_> {
    fn scene<'s>(&self, state: &'s State) -> Scene<'s> {
        let [bouquet, player, flower, turn] = self.cells;
        let row = |cell| state.row(cell).unwrap_or(&[]);
        Scene {
            bouquet: row(bouquet),
            player: row(player),
            flower: row(flower),
            turn: state.word(turn).unwrap_or(0),
        }
    }

    fn views(&self, scene: &Scene<'_>) -> [View; 12] {
        let seats = usize::from(self.program.house().seats);
        std::array::from_fn(|month| scene.view(month as i64 + 1, seats))
    }

    /// Between two turns: what the views have become must be what the turns make of them.
    fn compare(&mut self, state: &State) {
        let scene = self.scene(state);
        let after = self.views(&scene);
        let Some((mut views, from)) = self.before.take() else { return };
        let mut throw = self.thrown.take();
        for turn in from..scene.turn {
            let player = (turn - 1).rem_euclid(3) as usize;
            let drawn = usize::try_from(turn - 1).ok().and_then(|at| scene.flower.get(at));
            for (month, view) in (1..).zip(&mut views) {
                let of_month = throw.filter(|throw| month_of(throw.card) == month);
                view.turn(player, of_month, drawn.is_some_and(|&card| month_of(card) == month));
            }
            throw = None;
        }
        self.checked += 1;
        if views != after {
            let month = views.iter().zip(&after).position(|(a, b)| a != b).unwrap_or(0) + 1;
            self.wrong = Some(format!(
                "before turn {} month {month} is {:?}, but its view says {:?}",
                scene.turn,
                after[month - 1],
                views[month - 1]
            ));
        }
    }
}

impl Oracles for Watch<'_> {
    fn answer(&mut self, question: Question<'_>) -> Result<Value, String> {
        let Question { oracle, args, state } = question;
        if oracle == self.deal || oracle == self.throw_in {
            self.compare(state);
        }
        if let Some(words) = &self.wrong {
            return Err(words.clone());
        }
        let answer = self.table.answer(Question { oracle, args, state })?;
        if oracle == self.throw_in {
            let scene = self.scene(state);
            let person = args.first().map_or(0, Value::word);
            let seats = i64::from(self.program.house().seats);
            let window = usize::try_from(1 + seats + person).unwrap_or(0);
            let card = answer.word();
            let shown = scene.bouquet.get(window).is_some_and(|bits| bits >> card & 1 == 1);
            self.before = Some((self.views(&scene), scene.turn));
            self.thrown = Some(Throw { card, shown, from_window_of: None });
        } else if oracle == self.take_out {
            let scene = self.scene(state);
            let seats = usize::from(self.program.house().seats);
            let whose = (0..3).find(|&n| {
                let person =
                    scene.player.get(n).and_then(|&person| usize::try_from(person).ok()).unwrap_or(0);
                scene.bouquet.get(1 + seats + person).is_some_and(|bits| bits >> answer.word() & 1 == 1)
            });
            if let (Some(throw), Some(other)) = (&mut self.thrown, whose) {
                throw.from_window_of = Some(other);
            }
        }
        Ok(answer)
    }
}

/// Plays games by chance and checks that the projection commutes with every turn of the program. Gives the number of states compared,
/// each through all twelve months.
///
/// # Errors
/// `no_projection` if a view goes another way, or if the program lacks what a view needs.
pub fn simulate(program: &Compiled, seeds: std::ops::Range<u64>) -> Result<u64, Error> {
    let lacking = |name: &str| {
        Error::new("no_projection", format!("the program has no {name}"))
            .hint("views need bouquet, player, flower, t and the oracles Deal, Throw-in, Take-out")
    };
    let cell = |name: &str| program.var(name).map(|(_, cell)| cell).ok_or_else(|| lacking(name));
    let oracle = |name: &str| {
        program.oracles().iter().position(|oracle| oracle.name == name).ok_or_else(|| lacking(name))
    };
    let cells = [cell("bouquet")?, cell("player")?, cell("flower")?, cell("t")?];
    let (deal, throw_in, take_out) = (oracle("Deal")?, oracle("Throw-in")?, oracle("Take-out")?);
    let mut checked = 0;
    for seed in seeds {
        let seats = usize::from(program.house().seats);
        let company = Alone { person: Chance::new(seed), dealing: Dealing::Seed(seed), seats };
        let table = Table::new(program, company)?;
        let mut watch = Watch {
            table,
            program,
            cells,
            throw_in,
            take_out,
            deal,
            before: None,
            thrown: None,
            checked: 0,
            wrong: None,
        };
        let ran = program.run(&mut watch, Limits::default()).map_err(|fault| fault.to_error());
        if let Ok(ran) = &ran {
            watch.compare(&ran.state);
        }
        if let Some(words) = watch.wrong {
            return Err(Error::new("no_projection", format!("seed {seed}: {words}")));
        }
        ran?;
        checked += watch.checked;
    }
    Ok(checked)
}

/// The month automaton, checked completely.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Complete {
    /// Schedules of the cards to come of one month, for the Lemma.
    pub lemma: u64,
    /// Schedules of the other three cards, for BIKI.
    pub biki: u64,
    /// Ways to put four cards at the eight places, for Windows.
    pub places: u64,
    /// Full states on which the projection was compared with the program.
    pub states: u64,
}

impl fmt::Display for Complete {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "complete, by projection (simulation tested on {} states): Lemma on {} schedules and {} ways with Windows, BIKI on {} schedules",
            self.states, self.lemma, self.places, self.biki
        )
    }
}

/// Checks the Lemma and BIKI on every schedule of one month, and the projection on the program's own turns.
///
/// # Errors
/// `no_projection`, or `counterexample` with the schedule.
pub fn complete(program: &Compiled, seeds: std::ops::Range<u64>) -> Result<Complete, Error> {
    let mut found = Complete { lemma: 0, biki: 0, places: 0, states: simulate(program, seeds)? };
    let mut wrong = None;
    for coming in 1..=4_u32 {
        choices(coming as usize, &|_| true, &mut |moments| {
            found.lemma += 1;
            if left_over(4 - coming, coming, true) != 0 {
                wrong = Some(format!("cards laid at {moments:?} leave one on the table"));
            }
        });
    }
    for coming in 0..=3_u32 {
        choices(coming as usize, &|moment| moment != LAST_THROW, &mut |moments| {
            found.biki += 1;
            if !biki_takes_held(3 - coming, moments) {
                wrong = Some(format!("biki does not take his card when the others are laid at {moments:?}"));
            }
        });
    }
    for places in Places::all() {
        found.places += 1;
        if places.can_strand(false) {
            wrong = Some(format!("{places:?} can leave a card on the table"));
        }
    }
    match wrong {
        Some(words) => Err(Error::new("counterexample", words)),
        None => Ok(found),
    }
}
