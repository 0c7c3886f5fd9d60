//! A section without an id is known by its heading: which section a pending operation means when headings changed.

use serde_json::{Value, json};

use crate::drift::request;
use crate::support::Sandbox;

const THEN: &str = "# Conventions\n\n## Code\n<!-- @id: code -->\n\nOurs.\n\n### Errors\n<!-- @id: errors -->\n\nAll.\n\n#### Notes\n\n- one\n";

const TWO_PARENTS: &str = "# Conventions\n\n## Code\n<!-- @id: code -->\n\nOurs.\n\n### Errors\n<!-- @id: errors -->\n\nOf the client.\n\n### Errors\n<!-- @id: errors-2 -->\n\nOf the server.\n\n#### Notes\n\n- one\n";

/// One more bullet for the section `Notes`.
fn to_notes(rest: &Value) -> Value {
    let mut made =
        json!({ "operation": "append_to_section", "heading": "Notes", "content": "- added" });
    made.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    request(&[made])
}

fn new_notes(parent: &str, rest: &Value) -> Value {
    let mut made = json!({
        "operation": "append_section", "parent_section_id": parent, "heading": "Notes",
        "heading_level": 4, "content": "Of the client.",
    });
    made.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    made
}

#[test]
fn an_addition_below_a_renamed_heading_is_applied() {
    let nameless = THEN.replace("<!-- @id: errors -->\n", "");
    let text_too = |text: &str| text.replace("- one", "- one\n- two");
    for (then, now) in [
        (THEN, THEN.replace("## Errors", "## Failures")),
        (THEN, text_too(&THEN.replace("## Errors", "## Failures"))),
        (THEN, THEN.replace("# Conventions", "# Rules")),
        (&nameless, nameless.replace("## Errors", "## Failures")),
        (&nameless, THEN.replace("## Errors", "## Failures")),
        (&nameless, text_too(THEN)),
    ] {
        let sandbox = Sandbox::given(&[("conventions.md", then)]);
        let id = sandbox.propose(to_notes(&json!({}))).staged();
        sandbox.write("conventions.md", &now);
        sandbox.apply(&id).applied();
        assert!(sandbox.file("conventions.md").contains("\n- added\n"), "{now}");
    }
}

#[test]
fn an_addition_below_a_heading_that_a_proposal_renames_is_applied() {
    let sandbox =
        Sandbox::given(&[("conventions.md", &THEN.replace("<!-- @id: errors -->\n", ""))]);
    let added = sandbox.propose(to_notes(&json!({}))).staged();
    let renamed =
        json!({ "operation": "rename_heading", "heading": "Errors", "new_heading": "Failures" });
    let renamed = sandbox.propose(request(&[renamed])).staged();
    sandbox.apply(&renamed).applied();
    sandbox.apply(&added).applied();
    assert!(sandbox.file("conventions.md").contains("- one\n- added\n"));
}

/// Both parents have the same heading: their ids tell them apart.
#[test]
fn an_addition_goes_to_no_namesake_below_another_parent_of_that_heading() {
    let server =
        json!({ "operation": "rename_heading", "heading": "Notes", "new_heading": "Server notes" });
    for (occurrence, before) in [
        (
            json!({ "occurrence": 1, "heading_level": 4 }),
            vec![new_notes("errors", &json!({ "if_exists": "suffix" }))],
        ),
        (json!({}), vec![server, new_notes("errors", &json!({ "section_id": "client-notes" }))]),
    ] {
        let sandbox = Sandbox::given(&[("conventions.md", TWO_PARENTS)]);
        let added = sandbox.propose(to_notes(&occurrence)).staged();
        let other = sandbox.propose(request(&before)).staged();
        sandbox.apply(&other).applied();
        let now = sandbox.file("conventions.md");
        let answer = sandbox.apply(&added).rejected("target_drift");
        let message = answer["message"].as_str().unwrap();
        assert!(message.contains("`Notes` of `conventions.md` is another section"), "{message}");
        assert_eq!(sandbox.file("conventions.md"), now);
    }
}

/// Without ids only the text of the section tells.
#[test]
fn an_addition_goes_to_no_namesake_with_another_text() {
    let then =
        TWO_PARENTS.replace("<!-- @id: errors -->\n", "").replace("<!-- @id: errors-2 -->\n", "");
    for id in ["", "<!-- @id: notes -->\n"] {
        let sandbox = Sandbox::given(&[("conventions.md", &then)]);
        let added = sandbox.propose(to_notes(&json!({ "occurrence": 1 }))).staged();
        let first = format!("Of the client.\n\n#### Notes\n{id}\nOther.\n");
        let now = then.replace("Of the client.\n", &first);
        sandbox.write("conventions.md", &now);
        sandbox.apply(&added).rejected("target_drift");
        assert_eq!(sandbox.file("conventions.md"), now);
    }
}
