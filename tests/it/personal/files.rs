//! Modes, links and files that are no entry.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use serde_json::json;

use super::{Person, delete, line, preferred_language, read, upsert, warnings, with};
use crate::support::files_in;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Returns whatever below a folder another account could read.
fn open_to_others(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let expected = if path.is_dir() { 0o700 } else { 0o600 };
        if mode(&path) != expected {
            found.push(format!("{} {:o}", path.display(), mode(&path)));
        }
        if path.is_dir() {
            found.extend(open_to_others(&path));
        }
    }
    found
}

#[test]
fn every_file_and_folder_is_the_owners_alone() {
    let person = Person::with(&[preferred_language(), upsert("a")]);
    person.done(&with(&upsert("a"), "body", "Another."), "updated");
    person.done(&delete("a"), "deleted");
    person.run(&["restore", "a"]).expect_code(0);
    person.done(&delete("a"), "deleted");
    assert_eq!(mode(&person.data()), 0o700);
    assert_eq!(open_to_others(&person.data()), [""; 0]);
}

#[test]
fn what_was_opened_to_others_is_closed_by_the_next_change() {
    let person = Person::with(&[upsert("a")]);
    for folder in ["", "memory"] {
        set_mode(&person.folder().join(folder), 0o755);
    }
    set_mode(&person.folder().join("memory/a.md"), 0o644);
    person.done(&with(&upsert("a"), "body", "Another."), "updated");
    person.done(&upsert("b"), "created");
    for folder in ["", "memory", "state"] {
        assert_eq!(mode(&person.folder().join(folder)), 0o700, "{folder}");
    }
    assert_eq!(mode(&person.folder().join("memory/a.md")), 0o600);
    person.done(&delete("a"), "deleted");
    for file in ["memory/b.md", "memory/MEMORY.md", "trash/20261120-100000-a.md"] {
        assert_eq!(mode(&person.folder().join(file)), 0o600, "{file}");
    }
}

/// U38.
#[test]
fn a_folder_that_is_a_link_is_refused_and_not_followed() {
    for link in ["memory", "trash", "state", ""] {
        let person = Person::with(&[upsert("a")]);
        person.done(&upsert("b"), "created");
        person.done(&delete("b"), "deleted");
        let outside = person.sandbox.root().join("elsewhere");
        let place = person.folder().join(link);
        let place = Path::new(place.to_str().unwrap().trim_end_matches('/'));
        fs::rename(place, &outside).unwrap();
        symlink(&outside, place).unwrap();
        let before = files_in(&outside);
        let writes = [with(&upsert("a"), "body", "Another."), upsert("c"), delete("a")];
        for request in &writes {
            match link == "trash" && request["action"] == "upsert" {
                true => assert_eq!(person.call(request).code, 0, "an upsert needs no trash"),
                false => drop(person.failed(request)),
            }
        }
        let restored = person.run(&["restore", "b", "--json"]);
        assert_eq!(restored.code, 2, "{link}: {}", restored.stdout);
        if link != "trash" {
            person.failed(&read("a"));
            person.run(&["list"]).expect_code(2);
        }
        let mut after = files_in(&outside);
        for files in [&before, &after] {
            assert!(!files.is_empty(), "{link}");
        }
        after.retain(|path, _| path != "lock");
        let mut before = before;
        before.retain(|path, _| path != "lock");
        assert!(after == before, "{link}: something was written outside");
    }
}

#[test]
fn an_entry_or_index_that_is_a_link_is_not_followed() {
    for path in ["memory/a.md", "memory/MEMORY.md"] {
        let person = Person::with(&[upsert("a")]);
        let outside = person.sandbox.root().join("elsewhere.md");
        fs::write(&outside, "Of another folder.\n").unwrap();
        fs::remove_file(person.folder().join(path)).unwrap();
        symlink(&outside, person.folder().join(path)).unwrap();
        let reading = match path {
            "memory/a.md" => read("a"),
            _ => json!({ "tool": "read_user_memory" }),
        };
        for request in [with(&upsert("a"), "body", "Another."), delete("a"), reading] {
            let error = person.failed(&request);
            assert!(error["message"].as_str().unwrap().contains("a symbolic link"), "{error}");
            assert!(!error["hint"].to_string().contains("user delete"), "it would fail: {error}");
        }
        assert_eq!(fs::read_to_string(&outside).unwrap(), "Of another folder.\n");
    }
}

#[test]
fn a_folder_of_data_behind_a_link_is_the_persons_choice() {
    let person = Person::new();
    let real = person.sandbox.root().join("real");
    fs::create_dir(&real).unwrap();
    set_mode(&real, 0o700);
    symlink(&real, person.data()).unwrap();
    person.done(&preferred_language(), "created");
    assert!(real.join("users/ada/memory/preferred-language.md").exists());
}

