//! L1 to L15, L28 to L32, L34, L35, L39 and L40: what is changed, and what arguments are wrong.

use serde_json::{Value, json};

use super::world::{World, call, check, context, context_with, of, shared, status};

const UPDATED: &str = "updated_successfully";
const DELETED: &str = "deleted_successfully";

#[test]
fn l1_a_shared_memory_gets_another_content() {
    let (world, data) = call(shared(1, "Meetings are on Mondays"), UPDATED);
    assert_eq!(world.content(1).as_deref(), Some("Meetings are on Mondays"));
    assert_eq!((&data["scope"], &data["memory_id"]), (&json!("server_wide"), &json!(1)));
    assert_eq!(data["content_saved"], "Meetings are on Mondays");
    let generation = world.generations()["server:s1"];
    assert_eq!(data["invalidated"], json!([{"key": "server:s1", "generation": generation}]));
    let notice = &data["notification"];
    assert_eq!((&notice["color"], &notice["event"]), (&json!("amber"), &json!("memory_updated")));
    assert_eq!((&notice["persona"], &notice["footer"]), (&json!("Tomo"), &json!("shared")));
    let event = world.events().pop().unwrap();
    assert_eq!((&event["event"], &event["about"]), (&json!("memory_updated"), &json!("1")));
    assert_eq!(event["keys"], json!(["server:s1"]));
    assert!(!event.to_string().contains("Mondays"), "{event}");
}

#[test]
fn l2_an_empty_content_deletes_and_returns_what_was_there() {
    let (world, data) = call(shared(1, ""), DELETED);
    assert_eq!(world.content(1), None);
    assert_eq!(data["content_deleted"], "Meetings are on Fridays");
    let notice = &data["notification"];
    assert_eq!((&notice["color"], &notice["event"]), (&json!("red"), &json!("memory_deleted")));
    assert_eq!(notice["content"], "Meetings are on Fridays");
}

#[test]
fn l3_a_blank_content_deletes() {
    assert_eq!(call(shared(1, " \n\t"), DELETED).0.content(1), None);
}

#[test]
fn l4_a_personal_memory_raises_the_generation_of_the_person_alone() {
    let before = World::new().generations();
    let (world, data) = call(of(2, "{user} likes coffee", "Ada"), UPDATED);
    assert_eq!(world.content(2).as_deref(), Some("{user} likes coffee"));
    assert_eq!((&data["scope"], &data["target_user"]), (&json!("target_user"), &json!("u1")));
    let mut expected = before.clone();
    expected.insert("user:u1".to_owned(), before["user:u1"] + 1);
    assert_eq!(world.generations(), expected);
    let notice = &data["notification"];
    assert_eq!((&notice["person"], &notice["footer"]), (&json!("Ada"), &json!("manage")));
}

#[test]
fn l5_a_personal_memory_is_deleted_by_a_name_in_any_case() {
    let (world, data) = call(of(2, "", "ada"), DELETED);
    assert_eq!((world.content(2), &data["content_deleted"]), (None, &json!("{user} likes tea")));
}

#[test]
fn l6_what_is_true_for_every_character_may_be_changed() {
    assert_eq!(call(of(3, "x", "Ada"), UPDATED).0.content(3).as_deref(), Some("x"));
}

#[test]
fn l7_to_l11_a_number_of_others_is_not_found_whatever_it_is() {
    let calls = [
        of(8, "x", "Ada"),
        shared(4, "x"),
        shared(5, "x"),
        shared(2, "x"),
        of(1, "x", "Ada"),
        shared(99, "x"),
        of(7, "x", "Ada"),
        of(99, "", "Ada"),
        shared(9_007_199_254_740_991_u64, ""),
    ];
    let world = World::new();
    let before = world.state();
    let answers: Vec<Value> =
        calls.into_iter().map(|arguments| world.update(&context(), arguments).value).collect();
    assert_eq!(world.state(), before);
    assert_eq!(answers[0]["data"]["status"], "memory_update_failed_not_found");
    // None of them tells what is there.
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
}

/// Calls the tool with wrong arguments, all in one world.
#[track_caller]
fn all_are(context: &Value, calls: &[Value], expected: &str) {
    let world = World::new();
    let before = world.state();
    for arguments in calls {
        let answer = world.update(context, arguments.clone());
        assert_eq!((status(&answer).as_str(), answer.code), (expected, 1), "{arguments}");
    }
    assert_eq!(world.state(), before);
}

