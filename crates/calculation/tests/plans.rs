//! Plans against their definition: orders against transitive closure, pair states against labelled posets, values
//! against the published example and further ones.

#![allow(clippy::unwrap_used)]

use calculation::deal::Deck;
use calculation::notation;
use calculation::plan::extend::{Extender, Keeping};
use calculation::plan::order::{Order, Slot};
use calculation::plan::regenerate::regenerate;
use calculation::plan::value::Evaluator;
use calculation::plan::{Plan, Refusal};
use calculation::position::{Position, Rank, Setup};
use calculation::rules::{Move, Rules};
use calculation::theory::chance::Recursion;
use calculation::turn::Turn;
use kachi_core::random::Dealer;
use proptest::prelude::*;

/// The order as the closure of its generating pairs, by Warshall's algorithm.
fn closure(piles: &[Vec<Slot>]) -> Vec<[bool; 64]> {
    let mut before = vec![[false; 64]; 64];
    for f in 0..4 {
        for i in 1..13 {
            before[f * 16 + i - 1][f * 16 + i] = true;
        }
    }
    for pile in piles {
        for pair in pile.windows(2) {
            before[pair[1].number()][pair[0].number()] = true;
        }
    }
    for k in 0..64 {
        for i in 0..64 {
            if before[i][k] {
                let row = before[k];
                before[i].iter_mut().zip(row).for_each(|(entry, through)| *entry |= through);
            }
        }
    }
    before
}

proptest! {
    #[test]
    fn the_order_is_the_transitive_closure(seed in 0_u64..10_000) {
        let mut dealer = Dealer::new(seed);
        let mut slots: Vec<Slot> = (0..52).map(|n| Slot::new(n / 13, n % 13)).collect();
        dealer.shuffle(&mut slots);
        let mut piles: Vec<Vec<Slot>> = vec![Vec::new(); 3];
        let mut order = Order::new();
        for slot in slots.into_iter().take(25) {
            let pile = dealer.below(3) as usize;
            let known = closure(&piles);
            let possible = match piles[pile].last() {
                Some(&top) => {
                    prop_assert_eq!(order.precedes(top, slot), known[top.number()][slot.number()]);
                    order.put(slot, top)
                }
                None => true,
            };
            if possible {
                piles[pile].push(slot);
            }
        }
        let known = closure(&piles);
        for x in (0..52).map(|n| Slot::new(n / 13, n % 13)) {
            for y in (0..52).map(|n| Slot::new(n / 13, n % 13)) {
                if x != y {
                    prop_assert_eq!(order.precedes(x, y), known[x.number()][y.number()], "{:?} {:?}", x, y);
                }
            }
        }
    }
}

fn labelled(text: &str, labels: &[&[&str]]) -> (Rules, Plan) {
    let (rules, position) = notation::read(text).unwrap();
    let slot = |label: &&str| {
        let mut chars = label.chars();
        let rank = Rank::from_char(chars.next().unwrap()).unwrap();
        let f = label[2..].parse::<usize>().unwrap();
        Slot::new(f, rules.slot_of(f, rank))
    };
    let labels: Vec<Vec<Slot>> = labels.iter().map(|pile| pile.iter().map(slot).collect()).collect();
    let plan = Plan::from_labels(&position, &labels).unwrap();
    assert!(plan.fits(&rules, &position));
    (rules, plan)
}

#[test]
fn the_worked_example_of_the_paper_has_its_value() {
    let (rules, plan) = labelled(
        "3T33/85QA/9AQJ6/KK95J",
        &[
            &["8-2", "5-2", "Q-2", "A-1"],
            &["9-1", "A-3", "Q-0", "J-0", "6-3"],
            &["K-3", "K-1", "9-3", "5-3", "J-1"],
        ],
    );
    let factors = Evaluator::new(&rules).factors(&plan, &mut Recursion::new(3));
    let single = [0.3910466, 0.8333333, 0.06856813, 0.9583333];
    let pair = [0.2739771, 0.01547976, 0.3513412, 0.05273561, 0.7986111, 0.05320396];
    for (found, expected) in factors.single.iter().chain(&factors.pair).zip(single.iter().chain(&pair)) {
        assert!((found / expected - 1.0).abs() < 1e-6, "{found} {expected}");
    }
    assert!((factors.value / 0.007281464 - 1.0).abs() < 1e-6);
}

#[test]
fn impossible_labels_are_refused_with_their_place() {
    let (_, position) = notation::read("A234/56/-/5").unwrap();
    let bad = |labels: &[Vec<Slot>]| Plan::from_labels(&position, labels).unwrap_err();
    assert_eq!(bad(&[vec![Slot::new(0, 4), Slot::new(0, 5)]]), (0, 1, Refusal::Cycle));
    assert_eq!(bad(&[vec![Slot::new(0, 4)], vec![], vec![Slot::new(0, 4)]]), (2, 0, Refusal::Taken));
    let (_, played) = notation::read("7234/5/-/-").unwrap();
    assert_eq!(Plan::from_labels(&played, &[vec![Slot::new(0, 4)]]).unwrap_err(), (0, 0, Refusal::Played));
}

