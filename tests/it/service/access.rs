//! Who is let in, from where, and what one tenant learns of another.

use serde_json::json;

use super::server::{ADMIN, Server, TOKEN};

const OPEN: [(&str, &str); 4] =
    [("GET", "/health"), ("OPTIONS", "/memory"), ("GET", "/viewer/"), ("GET", "/openapi.json")];

#[test]
fn every_route_but_four_asks_for_a_token() {
    let server = Server::start();
    let document = server.get("/openapi.json").expect(200);
    let mut count = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        let path = path.replace("{id}", "11111111-1111-4111-8111-111111111111");
        for method in methods.as_object().unwrap().keys().map(|it| it.to_uppercase()) {
            let is_open = OPEN.iter().any(|(_, open)| path.starts_with(open.trim_end_matches('/')));
            if is_open && method == "GET" {
                continue;
            }
            count += 1;
            for headers in
                [vec![], vec![("Authorization", "Bearer wrong")], vec![("X-API-Key", "")]]
            {
                let refused = server.send(&method, &path, &headers, Some("{}"));
                assert_eq!(refused.status, 401, "{method} {path} {headers:?} {}", refused.text);
            }
        }
    }
    assert!(count >= 30, "{count}");
    server.send("GET", "/does-not-exist", &[], None).expect(401);
    for (method, path) in OPEN {
        let status = server.send(method, path, &[], None).status;
        assert!([200, 204, 302, 503].contains(&status), "{method} {path} {status}");
    }
}

#[test]
fn a_token_in_the_address_is_accepted_only_where_that_is_switched_on() {
    let path = format!("/recall?api_key={TOKEN}");
    let refused = Server::start().send("GET", &path, &[], None).expect(401);
    assert!(refused["error"].as_str().unwrap().contains("--query-token"), "{refused}");
    Server::with(&["--query-token"], &[]).send("GET", &path, &[], None).expect(200);
}

#[test]
fn an_administrator_has_a_token_of_their_own() {
    let server = Server::start();
    server.post("/admin/sync", json!({})).expect(401);
    let bearer = format!("Bearer {TOKEN}");
    let both = [("Authorization", bearer.as_str()), ("X-Admin-Token", ADMIN)];
    server.send("POST", "/admin/sync", &both, Some("{}")).expect(200);
    server.send("POST", "/admin/sync", &both[1..], Some("{}")).expect(401);
    let without = Server::with(&[], &[("ADMIN_API_TOKEN", "")]);
    without.post("/admin/sync", json!({})).expect(403);
}

#[test]
fn a_browser_that_another_site_leads_here_is_refused() {
    let server = Server::with(&[], &[("VIEWER_ALLOWED_ORIGINS", "https://viewer.example")]);
    let bearer = format!("Bearer {TOKEN}");
    let send = |name: &str, value: &str| {
        let headers = [("Authorization", bearer.as_str()), (name, value)];
        server.send("GET", "/recall", &headers, None).status
    };
    assert_eq!(send("Origin", "https://evil.example"), 403);
    assert_eq!(send("Origin", "https://viewer.example"), 200);
    let preflight = format!(
        "OPTIONS /memory HTTP/1.1\r\nHost: {}\r\nOrigin: https://viewer.example\r\nConnection: close\r\n\
        Access-Control-Request-Method: POST\r\n\r\n",
        server.address
    );
    let answer = server.exchange(preflight.as_bytes());
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(
        answer.head.contains("access-control-allow-origin: https://viewer.example"),
        "{answer:?}"
    );
    assert_eq!(send("Host", "evil.example"), 403);
    assert_eq!(send("Host", "localhost:8001"), 200);
}

#[test]
fn a_body_that_is_too_large_is_refused() {
    let server = Server::start();
    let large = format!("{{\"content\": \"{}\"}}", "x".repeat(1 << 20));
    let answer = server.call("POST", "/memory", Some(&large));
    assert_eq!(answer.status, 413, "{}", answer.text);
}