#[test]
fn l12_a_number_that_is_no_safe_integer_above_0_is_invalid() {
    let numbers = [
        json!(0),
        json!(-1),
        json!(1.5),
        json!(9_007_199_254_740_992_u64),
        json!("1"),
        json!(null),
        json!(true),
        json!([1]),
    ];
    let mut calls: Vec<Value> = numbers.into_iter().map(|number| shared(number, "x")).collect();
    calls.push(json!({"memory_content": "x"}));
    all_are(&context(), &calls, "invalid_args");
    for number in ["1.0", "1e0", "0.1e1"] {
        let world = World::new();
        let arguments = format!("{{\"memory_id\": {number}, \"memory_content\": \"x\"}}");
        let call = format!("{{\"context\": {}, \"arguments\": {arguments}}}", context());
        world.prepare(&["update"]).stdin(call).run().expect_code(0);
        assert_eq!(world.content(1).as_deref(), Some("x"));
    }
}

#[test]
fn l13_a_content_that_is_no_text_is_invalid() {
    let calls = [
        json!({"memory_id": 1}),
        json!({"memory_id": 1, "memory_content": null}),
        json!({"memory_id": 1, "memory_content": 5}),
        json!({"memory_id": 1, "memory_content": "x", "target_user": 5}),
        json!([1, "x"]),
        json!(null),
    ];
    all_are(&context(), &calls, "invalid_args");
}

#[test]
fn l14_and_l15_a_server_that_lets_the_model_learn_nothing() {
    let off = context_with("/flags/self_teaching", json!(false));
    all_are(&off, &[shared(1, "x"), shared(0, "x"), of(2, "", "Ada")], "disabled");
    all_are(&off, &[shared("a", "x")], "invalid_args");
    for unclear in [json!(null), json!("true"), json!(1)] {
        let context = context_with("/flags/self_teaching", unclear);
        all_are(&context, &[shared(1, "x")], "disabled");
    }
    all_are(&context_with("/flags", json!({})), &[shared(1, "x")], "disabled");
}

#[test]
fn l28_words_that_no_prompt_fills_lose_their_braces() {
    let (world, data) = call(shared(1, "{obonya} met {user} and {{BOT}}"), UPDATED);
    assert_eq!(world.content(1).as_deref(), Some("obonya met {user} and {{BOT}}"));
    assert_eq!(data["content_saved"], "obonya met {user} and {{BOT}}");
}

#[test]
fn l29_what_is_no_word_in_braces_stays() {
    let content = "{ name } {1a} {a-b} {\"k\":1} {名}";
    assert_eq!(call(shared(1, content), UPDATED).0.content(1).as_deref(), Some(content));
}

#[test]
fn l30_a_content_has_1000_characters_at_most() {
    call(shared(1, &"x".repeat(1_000)), UPDATED);
    let data = call(shared(1, &"x".repeat(1_001)), "invalid_content").1;
    assert_eq!(data["reason"], "too_large");
    // They are counted as the model's own side counts them.
    call(shared(1, &"😀".repeat(500)), UPDATED);
    call(shared(1, &"😀".repeat(501)), "invalid_content");
    let hidden = call(shared(1, "a\u{202E}b"), "invalid_content").1;
    assert_eq!(hidden["reason"], "hidden_characters");
}

