//! `undo` takes back the latest change, with the line of the index.

use serde_json::{Value, json};

use super::{Person, delete, line, upsert, with};
use crate::support::Reply;

impl Person {
    /// Takes a change back; returns the answer.
    #[track_caller]
    fn undone(&self, arguments: &[&str]) -> Value {
        let answer = self.run(&[&["undo", "--json"], arguments].concat()).expect_code(0).json();
        assert_eq!(answer["status"], "undone", "{answer}");
        answer
    }

    /// Tries to take a change back, which is refused and changes nothing.
    #[track_caller]
    fn not_undone(&self, arguments: &[&str], reason: &str) -> Value {
        let before = self.tree();
        let reply: Reply = self.run(&[&["undo", "--json"], arguments].concat()).expect_code(1);
        let answer = reply.json();
        assert_eq!(answer["reason"], reason, "{answer}");
        assert!(self.tree() == before, "something was written: {answer}");
        answer
    }

    /// Returns the files of `memory/` with their bytes.
    fn memory(&self) -> Vec<(String, Vec<u8>)> {
        self.tree().into_iter().filter(|(path, _)| path.starts_with("memory/")).collect()
    }
}

/// An index as a person writes it: a wrapped line with a label of its own, and prose around it.
const BY_HAND: &str = "# Of Ada\r\n\r\n- [a](a.md) — a\n- [The X](./x.md): what Ada\n  wrote of it\nprose of Ada\n\n* [x](x.md)\n1. [b](b.md) — b\n";

fn with_index_by_hand() -> Person {
    let person = Person::with(&["a", "x", "b"].map(upsert));
    person.write("memory/MEMORY.md", BY_HAND);
    person
}

#[test]
fn the_undo_of_a_delete_brings_entry_and_index_back_byte_for_byte() {
    let person = with_index_by_hand();
    let before = person.memory();
    person.done(&delete("x"), "deleted");
    assert!(person.index().contains("prose of Ada\n") && !person.index().contains("x.md"));
    let answer = person.undone(&[]);
    assert_eq!(answer["name"], "x");
    assert!(person.memory() == before, "{}", person.index());
    assert!(person.trash().is_empty());
    person.log_is_whole();
}

#[test]
fn the_undo_of_an_update_brings_entry_and_index_back_byte_for_byte() {
    let person = with_index_by_hand();
    let before = person.memory();
    person.done(&with(&upsert("x"), "description", "Another."), "updated");
    assert!(person.index().contains("— Another.\nprose of Ada\n"), "{}", person.index());
    person.undone(&["--latest"]);
    assert!(person.memory() == before, "{}", person.index());
}

#[test]
fn changes_are_taken_back_one_after_the_other_to_the_first_index() {
    let person = with_index_by_hand();
    let before = person.memory();
    person.done(&delete("a"), "deleted");
    person.done(&with(&upsert("x"), "description", "Another."), "updated");
    person.done(&upsert("new"), "created");
    person.done(&delete("x"), "deleted");
    for name in ["x", "new", "x", "a"] {
        assert_eq!(person.undone(&[])["name"], name);
    }
    assert!(person.memory() == before, "{}", person.index());
}

#[test]
fn an_index_that_was_edited_since_keeps_the_edit_and_gets_the_line() {
    let person = with_index_by_hand();
    person.done(&delete("x"), "deleted");
    let edited = person.index().replace("# Of Ada", "# Of Ada herself");
    person.write("memory/MEMORY.md", &edited);
    person.undone(&[]);
    assert_eq!(person.index(), edited + &line("x").replace('\n', "\r\n"));
}

#[test]
fn deletes_and_restores_are_taken_back_in_any_number() {
    let person = Person::with(&[upsert("x")]);
    let before = person.memory();
    for second in 0..3 {
        person.done(&delete("x"), "deleted");
        person.run(&["restore", "x"]).expect_code(0);
        if second == 1 {
            person.undone(&[]);
            person.run(&["restore", "x"]).expect_code(0);
        }
    }
    for _ in 0..3 {
        person.undone(&[]);
        assert!(!person.has("memory/x.md") && person.trash().len() == 1);
        person.undone(&[]);
        assert!(person.memory() == before && person.trash().is_empty());
    }
    person.undone(&[]);
    assert_eq!((person.index(), person.has("memory/x.md")), (String::new(), false));
    person.not_undone(&[], "entry_not_found");
    person.log_is_whole();
}

