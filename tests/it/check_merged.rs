//! What a merge without a conflict left behind that a team has to decide: an edit in the archive, two decisions.

use serde_json::{Value, json};

use crate::merging::merge;
use crate::support::Sandbox;

const RECORD: &str = "# Use a queue\n<!-- @id: use-a-queue -->\n<!-- @source: user ada - confirmed 2026-11-20 -->\n\n- **Date:** 2026-11-01\n- **Status:** active\n\nIt holds.\nWork that may be late goes there.\nThe queue is read by one worker.\n";

const PATH: &str = "decisions/use-a-queue.md";

const ARCHIVE: &str = "archive/use-a-queue.md";

/// One branch removed the record, the other edited it, and git merged both.
fn edited_and_removed() -> Sandbox {
    let sandbox = Sandbox::given(&[(PATH, RECORD)]);
    sandbox.commit("recorded");
    sandbox.git(&["checkout", "--quiet", "-b", "other"]);
    sandbox.write(PATH, RECORD.replace("It holds.", "It holds for mail alone."));
    sandbox.commit("edited");
    sandbox.git(&["checkout", "--quiet", "main"]);
    let operation = json!({
        "operation": "remove_section", "path": PATH, "section_id": "use-a-queue",
        "archive_path": ARCHIVE, "reason": "it is over",
    });
    let request = json!({
        "intent": "archive_stale", "operations": [operation],
        "sources": [{ "type": "user", "ref": "ada" }],
    });
    let id = sandbox.propose(request).staged();
    sandbox.apply(&id).applied();
    sandbox.commit("removed");
    assert!(merge(&sandbox, "other"), "git takes the copy for the renamed file");
    sandbox
}

fn finding(sandbox: &Sandbox, rule: &str) -> Value {
    let report = sandbox.run(&["check", "--json"]).expect_code(1).json();
    let found = report["findings"].as_array().unwrap().iter().find(|it| it["rule"] == rule);
    found.unwrap_or_else(|| panic!("{report}")).clone()
}

/// Runs the last command in back-ticks of a repair.
fn run_command_in(sandbox: &Sandbox, repair: &str) {
    let command = repair.trim_end_matches('`').rsplit('`').next().unwrap();
    let done = std::process::Command::new("sh")
        .args(["-c", command])
        .current_dir(sandbox.project())
        .output();
    assert!(done.unwrap().status.success(), "{command}");
}

#[test]
fn an_edit_that_git_merged_into_the_archive_is_named_with_the_way_that_keeps_it() {
    let sandbox = edited_and_removed();
    let commit = sandbox.git(&["rev-parse", "--short=12", "HEAD"]);
    let found = finding(&sandbox, "archive-changed");
    let expected = format!("`{ARCHIVE}` was changed after it was written, in {}", commit.trim());
    assert_eq!(found["message"], expected);
    assert_eq!(found["repair"]["command"], Value::Null, "it would drop the edit");
    let by_hand = found["repair"]["by_hand"].as_str().unwrap();
    assert!(by_hand.starts_with("to keep the change, put the record back"), "{by_hand}");
    sandbox.write(PATH, sandbox.file(ARCHIVE));
    run_command_in(&sandbox, by_hand);
    assert_eq!(sandbox.file(ARCHIVE), RECORD);
    sandbox.run(&["check"]).expect_code(0);
    sandbox.commit("the record is back");
    sandbox.run(&["check"]).expect_code(0);
    assert!(sandbox.file(PATH).contains("for mail alone"));
}

#[test]
fn a_change_of_the_archive_that_is_in_no_commit_names_none() {
    let sandbox = edited_and_removed();
    sandbox.append(ARCHIVE, "More.\n");
    let found = finding(&sandbox, "archive-changed");
    assert_eq!(found["message"], format!("`{ARCHIVE}` was changed after it was written"));
}

#[test]
fn a_record_that_was_added_again_with_another_text_is_restored_as_it_was_first() {
    let sandbox = Sandbox::given(&[(ARCHIVE, RECORD)]);
    sandbox.commit("written once");
    sandbox.git(&["rm", "--quiet", &format!(".agent-memory/{ARCHIVE}")]);
    sandbox.commit("gone");
    sandbox.write(ARCHIVE, RECORD.replace("It holds.", "It never held."));
    sandbox.commit("added again");
    let by_hand = finding(&sandbox, "archive-changed")["repair"]["by_hand"].clone();
    run_command_in(&sandbox, by_hand.as_str().unwrap());
    assert_eq!(sandbox.file(ARCHIVE), RECORD);
    sandbox.run(&["check"]).expect_code(0);
}

