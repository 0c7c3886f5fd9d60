//! `mcp --service --url`: what happens when the server fails, refuses, or is none.

use std::net::TcpListener;

use serde_json::json;

use super::fake_server::FakeServer;
use super::remote::agent_of;
use crate::support::Sandbox;

const STORED: &str = "201 Created\n{\"memory_id\": \"11111111-1111-4111-8111-111111111111\"}";

const DONE: &str = "200 OK\n{\"status\": \"success\"}";

/// The id of a memory that is superseded.
const OLD: &str = "22222222-2222-4222-8222-222222222222";

#[test]
fn a_request_that_fails_is_sent_again_with_the_same_key() {
    // The second answer breaks off.
    let server = FakeServer::start(&["503 Unavailable", "201 Created\n{\"memory_id\"…", STORED]);
    let (_sandbox, mut agent) = agent_of(&server.address, "k");
    let stored = agent.answer("store_memory", json!({"content": "once"}));
    assert_eq!(stored["memory_id"], "11111111-1111-4111-8111-111111111111");
    let heard = server.heard();
    for asked in &heard {
        assert_eq!(asked.header("idempotency-key"), heard[0].header("idempotency-key"));
        assert_eq!(asked.header("authorization"), "bearer k");
        assert!(asked.head.starts_with("post /memory "), "{}", asked.head);
        assert_eq!(asked.body, json!({"content": "once"}));
    }
}

#[test]
fn a_refusal_of_the_server_is_told_and_not_sent_again() {
    let refusal = "409 Conflict\n{\"status\": \"error\", \"code\": 409, \"message\": \"taken\", \"field\": \"id\"}";
    let server = FakeServer::start(&[refusal]);
    let (_sandbox, mut agent) = agent_of(&server.address, "k");
    let text = agent.refused("store_memory", json!({"content": "once"}));
    assert!(text.contains("taken") && text.contains("field: id"), "{text}");
    assert_eq!(server.heard().len(), 1);
}

#[test]
fn a_supersession_keeps_the_metadata_of_the_old_memory_and_says_what_failed() {
    let known =
        format!("200 OK\n{{\"memory\": {{\"id\": \"{OLD}\", \"metadata\": {{\"f\": 1}}}}}}");
    let failed = "404 Not Found\n{\"status\": \"error\", \"message\": \"Memory not found\"}";
    let server = FakeServer::start(&[&known, STORED, DONE, failed]);
    let (_sandbox, mut agent) = agent_of(&server.address, "k");
    let new = json!({"content": "new", "supersedes_memory_id": OLD});
    let stored = agent.answer("store_memory", new);
    assert_eq!(stored["association_created"], false, "{stored}");
    let metadata = &server.heard()[2].body["metadata"];
    assert_eq!((&metadata["f"], &metadata["deprecated"]), (&json!(1), &json!(true)));
}

#[test]
fn a_new_memory_goes_again_if_the_old_one_cannot_be_marked() {
    let known = format!("200 OK\n{{\"memory\": {{\"id\": \"{OLD}\"}}}}");
    let refused = "400 Bad Request\n{\"status\": \"error\", \"message\": \"no\"}";
    let server = FakeServer::start(&[&known, STORED, refused, DONE]);
    let (_sandbox, mut agent) = agent_of(&server.address, "k");
    agent.refused("store_memory", json!({"content": "new", "supersedes_memory_id": OLD}));
    let heard = server.heard();
    assert!(heard[3].head.starts_with("delete /memory/11111111-"), "{}", heard[3].head);
}

#[test]
fn what_is_no_memory_service_is_told() {
    let other =
        "404 Not Found\n{\"status\": \"error\", \"message\": \"The requested URL was not found\"}";
    for answer in
        ["200 OK\n<html>", "200 OK\n[]", "302 Found", "404 Not Found\n{\"detail\": \"\"}", other]
    {
        let server = FakeServer::start(&[answer]);
        let (_sandbox, mut agent) = agent_of(&server.address, "k");
        let deleted = agent.call("delete_memory", json!({"memory_id": OLD}));
        let text = deleted["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(&server.address) && text.contains("next: "), "{text}");
        assert_eq!(deleted["structuredContent"]["error"], "server_failed");
        assert_eq!(server.heard().len(), 1);
    }
    let server = FakeServer::start(&["200 OK\n{\"status\": \"strange\"}"]);
    let (_sandbox, mut agent) = agent_of(&server.address, "k");
    assert_eq!(agent.answer("check_database_health", json!({}))["status"], "error");
}

#[test]
fn a_server_that_is_not_there_is_told_as_its_health() {
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
    for address in [
        "localhost:8001",
        "ftp://a",
        "http://user:pa@host",
        "http://a?api_key=pa@",
        "http://a#pa@",
        "",
    ] {
        let reply = sandbox.run(&["mcp", "--service", "--url", address]).expect_code(2);
        assert!(reply.stderr.contains("http://127.0.0.1:8001"), "{}", reply.stderr);
        assert!(!reply.stderr.contains("pa@"), "{}", reply.stderr);
    }
    sandbox.run(&["mcp", "--url", "http://127.0.0.1:1"]).expect_code(2);
    sandbox.run(&["mcp", "--service", "--url", "http://a", "--tenant", "b"]).expect_code(2);
}
