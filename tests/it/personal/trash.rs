//! What is deleted is in the trash, from which it can be restored.

use serde_json::json;

use super::{
    PREFERRED_LANGUAGE, PREFERRED_LANGUAGE_LINE, Person, delete, line, preferred_language, upsert,
    warnings, with,
};

const NAME: &str = "preferred-language";

/// U6.
#[test]
fn a_deleted_entry_is_whole_in_the_trash_and_gone_from_the_index() {
    let person = Person::with(&[preferred_language()]);
    let answer = person.done(&delete(NAME), "deleted");
    let trash = "trash/20261120-100000-preferred-language.md";
    assert_eq!(answer["trash"], trash);
    assert!(answer.get("hash").is_none() && answer.get("index_line").is_none(), "{answer}");
    assert!(!person.has("memory/preferred-language.md"));
    assert_eq!(person.file(trash), PREFERRED_LANGUAGE);
    assert_eq!(person.index(), "");
    assert_eq!(person.log(), ["created preferred-language", "deleted preferred-language"]);
    person.log_is_whole();
}

#[test]
fn a_delete_leaves_the_lines_of_other_entries() {
    let person = Person::with(&["a", "b", "c"].map(upsert));
    person.done(&delete("b"), "deleted");
    assert_eq!(person.index(), line("a") + &line("c"));
}

/// U7.
#[test]
fn an_entry_that_was_never_stored_cannot_be_deleted() {
    let person = Person::new();
    person.refused(&delete("absent"), "entry_not_found");
    assert!(!person.data().exists(), "a refusal makes no folder");
    person.done(&preferred_language(), "created");
    let answer = person.refused(&delete("absent"), "entry_not_found");
    assert_eq!(answer["name"], "absent");
    person.run(&["delete", "absent"]).expect_code(1);
}

#[test]
fn a_delete_ignores_what_an_upsert_needs_and_says_so() {
    let person = Person::with(&[preferred_language()]);
    let request = with(&preferred_language(), "action", "delete");
    let answer = person.done(&request, "deleted");
    for field in ["`type`", "`description`", "`body`"] {
        assert!(warnings(&answer).contains(field), "{answer}");
    }
}

/// U8.
#[test]
fn two_deletes_of_one_name_leave_two_files_in_the_trash() {
    let person = Person::with(&[preferred_language()]);
    person.done(&delete(NAME), "deleted");
    let second = with(&preferred_language(), "body", "The second.");
    person.done(&second, "created");
    let answer = person.done(&delete(NAME), "deleted");
    assert_eq!(answer["trash"], "trash/20261120-100000-preferred-language.2.md");
    let both = ["20261120-100000-preferred-language.2.md", "20261120-100000-preferred-language.md"];
    assert_eq!(person.trash(), both);
    assert!(person.file("trash/20261120-100000-preferred-language.2.md").contains("The second."));
}

/// U9.
#[test]
fn restore_brings_back_the_newest_copy_and_its_line() {
    let mut person = Person::with(&[with(&preferred_language(), "body", "The first.")]);
    person.done(&delete(NAME), "deleted");
    person.sandbox.advance_days(1);
    person.done(&preferred_language(), "created");
    person.done(&delete(NAME), "deleted");
    let answer = person.run(&["restore", NAME, "--json"]).expect_code(0).json();
    assert_eq!((&answer["status"], &answer["name"]), (&json!("restored"), &json!(NAME)));
    assert_eq!(person.file("memory/preferred-language.md"), PREFERRED_LANGUAGE);
    assert_eq!(person.index(), PREFERRED_LANGUAGE_LINE);
    assert_eq!(person.trash(), ["20261120-100000-preferred-language.md"]);
    assert_eq!(person.log().last().unwrap(), "restored preferred-language");
    person.log_is_whole();
}

#[test]
fn of_copies_of_one_second_the_last_is_restored() {
    let person = Person::new();
    for number in 1..=11 {
        let body = format!("Text {number}.");
        person.done(&with(&preferred_language(), "body", body), "created");
        person.done(&delete(NAME), "deleted");
    }
    person.run(&["restore", NAME]).expect_code(0);
    assert!(person.file("memory/preferred-language.md").ends_with("\nText 11.\n"));
}

#[test]
fn the_copy_of_another_name_is_not_restored() {
    let person = Person::with(&[upsert("a-b"), upsert("b")]);
    person.done(&delete("a-b"), "deleted");
    let reply = person.run(&["restore", "b", "--json"]);
    assert_eq!(reply.json()["reason"], "name_collision");
    person.done(&delete("b"), "deleted");
    person.run(&["restore", "b"]).expect_code(0);
    assert!(person.file("memory/b.md").contains("The text of b."));
    assert_eq!(person.trash(), ["20261120-100000-a-b.md"]);
}

