//! The routes of the observed server are all here.

use super::server::Server;

/// The methods and paths of the observed server; `{id}` stands for what a path names.
const OBSERVED: &[(&str, &str)] = &[
    ("get", "/health"),
    ("post", "/memory"),
    ("post", "/memory/batch"),
    ("get", "/memory/{id}"),
    ("patch", "/memory/{id}"),
    ("delete", "/memory/{id}"),
    ("get", "/memory/by-tag"),
    ("delete", "/memory/by-tag"),
    ("post", "/associate"),
    ("get", "/memories/{id}/related"),
    ("get", "/recall"),
    ("get", "/startup-recall"),
    ("get", "/analyze"),
    ("get", "/graph/snapshot"),
    ("get", "/graph/neighbors/{id}"),
    ("get", "/graph/stats"),
    ("get", "/graph/types"),
    ("get", "/graph/relations"),
    ("get", "/enrichment/status"),
    ("post", "/enrichment/reprocess"),
    ("post", "/consolidate"),
    ("get", "/consolidate/status"),
    ("post", "/admin/reembed"),
    ("post", "/admin/sync"),
    ("get", "/backup"),
    ("get", "/entities"),
    ("get", "/entity/{id}"),
    ("get", "/entities/merge-candidates"),
    ("get", "/entities/audit"),
    ("post", "/entity/{id}/merge"),
    ("get", "/stream"),
    ("get", "/stream/status"),
    ("get", "/viewer"),
    ("get", "/viewer/{rest}"),
];

#[test]
fn every_route_of_the_observed_server_answers() {
    assert_eq!(OBSERVED.len(), 34);
    let server = Server::start();
    for (method, path) in OBSERVED.iter().filter(|(_, path)| *path != "/stream") {
        let path =
            path.replace("{id}", "00000000-0000-4000-8000-000000000000").replace("{rest}", "x");
        let answer = server.call(&method.to_uppercase(), &path, Some("{}"));
        assert_ne!(answer.status, 405, "{method} {path}");
        assert!(!answer.text.contains("requested URL was not found"), "{method} {path}");
        assert!(answer.status < 500 || answer.status == 503, "{method} {path} {}", answer.text);
    }
}

#[test]
fn the_document_of_the_routes_is_whole() {
    let document = Server::start().get("/openapi.json").expect(200);
    assert_eq!(document["openapi"], "3.1.0");
    let text = document.to_string();
    let paths = document["paths"].as_object().unwrap();
    for (method, path) in OBSERVED.iter().filter(|(_, path)| !path.contains("{rest}")) {
        assert!(paths[*path][*method].is_object(), "{method} {path}");
    }
    for reference in text.split("\"$ref\":\"#/components/schemas/").skip(1) {
        let name = reference.split('"').next().unwrap();
        assert!(document["components"]["schemas"][name].is_object(), "{name}");
    }
}
