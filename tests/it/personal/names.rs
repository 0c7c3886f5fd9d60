//! Which names an entry can have.

use serde_json::json;

use super::{Person, delete, preferred_language, read, upsert};

/// U12.
#[test]
fn a_name_of_another_form_is_refused() {
    let person = Person::with(&[preferred_language()]);
    let long = "a".repeat(101);
    for name in ["a.md", "a b", "../x", "ä", "", &long, "a/b", "a\\b", ".", "a.", "a\n", "%61"] {
        for request in [upsert(name), delete(name), read(name)] {
            let answer = person.refused(&request, "invalid_name");
            assert_eq!(answer["pointer"], "/name", "{answer}");
        }
    }
    person.done(&upsert(&"a".repeat(100)), "created");
}

/// U12.
#[test]
fn the_name_of_a_file_is_refused_with_the_name_that_is_meant() {
    let person = Person::with(&[preferred_language()]);
    let answer = person.refused(&upsert("a.md"), "invalid_name");
    assert!(answer["hint"].as_str().unwrap().contains("`a`"), "{answer}");
}

/// U13.
#[test]
fn names_that_a_system_or_the_index_needs_are_refused() {
    let person = Person::with(&[preferred_language()]);
    for name in ["MEMORY", "Memory", "memory", "CON", "nul", "com1", "LPT9", "aux"] {
        person.refused(&upsert(name), "invalid_name");
        person.refused(&delete(name), "invalid_name");
    }
}

/// U14.
#[test]
fn a_name_that_differs_in_case_alone_is_refused() {
    let person = Person::with(&[upsert("Foo")]);
    let answer = person.refused(&upsert("foo"), "name_collision");
    assert!(answer["message"].as_str().unwrap().contains("`Foo`"), "{answer}");
    person.refused(&delete("foo"), "entry_not_found");
    person.refused(&read("foo"), "entry_not_found");
}

/// U15.
#[test]
fn an_odd_name_of_allowed_characters_is_a_name() {
    let person = Person::new();
    for name in ["-rf", "_", "A-1_b", "0", "--help", "null", "true", "console"] {
        person.done(&upsert(name), "created");
        assert_eq!(person.body(name), format!("The text of {name}.\n"));
        assert!(person.has(&format!("memory/{name}.md")));
    }
    let list = person.list();
    let names: Vec<_> =
        list["entries"].as_array().unwrap().iter().map(|each| &each["name"]).collect();
    assert_eq!(names, ["--help", "-rf", "0", "A-1_b", "_", "console", "null", "true"]);
    assert_eq!(list["warnings"], json!([]));
    person.run(&["delete", "--", "-rf"]).expect_code(0);
    assert!(!person.has("memory/-rf.md"));
}
