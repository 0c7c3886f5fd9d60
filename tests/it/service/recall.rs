//! What is recalled, in which order, and what is left out.

use serde_json::{Value, json};

use super::server::Server;

/// Returns the contents of the answers, in their order.
fn contents(answer: &Value) -> Vec<&str> {
    let results = answer["results"].as_array().unwrap().iter();
    results.map(|result| result["memory"]["content"].as_str().unwrap()).collect()
}

#[test]
fn what_holds_most_of_a_question_comes_first() {
    let server = Server::start();
    for content in
        ["The deploys run on Mondays", "Tokens rotate daily", "Refresh tokens rotate on deploys"]
    {
        server.store(json!({ "content": content }));
    }
    let answer = server.get("/recall?query=when+do+refresh+tokens+rotate%3F").expect(200);
    assert_eq!(contents(&answer)[..2], ["Refresh tokens rotate on deploys", "Tokens rotate daily"]);
    assert_eq!(answer["results"][0]["match_type"], "keyword");
    assert_eq!(server.get("/recall?query=zebra").expect(200)["count"], 0);
}

#[test]
fn a_turn_answers_the_turn_before_it() {
    let server = Server::start();
    let turns = [
        "Ada: where did you spend the summer?",
        "Bob: In Oslo, mostly.",
        "Ada: Nice, and the cat?",
    ];
    let memory =
        |content: &&str| json!({"content": content, "tags": ["talk-1"], "timestamp": "2026-05-01"});
    let memories: Vec<Value> = turns.iter().map(memory).collect();
    server.post("/memory/batch", json!({ "memories": memories })).expect(201);
    let answer = server.get("/recall?query=where+summer+spend").expect(200);
    assert!(contents(&answer).contains(&"Bob: In Oslo, mostly."), "{answer}");
    // What stands beside a fact says nothing of it.
    let facts = ["The build runs on Mondays", "Tea is served at four"];
    let fact =
        |content: &&str| json!({"content": content, "tags": ["facts"], "timestamp": "2026-05-01"});
    let memories: Vec<Value> = facts.iter().map(fact).collect();
    server.post("/memory/batch", json!({ "memories": memories })).expect(201);
    assert_eq!(contents(&server.get("/recall?query=build+mondays").expect(200)), [facts[0]]);
}

#[test]
fn tags_narrow_by_level_and_both_signs_are_one() {
    let server = Server::start();
    server.store(json!({"content": "one note", "tags": ["docs/api/v2"]}));
    server.store(json!({"content": "other note", "tags": ["docs:web"]}));
    let count = |query: &str| {
        server.get(&format!("/recall?query=note&{query}")).expect(200)["count"].clone()
    };
    assert_eq!(count("tags=docs"), 2);
    assert_eq!(count("tags=DOCS:API"), 1);
    assert_eq!(count("tags=docs/api"), 1);
    assert_eq!(count("tags=docs&tag_match=exact"), 0);
    assert_eq!(count("tags=doc"), 0);
    assert_eq!(count("tags=docs:web,docs:api&tag_mode=all"), 0);
    assert_eq!(count("exclude_tags=docs:api"), 1);
}

#[test]
fn what_does_not_hold_now_is_history() {
    let server = Server::start();
    server.store(json!({"content": "plan expired", "t_invalid": "2020-01-01T00:00:00Z"}));
    server.store(json!({"content": "plan of the future", "t_valid": "2099-01-01T00:00:00Z"}));
    server.store(json!({"content": "plan of today"}));
    let current = server.get("/recall?query=plan&state_debug=true").expect(200);
    assert_eq!(contents(&current), ["plan of today"]);
    assert_eq!(current["state_filter"]["suppressed_count"], 2);
    let reasons: Vec<&Value> = current["state_filter"]["suppressed"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["reason"])
        .collect();
    assert!(reasons.contains(&&json!("expired")) && reasons.contains(&&json!("not_yet_valid")));
    let history = server.get("/recall?query=plan&state_mode=history").expect(200);
    assert_eq!(history["count"], 3);
}

#[test]
fn the_end_of_a_chain_stands_for_what_it_replaces() {
    let server = Server::start();
    let ids: Vec<String> = ["we use MySQL", "we use Postgres now", "only SQLite is left"]
        .iter()
        .map(|content| server.store(json!({ "content": content })))
        .collect();
    for (old, new, kind) in [(0, 1, "EVOLVED_INTO"), (1, 2, "INVALIDATED_BY")] {
        let body = json!({"memory1_id": ids[old], "memory2_id": ids[new], "type": kind});
        server.post("/associate", body).expect(201);
    }
    let answer = server.get("/recall?query=MySQL").expect(200);
    assert_eq!(contents(&answer), ["only SQLite is left"]);
    assert_eq!(answer["results"][0]["match_type"], "state_replacement");
    // A text and no list: the tools of the client say so.
    assert_eq!(answer["results"][0]["state_replaces"], ids[0].as_str());
    // A circle leaves out nothing for ever.
    let back = json!({"memory1_id": ids[2], "memory2_id": ids[0], "type": "EVOLVED_INTO"});
    server.post("/associate", back).expect(201);
    server.get("/recall?query=MySQL").expect(200);
}

