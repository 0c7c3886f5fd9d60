//! Every call with an id is answered once, whatever else is in its line.

use serde_json::{Value, json};

use super::{Client, Era};
use crate::requests::{session, with_conventions};
use crate::support::Sandbox;

fn call(id: &Value, method: &str, params: Value) -> Value {
    let mut call = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
    call["params"]["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
    });
    call
}

fn code(answer: &Value) -> i64 {
    answer["error"]["code"].as_i64().unwrap_or_default()
}

#[test]
fn a_call_with_the_id_of_a_running_one_is_refused() {
    let sandbox = with_conventions();
    let mut client = Client::start(&sandbox, Era::Stateless);
    let id = json!("seven");
    let lock = sandbox.hold_lock();
    let write = json!({"name": "memory_propose_update", "arguments": session("Day", "Done.")});
    client.write(&call(&id, "tools/call", write));
    client.write(&call(&id, "tools/list", json!({})));
    let refused = client.read();
    assert_eq!((&refused["id"], code(&refused)), (&id, -32600), "{refused}");
    drop(lock);
    let done = client.read();
    assert_eq!((&done["id"], code(&done)), (&id, 0), "{done}");
    client.write(&call(&id, "tools/list", json!({})));
    assert_eq!(code(&client.read()), 0, "the id is free again");
}

#[test]
fn the_id_of_a_cancelled_call_is_free() {
    let sandbox = with_conventions();
    let mut client = Client::start(&sandbox, Era::Session("2025-11-25"));
    let _lock = sandbox.hold_lock();
    let write = json!({"name": "memory_propose_update", "arguments": session("Day", "Done.")});
    client.write(&call(&json!(7), "tools/call", write));
    let cancelled =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}});
    client.write(&cancelled);
    client.write(&call(&json!(7), "tools/list", json!({})));
    let listed = client.read();
    assert!(listed["result"]["tools"].is_array(), "{listed}");
}

#[test]
fn each_call_of_a_batch_is_answered() {
    let sandbox = Sandbox::new();
    let mut client = Client::start(&sandbox, Era::Session("2025-03-26"));
    let batch = json!([
        call(&json!(7), "tools/list", json!({})),
        {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 1, "progress": 1}},
        call(&json!("b"), "no/such", json!({})),
        {"id": 9},
    ]);
    client.write(&batch);
    let mut ids: Vec<String> = (0..3).map(|_| client.read()["id"].to_string()).collect();
    ids.sort();
    assert_eq!(ids, ["\"b\"", "7", "9"]);
    assert_eq!(client.finish().0, Some(0));
}

#[test]
fn a_line_that_cannot_be_read_is_answered_with_its_id() {
    let sandbox = Sandbox::new();
    let mut client = Client::start(&sandbox, Era::Session("2025-11-25"));
    let long = "x".repeat(9_000_000);
    for (line, id, said) in [
        (json!({"id": 7, "jsonrpc": "2.0", "params": long}).to_string(), json!(7), "8388608 bytes"),
        ("{\"id\": 8, \"jsonrpc\": ".to_owned(), json!(8), "not one JSON document"),
        (
            "{\"id\": 1.5, \"jsonrpc\": \"2.0\", \"method\": \"ping\"}".to_owned(),
            json!(1.5),
            "`id`",
        ),
        ("[1]".to_owned(), Value::Null, "no message"),
    ] {
        client.write(&line);
        let answer = client.read();
        assert_eq!(answer["id"], id, "{answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains(said), "{answer}");
    }
    assert!(client.request("ping", json!({}))["result"].is_object());
}

#[test]
fn a_handshake_with_wrong_parameters_is_told_what_it_needs() {
    let sandbox = Sandbox::new();
    let mut client = Client::over(sandbox.process(&["mcp"]), Era::Stateless);
    for params in [json!({}), json!({"protocolVersion": 5, "capabilities": {}})] {
        client.write(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}));
        let answer = client.read();
        assert_eq!((&answer["id"], code(&answer)), (&json!(1), -32602), "{answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains("`protocolVersion`"));
    }
}
