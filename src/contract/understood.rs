//! Understands a value that is not of the type that its schema wants, where it can only mean one thing.
//!
//! Some clients send lists and objects as JSON in a string, numbers and flags as strings, and one string in place of a
//! list of strings. What has several meanings stays as it is, and is refused by its reader.

use serde_json::{Value, json};

use crate::text::read_json;

/// Returns a value in the types that a JSON Schema wants, also inside of its lists and objects.
pub(crate) fn understood(schema: &Value, value: Value) -> Value {
    let wanted = SchemaChoices { root: schema, choices: choices(schema, schema) };
    wanted.understood(value)
}

/// What a schema wants of one value: any of its choices.
struct SchemaChoices<'s> {
    /// Has the definitions that its choices refer to.
    root: &'s Value,
    choices: Vec<&'s Value>,
}

impl<'s> SchemaChoices<'s> {
    fn understood(&self, value: Value) -> Value {
        if self.choices.is_empty() {
            return value;
        }
        match self.in_type(value) {
            Value::Array(list) => {
                let items = self.part(|choice| choice.get("items"));
                list.into_iter().map(|item| items.understood(item)).collect()
            }
            Value::Object(object) => {
                let part = |(name, value): (String, Value)| {
                    let wanted = self.part(|choice| choice["properties"].get(&name));
                    (name, wanted.understood(value))
                };
                object.into_iter().map(part).collect()
            }
            value => value,
        }
    }

    fn in_type(&self, value: Value) -> Value {
        match value {
            Value::String(text) => self.of_string(&text).unwrap_or(Value::String(text)),
            Value::Object(_) if self.wants("array") && !self.wants("object") => json!([value]),
            Value::Number(number) if self.wants("integer") => {
                whole(&number).map_or(Value::Number(number), Value::from)
            }
            value => value,
        }
    }

    /// No free text is read as something else; a name that is an object in JSON is no name.
    fn of_string(&self, text: &str) -> Option<Value> {
        match read_json(text.trim()) {
            Ok(list @ Value::Array(_)) if self.wants("array") => Some(list),
            Ok(object @ Value::Object(_)) if self.wants("object") => Some(object),
            _ if self.wants("string") => None,
            Ok(object @ Value::Object(_)) if self.wants("array") => Some(json!([object])),
            Ok(Value::Number(number)) if self.wants("integer") => whole(&number).map(Value::from),
            Ok(number @ Value::Number(_)) if self.wants("number") => Some(number),
            _ if self.wants("boolean") => {
                text.trim().to_ascii_lowercase().parse().ok().map(Value::Bool)
            }
            _ if self.wants("array") && self.part(|choice| choice.get("items")).wants("string") => {
                Some(json!([text]))
            }
            _ => None,
        }
    }

    fn wants(&self, kind: &str) -> bool {
        self.choices.iter().any(|choice| match &choice["type"] {
            Value::String(only) => only == kind,
            Value::Array(all) => all.iter().any(|one| one == kind),
            _ => false,
        })
    }

    fn part(&self, of: impl Fn(&'s Value) -> Option<&'s Value>) -> Self {
        let parts = self.choices.iter().filter_map(|choice| of(choice));
        Self { root: self.root, choices: parts.flat_map(|it| choices(self.root, it)).collect() }
    }
}

/// Returns a schema with all that it refers to, combines or chooses from.
fn choices<'s>(root: &'s Value, schema: &'s Value) -> Vec<&'s Value> {
    let mut found = vec![schema];
    let mut next = 0;
    while let Some(&schema) = found.get(next) {
        next += 1;
        let named = schema["$ref"].as_str().and_then(|name| root.pointer(name.strip_prefix('#')?));
        let parts = ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|name| schema.get(name));
        let parts = parts.filter_map(Value::as_array).flatten().chain(named);
        // A schema may refer to itself.
        let new: Vec<_> =
            parts.filter(|it| !found.iter().any(|old| std::ptr::eq(*old, *it))).collect();
        found.extend(new);
    }
    found
}

