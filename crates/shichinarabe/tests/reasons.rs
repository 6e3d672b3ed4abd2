//! Every reason passes its checker, and tampered ones do not.
#![allow(clippy::unwrap_used)] // Helpers of tests, too, fail by panicking.

use kachi_core::random::Dealer;
use kachi_core::{Budget, Why};
use shichinarabe::analysis::{analyse_deck, analyse_graph, analyse_suits};
use shichinarabe::claims::domains::{Trees, suit_lists, suit_of};
use shichinarabe::contract::random_deck;
use shichinarabe::notation::{read_graph, read_suits};
use shichinarabe::position::{Colour, Graph, GraphSetup, Player, Suits};
use shichinarabe::why::{GraphReason, Kind, SuitsReason, reason_of};

fn suits_reason(text: &str) -> (Suits, SuitsReason) {
    let position = read_suits(text).unwrap();
    let answer = analyse_suits(&position);
    let reason = SuitsReason::new(&position, &answer).with_refutations(&position, &answer);
    (position, reason)
}

fn graph_reason(graph: &Graph) -> GraphReason {
    let budget = &mut Budget::default();
    let answer = analyse_graph(graph, budget).unwrap();
    reason_of(graph, &answer, 5000, budget)
}

#[test]
fn reasons_of_all_small_suit_games_check() {
    for cards in 1..=8 {
        suit_lists(cards, 0, 1, &mut |codes| {
            for mover in Player::BOTH {
                let suits = codes.iter().map(|&code| suit_of(code)).collect();
                let position = Suits::new(suits, mover).unwrap();
                let answer = analyse_suits(&position);
                let reason = SuitsReason::new(&position, &answer).with_refutations(&position, &answer);
                assert_eq!(reason.check(&position), Ok(answer.winner), "{position:?}");
                assert!(!reason.words().is_empty());
            }
        });
    }
}

#[test]
fn tampered_suit_reasons_are_rejected() {
    let (position, reason) = suits_reason("LRLR,LRRL,RL:R");
    assert!(reason.check(&position).is_ok());
    let tampers: [fn(&mut SuitsReason); 12] = [
        |r| r.hands[0] += 1,
        |r| r.mover = r.mover.other(),
        |r| std::mem::swap(&mut r.race, &mut r.keeper),
        |r| r.suits[0].x += 1,
        |r| r.suits[1].value += 1,
        |r| r.suits[1].shape = r.suits[0].shape,
        |r| r.suits[2].price = Some(7),
        |r| r.sum -= 1,
        |r| r.case = 1,
        |r| r.price = r.price.map(|price| price + 1),
        |r| r.margin = None,
        |r| r.winner = r.winner.other(),
    ];
    for (i, tamper) in tampers.iter().enumerate() {
        let mut wrong = reason.clone();
        tamper(&mut wrong);
        assert!(wrong.check(&position).is_err(), "tamper {i}");
    }
    let (losing, mut reason) = suits_reason("LR,RLRL,L,LRR,R,RL:L");
    assert!(!reason.refutations.is_empty());
    reason.refutations[0].1 = 2;
    assert!(reason.check(&losing).is_err(), "an illegal refutation");
}

#[test]
fn reasons_of_all_small_forests_check() {
    let trees = Trees::new(6);
    for vertices in 1..=6 {
        trees.forests(vertices, &mut |forest| {
            for mover in Player::BOTH {
                let graph = trees.graph(forest, mover);
                let reason = graph_reason(&graph);
                let name = shichinarabe::notation::write_graph(&graph);
                assert_eq!(reason.check(&graph), Ok(reason.winner), "{name}");
            }
        });
    }
}

