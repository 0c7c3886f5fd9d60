//! Every error has the same body, whatever refuses the request.

use serde_json::json;

use super::server::{Answer, Server, TOKEN};

#[track_caller]
fn check(answer: &Answer, status: u16) {
    assert_eq!(answer.status, status, "{answer:?}");
    assert!(answer.head.contains("content-type: application/json"), "{answer:?}");
    assert_eq!((&answer.body["status"], &answer.body["code"]), (&json!("error"), &json!(status)));
    for name in ["message", "error"] {
        assert!(answer.body[name].as_str().is_some_and(|text| text.len() > 10), "{answer:?}");
    }
}

#[test]
fn what_is_refused_before_it_is_a_request_has_a_body() {
    let server = Server::start();
    let long = "x".repeat(70_000);
    check(&server.get(&format!("/recall?query={long}")), 414);
    let headers: Vec<(String, String)> =
        (0..200).map(|number| (format!("X-{number}"), "1".to_owned())).collect();
    let headers: Vec<(&str, &str)> =
        headers.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    check(&server.send("GET", "/recall", &headers, None), 431);
    let large = "x".repeat(600_000);
    check(&server.send("GET", "/recall", &[("X-Large", &large)], None), 431);
    check(&server.exchange(b"this is no request\r\n\r\n"), 400);
    server.store(json!({"content": "the server goes on"}));
}

#[test]
fn what_no_route_answers_has_a_body() {
    let server = Server::start();
    check(&server.get("/does-not-exist"), 404);
    check(&server.call("PUT", "/memory", None), 405);
    check(&server.call("POST", "/stream", None), 405);
    check(&server.get("/viewer/"), 503);
    check(&server.get("/memory/%FF"), 400);
}

#[test]
fn what_is_no_message_of_the_tools_has_a_body() {
    let server = Server::start();
    let bearer = format!("Bearer {TOKEN}");
    let send = |method: &str, accept: &str, kind: &str, body: &str| {
        let headers =
            [("Authorization", bearer.as_str()), ("Accept", accept), ("Content-Type", kind)];
        server.send(method, "/mcp", &headers, Some(body))
    };
    let (both, json) = ("application/json, text/event-stream", "application/json");
    check(&send("POST", both, json, "{\"jsonrpc\": "), 400);
    check(&send("POST", both, json, "{\"jsonrpc\": \"2.0\"}"), 400);
    check(&send("POST", both, json, "[]"), 400);
    let list = r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}"#;
    check(&send("POST", "text/html", json, list), 406);
    check(&send("POST", both, "text/plain", list), 415);
    for method in ["GET", "DELETE", "PUT"] {
        let refused = send(method, both, json, "");
        check(&refused, 405);
        assert!(refused.head.contains("allow: post"), "{refused:?}");
    }
}
