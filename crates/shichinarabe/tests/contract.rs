//! Every rejection of the contract, and what the error says; budgets; positions in place of fields.
#![allow(clippy::unwrap_used)] // Helpers of tests, too, fail by panicking.
#![allow(clippy::needless_pass_by_value)] // Requests are written in place.

use kachi_core::surface::Entry;
use kachi_core::{Budget, Error, Limits};
use serde_json::{Value, json};
use shichinarabe::{ENTRY, GRAPH_ENTRY};

fn ask_with(entry: &dyn Entry, request: &Value, limits: Limits) -> Result<Value, Error> {
    let mut out = Vec::new();
    let query = request.get("query").and_then(Value::as_str).unwrap_or("analyze");
    entry.answer(query, &request.to_string(), &mut Budget::new(limits), &mut out)?;
    Ok(serde_json::from_slice(&out).unwrap())
}

fn suits(request: Value) -> Result<Value, Error> {
    ask_with(&ENTRY, &request, Limits::default())
}

fn graph(request: Value) -> Result<Value, Error> {
    ask_with(&GRAPH_ENTRY, &request, Limits::default())
}

fn rejects(reply: Result<Value, Error>, code: &str, place: &str) {
    let error = reply.unwrap_err();
    assert_eq!(error.code, code, "{error:?}");
    assert_eq!(error.at.map(|at| at.to_string()).unwrap_or_default(), place, "{}", error.message);
}

#[test]
fn wrong_suits_are_rejected_with_their_place() {
    rejects(suits(json!({"suits": ["LRL", "RXL"], "to_move": "L"})), "bad_letter", "suits[1][1]");
    rejects(suits(json!({"suits": ["lr"], "to_move": "L"})), "bad_letter", "suits[0][0]");
    rejects(suits(json!({"suits": [], "to_move": "L"})), "no_cards", "suits");
    rejects(suits(json!({"suits": ["", ""], "to_move": "R"})), "no_cards", "suits");
    rejects(suits(json!({"suits": ["LR"], "to_move": "B"})), "bad_value", "to_move");
    rejects(suits(json!({"suits": ["LR"]})), "missing_field", "to_move");
    rejects(suits(json!({"to_move": "L"})), "missing_field", "suits");
    rejects(suits(json!({"suits": ["LR"], "to_move": "L", "rights": {"L": 1}})), "unknown_field", "rights");
    rejects(suits(json!({"suits": [3], "to_move": "L"})), "wrong_type", "suits[0]");
    rejects(suits(json!({"suits": ["LR"], "to_move": "L", "position": "LR:L"})), "bad_value", "position");
    assert_eq!(suits(json!({"query": "oracle"})).unwrap_err().code, "unknown_query");
}

#[test]
fn one_empty_hand_has_won_already() {
    let reply = suits(json!({"id": 7, "game": "shichinarabe", "suits": ["LL", ""], "to_move": "L"})).unwrap();
    assert_eq!((&reply["winner"], &reply["winning_moves"]), (&json!("R"), &json!([])));
    let reply = graph(json!({"vertices": "WB", "edges": [[0, 1]], "to_move": "B"})).unwrap();
    assert_eq!((&reply["winner"], &reply["winning_moves"]), (&json!("R"), &json!([])));
}

#[test]
fn wrong_deals_are_rejected_with_their_place() {
    let deal = |l: Value, r: Value| suits(json!({"deal": {"L": l, "R": r}, "to_move": "L"}));
    rejects(deal(json!(["S8"]), json!(["X9"])), "bad_card", "deal.R[0]");
    rejects(deal(json!(["S8", "S8"]), json!([])), "duplicate_card", "deal.L[1]");
    rejects(deal(json!(["S8"]), json!(["H7"])), "held_seven", "deal.R[0]");
    rejects(deal(json!([]), json!([])), "no_cards", "deal");
    let reply = deal(json!(["S8", "H10"]), json!(["D6"])).unwrap();
    assert_eq!(reply["to_move"], "L");
}

fn tree(extra: &[(&str, Value)]) -> Value {
    let mut request = json!({"vertices": "WRB", "edges": [[0, 1], [1, 2]], "to_move": "R"});
    for (field, value) in extra {
        request[*field] = value.clone();
    }
    request
}

