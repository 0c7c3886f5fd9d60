//! An entry is made, replaced and read.

use serde_json::json;

use super::{
    PREFERRED_LANGUAGE, PREFERRED_LANGUAGE_LINE, Person, line, preferred_language, upsert,
    warnings, with,
};
use agent_memory::contract::ContentHash;

/// U1.
#[test]
fn a_new_entry_is_a_file_and_a_line_of_the_index() {
    let person = Person::new();
    let answer = person.done(&preferred_language(), "created");
    assert_eq!(person.file("memory/preferred-language.md"), PREFERRED_LANGUAGE);
    assert_eq!(person.index(), PREFERRED_LANGUAGE_LINE);
    let hash = ContentHash::of(PREFERRED_LANGUAGE.as_bytes()).to_string();
    let size = PREFERRED_LANGUAGE_LINE.len();
    let expected = json!({
        "schema_version": 1, "status": "created", "message": answer["message"],
        "name": "preferred-language", "path": "memory/preferred-language.md",
        "description": "User prefers Japanese output",
        "index_line": PREFERRED_LANGUAGE_LINE.trim_end(), "hash": hash,
        "index": {"lines": 1, "bytes": size, "max_lines": 200, "max_bytes": 25_000},
        "warnings": [],
    });
    assert_eq!(answer, expected);
    assert_eq!(person.log(), ["created preferred-language"]);
    person.log_is_whole();
}

/// U2.
#[test]
fn the_same_entry_again_writes_nothing() {
    let person = Person::with(&[preferred_language()]);
    let before = person.tree();
    let answer = person.done(&preferred_language(), "unchanged");
    assert!(person.tree() == before, "{answer}");
    assert_eq!(person.index(), PREFERRED_LANGUAGE_LINE);
    assert_eq!(person.log(), ["created preferred-language"]);
}

#[test]
fn a_body_that_differs_in_blank_lines_at_its_ends_is_the_same() {
    let person = Person::with(&[preferred_language()]);
    let body = format!("\n\n  \n{}\n\n", preferred_language()["body"].as_str().unwrap());
    person.done(&with(&preferred_language(), "body", body), "unchanged");
}

#[test]
fn a_body_that_looks_like_front_matter_is_a_body() {
    let person = Person::new();
    let body = "---\nname: y\n---\n\n# Text\n";
    person.done(&with(&upsert("x"), "body", body), "created");
    assert_eq!(person.body("x"), body);
    assert_eq!(person.read("x")["name"], "x");
    person.done(&with(&upsert("x"), "body", body), "unchanged");
}

/// U3.
#[test]
fn another_body_replaces_the_old_one_and_leaves_the_index() {
    let person = Person::with(&[upsert("first"), preferred_language(), upsert("last")]);
    let index = person.index();
    let answer = person.done(&with(&preferred_language(), "body", "In English."), "updated");
    let file = person.file("memory/preferred-language.md");
    let front = "---\nname: preferred-language\ndescription: User prefers Japanese output\ntype: user\n---\n";
    assert_eq!(file, format!("{front}\nIn English.\n"));
    assert_eq!(person.index(), index);
    assert_eq!(answer["hash"], ContentHash::of(file.as_bytes()).to_string());
    assert_eq!(person.trash(), [""; 0]);
    person.log_is_whole();
}

/// U4.
#[test]
fn another_type_changes_the_front_matter_alone() {
    let person = Person::with(&[preferred_language()]);
    person.done(&with(&preferred_language(), "type", "feedback"), "updated");
    let expected = PREFERRED_LANGUAGE.replace("type: user", "type: feedback");
    assert_eq!(person.file("memory/preferred-language.md"), expected);
    assert_eq!(person.index(), PREFERRED_LANGUAGE_LINE);
}

/// U5.
#[test]
fn a_new_description_renews_the_line_where_it_stands() {
    let person = Person::with(&["a", "b", "c"].map(upsert));
    let answer = person.done(&with(&upsert("a"), "description", "Another one"), "updated");
    assert_eq!(answer["index_line"], "- [a](a.md) — Another one");
    let expected = format!("- [a](a.md) — Another one\n{}{}", line("b"), line("c"));
    assert_eq!(person.index(), expected);
    assert!(person.file("memory/a.md").contains("\ndescription: Another one\n"));
}

/// U11.
#[test]
fn all_that_is_missing_is_named_at_once() {
    let person = Person::with(&[preferred_language()]);
    let request = json!({ "action": "upsert", "name": "x", "description": "d" });
    let answer = person.refused(&request, "invalid_request");
    let message = answer["message"].as_str().unwrap();
    assert!(message.contains("`type` is missing") && message.contains("`body` is missing"));
    let pointers: Vec<_> =
        answer["violations"].as_array().unwrap().iter().map(|each| &each["pointer"]).collect();
    assert_eq!(pointers, ["/type", "/body"]);
}

#[test]
fn a_blank_text_is_a_missing_one() {
    let person = Person::with(&[preferred_language()]);
    for (field, blank) in
        [("description", " \n\t"), ("body", "\n \n"), ("body", ""), ("description", "\u{a0}")]
    {
        let answer = person.refused(&with(&upsert("x"), field, blank), "invalid_request");
        let missing = format!("`{field}` is missing");
        assert!(answer["message"].as_str().unwrap().contains(&missing), "{answer}");
    }
}

