//! Memories are stored, read, changed, related, deleted and taken back.

use serde_json::{Value, json};

use super::server::Server;

#[test]
fn what_is_stored_is_read_as_it_was_said() {
    let server = Server::start();
    let id = server.store(json!({
        "content": "  Chose SQLite over Postgres.  ", "tags": "db, Docs/API ,", "importance": 0.9,
        "metadata": {"repo": "acme", "gone": null}, "timestamp": "2026-01-02T03:04:05+01:00",
    }));
    let memory = server.get(&format!("/memory/{id}")).expect(200)["memory"].clone();
    assert_eq!(memory["content"], "Chose SQLite over Postgres.");
    assert_eq!(memory["tags"], json!(["db", "Docs/API"]));
    assert_eq!(memory["tag_prefixes"], json!(["db", "docs", "docs:api"]));
    assert_eq!(memory["metadata"], json!({"repo": "acme"}));
    assert_eq!(memory["timestamp"], "2026-01-02T02:04:05+00:00");
    assert_eq!(memory["t_valid"], memory["timestamp"]);
    assert_eq!((&memory["type"], &memory["confidence"]), (&json!("Decision"), &json!(0.6)));
}

#[test]
fn all_that_is_wrong_with_a_request_is_said_at_once() {
    let server = Server::start();
    let refused = server.post(
        "/memory",
        json!({"content": "", "importance": 2, "type": "Fact", "t_valid": "soon", "id": "x", "confidence": "?"}),
    );
    let body = refused.expect(400);
    let fields: Vec<&str> =
        body["errors"].as_array().unwrap().iter().map(|it| it["field"].as_str().unwrap()).collect();
    assert_eq!(fields, ["id", "content", "type", "confidence", "importance", "t_valid"]);
    assert_eq!(body["field"], "id");
    assert_eq!(server.get("/recall").expect(200)["count"], 0);
}

#[test]
fn the_size_of_a_content_is_counted_in_characters() {
    let server = Server::start();
    server.post("/memory", json!({"content": "é".repeat(2_000)})).expect(201);
    let refused = server.post("/memory", json!({"content": "é".repeat(2_001)})).expect(400);
    assert_eq!(refused["field"], "content");
    assert!(refused["message"].as_str().unwrap().contains("(2001 provided)"), "{refused}");
}

#[test]
fn a_batch_is_stored_as_a_whole_or_not_at_all() {
    let server = Server::start();
    let good = json!({"content": "one"});
    let refused = server.post(
        "/memory/batch",
        json!({"memories": [good, {"content": "two", "importance": 9}, {"content": 3}]}),
    );
    let refused = refused.expect(400);
    assert_eq!(refused["field"], "memories[1].importance");
    assert_eq!(server.get("/recall").expect(200)["count"], 0);
    let stored =
        server.post("/memory/batch", json!({"memories": [{"content": "one"}, {"content": "two"}]}));
    assert_eq!(stored.expect(201)["stored"], 2);
}

#[test]
fn an_id_of_ones_own_is_kept_and_never_overwritten() {
    let server = Server::start();
    let id = "11111111-1111-4111-8111-111111111111";
    let body = json!({"content": "mine", "id": id});
    assert_eq!(server.post("/memory", body.clone()).expect(201)["memory_id"], id);
    assert_eq!(server.post("/memory", body).expect(200)["memory_id"], id);
    let refused = server.post("/memory", json!({"content": "other", "id": id})).expect(409);
    assert_eq!(refused["code"], 409);
    let memory = server.get(&format!("/memory/{id}")).expect(200);
    assert_eq!(memory["memory"]["content"], "mine");
}

#[test]
fn a_request_that_is_sent_twice_stores_once() {
    let server = Server::start();
    let body = json!({"content": "retried", "tags": ["a"]});
    let first = server.post("/memory", body.clone()).expect(201);
    let second = server.post("/memory", body.clone()).expect(201);
    assert_eq!(first["memory_id"], second["memory_id"]);
    assert_eq!((&first["duplicate"], &second["duplicate"]), (&Value::Null, &json!(true)));
    let third = server.post("/memory", json!({"content": "retried"})).expect(201);
    assert_ne!(first["memory_id"], third["memory_id"]);
}

