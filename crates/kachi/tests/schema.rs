//! The schema document against the real replies: what kachi says is what it promises.
#![allow(clippy::unwrap_used, reason = "an unwrap in a test is an assertion")]

mod toy;
mod validator;
mod vector_files;

use kachi::contract::{Allowance, Contract};
use kachi::core::surface::Entry;
use kachi::registry::{Registry, games};
use kachi::schema::document;
use serde_json::{Value, json};
use validator::Validator;
use vector_files::vectors;

fn assert_valid(validator: &Validator<'_>, what: &str, instance: &Value) {
    let errors = validator.errors(instance);
    assert!(errors.is_empty(), "{what}: {instance}\n{}", errors.join("\n"));
}

fn ask(contract: &Contract<'_>, request: &Value) -> Value {
    let mut out = Vec::new();
    contract.answer(request.to_string().as_bytes(), &mut out);
    serde_json::from_slice(&out).unwrap()
}

#[test]
fn toy_requests_and_replies_fit_their_definitions() {
    let games: [&dyn Entry; 1] = [&toy::TAKE];
    let registry = Registry::new(&games);
    let document = document(registry);
    let contract = Contract::new(registry, Allowance::default());
    for query in ["analyze", "table"] {
        for id in [None, Some(json!(null)), Some(json!([1, "x"]))] {
            let mut request = json!({"game": "take", "query": query, "heap": 17});
            if let Some(id) = id {
                request["id"] = id;
            }
            let reply = ask(&contract, &request);
            assert_valid(
                &Validator::definition(&document, &format!("take.{query}.request")),
                "request",
                &request,
            );
            assert_valid(&Validator::definition(&document, &format!("take.{query}.reply")), "reply", &reply);
            assert_valid(&Validator::new(&document), "document", &reply);
        }
    }
}

#[test]
fn what_the_contract_refuses_is_refused_by_the_schema() {
    let games: [&dyn Entry; 1] = [&toy::TAKE];
    let registry = Registry::new(&games);
    let document = document(registry);
    let contract = Contract::new(registry, Allowance::default());
    let requests = Validator::definition(&document, "request");
    let error = Validator::definition(&document, "error");
    for request in [
        json!({}),
        json!({"heap": 3}),
        json!({"game": "tako", "heap": 3}),
        json!({"game": "take", "query": "nothing", "heap": 3}),
        json!({"game": "take", "heap": "3"}),
        json!({"game": "take", "heap": -3}),
        json!({"game": "take", "heap": 3, "more": 1}),
        json!([1]),
    ] {
        assert!(!requests.is_valid(&request), "{request}");
        assert_valid(&error, "error", &ask(&contract, &request));
    }
}

#[test]
fn every_query_of_every_game_has_its_two_definitions_and_every_reference_leads_somewhere() {
    let document = document(Registry::default());
    for game in games() {
        for query in game.queries() {
            for side in ["request", "reply"] {
                let name = format!("{}.{}.{side}", game.about().name, query.name);
                assert!(document["$defs"][&name].is_object(), "{name}");
            }
        }
    }
    assert_references(&document, &document);
}

fn assert_references(document: &Value, part: &Value) {
    match part {
        Value::Object(object) => {
            if let Some(Value::String(target)) = object.get("$ref") {
                let name =
                    target.strip_prefix("#/$defs/").unwrap_or_else(|| panic!("{target} leads outside"));
                assert!(!document["$defs"][name].is_null(), "{target} leads nowhere");
            }
            object.values().for_each(|part| assert_references(document, part));
        }
        Value::Array(items) => items.iter().for_each(|part| assert_references(document, part)),
        _ => {}
    }
}

#[test]
fn the_validator_can_refuse() {
    let schema = json!({"$defs": {"n": {"type": "integer", "minimum": 1}}, "type": "object", "additionalProperties": false,
        "required": ["a"], "properties": {"a": {"type": "array", "items": {"$ref": "#/$defs/n"}, "minItems": 1}}});
    let validator = Validator::new(&schema);
    assert!(validator.is_valid(&json!({"a": [1, 2]})));
    for wrong in [
        json!([]),
        json!({}),
        json!({"a": []}),
        json!({"a": [0]}),
        json!({"a": ["1"]}),
        json!({"a": [1], "b": 1}),
    ] {
        assert!(!validator.is_valid(&wrong), "{wrong}");
    }
}

#[test]
fn typical_requests_and_replies_of_every_game_fit() {
    let document = document(Registry::default());
    let contract = Contract::new(Registry::default(), Allowance::default());
    let (requests, replies) =
        (Validator::definition(&document, "request"), Validator::definition(&document, "reply"));
    for game in games() {
        for i in 0..50 {
            let request: Value = serde_json::from_str(&game.typical_request(i)).unwrap();
            let reply = ask(&contract, &request);
            assert!(reply.get("error").is_none(), "{request}: {reply}");
            assert_valid(&requests, game.about().name, &request);
            assert_valid(&replies, game.about().name, &reply);
        }
    }
}

/// Requests that must be answered: one of each query and kind at least, and those of the vectors.
fn requests() -> Vec<Value> {
    let own = include_str!("requests.jsonl").lines().map(|line| serde_json::from_str(line).unwrap());
    let vectors = vectors().into_iter().filter(|vector| vector.get("error").is_none());
    own.chain(vectors.map(|vector| vector["request"].clone())).collect()
}

#[test]
fn every_query_of_every_game_is_asked_and_both_sides_fit_their_definitions() {
    let document = document(Registry::default());
    let contract = Contract::new(Registry::default(), Allowance::default());
    let requests = requests();
    for game in games() {
        let game_name = game.about().name;
        for query in game.queries() {
            let name = format!("{game_name}.{}", query.name);
            let (request_type, reply_type) = (format!("{name}.request"), format!("{name}.reply"));
            let request_type = Validator::definition(&document, &request_type);
            let reply_type = Validator::definition(&document, &reply_type);
            let asks = |request: &&Value| {
                let asked = request.get("query").map_or("analyze", |query| query.as_str().unwrap());
                request["game"] == game_name && asked == query.name
            };
            let asked: Vec<&Value> = requests.iter().filter(asks).collect();
            assert!(!asked.is_empty(), "neither requests.jsonl nor a vector asks {name}");
            for request in asked {
                let reply = ask(&contract, request);
                assert!(reply.get("error").is_none(), "{request}: {reply}");
                assert_valid(&request_type, &name, request);
                assert_valid(&reply_type, &name, &reply);
            }
        }
    }
}

#[test]
fn boards_answer_as_the_contract_promises() {
    let document = document(Registry::default());
    for game in games().iter().filter(|game| game.queries().iter().any(|query| query.name == "analyze")) {
        let replies = Validator::definition(&document, &format!("{}.analyze.reply", game.about().name));
        for example in game.about().examples {
            let board = game.board(example.position).unwrap();
            let answer = board.answer(&mut kachi::core::Budget::default()).unwrap();
            assert_valid(&replies, example.position, &serde_json::from_str(&answer).unwrap());
        }
    }
}

#[test]
fn equal_types_give_equal_bytes() {
    let text = || serde_json::to_string(&document(Registry::default())).unwrap();
    assert_eq!(text(), text());
}