#[test]
fn the_first_start_makes_a_token_and_shows_it_once() {
    let data = tempfile::tempdir().unwrap();
    let unset = [("AUTOMEM_API_TOKEN", "")];
    let server = Server::on(data.path(), &[], &unset);
    let token = server.said.split_once("token ").unwrap().1.split(',').next().unwrap().to_owned();
    assert!(token.starts_with("amt_"), "{}", server.said);
    let bearer = format!("Bearer {token}");
    let headers = [("Authorization", bearer.as_str())];
    server.send("GET", "/recall", &headers, None).expect(200);
    drop(server);
    let server = Server::on(data.path(), &[], &unset);
    assert!(!server.said.contains(&token), "{}", server.said);
    server.send("GET", "/recall", &headers, None).expect(200);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = data.path().join("service.token").metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

/// Makes a token of another tenant, while the server runs.
pub(super) fn token_of(server: &Server, tenant: &str) -> String {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_agent-memory"));
    command.args(["serve", "token", "add", tenant, "--json", "--data"]).arg(server.data());
    let output = command.env_clear().env("HOME", server.data()).output().unwrap();
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    answer["token"].as_str().unwrap().to_owned()
}

#[test]
fn a_tenant_neither_sees_counts_relates_nor_changes_what_another_stored() {
    let server = Server::start();
    let ours = server.store(json!({"content": "our harbour plan", "tags": ["plan"]}));
    let other = format!("Bearer {}", token_of(&server, "team-b"));
    let headers = [("Authorization", other.as_str())];
    let ask =
        |method: &str, path: &str, body: Option<&str>| server.send(method, path, &headers, body);
    let theirs = ask("POST", "/memory", Some(r#"{"content": "their plan"}"#)).expect(201);
    let theirs = theirs["memory_id"].as_str().unwrap();
    for (method, path) in [
        ("GET", format!("/memory/{ours}")),
        ("PATCH", format!("/memory/{ours}")),
        ("DELETE", format!("/memory/{ours}")),
        ("GET", format!("/memory/{ours}/history")),
        ("POST", format!("/memory/{ours}/undo")),
        ("POST", format!("/trash/{ours}/restore")),
        ("GET", format!("/graph/neighbors/{ours}")),
    ] {
        assert_eq!(ask(method, &path, Some("{}")).status, 404, "{method} {path}");
    }
    let pair = json!({"memory1_id": theirs, "memory2_id": ours}).to_string();
    ask("POST", "/associate", Some(&pair)).expect(404);
    assert_eq!(ask("GET", "/recall?query=harbour", None).expect(200)["count"], 0);
    assert_eq!(ask("GET", "/recall?tags=plan", None).expect(200)["count"], 0);
    assert_eq!(ask("GET", &format!("/recall?priority_ids={ours}"), None).expect(200)["count"], 1);
    assert_eq!(ask("GET", "/memory/by-tag?tags=plan", None).expect(200)["count"], 0);
    assert_eq!(ask("DELETE", "/memory/by-tag?tags=plan", None).expect(200)["deleted_count"], 0);
    assert_eq!(ask("GET", "/health", None).expect(200)["memory_count"], 1);
    assert_eq!(ask("GET", "/graph/stats", None).expect(200)["totals"]["nodes"], 1);
    assert_eq!(server.send("GET", "/health", &[], None).expect(200)["memory_count"], 0);
    // The same id is free for each.
    let body = json!({"content": "mine", "id": ours}).to_string();
    ask("POST", "/memory", Some(&body)).expect(201);
    assert_eq!(
        server.get(&format!("/memory/{ours}")).expect(200)["memory"]["content"],
        "our harbour plan"
    );
}

#[test]
fn a_revoked_token_lets_in_no_more() {
    let server = Server::start();
    let token = format!("Bearer {}", token_of(&server, "team-b"));
    let headers = [("Authorization", token.as_str())];
    server.send("GET", "/recall", &headers, None).expect(200);
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_agent-memory"));
    command.args(["serve", "token", "revoke", "team-b", "--data"]).arg(server.data());
    assert!(command.env_clear().env("HOME", server.data()).output().unwrap().status.success());
    server.send("GET", "/recall", &headers, None).expect(401);
}

#[test]
fn the_tools_are_offered_over_http_behind_the_same_tokens() {
    let server = Server::start();
    let answer = server.call_mcp("tools/list", json!({}), Some(TOKEN));
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert_eq!(answer.text.matches("\"inputSchema\"").count(), 6, "{}", answer.text);
    server.call_mcp("tools/list", json!({}), None).expect(401);
}

#[test]
fn an_answer_is_told_without_texts_and_tokens() {
    let mut server = Server::with(&["--verbose"], &[]);
    server.store(json!({"content": "a private plan"}));
    server.get("/recall?query=private+plan").expect(200);
    server.send("GET", "/memory/x", &[], None).expect(401);
    let lines = [server.next_line(), server.next_line(), server.next_line()];
    for (line, begin) in
        lines.iter().zip(["POST /memory 201 ", "GET /recall 200 ", "GET /memory/x 401 "])
    {
        assert!(line.starts_with(begin) && line.ends_with(" ms"), "{line}");
    }
}

#[test]
fn the_log_tells_requests_without_texts_and_tokens() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let variables =
        [("AGENT_MEMORY_LOG", "info"), ("AGENT_MEMORY_LOG_FILE", log.to_str().unwrap())];
    let server = Server::with(&[], &variables);
    server.get("/recall?query=private+plan").expect(200);
    let told = std::fs::read_to_string(&log).unwrap();
    assert!(told.contains("http request method=GET path=/recall status=200 ms="), "{told}");
    assert!(!told.contains("private") && !told.contains(TOKEN), "{told}");
}