#[test]
fn relations_lead_to_what_the_question_does_not_name() {
    let server = Server::start();
    let bug = server.store(json!({"content": "Login fails with umlauts"}));
    let fix = server.store(json!({"content": "Normalise input with NFC"}));
    server
        .post("/associate", json!({"memory1_id": fix, "memory2_id": bug, "type": "DERIVED_FROM"}))
        .expect(201);
    let plain = server.get("/recall?query=login+umlauts").expect(200);
    assert_eq!(plain["count"], 1);
    assert_eq!(plain["results"][0]["relations"][0]["memory"]["id"], fix.as_str());
    let expanded = server.get("/recall?query=login+umlauts&expand_relations=true").expect(200);
    assert_eq!(contents(&expanded), ["Login fails with umlauts", "Normalise input with NFC"]);
    assert_eq!(expanded["results"][1]["related_to"], json!([bug]));
    assert_eq!(expanded["expansion"]["expanded_count"], 1);
}

#[test]
fn vectors_find_what_has_no_word_of_the_question() {
    let server = Server::start();
    for (content, embedding) in [("north", [1.0, 0.0, 0.0]), ("east", [0.0, 1.0, 0.0])] {
        server.store(json!({"content": content, "embedding": embedding}));
    }
    let answer = server.get("/recall?query=polar&embedding=0.9,0.1,0").expect(200);
    assert_eq!(contents(&answer)[0], "north");
    assert_eq!(answer["results"][0]["match_type"], "vector");
    assert_eq!(answer["vector_search"], json!({"enabled": true, "matched": true}));
    assert_eq!(server.get("/recall?embedding=1,2").expect(400)["field"], "embedding");
    assert_eq!(
        server.post("/memory", json!({"content": "x", "embedding": [1, 2]})).expect(400)["field"],
        "embedding"
    );
}

#[test]
fn a_stretch_of_time_is_named_in_words_or_by_its_ends() {
    let server = Server::start();
    server.store(json!({"content": "old", "timestamp": "2020-05-05T00:00:00Z"}));
    server.store(json!({"content": "new"}));
    assert_eq!(contents(&server.get("/recall?time_query=today").expect(200)), ["new"]);
    let range = server.get("/recall?start=2020-01-01&end=2020-12-31").expect(200);
    assert_eq!(contents(&range), ["old"]);
    assert_eq!(range["sort"], "time_desc");
    let odd = server.get("/recall?time_query=blurb").expect(200);
    assert_eq!(odd["count"], 2);
    assert!(odd["warnings"][0].as_str().unwrap().contains("blurb"), "{odd}");
    assert_eq!(server.get("/recall?start=zzz").expect(400)["field"], "start");
}

#[test]
fn a_scope_that_has_too_little_falls_back() {
    let server = Server::start();
    server.store(json!({"content": "note inside", "tags": ["a"]}));
    server.store(json!({"content": "note outside", "tags": ["b"]}));
    let answer = server.get("/recall?query=note&tags=a&scope_fallback=true").expect(200);
    assert_eq!(contents(&answer), ["note inside", "note outside"]);
    assert_eq!(answer["results"][1]["outside_tag_scope"], true);
    assert_eq!(answer["scope_fallback"], true);
}

#[test]
fn the_context_of_the_caller_comes_first() {
    let server = Server::start();
    server.store(json!({"content": "errors are values", "tags": ["rust-style"], "type": "Style"}));
    server.store(json!({"content": "errors are printed in red"}));
    let answer =
        server.get("/recall?query=errors&context=coding-style&active_path=src/a.rs").expect(200);
    assert_eq!(contents(&answer)[0], "errors are values");
    assert_eq!(answer["context_priority"]["language"], "rust");
}

#[test]
fn what_says_the_same_is_an_answer_once() {
    let server = Server::start();
    let first = server.store(json!({"content": "Ship on Friday", "importance": 0.9}));
    let second = server.store(json!({"content": "ship  on friday"}));
    let answer = server.get("/recall?query=ship+friday").expect(200);
    assert_eq!((&answer["count"], &answer["dedup_removed"]), (&json!(1), &json!(1)));
    assert_eq!(answer["results"][0]["id"], first.as_str());
    assert_eq!(answer["results"][0]["deduped_from"], json!([second]));
}

#[test]
fn a_tag_that_begins_as_a_derived_one_is_found() {
    let server = Server::start();
    server.store(json!({"content": "one", "tags": ["entity-model", "entity:mine"]}));
    for tag in ["entity-model", "entity:mine", "entity"] {
        let answer = server.get(&format!("/recall?tags={tag}")).expect(200);
        assert_eq!(answer["count"], 1, "{tag}");
    }
}

#[test]
fn derived_tags_are_found_and_excluded() {
    let server = Server::start();
    server.store(json!({"content": "we run Kafka here"}));
    server.wait_for_enrichment();
    let count = |query: &str| {
        server.get(&format!("/recall?query=run&{query}")).expect(200)["count"].clone()
    };
    assert_eq!(count("tags=entity:tools:kafka"), 1);
    assert_eq!(count("exclude_tags=entity:tools:kafka"), 0);
}

