//! The fixed workloads: placements and lookups of the stack game, evaluations of plans, whole games. They run on a table of two chains of eight cards that
//! is built on the spot, so that every machine does the same; when the full table is at hand, the games are also played on it, under the same
//! names with `_full` behind.

use crate::deal::Deck;
use crate::entry::engine::source;
use crate::memo::Memo;
use crate::players::options::PlanOptions;
use crate::players::plans::PlanPlayer;
use crate::players::play_deck;
use crate::players::source::PairSource;
use crate::rules::Rules;
use crate::table::{Size, Table, in_memory, offered};
use crate::theory::{Chances, MOST_CARDS, TwoChains};
use kachi_core::Budget;
use kachi_core::surface::{Bench, Clock, fold};
use std::sync::Arc;

const STACKS: usize = 3;
const RANKS: u64 = 8;
/// How often the states of the table are gone through.
const ROUNDS: u64 = 4;
/// Games of each kind.
const GAMES: u64 = 4;

/// Runs everything; the figures are `placements_per_s`, `lookups_per_s`, `plan_evals_per_s`, `plans_look0_ms_per_game`, `plans_look1_ms_per_game`.
pub fn bench(clock: &dyn Clock) -> Bench {
    let mut bench = Bench::default();
    let size = Size::new(STACKS as u64, RANKS).expect("a table that can be built");
    let built = in_memory(size, &mut Budget::default()).expect("a small table fits every budget");
    let table = Arc::new(built.table);
    assert_eq!(table.states(), 155_155, "states of two chains of eight cards");
    bench.signature = fold(bench.signature, table.totals().start.to_bits());
    let states: Vec<TwoChains> = (1..=size.cards())
        .flat_map(|cards| table.states_with(cards, 1).filter_map(|(state, _)| state))
        .collect();
    placements(clock, &mut bench, &states);
    lookups(clock, &mut bench, &table, &states);
    let keys = ["plan_evals_per_s", "plans_look0_ms_per_game", "plans_look1_ms_per_game"];
    let won = games(
        clock,
        &mut bench,
        keys,
        || PairSource::new(Memo::on(table.clone())),
        "a table of pairs of up to 16 cards",
    );
    bench.signature = fold(bench.signature, won);
    if offered(STACKS).is_some_and(|table| table.size().cards() == MOST_CARDS) {
        let keys = ["plan_evals_per_s_full", "plans_look0_ms_per_game_full", "plans_look1_ms_per_game_full"];
        games(clock, &mut bench, keys, || source(STACKS), "the full table");
    }
    bench
}

fn placements(clock: &dyn Clock, bench: &mut Bench, states: &[TwoChains]) {
    let mut placed = 0_u64;
    let mut cuts = 0_u64;
    let seconds = clock.time(&mut || {
        for _ in 0..ROUNDS {
            for state in states {
                std::hint::black_box(state).for_each_card(|placements| {
                    placed += placements.states().len() as u64;
                    cuts += placements.states().iter().map(|after| u64::from(after.cut(0).0)).sum::<u64>();
                });
            }
        }
    });
    bench.signature = fold(fold(bench.signature, placed), cuts);
    let words = "cards put on stacks on bit words, all states of two chains of 8 cards, one core";
    bench.figure("placements_per_s", placed as f64 / seconds, words);
}

fn lookups(clock: &dyn Clock, bench: &mut Bench, table: &Arc<Table>, states: &[TwoChains]) {
    let mut memo = Memo::on(table.clone());
    let mut found = vec![0.0; states.len()];
    let seconds = clock.time(&mut || {
        for _ in 0..ROUNDS {
            memo.chances(std::hint::black_box(states), &mut found);
        }
    });
    assert!(memo.is_empty(), "every state is in the table");
    let sum: f64 = found.iter().sum();
    bench.signature = fold(bench.signature, sum.to_bits());
    let words = "chances of states looked up, canonical form included, one core";
    bench.figure("lookups_per_s", (ROUNDS * states.len() as u64) as f64 / seconds, words);
}

/// Plays the first games without and with lookahead; what came of them, as a number.
fn games(
    clock: &dyn Clock,
    bench: &mut Bench,
    [evaluations, look0, look1]: [&'static str; 3],
    known: impl Fn() -> PairSource,
    on: &str,
) -> u64 {
    let rules = Rules::calculation(STACKS).expect("three stacks are allowed");
    let mut outcome = 0;
    let mut rate = 0.0;
    for (key, options) in [(look0, PlanOptions::greedy()), (look1, PlanOptions::strong())] {
        let look = if options.look.is_some() { "one draw" } else { "no draw" };
        let mut player = PlanPlayer::new(&rules, options, known());
        // The first game fills the memo and is not measured.
        let seconds: Vec<f64> = (1..=1 + GAMES)
            .map(|seed| {
                let deck = Deck::seeded(&rules, seed);
                clock.time(&mut || {
                    let game = play_deck(&rules, &deck, &mut player).expect("the player plays by the rules");
                    outcome = fold(outcome, 64 * u64::from(game.won) + game.last.played() as u64);
                })
            })
            .collect();
        let measured: f64 = seconds[1..].iter().sum();
        let words =
            format!("a game of {STACKS} stacks by the player plans, {look} ahead, with {on}, one core");
        bench.figure(key, 1e3 * measured / GAMES as f64, words);
        let total: f64 = seconds.iter().sum();
        rate = player.counts().0 as f64 / total;
    }
    bench.figure(
        evaluations,
        rate,
        format!("plans evaluated while playing one draw ahead, with {on}, one core"),
    );
    outcome
}

/// Request number `i` of a fixed stream of typical requests: chances of two-chain states of up to twelve cards.
#[must_use]
pub fn typical_request(i: u64) -> String {
    let (a, b) = (1 + i % 6, 1 + i / 6 % 6);
    let cut = i / 36 % (b + 1);
    let zeros = |count: u64| vec!["0"; count as usize].join(",");
    format!(
        r#"{{"id":{i},"game":"calculation","query":"stack2","stacks":3,"a":{a},"b":{b},"need_a":[{}],"need_b":[{}],"cut_a":[{a},{a},{a}],"cut_b":[{b},{cut},{b}]}}"#,
        zeros(a),
        zeros(b)
    )
}
