//! What the operator does: directory, restore, log, watch, and lists; what people see of theirs.

use serde_json::{Value, json};

use crate::support::Reply;

use super::world::{World, context, context_beside, of, shared, status};

#[test]
fn a_deleted_memory_is_restored_under_its_number() {
    let world = World::new();
    let before = world.rows();
    assert_eq!(world.update(&context(), of(2, "", "Ada")).code, 0);
    let generation = world.generations()["user:u1"];
    let restored = world.run(&["restore", "2", "--json"]).expect_code(0).json();
    assert_eq!((&restored["status"], &restored["memory_id"]), (&json!("restored"), &json!(2)));
    assert_eq!((world.rows(), world.generations()["user:u1"]), (before, generation + 1));
    let again = world.run(&["restore", "ID:2", "--json"]).expect_code(1).json();
    assert_eq!(again["status"], "rejected");
}

#[test]
fn the_directory_is_patched_and_raises_what_it_concerns() {
    let world = World::empty();
    let changed = world.know(json!({"users": {"u1": {"privacy": "partial", "names": ["A"]}}}));
    assert_eq!(changed["invalidated"], json!([{"key": "user:u1", "generation": 1}]));
    // Names decide nothing that a host caches.
    let changed = world.know(json!({"users": {"u1": {"names": ["B"]}}}));
    assert_eq!(changed["invalidated"], json!([]));
    let entry = world.run(&["directory", "get", "--json"]).expect_code(0).json();
    assert_eq!(entry["users"]["u1"], json!({"privacy": "partial", "names": ["B"]}));
    let changed = world
        .know(json!({"servers": {"s1": {"blacklist": ["u1"], "flags": {"self_teaching": true}}}}));
    let keys: Vec<&Value> =
        changed["invalidated"].as_array().unwrap().iter().map(|it| &it["key"]).collect();
    assert_eq!(keys, [&json!("user:u1"), &json!("server:s1")]);
    world.run(&["directory", "remove", "u1"]).expect_code(0);
    world.run(&["directory", "remove", "s1", "--server"]).expect_code(0);
    let entries = world.run(&["directory", "get", "--json"]).expect_code(0).json();
    assert_eq!((&entries["users"], &entries["servers"]), (&json!({}), &json!({})));
    for wrong in [json!([]), json!({"people": {}}), json!({"users": {"u1": 5}})] {
        let call = world.prepare(&["directory", "set"]).stdin(wrong.to_string());
        call.run().expect_code(1);
    }
}

#[test]
fn events_follow_one_another_from_a_number_on() {
    let world = World::new();
    assert_eq!(world.update(&context(), shared(1, "x")).code, 0);
    assert_eq!(world.update(&context(), shared(1, "")).code, 0);
    let events = world.events();
    let numbers: Vec<u64> = events.iter().map(|event| event["seq"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=11).collect::<Vec<_>>());
    let last = world.run(&["watch", "--once", "--since", "10"]).expect_code(0).stdout;
    assert_eq!(last.lines().count(), 1);
    assert!(last.contains("memory_deleted"), "{last}");
}

#[test]
fn the_log_is_chained_and_has_no_text() {
    let world = World::new();
    assert_eq!(world.update(&context(), shared(1, "zebra")).code, 0);
    let log = world.run(&["log", "--json"]).expect_code(0).stdout;
    assert!(log.contains("memory_updated") && !log.contains("zebra"), "{log}");
    world.run(&["log", "--verify"]).expect_code(0);
    let connection = rusqlite::Connection::open(world.data().join("longterm.sqlite")).unwrap();
    let sql = "UPDATE log SET line = replace(line, 'model', 'owner') WHERE number = 10";
    assert_eq!(connection.execute(sql, []).unwrap(), 1);
    drop(connection);
    world.run(&["log", "--verify"]).expect_code(1);
}

#[test]
fn a_tenant_sees_nothing_of_another() {
    let world = World::new();
    let call = json!({"context": context(), "arguments": shared(1, "x")}).to_string();
    let reply = world.prepare(&["update", "--tenant", "other"]).stdin(call).run().answer();
    assert_eq!(status(&reply), "not_found");
    assert_eq!(world.run(&["export", "--tenant", "other"]).expect_code(0).stdout, "");
    let new = json!({"memory_content": "own", "memory_scope": "server_wide"});
    let call = json!({"context": context(), "arguments": new}).to_string();
    let reply = world.prepare(&["create", "--tenant", "other"]).stdin(call).run().answer();
    assert_eq!(reply.value["data"]["memory_id"], 1);
    assert_eq!(world.content(1).as_deref(), Some("Meetings are on Fridays"));
}

/// Returns the numbers that a list has.
fn numbers(list: Reply) -> Vec<u64> {
    let list = list.expect_code(0).json();
    let memories = list["memories"].as_array().unwrap().iter();
    memories.map(|memory| memory["id"].as_u64().unwrap()).collect()
}

