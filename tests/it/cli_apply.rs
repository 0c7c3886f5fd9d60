//! `apply`: a person's yes, asked of today's files.

use serde_json::json;

use crate::requests::{
    TELLING, convention, new_body, two_files, with_conventions, with_founded_conventions,
};
use crate::support::Sandbox;

#[test]
fn a_yes_lands_the_change_and_empties_the_queue() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    let reply = sandbox.run(&["apply", &id, "--approver", "Ada"]).expect_code(0);
    insta::assert_snapshot!(reply.stdout.replace(&id, "[id]"), @r"
    applied [id]
      added    conventions.md#errors  67f062f541b06de3
    ");
    assert!(sandbox.file("conventions.md").contains("Name the path."));
    assert!(!sandbox.has(&format!("staging/{id}")));
}

#[test]
fn what_landed_is_found() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    assert_eq!(sandbox.apply(&id).applied()["index_updated"], true);
    let found = sandbox.run(&["search", "--json", "name", "path"]).expect_code(0).json();
    assert_eq!(found["results"][0]["id"], "errors");
}

#[test]
fn an_applied_proposal_is_kept() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    let before = sandbox.file(&format!("staging/{id}/proposal.json"));
    sandbox.apply(&id).applied();
    assert_eq!(sandbox.file(&format!("state/trash/{id}/proposal.json")), before);
}

#[test]
fn two_files_land_together() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(two_files()).staged();
    let answer = sandbox.apply(&id).applied();
    assert_eq!(answer["files"], json!(["modules/auth.md", "modules/net.md"]));
    assert!(sandbox.has("modules/auth.md") && sandbox.has("modules/net.md"));
}

#[test]
fn several_ids_land_one_after_the_other() {
    let sandbox = Sandbox::new();
    let first = sandbox.propose(convention("One", "The first.")).staged();
    let second = sandbox.propose(convention("Two", "The second.")).staged();
    let reply = sandbox.run(&["apply", &first, &second, "--approver", "Ada", "--json"]);
    let keys = format!("{{\"asked_for\":\"{first}\",\"status\":\"applied\",\"proposal_id\"");
    assert!(reply.stdout.contains(&keys), "{}", reply.stdout);
    let answer = reply.expect_code(0).json();
    let statuses: Vec<_> =
        answer["results"].as_array().unwrap().iter().map(|each| &each["status"]).collect();
    assert_eq!(statuses, ["applied", "applied"]);
}

#[test]
fn one_no_among_several_is_exit_code_1_and_stops_no_other() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("One", "The first.")).staged();
    let reply = sandbox.run(&["apply", "absent", &id, "--approver", "Ada", "--json"]);
    let answer = reply.expect_code(1).json();
    assert_eq!(answer["results"][0]["error"]["code"], "staging_not_found");
    assert_eq!(answer["results"][1]["status"], "applied");
}

#[test]
fn two_staged_edits_of_one_file_both_land() {
    let sandbox = with_conventions();
    let first = sandbox.propose(new_body("errors", "They name a line.")).staged();
    let second = sandbox.propose(new_body("names", "They are short.")).staged();
    sandbox.apply(&second).applied();
    sandbox.apply(&first).applied();
    let text = sandbox.file("conventions.md");
    assert!(text.contains("They name a line.") && text.contains("They are short."), "{text}");
}

#[test]
fn two_staged_sections_at_the_end_of_one_file_both_land() {
    let sandbox = Sandbox::new();
    let first = sandbox.propose(convention("One", "The first.")).staged();
    let second = sandbox.propose(convention("Two", "The second.")).staged();
    sandbox.apply(&first).applied();
    sandbox.apply(&second).applied();
    let text = sandbox.file("conventions.md");
    assert!(text.contains("The first.") && text.contains("The second."), "{text}");
}

