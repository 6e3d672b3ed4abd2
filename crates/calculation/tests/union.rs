//! The union player and the roster: fallbacks, budgets, reduced games, games step by step.

#![allow(clippy::unwrap_used)]

use calculation::deal::Deck;
use calculation::memo::Memo;
use calculation::net::Net;
use calculation::notation;
use calculation::players::leaves::{Judge, Leaves, average};
use calculation::players::net::{ByNet, NetOptions, NetPlayer};
use calculation::players::options::Look;
use calculation::players::pace::{Meter, Pace};
use calculation::players::rollout::Rollouts;
use calculation::players::roster::{Kit, by_name_with, names};
use calculation::players::source::PairSource;
use calculation::players::union::{Opinion, UnionOptions, UnionPlayer};
use calculation::players::{GameRecord, Player, by_name, play_deck};
use calculation::position::{Position, Rank};
use calculation::rules::{Move, Rules};
use calculation::search::reduced::optimum;
use calculation::table::{Size, Table, in_memory};
use calculation::theory::chance::Recursion;
use kachi_core::Budget;
use kachi_core::surface::Clock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

mod decks;

/// Judges a reduced game by what is played and what lies in the way: rough, but not blind.
#[derive(Default)]
struct Rough {
    judged: u64,
}

impl Judge for Rough {
    fn judge(&mut self, tables: &[Position], chances: &mut [f64]) {
        self.judged += tables.len() as u64;
        for (table, chance) in tables.iter().zip(chances) {
            *chance = (1.0 + table.played() as f64) / (2.0 + table.played() as f64 + table.stacked() as f64);
        }
    }

    fn name(&self) -> String {
        "rough".to_owned()
    }

    fn judged(&self) -> u64 {
        self.judged
    }
}

/// Pairs of eight cards: enough for a player of the full game that is fast and weak.
fn small_table() -> Arc<Table> {
    static TABLE: OnceLock<Arc<Table>> = OnceLock::new();
    let built = || Arc::new(in_memory(Size::new(3, 8).unwrap(), &mut Budget::default()).unwrap().table);
    TABLE.get_or_init(built).clone()
}

/// A union player of the full game on the small table.
fn player(options: UnionOptions) -> UnionPlayer<PairSource, ByNet<'static>> {
    let rules = Rules::calculation(3).unwrap();
    let mut options = options;
    options.plans.keeping.plans = 10;
    options.plans.rescue = 10;
    let source = PairSource::new(Memo::on(small_table())).working_out(8);
    UnionPlayer::new(&rules, options, source, ByNet::new(Net::embedded(3).unwrap()))
}

fn moves(record: &GameRecord) -> Vec<Vec<Move>> {
    record.turns.iter().map(|turn| turn.moves.clone()).collect()
}

fn all_options() -> [UnionOptions; 4] {
    let mut rollout = UnionOptions::rollout();
    let short = Rollouts { left: 14, games: 40, draws: 6, ..Rollouts::OF_UNION };
    rollout.rollouts = Some(short);
    [UnionOptions::greedy(), UnionOptions::look(), UnionOptions::deep(), rollout]
}

#[test]
fn no_union_player_beats_the_optimum_of_a_reduced_game() {
    for (ranks, stacks, games, least) in [(3, 1, 90, 0.8), (5, 1, 300, 0.6), (5, 2, 200, 0.9)] {
        let rules = Rules::reduced(ranks, &[1, 2], stacks).unwrap();
        let best = optimum(&rules, &mut Budget::default()).unwrap();
        let share = best.wins as f64 / best.decks as f64;
        for options in all_options() {
            let mut player = UnionPlayer::new(&rules, options, Recursion::new(stacks), Rough::default());
            let won = (1..=games)
                .filter(|&seed| play_deck(&rules, &Deck::seeded(&rules, seed), &mut player).unwrap().won)
                .count();
            let rate = won as f64 / games as f64;
            let error = 3.0 * (share * (1.0 - share) / games as f64).sqrt();
            let options = player.options();
            assert!(rate <= share + error, "{rate} beats {share}: {options:?}");
            assert!(rate >= least * share, "{rate} is far below {share}: {options:?}");
        }
    }
}

