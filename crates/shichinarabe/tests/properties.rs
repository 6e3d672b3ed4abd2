//! Properties of random input: texts never panic, notation round-trips, order and names do not matter.
#![allow(clippy::unwrap_used)] // Helpers of tests, too, fail by panicking.

use kachi_core::surface::Entry;
use kachi_core::{Budget, Limits};
use proptest::prelude::*;
use shichinarabe::analysis::{analyse_graph, analyse_suits};
use shichinarabe::notation::{read_deck, read_graph, read_suits, write_deck, write_graph, write_suits};
use shichinarabe::position::{Colour, Graph, GraphSetup, Label, Player, Suits};
use shichinarabe::theory::suits::{Front, Suffix};
use shichinarabe::theory::table::{Row, scan};
use shichinarabe::{ENTRY, GRAPH_ENTRY};

fn player() -> impl Strategy<Value = Player> {
    prop_oneof![Just(Player::First), Just(Player::Second)]
}

fn colour() -> impl Strategy<Value = Colour> {
    prop_oneof![Just(Colour::White), player().prop_map(Colour::Held), player().prop_map(Colour::Held)]
}

fn graphs() -> impl Strategy<Value = Graph> {
    let vertices = proptest::collection::vec(colour(), 2..9);
    let pairs = || proptest::collection::vec((0u32..9, 0u32..9), 0..10);
    (vertices, pairs(), pairs(), any::<bool>(), player(), [0u32..3, 0u32..2], [0u32..2, 0u32..3])
        .prop_filter_map("a legal graph", |(colours, edges, labels, directed, mover, rights, passes)| {
            let n = colours.len() as u32;
            let mut setup = GraphSetup::plain(colours, vec![], mover);
            (setup.directed, setup.rights, setup.passes) = (directed, rights, passes);
            for (u, v) in edges {
                let seen = |&(a, b): &(u32, u32)| (a, b) == (u % n, v % n) || (b, a) == (u % n, v % n);
                if u % n != v % n && !setup.edges.iter().any(seen) {
                    setup.edges.push((u % n, v % n));
                }
            }
            for (i, (when, pick)) in labels.into_iter().enumerate().take(3) {
                if let Some(&edge) = setup.edges.get(pick as usize) {
                    let label = Label { when: when % n, edge };
                    if i % 2 == 0 { setup.add.push(label) } else { setup.delete.push(label) }
                }
            }
            Graph::new(setup).ok()
        })
}

proptest! {
    #[test]
    fn no_text_panics(text in "[LRWB0-9,/@:.djpaxoet7 -]{0,60}") {
        for entry in [&ENTRY as &dyn Entry, &GRAPH_ENTRY] {
            let limits = Limits { nodes: 2000, ..Limits::default() };
            match entry.board(&text) {
                Ok(board) => {
                    let again = entry.board(&board.notation()).unwrap();
                    prop_assert_eq!(again.notation(), board.notation());
                    let _ = board.report(&mut Budget::new(limits));
                    let _ = board.svg(&mut Budget::new(limits));
                }
                Err(error) => prop_assert!(!error.message.is_empty()),
            }
        }
    }

    #[test]
    fn no_request_panics(text in r#"\{("(suits|vertices|edges|to_move|rights)":("L"|"WRB"|\["LR"\]|\[\[0,1\]\]|\{"R":1\}|3),?){0,4}\}"#) {
        for entry in [&ENTRY as &dyn Entry, &GRAPH_ENTRY] {
            let _ = entry.answer("analyze", &text, &mut Budget::default(), &mut Vec::new());
        }
    }

    #[test]
    fn graphs_round_trip(graph in graphs()) {
        let text = write_graph(&graph);
        prop_assert!(text.chars().all(|c| c.is_ascii_alphanumeric() || ",/@:-.".contains(c)), "{}", text);
        let again = read_graph(&text).unwrap();
        prop_assert_eq!(write_graph(&again), text);
        let (a, b) = (graph.setup(), again.setup());
        prop_assert_eq!((&a.colours, a.mover, a.rights, a.passes), (&b.colours, b.mover, b.rights, b.passes));
        let sorted = |setup: &GraphSetup| {
            let mut edges: Vec<_> = setup.edges.iter()
                .map(|&(u, v)| if setup.directed || u < v { (u, v) } else { (v, u) }).collect();
            edges.sort_unstable();
            edges
        };
        prop_assert_eq!(sorted(a), sorted(b));
    }

    #[test]
    fn numbering_of_vertices_does_not_matter(graph in graphs()) {
        let n = graph.setup().colours.len() as u32;
        let mut setup = graph.setup().clone();
        setup.colours.reverse();
        let turn = |v: &mut u32| *v = n - 1 - *v;
        for edge in &mut setup.edges {
            turn(&mut edge.0);
            turn(&mut edge.1);
        }
        for label in setup.add.iter_mut().chain(&mut setup.delete) {
            turn(&mut label.when);
            turn(&mut label.edge.0);
            turn(&mut label.edge.1);
        }
        let winner = |graph: &Graph| analyse_graph(graph, &mut Budget::default()).unwrap().winner;
        prop_assert_eq!(winner(&graph), winner(&Graph::new(setup).unwrap()));
    }

    #[test]
    fn suits_round_trip_and_order_does_not_matter(
        suits in proptest::collection::vec(proptest::collection::vec(player(), 0..9), 1..9),
        mover in player(),
    ) {
        if let Ok(position) = Suits::new(suits.clone(), mover) {
            prop_assert_eq!(&read_suits(&write_suits(&position)).unwrap(), &position);
            let answer = analyse_suits(&position);
            let mut turned = suits.clone();
            turned.reverse();
            let other = analyse_suits(&Suits::new(turned, mover).unwrap());
            prop_assert_eq!(answer.winner, other.winner);
            prop_assert_eq!(answer.winning.len(), other.winning.len());
            let swapped = suits.iter().map(|suit| suit.iter().map(|owner| owner.other()).collect()).collect();
            let swapped = analyse_suits(&Suits::new(swapped, mover.other()).unwrap());
            prop_assert_eq!((swapped.winner, swapped.winning), (answer.winner.other(), answer.winning));
        }
    }

    #[test]
    fn long_suits_read_the_same_from_both_ends(
        runs in proptest::collection::vec((player(), 1usize..150, any::<bool>()), 1..6),
    ) {
        let mut suit = Vec::new();
        for (owner, count, alternating) in runs {
            let card = |i: usize| if alternating && i % 2 == 1 { owner.other() } else { owner };
            suit.extend((0..count).map(card));
        }
        let (hands, front) = scan(&suit);
        prop_assert_eq!(front, Front::of(&suit));
        prop_assert_eq!(Row::of(&suit).worth(), Suffix::of(&suit).worth);
        let second = suit.iter().filter(|&&owner| owner == Player::Second).count() as u64;
        prop_assert_eq!(hands, [suit.len() as u64 - second, second]);
    }

    #[test]
    fn decks_round_trip(seed in any::<u64>(), rights in [0u32..3, 0u32..3], tunnel in any::<bool>()) {
        let deck = shichinarabe::contract::random_deck(seed, rights, [1, 0], tunnel);
        prop_assert_eq!(read_deck(&write_deck(&deck)).unwrap(), deck);
    }
}
