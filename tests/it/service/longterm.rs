//! Long-term memories over HTTP, behind the tokens of the service.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::server::{Server, TOKEN};
use crate::longterm::world::{context, context_beside};

fn create(content: &str) -> Value {
    let arguments = json!({"memory_content": content, "memory_scope": "server_wide"});
    json!({"context": context(), "arguments": arguments})
}

fn update(number: u64, content: &str) -> Value {
    let arguments = json!({"memory_id": number, "memory_content": content});
    json!({"context": context(), "arguments": arguments})
}

#[test]
fn tools_answer_with_200_whatever_they_say() {
    let server = Server::start();
    let saved = server.post("/ltm/create", create("Tea is at five")).expect(200);
    assert_eq!(saved["data"]["memory_id"], 1, "{saved}");
    let updated = server.post("/ltm/update", update(1, "Tea is\nat six")).expect(200);
    assert_eq!(updated["data"]["content_saved"], "Tea is\nat six");
    let absent = server.post("/ltm/update", update(2, "x")).expect(200);
    assert_eq!(absent["data"]["status"], "memory_update_failed_not_found");
    let without = json!({"arguments": {"memory_id": 1, "memory_content": "x"}});
    let without = server.post("/ltm/update", without).expect(200);
    assert_eq!(without["data"]["status"], "memory_update_failed_internal_error");
    let twice = format!(
        "{{\"context\": {}, \"arguments\": {{\"memory_id\": 9, \"memory_id\": 1, \"memory_content\": \"\"}}}}",
        context()
    );
    let twice = server.call("POST", "/ltm/update", Some(&twice)).expect(200);
    assert_eq!(twice["data"]["status"], "memory_update_failed_invalid_args");
    let prompt = server.post("/ltm/context", json!({"context": context_beside("u1", "Ada")}));
    let prompt = prompt.expect(200);
    assert_eq!(prompt["text"], "ID:1 Tea is\n  at six\n");
    assert_eq!(prompt["generations"]["server:s1"], 2);
}

#[test]
fn what_is_no_object_is_a_bad_request_and_no_token_is_401() {
    let server = Server::start();
    let routes = [
        ("POST", "/ltm/update"),
        ("POST", "/ltm/create"),
        ("POST", "/ltm/context"),
        ("PUT", "/ltm/directory"),
    ];
    for (method, path) in routes {
        for body in ["", "[]", "5", "{", "null", "\"x\""] {
            server.call(method, path, Some(body)).expect(400);
        }
        server.send(method, path, &[], Some("{}")).expect(401);
    }
    server.post("/ltm/context", json!({})).expect(400);
    server.send("GET", "/ltm/events", &[], None).expect(401);
    server.get("/ltm/events?since=x").expect(400);
    server.get("/ltm/update").expect(405);
    // Refusals make no database.
    assert!(!server.data().join("longterm.sqlite").exists());
    server.call("PUT", "/ltm/directory", Some("{\"people\": {}}")).expect(400);
}

#[test]
fn the_directory_is_patched() {
    let server = Server::start();
    server.post("/ltm/create", create("x")).expect(200);
    let patch = json!({"users": {"u1": {"privacy": "full"}}}).to_string();
    let changed = server.call("PUT", "/ltm/directory", Some(&patch)).expect(200);
    assert_eq!(changed["invalidated"], json!([{"key": "user:u1", "generation": 1}]));
    let mut call = create("of Ada");
    call["arguments"]["memory_scope"] = json!("target_user");
    call["arguments"]["target_user"] = json!("Ada");
    let answer = server.post("/ltm/create", call).expect(200);
    assert_eq!(answer["data"]["status"], "memory_save_failed_privacy_restricted");
}