/// Returns a number that is whole, also one that is written `5.0`.
fn whole(number: &serde_json::Number) -> Option<i64> {
    let exact = |number: f64| number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0;
    #[expect(clippy::cast_possible_truncation, reason = "it is whole and small")]
    let of_fraction = || number.as_f64().filter(|number| exact(*number)).map(|it| it as i64);
    number.as_i64().or_else(of_fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(schema: &Value, given: Value, expected: Value) {
        assert_eq!(understood(schema, given), expected, "{schema}");
    }

    #[test]
    fn what_can_only_mean_one_thing_is_understood() {
        let texts = json!({"type": "array", "items": {"type": "string"}});
        check(&texts, json!("[\"a\", \"b\"]"), json!(["a", "b"]));
        check(&texts, json!("src/a, b.rs"), json!(["src/a, b.rs"]));
        let numbers = json!({"type": "array", "items": {"type": "number"}});
        check(&numbers, json!("[0.1, 2]"), json!([0.1, 2]));
        let whole = json!({"type": ["integer", "null"]});
        for five in [json!(" 5 "), json!("5.0"), json!(5.0), json!(5)] {
            check(&whole, five, json!(5));
        }
        check(&json!({"type": "number"}), json!("0.5"), json!(0.5));
        let flag = json!({"type": "boolean"});
        check(&flag, json!(" True"), json!(true));
        check(&flag, json!("false"), json!(false));
        check(&json!({"type": "object"}), json!("{\"a\": null}"), json!({"a": null}));
    }

    #[test]
    fn lists_and_objects_are_understood_to_their_last_part() {
        let item = json!({"type": "object", "properties": {"strength": {"type": "number"}}});
        let list = json!({"type": "array", "items": item});
        check(&list, json!({"strength": "0.5"}), json!([{"strength": 0.5}]));
        check(&list, json!("[{\"strength\": \"0.5\"}]"), json!([{"strength": 0.5}]));
        check(&list, json!("[\"{\\\"strength\\\": 1}\"]"), json!([{"strength": 1}]));
    }

    #[test]
    fn what_a_schema_refers_to_or_chooses_from_counts() {
        let owner = json!({"anyOf": [{"type": "string"}, {"$ref": "#/$defs/owner"}], "$defs":
            {"owner": {"type": "object", "properties": {"id": {"type": "string"}, "age": {"type": "integer"}}}}});
        check(&owner, json!("ada"), json!("ada"));
        check(&owner, json!("5"), json!("5"));
        check(&owner, json!("{\"id\": \"ada\", \"age\": \"36\"}"), json!({"id": "ada", "age": 36}));
        let tree = json!({"type": "object", "properties": {"left": {"$ref": "#"}, "n": {"type": "integer"}}});
        check(&tree, json!({"left": "{\"n\": \"1\"}"}), json!({"left": {"n": 1}}));
    }

    #[test]
    fn anything_else_stays_as_it_is() {
        check(&json!({"type": "integer"}), json!("five"), json!("five"));
        check(&json!({"type": "integer"}), json!(5.5), json!(5.5));
        check(&json!({"type": "integer"}), json!(1e300), json!(1e300));
        for word in [json!("yes"), json!("perhaps"), json!("1"), json!(1)] {
            check(&json!({"type": "boolean"}), word.clone(), word);
        }
        check(&json!({"type": "object"}), json!("a"), json!("a"));
        check(
            &json!({"type": "object"}),
            json!("{\"a\": 1, \"a\": 2}"),
            json!("{\"a\": 1, \"a\": 2}"),
        );
        check(&json!({"type": "string"}), json!("[1]"), json!("[1]"));
        check(&json!({"type": "string"}), json!(5), json!(5));
        check(
            &json!({"type": "string", "enum": ["Decision"]}),
            json!("decision"),
            json!("decision"),
        );
        check(&json!({"type": "number"}), json!([1]), json!([1]));
        check(&json!({}), json!("[1]"), json!("[1]"));
    }
}