#[test]
fn a_named_request_is_known_by_its_name() {
    let server = Server::start();
    let bearer = format!("Bearer {}", super::server::TOKEN);
    let headers = [("Authorization", bearer.as_str()), ("Idempotency-Key", "k1")];
    let send = |content: &str| {
        let body = json!({ "content": content }).to_string();
        server.send("POST", "/memory", &headers, Some(&body))
    };
    let first = send("named").expect(201);
    assert_eq!(send("named").expect(201)["memory_id"], first["memory_id"]);
    send("another").expect(409);
    let named_otherwise = [headers[0], ("Idempotency-Key", "k2")];
    let body = json!({"content": "named"}).to_string();
    let again = server.send("POST", "/memory", &named_otherwise, Some(&body)).expect(201);
    assert_eq!((&again["memory_id"], &again["duplicate"]), (&first["memory_id"], &json!(true)));
}

#[test]
fn a_patch_merges_metadata_and_null_removes_a_key() {
    let server = Server::start();
    let id = server.store(json!({"content": "a", "metadata": {"a": 1, "b": {"c": 2}}}));
    let patched = server.patch(
        &format!("/memory/{id}"),
        json!({"metadata": {"a": null, "b": {"d": 3}, "e": 4}, "importance": 0.7}),
    );
    let memory = patched.expect(200)["memory"].clone();
    assert_eq!(memory["metadata"], json!({"b": {"d": 3}, "e": 4}));
    assert_eq!(memory["importance"], 0.7);
    assert_ne!(memory["updated_at"], memory["timestamp"]);
    let path = format!("/memory/{id}");
    for (wrong, field) in [
        (json!({"importance": 7}), "importance"),
        (json!({"content": "é".repeat(2_001)}), "content"),
        (json!({"id": "11111111-1111-4111-8111-111111111111"}), "id"),
        (json!({"metadata": [1]}), "metadata"),
    ] {
        assert_eq!(server.patch(&path, wrong).expect(400)["field"], field);
    }
}

#[test]
fn the_checks_have_their_order() {
    let server = Server::start();
    let gone = "/memory/00000000-0000-4000-8000-000000000000";
    server.call("PATCH", "/memory/abc", Some("no json")).expect(400);
    server.call("PATCH", gone, Some("no json")).expect(400);
    server.patch(gone, json!({"importance": 7})).expect(404);
    server.send("PATCH", "/memory/abc", &[], Some("no json")).expect(401);
}

#[test]
fn a_deleted_memory_is_in_the_trash_alone_until_it_is_restored() {
    let server = Server::start();
    let one = server.store(json!({"content": "kettle", "tags": ["kitchen"]}));
    let other = server.store(json!({"content": "stove", "tags": ["kitchen"]}));
    server.post("/associate", json!({"memory1_id": one, "memory2_id": other})).expect(201);
    let path = format!("/memory/{one}");
    let deleted = server.delete(&path).expect(200);
    assert_eq!(deleted["message"], format!("Memory {one} deleted"));
    server.delete(&path).expect(404);
    server.get(&path).expect(404);
    assert_eq!(server.get("/recall?query=kettle").expect(200)["count"], 0);
    assert_eq!(server.get("/memory/by-tag?tags=kitchen").expect(200)["count"], 1);
    assert_eq!(server.get(&format!("/memories/{other}/related")).expect(200)["count"], 0);
    server.post("/memory", json!({"content": "kettle", "id": one})).expect(409);
    assert_eq!(server.get("/trash").expect(200)["memories"][0]["id"], one.as_str());
    server.post(&format!("/trash/{one}/restore"), json!({})).expect(200);
    assert_eq!(server.get("/recall?query=kettle").expect(200)["count"], 1);
    assert_eq!(server.get(&format!("/memories/{other}/related")).expect(200)["count"], 1);
}

