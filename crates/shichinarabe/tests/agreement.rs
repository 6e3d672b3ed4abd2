//! Every fast rule against the slow definition: exhaustively on small positions, at random on larger ones.
#![allow(clippy::unwrap_used)] // Helpers of tests, too, fail by panicking.

use kachi_core::random::Dealer;
use kachi_core::solve::{Outcome, Wins, by_memo};
use kachi_core::{Budget, Game, Seat};
use shichinarabe::analysis::{analyse_deck, analyse_graph, analyse_suits};
use shichinarabe::claims::domains::{Trees, paths, suit_lists, suit_of};
use shichinarabe::position::{Colour, Deck, Graph, GraphSetup, Label, Player, Rank, Suits, Variant};
use shichinarabe::rules::{GraphRules, SuitRules, SuitState, Turn};
use shichinarabe::search::arena::Arena;
use shichinarabe::search::grove::Grove;
use shichinarabe::search::pieces::Pieces;
use shichinarabe::search::turns::Turns;
use shichinarabe::theory::paths::Ends;
use shichinarabe::theory::rooted;
use shichinarabe::theory::shape::Skeleton;

fn wins<G: Game<Ending = Seat>>(game: &G, position: &G::Position, player: Player) -> bool {
    let outcome = by_memo(game, &Wins(player.seat()), position, &mut Budget::default()).unwrap();
    assert_ne!(outcome, Outcome::Endless);
    outcome == Outcome::Forced
}

fn slow_winner(graph: &Graph) -> Player {
    if wins(&GraphRules, graph, Player::First) { Player::First } else { Player::Second }
}

/// Winner and winning turns by the rules alone.
fn slow_answer(graph: &Graph) -> (Player, Vec<Turn>) {
    let winner = slow_winner(graph);
    if GraphRules.ending(graph).is_some() {
        return (winner, vec![]);
    }
    let mover = graph.setup().mover;
    let good = |turn: &Turn| wins(&GraphRules, &GraphRules.play(graph, turn), mover);
    (winner, GraphRules.moves(graph).into_iter().filter(good).collect())
}

fn agrees(graph: &Graph) {
    let answer = analyse_graph(graph, &mut Budget::default()).unwrap();
    assert!(answer.unfinished.is_none());
    assert_eq!(
        (answer.winner, answer.winning),
        slow_answer(graph),
        "{}",
        shichinarabe::notation::write_graph(graph)
    );
}

#[test]
fn suits_up_to_ten_cards() {
    let mut count = 0;
    for cards in 1..=10 {
        suit_lists(cards, 0, 1, &mut |codes| {
            let suits: Vec<_> = codes.iter().map(|&code| suit_of(code)).collect();
            for mover in Player::BOTH {
                let state = SuitState { suits: suits.clone(), mover };
                let answer = analyse_suits(&Suits::new(suits.clone(), mover).unwrap());
                let slow =
                    if wins(&SuitRules, &state, Player::First) { Player::First } else { Player::Second };
                assert_eq!(answer.winner, slow, "{state:?}");
                let good = |&i: &usize| wins(&SuitRules, &SuitRules.play(&state, &i), mover);
                let winning: Vec<usize> = match SuitRules.ending(&state) {
                    Some(_) => vec![],
                    None => SuitRules.moves(&state).into_iter().filter(good).collect(),
                };
                assert_eq!(answer.winning, winning, "{state:?}");
                count += 1;
            }
        });
    }
    // Multisets of binary strings of total length 1 to 10 (OEIS A034899), with either mover.
    let lists: u32 = [2, 7, 20, 59, 162, 449, 1200, 3194, 8348, 21646].iter().sum();
    assert_eq!(count, 2 * lists);
}

#[test]
fn rooted_forests_up_to_eight_vertices() {
    let trees = Trees::new(8);
    for vertices in 1..=8 {
        trees.forests(vertices, &mut |forest| {
            for mover in Player::BOTH {
                let graph = trees.graph(forest, mover);
                let decided = rooted::decide(&Skeleton::new(&graph).forest().unwrap(), mover);
                let (winner, turns) = slow_answer(&graph);
                let name = shichinarabe::notation::write_graph(&graph);
                assert_eq!(decided.schedule.winner, winner, "{name}");
                let slow: Vec<u32> = turns
                    .iter()
                    .map(|turn| match turn.action {
                        shichinarabe::rules::Action::Play(v) => v,
                        shichinarabe::rules::Action::Pass => unreachable!(),
                    })
                    .collect();
                assert_eq!(decided.winning, slow, "{name}");
            }
        });
    }
}