#[test]
fn another_section_may_change_meanwhile() {
    let sandbox = with_conventions();
    let id = sandbox.propose(new_body("errors", "They name a line.")).staged();
    let edited = sandbox.file("conventions.md").replace("They are long.", "They are wide.");
    sandbox.write("conventions.md", edited);
    sandbox.apply(&id).applied();
    let text = sandbox.file("conventions.md");
    assert!(text.contains("They name a line.") && text.contains("They are wide."), "{text}");
}

#[test]
fn a_touched_section_that_changed_is_drift() {
    let sandbox = drifted().0;
    let before = sandbox.tree();
    let reply = sandbox.run(&["apply", "--latest", "--approver", "Ada"]).expect_code(1);
    insta::assert_snapshot!(reply.stderr, @r"
    refused: the section `errors` of `conventions.md` changed after this was proposed [target_drift]
    hint: `agent-memory rebase 20261120-100000-errors-4322` merges it with what changed; `apply --force` overwrites that; after `reject 20261120-100000-errors-4322 --allow-again` it can be proposed anew
    ");
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn a_touched_section_that_is_gone_is_drift() {
    let sandbox = with_conventions();
    let id = sandbox.propose(new_body("errors", "They name a line.")).staged();
    sandbox.write("conventions.md", "# Conventions\n");
    sandbox.apply(&id).rejected("target_drift");
}

#[test]
fn force_prints_the_difference_and_overwrites() {
    let (sandbox, id) = drifted();
    let reply = sandbox.run(&["apply", &id, "--approver", "Ada", "--force"]).expect_code(0);
    assert!(reply.stderr.contains("-They name a way."), "{}", reply.stderr);
    assert!(reply.stderr.contains("+They name a line."), "{}", reply.stderr);
    assert!(sandbox.file("conventions.md").contains("They name a line."));
    let log = sandbox.run(&["log", "-n", "1"]).expect_code(0).stdout;
    assert!(log.contains("over a section that had changed since"), "{log}");
}

#[test]
fn force_that_overwrites_nothing_is_not_in_the_log() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.run(&["apply", &id, "--approver", "Ada", "--force"]).expect_code(0);
    let log = sandbox.run(&["log", "-n", "1"]).expect_code(0).stdout;
    assert!(!log.contains("over a section"), "{log}");
}

#[test]
fn nothing_lands_in_a_file_whose_conflict_is_not_resolved() {
    let sandbox = with_conventions();
    let id = sandbox.propose(convention("Logs", "Say what to do next.")).staged();
    let marks = "\n<<<<<<< ours\nOne.\n=======\nOther.\n>>>>>>> theirs\n";
    sandbox.append("conventions.md", marks);
    let before = sandbox.tree();
    sandbox.apply(&id).rejected("invalid_markdown");
    sandbox.propose(convention("More", "Say it twice.")).rejected("invalid_markdown");
    assert_eq!(sandbox.tree(), before);
    let status = sandbox.run(&["status", "--json"]).expect_code(0).json();
    assert_eq!(status["pending"][0]["can_apply"], false);
}

#[test]
fn force_in_json_is_one_document() {
    let (sandbox, id) = drifted();
    let reply = sandbox.run(&["apply", &id, "--approver", "Ada", "--force", "--json"]);
    reply.expect_code(0).answer().applied();
}

#[test]
fn the_digest_that_show_printed_lands() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    let digest = digest_of(&sandbox, &id).to_uppercase();
    let reply = sandbox.run(&["apply", &id, "--approver", "Ada", "--digest", &digest, "--json"]);
    reply.expect_code(0).answer().applied();
}

#[test]
fn a_digest_holds_beside_what_a_person_added() {
    let sandbox = with_conventions();
    let id = sandbox.propose(new_body("errors", "They name a line.")).staged();
    let digest = digest_of(&sandbox, &id);
    sandbox.append("conventions.md", "\n## More\n\nA person added this.\n");
    let reply = sandbox.run(&["apply", &id, "--approver", "Ada", "--digest", &digest, "--json"]);
    reply.expect_code(0).answer().applied();
    let text = sandbox.file("conventions.md");
    assert!(text.contains("a line.") && text.contains("A person added this."), "{text}");
}

