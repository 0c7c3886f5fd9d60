//! `cite` and `confirm`: a person gives a section evidence, and says that it is still true.

use serde_json::{Value, json};

use crate::requests::with_conventions;
use crate::support::{Reply, Sandbox, Terminal};

const CITED: &str = "src/auth/refresh.rs";

fn as_ada(sandbox: &Sandbox, arguments: &[&str]) -> Reply {
    sandbox.run(&[arguments, &["--approver", "Ada"]].concat())
}

fn freshness(sandbox: &Sandbox, section: &str) -> Value {
    let sections = sandbox.run(&["ls", "--json"]).expect_code(0).json()["sections"].clone();
    let mut sections = sections.as_array().unwrap().iter();
    sections.find(|each| each["id"] == section).unwrap()["freshness"].clone()
}

#[test]
fn a_source_is_added_with_blob_and_day_and_no_word_changes() {
    let sandbox = with_conventions();
    let before = sandbox.file("conventions.md");
    let told = as_ada(&sandbox, &["cite", "conventions.md#errors", "src/auth/refresh.rs:1-3"]);
    let told = told.expect_code(0).stdout;
    assert!(told.starts_with("applied: changed conventions.md#errors\nnext: "), "{told}");
    let blob = sandbox.git(&["hash-object", CITED]);
    let line = format!(
        "<!-- @source: file src/auth/refresh.rs:1-3 {} confirmed 2026-11-20 -->\n",
        &blob[..12]
    );
    let id = "<!-- @id: errors -->\n";
    let expected = before.replace(id, &format!("{id}{line}"));
    assert_eq!(sandbox.file("conventions.md"), expected);
    // Again, on the same day: there is nothing to say.
    let again = as_ada(&sandbox, &["cite", "errors", "src/auth/refresh.rs:1-3"]).expect_code(0);
    assert!(again.stdout.contains("nothing changes"), "{}", again.stdout);
    as_ada(&sandbox, &["undo", "--latest"]).expect_code(0);
    assert_eq!(sandbox.file("conventions.md"), before);
}

#[test]
fn the_log_and_blame_know_who_did_it() {
    let sandbox = with_conventions();
    as_ada(&sandbox, &["cite", "names", "user:grace", CITED]).expect_code(0);
    let log = sandbox.run(&["log", "--json"]).expect_code(0).json();
    let (decision, approver) = (&log["decisions"][0]["decision"], &log["decisions"][0]["approver"]);
    assert_eq!((decision, approver), (&json!("applied"), &json!("Ada")));
    let blamed = sandbox.run(&["blame", "conventions.md#names", "--json"]).expect_code(0).json();
    let section = &blamed["sections"][0];
    assert_eq!((&section["approver"], &section["written"]), (&json!("Ada"), &json!("by_proposal")));
    assert_eq!(section["sources"].as_array().unwrap().len(), 2);
}

#[test]
fn what_was_read_again_is_fresh_again() {
    let sandbox = with_conventions();
    as_ada(&sandbox, &["cite", "errors", CITED, "--confidence", "inferred"]).expect_code(0);
    sandbox.write_project(CITED, "// another text\n");
    assert_eq!(freshness(&sandbox, "errors"), "stale");
    as_ada(&sandbox, &["confirm", "conventions.md#errors", "--yes"]).expect_code(0);
    assert_eq!(freshness(&sandbox, "errors"), "fresh");
    assert!(sandbox.file("conventions.md").contains("confirmed 2026-11-20 -->"));
    assert!(!sandbox.file("conventions.md").contains("inferred"));
}