#[test]
fn one_joker_on_forests_up_to_seven_vertices() {
    let trees = Trees::new(7);
    for vertices in 2..=7 {
        trees.forests(vertices, &mut |forest| {
            for (mover, holder) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let (mover, holder) = (Player::BOTH[mover], Player::BOTH[holder]);
                let mut setup = trees.graph(forest, mover).into_setup();
                setup.rights[holder.index()] = 1;
                let graph = Graph::new(setup).unwrap();
                let winner = slow_winner(&graph);
                let budget = &mut Budget::default();
                let shape = Skeleton::new(&graph).forest().unwrap();
                let mut grove = Grove::new(&shape, holder, budget).unwrap();
                let start = grove.start();
                let won = if graph.hands()[holder.index()] == 0 {
                    true
                } else if graph.hands()[holder.other().index()] == 0 {
                    false
                } else if mover == holder {
                    grove.holder_to_move(&start, budget).unwrap()
                } else {
                    grove.other_to_move(&start, budget).unwrap()
                };
                assert_eq!(won, winner == holder, "{}", shichinarabe::notation::write_graph(&graph));
            }
        });
    }
}

fn random_owner(dealer: &mut Dealer) -> Player {
    Player::BOTH[dealer.below(2) as usize]
}

/// A random forest by attaching each vertex to an earlier one (or to the white vertex 0).
fn random_tree(dealer: &mut Dealer, vertices: u64, whites: u64) -> Graph {
    let mut colours = vec![Colour::White];
    let mut edges = Vec::new();
    for v in 1..=vertices {
        colours.push(Colour::Held(random_owner(dealer)));
        edges.push((dealer.below(v) as u32, v as u32));
    }
    for _ in 1..whites {
        let v = dealer.between(1, vertices) as usize;
        colours[v] = Colour::White;
    }
    if colours.iter().all(|&c| c == Colour::White) {
        colours[1] = Colour::Held(Player::First);
    }
    Graph::new(GraphSetup::plain(colours, edges, random_owner(dealer))).unwrap()
}

/// A random graph with cycles, perhaps directed, with labels, rights and passes as asked.
fn random_graph(
    dealer: &mut Dealer,
    vertices: u64,
    adds: u64,
    deletes: u64,
    rights: u64,
    passes: u64,
) -> Graph {
    let mut setup = random_tree(dealer, vertices, dealer.clone().between(1, 3)).into_setup();
    setup.directed = dealer.below(3) == 0;
    let n = setup.colours.len() as u64;
    for _ in 0..dealer.below(4) {
        let edge = (dealer.below(n) as u32, dealer.below(n) as u32);
        let named = |e: (u32, u32)| if setup.directed || e.0 < e.1 { e } else { (e.1, e.0) };
        if edge.0 != edge.1 && !setup.edges.iter().any(|&e| named(e) == named(edge)) {
            setup.edges.push(edge);
        }
    }
    for _ in 0..adds {
        let edge = (dealer.below(n) as u32, dealer.below(n) as u32);
        if edge.0 != edge.1 {
            setup.add.push(Label { when: dealer.below(n) as u32, edge });
        }
    }
    for _ in 0..deletes {
        let edge = setup.edges[dealer.below(setup.edges.len() as u64) as usize];
        setup.delete.push(Label { when: dealer.below(n) as u32, edge });
    }
    for player in 0..2 {
        setup.rights[player] = dealer.below(rights + 1) as u32;
        setup.passes[player] = dealer.below(passes + 1) as u32;
    }
    Graph::new(setup).unwrap()
}

#[test]
fn random_graphs_of_every_kind() {
    let mut dealer = Dealer::new(1);
    for round in 0..1500 {
        let vertices = dealer.between(3, 9);
        let graph = match round % 6 {
            0 => random_graph(&mut dealer, vertices, 0, 0, 0, 0),
            1 => random_graph(&mut dealer, vertices, 2, 0, 0, 0),
            2 => random_graph(&mut dealer, vertices, 1, 2, 0, 0),
            3 => random_graph(&mut dealer, vertices.min(7), 0, 0, 2, 0),
            4 => random_graph(&mut dealer, vertices.min(7), 0, 0, 0, 2),
            _ => random_graph(&mut dealer, vertices.min(6), 1, 1, 1, 1),
        };
        agrees(&graph);
    }
}

#[test]
fn rule_variants_follow_the_rules() {
    let mut dealer = Dealer::new(2);
    for round in 0..300 {
        let mut setup = random_graph(&mut dealer, 6, 0, 0, 2, 1).into_setup();
        setup.variant = Variant { one_right_per_turn: round % 2 == 0, emptying_wins: round % 3 == 0 };
        if setup.colours.contains(&Colour::Held(Player::First))
            && setup.colours.contains(&Colour::Held(Player::Second))
        {
            agrees(&Graph::new(setup).unwrap());
        }
    }
}

