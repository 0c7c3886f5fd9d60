//! Whose memory a command reads and writes.

use std::fs;

use serde_json::{Value, json};

use super::{Person, delete, preferred_language, read, upsert, with};
use crate::support::files_in;

/// U23.
#[test]
fn no_request_can_name_another_person() {
    let person = Person::with(&[preferred_language()]);
    for field in ["user_id", "user", "as", "data"] {
        let answer = person.refused(&with(&upsert("x"), field, "bob"), "invalid_request");
        assert!(answer["message"].as_str().unwrap().contains(field), "{answer}");
        let request = json!({"tool": "read_user_memory", "arguments": {(field): "bob"}});
        person.refused(&request, "invalid_request");
        let beside = json!({"tool": "read_user_memory", "arguments": {}, (field): "bob"});
        person.refused(&beside, "invalid_request");
    }
}

/// U24.
#[test]
fn where_no_person_is_signed_in_every_tool_says_so_and_nothing_is_made() {
    let mut person = Person::new();
    person.id = String::new();
    for request in [preferred_language(), delete("x"), read("x"), json!({"tool": "nonsense"})] {
        let answer = person.call(&request).rejected("user_required");
        assert!(!answer["hint"].as_str().unwrap().is_empty());
    }
    for command in
        [&["list"] as &[&str], &["path"], &["log"], &["log", "--verify"], &["restore", "x"]]
    {
        let reply = person.run(&[command, &["--json"]].concat()).expect_code(1);
        assert_eq!(reply.json()["reason"], "user_required", "{command:?}");
    }
    assert!(!person.data().exists());
}

/// U24.
#[test]
fn a_person_who_is_named_beside_the_environment_must_be_the_same() {
    let person = Person::with(&[preferred_language()]);
    for arguments in [["--as", "bob", "list"], ["list", "--as", "bob"], ["list", "--as", ""]] {
        let reply = person.run(&[&arguments[..], &["--json"]].concat()).expect_code(2);
        assert_eq!(reply.json()["error"]["code"], "usage");
    }
    person.run(&["--as", "ada", "list"]).expect_code(0);
    // An empty variable says that no person is signed in, which `--as` cannot change.
    let empty = person.prepare(&["--as", "bob", "list"]).env("AGENT_MEMORY_USER", "");
    empty.run().expect_code(2);
    assert!(!person.data().join("users/bob").exists());
}

/// U25.
#[test]
fn a_person_sees_nothing_of_another_one() {
    let mut person = Person::with(&[preferred_language()]);
    let ada = person.tree();
    person.id = "bob".to_owned();
    person.refused(&read("preferred-language"), "entry_not_found");
    person.refused(&delete("preferred-language"), "entry_not_found");
    assert_eq!(person.list()["entries"], json!([]));
    person.done(&with(&preferred_language(), "body", "In French."), "created");
    person.id = "ada".to_owned();
    assert!(person.tree() == ada);
}

fn path(reply: &crate::support::Reply) -> String {
    reply.stdout.trim_end().to_owned()
}

#[test]
fn the_environment_decides_then_the_option_then_the_settings_then_the_account() {
    let person = Person::new();
    let run = |arguments: &[&str], variables: &[(&str, &str)]| {
        let call = person.prepare(&[arguments, &["path"]].concat());
        let call = variables.iter().fold(call, |call, (name, value)| call.env(name, value));
        let folder = path(&call.run().expect_code(0));
        folder.rsplit('/').next().unwrap().to_owned()
    };
    let account = std::process::Command::new("id").arg("-un").output().unwrap().stdout;
    let account = String::from_utf8(account).unwrap();
    let folder = run(&[], &[("USER", "other")]);
    assert!(folder == account.trim_end() || folder.starts_with("u-"), "{folder}");
    person.sandbox.write_user_config("[user]\nid = \"settings\"\n");
    assert_eq!(run(&[], &[("USER", "account")]), "settings");
    assert_eq!(run(&["--as", "option"], &[("USER", "account")]), "option");
    assert_eq!(run(&[], &[("USER", "account"), ("AGENT_MEMORY_USER", "variable")]), "variable");
    assert!(!person.data().exists(), "to name the folder makes none");
}

#[test]
fn ids_that_one_disk_would_take_for_one_name_have_folders_of_their_own() {
    let mut person = Person::new();
    let ids = [
        "ada",
        "Ada",
        "../ada",
        "ada/",
        "ä",
        "u-ada",
        " ada",
        "u-99a563ab2f6e21e96998f9fddd2a2bab",
    ];
    for id in ids {
        person.id = id.to_owned();
        let answer = person.call(&with(&preferred_language(), "body", format!("Of {id:?}.")));
        assert_eq!((&answer["status"], answer.code), (&json!("created"), 0), "{id}");
    }
    for id in ids {
        person.id = id.to_owned();
        assert_eq!(person.body("preferred-language"), format!("Of {id:?}.\n"));
    }
    let folders = fs::read_dir(person.data().join("users")).unwrap();
    let mut names: Vec<String> = folders
        .map(|entry| entry.unwrap().file_name().into_string().unwrap().to_lowercase())
        .collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), ids.len(), "{names:?}");
    assert_eq!(fs::read_dir(person.data()).unwrap().count(), 1);
}

#[test]
fn the_folder_of_all_data_is_the_option_then_the_variable_then_that_of_the_desktop() {
    let person = Person::new();
    let root = person.sandbox.root().to_owned();
    let run = |arguments: &[&str], variables: &[(&str, &str)]| {
        let call = person.sandbox.call(&[&["user"], arguments, &["path"]].concat());
        let call = variables.iter().fold(call, |call, (name, value)| call.env(name, value));
        path(&call.env("AGENT_MEMORY_USER", "ada").run().expect_code(0))
    };
    let [desktop, variable, option] =
        ["desktop", "variable", "option"].map(|name| root.join(name).display().to_string());
    let home = root.join("home/.local/share/agent-memory/users/ada");
    assert_eq!(run(&[], &[]), home.display().to_string());
    assert_eq!(run(&[], &[("XDG_DATA_HOME", "relative")]), home.display().to_string());
    let xdg = ("XDG_DATA_HOME", desktop.as_str());
    assert_eq!(run(&[], &[xdg]), format!("{desktop}/agent-memory/users/ada"));
    let named = ("AGENT_MEMORY_DATA", variable.as_str());
    assert_eq!(run(&[], &[xdg, named]), format!("{variable}/users/ada"));
    assert_eq!(run(&["--data", &option], &[xdg, named]), format!("{option}/users/ada"));
}

#[test]
fn a_project_and_its_store_are_never_touched() {
    let person = Person::new();
    let before = files_in(&person.sandbox.project());
    person.done(&preferred_language(), "created");
    let _: Value = person.list();
    assert_eq!(files_in(&person.sandbox.project()), before);
}

#[test]
fn a_printed_command_names_the_person_as_a_shell_reads_it() {
    let person = Person::new();
    let id = "Ada's; ls";
    let data = ["--as", id, "--type", "user", "--description", "d", "--file", "-"];
    let upsert = [&["upsert", "x"], &data[..]].concat();
    person.prepare(&upsert).stdin("Text.").run().expect_code(0);
    let deleted = person.prepare(&["delete", "x", "--as", id]).run().expect_code(0);
    let command = "`agent-memory user restore x --as 'Ada'\\''s; ls'`";
    assert!(deleted.stdout.contains(command), "{}", deleted.stdout);
}
