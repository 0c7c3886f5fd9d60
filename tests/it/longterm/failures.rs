//! L38: a store that cannot be written; and that privacy fails closed.

use serde_json::{Value, json};

use super::world::{World, check, context, context_beside, context_with, of, shared, status};
use crate::support::Answer;

#[track_caller]
fn is_db_error(answer: &Answer) {
    assert_eq!((status(answer).as_str(), answer.code), ("db_error", 2), "{}", answer.value);
}

/// A limit of the file size stands for a full disk: SQLite gets no more room.
#[test]
#[cfg(target_os = "linux")]
fn l38_a_full_disk_changes_nothing() {
    let world = World::new();
    // As long as another process has the database open, its log stays, and is too long for the limit.
    let beside = rusqlite::Connection::open(world.data().join("longterm.sqlite")).unwrap();
    beside.query_row("SELECT count(*) FROM memories", [], |row| row.get::<_, i64>(0)).unwrap();
    for content in ["a", "b", "c"] {
        assert_eq!(world.update(&context(), shared(1, content)).code, 0);
    }
    let log = std::fs::metadata(world.data().join("longterm.sqlite-wal")).unwrap().len();
    let before = world.state();
    let call = json!({"context": context(), "arguments": shared(1, &"x".repeat(900))}).to_string();
    world.sandbox.write_project("call.json", &call);
    for bytes in [0, log - 1, log + 100, log + 9_000] {
        let program = env!("CARGO_BIN_EXE_agent-memory");
        let mut command = std::process::Command::new("prlimit");
        command.arg(format!("--fsize={bytes}")).args([program, "ltm", "update", "-f", "call.json"]);
        command.current_dir(world.sandbox.project()).env_clear().envs(world.sandbox.variables());
        command.env("AGENT_MEMORY_DATA", world.data());
        let reply = crate::support::Reply::of(command.output().unwrap());
        is_db_error(&reply.answer());
        assert_eq!(world.state(), before, "{bytes}");
    }
    drop(beside);
    world.prepare(&["update", "-f", "call.json"]).run().expect_code(0);
}

#[test]
fn l38_a_store_that_is_no_database_is_an_error_of_the_database() {
    let world = World::new();
    let file = world.data().join("longterm.sqlite");
    std::fs::write(&file, "this is no database, whatever its name says".repeat(200)).unwrap();
    for beside in ["longterm.sqlite-wal", "longterm.sqlite-shm"] {
        let _ = std::fs::remove_file(world.data().join(beside));
    }
    is_db_error(&world.update(&context(), shared(1, "x")));
    let create = json!({"memory_content": "x", "memory_scope": "server_wide"});
    is_db_error(&world.create(&context(), create));
    // What cannot be read is not shown, and not taken for nothing.
    let call = json!({"context": context()}).to_string();
    let reply = world.prepare(&["context"]).stdin(call).run().expect_code(2);
    assert_eq!(reply.stdout, "");
}

#[test]
fn l38_a_folder_that_cannot_be_made_is_an_error_of_the_database() {
    let world = World::empty();
    std::fs::write(world.data(), "a file").unwrap();
    is_db_error(&world.update(&context(), shared(1, "x")));
}

#[test]
fn a_person_without_an_entry_is_not_known() {
    let context = context_with("/users", json!({}));
    check(&context, of(2, "x", "Ada"), "user_not_found");
    check(&context, of(2, "", "Ada"), "user_not_found");
    let world = World::new();
    let mut asked = context_beside("u1", "Ada");
    asked["users"] = json!(null);
    assert_eq!(world.context(&asked)["people"], json!([]));
}

#[test]
fn an_entry_that_is_damaged_in_the_database_allows_nothing() {
    let world = World::new();
    world.know(json!({"users": {"u1": {"names": ["Countess"]}}, "servers": {"s1": {"flags": {"self_teaching": true}}}}));
    let file = world.data().join("longterm.sqlite");
    let connection = rusqlite::Connection::open(file).unwrap();
    connection.execute("UPDATE directory SET entry = '{\"privacy'", []).unwrap();
    drop(connection);
    let answer = world.update(&context(), of(2, "x", "Ada"));
    assert_eq!(status(&answer), "privacy_restricted");
    let silent = context_with("/flags", json!(null));
    assert_eq!(status(&world.update(&silent, shared(1, "x"))), "disabled");
    assert_eq!(world.context(&context_beside("u1", "Ada"))["people"], json!([]));
}

#[test]
fn what_a_host_says_in_a_wrong_form_is_no_permission() {
    let strange: [(&str, Value); 3] = [
        ("/users/u1", json!({"privacy": {"level": "minimal"}})),
        ("/users/u1", json!({"privacy": 7})),
        ("/users/u1", json!({"privacy": ""})),
    ];
    for (pointer, value) in strange {
        check(&context_with(pointer, value), of(2, "x", "Ada"), "privacy_restricted");
    }
    let world = World::new();
    for value in [json!("no"), json!(0), json!([])] {
        let mut asked = context_beside("u1", "Ada");
        asked["users"]["u1"]["blacklisted"] = value;
        assert_eq!(world.context(&asked)["people"], json!([]));
    }
}

#[test]
fn settings_that_cannot_be_read_stop_the_call() {
    let world = World::new();
    world.sandbox.write_user_config("[ltm]\npersonal_writes = \"everyone\"\n");
    let answer = world.update(&context(), of(7, "x", "bobby"));
    assert_eq!((status(&answer).as_str(), answer.code), ("internal_error", 2));
    world.sandbox.write_user_config("");
    assert_eq!(world.content(7).as_deref(), Some("of Bob"));
}