#[test]
fn a_digest_of_a_section_that_changed_is_stale() {
    let sandbox = with_conventions();
    let id = sandbox.propose(new_body("errors", "They name a line.")).staged();
    let digest = digest_of(&sandbox, &id);
    let text = sandbox.file("conventions.md").replace("They name a path", "They name a file");
    sandbox.write("conventions.md", text);
    let reply = sandbox.run(&["apply", &id, "--approver", "Ada", "--digest", &digest, "--json"]);
    reply.expect_code(1).answer().rejected("approval_stale");
    sandbox.apply(&id).rejected("target_drift");
}

#[test]
fn a_digest_goes_with_one_proposal() {
    let sandbox = Sandbox::new();
    let reply =
        sandbox.run(&["apply", "a", "b", "--approver", "Ada", "--digest", "0123456789abcdef"]);
    reply.expect_code(2);
}

#[test]
fn an_expired_proposal_does_not_land_by_itself() {
    let mut sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.advance_days(8);
    sandbox.apply(&id).rejected("staging_expired");
    assert!(sandbox.has(&format!("staging/{id}")));
}

#[test]
fn an_expired_proposal_lands_when_it_is_asked_for() {
    let mut sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.advance_days(8);
    let reply = sandbox.run(&["apply", &id, "--approver", "Ada", "--expired", "--json"]);
    reply.expect_code(0).answer().applied();
}

#[test]
fn a_proposal_lands_once() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.apply(&id).applied();
    sandbox.apply(&id).rejected("staging_not_found");
}

#[test]
fn without_a_terminal_a_yes_needs_a_name() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.git(&["config", "user.name", "Ada"]);
    let reply = sandbox.run(&["apply", &id]).expect_code(1);
    insta::assert_snapshot!(reply.stderr, @r"
    refused: `apply` needs the name of the person who decides [approval_refused]
    hint: at a terminal it is git's `user.name`; elsewhere give `--approver NAME`
    ");
}

#[test]
fn a_blank_name_is_no_name() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    let reply = sandbox.run(&["apply", &id, "--approver", "  ", "--json"]).expect_code(1);
    reply.answer().rejected("approval_refused");
}

#[test]
fn the_approver_stands_in_the_log() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.apply(&id).applied();
    let log = sandbox.run(&["log", "--json"]).expect_code(0).json();
    assert_eq!(log["decisions"][0]["approver"], "Ada");
}

#[test]
fn an_agent_may_not_approve_and_the_log_says_that_it_tried() {
    for variable in [
        "AGENT_MEMORY_AGENT",
        "CLAUDECODE",
        "CODEX_SANDBOX",
        "CODEX_THREAD_ID",
        "COPILOT_CLI",
        "CURSOR_AGENT",
        "GEMINI_CLI",
        "OPENCODE",
    ] {
        let sandbox = Sandbox::new();
        let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
        let call = sandbox.call(&["apply", &id, "--approver", "Ada", "--json"]).env(variable, "1");
        call.run().answer().rejected("approval_refused");
        assert!(sandbox.has(&format!("staging/{id}")), "{variable}");
        let log = sandbox.run(&["log", "--json"]).expect_code(0).json();
        assert_eq!(log["decisions"][0]["decision"], "refused", "{variable}");
        assert!(log["decisions"][0].to_string().contains(variable), "{variable}");
    }
}

#[test]
fn the_users_own_settings_may_let_an_agent_approve() {
    let sandbox = Sandbox::new();
    sandbox.write_user_config("[approval]\nallow_agents = true\n");
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    let call = sandbox.call(&["apply", &id, "--approver", "Ada", "--json"]).env("CLAUDECODE", "1");
    call.run().answer().applied();
}

