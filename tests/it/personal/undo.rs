//! `undo` takes back the latest change, with the line of the index.

use serde_json::Value;

use super::{Person, delete, line, upsert, with};

impl Person {
    /// Takes a change back; returns the answer.
    #[track_caller]
    fn undone(&self, arguments: &[&str]) -> Value {
        let answer = self.run(&[&["undo", "--json"], arguments].concat()).expect_code(0).json();
        assert_eq!(answer["status"], "undone", "{answer}");
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