#[test]
fn memories_are_listed_by_owner_and_character() {
    let world = World::new();
    let listed = |arguments: &[&str]| -> Vec<u64> {
        numbers(world.run(&[&["list", "--json"], arguments].concat()))
    };
    assert_eq!(listed(&[]), [9, 8, 7, 6, 5, 4, 3, 2, 1]);
    assert_eq!(listed(&["--person", "u1"]), [8, 3, 2]);
    assert_eq!(listed(&["--server", "s1", "--lineage", "10002"]), [4]);
}

#[test]
fn a_person_lists_their_own_memories_and_a_manager_those_of_the_server() {
    let world = World::new();
    let file = world.sandbox.root().join("context.json");
    let listed = |actor: &str| -> Reply {
        let mut context = context();
        context["actor"] = json!(actor);
        std::fs::write(&file, context.to_string()).unwrap();
        let file = file.to_str().unwrap();
        let exported = world.run(&["export", "--context", file]);
        let list = world.run(&["list", "--json", "--context", file]);
        assert_eq!(list.code, exported.code);
        if list.code == 0 {
            let count = list.json()["memories"].as_array().unwrap().len();
            assert_eq!(exported.stdout.lines().count(), count);
        }
        list
    };
    assert_eq!(numbers(listed("owner")), [8, 3, 2]);
    assert_eq!(numbers(listed("manager")), [4, 1]);
    let model = listed("model").expect_code(2);
    assert!(model.stdout.contains("lists nothing"), "{model:?}");
    let both = world.run(&["list", "--context", file.to_str().unwrap(), "--person", "u2"]);
    assert!(both.expect_code(2).stderr.contains("cannot be used with"));
}

#[test]
fn a_damaged_log_is_an_error_and_not_a_shorter_one() {
    let world = World::new();
    let connection = rusqlite::Connection::open(world.data().join("longterm.sqlite")).unwrap();
    connection.execute("UPDATE log SET line = 'x' WHERE number = 2", []).unwrap();
    for command in [["log", "--json"], ["watch", "--once"]] {
        let reply = world.run(&command).expect_code(2);
        assert!(reply.stdout.contains("damaged") || reply.stderr.contains("damaged"), "{reply:?}");
    }
}

#[test]
fn an_entry_that_cannot_be_read_restricts_and_is_named() {
    let world = World::new();
    for (patch, expected) in [
        (json!({"servers": {"s1": {"blacklist": "u2"}}}), "excludes everyone"),
        (json!({"users": {"u1": {"bridge": "true"}}}), "counts as true"),
    ] {
        let warnings = world.know(patch)["warnings"].to_string();
        assert!(warnings.contains(expected), "{warnings}");
    }
    assert_eq!(status(&world.update(&context(), of(2, "x", "Ada"))), "invalid_scope");
    let patch = json!({"users": {"u1": {"privcy": "full"}}}).to_string();
    let refused = world.prepare(&["directory", "set"]).stdin(patch).run().expect_code(1);
    assert!(refused.stderr.contains("found `privcy`, allowed are"), "{refused:?}");
    let same = world.know(json!({"users": {"u1": {"bridge": "true"}}}));
    assert_eq!(same["entries"], 0);
}

#[test]
fn a_folder_may_be_reached_by_a_link() {
    let world = World::new();
    let link = world.sandbox.root().join("link");
    std::os::unix::fs::symlink(world.data(), &link).unwrap();
    let listed = world.run(&["list", "--json", "--data", link.to_str().unwrap()]).expect_code(0);
    assert_eq!(listed.json()["memories"].as_array().unwrap().len(), 9);
}

#[test]
fn a_blacklist_that_cannot_be_read_shows_no_person() {
    let world = World::new();
    let said = context_beside("u1", "Ada");
    assert_eq!(world.context(&said)["people"].as_array().unwrap().len(), 1);
    world.know(json!({"servers": {"s1": {"blacklist": {"u2": true}}}}));
    assert_eq!(world.context(&said)["people"], json!([]));
}

#[test]
fn an_entry_that_is_damaged_stays_strict_until_it_is_removed() {
    let world = World::new();
    world.know(json!({"users": {"u1": {"privacy": "minimal"}}}));
    let connection = rusqlite::Connection::open(world.data().join("longterm.sqlite")).unwrap();
    let patch = json!({"users": {"u1": {"names": ["Countess"]}}}).to_string();
    for damaged in ["{", "[]", "\"x\""] {
        connection.execute("UPDATE directory SET entry = ?1", [damaged]).unwrap();
        let refused =
            world.prepare(&["directory", "set"]).stdin(patch.clone()).run().expect_code(1);
        assert!(refused.stderr.contains("`u1` is damaged"), "{refused:?}");
        assert_eq!(status(&world.update(&context(), of(2, "x", "Ada"))), "privacy_restricted");
    }
    world.run(&["directory", "remove", "u1"]).expect_code(0);
    assert_eq!(world.update(&context(), of(2, "x", "Ada")).code, 0);
}

#[test]
fn a_document_that_is_no_object_is_refused() {
    let world = World::empty();
    for wrong in ["[]", "5", "\"x\""] {
        let reply = world.prepare(&["context"]).stdin(wrong).run().expect_code(2);
        assert!(reply.stderr.contains("the context cannot be used"), "{reply:?}");
    }
}
