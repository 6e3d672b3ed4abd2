//! Properties that no input may break. A fuzzer feeds them bytes (`fuzz/`, with `cargo fuzz run notation`); the committed corpus in `fuzz/corpus` is replayed
//! by `cargo test`, together with a fixed number of mutations of it.
//!
//! | property | bytes | says |
//! |---|---|---|
//! | [`notation`] | a game's number, then text | what is read is printed and read again as the same; errors point inside the text |
//! | [`request`] | one line | every line gets one JSON object as reply, never a fault inside kachi |
//! | [`moves`] | a game's number, a seed, choices | any play from any deal: listed moves are accepted, others refused, and the verdict never contradicts itself |
//! | [`tanhinmin_decide`] | a small position | theory, reason and slow search agree |
//! | [`graph_decide`] | a small graph | theory and slow search agree, with jokers, passes and changing edges |
//! | [`house_rules`] | TOML text | rules that are accepted are written and read again as the same |
//! | [`campaign`] | TOML text | a campaign that is read is written and read again as the same; opened, it becomes work or an error at a place |
//! | [`hosts`] | a file of hosts | what is read has as many processes as lines that say something |

use kachi::contract::{Allowance, Contract};
use kachi::core::game::Game;
use kachi::core::solve::{Outcome, Wins, by_attractor, by_memo};
use kachi::core::surface::Entry;
use kachi::core::{Budget, Error, Limits, Place, Seat};
use kachi::registry::{Registry, games};
use kachi::{hana, shichinarabe, tanhinmin};
use kachi_lab::campaign::{Campaign, Ground};
use kachi_lab::cluster::Hosts;
use std::sync::LazyLock;

/// A property by its name.
pub struct Property {
    /// The name of the fuzz target and of its corpus folder.
    pub name: &'static str,
    /// Panics if the bytes break it.
    pub holds: fn(&[u8]),
    /// How many mutations of each corpus file a plain test tries: many where they are quick, few where they play whole games.
    pub mutations: u64,
}

/// All properties.
pub const PROPERTIES: &[Property] = &[
    Property { name: "notation", holds: notation, mutations: 200 },
    Property { name: "request", holds: request, mutations: 40 },
    Property { name: "moves", holds: moves, mutations: 4 },
    Property { name: "tanhinmin_decide", holds: tanhinmin_decide, mutations: 200 },
    Property { name: "graph_decide", holds: graph_decide, mutations: 50 },
    Property { name: "house_rules", holds: house_rules, mutations: 200 },
    Property { name: "campaign", holds: campaign, mutations: 100 },
    Property { name: "hosts", holds: hosts, mutations: 200 },
];

/// Limits under which every question is quick.
fn small_limits() -> Limits {
    Limits { cards: 2_000, nodes: 200_000, bytes: 16 << 20 }
}

/// The game that the first byte chooses, and the other bytes.
fn choose(data: &[u8]) -> Option<(&'static dyn Entry, &[u8])> {
    let (&first, rest) = data.split_first()?;
    Some((games()[usize::from(first) % games().len()], rest))
}

/// Reading, printing and reading again gives the same; a refusal has a message and a place inside the text.
pub fn notation(data: &[u8]) {
    let Some((game, rest)) = choose(data) else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    match game.board(text) {
        Ok(board) => {
            let printed = board.notation();
            let again = game
                .board(&printed)
                .unwrap_or_else(|error| panic!("{printed:?} is printed but refused: {error}"));
            assert_eq!(again.notation(), printed, "printing is stable");
            let url_safe = |c: char| c.is_ascii_alphanumeric() || ",/@:-._~".contains(c);
            assert!(printed.chars().all(url_safe), "{printed:?} needs escaping in a URL");
        }
        Err(error) => {
            assert!(!error.message.is_empty());
            if let Some(Place::Text(range)) = error.at {
                assert!(text.get(range.clone()).is_some(), "{range:?} is not a place in {text:?}");
            }
        }
    }
}

/// Every line gets a JSON object as reply, and never a fault inside kachi.
pub fn request(data: &[u8]) {
    static CONTRACT: LazyLock<Contract<'static>> = LazyLock::new(|| {
        let allowance = Allowance { limits: small_limits(), ..Allowance::default() };
        Contract::new(Registry::default(), allowance)
    });
    let mut out = Vec::new();
    CONTRACT.answer(data, &mut out);
    let reply: serde_json::Value = serde_json::from_slice(&out)
        .unwrap_or_else(|error| panic!("the reply is not JSON: {error}: {}", String::from_utf8_lossy(&out)));
    assert!(reply.is_object());
    assert_ne!(reply["error"]["code"], "internal_error", "{reply}");
}