#[test]
fn what_is_forgotten_is_in_no_file() {
    let mut server = Server::start();
    let id = server.store(json!({"content": "the zebra sleeps", "metadata": {"k": "okapi"}}));
    server.patch(&format!("/memory/{id}"), json!({"content": "the quagga sleeps"})).expect(200);
    let forgotten = server.delete(&format!("/memory/{id}?forget=true")).expect(200);
    assert_eq!(forgotten["forgotten"], true);
    assert_eq!(server.get("/trash").expect(200)["total"], 0);
    assert_eq!(server.end().0, Some(0));
    for entry in std::fs::read_dir(server.data()).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        for word in ["zebra", "quagga", "okapi"] {
            assert!(!text.contains(word), "{word}");
        }
    }
}

#[test]
fn a_history_tells_each_change_and_an_undo_takes_the_last_back() {
    let server = Server::start();
    let id = server.store(json!({"content": "first"}));
    let path = format!("/memory/{id}");
    server.patch(&path, json!({"content": "second"})).expect(200);
    let history = server.get(&format!("{path}/history")).expect(200)["history"].clone();
    assert_eq!(
        (&history[0]["action"], &history[1]["action"]),
        (&json!("stored"), &json!("updated"))
    );
    assert_eq!(history[1]["before"]["content"], "first");
    assert_eq!(history[0]["after"]["content"], "first");
    assert_eq!(history[1]["after"]["content"], "second");
    let undone = server.post(&format!("{path}/undo"), json!({})).expect(200);
    assert_eq!(
        (&undone["undone"], &undone["memory"]["content"]),
        (&json!("updated"), &json!("first"))
    );
    server.post(&format!("{path}/undo"), json!({})).expect(200);
    assert_eq!(server.get(&path).expect(200)["memory"]["content"], "second");
    server.delete(&path).expect(200);
    assert_eq!(server.post(&format!("{path}/undo"), json!({})).expect(200)["undone"], "deleted");
    assert_eq!(server.get(&path).expect(200)["memory"]["content"], "second");
}

#[test]
fn relations_keep_what_their_type_has() {
    let server = Server::start();
    let (a, b) = (server.store(json!({"content": "a"})), server.store(json!({"content": "b"})));
    let set = server.post(
        "/associate",
        json!({"memory1_id": a, "memory2_id": b, "type": "PREFERS_OVER", "strength": 0.8, "reason": "r", "role": "x"}),
    );
    let set = set.expect(201);
    assert_eq!((&set["reason"], &set["role"]), (&json!("r"), &Value::Null));
    let batch = json!({"associations": [
        {"memory1_id": a, "memory2_id": b, "type": "LEADS_TO", "strength": 0.5},
        {"memory1_id": a, "memory2_id": a, "type": "LEADS_TO", "strength": 0.5},
    ]});
    let batch = server.post("/associate", batch).expect(207);
    assert_eq!((&batch["created_count"], &batch["failed_count"]), (&json!(1), &json!(1)));
    assert_eq!(batch["failed"][0]["field"], "associations[1].memory2_id");
    let related = server.get(&format!("/memories/{b}/related")).expect(200);
    assert_eq!(related["related_memories"][0]["id"], a.as_str());
}

#[test]
fn a_list_of_pairs_that_is_null_is_absent() {
    let server = Server::start();
    let [one, other] = ["one", "two"].map(|text| server.store(json!({ "content": text })));
    let pair = json!({"memory1_id": one, "memory2_id": other, "associations": null});
    server.post("/associate", pair).expect(201);
}

#[test]
fn a_page_of_a_tag_says_whether_there_is_more() {
    let server = Server::start();
    for (content, importance) in [("low", 0.1), ("high", 0.9), ("middle", 0.5)] {
        server.store(json!({"content": content, "tags": ["T:x"], "importance": importance}));
    }
    let page = server.get("/memory/by-tag?tags=t/X&limit=2").expect(200);
    assert_eq!((&page["count"], &page["has_more"]), (&json!(2), &json!(true)));
    assert_eq!(page["memories"][0]["content"], "high");
    assert_eq!(page["results"][0]["match_type"], "tag");
    assert_eq!(page["results"][0]["final_score"], 0.9);
    let rest = server.get("/memory/by-tag?tags=t:x&limit=2&offset=2").expect(200);
    assert_eq!((&rest["count"], &rest["has_more"]), (&json!(1), &json!(false)));
    assert_eq!(server.get("/memory/by-tag?tags=t").expect(200)["count"], 0);
    assert_eq!(server.delete("/memory/by-tag?tags=T:x").expect(200)["deleted_count"], 3);
}

