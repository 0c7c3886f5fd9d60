//! `store_memory` of the memory service: one memory, many, and one that supersedes another.

use serde_json::json;

use super::Era;
use super::service_agent::Agent;
use crate::support::Sandbox;

#[test]
fn a_memory_is_stored_and_read_in_every_era() {
    for era in Era::ALL {
        let sandbox = Sandbox::without_git();
        let mut agent = Agent::with(&sandbox, &[], era);
        let stored = agent.answer(
            "store_memory",
            json!({
                "content": "Chose PostgreSQL over MongoDB. Need ACID.", "type": "decision",
                "tags": "alpha, database", "importance": "0.9", "metadata": "{\"files\": [\"db.rs\"]}",
                "timestamp": "2026-01-02T03:04:05Z", "id": "11111111-1111-4111-8111-111111111111",
            }),
        );
        assert_eq!(stored["memory_id"], "11111111-1111-4111-8111-111111111111");
        assert_eq!((&stored["type"], &stored["confidence"]), (&json!("Decision"), &json!(0.9)));
        let found = agent.answer("recall_memory", json!({"memory_id": stored["memory_id"]}));
        let memory = &found["results"][0];
        assert_eq!((&found["count"], &found["mode"]), (&json!(1), &json!("id_fetch")));
        assert_eq!(memory["content"], "Chose PostgreSQL over MongoDB. Need ACID.");
        assert_eq!(memory["tags"], json!(["alpha", "database"]));
        assert_eq!(memory["metadata"], json!({"files": ["db.rs"]}));
        assert_eq!(memory["created_at"], "2026-01-02T03:04:05+00:00");
        agent.finish();
    }
}

#[test]
fn the_size_of_a_content_is_counted_in_units_of_utf_16() {
    let sandbox = Sandbox::without_git();
    let mut agent = Agent::start(&sandbox);
    let of = |length: usize| "🦀".repeat(length / 2);
    let quiet = agent.answer("store_memory", json!({"content": of(500)}));
    assert_eq!(quiet.get("size_warning"), None);
    let long = agent.answer("store_memory", json!({"content": of(502)}));
    let warning = long["size_warning"].as_str().unwrap();
    assert!(warning.contains("502") && long["message"].as_str().unwrap().contains(warning));
    agent.answer("store_memory", json!({"content": of(2_000)}));
    for arguments in [
        json!({"content": of(2_002)}),
        json!({"memories": [{"content": "short"}, {"content": of(2_002)}]}),
        json!({"content": of(2_002), "supersedes_memory_id": long["memory_id"]}),
    ] {
        let refused = agent.call("store_memory", arguments);
        assert_eq!(refused["isError"], true);
        assert_eq!(refused["structuredContent"]["error"], "content_too_large", "{refused}");
    }
    let change = json!({"memory_id": long["memory_id"], "content": of(2_002)});
    let refused = agent.call("update_memory", change);
    assert_eq!(refused["structuredContent"]["error"], "content_too_large");
    let health = agent.answer("check_database_health", json!({}));
    assert_eq!(health["statistics"]["memory_count"], 3);
}