/// A play from a deal: every listed move is accepted, and a winner who follows the engine keeps his win.
pub fn moves(data: &[u8]) {
    let Some((game, rest)) = choose(data) else { return };
    let Some((&seed, choices)) = rest.split_first() else { return };
    let mut board = game.deal(u64::from(seed));
    for &choice in choices.iter().take(200) {
        if board.ended().is_some() {
            assert!(board.mover().is_none(), "nobody moves after the end");
            return;
        }
        let chances = board.chances();
        if !chances.is_empty() {
            assert!(board.mover().is_none() && chances.iter().all(|chance| chance.weight > 0));
            let chance = &chances[usize::from(choice) % chances.len()];
            board = board.play(&chance.mv).unwrap_or_else(|error| {
                panic!("{} offers {} but refuses it: {error}", board.notation(), chance.mv)
            });
            continue;
        }
        // A position that is too hard for the small budget is no failure.
        let Ok(report) = board.report(&mut Budget::new(small_limits())) else { return };
        assert!(!report.moves.is_empty(), "{} has a mover but no move", board.notation());
        assert!(report.best.is_none_or(|best| best < report.moves.len()));
        assert_eq!(report.standing.len(), board.seats().len());
        assert!(board.play("no such move").is_err());
        let line = &report.moves[usize::from(choice) % report.moves.len()];
        board = board
            .play(&line.mv)
            .unwrap_or_else(|error| panic!("{} lists {} but refuses it: {error}", board.notation(), line.mv));
    }
}

/// Theory, reason and slow search agree on a small position of tanhinmin.
pub fn tanhinmin_decide(data: &[u8]) {
    use tanhinmin::rules::Stage;
    use tanhinmin::theory::{Player, decide, winning_moves};
    let Some(position) = small_tanhinmin(data) else { return };
    let root = Stage::Turn(Seat::FIRST, position.clone());
    let roots = std::slice::from_ref(&root);
    let Ok(truth) =
        by_attractor(&tanhinmin::Tanhinmin, &Wins(Seat::FIRST), roots, &mut Budget::new(small_limits()))
    else {
        return;
    };
    let mut budget = Budget::default();
    let decision = decide(&position, &mut budget).expect("small positions fit the budget");
    assert_eq!(decision.winner == Player::Mover, truth.outcome(&root) == Some(Outcome::Forced), "{position}");
    let winning = winning_moves(&position, &mut budget).expect("small positions fit the budget");
    for mv in position.legal_moves() {
        let next = tanhinmin::Tanhinmin.play(&root, &mv);
        let wins = next == Stage::Over(Seat::FIRST) || truth.outcome(&next) == Some(Outcome::Forced);
        assert_eq!(wins, winning.contains(&mv), "{position}: {mv}");
    }
    let reason = tanhinmin::why::why(&position, &mut budget).expect("small positions fit the budget");
    assert_eq!(tanhinmin::why::check(&position, &reason), Ok(decision.winner), "{position}");
}

/// At most nine cards of at most seven faces: a table byte, a goals byte, then a byte a card.
fn small_tanhinmin(data: &[u8]) -> Option<tanhinmin::Position> {
    let (&[table, goals], cards) = data.split_first_chunk::<2>()?;
    let mut sides = [String::new(), String::new()];
    for &card in cards.iter().take(9) {
        let side = &mut sides[usize::from(card >> 7)];
        let mark = if card >> 6 & 1 == 1 { "c" } else { "" };
        side.push_str(&format!("{mark}{},", 1 + card % 7));
    }
    let table = if table % 9 == 8 { "cut".to_owned() } else { (table % 9).to_string() };
    let [mover, other] = sides;
    format!("{mover}:{}/{other}:{}@{table}", goals % 3, goals / 3 % 3).parse().ok()
}

