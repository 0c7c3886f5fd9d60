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

#[test]
fn the_document_names_what_each_route_takes_and_answers() {
    let document = Server::start().get("/openapi.json").expect(200);
    let paths = &document["paths"];
    for (path, methods) in paths.as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let statuses = operation["responses"].as_object().unwrap();
            assert!(statuses.keys().all(|it| it.parse::<u16>().is_ok()), "{method} {path}");
            assert!(statuses.contains_key("503"), "{method} {path}");
        }
    }
    let tags = &paths["/memory/by-tag"]["delete"]["parameters"][0];
    assert_eq!((&tags["name"], &tags["required"]), (&"tags".into(), &true.into()));
    assert_eq!(paths["/memory"]["post"]["parameters"][0]["in"], "header");
    assert_eq!(paths["/consolidate"]["post"]["requestBody"]["required"], false);
    let id = &paths["/memory/{id}"]["get"]["parameters"][0]["schema"]["$ref"];
    assert_eq!(id, "#/components/schemas/MemoryId");
    let forms = &document["components"]["schemas"]["Associated"]["anyOf"];
    assert_eq!(forms.as_array().map(Vec::len), Some(2));
    let pair = &document["components"]["schemas"]["NewRelation"]["required"];
    assert_eq!(*pair, serde_json::json!(["memory1_id", "memory2_id"]));
}