#[test]
fn a_restored_entry_has_one_line_whatever_its_description_is() {
    let person = Person::with(&[upsert("a")]);
    let old = "---\nname: x\ndescription: |\n  one\n  - [a](a.md) two\ntype: user\n---\n\nText.\n";
    person.write("memory/x.md", old);
    person.done(&delete("x"), "deleted");
    let answer = person.run(&["restore", "x", "--json"]).expect_code(0).json();
    assert_eq!(person.index(), line("a") + "- [x](x.md) — one - [a](a.md) two\n");
    assert_eq!(answer["description"], "one - [a](a.md) two");
    assert_eq!(person.file("memory/x.md"), old);
    person.done(&upsert("a"), "unchanged");
}

/// U10.
#[test]
fn restore_never_overwrites_and_never_invents() {
    let person = Person::with(&[preferred_language()]);
    person.done(&delete(NAME), "deleted");
    person.done(&preferred_language(), "created");
    let cases = [
        (NAME, "name_collision"),
        ("Preferred-Language", "name_collision"),
        ("absent", "entry_not_found"),
        ("../x", "invalid_name"),
    ];
    for (name, reason) in cases {
        let before = person.tree();
        let reply = person.run(&["restore", name, "--json"]).expect_code(1);
        assert_eq!(reply.json()["reason"], reason, "{name}");
        assert!(person.tree() == before, "{name}");
    }
    let refused = person.run(&["restore", NAME, "--json"]).expect_code(1).json();
    assert_eq!(refused["message"], format!("there is an entry `{NAME}` already"));
    let nothing = Person::new();
    let reply = nothing.run(&["restore", NAME, "--json"]).expect_code(1);
    assert_eq!(reply.json()["reason"], "entry_not_found");
    assert!(!nothing.data().exists());
}

#[test]
fn with_a_clock_that_was_set_back_the_copy_that_was_deleted_last_is_the_newest() {
    let person = Person::new();
    for (day, body) in [("22", "First."), ("21", "Second."), ("20", "Third."), ("23", "Fourth.")] {
        person.done(&with(&preferred_language(), "body", body), "created");
        let call = person.prepare(&["delete", NAME]).env("AGENT_MEMORY_USER", &person.id);
        call.env("AGENT_MEMORY_NOW", &format!("2026-11-{day}T10:00:00Z")).run().expect_code(0);
    }
    for body in ["Fourth.", "Third.", "Second.", "First."] {
        person.run(&["restore", NAME]).expect_code(0);
        let file = person.folder().join("memory/preferred-language.md");
        assert!(std::fs::read_to_string(&file).unwrap().ends_with(&format!("\n{body}\n")));
        std::fs::remove_file(file).unwrap();
    }
}

#[test]
fn a_restore_keeps_the_limits_and_an_undo_goes_beyond_with_a_warning() {
    for (limits, said) in [
        ("[limits]\nentries = 2\n", "there are 2 entries, allowed are 2"),
        ("dialect = \"claude\"\n[limits]\nindex_lines = 2\n", "3 lines"),
    ] {
        let person = Person::with(&["a", "b", "x"].map(upsert));
        person.done(&delete("x"), "deleted");
        person.write("config.toml", limits);
        let before = person.tree();
        let refusal = person.run(&["restore", "x", "--json"]).expect_code(1).json();
        assert_eq!((&refusal["reason"], &refusal["name"]), (&json!("limit_exceeded"), &json!("x")));
        assert!(refusal["message"].as_str().unwrap().contains(said), "{refusal}");
        assert!(person.tree() == before, "{refusal}");
        let answer = person.run(&["undo", "--json"]).expect_code(0).json();
        assert!(warnings(&answer).contains(&said.replace("3 lines", "3 of 2 lines")), "{answer}");
        assert_eq!(person.index(), ["a", "b", "x"].map(line).concat());
        person.done(&delete("x"), "deleted");
    }
}

#[test]
fn an_older_copy_comes_back_by_the_name_of_its_file() {
    let ada = Person::new();
    ada.done(&with(&preferred_language(), "body", "One."), "created");
    ada.done(&delete("preferred-language"), "deleted");
    ada.done(&with(&preferred_language(), "body", "Two."), "created");
    let refused = ada.run(&["restore", "preferred-language"]).expect_code(1);
    let copy = "20261120-100000-preferred-language.md";
    let hint = format!(
        "`agent-memory user delete preferred-language`, then `agent-memory user restore {copy}`"
    );
    assert!(refused.stderr.contains(&hint), "{}", refused.stderr);
    ada.done(&delete("preferred-language"), "deleted");
    let restored = ada.run(&["restore", copy, "--json"]).expect_code(0).json();
    assert_eq!(restored["name"], "preferred-language", "{restored}");
    assert_eq!(ada.body("preferred-language"), "One.\n");
    assert_eq!(ada.trash(), ["20261120-100000-preferred-language.2.md"]);
    ada.run(&["undo"]).expect_code(0);
    ada.run(&["restore", "trash/20261120-100000-preferred-language.2.md"]).expect_code(0);
    assert_eq!(ada.body("preferred-language"), "Two.\n");
    for missing in ["20261120-100000-absent.md", "20200101-000000-preferred-language.md"] {
        let refused = ada.run(&["restore", missing]).expect_code(1).stderr;
        let said = format!("there is no `{missing}` in the trash [entry_not_found]");
        assert!(refused.contains(&said) && !refused.contains("delete it first"), "{refused}");
    }
}
