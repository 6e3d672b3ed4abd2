//! `kachi hana run`: a program, its oracles answered by players.

use super::source::{HouseArgs, Source, preset_of};
use crate::failure::{Exit, Failure};
use crate::scene::Scene;
use crate::text::{Cell, Table as Columns, count};
use clap::{Args, ValueEnum};
use hana_lang::compiled::{Compiled, Fault, Limits, State, exchange};
use hana_lang::diagnose::{Diagnostic, plain, render};
use hana_lang::host::deals::Deal;
use hana_lang::host::persons::{Chance, First, Person, Script};
use hana_lang::host::table::{Asked, Company, Money, Table};
use hana_lang::host::{Seated, persons::Dealing};
use hana_lang::types::typed::Program;
use kachi::core::Error;
use kachi::hana::Preset;
use kachi::hana::card::{Card, DECK};
use kachi::hana::month::{Ask, Decision};
use kachi::hana::players::{Player, sampled::Sampled, simple::Greedy, simple::Hold};
use serde_json::json;

const EXAMPLES: &str = "\
Examples:
  kachi hana run counting
  kachi hana run paper --seats 4 --months 3 --seed 7
  kachi hana run modern --player greedy --trace
  kachi hana run three-cards --choices 1a,1c,12a,12b,2b";

/// Run a program; its oracles are answered by players
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct RunArgs {
    /// A file, a program that comes with kachi, or - for standard input
    program: String,

    #[command(flatten)]
    house: HouseArgs,

    /// The seed of the deals and of chance
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// Who answers the oracles
    #[arg(long, value_name = "PLAYER", default_value = "chance")]
    player: Who,

    /// The 48 cards as dealt every month: hands, table, the rest; such as 1a,1b,..,12d
    #[arg(long, value_name = "CARDS")]
    deck: Option<String>,

    /// The 48 cards in the order in which the YAMA is drawn
    #[arg(long, value_name = "CARDS", requires = "deck")]
    order: Option<String>,

    /// The answers in order instead of a player: cards and true or false
    #[arg(long, value_name = "ANSWERS", conflicts_with = "player")]
    choices: Option<String>,

    /// Show every question with its answer
    #[arg(long)]
    trace: bool,

    /// Show every variable at the end
    #[arg(long)]
    state: bool,

    /// Steps after which the run is given up
    #[arg(long, value_name = "N", default_value_t = Limits::default().fuel)]
    fuel: u64,
}

/// Who answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Who {
    /// All answers equally likely
    Chance,
    /// The lowest card, and yes
    First,
    /// The most points at once
    Greedy,
    /// Holds its best card to the end, as the BIKI theorem advises
    Hold,
    /// The good player: imagined deals, exact end games
    Good,
}

/// Everybody at the table, with a log.
struct Everybody<'p> {
    deals: Option<Dealing>,
    minds: Minds<'p>,
    seats: usize,
    log: Vec<(Asked, Decision)>,
    months: Vec<usize>,
}

enum Minds<'p> {
    One(Box<dyn Person + 'p>),
    Seated(Box<Seated<'p>>),
}

impl Company for Everybody<'_> {
    fn deal(&mut self, month: i64, oya: usize, money: Money<'_>) -> Result<Deal, String> {
        self.months.push(self.log.len());
        match (&mut self.minds, &self.deals) {
            (Minds::Seated(seated), _) => seated.deal(month, oya, money),
            (Minds::One(_), Some(dealing)) => Ok(dealing.deal(month, self.seats)),
            (Minds::One(_), None) => Err("nothing is dealt here".to_owned()),
        }
    }

    fn decide(&mut self, asked: Asked) -> Result<Decision, String> {
        let decision = match &mut self.minds {
            Minds::One(person) => person.answer(asked)?,
            Minds::Seated(seated) => seated.decide(asked)?,
        };
        self.log.push((asked, decision));
        Ok(decision)
    }
}