/// Every list that moves lead to holds plans of that table, worth what a fresh evaluation says, in falling order, none twice.
#[test]
fn lists_follow_the_moves_of_whole_games() {
    for (rules, seeds) in
        [(Rules::reduced(7, &[1, 2, 3, 4], 3).unwrap(), 12), (Rules::reduced(5, &[1, 2], 2).unwrap(), 40)]
    {
        let mut evaluator = Evaluator::new(&rules);
        let mut fresh = Evaluator::new(&rules);
        let mut chances = Recursion::new(rules.stacks());
        let mut extender = Extender::default();
        let keeping = Keeping { plans: 30, reassign: true };
        let mut lists = 0;
        for seed in 0..seeds {
            let mut dealer = Dealer::new(seed);
            let mut position = Position::start(&rules);
            let mut plans = regenerate(&position, 30, &mut extender, &mut evaluator, &mut chances);
            for &card in Deck::seeded(&rules, seed).cards() {
                position = rules.play(&position, Move::Draw(card)).unwrap();
                let turn = Turn::new(&rules, &position);
                for mv in turn.route(dealer.below(turn.len() as u64) as usize) {
                    plans = extender.follow(&plans, &position, mv, keeping, &mut evaluator, &mut chances);
                    position = rules.play(&position, mv).unwrap();
                    let mut last = f64::INFINITY;
                    for plan in &plans {
                        assert!(plan.fits(&rules, &position));
                        let value = fresh.evaluate(&mut plan.clone(), &mut chances);
                        assert_eq!(plan.value(), value);
                        assert!(value > 0.0 && value <= last);
                        last = value;
                    }
                    lists += usize::from(!plans.is_empty());
                    if plans.is_empty() {
                        plans = regenerate(&position, 30, &mut extender, &mut evaluator, &mut chances);
                        assert!(plans.iter().all(|plan| plan.fits(&rules, &position)));
                    }
                }
            }
        }
        assert!(lists > 100);
    }
}

/// A beam keeps its lists between tables, also between games and beside a wider beam; what it finds is what a beam without memory finds.
#[test]
fn a_beam_that_goes_on_finds_what_a_new_one_finds() {
    for rules in [Rules::reduced(7, &[1, 2, 3, 4], 3).unwrap(), Rules::reduced(5, &[1, 2], 2).unwrap()] {
        let mut evaluator = Evaluator::new(&rules).with_tails(true);
        let mut chances = Recursion::new(rules.stacks());
        let mut extender = Extender::default();
        let mut tables = 0;
        for seed in 0..6 {
            let mut dealer = Dealer::new(seed);
            let mut position = Position::start(&rules);
            for &card in Deck::seeded(&rules, seed).cards() {
                position = rules.play(&position, Move::Draw(card)).unwrap();
                let turn = Turn::new(&rules, &position);
                position = turn.position(&rules, &position, dealer.below(turn.len() as u64) as usize);
                // With four widths in turn some lists are forgotten, with two both stay.
                let widths = if seed < 4 { &[20, 5][..] } else { &[20, 5, 3, 8] };
                for &most in widths {
                    let plans = regenerate(&position, most, &mut extender, &mut evaluator, &mut chances);
                    let mut fresh = Evaluator::new(&rules).with_tails(true);
                    let again =
                        regenerate(&position, most, &mut Extender::default(), &mut fresh, &mut chances);
                    let shown = |plans: &[Plan]| format!("{plans:?}");
                    assert_eq!(shown(&plans), shown(&again));
                    assert!(plans.iter().all(|plan| plan.fits(&rules, &position)));
                    tables += usize::from(!plans.is_empty());
                }
            }
        }
        assert!(tables > 50);
    }
}

/// A batch that is given up leaves nothing behind: states that it would have asked for are asked for again.
#[test]
fn a_batch_that_is_not_finished_changes_no_value() {
    let (rules, position) = notation::read("7:1,2,3,4:A234/5/6/7").unwrap();
    let mut chances = Recursion::new(rules.stacks());
    let mut evaluator = Evaluator::new(&rules);
    let plans = regenerate(&position, 50, &mut Extender::default(), &mut evaluator, &mut chances);
    assert!(plans.len() > 3);
    let mut given_up = Evaluator::new(&rules);
    given_up.begin();
    plans.iter().for_each(|plan| {
        given_up.submit(plan, None);
    });
    for plan in plans.iter().rev() {
        assert_eq!(given_up.evaluate(&mut plan.clone(), &mut chances), plan.value());
    }
    given_up.begin();
    let jobs: Vec<usize> = plans.iter().chain(&plans).map(|plan| given_up.submit(plan, None)).collect();
    given_up.finish(&mut chances);
    for (job, plan) in jobs.into_iter().zip(plans.iter().chain(&plans)) {
        assert_eq!(given_up.value(job), plan.value());
    }
}