const MAIL: &str = "modules/mail.md";

const MAIL_TEXT: &str = "# Mail\n<!-- @id: mail -->\n\n## Bounds\n<!-- @id: bounds -->\n<!-- @source: user ada - confirmed 2026-11-20 -->\n\n- Send ten a second.\n\n## Tests\n<!-- @id: tests -->\n<!-- @source: user ada - confirmed 2026-11-20 -->\n\n- Run all of them.\n";

const SHOP: &str = "modules/shop.md";

const SHOP_TEXT: &str = "# Shop\n<!-- @id: shop -->\n\n## Limits\n<!-- @id: limits -->\n<!-- @source: user ada - confirmed 2026-11-20 -->\n\n- Ask first.\n- Run all of them.\n";

const REASON: &str = "too vague for a rule";

/// A store whose queue is in git, in which Ada applied a decision that Ben rejected on another branch.
fn disputed(intent: &str, operation: &Value) -> (Sandbox, String) {
    let sandbox = Sandbox::given(&[(PATH, RECORD), (MAIL, MAIL_TEXT), (SHOP, SHOP_TEXT)]);
    sandbox.run(&["config", "set", "staging.track", "true", "--approver", "Ada"]).expect_code(0);
    sandbox.run(&["doctor", "--fix"]).expect_code(0);
    let request = json!({
        "intent": intent, "operations": [operation],
        "sources": [{ "type": "user", "ref": "ada" }],
    });
    let id = sandbox.propose(request).staged();
    sandbox.commit("a proposal");
    sandbox.git(&["checkout", "--quiet", "-b", "topic"]);
    sandbox.run(&["reject", &id, "--reason", REASON, "--approver", "Ben"]).expect_code(0);
    commit_as(&sandbox, "Ben");
    sandbox.git(&["checkout", "--quiet", "main"]);
    sandbox.apply(&id).applied();
    commit_as(&sandbox, "Ada");
    assert!(merge(&sandbox, "topic"));
    (sandbox, id)
}

fn commit_as(sandbox: &Sandbox, name: &str) {
    sandbox.git(&["add", "--all"]);
    let author = format!("--author={name} <{name}@example.org>");
    sandbox.git(&["commit", "--quiet", &author, "--message", "decided"]);
}

fn decision() -> Value {
    json!({
        "operation": "append_section", "heading": "Use a cache",
        "content": "- **Date:** 2026-11-01\n- **Status:** active\n\nWork that may be late goes there.\n\n## Why\n\nMail is slow.",
    })
}

fn command_of(sandbox: &Sandbox) -> String {
    finding(sandbox, "decision-disputed")["repair"]["command"].as_str().unwrap().to_owned()
}

#[test]
fn a_dispute_names_both_persons_and_the_reason_in_every_format() {
    let (sandbox, id) = disputed("record_decision", &decision());
    let said = format!("`{id}` was applied on one branch and rejected on another: applied in ");
    for format in ["human", "json", "markdown", "sarif"] {
        let report = sandbox.run(&["check", "--format", format]).expect_code(1).stdout;
        assert!(report.contains(&said), "{format}: {report}");
        for word in [" by Ada; rejected in ", " by Ben: ", REASON] {
            assert!(report.contains(word), "{format}, {word}: {report}");
        }
    }
}

#[test]
fn a_dispute_names_the_command_for_what_is_in_the_files_now() {
    let (sandbox, id) = disputed("record_decision", &decision());
    let applied = format!(".agent-memory/decided/{id}.applied");
    let rejected = format!(".agent-memory/decided/{id}.rejected");
    assert!(command_of(&sandbox).contains(&rejected) && !command_of(&sandbox).contains(&applied));
    sandbox.git(&["rm", "--quiet", ".agent-memory/decisions/use-a-cache.md"]);
    assert_eq!(command_of(&sandbox), format!("git rm --ignore-unmatch -- :/{applied}"));
    let doctor = sandbox.run(&["doctor"]).expect_code(1).stdout;
    assert!(doctor.contains(&format!("repair: `{}`", command_of(&sandbox))), "{doctor}");
    assert!(!doctor.contains("its text is in the files"), "{doctor}");
    run_command_in(&sandbox, &command_of(&sandbox));
    sandbox.run(&["check"]).expect_code(0);
    sandbox.run(&["check", "--staged"]).expect_code(0);
}

