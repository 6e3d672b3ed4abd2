//! A validator for the part of JSON Schema that kachi's document uses. A keyword that it does not know is a failure,
//! never something passed over, so the document cannot promise more than is tested here.

use serde_json::{Map, Value};

/// One definition of a schema document.
pub(crate) struct Validator<'d> {
    document: &'d Value,
    schema: &'d Value,
}

/// Keywords that say something to people only.
const REMARKS: [&str; 7] = ["$schema", "$defs", "title", "description", "default", "examples", "format"];

impl<'d> Validator<'d> {
    /// The whole document.
    pub(crate) fn new(document: &'d Value) -> Self {
        Validator { document, schema: document }
    }

    /// One of its definitions.
    pub(crate) fn definition(document: &'d Value, name: &str) -> Self {
        let schema = &document["$defs"][name];
        assert!(schema.is_object(), "{name} is not defined");
        Validator { document, schema }
    }

    pub(crate) fn is_valid(&self, instance: &Value) -> bool {
        self.errors(instance).is_empty()
    }

    /// What is wrong with the instance, each with its place.
    pub(crate) fn errors(&self, instance: &Value) -> Vec<String> {
        let mut errors = Vec::new();
        self.check(self.schema, instance, "", &mut errors);
        errors
    }

    fn fits(&self, schema: &Value, instance: &Value) -> bool {
        let mut errors = Vec::new();
        self.check(schema, instance, "", &mut errors);
        errors.is_empty()
    }

    fn check(&self, schema: &Value, instance: &Value, at: &str, errors: &mut Vec<String>) {
        let object = match schema {
            Value::Bool(true) => return,
            Value::Bool(false) => return errors.push(format!("{at}: nothing is allowed here")),
            Value::Object(object) => object,
            other => panic!("{other} is not a schema"),
        };
        for (keyword, argument) in object {
            let holds = self.keyword(keyword, argument, object, instance, at, errors);
            if !holds {
                errors.push(format!("{at}: {instance} does not fit {keyword} {argument}"));
            }
        }
    }

    /// Does the keyword hold? What is wrong with parts of the instance is added to `errors`.
    fn keyword(
        &self,
        keyword: &str,
        argument: &Value,
        schema: &Map<String, Value>,
        instance: &Value,
        at: &str,
        errors: &mut Vec<String>,
    ) -> bool {
        let list = || argument.as_array().expect("a list");
        match keyword {
            _ if REMARKS.contains(&keyword) => true,
            "$ref" => {
                let name = argument.as_str().and_then(|target| target.strip_prefix("#/$defs/"));
                let target = &self.document["$defs"][name.expect("a reference into this document")];
                assert!(target.is_object() || target.is_boolean(), "{argument} leads nowhere");
                self.check(target, instance, at, errors);
                true
            }
            "const" => instance == argument,
            "enum" => list().contains(instance),
            "type" => match argument {
                Value::Array(names) => names.iter().any(|name| is_a(instance, name)),
                name => is_a(instance, name),
            },
            "anyOf" => list().iter().any(|schema| self.fits(schema, instance)),
            "oneOf" => list().iter().filter(|schema| self.fits(schema, instance)).count() == 1,
            "allOf" => list().iter().all(|schema| self.fits(schema, instance)),
            "minimum" => instance.as_f64() >= argument.as_f64() || !instance.is_number(),
            "maximum" => instance.as_f64() <= argument.as_f64() || !instance.is_number(),
            "minItems" => instance
                .as_array()
                .is_none_or(|items| items.len() as u64 >= argument.as_u64().expect("a number")),
            "maxItems" => instance
                .as_array()
                .is_none_or(|items| items.len() as u64 <= argument.as_u64().expect("a number")),
            "uniqueItems" => instance
                .as_array()
                .is_none_or(|items| (1..items.len()).all(|i| !items[..i].contains(&items[i]))),
            "minLength" => instance
                .as_str()
                .is_none_or(|text| text.chars().count() as u64 >= argument.as_u64().expect("a number")),
            "maxLength" => instance
                .as_str()
                .is_none_or(|text| text.chars().count() as u64 <= argument.as_u64().expect("a number")),
            "pattern" => {
                let pattern =
                    regex_lite::Regex::new(argument.as_str().expect("a pattern")).expect("a right pattern");
                instance.as_str().is_none_or(|text| pattern.is_match(text))
            }
            "prefixItems" => {
                for (i, (item, schema)) in instance.as_array().into_iter().flatten().zip(list()).enumerate() {
                    self.check(schema, item, &format!("{at}[{i}]"), errors);
                }
                true
            }
            "items" => {
                let before = schema.get("prefixItems").and_then(Value::as_array).map_or(0, Vec::len);
                for (i, item) in instance.as_array().into_iter().flatten().enumerate().skip(before) {
                    self.check(argument, item, &format!("{at}[{i}]"), errors);
                }
                true
            }
            "required" => instance.as_object().is_none_or(|fields| {
                list().iter().all(|name| fields.contains_key(name.as_str().expect("a name")))
            }),
            "properties" => {
                for (name, schema) in argument.as_object().expect("properties") {
                    if let Some(field) = instance.get(name) {
                        self.check(schema, field, &format!("{at}.{name}"), errors);
                    }
                }
                true
            }
            "additionalProperties" => {
                let known =
                    |name: &String| schema.get("properties").is_some_and(|known| known.get(name).is_some());
                for (name, field) in
                    instance.as_object().into_iter().flatten().filter(|(name, _)| !known(name))
                {
                    self.check(argument, field, &format!("{at}.{name}"), errors);
                }
                true
            }
            unknown => panic!("the validator does not know the keyword {unknown}"),
        }
    }
}

fn is_a(instance: &Value, name: &Value) -> bool {
    match name.as_str().expect("a type's name") {
        "null" => instance.is_null(),
        "boolean" => instance.is_boolean(),
        "integer" => {
            instance.is_i64() || instance.is_u64() || instance.as_f64().is_some_and(|x| x.fract() == 0.0)
        }
        "number" => instance.is_number(),
        "string" => instance.is_string(),
        "array" => instance.is_array(),
        "object" => instance.is_object(),
        other => panic!("{other} is no type"),
    }
}
