//! The OpenAPI description of the API, made from the types of the contract.

use crate::api::MOST_REQUESTS;
use crate::app::App;
use kachi::contract::DEFAULT_QUERY;
use serde_json::{Map, Value, json};

/// The whole description.
pub(crate) fn document(app: &App) -> Value {
    let mut schemas = match kachi::schema::document(app.registry) {
        Value::Object(mut document) => document.remove("$defs").unwrap_or_default(),
        _ => Value::default(),
    };
    rebase(&mut schemas);
    let rules = app.lanes.rules();
    let limits = format!(
        "Limits: body {} bytes; {} cards, {} nodes and {} seconds for an answer; {} searches at a time, {} may wait, {} of one address; \
         {MOST_REQUESTS} requests in an array, which share the limits.",
        rules.body,
        rules.limits.cards,
        rules.limits.nodes,
        rules.time.as_secs(),
        rules.searches,
        rules.queue,
        rules.per_client
    );
    let error = |words: &str| {
        json!({
            "description": words,
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/error" } } },
        })
    };
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "kachi",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Exact analysis of Japanese card games: who wins, which moves win, and why.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "paths": {
            "/api/v1/query": {
                "post": {
                    "operationId": "query",
                    "summary": "Answers one request, or an array of requests in order.",
                    "description": limits,
                    "requestBody": {
                        "required": true,
                        "content": { "application/json": {
                            "schema": { "oneOf": [
                                { "$ref": "#/components/schemas/request" },
                                { "type": "array", "maxItems": MOST_REQUESTS, "items": { "$ref": "#/components/schemas/request" } },
                            ] },
                            "examples": examples(app),
                        } },
                    },
                    "responses": {
                        "200": {
                            "description": "The answer, or an array of answers; inside an array each may be an error.",
                            "content": { "application/json": { "schema": { "oneOf": [
                                { "$ref": "#/components/schemas/reply" },
                                { "type": "array", "items": { "$ref": "#/components/schemas/reply" } },
                            ] } } },
                        },
                        "400": error("The request is wrong; the error says where."),
                        "404": error("There is no such game."),
                        "413": error("The request, or the position in it, is too large (limits body, cards)."),
                        "422": error("The answer needs more nodes or seconds than the limit; \"known\" has what was found."),
                        "429": error("Too many searches of this address are under way (limit per_client)."),
                        "500": error("A fault inside kachi."),
                        "503": error("The queue of searches is full (limit queue)."),
                    },
                },
            },
            "/api/v1/openapi.json": { "get": {
                "operationId": "openapi",
                "summary": "This description.",
                "responses": { "200": { "description": "OpenAPI 3.1", "content": { "application/json": {} } } },
            } },
            "/health": { "get": {
                "operationId": "health",
                "summary": "The server lives; how many searches run and wait.",
                "responses": { "200": { "description": "Numbers", "content": { "application/json": {} } } },
            } },
        },
        "components": { "schemas": schemas },
    })
}

/// References inside the schemas, as OpenAPI writes them.
fn rebase(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            for (key, value) in object.iter_mut() {
                match value {
                    Value::String(target) if key == "$ref" => {
                        *target = target.replace("#/$defs/", "#/components/schemas/");
                    }
                    value => rebase(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(rebase),
        _ => {}
    }
}

/// A typical request of every game.
fn examples(app: &App) -> Value {
    let mut examples = Map::new();
    for game in app.registry.games() {
        let request = serde_json::from_str::<Value>(&game.typical_request(0)).unwrap_or_default();
        if !request.is_null() {
            examples.insert(game.about().name.to_owned(), json!({ "value": request }));
        }
    }
    Value::Object(examples)
}

/// The questions of a game for the page: name, words, and the two schemas.
pub(crate) fn queries(app: &App) -> Vec<(&'static str, Vec<kachi::core::surface::Query>)> {
    app.registry.games().iter().map(|game| (game.about().name, game.queries())).collect()
}

/// Is it the question that is meant when none is named?
pub(crate) fn is_default(query: &str) -> bool {
    query == DEFAULT_QUERY
}
