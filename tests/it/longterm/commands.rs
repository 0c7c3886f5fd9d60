//! What the operator does: directory, restore, forget, log, watch, import and export.

use serde_json::{Value, json};

use crate::support::Reply;

use super::world::{World, context, context_beside, of, shared, status};

#[test]
fn an_import_is_what_was_exported() {
    let world = World::new();
    assert_eq!(world.update(&context(), shared(1, "changed")).code, 0);
    let text = world.run(&["export"]).expect_code(0).stdout;
    let other = World::empty();
    other.prepare(&["import", "-"]).stdin(text.clone()).run().expect_code(0);
    assert_eq!(other.run(&["export"]).expect_code(0).stdout, text);
    // Numbers go on behind the last.
    let new = json!({"memory_content": "new", "memory_scope": "server_wide"});
    assert_eq!(other.create(&context(), new).value["data"]["memory_id"], 10);
}

#[test]
fn a_number_that_is_in_use_is_refused_and_named() {
    let world = World::new();
    assert_eq!(world.update(&context(), shared(1, "")).code, 0);
    let line = |id: u64| json!({"id": id, "scope": "server_wide", "owner": "s1", "lineage": 1, "content": "x"});
    let text = format!("{}\n{}\nno JSON\n{}\n", line(1), line(2), line(12));
    let reply = world.prepare(&["import", "-", "--json"]).stdin(text).run().expect_code(1);
    let report = reply.json();
    assert_eq!(report["imported"], 1, "{report}");
    let refused: Vec<&Value> =
        report["refused"].as_array().unwrap().iter().map(|it| &it["line"]).collect();
    assert_eq!(refused, [&json!(1), &json!(2), &json!(3)]);
    assert!(report["refused"][0]["reason"].as_str().unwrap().contains("number 1 is in use"));
    assert_eq!(world.content(12).as_deref(), Some("x"));
}

#[test]
fn a_number_that_was_used_once_is_never_imported_again() {
    let mut world = World::new();
    assert_eq!(world.update(&context(), shared(1, "")).code, 0);
    world.sandbox.advance_days(31);
    // A call that writes sweeps the trash.
    assert_eq!(world.update(&context(), of(2, "x", "Ada")).code, 0);
    assert!(!world.has_text_in_trash());
    world.run(&["restore", "1"]).expect_code(1);
    let line =
        json!({"id": 1, "scope": "server_wide", "owner": "s9", "lineage": 1, "content": "x"});
    let reply = world.prepare(&["import", "-"]).stdin(format!("{line}\n")).run().expect_code(1);
    assert!(reply.stdout.contains("number 1 is in use"), "{reply:?}");
}

impl World {
    fn has_text_in_trash(&self) -> bool {
        let connection = rusqlite::Connection::open(self.data().join("longterm.sqlite")).unwrap();
        let sql = "SELECT count(*) FROM trash";
        connection.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap() > 0
    }
}

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
fn what_is_forgotten_stands_in_no_file() {
    let world = World::new();
    let texts = ["wombat in the attic", "quokka under the stairs", "numbat on the roof"];
    for text in &texts[..2] {
        let arguments =
            json!({"memory_content": text, "memory_scope": "target_user", "target_user": "Ada"});
        assert_eq!(world.create(&context(), arguments).code, 0);
    }
    assert_eq!(world.update(&context(), of(10, texts[2], "Ada")).code, 0);
    assert_eq!(world.update(&context(), of(11, "", "Ada")).code, 0);
    world.know(json!({"users": {"u1": {"names": ["Countess of Lovelace"]}}}));
    assert!(world.has_bytes(texts[2].as_bytes()) && world.has_bytes(b"Countess of Lovelace"));
    let generation = world.generations()["user:u1"];
    world.run(&["forget", "--person", "u1"]).expect_code(2);
    let forgotten = world.run(&["forget", "--person", "u1", "--yes", "--json"]).expect_code(0);
    assert_eq!(forgotten.json()["forgotten"], 5);
    for text in texts.iter().chain(&["Countess of Lovelace", "likes tea", "true for every"]) {
        assert!(!world.has_bytes(text.as_bytes()), "{text}");
    }
    assert!(world.has_bytes(b"Meetings are on Fridays") && world.has_bytes(b"of Bob"));
    assert_eq!(world.generations()["user:u1"], generation + 1);
    let create =
        json!({"memory_content": "x", "memory_scope": "target_user", "target_user": "Ada"});
    assert_eq!(status(&world.create(&context(), create)), "privacy_restricted");
    assert_eq!(world.context(&context_beside("u1", "Ada"))["people"], json!([]));
    world.run(&["log", "--verify"]).expect_code(0);
    // The numbers are used up.
    let next = json!({"memory_content": "next", "memory_scope": "server_wide"});
    assert_eq!(world.create(&context(), next).value["data"]["memory_id"], 12);
}