/// The dispatcher and plain search agree on a small graph: vertices, arcs, labels, rights and passes from the bytes.
pub fn graph_decide(data: &[u8]) {
    use shichinarabe::analysis::analyse_graph;
    use shichinarabe::rules::GraphRules;
    let Some(graph) = small_graph(data).and_then(|text| shichinarabe::notation::read_graph(&text).ok())
    else {
        return;
    };
    let red = Wins(Seat::FIRST);
    let Ok(truth) = by_memo(&GraphRules, &red, &graph, &mut Budget::new(small_limits())) else { return };
    let answer = analyse_graph(&graph, &mut Budget::default()).expect("small graphs fit the budget");
    let text = shichinarabe::notation::write_graph(&graph);
    assert_eq!(answer.winner.seat() == Seat::FIRST, truth == Outcome::Forced, "{text}");
    let turns: Vec<_> = if graph.hands().contains(&0) { Vec::new() } else { GraphRules.moves(&graph) };
    for turn in turns {
        let after = GraphRules.play(&graph, &turn);
        let Ok(after) = by_memo(&GraphRules, &red, &after, &mut Budget::new(small_limits())) else { return };
        let wins = (after == Outcome::Forced) == (graph.setup().mover.seat() == Seat::FIRST);
        assert_eq!(wins, answer.winning.contains(&turn), "{text}: {turn:?}");
    }
}

/// At most eight vertices in notation: a byte of options, then for each vertex its colour and a parent or neighbour.
fn small_graph(data: &[u8]) -> Option<String> {
    let (&[options, counts], rest) = data.split_first_chunk::<2>()?;
    let vertices: Vec<u8> = rest.iter().copied().take(8).collect();
    let colours: String =
        vertices.iter().map(|byte| ['W', 'R', 'B', 'R', 'B'][usize::from(byte % 5)]).collect();
    let edge = |(v, &byte): (usize, &u8)| {
        let to = usize::from(byte / 5) % vertices.len();
        (to != v && !(to < v && usize::from(vertices[to] / 5) % vertices.len() == v))
            .then(|| format!("{to}-{v}"))
    };
    let edges: Vec<String> = vertices.iter().enumerate().filter_map(edge).collect();
    let mover = if options & 1 == 0 { 'R' } else { 'B' };
    let directed = if options & 2 == 0 { "" } else { ":d" };
    let rights = format!(":j{}-{}", counts & 1, counts >> 1 & 1);
    let passes = format!(":p{}-{}", counts >> 2 & 1, counts >> 3 & 1);
    Some(format!("{colours}/{}:{mover}{rights}{passes}{directed}", edges.join(",")))
}

/// House rules are refused with a message, or accepted, written in full and read again as the same.
pub fn house_rules(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match hana::House::read(text) {
        Ok(house) => {
            let full = house.to_toml();
            assert_eq!(hana::House::read(&full).as_ref(), Ok(&house), "{full}");
            hana::ENTRY.board_by_rules(text, None, 1).map(|_| ()).expect("accepted rules can be played");
        }
        Err(error) => assert!(!error.message.is_empty()),
    }
}

/// A campaign is refused with a message and a place inside the text, or written and read again as the same; what it opens is work that knows its own
/// size, or an error at a field that can be found in the text.
pub fn campaign(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let inside = |error: &Error| {
        assert!(!error.message.is_empty());
        if let Some(Place::Text(range)) = &error.at {
            assert!(text.get(range.clone()).is_some(), "{range:?} is not a place in {text:?}");
        }
    };
    let campaign = match Campaign::read(text) {
        Ok(campaign) => campaign,
        Err(error) => return inside(&error),
    };
    assert_eq!(Campaign::read(&campaign.to_toml()).as_ref(), Ok(&campaign), "{}", campaign.to_toml());
    assert!(campaign.name().chars().all(|c| c.is_ascii_alphanumeric() || c == '-'));
    // Without a folder for tables nothing is written.
    let ground = Ground { games: Registry::default(), tables: None, threads: None };
    match campaign.open(ground) {
        Ok(study) => {
            assert!(study.settings().is_object() && !study.columns().is_empty());
            for line in 0..study.lines() {
                assert!(study.stages(line) == 0 || study.shards(line, 0) <= 1 << 32);
            }
        }
        Err(error) => inside(&campaign.locate(text, error)),
    }
}

/// A file of hosts is refused with a message, or names as many processes as it has lines that say something, each once.
pub fn hosts(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match Hosts::parse(text) {
        Ok(hosts) => {
            assert!((1..=1024).contains(&hosts.processes()));
            assert_eq!(Hosts::parse(&hosts.names().join("\n")).as_ref(), Ok(&hosts));
        }
        Err(error) => assert!(!error.message.is_empty()),
    }
}