fn random_graph(dealer: &mut Dealer, vertices: u64, rights: u64, passes: u64) -> Graph {
    let mut colours = vec![Colour::White];
    let mut edges = Vec::new();
    for v in 1..=vertices {
        colours.push(if dealer.below(7) == 0 {
            Colour::White
        } else {
            Colour::Held(Player::BOTH[dealer.below(2) as usize])
        });
        edges.push((dealer.below(v) as u32, v as u32));
    }
    for _ in 0..dealer.below(3) {
        let (u, v) = (dealer.below(vertices) as u32, vertices as u32);
        if !edges.contains(&(u, v)) {
            edges.push((u, v));
        }
    }
    colours[1] = Colour::Held(Player::First);
    let mut setup = GraphSetup::plain(colours, edges, Player::BOTH[dealer.below(2) as usize]);
    setup.rights = [dealer.below(rights + 1) as u32, dealer.below(rights + 1) as u32];
    setup.passes = [dealer.below(passes + 1) as u32, dealer.below(passes + 1) as u32];
    Graph::new(setup).unwrap()
}

#[test]
fn reasons_of_random_graphs_check() {
    let mut dealer = Dealer::new(11);
    let mut kinds = [0; 6];
    for round in 0..400 {
        let graph = match round % 3 {
            0 => random_graph(&mut dealer, 9, 0, 0),
            1 => random_graph(&mut dealer, 7, 1, 0),
            _ => random_graph(&mut dealer, 7, 0, 1),
        };
        let reason = graph_reason(&graph);
        let kind = match reason.kind {
            Kind::Over => 0,
            Kind::Free(_) => 1,
            Kind::Suits(..) => 2,
            Kind::Forest(_) => 3,
            Kind::Parts(_) => 4,
            Kind::Search => 5,
        };
        kinds[kind] += 1;
        assert_eq!(
            reason.check(&graph),
            Ok(reason.winner),
            "{}",
            shichinarabe::notation::write_graph(&graph)
        );
    }
    assert!(kinds.iter().all(|&count| count > 0), "every kind of reason occurs: {kinds:?}");
}

#[test]
fn tampered_graph_reasons_are_rejected() {
    let forest = read_graph("RR.B,BRR.BR:R").unwrap();
    let reason = graph_reason(&forest);
    assert!(matches!(reason.kind, Kind::Forest(_)));
    let tamper = |change: &dyn Fn(&mut GraphReason)| {
        let mut wrong = reason.clone();
        change(&mut wrong);
        assert!(wrong.check(&forest).is_err());
    };
    tamper(&|r| r.winner = r.winner.other());
    tamper(&|r| r.value = r.value.map(|value| value + 1));
    tamper(&|r| r.price = r.price.map(|price| price + 1));
    tamper(&|r| r.race.hands[1] += 1);
    tamper(&|r| {
        if let Kind::Forest(forest) = &mut r.kind {
            forest.values[2].1 += 1;
        }
    });
    tamper(&|r| {
        if let Kind::Forest(forest) = &mut r.kind {
            forest.hidden.clear();
            forest.exposed = None;
        }
    });

    let jokers = read_graph("R,BR.BBBR:R:j1-0").unwrap();
    let reason = graph_reason(&jokers);
    let mut wrong = reason.clone();
    let strategy = wrong.strategy.as_mut().unwrap();
    let key = strategy.turns.keys().next().unwrap().clone();
    strategy.turns.remove(&key);
    assert!(wrong.check(&jokers).is_err(), "a gap in the strategy");
    let mut wrong = reason.clone();
    wrong.winner = wrong.winner.other();
    assert!(wrong.check(&jokers).is_err(), "the wrong winner");
    let mut wrong = reason;
    wrong.strategy = None;
    assert!(wrong.check(&jokers).is_err(), "no strategy, no proof");
}

#[test]
fn reasons_of_deals_check() {
    for seed in 0..50 {
        let deck = random_deck(seed, [0; 2], [0; 2], false);
        let budget = &mut Budget::default();
        let answer = analyse_deck(&deck, budget).unwrap();
        let reason = reason_of(&deck.graph(), &answer, 0, budget);
        assert_eq!(reason.check(&deck.graph()), Ok(answer.winner));
    }
}