#[test]
fn secrets_and_hidden_characters_are_refused_wherever_they_stand() {
    let server = Server::start();
    let token = format!("ghp_{}", "16C7e42F292c6912E7710c838347Ae178B4a");
    for body in [
        json!({ "content": format!("it is {token}") }),
        json!({"content": "x", "metadata": {"a": [token]}}),
        json!({"content": "x", "tags": [token]}),
        json!({ "content": "x", "type": token }),
    ] {
        let refused = server.post("/memory", body);
        assert!(!refused.text.contains(&token), "{}", refused.text);
        refused.expect(400);
    }
    let refused = server.post("/memory", json!({"content": "a\u{202e}b"})).expect(400);
    assert_eq!(refused["field"], "content");
}

#[test]
fn a_batch_that_the_database_refuses_leaves_nothing() {
    let server = Server::start();
    let taken = server.store(json!({"content": "taken"}));
    for second in
        [json!({"content": "two", "embedding": [1, 2, 3]}), json!({"content": "two", "id": taken})]
    {
        let batch = json!({"memories": [{"content": "one", "embedding": [1, 2]}, second]});
        let answer = server.post("/memory/batch", batch);
        assert!([400, 409].contains(&answer.status), "{}", answer.text);
        assert_eq!(server.get("/recall?query=one").expect(200)["count"], 0);
    }
}

#[test]
fn what_is_no_json_is_refused_and_does_nothing() {
    let server = Server::start();
    for (method, path) in [("POST", "/memory"), ("POST", "/consolidate"), ("POST", "/associate")] {
        let refused = server.call(method, path, Some("{\"dry_run\": false")).expect(400);
        assert_eq!(refused["message"], "JSON body is required", "{path}");
    }
    server.call("POST", "/consolidate", None).expect(200);
}

#[test]
fn an_id_in_the_trash_is_named_as_such() {
    let server = Server::start();
    let id = server.store(json!({"content": "old"}));
    server.delete(&format!("/memory/{id}")).expect(200);
    let refused = server.post("/memory", json!({"content": "old", "id": id})).expect(409);
    assert!(refused["message"].as_str().unwrap().contains("in the trash"), "{refused}");
}

#[test]
fn tags_have_limits_as_each_level_is_a_row() {
    let server = Server::start();
    let id = server.store(json!({"content": "a"}));
    let deep = vec!["x"; 17].join("/");
    let many: Vec<String> = (0..101).map(|number| format!("t{number}")).collect();
    for tags in [json!([deep]), json!(many), json!(["y".repeat(201)])] {
        let refused = server.post("/memory", json!({"content": "b", "tags": tags})).expect(400);
        assert_eq!(refused["field"], "tags");
        let refused = server.patch(&format!("/memory/{id}"), json!({ "tags": tags })).expect(400);
        assert_eq!(refused["field"], "tags");
    }
    server.store(json!({"content": "c", "tags": [vec!["x"; 16].join("/")]}));
}

#[test]
fn a_restored_memory_does_not_change_the_size_of_vectors() {
    let server = Server::start();
    let old = server.store(json!({"content": "old", "embedding": [1, 0]}));
    server.delete(&format!("/memory/{old}")).expect(200);
    server.store(json!({"content": "new", "embedding": [1, 0, 0]}));
    server.post(&format!("/trash/{old}/restore"), json!({})).expect(200);
    server.store(json!({"content": "newer", "embedding": [0, 1, 0]}));
    let answer = server.get("/recall?embedding=1,0,0").expect(200);
    assert_eq!(answer["results"][0]["memory"]["content"], "new");
}

#[test]
fn a_value_that_its_name_makes_a_secret_is_refused() {
    let server = Server::start();
    let body = json!({"content": "x", "metadata": {"password": "Xk29dkfjslaKsd93k"}});
    assert_eq!(server.post("/memory", body).expect(400)["field"], "metadata.password");
}

