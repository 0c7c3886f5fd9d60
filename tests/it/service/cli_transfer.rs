//! `agent-memory service import` and `export`.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use super::stand::ServiceStand;
use crate::support::files_in;

const A: &str = "11111111-1111-4111-8111-111111111111";
const B: &str = "22222222-2222-4222-8222-222222222222";
const C: &str = "33333333-3333-4333-8333-333333333333";

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Returns the graph of a backup, as the observed server writes it.
fn graph() -> Value {
    let node = |id: u8, properties: Value| json!({"id": id, "labels": ["Memory"], "properties": properties});
    let metadata = json!({
        "repo": "x", "entities": {"tools": ["SQLite"]}, "enrichment": {"forced": false},
    });
    let token = ["ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].concat();
    let relation = |kind: &str, target: u8| json!({"source_id": 0, "type": kind, "target_id": target, "properties": {"strength": 0.8}});
    json!({
        "timestamp": "20261120_100000", "graph_name": "memories",
        "nodes": [
            node(0, json!({
                "id": A, "content": "We chose SQLite.", "type": "MetaPattern", "confidence": 0.9,
                "importance": 0.8, "tags": ["db", "entity:tools:sqlite"],
                "metadata": metadata.to_string(), "timestamp": "2026-01-01T00:00:00.000001+00:00",
                "updated_at": "2026-01-02T00:00:00+00:00", "last_accessed": "2026-01-03T00:00:00+00:00",
            })),
            node(1, json!({"id": B, "content": "It is one file.", "type": "Insight", "metadata": "{}"})),
            node(2, json!({"id": C, "content": format!("The key is {token}."), "type": "Context"})),
            {"id": 3, "labels": ["Entity"], "properties": {"slug": "sqlite"}},
        ],
        "relationships": [
            relation("LEADS_TO", 1), relation("PART_OF", 2), relation("SIMILAR_TO", 1),
            relation("REFERENCED_IN", 3),
        ],
        "stats": {},
    })
}

fn vectors() -> Value {
    json!({
        "timestamp": "20261120_100000", "collection_name": "memories",
        "points": [
            {"id": A, "vector": [1.0, 0.0], "payload": {"content": "We chose SQLite."}},
            {"id": B, "vector": [0.5, 0.5, 0.5], "payload": {"content": "It is one file."}},
        ],
        "stats": {},
    })
}

/// Writes a file as Python's `json.dump(…, indent=2)` into a compressed file.
fn dumped(value: &Value) -> Vec<u8> {
    packed(serde_json::to_string_pretty(value).unwrap().as_bytes())
}

fn archive(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, &bytes[..]).unwrap();
    }
    packed(&archive.into_inner().unwrap())
}

#[test]
fn the_archive_of_the_observed_server_is_imported() {
    let service = ServiceStand::new();
    let files = [
        ("falkordb/falkordb_20261120_100000.json.gz", dumped(&graph())),
        ("qdrant/qdrant_20261120_100000.json.gz", dumped(&vectors())),
    ];
    service.sandbox.write_project("backup.tar.gz", archive(&files));
    let reply = service.run(&["import", "backup.tar.gz", "--json"]).expect_code(1);
    let report = reply.json();
    assert!(!reply.stdout.contains("ghp_"), "{report}");
    let counts = ["imported", "skipped", "relations", "vectors"].map(|name| report[name].clone());
    assert_eq!(counts, [2, 0, 1, 1].map(Value::from), "{report}");
    assert_eq!(report["refused"][0]["id"], C, "{report}");
    let dropped = json!({"count": 1, "first": [format!("{A} PART_OF {C}: an end is missing")]});
    assert_eq!(report["dropped_relations"], dropped, "{report}");
    assert!(report["refused"][0]["reason"].as_str().unwrap().contains("'content'"), "{report}");
    let memory = service.get(A);
    assert_eq!(memory["type"], "MetaPattern", "{memory}");
    assert_eq!((&memory["tags"], &memory["metadata"]), (&json!(["db"]), &json!({"repo": "x"})));
    assert_eq!(memory["timestamp"], "2026-01-01T00:00:00.000001+00:00");
    assert_eq!(memory["updated_at"], "2026-01-02T00:00:00+00:00");
    let again = service.run(&["import", "backup.tar.gz", "--json"]).expect_code(1).json();
    let counts = ["imported", "skipped", "relations", "vectors"].map(|name| again[name].clone());
    assert_eq!(counts, [0, 2, 0, 0].map(Value::from), "{again}");
}

#[test]
fn each_file_of_the_archive_is_imported_alone() {
    let service = ServiceStand::new();
    service.sandbox.write_project("qdrant.json.gz", dumped(&vectors()));
    let report = service.done(&["import", "qdrant.json.gz"]);
    assert_eq!((&report["imported"], &report["vectors"]), (&json!(2), &json!(1)), "{report}");
    assert_eq!(service.get(A)["content"], "We chose SQLite.");
    let service = ServiceStand::new();
    service.sandbox.write_project("falkordb.json.gz", dumped(&graph()));
    service.sandbox.write_project("qdrant.json", vectors().to_string());
    let report = service.run(&["import", "falkordb.json.gz", "--json"]).expect_code(1).json();
    assert_eq!((&report["imported"], &report["vectors"]), (&json!(2), &json!(0)), "{report}");
    // The vectors come after their memories.
    let report = service.done(&["import", "qdrant.json"]);
    assert_eq!((&report["skipped"], &report["vectors"]), (&json!(2), &json!(1)), "{report}");
}