#[test]
fn what_a_hand_put_into_the_trash_is_not_overwritten() {
    let person = Person::with(&[upsert("x")]);
    let trash = person.done(&delete("x"), "deleted")["trash"].as_str().unwrap().to_owned();
    person.run(&["restore", "x"]).expect_code(0);
    person.write(&trash, "Of Ada.\n");
    let answer = person.undone(&[]);
    assert_ne!(answer["trash"], json!(trash));
    assert_eq!(person.file(&trash), "Of Ada.\n");
    assert!(person.file(answer["trash"].as_str().unwrap()).contains("The text of x."));
}

#[test]
fn what_a_hand_wrote_into_the_deleted_copy_comes_back_with_it() {
    let person = Person::with(&[upsert("x")]);
    let trash = person.done(&delete("x"), "deleted")["trash"].as_str().unwrap().to_owned();
    let edited = person.file(&trash) + "By hand.\n";
    person.write(&trash, &edited);
    person.undone(&[]);
    assert_eq!(person.file("memory/x.md"), edited);
    assert_eq!(person.index(), line("x"));
}

#[test]
fn a_delete_whose_copy_is_gone_says_so() {
    let person = Person::with(&[upsert("a"), upsert("x")]);
    let trash = person.done(&delete("x"), "deleted")["trash"].as_str().unwrap().to_owned();
    std::fs::remove_file(person.folder().join(&trash)).unwrap();
    let answer = person.not_undone(&[], "entry_not_found");
    assert!(answer["message"].as_str().unwrap().contains(&trash), "{answer}");
    assert_eq!(person.undone(&["a"])["name"], "a");
}

#[test]
fn an_entry_that_was_edited_by_hand_is_named_and_the_others_can_be_taken_back() {
    let person = Person::with(&["a", "b", "x"].map(upsert));
    person.done(&with(&upsert("a"), "body", "Another."), "updated");
    person.done(&with(&upsert("x"), "body", "Another."), "updated");
    let edited = person.file("memory/x.md") + "By hand.\n";
    person.write("memory/x.md", &edited);
    for arguments in [&[][..], &["x"]] {
        let answer = person.not_undone(arguments, "target_drift");
        assert!(answer["message"].as_str().unwrap().contains("`x`"), "{answer}");
        assert!(answer["hint"].as_str().unwrap().contains("user undo NAME"), "{answer}");
    }
    person.undone(&["a"]);
    assert_eq!(person.body("a"), "The text of a.\n");
    person.undone(&["a"]);
    person.undone(&["b"]);
    assert!(!person.has("memory/a.md") && !person.has("memory/b.md"));
    assert_eq!(person.index(), line("x"));
    assert_eq!(person.file("memory/x.md"), edited);
    person.not_undone(&["a"], "entry_not_found");
    person.log_is_whole();
}

#[test]
fn the_latest_change_is_that_of_the_name_alone() {
    let person = Person::with(&[upsert("a"), upsert("a-b")]);
    person.not_undone(&["b"], "entry_not_found");
    person.not_undone(&["A"], "entry_not_found");
    person.not_undone(&["a b"], "invalid_name");
    person.run(&["undo", "a", "--latest"]).expect_code(2);
    assert_eq!(person.undone(&["a"])["name"], "a");
    assert_eq!(Person::new().not_undone(&["a"], "entry_not_found")["status"], "rejected");
}

#[test]
fn an_undo_never_makes_two_entries_that_are_one_file_on_some_disks() {
    let person = Person::with(&[upsert("Foo")]);
    person.done(&delete("Foo"), "deleted");
    person.done(&upsert("foo"), "created");
    person.not_undone(&["Foo"], "name_collision");
    person.undone(&[]);
    person.undone(&["Foo"]);
    assert_eq!(person.index(), line("Foo"));
}

#[test]
fn the_latest_change_is_the_last_one_after_the_clock_was_set_back() {
    let mut person = Person::new();
    for (time, name) in [("10", "a"), ("09", "b"), ("08", "c")] {
        person.sandbox.set_env("AGENT_MEMORY_NOW", &format!("2026-11-20T{time}:00:00Z"));
        person.done(&upsert(name), "created");
    }
    let log = person.run(&["log", "--json"]).expect_code(0).json();
    let names: Vec<&Value> =
        log["changes"].as_array().unwrap().iter().map(|each| &each["name"]).collect();
    assert_eq!(names, ["c", "b", "a"]);
    for name in ["c", "b", "a"] {
        assert_eq!(person.undone(&[])["name"], name);
    }
}
