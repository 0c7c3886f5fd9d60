//! Whether a person approves what they proposed.

use serde_json::{Value, json};

use crate::rebase::THEN;
use crate::requests::{convention, new_body};
use crate::support::Sandbox;

fn by(owner: Option<&str>, heading: &str) -> Value {
    let mut request = convention(heading, "Name the path.");
    match owner {
        Some(owner) => request["owner"] = json!({ "id": owner }),
        None => drop(request.as_object_mut().unwrap().remove("owner")),
    }
    request
}

#[test]
fn without_the_setting_apply_says_that_the_approver_proposed_it() {
    let sandbox = Sandbox::new();
    let own = sandbox.propose(by(Some("ada"), "Errors")).staged();
    let said = sandbox.run(&["apply", &own, "--approver", "Ada"]).expect_code(0);
    assert!(said.stderr.contains("`Ada` proposed it too"), "{}", said.stderr);
    let other = sandbox.propose(by(Some("codex"), "Names")).staged();
    let said = sandbox.run(&["apply", &other, "--approver", "Ada"]).expect_code(0);
    assert!(!said.stderr.contains("proposed it too"), "{}", said.stderr);
}

#[test]
fn with_the_setting_another_person_has_to_approve() {
    let sandbox = Sandbox::new();
    sandbox
        .run(&["config", "set", "approval.four_eyes", "true", "--approver", "Ada"])
        .expect_code(0);
    let own = sandbox.propose(by(Some("Ada"), "Errors")).staged();
    let unknown = sandbox.propose(by(None, "Names"));
    assert!(unknown.value["warnings"].to_string().contains("no person can approve it"));
    let unknown = unknown.staged();
    for (id, why) in [(&own, "proposed it too"), (&unknown, "is not known")] {
        for which in [id.as_str(), "--all"] {
            let said = sandbox.run(&["apply", which, "--approver", "ada"]);
            assert_ne!(said.code, 0, "{which}");
            assert!(format!("{}{}", said.stdout, said.stderr).contains(why), "{which}");
        }
    }
    sandbox.run(&["apply", &own, "--approver", "Grace"]).expect_code(0);
}

#[test]
fn with_the_setting_an_owner_that_was_edited_counts_for_nothing() {
    let sandbox = Sandbox::new();
    sandbox
        .run(&["config", "set", "approval.four_eyes", "true", "--approver", "Ada"])
        .expect_code(0);
    let id = sandbox.propose(by(Some("Ada"), "Errors")).staged();
    let path = format!("staging/{id}/proposal.json");
    let edited = sandbox.file(&path).replace("\"id\": \"Ada\"", "\"id\": \"codex\"");
    assert_ne!(edited, sandbox.file(&path));
    sandbox.write(&path, edited);
    let said = sandbox.run(&["apply", &id, "--approver", "Ada"]).expect_code(1);
    assert!(said.stderr.contains("who proposed"), "{}", said.stderr);
}

#[test]
fn with_the_setting_what_a_person_writes_is_reviewed_by_another() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(by(Some("codex"), "Errors")).staged();
    sandbox.apply(&id).applied();
    sandbox
        .run(&["config", "set", "approval.four_eyes", "true", "--approver", "Ada"])
        .expect_code(0);
    sandbox.write_project("src/a.rs", "fn a() {}\n");
    let said = sandbox.run(&[
        "cite",
        "conventions.md#errors",
        "src/a.rs:1",
        "--approver",
        "Ada",
        "--json",
    ]);
    let id = said.answer().staged();
    sandbox.run(&["apply", &id, "--approver", "Ada"]).expect_code(1);
    sandbox.run(&["apply", &id, "--approver", "Grace"]).expect_code(0);
}

#[test]
fn a_proposal_names_the_branch_on_which_it_was_made() {
    let sandbox = Sandbox::new();
    sandbox.git(&["switch", "-q", "-c", "topic"]);
    let id = sandbox.propose(by(Some("codex"), "Errors")).staged();
    let proposal: Value =
        serde_json::from_str(&sandbox.file(&format!("staging/{id}/proposal.json"))).unwrap();
    assert_eq!(proposal["branch"], "topic");
}

#[test]
fn a_session_begins_with_what_is_pending_for_more_than_a_day() {
    let mut sandbox = Sandbox::new();
    let id = sandbox.propose(by(Some("codex"), "Errors")).staged();
    let first = |sandbox: &Sandbox| {
        let event = r#"{"session_id":"a","hook_event_name":"SessionStart","source":"startup"}"#;
        sandbox.call(&["hook", "claude", "session-start"]).stdin(event.to_owned()).run().stdout
    };
    assert!(!first(&sandbox).contains(&id));
    sandbox.advance_days(2);
    let said = first(&sandbox);
    assert!(said.contains("has been pending for up to 2d") && said.contains(&id), "{said}");
}

#[test]
fn with_the_setting_who_changes_the_text_does_not_approve_it() {
    let sandbox = Sandbox::given(&[("conventions.md", THEN)]);
    let mut request = new_body("errors", "- one\n- two\n- 3\n- four");
    request["owner"] = json!({ "id": "codex" });
    let id = sandbox.propose(request).staged();
    sandbox.write("conventions.md", THEN.replace("- one", "- 1"));
    let set = ["config", "set", "approval.four_eyes", "true", "--approver", "Ada"];
    sandbox.run(&set).expect_code(0);
    let json = sandbox.run(&["rebase", &id, "--json"]).expect_code(0).json();
    let digest = json["proposal"]["digest"].as_str().unwrap();
    let said = sandbox.run(&["rebase", &id, "--digest", digest, "--approver", "Grace"]);
    assert_eq!(said.code, 1);
    assert!(said.stderr.contains("`Grace` changed its text"), "{}", said.stderr);
}