/// U16.
#[test]
fn an_unknown_type_is_refused_with_those_that_are_known() {
    let person = Person::with(&[preferred_language()]);
    for unknown in ["note", "User", ""] {
        let answer = person.refused(&with(&upsert("x"), "type", unknown), "invalid_request");
        let said = format!("{}{}", answer["message"], answer["hint"]);
        for known in ["`user`", "`feedback`", "`project`", "`reference`"] {
            assert!(said.contains(known), "{said}");
        }
    }
}

#[test]
fn an_unknown_action_is_refused_with_those_that_are_known() {
    let person = Person::with(&[preferred_language()]);
    let answer = person.refused(&with(&upsert("x"), "action", "append"), "invalid_request");
    let said = format!("{}{}", answer["message"], answer["hint"]);
    assert!(said.contains("`upsert`") && said.contains("`delete`"), "{said}");
}

/// U26.
#[test]
fn an_entry_is_read_with_its_name_type_and_description_above_the_body() {
    let person = Person::with(&[preferred_language()]);
    let text = "# Memory: preferred-language\n**Type**: user\n**Description**: User prefers Japanese output\n\nAlways respond in Japanese unless the user explicitly asks for another language.";
    let answer = person.read("preferred-language");
    let expected = json!({
        "schema_version": 1, "name": "preferred-language", "type": "user",
        "description": "User prefers Japanese output",
        "body": "Always respond in Japanese unless the user explicitly asks for another language.",
        "text": text, "path": "memory/preferred-language.md",
        "hash": ContentHash::of(PREFERRED_LANGUAGE.as_bytes()).to_string(),
    });
    assert_eq!(answer, expected);
    assert_eq!(
        person.run(&["read", "preferred-language"]).expect_code(0).stdout,
        format!("{text}\n")
    );
}

#[test]
fn a_read_without_a_name_gives_the_index() {
    let person = Person::new();
    let request = json!({ "tool": "read_user_memory" });
    let empty = person.call(&request);
    assert_eq!((&empty["text"], empty.code), (&json!(""), 0));
    assert!(!person.data().exists(), "a read makes no folder");
    person.done(&preferred_language(), "created");
    let answer = person.call(&request);
    assert_eq!(answer["text"], PREFERRED_LANGUAGE_LINE);
    assert_eq!(answer["path"], "memory/MEMORY.md");
    assert_eq!(person.run(&["read"]).expect_code(0).stdout, PREFERRED_LANGUAGE_LINE);
}

/// U31.
#[test]
fn an_upsert_over_another_text_than_the_one_that_was_read_is_refused() {
    let person = Person::with(&[preferred_language()]);
    let old = person.read("preferred-language")["hash"].clone();
    let changed = with(&preferred_language(), "body", "In English.");
    person.done(&with(&changed, "if_hash", old.clone()), "updated");
    let again = with(&with(&changed, "body", "In French."), "if_hash", old.clone());
    let answer = person.refused(&again, "target_drift");
    assert_eq!((&answer["pointer"], &answer["name"]), (&json!("/if_hash"), &changed["name"]));
    let delete = json!({ "action": "delete", "name": "preferred-language", "if_hash": old });
    person.refused(&delete, "target_drift");
    let new = person.read("preferred-language")["hash"].as_str().unwrap()[..16].to_owned();
    person.done(&with(&delete, "if_hash", new), "deleted");
}

#[test]
fn a_hash_where_no_entry_is_fits_nothing() {
    let person = Person::new();
    let request = with(&preferred_language(), "if_hash", "0123456789abcdef");
    person.refused(&request, "target_drift");
    assert!(!person.data().exists(), "a refusal makes no folder");
    person.done(&preferred_language(), "created");
    person.refused(&with(&upsert("x"), "if_hash", "0123456789abcdef"), "target_drift");
    let not_a_hash = with(&preferred_language(), "if_hash", "latest");
    person.refused(&not_a_hash, "invalid_request");
}

#[test]
fn as_many_entries_as_are_allowed_can_stand_and_be_replaced() {
    let person = Person::with(&[upsert("a"), upsert("b")]);
    person.write("config.toml", "[limits]\nentries = 3\n");
    person.done(&upsert("c"), "created");
    person.refused(&upsert("d"), "limit_exceeded");
    person.done(&with(&upsert("c"), "body", "Another."), "updated");
}

#[test]
fn in_the_dialect_of_claude_a_line_that_no_session_would_read_is_refused() {
    let person = Person::with(&[upsert("a")]);
    let settings = |dialect| format!("dialect = \"{dialect}\"\n[limits]\nindex_lines = 2\n");
    person.write("config.toml", settings("claude"));
    let answer = person.done(&upsert("b"), "created");
    assert!(warnings(&answer).contains("2 of 2 lines"), "{answer}");
    assert_eq!(
        person.file("memory/b.md"),
        "---\nname: b\ndescription: What b is about\nmetadata:\n  node_type: memory\n  type: project\n---\n\nThe text of b.\n"
    );
    person.refused(&upsert("c"), "limit_exceeded");
    person.done(&with(&upsert("b"), "body", "Another."), "updated");
    person.write("config.toml", settings("plain"));
    assert!(warnings(&person.done(&upsert("c"), "created")).contains("3 of 2 lines"));
}