#[test]
fn a_forgotten_server_leaves_those_of_people() {
    let world = World::new();
    world.run(&["forget", "--server", "s1", "--yes"]).expect_code(0);
    let numbers: Vec<u64> = world.rows().into_keys().collect();
    assert_eq!(numbers, [2, 3, 5, 6, 7, 8, 9]);
    assert!(!world.has_bytes(b"Meetings are on Fridays"));
    assert!(!world.has_bytes(b"of another character"));
}

/// Enough memories that rows move between pages, and their old places must be empty too.
#[test]
fn what_is_forgotten_among_many_stands_in_no_file() {
    let world = World::empty();
    let line = |id: u64| {
        let owner = format!("u{}", id % 3);
        let content =
            format!("owned by {owner}: {}", "text ".repeat(usize::try_from(id % 90).unwrap()));
        let line = json!({"id": id, "scope": "target_user", "owner": owner, "lineage": 1 + id / 200, "content": content});
        format!("{line}\n")
    };
    let lines: String = (1..=600).map(line).collect();
    world.prepare(&["import", "-"]).stdin(lines).run().expect_code(0);
    world.run(&["forget", "--person", "u1", "--yes"]).expect_code(0);
    assert!(!world.has_bytes(b"owned by u1"));
    assert!(world.has_bytes(b"owned by u2"));
    assert_eq!(world.rows().len(), 400);
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

#[test]
fn memories_are_listed_by_owner_and_character() {
    let world = World::new();
    let listed = |arguments: &[&str]| -> Vec<u64> {
        let list = world.run(&[&["list", "--json"], arguments].concat()).expect_code(0).json();
        let ids = list["memories"].as_array().unwrap().iter();
        ids.map(|memory| memory["id"].as_u64().unwrap()).collect()
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
    let ids = |reply: Reply| -> Vec<u64> {
        let list = reply.expect_code(0).json();
        let ids = list["memories"].as_array().unwrap().iter();
        ids.map(|memory| memory["id"].as_u64().unwrap()).collect()
    };
    assert_eq!(ids(listed("owner")), [8, 3, 2]);
    assert_eq!(ids(listed("manager")), [4, 1]);
    let model = listed("model").expect_code(2);
    assert!(model.stdout.contains("lists nothing"), "{model:?}");
    let both = world.run(&["list", "--context", file.to_str().unwrap(), "--person", "u2"]);
    assert!(both.expect_code(2).stderr.contains("cannot be used with"));
}

#[test]
fn no_command_makes_more_than_a_hundred() {
    let world = World::empty();
    world.fill(100);
    let first = *world.rows().keys().next().unwrap();
    assert_eq!(world.update(&context(), shared(first, "")).code, 0);
    let line = |id: u64, lineage: u64| json!({"id": id, "scope": "server_wide", "owner": "s1", "lineage": lineage, "content": format!("memory {id}")});
    let text = format!("{}\n{}\n{}\n", line(201, 10_001), line(202, 10_001), line(203, 10_002));
    let reply = world.prepare(&["import", "-", "--json"]).stdin(text).run().expect_code(1).json();
    assert_eq!((&reply["imported"], &reply["refused"][0]["line"]), (&json!(2), &json!(2)));
    assert!(reply["refused"][0]["reason"].as_str().unwrap().contains("there are 100 memories"));
    let restored = world.run(&["restore", &first.to_string(), "--json"]).expect_code(1).json();
    assert_eq!(restored["status"], "rejected");
    assert!(restored["error"].as_str().unwrap().contains("delete or merge some first"));
    assert_eq!(world.update(&context(), shared(201, "")).code, 0);
    world.run(&["restore", &first.to_string()]).expect_code(0);
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