#[test]
fn a_token_of_another_tenant_sees_other_memories() {
    let server = Server::start();
    server.post("/ltm/create", create("of the first")).expect(200);
    let mut command = Command::new(env!("CARGO_BIN_EXE_agent-memory"));
    command.args(["serve", "token", "add", "other", "--data"]).arg(server.data());
    let output = command.env_clear().env("HOME", server.data()).output().unwrap();
    let token = String::from_utf8(output.stdout).unwrap().trim().to_owned();
    let bearer = format!("Bearer {token}");
    let headers = [("Authorization", bearer.as_str())];
    let body = update(1, "x").to_string();
    let answer = server.send("POST", "/ltm/update", &headers, Some(&body)).expect(200);
    assert_eq!(answer["data"]["status"], "memory_update_failed_not_found");
    let body = create("of the second").to_string();
    let answer = server.send("POST", "/ltm/create", &headers, Some(&body)).expect(200);
    assert_eq!(answer["data"]["memory_id"], 1);
    // The name of a tenant means the same at a terminal.
    let mut command = Command::new(env!("CARGO_BIN_EXE_agent-memory"));
    command.args(["ltm", "export", "--tenant", "other", "--data"]).arg(server.data());
    let output = command.env_clear().env("HOME", server.data()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("of the second") && !text.contains("of the first"), "{text}");
}

#[test]
fn changes_are_streamed_from_a_number_on_without_text() {
    let mut server = Server::start();
    server.post("/ltm/create", create("zebra")).expect(200);
    server.post("/ltm/update", update(1, "tapir")).expect(200);
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let head = format!(
        "GET /ltm/events?since=1 HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n",
        server.address
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut reader = BufReader::new(stream);
    let mut event = || -> Value {
        loop {
            let mut line = String::new();
            assert!(reader.read_line(&mut line).unwrap() > 0, "the stream has ended");
            if let Some(data) = line.strip_prefix("data: ") {
                return serde_json::from_str(data).unwrap();
            }
        }
    };
    let first = event();
    assert_eq!((&first["seq"], &first["event"]), (&json!(2), &json!("memory_updated")));
    assert_eq!(first["keys"], json!(["server:s1"]));
    assert!(!first.to_string().contains("tapir"), "{first}");
    server.post("/ltm/update", update(1, "")).expect(200);
    let second = event();
    assert_eq!((&second["seq"], &second["event"]), (&json!(3), &json!("memory_deleted")));
    // A stream does not keep the server alive.
    let (code, took) = server.end();
    assert_eq!(code, Some(0));
    assert!(took < Duration::from_secs(5), "{took:?}");
}

#[test]
fn a_database_that_does_not_answer_is_503_with_the_status() {
    let server = Server::start();
    std::fs::write(server.data().join("longterm.sqlite"), "no database ".repeat(600)).unwrap();
    let answer = server.post("/ltm/update", update(1, "x")).expect(503);
    assert_eq!(answer["data"]["status"], "memory_update_failed_db_error");
    server.post("/ltm/context", json!({"context": context()})).expect(503);
    // The memories of the service go on.
    server.store(json!({"content": "a"}));
}

#[test]
fn a_server_erases_what_was_deleted_long_ago() {
    let data = tempfile::tempdir().unwrap();
    let mut server = Server::on(data.path(), &[], &[("AGENT_MEMORY_NOW", "2026-11-20T10:00:00Z")]);
    server.post("/ltm/create", create("zebra")).expect(200);
    server.post("/ltm/update", update(1, "")).expect(200);
    let file = data.path().join("longterm.sqlite");
    let deleted = || -> i64 {
        let connection = rusqlite::Connection::open(&file).unwrap();
        connection.query_row("SELECT count(*) FROM trash", [], |row| row.get(0)).unwrap()
    };
    assert_eq!((server.end().0, deleted()), (Some(0), 1));
    let _later = Server::on(data.path(), &[], &[("AGENT_MEMORY_NOW", "2026-12-21T10:00:00Z")]);
    let end = Instant::now() + Duration::from_secs(20);
    while deleted() > 0 {
        assert!(Instant::now() < end, "it is still there");
        std::thread::yield_now();
    }
}

#[test]
fn the_document_of_all_routes_has_them() {
    let document = Server::start().get("/openapi.json").expect(200);
    for (path, method) in [
        ("/ltm/update", "post"),
        ("/ltm/create", "post"),
        ("/ltm/context", "post"),
        ("/ltm/directory", "put"),
        ("/ltm/events", "get"),
    ] {
        assert!(document["paths"][path][method].is_object(), "{path}");
    }
    assert!(document["components"]["schemas"]["LongtermAnswer"].is_object());
}