/// A look that is never needed is never taken: the player who is content with any chance plays like the one who does not look.
#[test]
fn who_has_enough_does_not_look() {
    let rules = Rules::calculation(3).unwrap();
    let game = |options: UnionOptions| {
        let mut player = player(options);
        let record = play_deck(&rules, &Deck::seeded(&rules, 100_003), &mut player).unwrap();
        (record, player.counts())
    };
    let greedy = game(UnionOptions::greedy());
    for mut options in [UnionOptions::look(), UnionOptions::deep()] {
        assert!(game(options.clone()).1 > greedy.1, "a look is work");
        options.first = options.first.map(|look| Look { enough: 0.0, ..look });
        assert_eq!(game(options), greedy);
    }
}

/// A player who searches from the first card on to the end wins what can be won, neither more nor less; without time for that he still plays.
#[test]
fn a_search_to_the_end_plays_a_reduced_game_perfectly() {
    let rules = Rules::reduced(3, &[1, 2], 1).unwrap();
    let best = optimum(&rules, &mut Budget::default()).unwrap();
    let mut options = UnionOptions::look();
    options.plans.exact_below = 6;
    let play = |pace| {
        let player = UnionPlayer::new(&rules, options.clone(), Recursion::new(1), Rough::default());
        let mut player = player.at_pace(pace);
        let won = decks::all(&rules)
            .iter()
            .filter(|deck| play_deck(&rules, deck, &mut player).unwrap().won)
            .count();
        (won as u64, player.work())
    };
    let (won, work) = play(Pace::endless());
    assert_eq!(won, best.wins);
    let (hurried, less) = play(Pace::new(Meter::Work, Some(0.0), None));
    assert!(hurried <= won && less < work, "{hurried} of {won}, {less} of {work}");
}

/// Where nothing is worth the work, nothing but the last cards is searched.
#[test]
fn faint_hopes_are_not_searched_to_the_end() {
    let rules = Rules::reduced(5, &[1, 2], 1).unwrap();
    let work = |faint| {
        let mut options = UnionOptions::look();
        (options.plans.exact_below, options.faint) = (7, faint);
        let mut player = UnionPlayer::new(&rules, options, Recursion::new(1), Rough::default());
        let won =
            (1..=20).map(|seed| play_deck(&rules, &Deck::seeded(&rules, seed), &mut player).unwrap().won);
        (won.collect::<Vec<_>>(), player.work())
    };
    let usual = {
        let mut player = UnionPlayer::new(&rules, UnionOptions::look(), Recursion::new(1), Rough::default());
        let won =
            (1..=20).map(|seed| play_deck(&rules, &Deck::seeded(&rules, seed), &mut player).unwrap().won);
        (won.collect::<Vec<_>>(), player.work())
    };
    assert_eq!(work(1.1), usual);
    assert_ne!(work(0.0).1, usual.1);
}

#[test]
fn games_are_replayed_step_by_step_by_the_slow_move_generator() {
    let rules = Rules::calculation(3).unwrap();
    let mut steps = 0;
    let mut won = 0;
    for (options, seeds) in all_options().into_iter().zip([
        100_001..100_007,
        100_001..100_004,
        100_001..100_002,
        100_001..100_003,
    ]) {
        let mut player = player(options);
        for seed in seeds {
            let deck = Deck::seeded(&rules, seed);
            let record = play_deck(&rules, &deck, &mut player).unwrap();
            let mut position = Position::start(&rules);
            for (turn, &card) in record.turns.iter().zip(deck.cards()) {
                assert_eq!(turn.drawn, card);
                assert!((0.0..=1.0).contains(&turn.chance));
                for mv in std::iter::once(Move::Draw(turn.drawn)).chain(turn.moves.iter().copied()) {
                    assert!(rules.moves(&position).contains(&mv), "{mv}");
                    position = rules.play(&position, mv).unwrap();
                    steps += 1;
                }
            }
            for &mv in &record.ending {
                assert!(rules.moves(&position).contains(&mv), "{mv}");
                position = rules.play(&position, mv).unwrap();
            }
            assert_eq!(position, record.last);
            assert_eq!(record.won, rules.is_won(&position));
            won += u32::from(record.won);
        }
    }
    assert!(steps > 1000 && won > 0, "{steps} steps, {won} won");
}