#[test]
fn the_order_of_time_is_that_of_all_answers() {
    let server = Server::start();
    for day in 1..=8 {
        let importance = 1.0 - f64::from(day) / 10.0;
        let time = format!("2026-01-0{day}");
        server.store(
            json!({"content": format!("note {day}"), "timestamp": time, "importance": importance}),
        );
    }
    let answer = server.get("/recall?query=note&sort=time_desc&limit=2").expect(200);
    assert_eq!(contents(&answer), ["note 8", "note 7"]);
}

#[test]
fn what_holds_is_not_hidden_by_what_said_the_same_and_has_expired() {
    let server = Server::start();
    let expired =
        json!({"content": "Ship on Friday", "importance": 0.9, "t_invalid": "2020-01-01"});
    server.store(expired);
    let valid = server.store(json!({"content": "ship on friday"}));
    let answer = server.get("/recall?query=ship+friday").expect(200);
    assert_eq!(answer["results"][0]["id"], valid.as_str());
}

#[test]
fn what_is_related_must_hold_and_be_wanted_too() {
    let server = Server::start();
    let seed = server.store(json!({"content": "Login fails"}));
    let relate = |content: &str, tag: &str| {
        let other = server.store(json!({"content": content, "tags": [tag]}));
        server.post("/associate", json!({"memory1_id": seed, "memory2_id": other})).expect(201);
        other
    };
    let old = relate("replaced advice", "a");
    relate("unwanted advice", "b");
    let new = server.store(json!({"content": "present advice"}));
    let replaced = json!({"memory1_id": old, "memory2_id": new, "type": "EVOLVED_INTO"});
    server.post("/associate", replaced).expect(201);
    let answer = server.get("/recall?query=login&expand_relations=true&exclude_tags=b").expect(200);
    assert_eq!(contents(&answer), ["Login fails"]);
}

#[test]
fn recall_is_set_by_the_names_that_its_clients_know() {
    let server = Server::with(
        &[],
        &[
            ("SEARCH_RECENCY_WINDOW_DAYS", "100"),
            ("SEARCH_RECENCY_CURVE", "exp"),
            ("SEARCH_TAG_SCORE_TOKEN_CAP", "2"),
            ("SEARCH_WEIGHT_TEMPORAL", "7"),
            ("RECALL_RELEVANCE_GATE", "0.9"),
            ("RECALL_EXCLUDED_TYPES", "Habit, Style"),
            ("RECALL_RECENCY_BIAS", "on"),
        ],
    );
    let note = |content: &str, kind: &str, day: &str| json!({"content": content, "type": kind, "timestamp": day, "tags": ["note"]});
    server.store(note("a note of winter", "Context", "2026-01-01"));
    server.store(note("a note of spring", "Context", "2026-04-11"));
    server.store(note("a note of habit", "Habit", "2026-04-11"));
    let answer = server
        .get("/recall?query=note+about+walrus+zebra+okapi&tags=note&sort=time_asc")
        .expect(200);
    assert_eq!(contents(&answer), ["a note of winter", "a note of spring"]);
    let part = |at: usize, name: &str| {
        answer["results"][at]["score_components"][name].as_f64().unwrap_or_default()
    };
    let times = part(1, "recency") / part(0, "recency");
    assert!((times - 2.0).abs() < 0.001, "{answer}");
    assert_eq!((part(0, "tag"), part(1, "temporal")), (0.5, 1.0), "{answer}");
    assert_eq!(answer["results"][0]["score_components"]["relevance_gated"], true, "{answer}");
    assert_eq!(answer["tag_scope"]["gated_low_evidence"], 2, "{answer}");
    assert!(answer["results"][1]["score"].as_f64() > Some(7.0), "{answer}");
    let off = server.get("/recall?query=note&recency_bias=off").expect(200);
    assert_eq!(off["results"][0]["score_components"]["temporal"], Value::Null, "{off}");
}

#[test]
fn types_and_tags_that_are_not_wanted_take_no_place_of_an_answer() {
    let server = Server::with(&[], &[("RECALL_EXCLUDED_TYPES", "Habit")]);
    let many = |fields: Value| {
        let memory = |number: u32| {
            let mut memory = fields.clone();
            memory["content"] = format!("note {number}").into();
            memory["importance"] = 0.9.into();
            memory
        };
        let memories: Vec<Value> = (0..80).map(memory).collect();
        server.post("/memory/batch", json!({ "memories": memories })).expect(201);
    };
    many(json!({"type": "Habit"}));
    many(json!({"type": "Context", "tags": ["old:draft"]}));
    server.store(json!({"content": "a note of another kind", "importance": 0.1}));
    for query in ["?", "?query=note&", "?sort=time_asc&"] {
        let found = server.get(&format!("/recall{query}exclude_tags=old")).expect(200);
        assert_eq!(contents(&found), ["a note of another kind"], "{query}");
    }
}