#[test]
fn a_section_without_a_source_or_with_a_lost_one_is_not_confirmed() {
    let sandbox = with_conventions();
    let told = as_ada(&sandbox, &["confirm", "names"]).expect_code(1).stderr;
    assert!(
        told.contains("names no source to confirm") && told.contains("agent-memory cite"),
        "{told}"
    );
    as_ada(&sandbox, &["cite", "errors", CITED]).expect_code(0);
    std::fs::remove_file(sandbox.project().join(CITED)).unwrap();
    let before = sandbox.file("conventions.md");
    // One that cannot be confirmed keeps no other from it.
    as_ada(&sandbox, &["cite", "names", "user:ada"]).expect_code(0);
    let reply = as_ada(&sandbox, &["confirm", "errors", "names", "--json"]).expect_code(1).json();
    assert_eq!(reply["results"][0]["reason"], "provenance_violation");
    assert_eq!(reply["results"][1]["status"], "applied");
    assert!(before.contains("errors"));
}

#[test]
fn an_agent_cannot_but_may_ask() {
    let mut sandbox = with_conventions();
    sandbox.write_user_config("");
    sandbox.set_env("CLAUDECODE", "1");
    let before = sandbox.file("conventions.md");
    for command in [&["cite", "errors", CITED][..], &["confirm", "errors"]] {
        let reply = as_ada(&sandbox, command).expect_code(1);
        assert!(reply.stderr.contains("approval_refused"), "{}", reply.stderr);
        assert!(reply.stderr.contains("--stage"), "{}", reply.stderr);
    }
    let log = sandbox.run(&["log", "--json"]).expect_code(0).json();
    assert_eq!(log["decisions"][0]["decision"], "refused");
    let answer = sandbox.run(&["cite", "errors", CITED, "--stage", "--json"]).answer();
    let id = answer.staged();
    assert_eq!(sandbox.file("conventions.md"), before);
    sandbox.set_env("CLAUDECODE", "");
    sandbox.write_user_config(crate::support::WITHOUT_TERMINAL);
    sandbox.apply(&id).applied();
    assert!(sandbox.file("conventions.md").contains("inferred 2026-11-20 -->"));
}

#[test]
fn what_is_pending_confirms_the_text_that_was_read() {
    let sandbox = with_conventions();
    as_ada(&sandbox, &["cite", "errors", CITED]).expect_code(0);
    sandbox.write_project(CITED, "// another text\n");
    let reply = sandbox.run(&["confirm", "errors", "--stage", "--json"]).expect_code(0).json();
    let id = reply["results"][0]["staging_id"].as_str().unwrap();
    let text = sandbox.file("conventions.md").replace("They name a path.", "They name nothing.");
    sandbox.write("conventions.md", text);
    sandbox.apply(id).rejected("target_drift");
}

#[test]
fn at_a_terminal_it_is_done_in_the_name_that_git_knows() {
    let sandbox = with_conventions();
    sandbox.git(&["config", "user.name", "Grace"]);
    let (shown, code) = Terminal::run(&sandbox, "cite errors src/auth/refresh.rs", 80, &[]).end();
    assert!(shown.contains("applied: changed conventions.md#errors") && code == 0, "{shown}");
    let log = sandbox.run(&["log", "--json"]).expect_code(0).json();
    assert_eq!(log["decisions"][0]["approver"], "Grace");
}

#[test]
fn a_request_may_add_evidence_alone_and_not_nothing() {
    let sandbox = with_conventions();
    let operation = json!({
        "operation": "append_to_section", "section_id": "errors", "content": "",
    });
    let request = json!({ "intent": "update_conventions", "operations": [operation] });
    let told = sandbox.propose(request.clone()).rejected("invalid_operation");
    assert!(
        told["message"].as_str().unwrap().contains("`content` is empty"),
        "{}",
        told["message"]
    );
    let mut founded = request;
    founded["sources"] = json!([{ "type": "file", "ref": CITED }]);
    let id = sandbox.propose(founded).staged();
    sandbox.apply(&id).applied();
    let text = sandbox.file("conventions.md");
    assert!(
        text.contains("<!-- @source: file src/auth/refresh.rs ")
            && text.contains("-->\n\nThey name a path.\n"),
        "{text}"
    );
}