#[test]
fn a_second_draw_is_looked_at_only_when_few_enough_cards_are_unseen() {
    let rules = Rules::calculation(3).unwrap();
    let deck = Deck::seeded(&rules, 100_005);
    let limited = |left| {
        let mut options = UnionOptions::deep();
        options.second.as_mut().unwrap().left = left;
        let mut player = player(options);
        (play_deck(&rules, &deck, &mut player).unwrap(), player.counts())
    };
    let mut once = player(UnionOptions::look());
    let alone = (play_deck(&rules, &deck, &mut once).unwrap(), once.counts());
    assert_eq!(limited(0), alone);
    assert!(limited(20).1.2 > alone.1.2, "two draws ahead judge more tables");
}

#[test]
fn the_same_deal_is_played_the_same_way_whatever_was_played_before() {
    let rules = Rules::calculation(3).unwrap();
    let deck = Deck::seeded(&rules, 100_005);
    let alone = play_deck(&rules, &deck, &mut player(UnionOptions::look())).unwrap();
    let mut busy = player(UnionOptions::look());
    play_deck(&rules, &Deck::seeded(&rules, 100_006), &mut busy).unwrap();
    assert_eq!(play_deck(&rules, &deck, &mut busy).unwrap(), alone);
}

/// One draw ahead as it is defined, rank by rank, each table alone: the larger of both opinions.
#[test]
fn a_look_is_the_average_of_the_larger_opinions() {
    let (rules, drawn) = notation::read("4494/997T7AT6/JQ2Q78Q/5@K").unwrap();
    let mut options = UnionOptions::look();
    // All candidates, and all plans at the leaves.
    let look = options.first.as_mut().unwrap();
    (look.candidates, look.within, look.plans) = (64, 1.0, 1000);
    let decision = player(options.clone()).decide(&drawn);
    let mut net = ByNet::new(Net::embedded(3).unwrap());
    let mut leaves = Leaves::default();
    let mut best = Vec::new();
    let mut seen = 0;
    for option in decision.options.iter().filter(|option| option.chance > 0.0) {
        let table = option.moves.iter().fold(drawn, |table, &mv| rules.play(&table, mv).unwrap());
        leaves.grow(&rules, &[table]);
        assert!(leaves.judge_parts(&mut net, |_| true));
        leaves.best(1, &mut best);
        let by_net = average(&table, &best[0]);
        // Never below what the net alone sees, and above it where plans know more.
        assert!(option.chance >= by_net - 1e-6, "{} {by_net}", option.chance);
        seen += 1;
    }
    assert!(seen >= 3);
}

#[test]
fn one_opinion_grows_with_both() {
    let steps: Vec<f64> =
        (1..40).map(|step| f64::from(step) / 40.0).chain([1e-12, 1e-6, 1.0 - 1e-6]).collect();
    for (stacks, left) in (2..=4).flat_map(|stacks| (1..=51).map(move |left| (stacks, left))) {
        let opinion = Opinion::for_stacks(stacks);
        for (&one, &other) in steps.iter().flat_map(|one| steps.iter().map(move |other| (one, other))) {
            let chance = opinion.of(left, one, other);
            assert!((0.0..=1.0).contains(&chance));
            assert!(opinion.of(left, one * 0.9, other) <= chance);
            assert!(opinion.of(left, one, other * 0.9) <= chance);
            assert!(opinion.asks_plans(left) || chance == other);
        }
        assert_eq!(opinion.of(left, 0.0, 0.0), 0.0);
    }
}