#[test]
fn equal_passes_do_not_change_the_winner() {
    let mut dealer = Dealer::new(3);
    for _ in 0..300 {
        let mut setup = random_graph(&mut dealer, 7, 0, 0, 1, 0).into_setup();
        let before = slow_winner(&Graph::new(setup.clone()).unwrap());
        setup.passes = [1, 1];
        let graph = Graph::new(setup).unwrap();
        assert_eq!(slow_winner(&graph), before);
        agrees(&graph);
    }
}

#[test]
fn jokers_on_paths_follow_search() {
    let mut dealer = Dealer::new(4);
    for _ in 0..400 {
        let mut left = dealer.between(4, 9);
        let mut list = Vec::new();
        while left > 0 {
            let length = dealer.between(1, left.min(5));
            left -= length;
            let code = (1 << length) | dealer.below(1 << length) as u32;
            let ends = [Ends::Left, Ends::Left, Ends::Both, Ends::Neither][dealer.below(4) as usize];
            list.push((code, if length == 1 && ends == Ends::Both { Ends::Left } else { ends }));
        }
        let rights = [dealer.below(3) as u32, dealer.below(2) as u32];
        let mut setup = paths(&list, random_owner(&mut dealer)).into_setup();
        setup.rights = rights;
        let graph = Graph::new(setup).unwrap();
        if graph.hands().contains(&0) {
            continue;
        }
        let budget = &mut Budget::default();
        let shape = Skeleton::new(&graph).paths().unwrap();
        let owner = |v: &u32| match graph.setup().colours[*v as usize] {
            Colour::Held(player) => player,
            Colour::White => unreachable!(),
        };
        let shape = shape.into_iter().map(|(ids, ends)| {
            let owners = ids.iter().map(owner).collect();
            (ids, owners, ends)
        });
        let mut pieces = Pieces::new(shape.collect(), true, budget).unwrap();
        let mover = graph.setup().mover;
        let winner = pieces.decide(mover, rights, budget).unwrap();
        let mut winning = Vec::new();
        pieces.winning_turns(mover, rights, budget, &mut |turn| winning.push(turn)).unwrap();
        winning.sort();
        let arena = Arena::<u64>::new(&graph).unwrap();
        let mut turns = Turns::new(&arena, Variant::default());
        let state = turns.state(&graph).unwrap();
        let mut searched = Vec::new();
        turns.winning_turns(state, budget, &mut |turn| searched.push(turn)).unwrap();
        searched.sort();
        let name = shichinarabe::notation::write_graph(&graph);
        assert_eq!(winner, turns.winner(state, budget).unwrap(), "{name}");
        assert_eq!(winning, searched, "{name}");
    }
}

/// A deck of few cards: the outermost ranks stay in the hands, the rest is on the table.
fn small_deck(dealer: &mut Dealer, tunnel: bool) -> Deck {
    let mut owners = [[None; Rank::COUNT]; 4];
    let mut cards = 0;
    while cards == 0 {
        for row in owners.iter_mut().take(2) {
            let (low, high) = (dealer.between(3, 6) as usize, dealer.between(3, 6) as usize);
            for rank in (0..6 - low).chain(7 + high..13) {
                row[rank] = Some(random_owner(dealer));
                cards += 1;
            }
        }
    }
    Deck::new(owners, random_owner(dealer), [0; 2], [0; 2], tunnel).unwrap()
}

#[test]
fn small_tunnel_decks_follow_the_labelled_graph() {
    let mut dealer = Dealer::new(5);
    for _ in 0..300 {
        let deck = small_deck(&mut dealer, true);
        let answer = analyse_deck(&deck, &mut Budget::default()).unwrap();
        assert_eq!((answer.winner, answer.winning), slow_answer(&deck.graph()), "{deck:?}");
    }
}

#[test]
fn small_decks_follow_the_rules() {
    let mut dealer = Dealer::new(6);
    for _ in 0..300 {
        let deck = small_deck(&mut dealer, false);
        let answer = analyse_deck(&deck, &mut Budget::default()).unwrap();
        assert_eq!((answer.winner, answer.winning), slow_answer(&deck.graph()), "{deck:?}");
    }
}

#[test]
fn swapping_the_names_swaps_the_winner() {
    let mut dealer = Dealer::new(7);
    for _ in 0..500 {
        let mut setup = random_graph(&mut dealer, 9, 0, 0, 0, 0).into_setup();
        let winner = |setup: &GraphSetup| {
            analyse_graph(&Graph::new(setup.clone()).unwrap(), &mut Budget::default()).unwrap().winner
        };
        let before = winner(&setup);
        for colour in &mut setup.colours {
            if let Colour::Held(player) = colour {
                *player = player.other();
            }
        }
        setup.mover = setup.mover.other();
        assert_eq!(winner(&setup), before.other());
    }
}

