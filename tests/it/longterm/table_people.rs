//! L16 to L27, L33, L36, L37 and L46: whom a name means, and what people allow.

use serde_json::{Value, json};

use super::world::{World, call, check, context, context_beside, context_with, of, shared, status};

const UPDATED: &str = "updated_successfully";
const DELETED: &str = "deleted_successfully";

#[test]
fn l16_a_name_of_several_people_is_answered_with_their_accounts() {
    let data = call(of(7, "x", "Bob"), "ambiguous_user").1;
    assert_eq!(data["candidates"], json!(["Bob (@bobby)", "Bob (@bob2)"]));
}

#[test]
fn l17_an_account_tells_them_apart() {
    assert_eq!(call(of(7, "x", "bobby"), UPDATED).0.content(7).as_deref(), Some("x"));
    call(of(7, "x", "bob2"), "not_found");
}

#[test]
fn l18_a_name_of_no_person_is_not_found() {
    call(of(1, "x", "Zoe"), "user_not_found");
}

#[test]
fn l19_a_person_who_is_not_known_is_not_found() {
    call(of(1, "x", "Gus"), "user_not_found");
}

#[test]
fn l20_of_people_on_a_bridge_there_are_no_personal_memories() {
    for target in ["Eve", "@eve:example.org"] {
        call(of(1, "x", target), "invalid_scope");
        call(of(1, "", target), "invalid_scope");
    }
}

#[test]
fn l21_the_bot_is_no_target() {
    for content in ["x", ""] {
        check(&context_beside("b1", "Tomo"), of(1, content, "Tomo"), "invalid_target");
    }
}

#[test]
fn l22_and_l23_partial_privacy_lets_the_model_delete_alone() {
    let (world, _) = call(of(6, "x", "Cy"), "privacy_restricted");
    assert_eq!(world.content(6).as_deref(), Some("of Cy"));
    assert_eq!(call(of(6, "", "Cy"), DELETED).0.content(6), None);
}

#[test]
fn l24_full_privacy_lets_the_model_delete_alone() {
    call(of(9, "x", "Dee"), "privacy_restricted");
    assert_eq!(call(of(9, "", "Dee"), DELETED).0.content(9), None);
}

#[test]
fn l25_privacy_is_asked_before_the_number() {
    call(of(99, "x", "Cy"), "privacy_restricted");
}

#[test]
fn l26_a_participant_who_is_no_member_is_not_there() {
    let context = context_beside("u7", "Fay");
    check(&context, of(1, "x", "Fay"), "invalid_scope");
    check(&context, of(1, "", "Fay"), "invalid_scope");
}

#[test]
fn l27_in_a_private_conversation_only_the_caller_is_there() {
    let mut context = context();
    context["server"]["kind"] = json!("dm");
    context["participants"] = json!([{"id": "u1", "label": "Ada"}, {"id": "u2", "label": "Bob"}]);
    check(&context, of(2, "x", "Ada"), UPDATED);
    check(&context, of(7, "x", "Bob"), "invalid_scope");
    check(&context, of(7, "", "Bob"), "invalid_scope");
    // The names of members are not asked there.
    check(&context, of(6, "", "Cy"), "user_not_found");
}

#[test]
fn l33_blanks_case_and_one_at_sign_make_no_other_name() {
    let (world, data) = call(of(2, "x", "  @ADA "), UPDATED);
    assert_eq!((data["target_user"].as_str(), world.content(2)), (Some("u1"), Some("x".into())));
    call(of(2, "x", "@@ada"), "user_not_found");
    call(of(2, "x", "Ad"), "user_not_found");
}

#[test]
fn l36_the_stricter_of_two_levels_holds() {
    for (said, known) in [("minimal", "full"), ("full", "minimal"), ("minimal", "partial")] {
        let world = World::new();
        world.know(json!({"users": {"u1": {"privacy": known}}}));
        let context = context_with("/users/u1/privacy", json!(said));
        let answer = world.update(&context, of(2, "x", "Ada"));
        assert_eq!(status(&answer), "privacy_restricted", "{said} {known}");
        assert_eq!(world.content(2).as_deref(), Some("{user} likes tea"));
        assert_eq!(status(&world.update(&context, of(2, "", "Ada"))), DELETED);
    }
}