pub(super) fn run(args: &RunArgs, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
    let source = Source::read(&args.program, scene)?;
    let Some(program) = source.check(scene)? else { return Ok(Exit::Wrong) };
    let preset = preset_of(&program);
    let house = args.house.house(preset);
    let compiled = Compiled::new(&program, house)?;
    let everybody = everybody(args, preset)?;
    let mut table = Table::new(&compiled, everybody)?;
    let limits = Limits { fuel: args.fuel, ..Limits::default() };
    let result = compiled.run(&mut table, limits);
    let Everybody { log, months, .. } = table.company;
    let run = Run { args, program: &program, compiled: &compiled, log: &log, months: &months };
    match result {
        Ok(ran) => run.show(&ran.state, ran.steps, scene),
        Err(fault) => run.fault(&fault, &source, scene),
    }
}

fn everybody<'p>(args: &RunArgs, preset: Preset) -> Result<Everybody<'p>, Error> {
    let seats = usize::from(args.house.seats);
    let dealing = match &args.deck {
        None => Dealing::Seed(args.seed),
        Some(deck) => {
            let deck = all_cards(deck, "deck")?;
            let order = args.order.as_deref().map_or(Ok(deck), |order| all_cards(order, "order"))?;
            Dealing::Cards(Box::new((deck, order)))
        }
    };
    let player = |who: Who, person: u64| -> Box<dyn Player> {
        match who {
            Who::Greedy => Box::new(Greedy),
            Who::Hold => Box::new(Hold::new()),
            _ => Box::new(Sampled::new(args.seed.wrapping_add(person))),
        }
    };
    let minds = match (&args.choices, args.player) {
        (Some(choices), _) => Minds::One(Box::new(Script::new(answers(choices)?))),
        (None, Who::Chance) => Minds::One(Box::new(Chance::new(args.seed))),
        (None, Who::First) => Minds::One(Box::new(First)),
        (None, who) => {
            if args.deck.is_some() {
                let error =
                    Error::new("wrong_usage", "players of the native engine are dealt by seed, not by deck");
                return Err(error.hint("--player chance or --choices go with --deck"));
            }
            let players = (0..seats as u64).map(|person| player(who, person)).collect();
            Minds::Seated(Box::new(Seated::new(players, preset.rules(), args.seed)))
        }
    };
    Ok(Everybody { deals: Some(dealing), minds, seats, log: Vec::new(), months: Vec::new() })
}

/// Forty-eight different cards.
fn all_cards(text: &str, field: &str) -> Result<[Card; DECK], Error> {
    let cards: Vec<Card> = text
        .split(',')
        .map(str::parse)
        .collect::<Result<_, Error>>()
        .map_err(|error| error.at_field(field))?;
    let mut seen = [false; DECK];
    for card in &cards {
        if std::mem::replace(&mut seen[usize::from(card.id())], true) {
            return Err(Error::new("duplicate_card", format!("{card} is there twice")).at_field(field));
        }
    }
    let count = cards.len();
    cards
        .try_into()
        .map_err(|_| Error::new("bad_deck", format!("a deck has {DECK} cards, not {count}")).at_field(field))
}

/// `1a,true,3c`.
fn answers(text: &str) -> Result<Vec<Decision>, Error> {
    text.split(',')
        .map(|word| match word.trim() {
            "true" | "yes" => Ok(Decision::Say(true)),
            "false" | "no" => Ok(Decision::Say(false)),
            card => card.parse().map(Decision::Card).map_err(|error: Error| error.at_field("choices")),
        })
        .collect()
}

/// A run that has ended, one way or the other.
struct Run<'r> {
    args: &'r RunArgs,
    program: &'r Program,
    compiled: &'r Compiled,
    log: &'r [(Asked, Decision)],
    months: &'r [usize],
}

