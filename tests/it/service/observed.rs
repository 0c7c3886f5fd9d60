//! Replays what was observed of the server whose clients talk to ours: each key of its answers is in ours, with the same
//! type, and with the same value where ours does not differ on purpose.
//!
//! `fixtures/service/observed.json` has the requests in their order, with texts of our own; in the answers `<string>` and the
//! like stand for any value of that type, and `$7` for the id that the request 7 (from 0) returned. `OBSERVED_PAIRS=FILE`
//! replays another file of that form.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::server::{ADMIN, Server, TOKEN};

/// Where ours differs: the number of the request, the path of the key (`*` for all), and why.
const EXCEPTIONS: &[(usize, &str, &str)] = &[
    (7, "memory_id", "an id that is sent is taken"),
    (19, "*", "an unknown type is refused"),
    (27, "memory.tag", "derived tags stand beside the tags"),
    (31, "memory.tag", "the same"),
    (33, "*", "an importance of 7 is refused"),
    (34, "memory.importance", "it was refused"),
    (50, "count", "without vectors only what has a word of the question is found"),
    (54, "count", "the floor cuts only where half of the answers stay"),
    (54, "score_filter", "the same"),
    (
        55,
        "results.relations.memory.tags",
        "the first answer is another: it was stored in the same moment",
    ),
    (58, "count", "without vectors"),
    (59, "count", "without vectors"),
    (61, "count", "without vectors"),
    (63, "dedup_removed", "without vectors"),
    (63, "results.memory.metadata.reviewed", "the first answer is another"),
    (64, "count", "without vectors"),
    (64, "results", "without vectors"),
    (69, "count", "without vectors"),
    (69, "results.memory.metadata.reviewed", "the first answer is another"),
    (72, "limit", "a page has 50 memories where nothing is said"),
    (75, "analytics.memory_types.Banana", "an unknown type is refused"),
    (75, "analytics.temporal_insights", "the hour is another"),
    (77, "by_type.Banana", "an unknown type is refused"),
    (93, "count", "names are found that the observed server did not list"),
    (101, "count", "without vectors"),
];

/// Keys that differ wherever they stand, and why.
const EVERYWHERE: &[(&str, &str)] = &[
    ("qdrant", "without a model there are no vectors, and none are made up"),
    ("embedding_status", "the same"),
    ("vector_search", "the same"),
    ("match_type", "the same"),
    ("source", "the same"),
    ("metadata.enrichment", "what is derived stands beside the metadata"),
    ("metadata.entities", "the same"),
    ("max_attempts", "a job is tried 5 times"),
    ("Memory", "a type is `Context` where none fits"),
];

