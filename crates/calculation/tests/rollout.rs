//! Playing on: what it says against its definition, tables whose chances are known, budgets, and candidates that fall behind.

#![allow(clippy::unwrap_used)]

use calculation::deal::Deck;
use calculation::net::Net;
use calculation::notation;
use calculation::players::leaves::{Judge, Leaves, average};
use calculation::players::net::{ByNet, NetOptions, NetPlayer};
use calculation::players::play_deck;
use calculation::players::rollout::{Roller, Rollouts};
use calculation::position::Position;
use calculation::rules::{Move, Rules};
use calculation::search::endgame::Endgame;
use calculation::turn::Turn;
use std::sync::OnceLock;

/// Knows the true chances, and counts what it is asked.
struct Oracle {
    endgame: Endgame,
    judged: u64,
}

impl Oracle {
    fn new(rules: &Rules) -> Oracle {
        Oracle { endgame: Endgame::new(rules), judged: 0 }
    }
}

impl Judge for Oracle {
    fn judge(&mut self, tables: &[Position], chances: &mut [f64]) {
        self.judged += tables.len() as u64;
        for (table, chance) in tables.iter().zip(chances) {
            *chance = self.endgame.chance(table);
        }
    }

    fn name(&self) -> String {
        "oracle".to_owned()
    }

    fn judged(&self) -> u64 {
        self.judged
    }
}

/// All ways to finish a turn.
fn finished(rules: &Rules, drawn: &Position) -> Vec<Position> {
    let turn = Turn::new(rules, drawn);
    (0..turn.len()).map(|i| turn.position(rules, drawn, i)).collect()
}

fn ways(text: &str) -> (Rules, Vec<Position>) {
    let (rules, drawn) = notation::read(text).unwrap();
    let tables = finished(&rules, &drawn);
    (rules, tables)
}

const ALL: Rollouts = Rollouts {
    left: 52,
    least: 0.0,
    candidates: 99,
    near: 0.0,
    games: 1,
    draws: 1,
    weight: 1.0,
    sure: f64::INFINITY,
};

/// The ways to finish a turn of a game by the net, with six cards unseen and chances that differ by much.
fn late() -> (Rules, Vec<Position>) {
    static FOUND: OnceLock<(Rules, Vec<Position>)> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let rules = Rules::calculation(2).unwrap();
        let mut net = NetPlayer::embedded(2, NetOptions::GREEDY).unwrap();
        let mut endgame = Endgame::new(&rules);
        for seed in 300_001.. {
            let record = play_deck(&rules, &Deck::seeded(&rules, seed), &mut net).unwrap();
            let mut position = Position::start(&rules);
            for turn in record.turns {
                let drawn = rules.play(&position, Move::Draw(turn.drawn)).unwrap();
                let tables = finished(&rules, &drawn);
                if drawn.left() == 6 {
                    let chances: Vec<f64> = tables.iter().map(|table| endgame.chance(table)).collect();
                    let best = chances.iter().copied().fold(0.0, f64::max);
                    if (0.3..0.9).contains(&best)
                        && chances.iter().any(|&chance| chance > 0.0 && chance < best - 0.1)
                    {
                        return (rules, tables);
                    }
                }
                position = turn.moves.iter().fold(drawn, |table, &mv| rules.play(&table, mv).unwrap());
            }
        }
        unreachable!("some game is close in the end")
    });
    found.clone()
}

/// A round begins with every unseen card once, so one draw of it is no sample: it is the look of one draw itself.
#[test]
fn one_draw_is_the_look_of_one_draw() {
    let (rules, tables) = ways("2A64/K75T9/JQQ8@9");
    let mut net = ByNet::new(Net::embedded(2).unwrap());
    let unknown = vec![0.0; tables.len()];
    let found = Roller::new(&rules).chances(&ALL, &tables, &unknown, &mut net, |_| true).unwrap();
    let mut leaves = Leaves::default();
    leaves.grow(&rules, &tables);
    assert!(leaves.judge_parts(&mut net, |_| true));
    let mut best = Vec::new();
    leaves.best(tables.len(), &mut best);
    assert!(tables.len() >= 2);
    for ((table, by_rank), found) in tables.iter().zip(&best).zip(found) {
        assert!((found - average(table, by_rank)).abs() < 1e-9, "{found}");
    }
}

/// A game that has come to a sure chance ends there: where every chance is sure, after one draw; where none is, it makes no difference.
#[test]
fn a_sure_game_is_not_played_on() {
    let (rules, tables) = late();
    let unknown = vec![0.0; tables.len()];
    let ask = |draws: usize, sure: f64| {
        let mut oracle = Oracle::new(&rules);
        let options = Rollouts { games: 30, draws, sure, ..ALL };
        let found = Roller::new(&rules).chances(&options, &tables, &unknown, &mut oracle, |_| true).unwrap();
        (found, oracle.judged)
    };
    let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
    assert!(close(&ask(3, 0.0).0, &ask(1, f64::INFINITY).0));
    let (long, judged) = ask(3, f64::INFINITY);
    assert!(!close(&ask(3, 0.0).0, &long), "draws matter");
    assert!(close(&ask(3, 1.5).0, &long));
    assert!(ask(3, 0.6).1 < judged, "some games end early");
}