#[test]
fn an_export_is_imported_as_it_was() {
    let service = ServiceStand::new();
    let one =
        service.store("Tabs, not blanks. Ada Lovelace said so.", &["--tags", "Docs/API,style"]);
    let other =
        service.store("An old rule.", &["--t-invalid", "2026-01-01", "--importance", "0.1"]);
    service.done(&["relate", &other, &one, "--type", "EVOLVED_INTO", "--property", "reason=taste"]);
    let deleted = service.store("Deleted before.", &[]);
    service.done(&["delete", &deleted]);
    let lines = service.run(&["export"]).expect_code(0).stdout;
    assert_eq!(lines.lines().count(), 3, "{lines}");
    let copy = ServiceStand::new();
    let report =
        copy.prepare(&["import", "-", "--json"]).stdin(lines.clone()).run().expect_code(0).json();
    assert_eq!((&report["imported"], &report["relations"]), (&json!(2), &json!(1)), "{report}");
    assert_eq!(copy.run(&["export"]).expect_code(0).stdout, lines);
    for id in [&one, &other] {
        let (mut memory, mut copied) = (service.get(id), copy.get(id));
        for derived in ["enriched_at", "last_accessed", "relevance_score"] {
            memory[derived] = Value::Null;
            copied[derived] = Value::Null;
        }
        assert_eq!(memory, copied);
    }
    assert_eq!(copy.done(&["recall", "rule"])["results"][0]["id"], one.as_str());
}

#[test]
fn what_is_there_stays_as_it_is() {
    let service = ServiceStand::new();
    service.store("Ours.", &["--id", A]);
    service.store("In the trash.", &["--id", B]);
    service.done(&["delete", B]);
    let line = |id: &str, content: &str| json!({"id": id, "content": content}).to_string() + "\n";
    let lines = line(A, "Theirs.") + &line(B, "In the trash.") + &line(C, "New.") + &line("7", "x");
    service.sandbox.write_project("lines.jsonl", lines + "no JSON\n");
    let reply = service.run(&["import", "lines.jsonl", "--json"]).expect_code(1);
    let report = reply.json();
    let refused: Vec<&str> =
        report["refused"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap()).collect();
    assert_eq!((&report["imported"], refused), (&json!(1), vec!["7", "line 5", A, B]), "{report}");
    assert_eq!(service.get(A)["content"], "Ours.");
    let text = service.run(&["import", "lines.jsonl"]).expect_code(1).stdout;
    assert!(text.contains(&format!("refused {A}: another memory with other content")), "{text}");
    assert!(
        text.ends_with("imported 0 memories, 0 relations, 0 vectors; 1 were there, 4 refused\n"),
        "{text}"
    );
}

#[test]
fn a_folder_gets_the_export_and_must_be_new() {
    let service = ServiceStand::new();
    let id = service.store("We will use tabs.", &["--tags", "style"]);
    let other = service.store("Why tabs are used.", &[]);
    service.done(&["relate", &other, &id, "--type", "LEADS_TO"]);
    let report = service.done(&["export", "copy"]);
    assert_eq!((&report["exported"], &report["relations"]), (&json!(2), &json!(1)), "{report}");
    let files = files_in(&service.sandbox.project().join("copy"));
    assert_eq!(files.keys().collect::<Vec<_>>(), ["memories.jsonl"]);
    let full = service.run(&["export", "copy"]).expect_code(2);
    assert!(full.stderr.contains("not a new or empty folder"), "{full:?}");
    service.run(&["export", "pages", "--format", "markdown"]).expect_code(0);
    let pages = files_in(&service.sandbox.project().join("pages"));
    let page = String::from_utf8(pages[&format!("{other}.md")].clone()).unwrap();
    assert!(page.contains("\n\nWhy tabs are used.\n\n"), "{page}");
    assert!(page.contains(&format!("- LEADS_TO: {id}\n")), "{page}");
    let text = service.run(&["export", "--format", "markdown"]).expect_code(0).stdout;
    assert_eq!(text.matches("\n# ").count() + 1, 2, "{text}");
    service.run(&["export", "--json"]).expect_code(2);
}

#[test]
fn what_is_no_backup_is_an_error_that_names_the_file() {
    let service = ServiceStand::new();
    service.sandbox.write_project("notes.md", "# Notes\n");
    let error = service.run(&["import", "notes.md", "--json"]).expect_code(2).json();
    assert_eq!(error["error"]["code"], "usage", "{error}");
    assert!(error["error"]["path"].as_str().unwrap().ends_with("notes.md"), "{error}");
    service.run(&["import", "absent.jsonl"]).expect_code(2);
    assert_eq!(service.done(&["import", "/dev/null"])["imported"], 0);
}

#[test]
fn relations_that_are_dropped_are_counted_and_the_first_are_named() {
    let service = ServiceStand::new();
    let memory = json!({"id": A, "content": "We chose SQLite."});
    let relation =
        |number: u8| json!({"memory1_id": A, "memory2_id": B.replace('2', &number.to_string())});
    let lines = std::iter::once(memory).chain((3..=9).map(relation));
    let lines: String = lines.map(|line| format!("{line}\n")).collect();
    service.sandbox.write_project("lines.jsonl", lines);
    let report = service.done(&["import", "lines.jsonl"]);
    let dropped = &report["dropped_relations"];
    assert_eq!((&report["relations"], &dropped["count"]), (&json!(0), &json!(7)), "{report}");
    let named = dropped["first"].as_array().unwrap();
    let first = format!("{A} RELATES_TO {C}: an end is missing");
    assert_eq!((named.len(), &named[0]), (5, &json!(first)), "{report}");
    let text = service.run(&["import", "lines.jsonl"]).expect_code(0).stdout;
    assert!(text.starts_with(&format!("dropped {first}\n")), "{text}");
    assert!(text.ends_with("1 were there, 0 refused, 7 relations dropped\n"), "{text}");
}