/// Larger forests with one joker: the tables and the pruned search against the search over turns.
#[test]
fn one_joker_on_random_forests_follows_search() {
    let mut dealer = Dealer::new(8);
    for _ in 0..400 {
        let vertices = dealer.between(9, 17);
        let mut setup = random_tree(&mut dealer, vertices, 1).into_setup();
        let holder = random_owner(&mut dealer);
        setup.rights[holder.index()] = 1;
        let graph = Graph::new(setup).unwrap();
        if graph.hands().contains(&0) {
            continue;
        }
        let budget = &mut Budget::default();
        let mut grove = Grove::new(&Skeleton::new(&graph).forest().unwrap(), holder, budget).unwrap();
        let start = grove.start();
        let won = if graph.setup().mover == holder {
            grove.holder_to_move(&start, budget).unwrap()
        } else {
            grove.other_to_move(&start, budget).unwrap()
        };
        let arena = Arena::<u64>::new(&graph).unwrap();
        let mut turns = Turns::new(&arena, Variant::default());
        let state = turns.state(&graph).unwrap();
        let name = shichinarabe::notation::write_graph(&graph);
        assert_eq!(won, turns.winner(state, budget).unwrap() == holder, "{name}");
        // The dispatcher lists the same turns as the search.
        let mut searched = Vec::new();
        turns.winning_turns(state, budget, &mut |turn| searched.push(turn)).unwrap();
        searched.sort();
        let answer = analyse_graph(&graph, budget).unwrap();
        assert_eq!(
            answer.winning,
            if answer.winner == graph.setup().mover { searched } else { vec![] },
            "{name}"
        );
    }
}

/// The rooted rule on larger forests against integer values by search.
#[test]
fn random_forests_follow_integer_values() {
    let mut dealer = Dealer::new(9);
    for _ in 0..2000 {
        let vertices = dealer.between(9, 40);
        let graph = random_tree(&mut dealer, vertices, 1);
        let mover = graph.setup().mover;
        let decided = rooted::decide(&Skeleton::new(&graph).forest().unwrap(), mover);
        let arena = Arena::<u64>::new(&graph).unwrap();
        let mut integers = shichinarabe::search::integers::Integers::new(&arena);
        let budget = &mut Budget::default();
        let name = shichinarabe::notation::write_graph(&graph);
        assert_eq!(
            decided.schedule.winner,
            integers.decide(arena.all(), mover, budget).unwrap().winner,
            "{name}"
        );
        for v in shichinarabe::search::arena::Set::members(arena.open(arena.all(), arena.own[mover.index()]))
        {
            if graph.hands().contains(&0) {
                break;
            }
            let left = arena.all() & !(1 << v);
            let wins = integers.decide(left, mover.other(), budget).unwrap().winner == mover;
            assert_eq!(decided.winning.contains(&arena.ids[v]), wins, "{name} {}", arena.ids[v]);
        }
    }
}

/// Component by component against one search, on graphs that both can hold.
#[test]
fn components_follow_one_search() {
    let mut dealer = Dealer::new(10);
    let mut undecided = 0;
    for _ in 0..600 {
        let (vertices, whites) = (dealer.between(10, 60), dealer.between(2, 8));
        let graph = random_tree(&mut dealer, vertices, whites);
        if graph.hands().contains(&0) {
            continue;
        }
        let budget = &mut Budget::default();
        let whole = analyse_graph(&graph, budget).unwrap();
        match shichinarabe::search::components::decide(&graph, budget) {
            Ok(parts) if parts.unfinished.is_none() => {
                let mut winning = parts.winning;
                winning.sort_unstable();
                let turns: Vec<Turn> =
                    winning.into_iter().map(|v| Turn::plain(shichinarabe::rules::Action::Play(v))).collect();
                assert_eq!((parts.winner, turns), (whole.winner, whole.winning));
            }
            _ => undecided += 1,
        }
    }
    assert!(undecided < 30, "{undecided} of 600 undecided");
}

/// Many small trees side by side: too many cards for one search, decided component by component.
#[test]
fn large_graphs_of_small_components_are_decided() {
    let mut dealer = Dealer::new(12);
    let mut setup = random_tree(&mut dealer, 50, 5).into_setup();
    for _ in 0..200 {
        let next = random_tree(&mut dealer, 50, 5).into_setup();
        let offset = setup.colours.len() as u32;
        setup.colours.extend(next.colours);
        setup.edges.extend(next.edges.iter().map(|&(u, v)| (u + offset, v + offset)));
    }
    let graph = Graph::new(setup).unwrap();
    let answer = analyse_graph(&graph, &mut Budget::default()).unwrap();
    assert_eq!(answer.winner == graph.setup().mover, !answer.winning.is_empty());
}
