//! The shipped programs against the native engine: the same questions, decisions, purses and pots over more than ten thousand games of twelve
//! months, and every `month` and `settle` vector of hana.

#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

use hana::field::Waiting;
use hana::month::{Decision, Month};
use hana::players::Player;
use hana::players::sampled::Sampled;
use hana::players::simple::{Greedy, Hold, Random};
use hana::players::solver::Solver;
use hana::season::Season;
use hana::{Card, House, Preset};
use hana_lang::compiled::exchange::show;
use hana_lang::compiled::{Compiled, Kind, Limits, Nobody, State};
use hana_lang::differential::{Deciders, Tally, games};
use hana_lang::host::deals::{Deal, cards};
use hana_lang::host::table::{Asked, Company, Money, Table};
use hana_lang::host::{Seated, house_of};
use hana_lang::programs::{MODERN, PAPER};
use hana_lang::types::check_source;
use serde_json::Value;

fn source(preset: Preset) -> &'static str {
    match preset {
        Preset::Paper => PAPER.source,
        Preset::Modern => MODERN.source,
    }
}

fn compiled(preset: Preset, seats: u8) -> Compiled {
    let program = check_source(source(preset)).unwrap();
    Compiled::new(&program, house_of(preset, seats)).unwrap()
}

/// Games of every number of seats, by chance and with players who make dekiyaku.
fn compare(preset: Preset, by_chance: u64, mixed: u64) -> Tally {
    let mut tally = Tally::default();
    for seats in 3..=6 {
        let program = compiled(preset, seats);
        for (deciders, count) in [(Deciders::Chance, by_chance), (Deciders::Mixed, mixed)] {
            match games(&program, preset, 0..count, deciders, &mut |_| ()) {
                Ok(found) => tally.add(&found),
                Err(difference) => panic!("{difference}"),
            }
        }
    }
    tally
}

#[test]
fn the_program_of_the_paper_plays_as_the_engine_does() {
    let tally = compare(Preset::Paper, 1_150, 110);
    assert_eq!(tally.games, 4 * 1_260);
    assert_eq!(tally.months, 12 * tally.games);
    for reason in ["pairwise", "void-fuke"] {
        assert!(tally.reasons.contains_key(reason), "{tally:?}");
    }
}

#[test]
fn the_program_of_today_plays_as_the_engine_does() {
    let tally = compare(Preset::Modern, 1_150, 110);
    assert_eq!(tally.games, 4 * 1_260);
    assert_eq!(tally.months, 12 * tally.games);
    for reason in ["shobu", "cancel", "exhausted-deki", "par", "sohachi", "sujuroku"] {
        assert!(tally.reasons.contains_key(reason), "{tally:?}");
    }
}

