//! Every request that the known client makes when all its tools are used in all modes, in its order and with its headers;
//! the fields that it reads are in our answers with the types that it expects.

use serde_json::{Value, json};

use super::server::{Server, TOKEN};

/// The id that the first request brings.
const FIRST: &str = "11111111-1111-4111-8111-111111111111";

/// An id that there is not.
const ABSENT: &str = "00000000-0000-4000-8000-000000000000";

/// One request of the client: with `$2` for the id that the request 2 (from 0) returned.
struct Request {
    method: &'static str,
    path: String,
    body: Value,
    status: u16,
    /// The paths that the client reads, each with the type it expects.
    reads: &'static [(&'static str, Kind)],
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Text,
    Number,
    Flag,
    List,
    Object,
}

use Kind::{Flag, List, Number, Object, Text};

const STORED: &[(&str, Kind)] = &[("/memory_id", Text), ("/status", Text)];
const MEMORY: &[(&str, Kind)] = &[
    ("/memory/id", Text),
    ("/memory/content", Text),
    ("/memory/tags", List),
    ("/memory/importance", Number),
    ("/memory/timestamp", Text),
    ("/memory/updated_at", Text),
    ("/memory/metadata", Object),
    ("/memory/type", Text),
    ("/memory/confidence", Number),
    ("/memory/last_accessed", Text),
];
const RECALLED: &[(&str, Kind)] = &[
    ("/count", Number),
    ("/query", Text),
    ("/sort", Text),
    ("/dedup_removed", Number),
    ("/state_mode", Text),
    ("/vector_search", Object),
    ("/query_time_ms", Number),
    ("/results/0/id", Text),
    ("/results/0/match_type", Text),
    ("/results/0/match_score", Number),
    ("/results/0/final_score", Number),
    ("/results/0/score_components", Object),
    ("/results/0/source", Text),
    ("/results/0/memory/content", Text),
    ("/results/0/memory/tags", List),
    ("/results/0/memory/importance", Number),
    ("/results/0/memory/timestamp", Text),
    ("/results/0/memory/metadata", Object),
    ("/results/0/memory/type", Text),
];
const REFUSED: &[(&str, Kind)] = &[("/message", Text), ("/status", Text), ("/code", Number)];
const ASSOCIATED: &[(&str, Kind)] = &[("/status", Text), ("/message", Text)];

fn request(method: &'static str, path: impl Into<String>, body: Value, status: u16) -> Request {
    let reads = match (status, method) {
        (404, _) => REFUSED,
        (201, _) => STORED,
        _ => &[],
    };
    Request { method, path: path.into(), body, status, reads }
}

impl Request {
    fn reads(self, reads: &'static [(&'static str, Kind)]) -> Self {
        Self { reads, ..self }
    }
}

/// What the tool `store_memory` sends in its three modes.
fn storing() -> Vec<Request> {
    let marks = json!({
        "f": 1, "deprecated": true, "superseded_by": "$5", "supersede_relation": "EVOLVED_INTO",
        "supersede_reason": "speed",
    });
    vec![
        request("POST", "/memory", json!({
            "content": "Keep one file a tenant. It is simple to move.", "type": "Decision",
            "id": FIRST, "tags": ["am", "am/db"], "importance": 0.8, "metadata": {"f": 1},
            "t_valid": "2026-01-01T00:00:00Z",
        }), 201),
        request("POST", "/memory", json!({"content": "The words are a derived index", "tags": ["am"]}), 201),
        request("POST", "/memory/batch", json!({
            "memories": [{"content": "one of two", "tags": ["bt"]}, {"content": "two of two", "tags": ["bt"]}],
        }), 201).reads(&[
            ("/memory_ids", List), ("/stored", Number), ("/qdrant", Text), ("/enrichment", Text),
            ("/query_time_ms", Number),
        ]),
        request("POST", "/memory", json!({"content": "y".repeat(600), "tags": []}), 201),
        request("GET", "/memory/$0", Value::Null, 200).reads(MEMORY),
        request("POST", "/memory", json!({"content": "Keep one file for all tenants", "tags": []}), 201),
        request("PATCH", "/memory/$0", json!({"t_invalid": "2026-11-20T11:47:49.768Z", "metadata": marks}), 200)
            .reads(&[("/memory_id", Text)]),
        request("POST", "/associate", json!({
            "memory1_id": "$0", "memory2_id": "$5", "type": "EVOLVED_INTO", "strength": 0.9,
        }), 201).reads(ASSOCIATED),
    ]
}

/// What the tool `associate_memories` sends.
fn associating() -> Vec<Request> {
    let pair = |to: &str| json!({"memory1_id": "$1", "memory2_id": to, "type": "RELATES_TO", "strength": 0.6});
    vec![
        request("POST", "/associate", json!({
            "memory1_id": "$1", "memory2_id": "$5", "type": "PART_OF", "strength": 0.6, "role": "index",
        }), 201).reads(ASSOCIATED),
        request("POST", "/associate", json!({"associations": [pair("$5"), pair(ABSENT)]}), 207).reads(&[
            ("/status", Text), ("/created_count", Number), ("/failed_count", Number),
            ("/succeeded", List), ("/failed", List), ("/summary", Text),
        ]),
    ]
}

