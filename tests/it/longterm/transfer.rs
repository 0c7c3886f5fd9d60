//! Import and export.

use serde_json::{Value, json};

use super::world::{World, context, of, shared};

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
fn a_line_that_would_break_what_is_kept_is_refused_and_the_rest_imported() {
    let world = World::empty();
    let line = |id: u64, change: Value| {
        let mut line = json!({"id": id, "scope": "server_wide", "owner": "s1", "lineage": 1, "content": "x {no}"});
        line.as_object_mut().unwrap().extend(change.as_object().cloned().unwrap());
        format!("{line}\n")
    };
    let text: String = [
        line(9_007_199_254_740_991, json!({})),
        line(2, json!({"lineage": u64::MAX})),
        line(3, json!({"content": "x".repeat(1_001)})),
        line(4, json!({"owner": " "})),
        line(5, json!({"created_at": 5})),
        line(6, json!({"tags": "x"})),
        line(7, json!({})),
    ]
    .concat();
    let report = world.prepare(&["import", "-", "--json"]).stdin(text).run().expect_code(1).json();
    assert_eq!((&report["imported"], report["refused"].as_array().unwrap().len()), (&json!(1), 6));
    assert_eq!(world.content(7).as_deref(), Some("x no"));
    let new = json!({"memory_content": "new", "memory_scope": "server_wide"});
    assert_eq!(world.create(&context(), new).value["data"]["memory_id"], 8);
}