/// With two stacks plans are not asked while many cards are unseen: until then the union is the net.
#[test]
fn with_two_stacks_the_net_opens_and_plans_join_later() {
    let rules = Rules::calculation(2).unwrap();
    let table = Arc::new(in_memory(Size::new(2, 8).unwrap(), &mut Budget::default()).unwrap().table);
    let source = PairSource::new(Memo::on(table)).working_out(8);
    let net = Net::embedded(2).unwrap();
    let mut union = UnionPlayer::new(&rules, UnionOptions::greedy().for_stacks(2), source, ByNet::new(net));
    let mut alone = NetPlayer::new(net, NetOptions::GREEDY);
    let deck = Deck::seeded(&rules, 300_001);
    let record = play_deck(&rules, &deck, &mut union).unwrap();
    assert!(union.counts().0 > 0, "plans join");
    union.begin();
    let asked = union.counts().0;
    let mut position = Position::start(&rules);
    for turn in &record.turns {
        let drawn = rules.play(&position, Move::Draw(turn.drawn)).unwrap();
        let opinion = union.options().opinion;
        if !opinion.asks_plans(drawn.left()) {
            assert_eq!(union.decide(&drawn), alone.decide(&drawn));
            assert_eq!(union.counts().0, asked);
        }
        position = turn.moves.iter().fold(drawn, |table, &mv| rules.play(&table, mv).unwrap());
    }
}

#[test]
fn without_the_table_the_net_plays_and_says_so() {
    let rules = Rules::calculation(2).unwrap();
    for (name, half) in [
        ("union-look0", "net-look0"),
        ("union-look1", "net-look1"),
        ("union", "net-look1"),
        ("union-look2", "net-look2"),
        ("union-rollout", "net-rollout"),
    ] {
        let player = by_name(&rules, name).unwrap();
        assert_eq!(player.name(), half);
        assert!(player.note().unwrap().contains("kachi table build calculation --stacks 2"));
    }
    let mut net = by_name(&rules, "net-look0").unwrap();
    assert_eq!(net.note(), None);
    let mut union = by_name(&rules, "union-look0:keep=50").unwrap();
    let deck = Deck::seeded(&rules, 300_001);
    assert_eq!(
        play_deck(&rules, &deck, union.as_mut()).unwrap(),
        play_deck(&rules, &deck, net.as_mut()).unwrap()
    );
    // With four stacks nobody plays on, with or without the table; with three the union does not.
    let rules = Rules::calculation(4).unwrap();
    for (name, note) in
        [("net-rollout", "playing on"), ("union-rollout", "kachi table build calculation --stacks 4")]
    {
        let player = by_name(&rules, name).unwrap();
        assert_eq!(player.name(), "net-look2");
        assert!(player.note().unwrap().contains(note), "{:?}", player.note());
    }
    assert_eq!(by_name(&rules, "net-rollout:roll-games=9").err().unwrap().code, "bad_setting");
    let rules = Rules::calculation(3).unwrap();
    assert_eq!(by_name(&rules, "union-rollout").unwrap().name(), "net-look2");
    assert_eq!(by_name(&rules, "net-rollout").unwrap().note(), None);
    // No net knows reduced games, nor the game with one stack.
    for rules in [Rules::reduced(5, &[1, 2], 2).unwrap(), Rules::calculation(1).unwrap()] {
        let player = by_name(&rules, "union-look1").unwrap();
        assert_eq!(player.name(), "plans-look1");
        assert!(player.note().is_some());
        assert_eq!(by_name(&rules, "net-look1").err().unwrap().code, "no_net");
    }
}

#[test]
fn names_and_settings_are_read_or_refused() {
    let rules = Rules::calculation(3).unwrap();
    for name in names() {
        assert!(by_name(&rules, name).is_ok(), "{name}");
    }
    for name in [
        "plans-look1:keep=20,every=3,leaf=10,within=0.1,width=2,enough=0.9",
        "net-look2:inner-width=1,deep-left=30,faint=0.1,sure=0.9,work=5000",
    ] {
        assert_eq!(by_name(&rules, name).unwrap().name(), name);
    }
    assert!(by_name(&rules, "union-look2:deep-left=40,deep-within=0.02").is_ok());
    let all = "roll-left=20,roll-least=0.1,roll-width=2,roll-near=0.5,roll-games=9,roll-draws=0,roll-weight=7,roll-sure=0.9";
    let two = Rules::calculation(2).unwrap();
    assert!(by_name(&two, &format!("union-rollout:{all}")).is_ok());
    assert_eq!(by_name(&rules, &format!("net-rollout:{all}")).unwrap().note(), None);
    for (name, code) in [
        ("perfect", "unknown_player"),
        ("", "unknown_player"),
        ("plans-look1:keep", "bad_setting"),
        ("plans-look1:keep=many", "bad_setting"),
        ("plans-look1:keep=-1", "bad_setting"),
        ("plans-look1:keep=1e9", "bad_setting"),
        ("plans-look1:keep=1.5", "bad_setting"),
        ("plans-look0:leaf=5", "bad_setting"),
        ("net-look0:keep=5", "bad_setting"),
        ("union-look1:deep-left=40", "bad_setting"),
        ("union-look2:roll-games=40", "bad_setting"),
        ("union-rollout:roll-games=40.5", "bad_setting"),
        ("union-look2:work=5,seconds=2", "bad_setting"),
        ("union-look2:seconds=2", "no_clock"),
        ("net-look2:move-seconds=2", "no_clock"),
    ] {
        assert_eq!(by_name(&rules, name).err().unwrap().code, code, "{name}");
    }
}

