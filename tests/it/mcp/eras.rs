//! Both eras of the protocol, and what is not the protocol at all.

use serde_json::{Value, json};

use super::{Client, Era};
use crate::requests::{session, with_conventions};
use crate::support::Sandbox;

#[test]
fn every_request_is_answered_in_every_era() {
    let sandbox = with_conventions();
    for (number, era) in Era::ALL.into_iter().enumerate() {
        let mut client = Client::start(&sandbox, era);
        for method in ["tools/list", "resources/list", "resources/templates/list", "prompts/list"] {
            assert!(client.request(method, json!({}))["result"].is_object(), "{era:?} {method}");
        }
        let request = session(&format!("Day {number}"), "Done.");
        assert_eq!(client.answer("memory_propose_update", request)["status"], "applied");
        let found = client.answer("memory_search", json!({"query": "path"}));
        assert_eq!(found["results"][0]["id"], "errors");
        let pack = client.answer("memory_context", json!({"query": "path"}));
        assert!(pack["text"].as_str().unwrap().contains("They name a path."));
        let got =
            client.answer("memory_get", json!({"path": "conventions.md", "section_id": "errors"}));
        assert_eq!(got["sections"][0]["hash"], found["results"][0]["hash"]);
        let status = client.answer("memory_status", json!({}));
        assert_eq!(status["pending"], json!([]));
        for (name, word) in [("bootstrap", "memory_propose_update"), ("review", "memory_status")] {
            let prompt = client.request("prompts/get", json!({"name": name}));
            let text = prompt["result"]["messages"][0]["content"]["text"].as_str().unwrap();
            assert!(text.contains(word), "{text}");
        }
        let (code, rest, talk) = client.finish();
        assert_eq!((code, rest.as_str(), talk.as_str()), (Some(0), "", ""), "{era:?}");
    }
}

#[test]
fn a_stateless_client_is_told_what_there_is_and_how_long_it_holds() {
    let sandbox = Sandbox::new();
    let mut client = Client::start(&sandbox, Era::Stateless);
    let answer = client.request("server/discover", json!({}));
    let versions = answer["result"]["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&"2026-07-28".into()) && versions.contains(&"2024-11-05".into()));
    assert_eq!(answer["result"]["resultType"], "complete");
    let listed = client.request("tools/list", json!({}));
    assert!(listed["result"]["ttlMs"].is_u64() && listed["result"]["cacheScope"].is_string());
    assert_eq!(listed["result"], client.request("tools/list", json!({}))["result"]);
}

#[test]
fn a_stateless_request_without_its_frame_or_of_another_version_is_refused() {
    let sandbox = Sandbox::new();
    let mut client = Client::over(sandbox.process(&["mcp"]), Era::Stateless);
    client.write(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}));
    assert_eq!(client.read()["error"]["code"], -32602);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2031-01-01",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    client.write(
        &json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {"_meta": meta}}),
    );
    let answer = client.read();
    assert_eq!(answer["error"]["code"], -32022);
    assert!(answer["error"]["data"]["supported"].is_array(), "{answer}");
}

#[test]
fn a_handshake_with_an_unknown_version_gets_one_that_is_known() {
    let sandbox = Sandbox::new();
    let mut client = Client::over(sandbox.process(&["mcp"]), Era::Session("1999-01-01"));
    let params = json!({"protocolVersion": "1999-01-01", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let answer = client.request("initialize", params);
    assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");
}

#[test]
fn a_client_may_begin_again_after_a_wrong_beginning() {
    let sandbox = Sandbox::new();
    let mut client = Client::over(sandbox.process(&["mcp"]), Era::Session("2025-06-18"));
    client.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    assert!(client.request("initialize", params)["result"].is_object());
    assert!(client.request("tools/list", json!({}))["result"].is_object());
}

#[test]
fn a_malformed_line_is_answered_and_the_next_one_works() {
    for era in [Era::Stateless, Era::Session("2025-11-25")] {
        let sandbox = Sandbox::new();
        let mut client = Client::start(&sandbox, era);
        let mut refused = |line: &str, code: i32| {
            client.write(&line);
            let answer = client.read();
            assert_eq!(answer["error"]["code"], code, "{line}: {answer}");
        };
        refused("{\"jsonrpc\": \"2.0\", ", -32700);
        refused("tell me all", -32700);
        refused("[1]", -32600);
        refused("{\"jsonrpc\":\"2.0\",\"id\":7,\"id\":7,\"method\":\"tools/list\"}", -32600);
        assert!(client.request("tools/list", json!({}))["result"].is_object());
    }
}

#[test]
fn what_there_is_not_is_an_error_of_the_protocol() {
    for (era, absent) in [(Era::Stateless, -32602), (Era::Session("2025-11-25"), -32002)] {
        let sandbox = Sandbox::new();
        let mut client = Client::start(&sandbox, era);
        let mut refused = |method: &str, params: Value, code: i32| {
            let answer = client.request(method, params);
            assert_eq!(answer["error"]["code"], code, "{answer}");
        };
        refused("tools/call", json!({"name": "memory_nothing", "arguments": {}}), -32602);
        refused("tools/call", json!({}), -32602);
        refused("prompts/get", json!({"name": "nothing"}), -32602);
        refused("resources/read", json!({"uri": "memory://file/nothing.md"}), absent);
        refused("resources/read", json!({"uri": "memory://file/../../etc/passwd"}), absent);
        refused("resources/read", json!({"uri": "file:///etc/passwd"}), absent);
        refused("memory/approve", json!({}), -32601);
    }
}
