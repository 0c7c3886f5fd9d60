//! An operation that names a section and no file, or the file in another form.

use serde_json::{Value, json};

use crate::support::{Answer, Sandbox};

const MODULE: &str = "# Auth\n\n## Token rotation\n<!-- @id: rotation -->\n\nEach use.\n\n## Keys\n<!-- @id: keys -->\n\nTwo.\n";

fn sandbox() -> Sandbox {
    Sandbox::given(&[
        ("modules/auth.md", MODULE),
        ("modules/net.md", "# Net\n\n## Keys\n<!-- @id: keys -->\n\nOne.\n"),
        ("archive/auth.md", "## Token rotation\n<!-- @id: rotation -->\n\nOld.\n"),
    ])
}

fn propose(sandbox: &Sandbox, intent: &str, operation: &Value) -> Answer {
    let sources = json!([{ "type": "user", "ref": "ada" }]);
    sandbox.propose(json!({ "intent": intent, "sources": sources, "operations": [operation] }))
}

fn archive(target: &Value) -> Value {
    let mut operation = json!({ "operation": "archive_section" });
    operation.as_object_mut().unwrap().extend(target.as_object().unwrap().clone());
    operation
}

#[test]
fn a_section_that_only_one_file_has_is_found() {
    for target in [
        json!({ "section_id": "rotation" }),
        json!({ "heading": "Token rotation" }),
        json!({ "section_id": "modules/auth.md#rotation" }),
        json!({ "section_id": "rotation", "path": ".agent-memory/modules/auth.md" }),
    ] {
        let sandbox = sandbox();
        let operation = archive(&target);
        let id = propose(&sandbox, "archive_stale", &operation).staged();
        sandbox.apply(&id).applied();
        let text = sandbox.file("modules/auth.md");
        assert!(
            text.contains("Archived to [archive/auth-") && !text.contains("Each use"),
            "{text}"
        );
    }
    let sandbox = sandbox();
    let more =
        json!({ "operation": "append_to_section", "section_id": "rotation", "content": "More." });
    sandbox.apply(&propose(&sandbox, "refresh_module", &more).staged()).applied();
    assert!(sandbox.file("modules/auth.md").contains("More."));
    let parent = json!({
        "operation": "append_section", "parent_section_id": "rotation", "heading": "Why",
        "heading_level": 3, "content": "They leak.",
    });
    sandbox.apply(&propose(&sandbox, "refresh_module", &parent).staged()).applied();
    assert!(sandbox.file("modules/auth.md").contains("### Why"));
}

#[test]
fn what_may_mean_several_sections_or_none_is_refused() {
    let sandbox = sandbox();
    let keys = archive(&json!({ "section_id": "keys" }));
    let answer = propose(&sandbox, "archive_stale", &keys).rejected("section_ambiguous");
    let message = answer["message"].as_str().unwrap();
    assert!(message.contains("`modules/auth.md`, `modules/net.md`"), "{message}");
    assert_eq!(answer["hint"], "give the one that is meant as `path`");
    let absent = archive(&json!({ "section_id": "absent" }));
    propose(&sandbox, "archive_stale", &absent).rejected("section_not_found");
    let new = json!({ "operation": "append_section", "heading": "New", "content": "x" });
    propose(&sandbox, "refresh_module", &new).rejected("invalid_path");
    let two = archive(&json!({ "section_id": "modules/auth.md#keys", "path": "modules/net.md" }));
    propose(&sandbox, "archive_stale", &two).rejected("invalid_operation");
    let answer = propose(
        &sandbox,
        "refresh_module",
        &json!({
            "operation": "append_section", "parent_section_id": "absent", "heading": "Why", "content": "x",
        }),
    );
    assert_eq!(answer.rejected("section_not_found")["pointer"], "/operations/0/parent_section_id");
    // An intent finds nothing outside of what it may write.
    let more =
        json!({ "operation": "append_to_section", "section_id": "rotation", "content": "More." });
    propose(&sandbox, "record_decision", &more).rejected("section_not_found");
}