/// With two foundations the product formula is one exact chance: the best plan of a beam that is wide enough and the largest
/// value by trying all labels agree.
#[test]
fn a_wide_beam_finds_the_best_plan() {
    let rules = Rules::reduced(5, &[1, 2], 2).unwrap();
    let mut evaluator = Evaluator::new(&rules);
    let mut chances = Recursion::new(2);
    let mut extender = Extender::default();
    let mut compared = 0;
    for seed in 0..200 {
        let mut dealer = Dealer::new(seed);
        let mut position = Position::start(&rules);
        for &card in &Deck::seeded(&rules, seed).cards()[..6] {
            position = rules.play(&position, Move::Draw(card)).unwrap();
            let turn = Turn::new(&rules, &position);
            position = turn.position(&rules, &position, dealer.below(turn.len() as u64) as usize);
        }
        let best = regenerate(&position, 1000, &mut extender, &mut evaluator, &mut chances);
        let all = every_value(&rules, &position, &mut evaluator, &mut chances);
        assert_eq!(best.len(), all.iter().filter(|&&value| value > 0.0).count());
        let most = all.into_iter().fold(0.0, f64::max);
        assert_eq!(best.first().map_or(0.0, Plan::value), most);
        compared += usize::from(most > 0.0);
    }
    assert!(compared > 50);
}

fn every_value(
    rules: &Rules,
    position: &Position,
    evaluator: &mut Evaluator,
    chances: &mut Recursion,
) -> Vec<f64> {
    let cards: Vec<(usize, Rank)> = rules
        .all_stacks()
        .flat_map(|stack| position.stack(stack).iter().map(move |&rank| (stack.index(), rank)))
        .collect();
    let mut values = Vec::new();
    for choice in 0..1_u32 << cards.len() {
        let mut labels = vec![Vec::new(); rules.stacks()];
        for (i, &(stack, rank)) in cards.iter().enumerate() {
            let f = (choice >> i & 1) as usize;
            labels[stack].push(Slot::new(f, rules.slot_of(f, rank)));
        }
        if let Ok(mut plan) = Plan::from_labels(position, &labels) {
            values.push(evaluator.evaluate(&mut plan, chances));
        }
    }
    values
}

/// Cards that no stack takes must be drawn in their order, after all that leaves before them.
#[test]
fn a_tail_is_worth_the_chance_that_it_comes_in_time() {
    let (rules, position) = notation::read("5:1:A/2").unwrap();
    let labels = [vec![Slot::new(0, 1)]];
    let mut plan = Plan::from_labels(&position, &labels).unwrap();
    let mut chances = Recursion::new(1);
    assert_eq!(Evaluator::new(&rules).evaluate(&mut plan, &mut chances), 0.0);
    // 3 after the ace, 4 after both, 5 after all three.
    let value = Evaluator::new(&rules).with_tails(true).evaluate(&mut plan, &mut chances);
    assert!((value - 1.0 / 24.0).abs() < 1e-12);
    // A plan is one way to win, so it cannot be worth more than best play.
    assert!(value <= calculation::search::endgame::Endgame::new(&rules).chance(&position));
}

/// Three kings, each forbidden on one stack only: every pair of foundations is fine, all three together are lost.
#[test]
fn last_cards_together_show_what_pairs_do_not() {
    let (rules, position) = notation::read("J9-5/9/J/Q").unwrap();
    let label = |f: usize, rank: char| Slot::new(f, rules.slot_of(f, Rank::from_char(rank).unwrap()));
    let labels = [vec![label(3, '9')], vec![label(1, 'J')], vec![label(0, 'Q')]];
    let mut plan = Plan::from_labels(&position, &labels).unwrap();
    let mut chances = Recursion::new(3);
    assert!(Evaluator::new(&rules).evaluate(&mut plan, &mut chances) > 0.2);
    assert_eq!(Evaluator::new(&rules).with_joint(1).evaluate(&mut plan, &mut chances), 0.0);
}

