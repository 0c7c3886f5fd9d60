//! `rebase`: a proposal on top of what came since.

use serde_json::json;

use crate::requests::new_body;
use crate::support::{Sandbox, Terminal};

const THEN: &str = "# Conventions\n\n## Errors\n<!-- @id: errors -->\n\n- one\n- two\n- three\n\n## Names\n<!-- @id: names -->\n\nThey are long.\n";

/// A proposal about three bullets of a section that a person changed since.
fn drifted(by_hand: impl Fn(&str) -> String) -> (Sandbox, String) {
    let sandbox = Sandbox::given(&[("conventions.md", THEN)]);
    let id = sandbox.propose(new_body("errors", "- one\n- two\n- 3\n- four")).staged();
    sandbox.write("conventions.md", by_hand(THEN));
    sandbox.apply(&id).rejected("target_drift");
    (sandbox, id)
}

#[test]
fn both_sides_of_a_section_land() {
    let (sandbox, id) = drifted(|text| text.replace("- one", "- 1").replace("long", "short"));
    let json = sandbox.run(&["rebase", &id, "--json"]).expect_code(0).json();
    let digest = json["proposal"]["digest"].as_str().unwrap();
    let words = ["rebase", &id, "--digest", digest, "--approver", "Ada", "--json"];
    sandbox.run(&words).answer().applied();
    let text = sandbox.file("conventions.md");
    assert!(
        text.contains("- 1\n- two\n- 3\n- four\n") && text.contains("They are short."),
        "{text}"
    );
    let log = sandbox.run(&["log", "--json"]).expect_code(0).json();
    assert_eq!(log["decisions"][0]["amended"], true);
}

#[test]
fn nothing_lands_without_a_person_who_saw_it() {
    let (sandbox, id) = drifted(|text| text.replace("- one", "- 1"));
    let before = sandbox.tree();
    let reply = sandbox.run(&["rebase", &id]).expect_code(0);
    assert!(
        reply.stdout.contains("+ - four") && reply.stderr.contains("--digest"),
        "{}",
        reply.stderr
    );
    let other = "0".repeat(64);
    let words = ["rebase", &id, "--digest", &other, "--approver", "Ada", "--json"];
    sandbox.run(&words).answer().rejected("approval_stale");
    let digest = sandbox.run(&["rebase", &id, "--json"]).json()["proposal"]["digest"].clone();
    let words = ["rebase", &id, "--digest", digest.as_str().unwrap(), "--json"];
    sandbox.run(&words).answer().rejected("approval_refused");
    assert!(sandbox.tree() == before);
}

#[test]
fn a_contradiction_needs_a_terminal() {
    let (sandbox, id) = drifted(|text| text.replace("- three", "- III"));
    let reply = sandbox.run(&["rebase", &id]).expect_code(1);
    assert!(reply.stdout.contains("conflict conventions.md#errors"), "{}", reply.stdout);
    let json = sandbox.run(&["rebase", &id, "--json"]).expect_code(1).json();
    assert_eq!(json, json!({ "conflicts": ["conventions.md#errors"] }));
}

#[test]
fn a_contradiction_is_settled_in_the_editor() {
    let (sandbox, id) = drifted(|text| text.replace("- three", "- III"));
    sandbox.git(&["config", "user.name", "Grace"]);
    let seen = sandbox.root().join("seen");
    let take = format!(
        "sh -c 'cp \"$1\" {}; sed -i -e \"/^[<=>]\\{{7\\}}/d\" -e /III/d \"$1\"' sh",
        seen.display()
    );
    let mut terminal = Terminal::run(&sandbox, &format!("rebase {id}"), 100, &[("EDITOR", &take)]);
    let shown = terminal.answer("Apply this? [y,n] ", "y");
    assert!(shown.contains("+ - 3") && !shown.contains("<<<<"), "{shown}");
    assert_eq!(terminal.end().1, 0);
    let marked = std::fs::read_to_string(seen).unwrap();
    assert!(
        marked.contains("<<<<<<< today\n- III\n=======\n- 3\n- four\n>>>>>>> proposed\n"),
        "{marked}"
    );
    assert!(sandbox.file("conventions.md").contains("- two\n- 3\n- four\n"));
}

#[test]
fn markers_that_nobody_took_out_do_not_land() {
    let (sandbox, id) = drifted(|text| text.replace("- three", "- III"));
    sandbox.git(&["config", "user.name", "Grace"]);
    let before = sandbox.tree();
    let terminal = Terminal::run(&sandbox, &format!("rebase {id}"), 100, &[("EDITOR", "true")]);
    let (shown, code) = terminal.end();
    assert!(shown.contains("would hold a conflict marker") && code == 1, "{shown}");
    assert!(sandbox.tree() == before);
}

#[test]
fn b_does_it_in_the_review() {
    let (sandbox, _) = drifted(|text| text.replace("- one", "- 1"));
    sandbox.git(&["config", "user.name", "Grace"]);
    let mut terminal = Terminal::run(&sandbox, "review", 100, &[]);
    assert!(terminal.answer("?] ", "b").contains("stop target_drift"));
    assert!(terminal.answer("?] ", "a").contains("in your words"));
    terminal.end();
    assert!(sandbox.file("conventions.md").contains("- 1\n- two\n- 3\n- four\n"));
}