#[test]
fn every_observed_answer_has_its_keys_in_ours() {
    let server = Server::with(&["--query-token"], &[("VECTOR_SIZE", "64")]);
    let mut ids: HashMap<String, String> = HashMap::new();
    let mut differences = Vec::new();
    for (number, pair) in pairs().iter().enumerate() {
        let known = replaced(pair, &ids);
        let answer = send(&server, &known);
        learn(number, &answer.body, &mut ids);
        let expected = &replaced(pair, &ids)["response"];
        let mut found = Vec::new();
        if answer.status != known["status"].as_u64().unwrap() as u16 {
            found.push(("*".to_owned(), format!("status {}, {}", answer.status, answer.text)));
        }
        if expected.get("_raw").is_none() {
            compare(expected, &answer.body, "", &mut found);
        }
        found.retain(|(path, _)| !is_exception(number, path));
        let name = &known["name"];
        differences
            .extend(found.iter().map(|(path, why)| format!("{number} {name} {path}: {why}")));
        if [26, 100].contains(&number) {
            server.wait_for_enrichment();
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

fn pairs() -> Vec<Value> {
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/service/observed.json");
    let path = std::env::var("OBSERVED_PAIRS").unwrap_or_else(|_| own.to_owned());
    let pairs: Vec<Value> = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    assert_eq!(pairs.len(), 107, "each pair is replayed");
    pairs
}

fn send(server: &Server, pair: &Value) -> super::server::Answer {
    let (method, path) = (pair["method"].as_str().unwrap(), pair["path"].as_str().unwrap());
    let name = pair["name"].as_str().unwrap();
    let bearer = format!("Bearer {TOKEN}");
    let mut headers = match name {
        "auth: none" | "health no auth" | "auth: query" => Vec::new(),
        "auth: wrong" => vec![("Authorization", "Bearer wrong")],
        "auth: x-api-key" => vec![("X-API-Key", TOKEN)],
        _ => vec![("Authorization", bearer.as_str())],
    };
    let is_refused = ["enrichment reprocess no admin", "entity audit"].contains(&name);
    if !is_refused && !name.starts_with("auth") && name != "health no auth" {
        headers.push(("X-Admin-Token", ADMIN));
    }
    let path = path.replace("test-token", TOKEN);
    let body = match &pair["request"] {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    server.send(method, &path, &headers, body.as_deref())
}

/// Notes the ids that a request returned.
fn learn(number: usize, answer: &Value, ids: &mut HashMap<String, String>) {
    if let Some(id) = answer["memory_id"].as_str() {
        ids.entry(format!("${number}")).or_insert_with(|| id.to_owned());
    }
    for (at, id) in answer["memory_ids"].as_array().into_iter().flatten().enumerate() {
        ids.insert(format!("${number}.{at}"), id.as_str().unwrap().to_owned());
    }
}

/// Puts the ids in, the longest names first.
fn replaced(pair: &Value, ids: &HashMap<String, String>) -> Value {
    let mut text = pair.to_string();
    let mut names: Vec<&String> = ids.keys().collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    for name in names {
        text = text.replace(name.as_str(), &ids[name]);
    }
    serde_json::from_str(&text).unwrap()
}

fn is_exception(number: usize, path: &str) -> bool {
    let is_at = |key: &str| format!(".{path}.").contains(&format!(".{key}."));
    EXCEPTIONS.iter().any(|(of, key, _)| *of == number && (*key == "*" || path.starts_with(key)))
        || EVERYWHERE.iter().any(|(key, _)| is_at(key))
}

fn compare(expected: &Value, got: &Value, path: &str, found: &mut Vec<(String, String)>) {
    let mut differs = |why: String| found.push((path.to_owned(), why));
    match (expected, got) {
        (Value::String(kind), got) if kind.starts_with('<') => {
            let is_kind = match kind.as_str() {
                "<string>" => got.is_string(),
                "<number>" => got.is_number(),
                "<bool>" => got.is_boolean(),
                "<list>" => got.is_array(),
                "<object>" => got.is_object(),
                _ => true,
            };
            if !is_kind {
                differs(format!("expected {kind}, found {got}"));
            }
        }
        (Value::Object(expected), Value::Object(got)) => {
            for (key, value) in expected {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                match got.get(key) {
                    Some(got) => compare(value, got, &path, found),
                    None => found.push((path, "missing".to_owned())),
                }
            }
        }
        (Value::Array(all), Value::Array(got)) if all.first().is_some_and(Value::is_object) => {
            match got.first() {
                Some(got) => compare(&all[0], got, path, found),
                None => differs("it is empty".to_owned()),
            }
        }
        (Value::Number(one), Value::Number(other)) if one.as_f64() == other.as_f64() => {}
        // A type is `Context` where none fits.
        (Value::String(one), Value::String(other)) if one == "Memory" && other == "Context" => {}
        (expected, got) if expected != got => differs(format!("expected {expected}, found {got}")),
        _ => {}
    }
}

#[test]
fn a_difference_is_found() {
    let mut found = Vec::new();
    let expected = json!({"a": "<number>", "b": 1, "c": "x", "d": [{"e": "<string>"}]});
    compare(&expected, &json!({"a": "1", "b": 1.0, "c": "y", "d": []}), "", &mut found);
    let paths: Vec<&str> = found.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["a", "c", "d"]);
}
