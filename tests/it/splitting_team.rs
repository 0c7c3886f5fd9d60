//! `doctor --split` in a team: other clones, branches that are open, proposals that are pending.

use std::fs;

use serde_json::{Value, json};

use crate::records::{decision, with_entries_together};
use crate::support::{Reply, Sandbox};

fn split(sandbox: &Sandbox, more: &[&str]) -> Reply {
    sandbox.run(&[&["doctor", "--split", "--approver", "Ada"], more].concat())
}

fn entry(heading: &str, text: &str) -> String {
    let id = heading.to_lowercase().replace(' ', "-");
    format!(
        "\n## {heading}\n<!-- @id: {id} -->\n<!-- @source: user ada - confirmed 2026-10-20 -->\n\n- **Date:** 2026-10-01\n- **Status:** active\n\n{text}\n"
    )
}

/// A repository in whose last commit two decisions stand together.
fn committed() -> Sandbox {
    let sandbox = with_entries_together();
    let (one, other) = (entry("Use Postgres", "All tables."), entry("Use Redis", "For a day."));
    sandbox.write("decisions.md", format!("# Decisions\n{one}{other}"));
    sandbox.commit("old");
    sandbox
}

fn blamed(sandbox: &Sandbox, section: &str) -> Value {
    let answer = sandbox.run(&["blame", section, "--json"]).expect_code(0).json();
    answer["sections"][0].clone()
}

/// A decision of a proposal, one by hand that links to it, both committed; then what another clone knows.
fn split_elsewhere() -> (Sandbox, String) {
    let sandbox = with_entries_together();
    sandbox.commit("a store");
    let id = sandbox.propose(decision("Use Kafka", "Kafka carries the events.")).staged();
    sandbox.run(&["apply", &id, "--commit", "--approver", "Ada"]).expect_code(0);
    sandbox.append("decisions.md", &entry("By hand", "After [Kafka](#use-kafka)."));
    sandbox.commit("by hand");
    split(&sandbox, &[]).expect_code(0);
    sandbox.commit("split");
    fs::remove_dir_all(sandbox.store().join("state")).unwrap();
    (sandbox, id)
}

#[test]
fn blame_in_another_clone_follows_a_section_to_what_it_was_before_the_split() {
    let (sandbox, id) = split_elsewhere();
    let kafka = blamed(&sandbox, "decisions/use-kafka.md");
    assert_eq!((&kafka["written"], &kafka["committed"]), (&json!("elsewhere"), &json!(true)));
    assert_eq!(kafka["claim"]["proposal_id"], json!(id), "{kafka}");
    assert_eq!(kafka["claim"]["approver"], "Ada");
    assert_ne!(kafka["commit"]["subject"], "split");
    let by_hand = blamed(&sandbox, "decisions/by-hand.md");
    assert_eq!(by_hand["written"], "by_hand");
    assert_eq!(by_hand["commit"]["subject"], "by hand", "{by_hand}");
}

#[test]
fn blame_follows_no_section_that_the_commit_of_the_split_changed_too() {
    let (sandbox, _) = split_elsewhere();
    let path = "decisions/use-kafka.md";
    let text = sandbox.file(path).replace("carries", "never carries");
    sandbox.write(path, text);
    let said = blamed(&sandbox, path);
    assert_eq!((&said["committed"], &said["claim"]), (&json!(false), &Value::Null), "{said}");
    sandbox.git(&["commit", "--quiet", "--all", "--amend", "--no-edit"]);
    let said = blamed(&sandbox, path);
    assert_eq!((&said["written"], &said["claim"]), (&json!("by_hand"), &Value::Null), "{said}");
    assert_eq!(said["commit"]["subject"], "split");
}