/// The text without comments and with single blanks, so that it can be cut and changed whatever its layout.
fn flat(source: &str) -> String {
    let lines = source.lines().map(|line| line.split("--").next().unwrap());
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

fn vectors(query: &str) -> Vec<Value> {
    let all = include_str!("../../hana/tests/vectors/hana.jsonl").lines();
    let vectors = all.map(|line| serde_json::from_str::<Value>(line).unwrap());
    vectors.filter(|vector| vector["request"]["query"] == query && vector.get("answer").is_some()).collect()
}

fn preset_of(request: &Value) -> Preset {
    if request["preset"] == "paper" { Preset::Paper } else { Preset::Modern }
}

fn permutation(names: &Value) -> [Card; 48] {
    let cards: Vec<Card> =
        names.as_array().unwrap().iter().map(|name| name.as_str().unwrap().parse().unwrap()).collect();
    cards.try_into().unwrap()
}

/// Answers a month from the script of a vector, with the native month beside it.
struct Scripted {
    house: House,
    deck: [Card; 48],
    order: [Card; 48],
    seats: usize,
    month: Option<Month>,
    choices: std::vec::IntoIter<Decision>,
}

impl Company for Scripted {
    fn deal(&mut self, _: i64, _: usize, _: Money<'_>) -> Result<Deal, String> {
        let none = Waiting::default();
        self.month = Some(Month::deal(self.house, self.seats, &self.deck, &self.order, &none, 0).unwrap().0);
        Ok(Deal::of(&self.deck, &self.order, self.seats))
    }

    fn decide(&mut self, asked: Asked) -> Result<Decision, String> {
        let month = self.month.as_mut().unwrap();
        assert_eq!(month.ask(), Some(asked.ask), "the same question");
        assert_eq!(month.asked_seat(), Some(asked.person), "to the same person");
        let decision = self.choices.next().unwrap();
        month.decide(decision).unwrap();
        Ok(decision)
    }
}

fn row(program: &Compiled, state: &State, name: &str) -> Vec<i64> {
    state.row(program.var(name).unwrap().1).unwrap().to_vec()
}

fn word(program: &Compiled, state: &State, name: &str) -> i64 {
    state.word(program.var(name).unwrap().1).unwrap()
}

#[test]
fn every_month_vector_runs_through_the_program() {
    let vectors = vectors("month");
    assert_eq!(vectors.len(), 6);
    for vector in vectors {
        let (request, answer, id) = (&vector["request"], &vector["answer"], &vector["id"]);
        let preset = preset_of(request);
        let seats = request["seats"].as_u64().unwrap() as usize;
        let mut house = preset.rules();
        let mut text = flat(source(preset));
        if preset == Preset::Paper && request["battari"] == false {
            // The rules of this vector differ by one line.
            house.stop = hana::house::Stop::Never;
            text = text.replace("stopped := Battari(bouquet(Basket(P)))", "stopped := false");
            assert_ne!(text, flat(source(preset)));
        }
        let one_month = hana_lang::core::House { months: 1, ..house_of(preset, seats as u8) };
        let program = Compiled::new(&check_source(&text).unwrap(), one_month).unwrap();
        let choices: Vec<Decision> = request["choices"]
            .as_array()
            .unwrap()
            .iter()
            .map(|choice| match choice {
                Value::Bool(word) => Decision::Say(*word),
                name => Decision::Card(name.as_str().unwrap().parse().unwrap()),
            })
            .collect();
        let (deck, order) = (permutation(&request["deck"]), permutation(&request["order"]));
        let company = Scripted { house, deck, order, seats, month: None, choices: choices.into_iter() };
        let mut table = Table::new(&program, company).unwrap();
        let state = program.run(&mut table, Limits::default()).unwrap().state;
        assert!(table.company.choices.next().is_none(), "{id}: all choices are asked for");
        assert!(table.company.month.unwrap().ended().is_some());

        let (cash, bouquet) = (row(&program, &state, "cash"), row(&program, &state, "bouquet"));
        let player = row(&program, &state, "player");
        assert_eq!(answer["net_cash"], serde_json::json!(cash[2..2 + seats]), "{id}");
        assert_eq!(answer["pot_left"], cash[0], "{id}");
        assert_eq!(answer["seats_active"], serde_json::json!(player), "{id}");
        assert_eq!(answer["index"], word(&program, &state, "index"), "{id}");
        assert_eq!(answer["turns"], word(&program, &state, "t") - 1, "{id}");
        assert_eq!(answer["table"], serde_json::json!(cards(bouquet[0] as u64).names()), "{id}");
        let carry: Vec<i64> = match preset {
            Preset::Paper => vec![word(&program, &state, "index'")],
            Preset::Modern => {
                let many = |name: &str, exponent: i64| vec![exponent; word(&program, &state, name) as usize];
                [many("two", 2), many("one", 1)].concat()
            }
        };
        let carry: Vec<i64> = carry.into_iter().filter(|&exponent| exponent > 0).collect();
        assert_eq!(answer["carry"], serde_json::json!(carry), "{id}");
        for (n, &person) in player.iter().enumerate() {
            let basket = cards(bouquet[1 + 2 * seats + person as usize] as u64);
            assert_eq!(answer["baskets"][n], serde_json::json!(basket.names()), "{id}");
        }
    }
}

/// The declarations of a program and the part of its text that settles, after the Baskets have been filled as wanted.
fn settlement(preset: Preset, request: &Value) -> String {
    let text = flat(source(preset));
    let between = |from: &str, to: &str| {
        let start = text.find(from).unwrap();
        let end = start + text[start..].find(to).unwrap();
        text[start..end].to_owned()
    };
    let declarations = &text[..text.find("begin M := 1;").unwrap()];
    let basket = |n: usize| {
        let cards = request["baskets"][n].as_array().unwrap();
        let flowers = cards
            .iter()
            .map(|name| hana_lang::core::value::flower_name(name.as_str().unwrap().parse().unwrap()));
        flowers.collect::<Vec<_>>().join(", ")
    };
    let number = |field: &str| request[field].as_i64().unwrap_or(0);
    let by = number("stopped_by");
    let start = format!(
        "bouquet := map p : Place => if p = Basket(1) then {{{}}} else if p = Basket(2) then {{{}}} else if p = Basket(3) then {{{}}} else {{}}; \
         player(1) := 1; player(2) := 2; player(3) := 3; index := {}; cash(table) := {POT};",
        basket(0),
        basket(1),
        basket(2),
        number("index")
    );
    let rest = match preset {
        Preset::Paper => {
            format!("stopped := {}; {}", by != 0, between("if not stopped & E k", "; M := M + 1"))
        }
        Preset::Modern => {
            let sage = |n: usize| request["sage"][n].as_bool().unwrap_or(false);
            let mode = match request["mode"].as_str() {
                Some("cancel") => 2,
                Some("shobu") => 1,
                Some(_) => 0,
                None => i64::from(by != 0),
            };
            format!(
                "n := 1; while n <= 3 do begin val(n) := Deki(B(n)); n := n + 1 end; mode := {mode}; by := {by}; first := {}; \
                 sage(1) := {}; sage(2) := {}; sage(3) := {}; {}",
                number("first_sage"),
                sage(0),
                sage(1),
                sage(2),
                between("win := 0; if mode = 1", "; oya := player(win)")
            )
        }
    };
    format!("{declarations} begin {start} {rest} end.")
}

/// More than any settlement moves, so that one sees who is given it.
const POT: i64 = 1_000_000;

#[test]
fn every_settle_vector_runs_through_the_settlement_of_the_program() {
    let mut reasons = std::collections::BTreeSet::new();
    for vector in vectors("settle") {
        let (request, answer, id) = (&vector["request"], &vector["answer"], &vector["id"]);
        let preset = preset_of(request);
        let text = settlement(preset, request);
        let program = check_source(&text).unwrap_or_else(|errors| panic!("{id}: {errors:?}\n{text}"));
        let program = Compiled::new(&program, house_of(preset, 3)).unwrap();
        let state =
            program.run(&mut Nobody, Limits::default()).unwrap_or_else(|fault| panic!("{id}: {fault}")).state;
        let mut cash = row(&program, &state, "cash");
        let winner = answer["winner"].as_u64().unwrap() as usize;
        // Without a winner the pot stays on the table.
        cash[if winner == 0 { 0 } else { 1 + winner }] -= POT;
        assert_eq!(
            answer["net"],
            serde_json::json!(cash[2..5]),
            "{id}: {}",
            show(
                &state.value(program.var("cash").unwrap().1),
                program.var("cash").unwrap().0,
                program.house()
            )
        );
        assert_eq!(cash[0], 0, "{id}: the pot");
        reasons.insert(answer["reason"].as_str().unwrap().to_owned());
    }
    for reason in [
        "pairwise",
        "void-fuke",
        "shobu",
        "cancel",
        "exhausted-deki",
        "sohachi",
        "futahachi",
        "sujuroku",
        "par",
    ] {
        assert!(reasons.contains(reason), "{reasons:?}");
    }
}

fn seated(seed: u64, seats: usize) -> Vec<Box<dyn Player>> {
    (0..seats as u64)
        .map(|person| match (person + seed) % 5 {
            0 => Box::new(Sampled::with(seed, 2, 3)) as Box<dyn Player>,
            1 => Box::new(Greedy),
            2 => Box::new(Hold::new()),
            3 => Box::new(Solver::new(seed)),
            _ => Box::new(Random::new(seed)),
        })
        .collect()
}

#[test]
fn every_player_of_hana_can_play_inside_a_program() {
    for preset in [Preset::Paper, Preset::Modern] {
        for seats in [3, 5] {
            let mut rules = preset.rules();
            rules.months = 12;
            let program = compiled(preset, seats as u8);
            let seed = 5 + seats as u64;
            let mut table = Table::new(&program, Seated::new(seated(seed, seats), rules, seed)).unwrap();
            let ran = program.run(&mut table, Limits::default()).unwrap();
            assert!(
                ran.steps < Limits::default().fuel / 100,
                "a game stays far below the limit: {}",
                ran.steps
            );
            let state = ran.state;
            // The same players in a native game.
            let mut players = seated(seed, seats);
            let mut season = Season::new(preset, seats, seed).unwrap();
            let mut log = Vec::new();
            while let (Some(ask), Some(person)) = (season.ask(), season.mover()) {
                let seen = season.month().as_seen_by(season.month().asked_seat().unwrap());
                let decision = players[person].decide(&seen, ask);
                log.push((Asked { ask, person }, decision));
                season.decide(decision).unwrap();
            }
            assert_eq!(table.company.log, log);
            assert_eq!(Money::of(&row(&program, &state, "cash"), seats).purses, season.purses());
        }
    }
}

#[test]
fn a_program_with_rules_of_its_own_is_told_where_it_leaves_the_rules() {
    let text = flat(PAPER.source).replace("if T = {} then W else T", "T join W");
    let program = Compiled::new(&check_source(&text).unwrap(), house_of(Preset::Paper, 3)).unwrap();
    let fault = (0..200).find_map(|seed| {
        let players = Seated::new(seated(4, 3), House::PAPER, seed);
        program.run(&mut Table::new(&program, players).unwrap(), Limits::default()).err()
    });
    let fault = fault.unwrap();
    assert!(matches!(&fault.kind, Kind::Oracle(words) if words.contains("but the rules ask")), "{fault}");
}

#[test]
fn a_program_that_asks_what_nobody_knows_is_refused() {
    let program =
        check_source("program P; oracle Wish(n : Int) : Bool; var b : Bool; b := Wish(1).").unwrap();
    let program = Compiled::new(&program, house_of(Preset::Paper, 3)).unwrap();
    let error = Table::new(&program, Seated::new(seated(0, 3), House::PAPER, 0)).err().unwrap();
    assert_eq!(error.code, "unknown_oracle");
    assert!(error.hint.unwrap().contains("Throw-in"));
}