/// What the tool `recall_memory` sends in its three modes.
fn recalling() -> Vec<Request> {
    let vector = vec!["0.1"; 64].join("%2C");
    let all = format!(
        "/recall?query=file&queries=file&queries=index&limit=4&embedding={vector}&time_query=last+30+days\
         &start=2020-01-01T00%3A00%3A00Z&end=2030-01-01T00%3A00%3A00Z&tags=am&exclude_tags=zz&tag_mode=any\
         &tag_match=prefix&expand_relations=true&expand_respect_tags=true&expand_entities=true&auto_decompose=true\
         &expansion_limit=5&relation_limit=3&expand_min_importance=0.1&expand_min_strength=0.1&current_only=true\
         &state_debug=true&state_mode=current&recency_bias=on&scope_fallback=true&min_score=0.05&adaptive_floor=true\
         &context=architecture&language=rust&active_path=src%2Fa.rs&context_tags=am&context_types=Decision\
         &priority_ids=$1&per_query_limit=3&sort=score&offset=1"
    );
    let ranked = ["text", "items", "detailed", "json"].map(|format| {
        let path = format!("/recall?query=derived+index&limit=3&format={format}");
        request("GET", path, Value::Null, 200).reads(RECALLED)
    });
    let mut requests = Vec::from(ranked);
    requests.extend([
        request("GET", "/memory/$0", Value::Null, 200).reads(MEMORY),
        request("GET", format!("/memory/{ABSENT}"), Value::Null, 404),
        request("GET", "/memory/by-tag?tags=bt&limit=1", Value::Null, 200).reads(&[
            ("/memories", List),
            ("/count", Number),
            ("/tags", List),
            ("/limit", Number),
            ("/offset", Number),
            ("/has_more", Flag),
            ("/memories/0/content", Text),
        ]),
        request("GET", all, Value::Null, 200).reads(&[
            ("/count", Number),
            ("/queries", List),
            ("/tags", List),
            ("/exclude_tags", List),
            ("/time_window", Object),
            ("/recency_bias", Text),
            ("/state_filter", Object),
            ("/expansion", Object),
            ("/context_priority", Object),
            ("/tag_scope", Object),
        ]),
    ]);
    requests
}

/// What the other tools send, and the first recall again.
fn the_rest() -> Vec<Request> {
    vec![
        request("PATCH", "/memory/$1", json!({"importance": 0.9, "metadata": {"k": "v"}}), 200)
            .reads(&[("/memory_id", Text)]),
        request("GET", "/health", Value::Null, 200).reads(&[
            ("/status", Text),
            ("/falkordb", Text),
            ("/qdrant", Text),
            ("/graph", Text),
            ("/timestamp", Text),
            ("/memory_count", Number),
            ("/vector_count", Number),
            ("/sync_status", Text),
            ("/enrichment/status", Text),
        ]),
        request("DELETE", "/memory/$1", Value::Null, 200).reads(&[("/memory_id", Text)]),
        request("DELETE", "/memory/$1", Value::Null, 404),
        request("DELETE", "/memory/by-tag?tags=bt", Value::Null, 200)
            .reads(&[("/deleted_count", Number), ("/tags", List)]),
        request("GET", "/recall?query=file&limit=2&tags=am", Value::Null, 200)
            .reads(&[("/results", List)]),
    ]
}

#[test]
fn every_request_of_the_known_client_is_answered_as_it_expects() {
    let server = Server::with(&[], &[("VECTOR_SIZE", "64")]);
    let mut ids: Vec<String> = Vec::new();
    let requests = [storing(), associating(), recalling(), the_rest()];
    for request in requests.into_iter().flatten() {
        let with_ids = |text: &str| {
            let ids = ids.iter().enumerate().rev();
            ids.fold(text.to_owned(), |text, (at, id)| text.replace(&format!("${at}"), id))
        };
        let (path, body) = (with_ids(&request.path), with_ids(&request.body.to_string()));
        let body = Some(body.as_str()).filter(|_| !request.body.is_null());
        let answer = server.send(request.method, &path, &headers(), body);
        assert_eq!(answer.status, request.status, "{} {path}: {}", request.method, answer.text);
        for (field, kind) in request.reads {
            let value = answer.body.pointer(field).unwrap_or(&Value::Null);
            let fits = match kind {
                Text => value.is_string(),
                Number => value.is_number(),
                Flag => value.is_boolean(),
                List => value.is_array(),
                Object => value.is_object(),
            };
            assert!(fits, "{} {path}: `{field}` is no {kind:?}: {}", request.method, answer.text);
        }
        ids.push(answer.body["memory_id"].as_str().unwrap_or(ABSENT).to_owned());
    }
    assert_eq!(ids.len(), 24);
}

/// The headers that the client's runtime sends.
fn headers() -> [(&'static str, &'static str); 6] {
    const BEARER: &str = "Bearer token-of-the-tests";
    assert!(BEARER.ends_with(TOKEN));
    [
        ("Authorization", BEARER),
        ("Content-Type", "application/json"),
        ("accept", "*/*"),
        ("accept-language", "*"),
        ("sec-fetch-mode", "cors"),
        ("user-agent", "node"),
    ]
}