#[test]
fn a_split_names_the_branches_that_still_change_the_file() {
    let sandbox = committed();
    sandbox.git(&["branch", "idle"]);
    sandbox.git(&["checkout", "--quiet", "-b", "work"]);
    sandbox.append("decisions.md", &entry("Use Kafka", "For events."));
    sandbox.commit("work");
    sandbox.git(&["update-ref", "refs/remotes/origin/work", "HEAD"]);
    sandbox.git(&["checkout", "--quiet", "main"]);
    let before = sandbox.tree();
    let said = split(&sandbox, &[]).expect_code(2).stderr;
    assert!(said.contains("not merged here change `decisions.md`"), "{said}");
    assert!(said.contains("`work`") && said.contains("`origin/work`"), "{said}");
    assert!(!said.contains("idle"), "{said}");
    assert!(sandbox.tree() == before, "nothing was moved");
    split(&sandbox, &["--yes"]).expect_code(0);
    assert!(sandbox.has("decisions/use-postgres.md"));
}

#[test]
fn what_a_branch_of_before_added_follows_the_split_after_the_merge() {
    let sandbox = committed();
    let shared = sandbox.file("decisions.md").replace("For a day.", "For two days.");
    split(&sandbox, &[]).expect_code(0);
    sandbox.commit("split");
    // As a person resolves the merge with a branch of before, which changed an entry and recorded another one.
    sandbox.write("decisions.md", shared + &entry("Use Kafka", "For events."));
    sandbox.commit("merged");
    let said = split(&sandbox, &[]).expect_code(1).stderr;
    assert!(said.contains("`decisions/use-redis.md` exists with another text"), "{said}");
    assert!(said.contains("write what is new in `decisions.md` into"), "{said}");
    let shared = sandbox.file("decisions.md");
    sandbox.write("decisions.md", shared.replace(&entry("Use Redis", "For two days."), ""));
    let redis = "decisions/use-redis.md";
    sandbox.write(redis, sandbox.file(redis).replace("For a day.", "For two days."));
    let done = split(&sandbox, &["--json"]).expect_code(0).json();
    let moved = json!([{ "from": "decisions.md", "to": "decisions/use-kafka.md" }]);
    assert_eq!(done["moved"], moved, "{done}");
    assert_eq!(sandbox.file("decisions.md").trim_end(), "# Decisions");
    sandbox.run(&["check"]).expect_code(0);
}

/// Proposes a change of a decision; `action` is the operation without the section.
fn pending(sandbox: &Sandbox, mut action: Value) -> String {
    action["section_id"] = json!("use-redis");
    let sources = json!([{ "type": "user", "ref": "ada" }]);
    let request =
        json!({ "intent": "record_decision", "sources": sources, "operations": [action] });
    sandbox.propose(request).staged()
}

#[test]
fn an_addition_that_was_pending_is_applied_to_the_file_of_the_entry() {
    let sandbox = committed();
    let addition = json!({ "operation": "append_to_section", "content": "And the queue." });
    let id = pending(&sandbox, addition);
    split(&sandbox, &[]).expect_code(0);
    let check = sandbox.run(&["check", "--json"]).expect_code(0).json();
    assert_eq!(check["pending"][0]["can_apply"], true, "{check}");
    sandbox.apply(&id).applied();
    let text = sandbox.file("decisions/use-redis.md");
    assert!(text.contains("For a day.") && text.contains("And the queue."), "{text}");
    assert_eq!(sandbox.file("decisions.md").trim_end(), "# Decisions");
}

#[test]
fn another_change_that_was_pending_is_merged_by_rebase() {
    let sandbox = committed();
    let fields = "- **Date:** 2026-10-01\n- **Status:** active";
    let change = json!({
        "operation": "replace_section",
        "content": format!("## Use Redis\n\n{fields}\n\nFor a week."),
    });
    let id = pending(&sandbox, change);
    split(&sandbox, &[]).expect_code(0);
    let path = "decisions/use-redis.md";
    sandbox.apply(&id).rejected("target_drift");
    let json = sandbox.run(&["rebase", &id, "--json"]).expect_code(0).json();
    let digest = json["proposal"]["digest"].as_str().unwrap();
    let words = ["rebase", &id, "--digest", digest, "--approver", "Ada", "--json"];
    sandbox.run(&words).answer().applied();
    let text = sandbox.file(path);
    assert!(text.starts_with("# Use Redis\n") && text.contains("For a week."), "{text}");
    assert!(!text.contains("For a day."), "{text}");
    assert_eq!(sandbox.file("decisions.md").trim_end(), "# Decisions");
}
