//! What a retry stores again, and what an undo takes back.

use serde_json::json;

use super::server::Server;

#[test]
fn what_was_changed_or_deleted_since_is_stored_again() {
    let server = Server::start();
    let id = server.store(json!({"content": "text one"}));
    server.patch(&format!("/memory/{id}"), json!({"content": "text two"})).expect(200);
    assert_ne!(server.store(json!({"content": "text one"})), id);
    let batch = json!({"memories": [{"content": "b1"}, {"content": "b2"}]});
    let first = server.post("/memory/batch", batch.clone()).expect(201)["memory_ids"].clone();
    server.delete(&format!("/memory/{}", first[0].as_str().unwrap())).expect(200);
    let second = server.post("/memory/batch", batch).expect(201);
    assert_eq!((&second["duplicate"], &second["stored"]), (&json!(null), &json!(2)));
    assert_eq!(second["memory_ids"][1], first[1], "what is there is not stored twice");
    for id in second["memory_ids"].as_array().unwrap() {
        server.get(&format!("/memory/{}", id.as_str().unwrap())).expect(200);
    }
}

#[test]
fn an_undo_takes_back_a_relation_and_no_memory() {
    let server = Server::start();
    let (one, other) =
        (server.store(json!({"content": "a"})), server.store(json!({"content": "b"})));
    let link = |strength: f64| {
        let body = json!({"memory1_id": one, "memory2_id": other, "type": "LEADS_TO", "strength": strength});
        server.post("/associate", body).expect(201);
    };
    let undo =
        || server.post(&format!("/memory/{one}/undo"), json!({})).expect(200)["undone"].clone();
    let strength = || {
        let related =
            server.get(&format!("/graph/neighbors/{one}?include_semantic=false")).expect(200);
        let edges = related["edges"].as_array().unwrap().clone();
        edges.iter().find(|edge| edge["type"] == "LEADS_TO").map(|edge| edge["strength"].clone())
    };
    link(0.4);
    link(0.9);
    assert_eq!((undo(), strength()), (json!("related"), Some(json!(0.4))));
    assert_eq!((undo(), strength()), (json!("undone"), Some(json!(0.9))));
    link(0.9);
    assert_eq!(
        (undo(), strength()),
        (json!("undone"), Some(json!(0.4))),
        "the same again is no change"
    );
    server.get(&format!("/memory/{one}")).expect(200);
}

#[test]
fn what_was_said_of_a_relation_is_forgotten_with_either_memory() {
    let mut server = Server::start();
    let one = server.store(json!({"content": "a"}));
    let other = server.store(json!({"content": "b"}));
    for reason in ["zanzibar", "timbuktu"] {
        let body = json!({"memory1_id": one, "memory2_id": other, "type": "PREFERS_OVER", "reason": reason});
        server.post("/associate", body).expect(201);
    }
    server.post(&format!("/memory/{one}/undo"), json!({})).expect(200);
    server.delete(&format!("/memory/{other}?forget=true")).expect(200);
    server.post(&format!("/memory/{one}/undo"), json!({})).expect(409);
    server.end();
    for entry in std::fs::read_dir(server.data()).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("zanzibar") && !text.contains("timbuktu"));
    }
}

#[test]
fn a_change_that_changes_nothing_hides_no_other_from_an_undo() {
    let server = Server::start();
    let id = server.store(json!({"content": "v0"}));
    for _ in 0..2 {
        server.patch(&format!("/memory/{id}"), json!({"content": "v1"})).expect(200);
    }
    let undone = server.post(&format!("/memory/{id}/undo"), json!({})).expect(200);
    assert_eq!(undone["memory"]["content"], "v0");
    server.delete(&format!("/memory/{id}?forget=maybe")).expect(400);
}
