//! `blame`: where a section comes from.

use serde_json::{Value, json};

use crate::requests::{TELLING, convention, new_body, session, with_conventions};
use crate::support::Sandbox;

/// Returns what is said of a section.
#[track_caller]
fn blamed(sandbox: &Sandbox, section: &str) -> Value {
    let answer = sandbox.run(&["blame", section, "--json"]).expect_code(0).json();
    answer["sections"][0].clone()
}

#[test]
fn a_section_leads_to_its_proposal_its_sources_and_who_approved_it() {
    let sandbox = Sandbox::new();
    let mut request = convention("Errors", TELLING);
    request["owner"] = json!("claude");
    request["sources"] = json!([{ "type": "file", "ref": "src/auth/refresh.rs:1-2" }]);
    let id = sandbox.propose(request).staged();
    sandbox.apply(&id).applied();
    let reply = sandbox.run(&["blame", "conventions.md#errors"]).expect_code(0);
    insta::assert_snapshot!(reply.stdout.replace(&id, "[id]"), @r"
    conventions.md:3#errors
      heading  Conventions > Errors
      written  by the proposal, and as it left it
      proposal [id] from claude
      source   file src/auth/refresh.rs:1-2, inferred, 2026-11-20
      approved by Ada, 2026-11-20T10:00:00Z
      commit   none yet
    ");
    sandbox.commit("remember");
    sandbox.write_project("src/auth/refresh.rs", "// another\n// text\n");
    let said = blamed(&sandbox, "conventions.md#errors");
    assert_eq!(said["commit"]["id"], sandbox.git(&["rev-parse", "HEAD"]).trim());
    assert_eq!(said["commit"]["subject"], "remember");
    assert_eq!(said["committed"], true);
    assert_eq!(said["sources"][0]["freshness"], "stale");
}

#[test]
fn who_approved_what_a_later_proposal_adds_to_is_named_too() {
    let sandbox = Sandbox::new();
    let mut request = convention("Errors", TELLING);
    request["owner"] = json!("claude");
    let first = sandbox.propose(request).staged();
    sandbox.apply(&first).applied();
    let second = sandbox.propose(new_body("errors", "- They name a line, too.")).staged();
    sandbox.apply(&second).applied();
    let said = blamed(&sandbox, "conventions.md#errors");
    assert_eq!(said["proposal_id"], second.as_str());
    let before = &said["earlier"][0];
    assert_eq!((&before["proposal_id"], &before["approver"]), (&json!(first), &json!("Ada")));
    assert_eq!(said["earlier"].as_array().unwrap().len(), 1);
    let shown = sandbox.run(&["blame", "conventions.md#errors"]).expect_code(0).stdout;
    assert!(shown.contains(&format!("before   {first} from claude, approved by Ada")), "{shown}");
}

#[test]
fn what_a_person_wrote_is_by_hand() {
    let sandbox = with_conventions();
    let said = blamed(&sandbox, "conventions.md#errors");
    assert_eq!(said["written"], "by_hand");
    assert_eq!(said["proposal_id"], Value::Null);
    let reply = sandbox.run(&["blame", "conventions.md#errors"]).expect_code(0);
    assert!(reply.stdout.contains("by hand: no proposal"), "{}", reply.stdout);
}

#[test]
fn an_edit_by_hand_is_told_from_one_in_a_section_beside_or_below() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", TELLING)).staged();
    sandbox.apply(&id).applied();
    sandbox.append("conventions.md", "\n### Below\n\nBy hand.\n\n## Beside\n\nBy hand.\n");
    let all = sandbox.run(&["blame", "conventions.md", "--json"]).expect_code(0).json();
    let written: Vec<&Value> =
        all["sections"].as_array().unwrap().iter().map(|each| &each["written"]).collect();
    assert_eq!(written, ["by_hand", "by_proposal", "by_hand", "by_hand"]);
    let one = sandbox.run(&["blame", "conventions.md#errors", "--json"]).expect_code(0).json();
    assert_eq!(one["sections"].as_array().unwrap().len(), 2, "with what stands in it");
    sandbox.write("conventions.md", sandbox.file("conventions.md").replace("Say", "Tell"));
    let said = blamed(&sandbox, "conventions.md#errors");
    assert_eq!((&said["written"], &said["proposal_id"]), (&json!("edited_since"), &json!(id)));
}