#[test]
fn a_dispute_is_over_once_the_text_is_taken_back() {
    let (sandbox, id) = disputed("record_decision", &decision());
    sandbox.run(&["undo", &id, "--approver", "Ada"]).expect_code(0);
    sandbox.run(&["check"]).expect_code(0);
}

#[test]
fn a_disputed_text_that_was_edited_since_is_for_a_person() {
    let (sandbox, id) = disputed("record_decision", &decision());
    let path = "decisions/use-a-cache.md";
    sandbox.write(path, sandbox.file(path).replace("Mail is slow.", "Mail takes long."));
    let repair = finding(&sandbox, "decision-disputed")["repair"]["by_hand"].clone();
    for decision in ["applied", "rejected"] {
        assert!(repair.as_str().unwrap().contains(&format!("{id}.{decision}")), "{repair}");
    }
}

#[test]
fn a_disputed_archival_counts_by_the_section_that_it_takes_away() {
    let operation =
        json!({ "operation": "archive_section", "path": PATH, "section_id": "use-a-queue" });
    let (sandbox, id) = disputed("archive_stale", &operation);
    assert!(command_of(&sandbox).contains(&format!("decided/{id}.rejected ")));
    sandbox.write(PATH, RECORD);
    assert!(command_of(&sandbox).ends_with(&format!("decided/{id}.applied")));
}

/// Tells which decision the command takes out: the one that the files do not hold.
fn taken_out(sandbox: &Sandbox, id: &str) -> &'static str {
    let command = command_of(sandbox);
    let words = ["applied", "rejected"];
    words.into_iter().find(|word| command.contains(&format!("{id}.{word}"))).unwrap()
}

#[test]
fn a_heading_of_another_file_is_not_the_disputed_one() {
    let operation = json!({
        "operation": "rename_heading", "path": MAIL, "section_id": "bounds", "new_heading": "Limits",
    });
    let (sandbox, id) = disputed("refresh_module", &operation);
    assert_eq!(taken_out(&sandbox, &id), "rejected");
    sandbox.write(MAIL, MAIL_TEXT);
    assert_eq!(
        taken_out(&sandbox, &id),
        "applied",
        "`Limits` of the shop has nothing to do with it"
    );
}

#[test]
fn a_line_of_another_file_or_section_is_not_the_disputed_one() {
    for line in ["- Ask first.", "- Run all of them."] {
        let operation = json!({
            "operation": "append_to_section", "path": MAIL, "section_id": "bounds", "content": line,
        });
        let (sandbox, id) = disputed("refresh_module", &operation);
        assert_eq!(taken_out(&sandbox, &id), "rejected", "{line}");
        sandbox.write(MAIL, MAIL_TEXT);
        assert_eq!(taken_out(&sandbox, &id), "applied", "{line}");
    }
}

#[test]
fn a_disputed_text_is_found_in_the_file_that_it_was_moved_to() {
    let mut operation = decision();
    operation["path"] = json!("decisions.md");
    operation["content"] = json!("- **Date:** 2026-11-01\n- **Status:** active\n\nMail is slow.");
    let (sandbox, id) = disputed("record_decision", &operation);
    assert!(sandbox.file("decisions.md").contains("Mail is slow."));
    assert_eq!(taken_out(&sandbox, &id), "rejected");
    sandbox.run(&["doctor", "--split", "--approver", "Ada"]).expect_code(0);
    assert!(sandbox.file("decisions/use-a-cache.md").contains("Mail is slow."));
    sandbox.commit("split");
    assert_eq!(taken_out(&sandbox, &id), "rejected");
}

#[test]
fn a_disputed_text_that_was_archived_since_is_for_a_person() {
    let (sandbox, id) = disputed("record_decision", &decision());
    let path = "decisions/use-a-cache.md";
    sandbox.write("archive/2026-11.md", sandbox.file(path));
    sandbox.git(&["rm", "--quiet", &format!(".agent-memory/{path}")]);
    sandbox.commit("archived");
    let repair = finding(&sandbox, "decision-disputed")["repair"]["by_hand"].clone();
    assert!(repair.as_str().unwrap().contains(&format!("{id}.rejected")), "{repair}");
}
