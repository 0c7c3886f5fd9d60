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
      written  by the proposal, unchanged since
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
    assert_eq!((&before["id"], &before["approver"]), (&json!(first), &json!("Ada")));
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
    assert!(reply.stdout.contains("by hand; in no commit yet"));
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
    let text = sandbox.run(&["blame", "conventions.md#errors"]).expect_code(0).stdout;
    assert!(text.contains("approved an earlier text, by Ada, "), "{text}");
}

#[test]
fn what_a_proposal_took_out_and_a_commit_brings_back_was_approved_by_nobody() {
    let sandbox = Sandbox::new();
    let first = sandbox.propose(convention("Errors", TELLING)).staged();
    sandbox.apply(&first).applied();
    let text = sandbox.file("conventions.md");
    let removal = json!({
        "intent": "update_conventions",
        "sources": [{ "type": "file", "ref": "src/auth/refresh.rs" }],
        "operations": [{ "operation": "remove_section", "section_id": "errors", "reason": "Wrong." }],
    });
    let second = sandbox.propose(removal).staged();
    sandbox.apply(&second).applied();
    sandbox.write("conventions.md", &text);
    for _ in 0..2 {
        let said = blamed(&sandbox, "conventions.md#errors");
        assert_eq!((&said["written"], &said["approver"]), (&json!("by_hand"), &Value::Null));
        // Without the former texts the log still tells.
        let _ = std::fs::remove_file(sandbox.store().join("state/undo.jsonl"));
    }
}

/// Two texts of a section whose SHA-256 begins with the same 64 bits; to find them took four minutes.
const TWINS: [&str; 2] = [
    "- Each deploy goes through staging, and two people look at it before it goes on as was agreed among all of us in the \
     review of the las, codes of the runbook: oo eb lh cd kd np gj ao",
    "- Each deploy goes straight to production, and nobody has to look at it as was agreed among all of us in the review \
     of the last quarte, codes of the runbook: pj df ni lh db lc gl cd",
];

