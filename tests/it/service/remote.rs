//! `mcp --service --url`: the tools of an agent on a server.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::server::{Server, TOKEN};
use crate::mcp::{Agent, Era};
use crate::support::Sandbox;

/// Starts the tools on the server at an address.
pub(super) fn agent_of(address: &str, key: &str) -> (Sandbox, Agent) {
    let mut sandbox = Sandbox::without_git();
    sandbox.set_env("AUTOMEM_API_KEY", key);
    let agent = Agent::with(&sandbox, &["--url", address], Era::Stateless);
    (sandbox, agent)
}

#[test]
fn the_tools_answer_on_a_server_as_on_the_data_of_the_machine() {
    let here = Sandbox::without_git();
    let server = Server::with(&[], &[("AGENT_MEMORY_NOW", &here.session().now.to_string())]);
    let (_sandbox, mut there) = agent_of(&format!("http://{}/", server.address), TOKEN);
    let one = every_mode(&mut Agent::start(&here));
    let other = every_mode(&mut there);
    for (one, other) in one.iter().zip(&other) {
        assert_eq!(masked(one), masked(other));
    }
    assert_eq!(one.len(), other.len());
}

/// Uses every tool in every mode, and returns the results.
fn every_mode(agent: &mut Agent) -> Vec<Value> {
    let id = agent.store("Chose SQLite for the index.", &["am", "am/db"]);
    let other = agent.store("The index is derived.", &["am"]);
    let absent = "00000000-0000-4000-8000-000000000000";
    let calls = [
        ("store_memory", json!({"content": "A typed one.", "type": "Insight", "importance": 0.9})),
        (
            "store_memory",
            json!({"memories": [{"content": "batch a", "tags": ["bt"]}, {"content": "batch b"}]}),
        ),
        (
            "store_memory",
            json!({
                "content": "Chose SQLite with another index.", "supersedes_memory_id": id,
                "supersede_relation": "EVOLVED_INTO", "supersede_reason": "speed",
            }),
        ),
        ("store_memory", json!({"content": "x", "supersedes_memory_id": absent})),
        ("store_memory", json!({"content": "x", "importance": 7, "type": "Context"})),
        ("store_memory", json!({"content": "x".repeat(600)})),
        ("store_memory", json!({"content": "A typed one.", "type": "Insight", "importance": 0.9})),
        (
            "associate_memories",
            json!({"memory1_id": other, "memory2_id": id, "type": "PART_OF", "strength": 0.6, "role": "index"}),
        ),
        (
            "associate_memories",
            json!({"associations": [
                {"memory1_id": id, "memory2_id": other, "type": "RELATES_TO", "strength": 0.6},
                {"memory1_id": id, "memory2_id": absent, "type": "RELATES_TO", "strength": 0.6},
            ]}),
        ),
        ("recall_memory", json!({"query": "SQLite index", "limit": 3})),
        ("recall_memory", json!({"query": "SQLite index", "limit": 3, "format": "detailed"})),
        ("recall_memory", json!({"query": "SQLite index", "limit": 3, "format": "json"})),
        (
            "recall_memory",
            json!({"queries": ["SQLite, the index", "typed"], "tags": ["am"], "expand_relations": true}),
        ),
        ("recall_memory", json!({"query": "SQLite", "offset": 500})),
        ("recall_memory", json!({"memory_id": id})),
        ("recall_memory", json!({"memory_id": absent})),
        ("update_memory", json!({"memory_id": other, "importance": 0.8, "metadata": {"k": "v"}})),
        ("recall_memory", json!({"tags": ["am"], "exhaustive": true, "limit": 1})),
        ("update_memory", json!({"memory_id": "../health", "importance": 0.8})),
        ("delete_memory", json!({"memory_id": other})),
        ("delete_memory", json!({"memory_id": other})),
        ("delete_memory", json!({"tags": ["bt"]})),
        ("check_database_health", json!({})),
    ];
    let call = |(tool, arguments)| {
        if tool == "recall_memory" {
            wait_for_enrichment(agent);
        }
        agent.call(tool, arguments)
    };
    calls.into_iter().map(call).collect()
}

/// Waits until nothing is derived any more, as what is derived counts in a recall.
fn wait_for_enrichment(agent: &mut Agent) {
    let end = Instant::now() + Duration::from_secs(20);
    let pending = |agent: &mut Agent| {
        let health = agent.answer("check_database_health", json!({}));
        health["statistics"]["enrichment"]["pending"].as_u64().unwrap()
    };
    while pending(agent) > 0 {
        assert!(Instant::now() < end, "memories are not enriched");
        std::thread::yield_now();
    }
}

/// Replaces what is different each time: ids, times, durations; and what work behind the answers may have done.
fn masked(result: &Value) -> Value {
    const CHANGING: [&str; 14] = [
        "query_time_ms",
        "created_at",
        "updated_at",
        "last_accessed",
        "timestamp",
        "t_valid",
        "t_invalid",
        "enrichment",
        "entities",
        "derived_tags",
        "summary",
        "score_components",
        "final_score",
        "text",
    ];
    match result {
        Value::Object(object) => object
            .iter()
            .filter(|(name, _)| !CHANGING.contains(&name.as_str()))
            .map(|(name, value)| (name.clone(), masked(value)))
            .collect(),
        Value::Array(list) => list.iter().map(masked).collect(),
        Value::String(text) => {
            let words = text.split(' ').map(|word| match word.matches('-').count() {
                4 => "ID",
                _ => word,
            });
            words.collect::<Vec<_>>().join(" ").into()
        }
        value => value.clone(),
    }
}
