//! `mcp --service --url`: the tools of an agent on a server, and what happens when it fails.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::thread::{JoinHandle, spawn};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::server::{Server, TOKEN};
use crate::mcp::{Agent, Era};
use crate::support::Sandbox;

/// Starts the tools on the server at an address.
fn agent_of(address: &str, key: &str) -> (Sandbox, Agent) {
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

#[test]
fn a_request_that_fails_is_sent_again_with_the_same_key() {
    let (address, heard) = answering(&[
        "503 Service Unavailable",
        "201 Created\n{\"memory_id\": \"11111111-1111-4111-8111-111111111111\", \"stored_at\": null}",
    ]);
    let (_sandbox, mut agent) = agent_of(&address, "k");
    let stored = agent.answer("store_memory", json!({"content": "once"}));
    assert_eq!(stored["memory_id"], "11111111-1111-4111-8111-111111111111");
    let heard = heard.join().unwrap();
    let header = |at: usize, name: &str| {
        let lines: Vec<&str> = heard[at].lines().filter(|line| line.starts_with(name)).collect();
        assert_eq!(lines.len(), 1, "{}", heard[at]);
        lines[0].to_owned()
    };
    assert_eq!(heard.len(), 2);
    assert_eq!(header(0, "idempotency-key: "), header(1, "idempotency-key: "));
    assert_eq!(header(1, "authorization: "), "authorization: bearer k");
    assert!(heard[1].starts_with("post /memory "), "{}", heard[1]);
}

#[test]
fn a_refusal_of_the_server_is_told_and_not_sent_again() {
    let (address, heard) = answering(&[
        "409 Conflict\n{\"status\": \"error\", \"code\": 409, \"message\": \"taken\", \"field\": \"id\"}",
    ]);
    let (_sandbox, mut agent) = agent_of(&address, "k");
    let text = agent.refused("store_memory", json!({"content": "once"}));
    assert!(text.contains("taken") && text.contains("field: id"), "{text}");
    assert_eq!(heard.join().unwrap().len(), 1);
}

#[test]
fn what_is_no_memory_service_is_told() {
    for answer in ["200 OK\n<html>", "302 Found", "404 Not Found\n<html>"] {
        let (address, heard) = answering(&[answer]);
        let (_sandbox, mut agent) = agent_of(&address, "k");
        let text = agent.refused("recall_memory", json!({"query": "x"}));
        assert!(text.contains("server_failed") && text.contains(&address), "{text}");
        assert_eq!(heard.join().unwrap().len(), 1);
    }
    let nothing = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", nothing.local_addr().unwrap());
    drop(nothing);
    let (_sandbox, mut agent) = agent_of(&address, "k");
    let health = agent.answer("check_database_health", json!({}));
    assert_eq!(health["status"], "error");
    assert!(health["error"].as_str().unwrap().contains(&address), "{health}");
}

#[test]
fn an_address_that_is_none_is_a_usage_error() {
    let sandbox = Sandbox::without_git();
    for address in ["localhost:8001", "ftp://a", "http://user:pa@host", "http://a?b=c", ""] {
        let reply = sandbox.run(&["mcp", "--service", "--url", address]).expect_code(2);
        assert!(reply.stderr.contains("http://127.0.0.1:8001"), "{}", reply.stderr);
        assert!(!reply.stderr.contains("pa@"), "{}", reply.stderr);
    }
    sandbox.run(&["mcp", "--url", "http://127.0.0.1:1"]).expect_code(2);
    sandbox.run(&["mcp", "--service", "--url", "http://a", "--tenant", "b"]).expect_code(2);
}

/// Starts a server that gives these answers, each a status line and a body, and returns what it was asked.
fn answering(answers: &[&str]) -> (String, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let answers: Vec<String> = answers.iter().map(|answer| (*answer).to_owned()).collect();
    let heard = spawn(move || {
        let exchange = |answer: String| {
            let (mut stream, _) = listener.accept().unwrap();
            let asked = request_of(&mut BufReader::new(&stream));
            let (status, body) = answer.split_once('\n').unwrap_or((&answer, ""));
            let length = body.len();
            let head =
                format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {length}");
            write!(stream, "{head}\r\n\r\n{body}").unwrap();
            asked
        };
        answers.into_iter().map(exchange).collect()
    });
    (address, heard)
}

/// Reads a request: its head in small letters.
fn request_of(reader: &mut impl BufRead) -> String {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(reader.read_line(&mut head).unwrap() > 0, "{head}");
    }
    let head = head.to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let length = length.map_or(0, |length| length.parse().unwrap());
    reader.take(length).read_to_end(&mut Vec::new()).unwrap();
    head
}