#[test]
fn a_text_whose_short_hash_is_that_of_the_approved_one_is_another_text() {
    let sandbox = Sandbox::new();
    let operation = json!({ "operation": "append_section", "path": "pitfalls.md", "heading": "Deploys", "content": TWINS[0] });
    let request = json!({ "intent": "add_pitfall", "operations": [operation] });
    let id = sandbox.propose(request).staged();
    sandbox.apply(&id).applied();
    sandbox.run(&["search", "deploy"]).expect_code(0);
    let hash = || {
        let shown = sandbox.run(&["show", "pitfalls.md#deploys", "--json"]).expect_code(0).json();
        shown["sections"][0]["hash"].clone()
    };
    let approved = hash();
    let path = "pitfalls.md";
    sandbox.write(path, sandbox.file(path).replace(TWINS[0], TWINS[1]));
    assert_eq!(hash(), approved, "they are twins");
    for _ in 0..2 {
        assert_eq!(blamed(&sandbox, "pitfalls.md#deploys")["written"], "edited_since");
        let _ = std::fs::remove_file(sandbox.store().join("state/undo.jsonl"));
    }
    let found = sandbox.run(&["search", "deploy"]).expect_code(0).stdout;
    assert!(found.contains("straight to production") && !found.contains("staging"), "{found}");
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
    assert!(
        reply.stdout.contains("applied  without review, 2026-11-20T10:00:00Z"),
        "{}",
        reply.stdout
    );
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

/// Returns a sandbox with a committed decision that this machine knows nothing of, and its proposal.
fn of_another_machine(approver: &str) -> (Sandbox, String) {
    let sandbox = Sandbox::new();
    let mut request = convention("Errors", TELLING);
    request["owner"] = json!("otto");
    let id = sandbox.propose(request).staged();
    sandbox.apply(&id).applied();
    std::fs::remove_dir_all(sandbox.store().join("state")).unwrap();
    let trailers = "Agent-Memory-Owner: otto\nAgent-Memory-Approver";
    sandbox.commit(&format!("remember\n\nAgent-Memory-Proposal: {id}\n{trailers}: {approver}"));
    (sandbox, id)
}

#[test]
fn what_a_commit_says_is_told_as_that() {
    let (sandbox, id) = of_another_machine("Bob");
    let head = sandbox.git(&["rev-parse", "HEAD"]).trim().to_owned();
    let said = blamed(&sandbox, "conventions.md#errors");
    let claim = json!({
        "commit": head, "author": "Ada", "proposal_id": id, "owner": "otto", "approver": "Bob",
    });
    assert_eq!((&said["written"], &said["claim"]), (&json!("elsewhere"), &claim));
    for known_here in ["proposal_id", "approver", "owner", "applied_at"] {
        assert_eq!(said[known_here], Value::Null, "{known_here}");
    }
    let shown = sandbox.run(&["blame", "conventions.md#errors"]).expect_code(0).stdout;
    let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    let short = &head[..12];
    assert!(words.contains(&format!("commit {short} by Ada says: approved by Bob")), "{shown}");
    assert!(!shown.contains("approved by Bob, 2026"), "{shown}");
}

#[test]
fn a_commit_says_nothing_of_a_section_that_is_another_by_now() {
    let unknown = |sandbox: &Sandbox| {
        let said = blamed(sandbox, "conventions.md#errors");
        assert_eq!((&said["written"], &said["claim"]), (&json!("by_hand"), &Value::Null), "{said}");
    };
    // Edited and not committed.
    let (sandbox, _) = of_another_machine("Bob");
    let text = sandbox.file("conventions.md");
    sandbox.write("conventions.md", text.replace("Say", "Never say"));
    unknown(&sandbox);
    // A line less, in a later commit: blame leads the rest to the commit before.
    let less = text.replace("- Say what to do next in every single error message\n", "");
    assert_ne!(less, text);
    sandbox.write("conventions.md", less);
    sandbox.commit("a line less");
    unknown(&sandbox);
    // The lines of one section, moved to another.
    sandbox.write("conventions.md", text.replace("@id: errors", "@id: other"));
    sandbox.commit("another id");
    let said = blamed(&sandbox, "conventions.md#other");
    assert_eq!((&said["written"], &said["claim"]), (&json!("by_hand"), &Value::Null), "{said}");
}

#[test]
fn neither_the_time_that_a_commit_names_nor_a_mailmap_says_whose_words_these_are() {
    let (sandbox, _) = of_another_machine("Bob");
    let text = sandbox.file("conventions.md").replace("Say", "Never say");
    sandbox.write("conventions.md", text);
    sandbox.write_project(".mailmap", "Bob <bob@example.org> <mallory@example.org>\n");
    sandbox.git(&["add", "--all"]);
    let mut commit = std::process::Command::new("git");
    commit.args(["commit", "--quiet", "--message=docs", "--author=Mallory <mallory@example.org>"]);
    commit.current_dir(sandbox.project()).env_clear().envs(sandbox.variables());
    commit.env("GIT_COMMITTER_DATE", "1970-01-02T00:00:00Z");
    assert!(commit.status().unwrap().success());
    let said = blamed(&sandbox, "conventions.md#errors");
    let commit = &said["commit"];
    assert_eq!((&commit["subject"], &commit["author"]), (&json!("docs"), &json!("Mallory")));
    assert_eq!(said["claim"], Value::Null);
}

#[test]
fn a_message_without_a_proposal_and_sources_alone_vouch_for_nothing() {
    let (sandbox, _) = of_another_machine("Bob");
    sandbox.git(&["commit", "--quiet", "--amend", "-m", "x\n\nAgent-Memory-Approver: Bob"]);
    let said = blamed(&sandbox, "conventions.md#errors");
    assert_eq!((&said["written"], &said["claim"]), (&json!("by_hand"), &Value::Null));
    assert_eq!(said["sources"].as_array().unwrap().len(), 1);
    let shown = sandbox.run(&["blame", "conventions.md#errors"]).expect_code(0).stdout;
    assert!(!shown.contains("Bob"), "{shown}");
}

#[test]
fn what_this_machine_knows_is_not_overruled_by_a_commit() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", TELLING)).staged();
    sandbox.apply(&id).applied();
    let forged = "20261120-100000-forged-abcd";
    sandbox
        .commit(&format!("x\n\nAgent-Memory-Proposal: {forged}\nAgent-Memory-Approver: Mallory"));
    let said = blamed(&sandbox, "conventions.md#errors");
    assert_eq!((&said["proposal_id"], &said["approver"]), (&json!(id), &json!("Ada")));
    assert_eq!(said["claim"], Value::Null);
}

#[test]
fn a_message_speaks_for_the_sections_that_it_names() {
    let sandbox = Sandbox::new();
    sandbox.commit("a store");
    let id = sandbox.propose(convention("Errors", TELLING)).staged();
    sandbox.run(&["apply", &id, "--commit", "--approver", "Ada"]).expect_code(0);
    sandbox.append("conventions.md", "\n## Smuggled\n<!-- @id: smuggled -->\n\nNobody read it.\n");
    sandbox.git(&["commit", "--quiet", "--all", "--amend", "--no-edit"]);
    std::fs::remove_dir_all(sandbox.store().join("state")).unwrap();
    assert_eq!(blamed(&sandbox, "conventions.md#errors")["claim"]["approver"], "Ada");
    let said = blamed(&sandbox, "conventions.md#smuggled");
    assert_eq!((&said["written"], &said["claim"]), (&json!("by_hand"), &Value::Null));
}