#[test]
fn wrong_graphs_are_rejected_with_their_place() {
    assert!(graph(tree(&[])).is_ok());
    let wrong = |field: &str, value: Value, code: &str, place: &str| {
        rejects(graph(tree(&[(field, value)])), code, place);
    };
    wrong("vertices", json!("WRX"), "bad_letter", "vertices[2]");
    wrong("vertices", json!("WWW"), "no_cards", "vertices");
    wrong("vertices", json!(""), "no_cards", "vertices");
    wrong("to_move", json!("L"), "bad_value", "to_move");
    wrong("edges", json!([[0, 1], [1, 3]]), "bad_vertex", "edges[1][1]");
    wrong("edges", json!([[0, 1], [2, 2]]), "self_loop", "edges[1][0]");
    wrong("edges", json!([[0, 1], [1, 0]]), "duplicate_edge", "edges[1]");
    wrong("edges", json!([[0, -1]]), "bad_value", "edges[0][1]");
    wrong("edges", json!([[0, 1.5]]), "wrong_type", "edges[0][1]");
    wrong("rights", json!({"R": -1}), "bad_value", "rights.R");
    wrong("rights", json!({"L": 1}), "unknown_field", "rights.L");
    wrong("passes", json!({"B": 0.5}), "wrong_type", "passes.B");
    wrong("delete", json!([{"when": 1, "edge": [0, 2]}]), "unknown_edge", "delete[0].edge");
    wrong("delete", json!([{"when": 9, "edge": [0, 1]}]), "bad_vertex", "delete[0].when");
    wrong("add", json!([{"when": 1, "edge": [2, 2]}]), "self_loop", "add[0].edge[0]");
    wrong("colour", json!(1), "unknown_field", "colour");
    wrong("directed", json!("yes"), "wrong_type", "directed");
    assert_eq!(
        graph(json!({"vertices": "WR", "edges": [[0, 1, 2]], "to_move": "R"})).unwrap_err().code,
        "bad_value"
    );
}

#[test]
fn odd_but_legal_graphs_are_accepted() {
    // No white vertex: the mover is stuck.
    let reply = graph(json!({"vertices": "RB", "edges": [[0, 1]], "to_move": "R"})).unwrap();
    assert_eq!(reply["winner"], "B");
    // Deleting an added edge, labels on white vertices, arcs in both directions.
    let reply = graph(json!({"vertices": "WRB", "edges": [[0, 1], [1, 0]], "directed": true, "to_move": "R",
        "add": [{"when": 0, "edge": [0, 2]}], "delete": [{"when": 1, "edge": [0, 2]}]}));
    assert_eq!(reply.unwrap()["winner"], "R");
    // Unreachable vertices.
    let reply = graph(json!({"vertices": "WRBB", "edges": [[0, 1], [0, 2]], "to_move": "B"})).unwrap();
    assert_eq!(reply["winner"], "R");
}

#[test]
fn positions_stand_for_fields() {
    let fields = suits(json!({"suits": ["LRL", "RRL"], "to_move": "L"})).unwrap();
    assert_eq!(suits(json!({"position": "LRL,RRL:L"})).unwrap(), fields);
    let fields = graph(tree(&[("rights", json!({"R": 1}))])).unwrap();
    assert_eq!(graph(json!({"position": "RB:R:j1-0"})).unwrap(), fields);
    rejects(graph(json!({"position": "RX:R"})), "bad_letter", "position[1..2]");
    rejects(suits(json!({"position": "LR?:L"})), "bad_letter", "position[2..3]");
}

#[test]
fn limits_are_reported_with_what_is_known() {
    let small = Limits { cards: 2, ..Limits::default() };
    let reply = ask_with(&ENTRY, &json!({"suits": ["LRL"], "to_move": "L"}), small);
    assert_eq!(reply.unwrap_err().code, "too_large");
    let grid =
        json!({"position": "@WRBRBRBR,RBRRBRBB,BRBBRRBR,RRBRBBRB,BBRBRRBR,RBRRBBRB,BRBBRBRR,RBRBBRRB:R"});
    let error = ask_with(&GRAPH_ENTRY, &grid, Limits { nodes: 20_000, ..Limits::default() }).unwrap_err();
    assert_eq!(error.code, "out_of_budget");
    assert_eq!(error.known.unwrap()["race"], "B");
    let many = format!("W{}", "RB".repeat(80));
    let edges: Vec<[usize; 2]> = (0..=160).map(|v| [v, (v + 1) % 161]).collect();
    let request =
        json!({"vertices": many, "edges": edges, "to_move": "R", "delete": [{"when": 1, "edge": [0, 1]}]});
    assert_eq!(graph(request).unwrap_err().code, "too_large");
}

#[test]
fn random_deals_come_with_their_analysis() {
    let ask = |seed: u64| suits(json!({"query": "deal", "seed": seed, "jokers": {"L": 1, "R": 1}})).unwrap();
    assert_eq!(ask(5), ask(5));
    assert_ne!(ask(5)["position"], ask(6)["position"]);
    let tunnel = suits(json!({"query": "deal", "seed": 5, "tunnel": true})).unwrap();
    assert!(tunnel["position"].as_str().unwrap().ends_with(":t"));
}

#[test]
fn schemas_and_typical_requests_exist() {
    for entry in [&ENTRY as &dyn Entry, &GRAPH_ENTRY] {
        for query in entry.queries() {
            assert!(query.request.to_value().is_object() && query.reply.to_value().is_object());
        }
        for i in 0..50 {
            let request: Value = serde_json::from_str(&entry.typical_request(i)).unwrap();
            ask_with(entry, &request, Limits::default()).unwrap();
        }
        for example in entry.about().examples {
            let board = entry.board(example.position).unwrap();
            assert_eq!(board.notation(), example.position);
            board.report(&mut Budget::default()).unwrap();
        }
    }
}