#[test]
fn settings_inside_the_repository_cannot_let_an_agent_approve() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    let allow = "[approval]\nallow_agents = true\n";
    for path in ["config/agent-memory/config.toml", "agent-memory/config.toml", "agent-memory.toml"]
    {
        sandbox.write_project(path, allow);
    }
    for relative in ["config", ".", "./config", ""] {
        let call = sandbox.call(&["apply", &id, "--approver", "Ada", "--json"]);
        let call = call.env("CLAUDECODE", "1").env("XDG_CONFIG_HOME", relative);
        call.run().answer().rejected("approval_refused");
    }
}

#[test]
fn the_stores_own_settings_cannot_let_an_agent_approve() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.append("config.toml", "\n[approval]\nallow_agents = true\n");
    let call = sandbox.call(&["apply", &id, "--approver", "Ada", "--json"]).env("CLAUDECODE", "1");
    let reply = call.run();
    assert_ne!(reply.code, 0, "{}", reply.stdout);
    assert!(sandbox.has(&format!("staging/{id}")));
}

#[test]
fn a_yes_does_not_turn_deny_into_anything() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.append("config.toml", "\n[routing.categories]\nconventions = \"deny\"\n");
    let text = sandbox.file("config.toml").replacen("[routing.categories]\n#", "#", 1);
    sandbox.write("config.toml", text);
    sandbox.apply(&id).rejected("denied_by_policy");
}

#[test]
fn other_files_in_the_staged_folder_never_land() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.write(&format!("staging/{id}/files/conventions.md"), "# Tampered\n");
    sandbox.write(&format!("staging/{id}/files/decisions.md"), "# Tampered\n");
    sandbox.apply(&id).applied();
    assert!(!sandbox.file("conventions.md").contains("Tampered"));
    assert!(!sandbox.has("decisions.md"));
}

#[test]
fn a_request_that_was_edited_on_disk_is_checked_again() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", TELLING)).staged();
    let path = format!("staging/{id}/proposal.json");
    sandbox.write(&path, sandbox.file(&path).replace("Say what", "Say\\u202e what"));
    sandbox.apply(&id).rejected("hidden_characters");
}

fn drifted() -> (Sandbox, String) {
    let sandbox = with_conventions();
    let id = sandbox.propose(new_body("errors", "They name a line.")).staged();
    sandbox.write("conventions.md", sandbox.file("conventions.md").replace("a path", "a way"));
    (sandbox, id)
}

fn digest_of(sandbox: &Sandbox, id: &str) -> String {
    let shown = sandbox.run(&["show", id, "--json"]).expect_code(0).json();
    shown["digest"].as_str().unwrap().to_owned()
}

#[test]
fn a_name_is_one_line() {
    let sandbox = with_founded_conventions();
    let id = sandbox.propose(new_body("errors", "They name a path.")).staged();
    let forged = "Ada\n2026-11-20 applied by Grace";
    for verb in [&["apply", &id][..], &["reject", &id, "--reason", "no"]] {
        let reply = sandbox.run(&[verb, &["--approver", forged]].concat()).expect_code(1);
        assert!(reply.stderr.contains("more than a name"), "{}", reply.stderr);
    }
}

#[test]
fn a_dry_run_says_what_would_be_applied_and_writes_nothing() {
    let sandbox = with_conventions();
    let id = sandbox.propose(new_body("errors", "They name a line.")).staged();
    let before = sandbox.tree();
    // It approves nothing, so an agent may ask too.
    let call = sandbox.call(&["apply", &id, "--dry-run", "--json"]).env("CLAUDECODE", "1");
    let answer = call.run().expect_code(0).json();
    assert_eq!((&answer["status"], &answer["dry_run"]), (&json!("applied"), &json!(true)));
    assert_eq!(answer["affected_sections"][0]["section_id"], "errors");
    let said = sandbox.run(&["apply", "--all", "--dry-run"]).expect_code(0).stdout;
    assert!(said.contains(&format!("would be applied {id}")), "{said}");
    assert_eq!(sandbox.tree(), before);
    sandbox.write("conventions.md", "# Conventions\n");
    let answer = sandbox.run(&["apply", &id, "--dry-run", "--json"]).expect_code(1).json();
    assert_eq!(answer["error"]["code"], "target_drift", "{answer}");
}