#[test]
fn what_was_undone_leads_to_the_proposal_before() {
    let sandbox = Sandbox::new();
    let first = sandbox.propose(convention("Errors", TELLING)).staged();
    sandbox.apply(&first).applied();
    let second = sandbox.propose(new_body("errors", "They name a path and a line.")).staged();
    sandbox.apply(&second).applied();
    assert_eq!(blamed(&sandbox, "conventions.md#errors")["proposal_id"], json!(second));
    sandbox.run(&["undo", &second, "--approver", "Ada"]).expect_code(0);
    let said = blamed(&sandbox, "conventions.md#errors");
    assert_eq!((&said["written"], &said["proposal_id"]), (&json!("by_proposal"), &json!(first)));
    // Without the journal of former texts, the hashes of the log still tell.
    std::fs::remove_file(sandbox.store().join("state/undo.jsonl")).unwrap();
    assert_eq!(blamed(&sandbox, "conventions.md#errors")["proposal_id"], json!(first));
}

#[test]
fn a_change_that_nobody_had_to_approve_landed_at_once() {
    let sandbox = Sandbox::new();
    sandbox.propose(session("Today", "Done.")).applied();
    let reply = sandbox.run(&["blame", "sessions/2026-11-20.md#today"]).expect_code(0);
    assert!(reply.stdout.contains("landed   at once, 2026-11-20T10:00:00Z"), "{}", reply.stdout);
    assert!(reply.stdout.contains("commit   none yet"), "{}", reply.stdout);
}

#[test]
fn lines_that_are_not_committed_are_told_from_the_others() {
    let sandbox = with_conventions();
    sandbox.commit("remember");
    sandbox.write("conventions.md", sandbox.file("conventions.md") + "\nAnd telling.\n");
    let (errors, names) =
        (blamed(&sandbox, "conventions.md#errors"), blamed(&sandbox, "conventions.md#names"));
    assert_eq!((&errors["committed"], &names["committed"]), (&json!(true), &json!(false)));
    assert_eq!(names["commit"]["subject"], "remember");
}

#[test]
fn another_machine_knows_the_sources_and_the_commit() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", TELLING)).staged();
    sandbox.apply(&id).applied();
    std::fs::remove_dir_all(sandbox.store().join("state")).unwrap();
    assert_eq!(blamed(&sandbox, "conventions.md#errors")["written"], "elsewhere");
    sandbox.commit(&format!("remember\n\nAgent-Memory-Proposal: {id}"));
    let said = blamed(&sandbox, "conventions.md#errors");
    assert_eq!((&said["written"], &said["proposal_id"]), (&json!("by_proposal"), &json!(id)));
}

#[test]
fn a_shallow_clone_does_not_give_all_to_its_only_commit() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", TELLING)).staged();
    sandbox.apply(&id).applied();
    sandbox.commit("by hand");
    sandbox.append("conventions.md", "\nMore.\n");
    sandbox.commit(&format!("remember\n\nAgent-Memory-Proposal: {id}"));
    std::fs::remove_dir_all(sandbox.store().join("state")).unwrap();
    assert_eq!(blamed(&sandbox, "conventions.md#errors")["proposal_id"], json!(id));
    let end = sandbox.git(&["rev-parse", "HEAD"]);
    std::fs::write(sandbox.project().join(".git/shallow"), end).unwrap();
    let said = blamed(&sandbox, "conventions.md#errors");
    assert_eq!((&said["written"], &said["proposal_id"]), (&json!("elsewhere"), &json!(null)));
}

#[test]
fn what_is_not_there_is_refused_as_elsewhere() {
    let sandbox = with_conventions();
    let refused = |what: &str| sandbox.run(&["blame", what, "--json"]).answer();
    refused("conventions.md#error").rejected("section_not_found");
    refused("modules/none.md").rejected("invalid_path");
    refused("../conventions.md").rejected("invalid_path");
}

#[test]
fn nothing_in_a_file_or_a_commit_steers_the_terminal_or_breaks_the_lines() {
    let sandbox = Sandbox::given(&[(
        "conventions.md",
        "# Conventions\n\n## E\u{202e}rr\u{1b}[31mors, of which there are more than fit into the columns of a line\n<!-- @id: errors -->\n<!-- @source: user a\u{200b}da - inferred 2026-11-20 -->\n\nx\n",
    )]);
    sandbox.commit("an \u{1b}[31m evil \u{202e} subject");
    for columns in ["40", "80"] {
        let call = sandbox.call(&["blame", "conventions.md#errors"]).env("COLUMNS", columns);
        let shown = call.run().expect_code(0).stdout;
        assert!(!shown.contains(['\u{1b}', '\u{202e}', '\u{200b}']), "{shown}");
        assert!(shown.contains("<U+202E>") && shown.contains("<U+200B>"), "{shown}");
        let limit = columns.parse::<usize>().unwrap();
        let width = |line: &str| unicode_width::UnicodeWidthStr::width(line);
        assert!(shown.lines().all(|line| width(line) <= limit), "{shown}");
    }
}