#[test]
fn a_folder_with_the_name_of_an_entry_is_reported_and_hurts_no_other_entry() {
    let person = Person::with(&[upsert("a")]);
    fs::create_dir(person.folder().join("memory/x.md")).unwrap();
    let list = person.list();
    assert_eq!(list["entries"].as_array().unwrap().len(), 1);
    assert!(warnings(&list).contains("`x` is not read"), "{list}");
    for request in [upsert("x"), delete("x"), read("x")] {
        let error = person.failed(&request);
        assert!(error["message"].as_str().unwrap().contains("it is a folder"), "{error}");
        assert!(!error["hint"].to_string().contains("user delete"), "it would fail: {error}");
    }
    person.done(&upsert("b"), "created");
    assert_eq!(person.index(), line("a") + &line("b"));
}

#[test]
fn an_entry_that_is_not_utf_8_is_reported_and_can_be_deleted() {
    let person = Person::with(&[upsert("a")]);
    person.write("memory/x.md", b"caf\xe9\n");
    person.write("memory/MEMORY.md", line("a") + &line("x"));
    assert_eq!(warnings(&person.list()), "`x` is not read: it is not UTF-8 at byte 3");
    assert_eq!(person.failed(&read("x"))["code"], "store_damaged");
    let error = person.failed(&upsert("x"));
    assert_eq!(error["code"], "store_damaged");
    assert!(error["hint"].as_str().unwrap().contains("user delete x"), "{error}");
    person.done(&delete("x"), "deleted");
    let trash = person.folder().join("trash/20261120-100000-x.md");
    assert_eq!(fs::read(trash).unwrap(), b"caf\xe9\n");
    person.log_is_whole();
}

#[test]
fn an_index_that_is_not_utf_8_is_never_overwritten() {
    let person = Person::with(&[upsert("a")]);
    person.write("memory/MEMORY.md", b"- caf\xe9\n");
    for request in [upsert("b"), with(&upsert("a"), "body", "Another."), delete("a")] {
        let error = person.failed(&request);
        assert!(error["message"].as_str().unwrap().contains("MEMORY.md"), "{error}");
    }
    assert_eq!(person.body("a"), "The text of a.\n");
}

#[test]
fn a_file_whose_name_no_entry_can_have_is_listed_and_left_alone() {
    let person = Person::with(&[upsert("a")]);
    for name in ["two words.md", "ä.md", "CON.md", ".hidden.md"] {
        person.write(&format!("memory/{name}"), "Text.\n");
    }
    person.write("memory/notes.txt", "Text.\n");
    let before = person.tree();
    let list = person.list();
    let names: Vec<_> =
        list["entries"].as_array().unwrap().iter().map(|each| each["name"].clone()).collect();
    assert_eq!(names, [".hidden", "CON", "a", "two words", "ä"]);
    let said = warnings(&list);
    for of in [".hidden` is no name", "CON` is a device", "two words` is no name", "ä` is no"] {
        assert!(said.contains(&format!("`{of}")), "{said}");
    }
    let count = list["warnings"].as_array().unwrap().len();
    assert_eq!((count, said.matches("; rename its file: ").count()), (4, 4), "{said}");
    person.refused(&read("two words"), "invalid_name");
    assert!(person.tree() == before);
    let index = line("a") + "- [two words](<two words.md>)\n";
    person.write("memory/MEMORY.md", &index);
    person.done(&upsert("b"), "created");
    assert_eq!(person.index(), index + &line("b"));
    assert!(!warnings(&person.list()).contains("the index"));
}

#[test]
fn settings_with_a_slip_are_named_and_nothing_is_written() {
    let person = Person::with(&[upsert("a")]);
    person.write("config.toml", "dialekt = \"claude\"\n");
    for request in [upsert("b"), delete("a")] {
        let error = person.failed(&request);
        assert!(error["message"].as_str().unwrap().contains("`dialekt`"), "{error}");
    }
}

#[test]
fn a_damaged_key_is_named_with_what_to_do_and_a_new_one_loses_no_entry() {
    let ada = Person::with(&[preferred_language()]);
    ada.write("state/key", "");
    let error = ada.failed(&upsert("b"));
    assert_eq!(error["code"], "store_damaged", "{error}");
    let hint = error["hint"].as_str().unwrap();
    assert!(hint.starts_with("restore it from a backup, or delete it: "), "{hint}");
    std::fs::remove_file(ada.folder().join("state/key")).unwrap();
    ada.done(&upsert("b"), "created");
    assert_eq!(ada.body("preferred-language").lines().count(), 1);
    ada.run(&["log", "--verify"]).expect_code(1);
}