#[test]
fn a_history_has_pages_and_each_change_tells_what_it_left() {
    let server = Server::start();
    let id = server.store(json!({"content": "text 0"}));
    let path = format!("/memory/{id}");
    for number in 1..=6 {
        server.patch(&path, json!({"content": format!("text {number}")})).expect(200);
    }
    let page = |query: &str| server.get(&format!("{path}/history?{query}")).expect(200);
    let texts = |page: &Value| -> Vec<String> {
        let entries = page["history"].as_array().unwrap().iter();
        entries.map(|it| it["after"]["content"].as_str().unwrap().to_owned()).collect()
    };
    let first = page("limit=3");
    assert_eq!(texts(&first), ["text 0", "text 1", "text 2"]);
    assert_eq!((&first["total"], &first["has_more"]), (&json!(7), &json!(true)), "{first}");
    let last = page("limit=3&offset=6");
    assert_eq!((texts(&last), &last["has_more"]), (vec!["text 6".to_owned()], &json!(false)));
    assert_eq!(page("offset=7")["count"], 0);
    assert_eq!(page("limit=9999")["limit"], 200);
    assert_eq!(page("")["limit"], 50);
}

#[test]
fn a_page_of_the_trash_says_whether_there_is_more() {
    let server = Server::start();
    for number in 0..3 {
        let id = server.store(json!({"content": format!("note {number}")}));
        server.delete(&format!("/memory/{id}")).expect(200);
    }
    let more = |query: &str| server.get(&format!("/trash?{query}")).expect(200)["has_more"].clone();
    assert_eq!([more("limit=2"), more("limit=2&offset=2"), more("")], [true, false, false]);
}

#[test]
fn unknown_fields_are_ignored_and_named_wherever_a_body_has_them() {
    let server = Server::start();
    let ada = json!({"content": "Ada Lovelace wrote it"});
    let (a, b) = (server.store(json!({"content": "Ada said no"})), server.store(ada));
    server.wait_for_enrichment();
    let pair = json!({"memory1_id": a, "memory2_id": b, "zeal": 1});
    let bearer = format!("Bearer {}", super::server::TOKEN);
    let headers = [("Authorization", bearer.as_str()), ("X-Admin-Token", super::server::ADMIN)];
    for (method, path, body, unknown) in [
        ("POST", "/memory".to_owned(), json!({"content": "x", "zeal": 1}), "`zeal`"),
        ("PATCH", format!("/memory/{a}"), json!({"importance": 0.6, "zeal": 1}), "`zeal`"),
        (
            "POST",
            "/memory/batch".to_owned(),
            json!({"memories": [{"content": "y"}], "zeal": 1}),
            "`zeal`",
        ),
        (
            "POST",
            "/memory/batch".to_owned(),
            json!({"memories": [{"content": "z", "zeal": 1}]}),
            "`memories[0].zeal`",
        ),
        ("POST", "/associate".to_owned(), pair.clone(), "`zeal`"),
        (
            "POST",
            "/associate".to_owned(),
            json!({"associations": [pair]}),
            "`associations[0].zeal`",
        ),
        ("POST", "/associate".to_owned(), json!({"associations": [pair], "zest": 1}), "`zest`"),
        ("POST", "/consolidate".to_owned(), json!({"zeal": 1}), "`zeal`"),
        ("POST", "/admin/sync".to_owned(), json!({"zeal": 1}), "`zeal`"),
        ("POST", "/admin/reembed".to_owned(), json!({"zeal": 1}), "`zeal`"),
        ("POST", "/enrichment/reprocess".to_owned(), json!({"ids": [a], "zeal": 1}), "`zeal`"),
        (
            "POST",
            "/entity/ada/merge".to_owned(),
            json!({"merge_into": "ada-lovelace", "zeal": 1}),
            "`zeal`",
        ),
    ] {
        let answer = server.send(method, &path, &headers, Some(&body.to_string()));
        assert!((200..300).contains(&answer.status), "{path} {}", answer.text);
        let warnings = answer.body["warnings"].to_string();
        assert!(warnings.contains(unknown), "{path} {body}: {}", answer.text);
    }
}
