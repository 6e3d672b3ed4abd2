//! The JSON Schema of the contract: one document with every request and reply of every game and query, made from the
//! types, and the error reply. Keys are in a fixed order, so equal types give equal bytes.
//!
//! Definitions are named `game.query.request` and `game.query.reply`; types that these use are named behind them. The
//! fields `id`, `game` and `query`, which the contract adds to whatever a game asks for, are part of each definition.

use crate::contract::DEFAULT_QUERY;
use crate::registry::Registry;
use kachi_core::surface::Query;
use serde_json::{Map, Value, json};

/// The dialect of the document.
pub const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The schema of all games of the registry.
pub fn document(registry: Registry<'_>) -> Value {
    let mut definitions = Map::new();
    let (mut requests, mut replies) = (Vec::new(), Vec::new());
    for game in registry.games() {
        let name = game.about().name;
        for query in game.queries() {
            let [request, reply] = ["request", "reply"].map(|side| format!("{name}.{}.{side}", query.name));
            define(&mut definitions, &request, query.request.clone().to_value());
            envelope(&mut definitions, &request, name, &query);
            define(&mut definitions, &reply, query.reply.clone().to_value());
            add_property(&mut definitions, &reply, "id", &id(), false);
            requests.push(reference(&request));
            replies.push(reference(&reply));
        }
    }
    replies.push(reference("error"));
    definitions.insert("error".into(), error_reply());
    definitions.insert("request".into(), json!({"description": "Any request.", "anyOf": requests}));
    definitions.insert("reply".into(), json!({"description": "Any reply.", "anyOf": replies}));
    json!({
        "$schema": DIALECT,
        "title": "kachi: requests and replies",
        "description": "One JSON object a line. Requests are $defs/request, replies $defs/reply; \
            each query has its own pair of definitions, game.query.request and game.query.reply.",
        "$defs": definitions,
        "anyOf": [reference("request"), reference("reply")],
    })
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/$defs/{name}")})
}

/// Adds a type's schema under `name`, and the schemas it refers to under names behind it.
fn define(definitions: &mut Map<String, Value>, name: &str, mut schema: Value) {
    rename_references(&mut schema, name);
    if let Some(object) = schema.as_object_mut() {
        object.remove("$schema");
        if let Some(Value::Object(parts)) = object.remove("$defs") {
            let parts = parts.into_iter().map(|(part, schema)| (format!("{name}.{part}"), schema));
            definitions.extend(parts);
        }
    }
    definitions.insert(name.to_owned(), schema);
}

fn rename_references(schema: &mut Value, name: &str) {
    match schema {
        Value::Object(object) => {
            for (key, value) in object.iter_mut() {
                match value {
                    Value::String(target) if key == "$ref" => {
                        if let Some(part) = target.strip_prefix("#/$defs/") {
                            *target = format!("#/$defs/{name}.{part}");
                        }
                    }
                    value => rename_references(value, name),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| rename_references(item, name)),
        _ => {}
    }
}

/// The fields that the contract itself reads from a request.
fn envelope(definitions: &mut Map<String, Value>, definition: &str, game: &str, query: &Query) {
    let is_default = query.name == DEFAULT_QUERY;
    if let Some(Value::Object(schema)) = definitions.get_mut(definition) {
        schema.entry("description").or_insert_with(|| json!(query.words));
    }
    let asked = if is_default {
        json!({"const": query.name, "default": query.name})
    } else {
        json!({"const": query.name})
    };
    add_property(definitions, definition, "id", &id(), false);
    add_property(definitions, definition, "game", &json!({"const": game}), true);
    add_property(definitions, definition, "query", &asked, !is_default);
}

fn id() -> Value {
    json!({"description": "Copied from the request to the reply."})
}

/// Sets a property of a definition; where it is a choice or refers to others, in each of them.
fn add_property(
    definitions: &mut Map<String, Value>,
    definition: &str,
    name: &str,
    property: &Value,
    required: bool,
) {
    let mut done: Vec<String> = Vec::new();
    let mut open = vec![definition.to_owned()];
    while let Some(next) = open.pop() {
        if let Some(Value::Object(schema)) = definitions.get_mut(&next) {
            set_property(schema, name, property, required, &mut open);
        }
        done.push(next);
        open.retain(|target| !done.contains(target));
    }
}

/// Sets a property of a schema written out here; the names of definitions that stand in its place are added to `others`.
fn set_property(
    schema: &mut Map<String, Value>,
    name: &str,
    property: &Value,
    required: bool,
    others: &mut Vec<String>,
) {
    if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
        others.extend(target.strip_prefix("#/$defs/").map(ToOwned::to_owned));
        return;
    }
    for choice in ["oneOf", "anyOf"] {
        if let Some(Value::Array(branches)) = schema.get_mut(choice) {
            for branch in branches.iter_mut().filter_map(Value::as_object_mut) {
                set_property(branch, name, property, required, others);
            }
            return;
        }
    }
    if let Value::Object(properties) = schema.entry("properties").or_insert_with(|| json!({})) {
        properties.insert(name.to_owned(), property.clone());
    }
    if let Value::Array(names) = schema.entry("required").or_insert_with(|| json!([])) {
        names.retain(|known| known != name);
        if required {
            names.push(json!(name));
        }
    }
}

fn error_reply() -> Value {
    json!({
        "description": "The reply to a request that could not be answered.",
        "type": "object",
        "properties": {
            "id": id(),
            "error": {
                "type": "object",
                "properties": {
                    "code": {"type": "string", "description": "A stable name for programs, in snake case."},
                    "message": {"type": "string", "description": "One sentence for a person."},
                    "at": {"type": "string", "description": "The place in the request, such as hands[1][3]."},
                    "hint": {"type": "string", "description": "What would be right."},
                    "known": {"description": "What was established before a limit was reached."},
                },
                "required": ["code", "message"],
                "additionalProperties": false,
            },
        },
        "required": ["error"],
        "additionalProperties": false,
    })
}