#[test]
fn l31_a_secret_stands_in_no_file_and_no_answer() {
    let token = ["ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].concat();
    let world = World::new();
    for target in [None, Some("Ada")] {
        let mut arguments = shared(1, &format!("the token is {token}"));
        arguments["target_user"] = json!(target);
        let answer = world.update(&context(), arguments);
        assert_eq!(status(&answer), "invalid_content");
        assert_eq!(answer.value["data"]["reason"], "secret_detected");
        assert!(!answer.value.to_string().contains(&token), "{}", answer.value);
    }
    let create = json!({"memory_content": token, "memory_scope": "server_wide"});
    assert_eq!(status(&world.create(&context(), create)), "invalid_content");
    assert!(!world.has_bytes(token.as_bytes()));
    assert!(world.has_bytes(b"Meetings are on Fridays"));
}

#[test]
fn l32_a_blank_target_is_none() {
    for target in [json!(""), json!(" "), json!(null)] {
        let arguments = json!({"memory_id": 1, "memory_content": "x", "target_user": target});
        assert_eq!(call(arguments, UPDATED).1["scope"], "server_wide");
    }
}

#[test]
fn l34_without_a_context_nothing_can_be_answered() {
    let contexts = [
        json!(null),
        json!({}),
        context_with("/persona/lineage", json!(null)),
        context_with("/persona/lineage", json!(0)),
        context_with("/persona/id", json!("")),
        context_with("/server/id", json!(null)),
        context_with("/server/kind", json!("forum")),
        context_with("/caller", json!({})),
        context_with("/bot/id", json!(null)),
    ];
    let world = World::new();
    let before = world.state();
    for context in contexts {
        let answer = world.update(&context, shared(1, "x"));
        assert_eq!((status(&answer).as_str(), answer.code), ("internal_error", 2), "{context}");
    }
    assert_eq!(world.state(), before);
    let call = json!({"arguments": shared(1, "x")}).to_string();
    let answer = world.prepare(&["update"]).stdin(call).run().answer();
    assert_eq!((status(&answer).as_str(), answer.code), ("internal_error", 2));
}

#[test]
fn l35_the_model_says_nothing_of_the_context() {
    let mut calls = Vec::new();
    for name in ["context", "caller", "server", "actor", "memory_scope"] {
        let mut arguments = shared(1, "x");
        arguments[name] = json!({"id": "u2"});
        calls.push(arguments);
    }
    all_are(&context(), &calls, "invalid_args");
    let world = World::new();
    let twice = r#"{"memory_id": 99, "memory_id": 1, "memory_content": "x"}"#;
    let call = format!("{{\"context\": {}, \"arguments\": {twice}}}", context());
    let answer = world.prepare(&["update"]).stdin(call).run().answer();
    assert_eq!(status(&answer), "invalid_args");
    assert_eq!(world.content(1).as_deref(), Some("Meetings are on Fridays"));
}

#[test]
fn l40_a_content_is_stored_as_it_is() {
    let content = "## x\n```\n<!-- @id: m1 -->";
    let before = World::new().rows();
    let (world, data) = call(shared(1, content), UPDATED);
    let mut after = world.rows();
    assert_eq!(after[&1]["content"], content);
    after.insert(1, before[&1].clone());
    assert_eq!(after, before);
    assert_eq!(
        (&data["content_saved"], &data["notification"]["content"]),
        (&json!(content), &json!(content))
    );
    let deleted = world.update(&context(), shared(1, ""));
    assert_eq!(deleted.value["data"]["content_deleted"], content);
    let preview = data["notification"]["preview"].as_str().unwrap();
    assert!(!preview.contains("```"), "{preview}");
}

#[test]
fn the_context_may_stand_in_a_file_of_its_own() {
    let world = World::new();
    world.sandbox.write_project("context.json", context().to_string());
    let call = json!({"arguments": shared(1, "x")}).to_string();
    let arguments = ["update", "--context", "context.json"];
    world.prepare(&arguments).stdin(call).run().expect_code(0);
    let both = json!({"context": context(), "arguments": shared(1, "y")}).to_string();
    world.prepare(&arguments).stdin(both).run().expect_code(2);
    check(&context(), shared(1, "z"), UPDATED);
}

#[test]
#[cfg(unix)]
fn l39_a_program_is_told_of_a_change_and_its_failure_is_a_warning() {
    let world = World::new();
    let told = world.sandbox.root().join("told.jsonl");
    let notify = |script: &str| {
        let command = json!(["sh", "-c", script]);
        world.sandbox.write_user_config(&format!("[ltm.notify]\ncommand = {command}\n"));
    };
    notify(&format!("cat >> {}", told.display()));
    let answer = world.update(&context(), shared(1, "zebra"));
    assert_eq!((answer.code, &answer.value["warnings"]), (0, &json!([])));
    let text = std::fs::read_to_string(&told).unwrap();
    let event: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(Some(&event), world.events().last());
    assert!(!text.contains("zebra"), "{text}");
    notify("exit 1");
    let answer = world.update(&context(), shared(1, "tapir"));
    assert_eq!((status(&answer).as_str(), answer.code), (UPDATED, 0));
    let warnings = answer.value["warnings"].as_array().unwrap();
    assert!(warnings[0].as_str().unwrap().contains("exit status: 1"), "{warnings:?}");
    assert_eq!(world.content(1).as_deref(), Some("tapir"));
    notify("exec sleep 60");
    let answer = world.update(&context(), shared(1, "okapi"));
    assert_eq!((answer.code, answer.value["warnings"].as_array().unwrap().len()), (0, 1));
    // What is denied is no change.
    notify("exit 1");
    let answer = world.update(&context(), shared(99, "x"));
    assert_eq!((status(&answer).as_str(), &answer.value["warnings"]), ("not_found", &json!([])));
}
