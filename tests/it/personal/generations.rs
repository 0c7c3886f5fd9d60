//! Files that a person or another program wrote: each form is read, and what is not ours stays.

use serde_json::json;

use super::{Person, line, upsert, warnings, with};

const G3: &str = "---\nname: x\ndescription: \"How to answer\"   # of Ada\nmetadata: \n  node_type: memory\n  type: feedback\n  originSessionId: 5e1f\n  modified: 2026-01-02T03:04:05.678Z\nkeep: [this, too]\n---\n\nOld text.\n";

/// U33.
#[test]
fn a_type_in_the_metadata_is_changed_there_and_the_rest_of_it_stays() {
    let person = Person::with(&[upsert("a")]);
    person.write("memory/x.md", G3);
    assert_eq!(person.read("x")["type"], "feedback");
    assert_eq!(person.read("x")["modified"], "2026-01-02T03:04:05.678Z");
    person.done(&with(&upsert("x"), "type", "user"), "updated");
    let file = person.file("memory/x.md");
    assert!(
        file.contains("\n  node_type: memory\n  type: user\n  originSessionId: 5e1f\n"),
        "{file}"
    );
    assert!(file.contains("\nkeep: [this, too]\n"), "{file}");
    assert!(!file.contains("\ntype:"), "{file}");
    assert!(file.contains("\n  modified: 2026-11-20T10:00:00"), "it is renewed: {file}");
    assert!(file.ends_with("---\n\nThe text of x.\n"), "{file}");
}

#[test]
fn an_upsert_that_says_what_the_file_says_leaves_its_bytes() {
    let person = Person::with(&[upsert("a")]);
    person.write("memory/x.md", G3);
    person.write("memory/MEMORY.md", line("a") + "* [How to answer](x.md): How to answer\n");
    let request = json!({
        "action": "upsert", "name": "x", "type": "feedback",
        "description": "How to answer", "body": "Old text.",
    });
    person.done(&request, "updated");
    assert_eq!(person.file("memory/x.md"), G3);
    person.done(&request, "unchanged");
}

#[test]
fn a_file_without_front_matter_is_a_reference_with_its_first_line_as_description() {
    let person = Person::with(&[upsert("a")]);
    person.write("memory/x.md", "# Use tabs\n\nAlways.\n");
    let answer = person.read("x");
    assert_eq!(
        answer["text"],
        "# Memory: x\n**Type**: reference\n**Description**: Use tabs\n\n# Use tabs\n\nAlways."
    );
    assert_eq!(answer.get("warnings"), None);
    person.done(&upsert("x"), "updated");
    assert_eq!(
        person.file("memory/x.md"),
        "---\nname: x\ndescription: What x is about\ntype: project\n---\n\nThe text of x.\n"
    );
}

#[test]
fn an_unknown_type_is_shown_as_it_stands() {
    let person = Person::with(&[upsert("a")]);
    person.write("memory/x.md", "---\nname: x\ndescription: d\ntype: note\n---\n\nText.\n");
    assert_eq!(person.read("x")["type"], "note");
    assert_eq!(person.list()["entries"][1]["type"], "note");
}

#[test]
fn a_name_in_the_front_matter_that_is_another_one_is_told() {
    let person = Person::with(&[upsert("a")]);
    person.write("memory/x.md", "---\nname: y\ndescription: d\ntype: user\n---\n\nText.\n");
    let answer = person.read("x");
    assert_eq!(answer["name"], "x");
    assert!(warnings(&answer).contains("`x` calls itself `y`"), "{answer}");
    person.refused(&super::read("y"), "entry_not_found");
}

/// U32.
#[test]
fn a_file_whose_front_matter_cannot_be_read_is_whole_in_the_trash() {
    let unreadable = [
        "---\nname: x\ndescription: [a\ntype: user\n---\n\nText.\n",
        "---\nname: x\n\nIt never ends.\n",
        "---\nname: x\nname: y\n---\nText.\n",
        "---\ndescription: {a: b}\n---\n",
    ];
    for old in unreadable {
        let person = Person::with(&[upsert("a")]);
        person.write("memory/x.md", old);
        let read = person.read("x");
        assert!(warnings(&read).contains("front matter of `x` cannot be read"), "{read}");
        assert!(warnings(&person.list()).contains("front matter of `x` cannot be read"));
        let answer = person.done(&upsert("x"), "updated");
        let trash = "trash/20261120-100000-x.md";
        assert_eq!(answer["trash"], trash);
        assert!(warnings(&answer).contains(trash), "{answer}");
        assert_eq!(person.file(trash), old);
        assert_eq!(
            person.file("memory/x.md"),
            "---\nname: x\ndescription: What x is about\ntype: project\n---\n\nThe text of x.\n"
        );
        person.log_is_whole();
    }
}

#[test]
fn a_file_with_crlf_keeps_its_line_ends() {
    let person = Person::with(&[upsert("a")]);
    let old = "---\r\nname: x\r\ndescription: d\r\nmine: 1\r\ntype: user\r\n---\r\n\r\nOne.\r\n";
    person.write("memory/x.md", old);
    assert_eq!(person.body("x"), "One.\n");
    person.done(&with(&upsert("x"), "body", "One.\nTwo."), "updated");
    assert_eq!(
        person.file("memory/x.md"),
        "---\r\nname: x\r\ndescription: What x is about\r\nmine: 1\r\ntype: project\r\n---\r\n\r\nOne.\r\nTwo.\r\n"
    );
}

#[test]
fn an_edit_by_hand_between_two_upserts_is_kept_where_it_is_not_ours() {
    let person = Person::with(&[upsert("x")]);
    let edited = person.file("memory/x.md").replace("type:", "tags: [a, b]\ntype:");
    person.write("memory/x.md", &edited);
    let read = person.read("x")["hash"].clone();
    person.write("memory/x.md", edited.replace("The text", "The edited text"));
    let request = with(&upsert("x"), "body", "Another.");
    person.refused(&with(&request, "if_hash", read), "target_drift");
    assert!(person.file("memory/x.md").contains("The edited text"));
    person.done(&request, "updated");
    assert!(person.file("memory/x.md").contains("\ntags: [a, b]\n"));
    person.log_is_whole();
}