/// Whoever plays by the true chances wins as often as they say, so the games must come out there, within their errors.
#[test]
fn games_by_the_true_chances_come_out_at_the_true_chances() {
    let (rules, tables) = late();
    let mut oracle = Oracle::new(&rules);
    let games = 4000;
    let options = Rollouts { games, draws: 52, ..ALL };
    let mut told_apart = 0;
    for table in &tables {
        let truth = oracle.endgame.chance(table);
        // Alone nobody races: the same table twice.
        let pair = [*table, *table];
        let found = Roller::new(&rules).chances(&options, &pair, &[0.0; 2], &mut oracle, |_| true).unwrap();
        let error = 4.0 * (truth * (1.0 - truth) / games as f64).sqrt() + 1e-9;
        assert!((found[0] - truth).abs() <= error, "{} for {truth}", found[0]);
        assert_eq!(found[0], found[1], "the same deals");
        told_apart += u32::from(truth > 0.0 && truth < 1.0);
    }
    assert!(told_apart >= 2, "{told_apart}");
}

#[test]
fn the_same_question_has_the_same_answer() {
    let (rules, tables) = late();
    let options = Rollouts { games: 30, draws: 4, weight: 0.6, ..ALL };
    let looked = vec![0.2; tables.len()];
    let ask = |roller: &mut Roller| {
        roller.chances(&options, &tables, &looked, &mut Oracle::new(&rules), |_| true).unwrap()
    };
    let alone = ask(&mut Roller::new(&rules));
    let mut busy = Roller::new(&rules);
    let (_, other) = ways("2A64/K75T9/JQQ8@9");
    let mut net = ByNet::new(Net::embedded(2).unwrap());
    busy.chances(&options, &other, &vec![0.1; other.len()], &mut net, |_| true);
    assert_eq!(ask(&mut busy), alone);
    busy.forget();
    assert_eq!(ask(&mut busy), alone);
}

#[test]
fn the_weight_says_what_the_games_count() {
    let (rules, tables) = late();
    let looked: Vec<f64> = (0..tables.len()).map(|i| 0.2 + 0.01 * i as f64).collect();
    let ask = |weight| {
        let options = Rollouts { games: 14, draws: 3, weight, ..ALL };
        Roller::new(&rules).chances(&options, &tables, &looked, &mut Oracle::new(&rules), |_| true).unwrap()
    };
    assert_eq!(ask(0.0), looked);
    let (half, whole) = (ask(0.5), ask(1.0));
    for ((half, whole), looked) in half.iter().zip(&whole).zip(&looked) {
        assert!((half - (whole + looked) / 2.0).abs() < 1e-12);
    }
}

/// A budget that ends at once leaves no answer; one that ends later leaves that of the rounds that were played.
#[test]
fn a_budget_ends_the_games() {
    let (rules, tables) = late();
    let looked = vec![0.2; tables.len()];
    let options = Rollouts { games: 700, draws: 5, ..ALL };
    let ask = |most: u64| {
        let mut oracle = Oracle::new(&rules);
        let found =
            Roller::new(&rules).chances(&options, &tables, &looked, &mut oracle, |judge| judge.judged < most);
        (found, oracle.judged)
    };
    assert_eq!(ask(0), (None, 0));
    let (rules, over) = notation::read("----/-").unwrap();
    assert_eq!(
        Roller::new(&rules).chances(&options, &[over; 2], &[0.5; 2], &mut Oracle::new(&rules), |_| true),
        None
    );
    let (whole, all) = ask(u64::MAX);
    let (part, some) = ask(all / 2);
    assert!(part.is_some() && whole.is_some());
    assert!(some <= all / 2 + 192 && some > all / 4, "{some} of {all}");
}

/// A hopeless candidate is not dealt all games, and stays behind.
#[test]
fn a_candidate_that_falls_behind_leaves_the_race() {
    let (rules, tables) = late();
    let mut oracle = Oracle::new(&rules);
    let truth: Vec<f64> = tables.iter().map(|table| oracle.endgame.chance(table)).collect();
    let best = (0..tables.len()).max_by(|&a, &b| truth[a].total_cmp(&truth[b])).unwrap();
    let worst = (0..tables.len()).min_by(|&a, &b| truth[a].total_cmp(&truth[b])).unwrap();
    assert!(truth[best] > truth[worst] + 0.1, "{truth:?}");
    let options = Rollouts { games: 2000, draws: 3, ..ALL };
    let ask = |pair: [usize; 2]| {
        let mut oracle = Oracle::new(&rules);
        let pair = pair.map(|i| tables[i]);
        let found = Roller::new(&rules).chances(&options, &pair, &[0.0; 2], &mut oracle, |_| true).unwrap();
        (found, oracle.judged)
    };
    let (found, decided) = ask([best, worst]);
    let (_, equal) = ask([best, best]);
    assert!(found[0] > found[1], "{found:?}");
    assert!(decided * 3 < equal, "{decided} of {equal}");
}
