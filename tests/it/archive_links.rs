//! A section that moves to the archive keeps its links: they lead where they led.

use serde_json::{Value, json};

use crate::support::Sandbox;

const OLD: &str = "## Old way\n<!-- @id: old-way -->\n<!-- @source: user ada - confirmed 2026-11-20 -->\n\n- **Date:** 2026-05-06\n- **Status:** superseded\n\n";

/// A store whose decisions are an old one with these lines, and one that holds.
fn with_old(lines: &str) -> Sandbox {
    let next = OLD.replace("Old way", "Next").replace("old-way", "next");
    let next = next.replace("superseded", "active");
    let text = format!("# Decisions\n\n{OLD}{lines}\n\n{next}It holds.\n");
    let module = OLD.replace("Old way", "Flow").replace("old-way", "flow");
    let sandbox = Sandbox::given(&[
        ("decisions.md", &text),
        ("modules/auth.md", &format!("# Auth\n\n{module}x\n")),
    ]);
    sandbox.commit("a decision");
    sandbox
}

fn request(operation: &str) -> Value {
    let mut one = json!({
        "operation": operation, "path": "decisions.md", "section_id": "old-way",
        "archive_path": "archive/old.md",
    });
    if operation == "remove_section" {
        one["reason"] = json!("it is over");
    }
    let sources = json!([{ "type": "user", "ref": "ada" }]);
    json!({ "intent": "archive_stale", "sources": sources, "operations": [one] })
}

const BEFORE: &str = "[a](../src/auth/refresh.rs#L1) [m](modules/auth.md#flow) [n](#next) [[#next]]\n\n[self](#old-way) `[a](../src/a.rs)` ![i][r]\n\n[r]: ../src/auth/refresh.rs 't'";

const AFTER: &str = "[a](../../src/auth/refresh.rs#L1) [m](../modules/auth.md#flow) [n](../decisions.md#next) [[decisions#next]]\n\n[self](#old-way) `[a](../src/a.rs)` ![i][r]\n\n[r]: ../../src/auth/refresh.rs 't'";

#[test]
fn what_is_archived_leads_where_it_led_and_the_reviewer_sees_it() {
    for operation in ["archive_section", "remove_section"] {
        let sandbox = with_old(BEFORE);
        let id = sandbox.propose(request(operation)).staged();
        let shown = sandbox.run(&["show", &id]).expect_code(0).stdout;
        assert!(shown.contains("[a](../../src/auth/refresh.rs#L1)"), "{shown}");
        let digest = sandbox.run(&["show", &id, "--json"]).json()["digest"].clone();
        let digest = digest.as_str().unwrap();
        sandbox.run(&["apply", &id, "--digest", digest, "--approver", "Ada"]).expect_code(0);
        assert_eq!(sandbox.file("archive/old.md"), format!("{OLD}{AFTER}\n"));
        let checked = sandbox.run(&["check", "--json"]).json();
        let findings = checked["findings"].as_array().unwrap();
        assert!(findings.iter().all(|each| each["rule"] != "link-broken"), "{checked}");
    }
}

#[test]
fn an_archival_with_links_is_taken_back_to_the_byte_and_the_archive_did_not_change() {
    let sandbox = with_old(BEFORE);
    let before = sandbox.file("decisions.md");
    let id = sandbox.propose(request("archive_section")).staged();
    sandbox.apply(&id).applied();
    sandbox.commit("archive");
    sandbox.run(&["undo", &id, "--approver", "Ada"]).expect_code(0);
    assert_eq!(sandbox.file("decisions.md"), before);
    assert!(!sandbox.has("archive/old.md"));
    sandbox.commit("take it back");
    let checked = sandbox.run(&["check", "--json"]).json();
    let findings = checked["findings"].as_array().unwrap();
    assert!(findings.iter().all(|each| each["rule"] != "archive-changed"), "{checked}");
}

#[test]
fn an_archive_file_that_is_deleted_while_memory_has_another_text_is_found() {
    let sandbox = with_old(BEFORE);
    let id = sandbox.propose(request("archive_section")).staged();
    sandbox.apply(&id).applied();
    sandbox.commit("archive");
    std::fs::remove_file(sandbox.store().join("archive/old.md")).unwrap();
    let text = sandbox.file("decisions.md").replace("## Next", &format!("{OLD}Other.\n\n## Next"));
    sandbox.write("decisions.md", text);
    sandbox.commit("delete it");
    let checked = sandbox.run(&["check", "--json"]).json();
    let findings = checked["findings"].as_array().unwrap();
    assert!(findings.iter().any(|each| each["rule"] == "archive-changed"), "{checked}");
}