#[test]
fn l37_a_level_that_cannot_be_read_is_the_strictest() {
    for broken in [json!("maybe"), json!(0), json!(["minimal"]), json!("MINIMAL"), json!(false)] {
        let world = World::new();
        let changed = world.know(json!({"users": {"u1": {"privacy": broken}}}));
        assert_eq!(changed["warnings"].as_array().unwrap().len(), 1, "{changed}");
        let answer = world.update(&context(), of(2, "x", "Ada"));
        assert_eq!(status(&answer), "privacy_restricted", "{broken}");
        let prompt = world.context(&context_beside("u1", "Ada"));
        assert_eq!(prompt["people"], json!([]));
        check(&context_with("/users/u1/privacy", broken), of(2, "x", "Ada"), "privacy_restricted");
    }
}

#[test]
fn l46_a_prompt_has_nothing_of_those_who_do_not_want_it() {
    let world = World::new();
    for content in ["second", "third"] {
        let arguments = json!({"memory_content": content, "memory_scope": "server_wide"});
        assert_eq!(world.create(&context(), arguments).code, 0);
    }
    let mut context = context();
    for (id, label) in [("u1", "Ada"), ("u2", "Bob"), ("u4", "Cy"), ("u5", "Dee"), ("u8", "Gus")] {
        let participant = json!({"id": id, "label": label});
        context["participants"].as_array_mut().unwrap().push(participant);
    }
    context["users"]["u1"]["blacklisted"] = json!(true);
    let text = world.context(&context)["text"].as_str().unwrap().to_owned();
    assert_eq!(text, "ID:11 third\nID:10 second\nID:1 Meetings are on Fridays\nID:7 of Bob\n");
    let plain = world.prepare(&["context"]).stdin(json!({"context": context}).to_string()).run();
    assert_eq!(plain.expect_code(0).stdout, text);
    context["users"]["u1"]["blacklisted"] = json!(false);
    let text = world.context(&context)["text"].as_str().unwrap().to_owned();
    assert!(text.contains("\nID:3 true for every character\nID:2 {user} likes tea\n"), "{text}");
    assert!(!text.contains("ID:8"), "{text}");
    context["flags"]["personal_memories"] = json!(false);
    let text = world.context(&context)["text"].as_str().unwrap().to_owned();
    assert_eq!(text, "ID:11 third\nID:10 second\nID:1 Meetings are on Fridays\n");
}

#[test]
fn a_prompt_of_a_private_conversation_has_nothing_of_others() {
    let world = World::new();
    let mut context = context();
    context["server"]["kind"] = json!("dm");
    context["participants"] = json!([{"id": "u1", "label": "Ada"}, {"id": "u2", "label": "Bob"}]);
    let people = world.context(&context)["people"].clone();
    let ids: Vec<&Value> = people.as_array().unwrap().iter().map(|it| &it["user"]).collect();
    assert_eq!(ids, [&json!("u1")]);
}

#[test]
fn a_prompt_is_filled_with_the_names_of_the_conversation() {
    let world = World::new();
    assert_eq!(world.update(&context(), shared(1, "{bot} waters {{Char}}")).code, 0);
    let context = context_beside("u1", "Lady Ada");
    let call = json!({"context": context}).to_string();
    let text = world.prepare(&["context", "--render"]).stdin(call).run().expect_code(0).stdout;
    assert_eq!(
        text,
        "ID:1 Tomo waters Tomo\nID:3 true for every character\nID:2 Lady Ada likes tea\n"
    );
}

#[test]
fn a_blacklisted_person_keeps_what_is_remembered() {
    let world = World::new();
    world.know(json!({"servers": {"s1": {"blacklist": ["u1"]}}}));
    let answer = world.update(&context(), of(2, "x", "Ada"));
    assert_eq!(status(&answer), UPDATED);
    assert_eq!(answer.value["data"]["notification"]["footer"], "user_blacklisted");
    assert_eq!(world.context(&context_beside("u1", "Ada"))["people"], json!([]));
}

