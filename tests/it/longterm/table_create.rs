//! L41 to L44: what is added.

use serde_json::{Value, json};

use super::world::{World, context, context_beside, context_with, status};
use crate::support::Answer;

const SAVED: &str = "saved_successfully";

fn server_wide(content: &str) -> Value {
    json!({"memory_content": content, "memory_scope": "server_wide"})
}

fn of(content: &str, target: &str) -> Value {
    json!({"memory_content": content, "memory_scope": "target_user", "target_user": target})
}

#[track_caller]
fn check(context: &Value, arguments: Value, expected: &str) -> (World, Answer) {
    let world = World::new();
    let before = world.state();
    let answer = world.create(context, arguments);
    assert_eq!(status(&answer), expected, "{}", answer.value);
    if expected != SAVED {
        assert_eq!(world.state(), before);
    }
    (world, answer)
}

#[test]
fn a_new_memory_has_a_number_that_no_other_ever_had() {
    let (world, answer) = check(&context(), of("{user} sings", "Ada"), SAVED);
    let data = &answer.value["data"];
    assert_eq!((&data["memory_id"], &data["scope"]), (&json!(10), &json!("target_user")));
    assert_eq!(data["notification"]["color"], "green");
    let row = world.rows()[&10].clone();
    assert_eq!((&row["owner"], &row["lineage"]), (&json!("u1"), &json!(10_001)));
    assert_eq!((&row["taught_by"], &row["content"]), (&json!("u1"), &json!("{user} sings")));
    let delete = json!({"memory_id": 10, "memory_content": "", "target_user": "Ada"});
    assert_eq!(world.update(&context(), delete).code, 0);
    let next = world.create(&context(), server_wide("next"));
    assert_eq!(next.value["data"]["memory_id"], 11);
}

#[test]
fn l41_the_same_again_is_the_memory_that_is_there() {
    let (world, first) = check(&context(), server_wide("Tea is at five"), SAVED);
    let events = world.events().len();
    let again = world.create(&context(), server_wide("  TEA is  at five\n"));
    assert_eq!((status(&again).as_str(), again.code), (SAVED, 0));
    assert_eq!(again.value["data"]["memory_id"], first.value["data"]["memory_id"]);
    assert_eq!(again.value["data"]["duplicate"], true);
    assert_eq!((world.rows().len(), world.events().len()), (10, events));
    let other = world.create(&context(), of("Tea is at five", "Ada"));
    assert_eq!(other.value["data"]["memory_id"], 11);
}

#[test]
fn l42_a_hundred_and_first_is_refused() {
    let world = World::empty();
    world.fill(99);
    assert_eq!(status(&world.create(&context(), server_wide("the hundredth"))), SAVED);
    let more = world.create(&context(), server_wide("one more"));
    assert_eq!((status(&more).as_str(), more.code), ("limit_exceeded", 1));
    let same = world.create(&context(), server_wide("THE hundredth"));
    assert_eq!(same.value["data"]["duplicate"], true);
    assert_eq!(status(&world.create(&context(), of("of Ada", "Ada"))), SAVED);
    assert_eq!(world.rows().len(), 101);
}

#[test]
fn l43_what_is_said_of_people_on_a_bridge_is_shared() {
    let (world, answer) = check(&context(), of("{user} sings", "Eve"), SAVED);
    assert_eq!(answer.value["data"]["scope"], "server_wide");
    assert_eq!(world.content(10).as_deref(), Some("Eve sings"));
}

#[test]
fn l44_what_is_said_of_the_bot_is_shared() {
    let context = context_beside("b1", "Tomo");
    let (world, answer) = check(&context, of("{user} sings", "Tomo"), SAVED);
    assert_eq!(answer.value["data"]["scope"], "server_wide");
    assert_eq!(world.content(10).as_deref(), Some("Tomo sings"));
    let (_, answer) =
        check(&context_with("/persona/lineage", json!(0)), server_wide("x"), "internal_error");
    assert_eq!(answer.code, 2);
}

#[test]
fn a_person_adds_to_their_own_memories_alone() {
    let mut context = context_beside("b1", "Tomo");
    context["actor"] = json!("owner");
    context["flags"]["self_teaching"] = json!(false);
    check(&context, of("sings", "Ada"), SAVED);
    for arguments in
        [server_wide("x"), of("x", "bobby"), of("x", "Tomo"), of("x", "@eve:example.org")]
    {
        check(&context, arguments, "invalid_scope");
    }
    context["actor"] = json!("manager");
    check(&context, server_wide("x"), SAVED);
    check(&context, of("x", "Ada"), "invalid_scope");
}

#[test]
fn conditions_are_asked_in_their_order() {
    let off = context_with("/flags/self_teaching", json!(false));
    for (context, arguments, expected) in [
        (&off, json!({"memory_content": "x", "memory_scope": "galaxy"}), "invalid_args"),
        (&off, json!({"memory_content": "x", "memory_scope": "target_user"}), "invalid_args"),
        (&off, json!({"memory_content": "", "memory_scope": "server_wide"}), "disabled"),
        (&context(), server_wide(" "), "invalid_content"),
        (&context(), of(" ", "Zoe"), "invalid_content"),
        (&context(), of("x", "Bob"), "ambiguous_user"),
        (&context(), of("x", "Zoe"), "user_not_found"),
        (&context(), of("x", "Gus"), "user_not_found"),
        (&context_beside("u7", "Fay"), of("x", "Fay"), "invalid_scope"),
        (&context(), of("x", "Cy"), "privacy_restricted"),
        (&context(), of("x", "Dee"), "privacy_restricted"),
    ] {
        check(context, arguments, expected);
    }
    let mut beside = server_wide("for all");
    beside["target_user"] = json!("Zoe");
    assert_eq!(check(&context(), beside, SAVED).1.value["data"]["scope"], "server_wide");
}

#[test]
fn a_name_on_a_bridge_brings_in_no_placeholder_and_no_empty_memory() {
    let named = |label: &str| {
        context_with("/participants", json!([{"id": "@eve:example.org", "label": label}]))
    };
    let created = |label: &str, content: &str| {
        let arguments = json!({
            "memory_content": content, "memory_scope": "target_user", "target_user": "@eve:example.org",
        });
        World::empty().create(&named(label), arguments)
    };
    let saved = |label: &str, content: &str| {
        let answer = created(label, content);
        answer.value["data"]["content_saved"].as_str().unwrap().to_owned()
    };
    assert_eq!(saved("{}", "{sys{user}tem} x"), "system x");
    assert_eq!(saved("A\n\nB {bot}", "{user} sings"), "A B bot sings");
    assert_eq!(status(&created("{}", "{user}")), "invalid_content");
}