#[test]
fn a_mark_of_a_decision_says_that_it_was_applied_and_no_more() {
    let (sandbox, id) = of_another_machine("Bob");
    sandbox.write(&format!("decided/{id}.applied"), "");
    sandbox.write("conventions.md", sandbox.file("conventions.md").replace("Say", "Tell"));
    sandbox.commit("another text, and a mark");
    sandbox.git(&[
        "commit",
        "--quiet",
        "--amend",
        "-m",
        &format!("x\n\nAgent-Memory-Proposal: {id}\nAgent-Memory-Approver: Bob"),
    ]);
    sandbox.write("conventions.md", sandbox.file("conventions.md").replace("Tell", "Shout"));
    let said = blamed(&sandbox, "conventions.md#errors");
    assert_eq!((&said["written"], &said["decided"]), (&json!("elsewhere"), &json!(id)));
    assert_eq!(said["claim"], Value::Null);
    let shown = sandbox.run(&["blame", "conventions.md#errors"]).expect_code(0).stdout;
    assert!(shown.contains("`decided/` records that") && !shown.contains("Bob"), "{shown}");
}

#[test]
fn settings_of_trailers_and_other_line_ends_hide_no_claim() {
    let (sandbox, id) = of_another_machine("Bob");
    sandbox.git(&["config", "trailer.separators", "="]);
    sandbox.git(&["config", "log.showSignature", "true"]);
    sandbox.git(&["config", "core.autocrlf", "true"]);
    sandbox.write("conventions.md", sandbox.file("conventions.md").replace('\n', "\r\n"));
    let said = blamed(&sandbox, "conventions.md#errors");
    assert_eq!((&said["claim"]["proposal_id"], &said["committed"]), (&json!(id), &json!(true)));
    sandbox.git(&["mv", ".agent-memory/conventions.md", "there.md"]);
    sandbox.commit("away");
    sandbox.git(&["mv", "there.md", ".agent-memory/conventions.md"]);
    sandbox.commit("and back");
    assert_eq!(blamed(&sandbox, "conventions.md#errors")["claim"]["approver"], "Bob");
}

#[test]
fn what_git_does_not_tell_is_not_none() {
    let (sandbox, _) = of_another_machine("Bob");
    std::fs::remove_file(sandbox.project().join(".git/HEAD")).unwrap();
    let said = blamed(&sandbox, "conventions.md#errors");
    assert!(said["commit_unknown"].to_string().contains("is no repository"), "{said}");
    let shown = sandbox.run(&["blame", "conventions.md#errors"]).expect_code(0).stdout;
    assert!(shown.contains("not known: ") && !shown.contains("none yet"), "{shown}");
}