/// A clock that goes on by a second whenever it is read.
#[derive(Default)]
struct Ticking(AtomicU64);

impl Clock for Ticking {
    fn seconds(&self) -> f64 {
        self.0.fetch_add(1, Ordering::Relaxed) as f64
    }
}

#[test]
fn budgets_of_work_are_kept_and_answers_always_come() {
    let rules = Rules::calculation(3).unwrap();
    let deck = Deck::seeded(&rules, 100_001);
    let game = |options: UnionOptions, pace: Pace| {
        let mut player = player(options).at_pace(pace);
        let record = play_deck(&rules, &deck, &mut player).unwrap();
        (moves(&record), player.work())
    };
    let (greedy_moves, greedy) = game(UnionOptions::greedy(), Pace::endless());
    let (_, look) = game(UnionOptions::look(), Pace::endless());
    // Nothing to spend: no look at all, and a whole game.
    for pace in [Pace::new(Meter::Work, Some(0.0), None), Pace::new(Meter::Work, None, Some(0.0))] {
        for options in all_options() {
            assert_eq!(game(options, pace.clone()), (greedy_moves.clone(), greedy));
        }
    }
    // A budget between the two is kept up to the step that crosses it, and spent.
    let budget = (greedy + look) / 2;
    let (_, spent) = game(UnionOptions::look(), Pace::new(Meter::Work, None, Some(budget as f64)));
    assert!(spent > greedy && spent < budget + 30_000, "{greedy} < {spent} < {budget}");
    // More than enough changes nothing.
    let endless = game(UnionOptions::look(), Pace::endless());
    assert_eq!(game(UnionOptions::look(), Pace::new(Meter::Work, Some(1e12), Some(1e12))), endless);
}

#[test]
fn budgets_of_time_are_read_from_the_clock_of_the_caller() {
    let rules = Rules::calculation(3).unwrap();
    let deck = Deck::seeded(&rules, 100_002);
    let game = |per_move: f64| {
        let clock = Arc::new(Ticking::default());
        let mut player =
            player(UnionOptions::look()).at_pace(Pace::new(Meter::Seconds(clock), Some(per_move), None));
        let record = play_deck(&rules, &deck, &mut player).unwrap();
        (moves(&record), player.work())
    };
    let (none, little) = game(0.5);
    let (_, much) = game(1e9);
    assert!(little < much);
    let mut greedy = player(UnionOptions::greedy());
    assert_eq!(moves(&play_deck(&rules, &deck, &mut greedy).unwrap()), none);
    let kit = Kit { clock: Some(Arc::new(Ticking::default())), ..Kit::default() };
    assert!(by_name_with(&rules, "union-look2:move-seconds=0.1", &kit).is_ok());
}

#[test]
fn a_position_can_be_judged_without_its_history() {
    let (rules, drawn) = notation::read("QKT9/K9/KT/-@K").unwrap();
    let decision = player(UnionOptions::deep()).decide(&drawn);
    assert!(decision.options.iter().all(|option| (0.0..=1.0).contains(&option.chance)));
    let no_card = Position::start(&rules);
    assert!(player(UnionOptions::deep()).decide(&no_card).options.is_empty());
    let ranks: Vec<Rank> = (0..13).filter_map(Rank::new).collect();
    let first = rules.play(&no_card, Move::Draw(ranks[12])).unwrap();
    assert!(!player(UnionOptions::look()).decide(&first).options.is_empty());
}