#[test]
fn of_many_memories_all_are_stored_or_none() {
    let sandbox = Sandbox::without_git();
    let mut agent = Agent::start(&sandbox);
    let bad = json!({"memories": [{"content": "One."}, {"content": "Two.", "importance": 2}]});
    let text = agent.refused("store_memory", bad);
    assert!(text.contains("field: memories[1].importance"), "{text}");
    let both = json!({"content": "One.", "memories": [{"content": "Two."}]});
    assert!(agent.refused("store_memory", both).contains("exclude each other"));
    let good = json!({"memories": [{"content": "One.", "tags": ["b"]}, {"content": "Two.", "tags": ["b"]}]});
    let stored = agent.answer("store_memory", good);
    assert_eq!((&stored["stored"], stored["memory_ids"].as_array().unwrap().len()), (&json!(2), 2));
    let found = agent.contents(json!({"tags": ["b"], "exhaustive": true}));
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn a_memory_that_is_superseded_is_history_and_points_to_the_new_one() {
    let sandbox = Sandbox::without_git();
    let mut agent = Agent::start(&sandbox);
    let first =
        json!({"content": "The index is in Tantivy.", "tags": ["db"], "metadata": {"f": 1}});
    let old = agent.answer("store_memory", first)["memory_id"].clone();
    let stored = agent.answer(
        "store_memory",
        json!({
            "content": "The index is in SQLite.", "tags": ["db"], "supersedes_memory_id": old,
            "supersede_relation": "EVOLVED_INTO", "supersede_reason": "one file",
        }),
    );
    let new = &stored["memory_id"];
    assert_eq!(
        (&stored["superseded_memory_id"], &stored["association_created"]),
        (&old, &json!(true))
    );
    let read = agent.answer("recall_memory", json!({"memory_id": old}))["results"][0].clone();
    let metadata = json!({
        "f": 1, "deprecated": true, "superseded_by": new, "supersede_relation": "EVOLVED_INTO",
        "supersede_reason": "one file",
    });
    assert_eq!(read["metadata"], metadata);
    assert!(read["t_invalid"].is_string());
    let current = agent.contents(json!({"query": "index"}));
    assert_eq!(current, ["The index is in SQLite."]);
    for all in [
        json!({"query": "index", "state_mode": "history"}),
        json!({"query": "index", "current_only": false}),
    ] {
        assert_eq!(agent.contents(all).len(), 2);
    }
    let linked = agent.answer("recall_memory", json!({"query": "index", "format": "json"}));
    let relation = &linked["results"][0]["relations"][0];
    assert_eq!((&relation["type"], &relation["strength"]), (&json!("EVOLVED_INTO"), &json!(0.9)));
}

#[test]
fn nothing_is_stored_in_place_of_what_there_is_not_or_of_the_same() {
    let sandbox = Sandbox::without_git();
    let mut agent = Agent::start(&sandbox);
    let old = agent.answer("store_memory", json!({"content": "The same."}))["memory_id"].clone();
    for (content, superseded) in [
        ("Other.", json!("00000000-0000-4000-8000-000000000000")),
        ("Other.", json!("abc")),
        ("The same.", old.clone()),
    ] {
        let arguments = json!({"content": content, "supersedes_memory_id": superseded});
        agent.refused("store_memory", arguments);
    }
    let list = json!({"memories": [{"content": "Other."}], "supersedes_memory_id": old});
    agent.refused("store_memory", list);
    let health = agent.answer("check_database_health", json!({}));
    assert_eq!(health["statistics"]["memory_count"], 1);
    let read = agent.answer("recall_memory", json!({"memory_id": old}))["results"][0].clone();
    assert_eq!((read.get("t_invalid"), &read["metadata"]), (None, &json!({})));
}

#[test]
fn what_is_derived_is_made_before_the_server_ends() {
    let sandbox = Sandbox::without_git();
    let mut agent = Agent::start(&sandbox);
    let content = format!("Chose Kafka. {}", "More of it. ".repeat(50));
    let id = agent.store(&content, &["queue"]);
    agent.finish();
    let mut agent = Agent::start(&sandbox);
    let found = agent.answer("recall_memory", json!({"tags": ["queue"], "exhaustive": true}));
    let memory = &found["results"][0];
    assert_eq!((&memory["summary"], &memory["memory_id"]), (&json!("Chose Kafka."), &json!(id)));
    assert_eq!(memory.get("content"), None, "the summary stands for it");
    let full = agent.answer("recall_memory", json!({"memory_id": id}))["results"][0].clone();
    assert_eq!(full["content"], content.trim());
}

#[test]
fn a_repeated_supersession_changes_nothing_and_one_that_would_hide_both_is_none() {
    let sandbox = Sandbox::without_git();
    let mut agent = Agent::start(&sandbox);
    let first = agent.store("Indent with tabs.", &[]);
    let call = json!({"content": "Indent with spaces.", "supersedes_memory_id": first});
    let second = agent.answer("store_memory", call.clone());
    let marked = agent.answer("recall_memory", json!({"memory_id": first}));
    let again = agent.answer("store_memory", call);
    assert_eq!(again["memory_id"], second["memory_id"]);
    assert!(again["message"].as_str().unwrap().contains("already"), "{again}");
    assert_eq!(agent.answer("recall_memory", json!({"memory_id": first})), marked);
    // The same text as the first one, which does not hold any more, is a memory of its own.
    let third =
        json!({"content": "Indent with tabs.", "supersedes_memory_id": second["memory_id"]});
    let third = agent.answer("store_memory", third);
    assert_ne!(third["memory_id"], first.as_str());
    assert_eq!(agent.contents(json!({"query": "indent"})), ["Indent with tabs."]);
    let other = agent.store("Wrap at 100 columns.", &[]);
    let dead = json!({"content": "Indent with tabs.", "id": first, "supersedes_memory_id": other});
    assert!(
        agent.refused("store_memory", dead).contains("does not hold now"),
        "it would hide both"
    );
}

#[test]
fn an_undone_supersession_lets_the_old_memory_answer_again() {
    let sandbox = Sandbox::without_git();
    let mut agent = Agent::start(&sandbox);
    let old = agent.store("Indent with tabs.", &[]);
    agent.answer("store_memory", json!({"content": "Use spaces.", "supersedes_memory_id": old}));
    assert_eq!(agent.contents(json!({"query": "tabs"})), ["Use spaces."]);
    sandbox.run(&["service", "undo", &old]).expect_code(0);
    assert_eq!(agent.contents(json!({"query": "tabs"})), ["Indent with tabs."]);
    sandbox.run(&["service", "undo", &old]).expect_code(0);
    assert_eq!(agent.contents(json!({"query": "tabs"})), ["Use spaces."]);
    let later = json!({"content": "Later.", "t_valid": "2090-01-01", "supersedes_memory_id": old});
    assert!(
        agent.refused("store_memory", later).contains("does not hold now"),
        "it would hide both"
    );
}