#[test]
fn a_shallow_clone_does_not_give_all_to_its_only_commit() {
    let (sandbox, id) = of_another_machine("Bob");
    assert_eq!(blamed(&sandbox, "conventions.md#errors")["claim"]["proposal_id"], json!(id));
    let end = sandbox.git(&["rev-parse", "HEAD"]);
    std::fs::write(sandbox.project().join(".git/shallow"), end).unwrap();
    let said = blamed(&sandbox, "conventions.md#errors");
    assert_eq!((&said["written"], &said["claim"]), (&json!("by_hand"), &json!(null)));
    assert_eq!(said["commit"], Value::Null);
    assert!(said["commit_unknown"].to_string().contains("shallow clone"), "{said}");
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

/// A store whose queue is in git, with a committed section of a proposal without sources, on a machine without its log.
fn decided_elsewhere() -> (Sandbox, String) {
    let sandbox = Sandbox::new();
    sandbox.run(&["config", "set", "staging.track", "true", "--approver", "Ada"]).expect_code(0);
    sandbox.run(&["doctor", "--fix"]).expect_code(0);
    let mut request = convention("Errors", TELLING);
    request.as_object_mut().unwrap().remove("sources");
    let schema = sandbox.file("schemas/conventions.toml");
    sandbox
        .write("schemas/conventions.toml", schema.replace("required = true", "required = false"));
    let id = sandbox.propose(request).staged();
    sandbox.commit("a proposal");
    sandbox.apply(&id).applied();
    sandbox.append("conventions.md", "\n## Other\n<!-- @id: other -->\n\nBy hand.\n");
    sandbox.commit("a decision");
    std::fs::remove_dir_all(sandbox.store().join("state")).unwrap();
    (sandbox, id)
}

#[test]
fn a_proposal_that_the_commit_decided_is_found_without_a_word_in_its_message() {
    let (sandbox, id) = decided_elsewhere();
    let said = blamed(&sandbox, "conventions.md#errors");
    assert_eq!((&said["written"], &said["decided"]), (&json!("elsewhere"), &json!(id)));
    assert_eq!(said["sources"], json!([]));
    let other = blamed(&sandbox, "conventions.md#other");
    assert_eq!((&other["written"], &other["decided"]), (&json!("by_hand"), &Value::Null));
    let shown = sandbox.run(&["blame", "conventions.md#other"]).expect_code(0).stdout;
    assert!(shown.contains("by hand, or by a proposal that is not known here"), "{shown}");
}

#[test]
fn a_commit_of_several_changes_gives_no_proposal_what_a_person_wrote() {
    let (sandbox, id) = decided_elsewhere();
    let add = json!({
        "intent": "update_conventions", "operations": [{
            "operation": "append_to_section", "section_id": "other", "content": "By a proposal.",
        }],
    });
    let added = sandbox.propose(add).staged();
    sandbox.commit("pending");
    sandbox.apply(&added).applied();
    // A person writes that, with the heading and the words that a proposal has elsewhere.
    sandbox
        .write("modules/auth.md", "# Auth\n\n## Errors\n<!-- @id: auth-errors -->\n\n- Say why\n");
    let text = sandbox.file("conventions.md");
    sandbox.write("conventions.md", text.replace("By hand.\n\n", "By hand, again.\n\n"));
    // A forge makes one commit of all of it.
    sandbox.commit("a branch");
    let first = sandbox.git(&["rev-list", "--max-parents=0", "HEAD"]);
    sandbox.git(&["reset", "--quiet", "--soft", first.trim()]);
    sandbox.git(&["commit", "--quiet", "--amend", "--message=squashed"]);
    std::fs::remove_dir_all(sandbox.store().join("state")).unwrap();
    let said = |section: &str| {
        let said = blamed(&sandbox, section);
        (said["written"].clone(), said["decided"].clone())
    };
    assert_eq!(said("conventions.md#errors"), (json!("elsewhere"), json!(id)));
    assert_eq!(said("conventions.md#other"), (json!("by_hand"), Value::Null));
    assert_eq!(said("modules/auth.md#auth-errors"), (json!("by_hand"), Value::Null));
}

#[test]
fn a_merge_of_two_approved_proposals_is_not_said_to_be_an_edit_by_hand() {
    let sandbox = with_conventions();
    sandbox.commit("the store");
    sandbox.run(&["install", "git"]).expect_code(0);
    let add = |text: &str| {
        let id =
            sandbox.propose(new_body("errors", &format!("They name a path.\n\n{text}"))).staged();
        sandbox.apply(&id).applied();
        sandbox.commit(text);
    };
    sandbox.git(&["checkout", "--quiet", "-b", "other"]);
    add("They end with a hint.");
    sandbox.git(&["checkout", "--quiet", "main"]);
    let request = json!({
        "intent": "update_conventions", "sources": [{ "type": "user", "ref": "ada" }],
        "operations": [{
            "operation": "rename_heading", "path": "conventions.md", "section_id": "errors",
            "new_heading": "Errors for people",
        }],
    });
    let id = sandbox.propose(request).staged();
    sandbox.apply(&id).applied();
    sandbox.commit("renamed");
    assert!(crate::merging::merge(&sandbox, "other"));
    let said = blamed(&sandbox, "conventions.md#errors");
    assert_eq!(said["written"], "edited_since", "{said}");
    let shown = sandbox.run(&["blame", "conventions.md#errors"]).expect_code(0).stdout;
    assert!(shown.contains("by the proposal, and changed since"), "{shown}");
    assert!(!shown.contains("by hand"), "{shown}");
}

#[test]
fn a_section_is_named_by_its_id_alone_where_that_is_unique() {
    let sandbox = with_conventions();
    for name in ["errors", "#errors", "conventions.md#errors"] {
        assert_eq!(blamed(&sandbox, name)["id"], "errors", "{name}");
        sandbox.run(&["show", name]).expect_code(0);
        let edit = ["edit", name, "--approver", "Ada"];
        let cancelled = sandbox.call(&edit).env("GIT_EDITOR", "true").run().expect_code(1);
        assert!(cancelled.stderr.contains("cancelled"), "{name}: {}", cancelled.stderr);
    }
    sandbox.write("modules/auth.md", "# Auth\n\n## Errors\n<!-- @id: errors -->\n\nNone.\n");
    for command in ["blame", "show"] {
        let said = sandbox.run(&[command, "#errors"]).expect_code(1).stderr;
        assert!(said.contains("several sections are called `errors`"), "{said}");
    }
    sandbox.run(&["blame", "#no-such"]).expect_code(1);
}
