//! `user export`: the entries as they are, for another machine.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::json;

use super::{Person, many_kinds, preferred_language, upsert, warnings, with};
use crate::support::{Reply, files_in};

fn target(person: &Person) -> PathBuf {
    person.sandbox.root().join("export/memory")
}

fn export(person: &Person) -> Reply {
    person.run(&["export", target(person).to_str().unwrap(), "--json"])
}

#[test]
fn an_export_has_the_index_and_all_entries_and_nothing_else() {
    let person = Person::with(&[upsert("a"), upsert("b"), upsert("gone")]);
    person.run(&["delete", "gone"]).expect_code(0);
    person.write("memory/two words.md", "By hand.\r\n");
    person.write("memory/latin.md", b"caf\xe9");
    person.write("memory/notes.txt", "no entry");
    let before = person.tree();
    let report = export(&person).expect_code(0).json();
    assert_eq!((&report["exported"], &report["left_out"]), (&json!(4), &json!(0)));
    assert_eq!(report["warnings"], json!([]));
    assert!(report["folder"].as_str().unwrap().ends_with("export/memory"), "{report}");
    let mut expected = files_in(&person.folder().join("memory"));
    expected.remove("notes.txt");
    assert!(files_in(&target(&person)) == expected);
    assert!(person.tree() == before, "the memory changed");
}

#[cfg(unix)]
#[test]
fn an_export_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let person = Person::with(&[upsert("a")]);
    fs::create_dir_all(target(&person)).unwrap();
    fs::set_permissions(target(&person), fs::Permissions::from_mode(0o755)).unwrap();
    export(&person).expect_code(0);
    let mode = |path: PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(target(&person)), 0o700);
    assert_eq!(mode(target(&person).join("a.md")), 0o600);
    assert_eq!(mode(target(&person).join("MEMORY.md")), 0o600);
}

#[test]
fn a_folder_that_holds_something_is_refused_and_stays() {
    let person = Person::with(&[upsert("a")]);
    export(&person).expect_code(0);
    let before = files_in(&target(&person));
    let refusal = export(&person).expect_code(1).json();
    assert_eq!(
        (&refusal["status"], &refusal["reason"]),
        (&json!("rejected"), &json!("invalid_request"))
    );
    assert_eq!(refusal["hint"], "name a folder that does not exist yet");
    let message = refusal["message"].as_str().unwrap();
    assert!(message.ends_with("export/memory` is not a new or empty folder"), "{message}");
    assert!(files_in(&target(&person)) == before);
    let file = person.sandbox.root().join("file");
    fs::write(&file, "x").unwrap();
    person.run(&["export", file.to_str().unwrap()]).expect_code(1);
    assert_eq!(fs::read_to_string(&file).unwrap(), "x");
}

#[cfg(unix)]
#[test]
fn a_target_that_cannot_be_listed_is_an_error_and_no_refusal() {
    let person = Person::with(&[upsert("a")]);
    fs::create_dir(target(&person).parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(target(&person), target(&person)).unwrap();
    let error = export(&person).expect_code(2).json()["error"]["message"].clone();
    assert!(error.as_str().unwrap().starts_with("could not list `"), "{error}");
}

#[cfg(unix)]
#[test]
fn an_export_that_found_no_room_can_be_repeated() {
    let person = Person::with(&[upsert("a"), with(&upsert("b"), "body", "word ".repeat(2_000))]);
    let folder = target(&person).display().to_string();
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -f 2; exec \"$0\" \"$@\""]);
    command.arg(env!("CARGO_BIN_EXE_agent-memory")).args(["user", "export", &folder]);
    command.current_dir(person.sandbox.project()).env_clear().envs(person.sandbox.variables());
    command.env("AGENT_MEMORY_USER", "ada").env("AGENT_MEMORY_DATA", person.data());
    let said = Reply::of(command.output().unwrap()).expect_code(2).stderr;
    assert!(said.contains("could not write `"), "{said}");
    assert_eq!(export(&person).expect_code(0).json()["exported"], 2);
}

#[test]
fn nothing_is_exported_of_a_person_without_a_memory() {
    let person = Person::new();
    assert_eq!(export(&person).expect_code(1).json()["reason"], "entry_not_found");
    assert!(!target(&person).exists() && !person.data().exists());
}

#[test]
fn an_entry_with_a_secret_is_exported_and_named() {
    let person = Person::with(&[upsert("a"), upsert("b")]);
    let token = ["ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].concat();
    person.write("memory/b.md", format!("The token is {token}\n"));
    let reply = export(&person).expect_code(0);
    assert!(!reply.stdout.contains(&token), "{}", reply.stdout);
    let said = warnings(&reply.json());
    assert!(said.contains("`b.md` holds what looks like a secret: `github-token`: take it out before you give the folder away"), "{said}");
    assert!(fs::read_to_string(target(&person).join("b.md")).unwrap().contains(&token));
}

#[cfg(unix)]
#[test]
fn a_link_in_the_memory_is_left_out() {
    let person = Person::with(&[upsert("a")]);
    let outside = person.sandbox.root().join("outside.md");
    fs::write(&outside, "Of another folder.\n").unwrap();
    std::os::unix::fs::symlink(&outside, person.folder().join("memory/x.md")).unwrap();
    let report = export(&person).expect_code(1).json();
    assert_eq!((&report["exported"], &report["left_out"]), (&json!(1), &json!(1)));
    assert!(warnings(&report).contains("`x.md` is left out"), "{report}");
    assert!(!target(&person).join("x.md").exists());
    let shown = person.run(&["export", "copy"]).expect_code(1).stdout;
    assert!(shown.starts_with("exported 1 entry to "), "{shown}");
    assert!(shown.ends_with("/copy, 1 left out\n"), "{shown}");
}

#[test]
fn an_import_of_an_export_gives_the_same_entries() {
    let person = Person::new();
    let source = person.sandbox.root().join("source");
    fs::create_dir(&source).unwrap();
    for (name, bytes) in many_kinds::files() {
        fs::write(source.join(name), bytes).unwrap();
    }
    person.run(&["import", source.to_str().unwrap()]).expect_code(0);
    export(&person).expect_code(0);
    let other = Person { id: "bob".to_owned(), ..Person::new() };
    other.run(&["import", target(&person).to_str().unwrap()]).expect_code(0);
    let files = |person: &Person| files_in(&person.folder().join("memory"));
    assert!(files(&person) == files(&other));
}

#[test]
fn it_makes_no_memory_of_another_person() {
    let ada = Person::with(&[preferred_language()]);
    let places = ["users/carol/memory", "users/ada/memory/copy", "none/../users/carol/memory"];
    for place in places.into_iter().chain(["../data/users/carol/memory"]) {
        let to = match place.starts_with("..") {
            true => place.to_owned(),
            false => ada.data().join(place).display().to_string(),
        };
        let refused = ada.run(&["export", &to, "--json"]).expect_code(1).json();
        assert_eq!(refused["reason"], "invalid_request", "{refused}");
        assert!(!ada.data().join("users/carol").exists() && !ada.data().join("none").exists());
    }
}