/// Where every foundation has at most two cards waiting, the corrected formula is the exact chance.
#[test]
fn corrected_by_all_its_cards_the_formula_is_exact() {
    use calculation::theory::poset::{Games, Poset};
    let mut dealer = Dealer::new(11);
    let (mut compared, mut wrong_without) = (0, 0);
    for stacks in [2, 3] {
        let rules = Rules::reduced(7, &[1, 2, 3], stacks).unwrap();
        let mut plain = Evaluator::new(&rules);
        let mut corrected = Evaluator::new(&rules).with_joint(2);
        let (mut chances, mut games) = (Recursion::new(stacks), Games::default());
        for _ in 0..12_000 {
            let heads = [0, 1, 2].map(|_| dealer.below(4) as usize + 1);
            let mut labels = vec![Vec::new(); stacks];
            let mut unseen = Vec::new();
            for (f, &head) in heads.iter().enumerate() {
                for index in head..rules.ranks() {
                    // One in three stays unseen, hence few of each foundation.
                    if dealer.below(3) == 0 {
                        unseen.push(Slot::new(f, index));
                    } else {
                        labels[dealer.below(stacks as u64) as usize].push(Slot::new(f, index));
                    }
                }
            }
            labels.iter_mut().for_each(|pile| {
                (1..pile.len()).for_each(|i| pile.swap(i, dealer.below(i as u64 + 1) as usize));
            });
            let rank = |slot: &Slot| rules.rank_at(slot.foundation(), slot.index());
            let piles = labels.iter().map(|pile| pile.iter().map(rank).collect()).collect();
            let setup = Setup { heads: heads.to_vec(), piles, drawn: None };
            let Ok(position) = setup.validate(&rules) else { continue };
            let Ok(mut plan) = Plan::from_labels(&position, &labels) else { continue };
            let waiting: Vec<Slot> =
                unseen.into_iter().filter(|slot| slot.index() > heads[slot.foundation()]).collect();
            if (0..3).any(|f| waiting.iter().filter(|slot| slot.foundation() == f).count() > 2) {
                continue;
            }
            let before = |y: Slot| {
                (0..waiting.len())
                    .filter(|&x| waiting[x] != y && plan.order().precedes(waiting[x], y))
                    .collect()
            };
            let blocks =
                |pile: &Vec<Slot>, y: Slot| pile.last().is_some_and(|&top| plan.order().precedes(top, y));
            let forbidden = |y: Slot| (0..stacks).filter(|&s| blocks(&labels[s], y)).collect();
            let down: Vec<Vec<usize>> = waiting.iter().map(|&y| before(y)).collect();
            let forbidden: Vec<Vec<usize>> = waiting.iter().map(|&y| forbidden(y)).collect();
            let exact = games.chance(&Poset::new(stacks, &down, &forbidden).unwrap());
            let value = corrected.evaluate(&mut plan, &mut chances);
            assert!((value - exact).abs() < 1e-5, "{value}, exactly {exact}");
            compared += 1;
            wrong_without += u32::from((plain.evaluate(&mut plan, &mut chances) - exact).abs() > 1e-3);
        }
    }
    assert!(compared > 1000 && wrong_without > 10, "{compared} {wrong_without}");
}

/// Estimates of states outside the table lie near the exact chance.
#[test]
fn large_states_outside_the_table_are_estimated_well() {
    use calculation::memo::Memo;
    use calculation::players::source::PairSource;
    use calculation::table::{Size, in_memory};
    use calculation::theory::{Chances, TwoChains};
    let built = in_memory(Size::new(3, 6).unwrap(), &mut kachi_core::Budget::default()).unwrap();
    let mut source = PairSource::new(Memo::on(std::sync::Arc::new(built.table))).working_out(0);
    let mut exact = Recursion::new(3);
    let mut dealer = Dealer::new(3);
    let (mut error, mut count) = (0.0, 0);
    let (mut asked, mut answers) = (Vec::new(), Vec::new());
    for _ in 0..300 {
        let (a, b) = (dealer.between(4, 6) as u8, dealer.between(4, 6) as u8);
        // One or two stacks are restricted from outside, as other foundations do it.
        let cut = |dealer: &mut Dealer, most: u8| {
            if dealer.below(2) == 0 { most } else { dealer.between(2, u64::from(most)) as u8 }
        };
        let (cut_a, cut_b) =
            ([a, cut(&mut dealer, a), cut(&mut dealer, a)], [b, cut(&mut dealer, b), cut(&mut dealer, b)]);
        let state =
            TwoChains::new(&vec![0; usize::from(a)], &vec![0; usize::from(b)], &cut_a, &cut_b).unwrap();
        let (found, expected) = (source.chance(&state), exact.chance(&state));
        assert!(found.is_nan() || (0.0..=1.2).contains(&found));
        asked.push(state);
        answers.push(found.to_bits());
        if !found.is_nan() {
            error += (found / expected).ln().abs();
            count += 1;
        }
    }
    assert!(count > 200, "{count}");
    assert!(error / f64::from(count) < 0.1, "{}", error / f64::from(count));
    // All at once they are what they are one by one.
    let mut found = vec![0.0; asked.len()];
    source.chances(&asked, &mut found);
    assert_eq!(found.into_iter().map(f64::to_bits).collect::<Vec<u64>>(), answers);
}
