//! Moves the fields of a request to the level where they belong: agents mix up those of the request and of an operation.

use serde_json::{Map, Value, json};

type Object = Map<String, Value>;

/// The fields of a request of which an operation has none of its own.
const OF_REQUEST: [&str; 5] = ["intent", "rationale", "confidence", "owner", "dry_run"];

/// Names under which a whole request is sent inside of another object.
const WRAPPERS: [&str; 5] = ["request", "proposal", "arguments", "input", "params"];

/// Returns a request with its fields where they belong, as far as they can only mean one thing. What may have several
/// meanings stays where it is, and its reader refuses it.
pub(super) fn at_their_level(schema: &Value, raw: Value) -> Value {
    let Value::Object(object) = raw else { return raw };
    let mut request = unwrapped(object);
    gather_flat(&mut request, schema);
    if request.get("operations").is_some_and(Value::is_array) {
        lift(&mut request);
        lower(&mut request, schema);
    }
    Value::Object(request)
}

/// Takes the request out of an object that holds nothing else.
fn unwrapped(object: Object) -> Object {
    let mut entries = object.iter();
    match (entries.next(), entries.next()) {
        (Some((name, Value::Object(inner))), None) if WRAPPERS.contains(&name.as_str()) => {
            inner.clone()
        }
        _ => object,
    }
}

/// Makes the one operation of a request that has the fields of both.
fn gather_flat(request: &mut Object, schema: &Value) {
    if request.get("operations").is_some_and(|list| !list.is_null()) {
        return;
    }
    match request.get("operation") {
        Some(Value::Object(_)) => {
            let operation = request.remove("operation").expect("it was found");
            request.insert("operations".to_owned(), json!([operation]));
        }
        kind if matches!(kind, Some(Value::String(_)))
            || (kind.is_none() && is_flat(request, schema)) =>
        {
            let is_own = |name: &String| !schema["properties"][name].is_null();
            let (own, operation): (Object, Object) =
                std::mem::take(request).into_iter().partition(|(name, _)| is_own(name));
            *request = own;
            request.insert("operations".to_owned(), json!([operation]));
        }
        _ => {}
    }
}

/// Tells whether a request has fields that only an operation has: one without `operation` is told that it needs that.
fn is_flat(request: &Object, schema: &Value) -> bool {
    let of_operation = fields_of(None, schema);
    request
        .keys()
        .any(|name| schema["properties"][name].is_null() && of_operation.contains(&name.as_str()))
}

/// Moves up what belongs to the request, if all operations that have it say the same.
fn lift(request: &mut Object) {
    for name in OF_REQUEST {
        let operations = request["operations"].as_array().expect("the caller looked");
        let mut given = operations.iter().filter_map(|operation| operation.get(name));
        let Some(first) = given.next() else { continue };
        let first = first.clone();
        let is_one = given.all(|other| *other == first);
        let is_free = request.get(name).is_none_or(|own| own.is_null() || *own == first);
        if !is_one || !is_free {
            continue;
        }
        let operations = request["operations"].as_array_mut().expect("the caller looked");
        let objects = operations.iter_mut().filter_map(Value::as_object_mut);
        objects.for_each(|operation| drop(operation.remove(name)));
        request.insert(name.to_owned(), first);
    }
}

/// Moves down what belongs to the one operation.
fn lower(request: &mut Object, schema: &Value) {
    let Some([Value::Object(operation)]) = request["operations"].as_array().map(Vec::as_slice)
    else {
        return;
    };
    let known = fields_of(operation.get("operation"), schema);
    let is_misplaced = |name: &&String| {
        schema["properties"][*name].is_null()
            && known.contains(&name.as_str())
            && !operation.contains_key(*name)
    };
    let misplaced: Vec<String> = request.keys().filter(is_misplaced).cloned().collect();
    for name in misplaced {
        let value = request.remove(&name).expect("it is one of its keys");
        request["operations"][0][name] = value;
    }
}

/// Returns the fields that an operation of a kind may have; those of all where there is none.
fn fields_of<'s>(kind: Option<&Value>, schema: &'s Value) -> Vec<&'s str> {
    let operation = &schema["$defs"]["Operation"];
    let kinds = operation["oneOf"].as_array().into_iter().flatten();
    let own =
        kinds.filter(|it| kind.is_none_or(|kind| it["properties"]["operation"]["const"] == *kind));
    let fields = own.chain([operation]).filter_map(|it| it["properties"].as_object());
    fields.flat_map(Map::keys).map(String::as_str).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::request::request_schema;

    #[track_caller]
    fn check(given: Value, expected: Value) {
        let schema = request_schema().to_value();
        assert_eq!(at_their_level(&schema, given), expected);
    }

    fn good() -> Value {
        json!({"intent": "session_log", "rationale": "r", "operations":
            [{"operation": "append_section", "heading": "A", "content": "x"}]})
    }

    #[test]
    fn a_flat_request_has_one_operation() {
        let flat = json!({"intent": "session_log", "rationale": "r", "operation":
            "append_section", "heading": "A", "content": "x"});
        check(flat.clone(), good());
        check(json!({"request": flat}), good());
        let mut named = good();
        let mut list = named["operations"].take();
        named.as_object_mut().expect("an object").remove("operations");
        named["operation"] = list[0].take();
        check(named, good());
    }

    #[test]
    fn what_belongs_to_the_request_moves_up() {
        check(
            json!({"operations": [{"operation": "append_section", "heading": "A",
            "content": "x", "intent": "session_log", "rationale": "r"}]}),
            good(),
        );
        let mut same = good();
        same["operations"][0]["rationale"] = json!("r");
        check(same, good());
        let mut other = good();
        other["operations"][0]["rationale"] = json!("s");
        check(other.clone(), other);
        let differing = json!({"operations": [{"intent": "a"}, {"intent": "b"}]});
        check(differing.clone(), differing);
    }

    #[test]
    fn what_belongs_to_the_one_operation_moves_down() {
        let above = json!({"intent": "session_log", "rationale": "r", "heading": "A", "content": "x",
            "operations": [{"operation": "append_section"}]});
        check(above, good());
        // A reason belongs to a removal, and is no word for the rationale.
        let mut reason = good();
        reason["reason"] = json!("why");
        check(reason.clone(), reason);
        let two = json!({"path": "a.md", "operations": [{"operation": "append_section"},
            {"operation": "append_section"}]});
        check(two.clone(), two);
    }

    #[test]
    fn the_fields_of_an_operation_without_its_kind_are_kept_together() {
        let operation = json!({"heading": "A", "content": "x", "path": "a.md"});
        let expected = json!({"intent": "session_log", "operations": [&operation]});
        let mut flat = operation.clone();
        flat["intent"] = json!("session_log");
        check(flat, expected.clone());
        check(
            json!({"intent": "session_log", "content": "x", "operations":
                [{"heading": "A", "path": "a.md"}]}),
            expected,
        );
        let misspelt = json!({"intent": "session_log", "operatons": [&operation]});
        check(misspelt.clone(), misspelt);
    }

    #[test]
    fn anything_else_stays_as_it_is() {
        for value in [good(), json!([1]), json!("x"), json!({"operations": 5}), json!({"a": {}})] {
            check(value.clone(), value);
        }
    }
}