impl Run<'_> {
    /// The value of a variable in the notation of the language.
    fn value(&self, state: &State, name: &str) -> Option<String> {
        let (ty, cell) = self.compiled.var(name)?;
        Some(exchange::show(&state.value(cell), ty, self.compiled.house()))
    }

    /// Purses in the order of the persons and the pot, if the program keeps money.
    fn money(&self, state: &State) -> Option<(Vec<i64>, i64)> {
        let (_, cell) = self.compiled.var("cash")?;
        let money = Money::of(state.row(cell)?, usize::from(self.compiled.house().seats));
        Some((money.purses.to_vec(), money.pot))
    }

    fn show(&self, state: &State, steps: u64, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
        let house = self.compiled.house();
        let values: Vec<(&str, String)> = self
            .program
            .vars
            .iter()
            .map(|var| (var.name.as_str(), self.value(state, &var.name).unwrap_or_default()))
            .collect();
        if scene.json {
            let money = self.money(state);
            let state: serde_json::Map<String, serde_json::Value> =
                values.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
            scene.json_line(&json!({
                "program": self.program.name, "seats": house.seats, "months": house.months, "kan": house.kan,
                "seed": self.args.seed, "questions": self.log.len(), "steps": steps,
                "purses": money.as_ref().map(|(purses, _)| purses), "pot": money.as_ref().map(|(_, pot)| pot),
                "answers": self.log.iter().map(|(_, decision)| word(*decision)).collect::<Vec<_>>(), "state": state,
            }))?;
            return Ok(Exit::Answered);
        }
        self.trace(scene)?;
        let strong = scene.paint.strong;
        write!(scene.stage.output, "{strong}{}{strong:#}", self.program.name)?;
        let asked = match self.log.len() {
            0 => String::new(),
            many => format!(", {} answered", count(many as u64, "question")),
        };
        writeln!(scene.stage.output, " ran to its end{asked}")?;
        let money = self.money(state);
        if let Some((purses, pot)) = &money {
            for (person, purse) in purses.iter().enumerate() {
                writeln!(scene.stage.output, "  person {}  {purse:>6}", person + 1)?;
            }
            writeln!(scene.stage.output, "  pot       {pot:>6}")?;
        }
        if money.is_none() || self.args.state {
            let mut columns = Columns::new(2, scene.width);
            for (name, value) in values {
                columns.row(vec![Cell::styled(name, scene.paint.faint), Cell::new(value)]);
            }
            columns.write(scene.stage.output)?;
        }
        Ok(Exit::Answered)
    }

    /// Every question with its answer.
    fn trace(&self, scene: &mut Scene<'_>) -> Result<(), Failure> {
        if !self.args.trace {
            return Ok(());
        }
        let mut columns = Columns::new(2, scene.width);
        for (i, (asked, decision)) in self.log.iter().enumerate() {
            let month = self.months.iter().filter(|&&start| start <= i).count();
            let month = if month == 0 { String::new() } else { format!("month {month}") };
            columns.row(vec![
                Cell::styled(month, scene.paint.faint),
                Cell::new(format!("person {}", asked.person + 1)),
                Cell::new(question(asked.ask)),
                Cell::styled(word(*decision), scene.paint.mark),
            ]);
        }
        columns.write(scene.stage.output)?;
        writeln!(scene.stage.output)?;
        Ok(())
    }

    fn fault(&self, fault: &Fault, source: &Source, scene: &mut Scene<'_>) -> Result<Exit, Failure> {
        let error = Diagnostic::new("fault", fault.span, fault.to_string());
        let answers: Vec<String> = self.log.iter().map(|(_, decision)| word(*decision)).collect();
        if scene.json {
            let code = fault.kind.code();
            scene.json_line(&json!({
                "program": self.program.name, "code": code, "fault": plain(&source.text, &error), "answers": answers,
            }))?;
            return Ok(Exit::Surprised);
        }
        self.trace(scene)?;
        scene.stage.output.flush()?;
        let text = render(&source.file, &source.text, &[error], scene.colourful);
        scene.stage.errors.write_all(text.as_bytes())?;
        Ok(Exit::Surprised)
    }
}

fn question(ask: Ask) -> String {
    match ask {
        Ask::Active { .. } => "plays this month?".to_owned(),
        Ask::Cancel { .. } => "cancels?".to_owned(),
        Ask::Throw { from, .. } => format!("throws, of {from}"),
        Ask::Take { card, from, .. } => format!("takes with {card}, of {from}"),
        Ask::Shobu { .. } => "stops the round?".to_owned(),
    }
}

fn word(decision: Decision) -> String {
    match decision {
        Decision::Say(word) => word.to_string(),
        Decision::Card(card) => card.to_string(),
    }
}
