//! What `/stream` tells, and for how long.

use std::io::{BufRead, BufReader, Lines, Write};
use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::server::{Server, TOKEN};

/// One that listens.
struct EventLines(Lines<BufReader<TcpStream>>);

impl EventLines {
    fn open(server: &Server, token: &str) -> Self {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let request = format!(
            "GET /stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut lines = Self(BufReader::new(stream).lines());
        lines.wait_for("HTTP/1.1 200");
        lines.wait_for("content-type: text/event-stream");
        lines
    }

    fn wait_for(&mut self, begin: &str) -> String {
        let mut lines = self.0.by_ref().map(|line| line.expect("a line in time"));
        lines.find(|line| line.starts_with(begin)).expect("the stream goes on")
    }

    /// Waits for the next event, which must be of a kind; returns its data.
    #[track_caller]
    fn expect(&mut self, kind: &str) -> Value {
        let line = self.wait_for("data: ");
        let mut event: Value = serde_json::from_str(&line["data: ".len()..]).unwrap();
        assert_eq!(event["type"], kind, "{event}");
        event["data"].take()
    }
}

#[test]
fn what_happens_is_told_without_its_text() {
    let server = Server::start();
    let mut lines = EventLines::open(&server, TOKEN);
    let id = server.store(json!({"content": "a secret plan"}));
    let told = lines.wait_for("data: ");
    assert!(told.contains("memory.store") && told.contains(&id), "{told}");
    assert!(!told.contains("plan"), "{told}");
    assert_eq!(lines.expect("enrichment.start")["memory_id"], id.as_str());
    assert_eq!(lines.expect("enrichment.complete")["memory_id"], id.as_str());
    server.get("/recall?query=plan").expect(200);
    assert_eq!(lines.expect("memory.recall")["count"], 1);
    server.post("/consolidate", json!({"mode": "decay"})).expect(200);
    assert_eq!(lines.expect("consolidation.run")["dry_run"], true);
    server.post("/memory", json!({"content": ""})).expect(400);
    server.delete(&format!("/memory/{id}?forget=true")).expect(200);
    assert_eq!(lines.expect("memory.delete"), json!({"memory_id": id}));
}

#[test]
fn what_comes_through_the_tools_is_told_too() {
    let server = Server::start();
    let mut lines = EventLines::open(&server, TOKEN);
    let call = |tool: &str, arguments: Value| {
        let params = json!({"name": tool, "arguments": arguments});
        let answer = server.call_mcp("tools/call", params, Some(TOKEN)).expect(200);
        answer["result"]["structuredContent"].clone()
    };
    let memories = json!([{"content": "one"}, {"content": "two"}]);
    let stored = call("store_memory", json!({ "memories": memories }));
    let told = lines.expect("memory.store");
    assert_eq!((&told["memory_ids"], &told["count"]), (&stored["memory_ids"], &json!(2)));
    lines.expect("enrichment.start");
    lines.expect("enrichment.complete");
    let [one, two] = [0, 1].map(|at| told["memory_ids"][at].clone());
    let pair = json!({"memory1_id": one, "memory2_id": two, "type": "LEADS_TO", "strength": 0.5});
    call("associate_memories", pair);
    assert_eq!(lines.expect("memory.associate")["relation_type"], "LEADS_TO");
    call("update_memory", json!({"memory_id": one, "importance": 0.9}));
    assert_eq!(lines.expect("memory.update")["memory_id"], one);
    call("delete_memory", json!({"memory_id": one}));
    assert_eq!(lines.expect("memory.delete")["memory_id"], one);
}

#[test]
fn a_stream_ends_soon_after_its_token_was_revoked() {
    let server = Server::start();
    let token = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agent-memory"));
        command.args(["serve", "token"]).args(arguments).arg("--data").arg(server.data());
        command.env_clear().env("HOME", server.data()).output().unwrap().stdout
    };
    let added: Value = serde_json::from_slice(&token(&["add", "team-b", "--json"])).unwrap();
    let mut lines = EventLines::open(&server, added["token"].as_str().unwrap());
    let mut own = EventLines::open(&server, TOKEN);
    token(&["revoke", "team-b"]);
    let revoked = Instant::now();
    // The last part of an answer is empty.
    lines.wait_for("0");
    assert!(revoked.elapsed() < Duration::from_secs(8), "{:?}", revoked.elapsed());
    server.store(json!({"content": "others go on"}));
    own.expect("memory.store");
}