#[test]
fn the_directory_says_what_the_call_leaves_out() {
    let world = World::new();
    world.know(json!({
        "users": {"u1": {"names": ["Countess"], "saved_names": {"10001": ["Boss"], "10002": ["Chief"]}}},
        "servers": {"s1": {"flags": {"self_teaching": true}, "members": ["u1", "u2"]}},
    }));
    let mut context = context();
    context["caller"]["id"] = json!("u2");
    for name in ["members", "flags", "users"] {
        context[name] = json!(null);
    }
    for (target, expected) in [
        ("countess", UPDATED),
        ("boss", UPDATED),
        ("chief", "user_not_found"),
        ("u1", "user_not_found"),
    ] {
        assert_eq!(status(&world.update(&context, of(2, "x", target))), expected, "{target}");
    }
    world.know(json!({"servers": {"s1": {"members": ["u2"]}}}));
    let answer = world.update(&context, of(2, "x", "boss"));
    assert_eq!(status(&answer), "user_not_found");
}

#[test]
fn owners_and_managers_may_change_what_is_theirs() {
    let owner = context_with("/actor", json!("owner"));
    let mut off = owner.clone();
    off["flags"]["self_teaching"] = json!(false);
    check(&off, of(2, "x", "Ada"), UPDATED);
    check(&owner, shared(2, "x"), UPDATED);
    check(&owner, shared(1, "x"), "not_found");
    check(&owner, of(7, "x", "bobby"), "not_found");
    let mut cy = owner.clone();
    cy["caller"]["id"] = json!("u4");
    check(&cy, of(6, "x", "Cy"), UPDATED);
    cy["users"]["u4"]["privacy"] = json!("full");
    check(&cy, of(6, "x", "Cy"), "privacy_restricted");
    check(&cy, shared(6, "x"), "privacy_restricted");
    check(&cy, of(6, "", "Cy"), DELETED);
    check(&context_with("/actor", json!("owner")), shared(2, "x"), UPDATED);
    cy["users"]["u4"] = json!({"bridge": true});
    check(&cy, shared(6, "x"), "invalid_scope");
    check(&cy, shared(6, ""), DELETED);
    cy["bot"]["id"] = json!("u4");
    cy["users"]["u4"] = json!({});
    check(&cy, shared(6, "x"), "invalid_target");
    let mut manager = off.clone();
    manager["actor"] = json!("manager");
    check(&manager, shared(1, "x"), UPDATED);
    check(&manager, of(2, "x", "Ada"), "not_found");
    check(&context_with("/actor", json!("admin")), shared(1, "x"), "internal_error");
}

#[test]
fn a_caller_changes_a_shared_memory_that_they_taught() {
    let world = World::new();
    let taught = json!({"memory_content": "Ada taught this", "memory_scope": "server_wide"});
    assert_eq!(world.create(&context(), taught).value["data"]["memory_id"], 10);
    let mut owner = context_with("/actor", json!("owner"));
    assert_eq!(status(&world.update(&owner, shared(10, "x"))), UPDATED);
    owner["caller"]["id"] = json!("u2");
    assert_eq!(status(&world.update(&owner, shared(10, ""))), "not_found");
}

#[test]
fn personal_memories_may_be_left_to_their_owners() {
    let world = World::new();
    world.sandbox.write_user_config("[ltm]\npersonal_writes = \"owner\"\n");
    let context = context();
    assert_eq!(status(&world.update(&context, of(7, "x", "bobby"))), "privacy_restricted");
    assert_eq!(status(&world.update(&context, of(7, "", "bobby"))), "privacy_restricted");
    assert_eq!(status(&world.update(&context, of(2, "x", "Ada"))), UPDATED);
    assert_eq!(status(&world.update(&context, shared(1, "x"))), UPDATED);
}

/// All others wait while a call is decided.
#[test]
fn a_conversation_of_too_many_is_none() {
    let many = |count: usize| {
        let people = (0..count).map(|id| json!({"id": format!("p{id}"), "label": "x"}));
        context_with("/participants", people.collect())
    };
    check(&many(1_000), of(2, "x", "x"), "ambiguous_user");
    check(&many(1_001), of(2, "x", "x"), "internal_error");
}

#[test]
fn an_id_may_be_a_whole_number() {
    let world = World::empty();
    let mut context = context_with("/server", json!({"id": 1_234_567_u64, "kind": "guild"}));
    let new = json!({"memory_content": "new", "memory_scope": "server_wide"});
    assert_eq!(world.create(&context, new).code, 0);
    context["server"]["id"] = json!("1234567");
    assert_eq!(world.context(&context)["shared"].as_array().unwrap().len(), 1);
}
