//! The pin of a pending request does not replace one that was written since.

use serde_json::{Value, json};

use crate::drift::{at, request};
use crate::requests::with_conventions;
use crate::support::{Answer, Sandbox};

const CITED: &str = "src/auth/refresh.rs";

/// An operation on `errors` that rests on the cited file.
fn resting(operation: &str, rest: &Value) -> Value {
    let mut made = request(&[at(operation, "errors", rest)]);
    made["sources"] = json!([{ "type": "file", "ref": CITED }]);
    made["confidence"] = "confirmed".into();
    made
}

fn bullet(text: &str) -> Value {
    resting("append_to_section", &json!({ "content": text }))
}

fn as_ada(sandbox: &Sandbox, arguments: &[&str]) {
    sandbox.run(&[arguments, &["--approver", "Ada"]].concat()).expect_code(0);
}

fn pin(sandbox: &Sandbox) -> String {
    sandbox.git(&["hash-object", CITED])[..12].to_owned()
}

#[track_caller]
fn check_pin(sandbox: &Sandbox, blob: &str) {
    let text = sandbox.file("conventions.md");
    assert_eq!(text.matches(&format!("file {CITED}")).count(), 1, "{text}");
    assert!(text.contains(&format!("file {CITED} {blob} confirmed")), "{blob}: {text}");
}

/// A section that cites the file, a pending request that does so too, and a `confirm` of the same day.
fn confirmed_since(pending: Value) -> (Sandbox, String) {
    let sandbox = with_conventions();
    as_ada(&sandbox, &["cite", "errors", CITED]);
    let id = sandbox.propose(pending).staged();
    sandbox.write_project(CITED, "// another text\n");
    as_ada(&sandbox, &["confirm", "errors", "--yes"]);
    (sandbox, id)
}

#[track_caller]
fn check_kept(sandbox: &Sandbox, answer: &Answer) {
    let blob = pin(sandbox);
    check_pin(sandbox, &blob);
    let said = answer["warnings"].to_string();
    let kept = format!("keeps the file `{CITED}` as {blob} of 2026-11-20");
    assert!(said.contains(&kept), "{said}");
}

#[test]
fn an_addition_keeps_what_was_confirmed_since() {
    let rename = json!({ "new_heading": "Faults" });
    for pending in [bullet("- They name a line"), resting("rename_heading", &rename)] {
        let (sandbox, id) = confirmed_since(pending);
        let answer = sandbox.apply(&id).applied();
        check_kept(&sandbox, &answer);
    }
}

#[test]
fn evidence_that_another_request_brought_since_stays_too() {
    for first in
        [bullet("- They name a line"), resting("append_to_section", &json!({ "content": "" }))]
    {
        let sandbox = with_conventions();
        let old = sandbox.propose(first).staged();
        sandbox.write_project(CITED, "// another text\n");
        let new = sandbox.propose(bullet("- They name a column")).staged();
        sandbox.apply(&new).applied();
        let answer = sandbox.apply(&old).applied();
        check_kept(&sandbox, &answer);
    }
}

#[test]
fn the_newer_of_two_requests_replaces_the_pin_of_the_older() {
    let sandbox = with_conventions();
    let old = sandbox.propose(bullet("- They name a line")).staged();
    sandbox.write_project(CITED, "// another text\n");
    let new = sandbox.propose(bullet("- They name a column")).staged();
    sandbox.apply(&old).applied();
    let answer = sandbox.apply(&new).applied();
    check_pin(&sandbox, &pin(&sandbox));
    assert_eq!(answer["warnings"], json!([]));
}

#[test]
fn a_pin_that_the_request_found_gives_way() {
    let sandbox = with_conventions();
    as_ada(&sandbox, &["cite", "errors", CITED]);
    sandbox.write_project(CITED, "// another text\n");
    let blob = pin(&sandbox);
    let id = sandbox.propose(bullet("- They name a line")).staged();
    sandbox.write_project(CITED, "// a third text\n");
    let answer = sandbox.apply(&id).applied();
    check_pin(&sandbox, &blob);
    assert_eq!(answer["warnings"], json!([]));
}

/// Each operation is compared with what it built on itself: another section had the same note.
#[test]
fn the_note_of_another_section_is_no_former_one() {
    let old = Sandbox::new();
    old.write_project(CITED, "// another text\n");
    let blob = pin(&old);
    let note = format!("<!-- @source: file {CITED} {blob} confirmed 2026-11-20 -->\n");
    let then = format!(
        "# Conventions\n\n## Errors\n<!-- @id: errors -->\n{note}\nFirst.\n\n## Errors\n\nSecond.\n"
    );
    let sandbox = Sandbox::given(&[("conventions.md", &then)]);
    let added = |occurrence: u8| {
        json!({
            "operation": "append_to_section", "heading": "Errors", "occurrence": occurrence,
            "content": format!("- {occurrence}"),
        })
    };
    let mut pending = bullet("");
    pending["operations"] = json!([added(1), added(2)]);
    let id = sandbox.propose(pending).staged();
    sandbox.write_project(CITED, "// another text\n");
    let cited = format!("<!-- @id: errors-2 -->\n{note}\nSecond.");
    sandbox.write("conventions.md", then.replace("\nSecond.", &cited));
    let answer = sandbox.apply(&id).applied();
    let kept = format!("`conventions.md#errors-2` keeps the file `{CITED}` as {blob}");
    assert!(answer["warnings"].to_string().contains(&kept), "{:?}", answer["warnings"]);
}
