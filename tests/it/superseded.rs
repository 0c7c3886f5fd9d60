//! A proposal stays superseded when the one that replaces it was applied.

use serde_json::{Value, json};

use crate::requests::{new_body, with_conventions};
use crate::support::{Answer, Sandbox};
use crate::tracked::{clones, tracking};

/// A line more for a section, or something else, in the name of an agent.
fn of_agent(mut request: Value) -> Value {
    request["owner"] = "claude".into();
    request
}

fn bullet(section: &str, text: &str) -> Value {
    json!({ "operation": "append_to_section", "section_id": section, "content": text })
}

fn of_operations(operations: &[Value]) -> Value {
    let sources = json!([{ "type": "user", "ref": "ada" }]);
    json!({ "intent": "update_conventions", "sources": sources, "operations": operations })
}

/// An addition, and the later text of the same agent that is meant instead.
fn superseded() -> (Sandbox, String, String) {
    let sandbox = with_conventions();
    let old = of_agent(of_operations(&[bullet("errors", "They may name a path.")]));
    let old = sandbox.propose(old).staged();
    let new = sandbox.propose(of_agent(new_body("errors", "They never name a path."))).staged();
    (sandbox, old, new)
}

fn successor(sandbox: &Sandbox, id: &str) -> Value {
    sandbox.run(&["show", id, "--json"]).expect_code(0).json()["superseded_by"].clone()
}

fn apply_all(sandbox: &Sandbox) -> Value {
    sandbox.run(&["apply", "--all", "--approver", "Ada", "--json"]).expect_code(0).json()
}

#[test]
fn an_addition_is_left_out_after_what_replaces_it_was_applied() {
    let (sandbox, old, new) = superseded();
    sandbox.apply(&new).applied();
    let before = sandbox.file("conventions.md");
    let answer = apply_all(&sandbox);
    assert_eq!(answer["results"], json!([]));
    assert_eq!(answer["left"], json!([{ "id": old, "superseded_by": new }]));
    assert_eq!(sandbox.file("conventions.md"), before);
    for command in [&["status", "-q"][..], &["show", &old], &["review", &old]] {
        let text = sandbox.run(command).expect_code(0).stdout;
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(&format!("superseded by {new}")), "{command:?}: {text}");
    }
    let answer: Answer = sandbox.apply(&old).applied();
    let warning = format!("it was superseded by `{new}`, which was applied");
    assert!(answer["warnings"].to_string().contains(&warning), "{:?}", answer["warnings"]);
}

#[test]
fn what_was_rejected_or_undone_supersedes_no_more() {
    let (sandbox, old, new) = superseded();
    sandbox.apply(&new).applied();
    sandbox.run(&["undo", &new, "--approver", "Ada"]).expect_code(0);
    assert_eq!(successor(&sandbox, &old), Value::Null);
    let (sandbox, old, new) = superseded();
    sandbox.run(&["reject", &new, "--reason", "no", "--approver", "Ada"]).expect_code(0);
    assert_eq!(successor(&sandbox, &old), Value::Null);
}

#[test]
fn only_the_operations_that_were_applied_count() {
    let (sandbox, old, new) = superseded();
    let other = of_agent(of_operations(&[bullet("names", "They may be long.")]));
    let other = sandbox.propose(other).staged();
    let operation = |section: &str| {
        let text = "Other words.";
        json!({ "operation": "replace_section_content", "section_id": section, "content": text })
    };
    let both = of_agent(of_operations(&[operation("errors"), operation("names")]));
    let both = sandbox.propose(both).staged();
    sandbox.run(&["reject", &new, "--reason", "no", "--approver", "Ada"]).expect_code(0);
    let only = ["apply", &both, "--only", "2", "--approver", "Ada"];
    sandbox.run(&only).expect_code(0);
    assert_eq!(successor(&sandbox, &old), Value::Null);
    assert_eq!(successor(&sandbox, &other), json!(both));
}

#[test]
fn what_came_after_the_applied_one_is_a_new_wish() {
    let (sandbox, _, new) = superseded();
    sandbox.apply(&new).applied();
    let later = of_agent(of_operations(&[bullet("errors", "They name a line.")]));
    let later = sandbox.propose(later).staged();
    assert_eq!(successor(&sandbox, &later), Value::Null);
}

#[test]
fn what_another_clone_applied_supersedes_here_too() {
    let sandbox = tracking();
    let [a, b] = clones(&sandbox);
    let old = of_agent(of_operations(&[bullet("errors", "They may name a path.")]));
    let old = a.propose(old);
    let new = a.propose(of_agent(new_body("errors", "They never name a path.")));
    a.commit("two proposals");
    b.git(&["pull", "--quiet"]);
    b.decide("applied", &new);
    b.commit("applied");
    a.git(&["pull", "--quiet", "../b", "main"]);
    for clone in [a, b] {
        let pending = clone.status()["pending"].clone();
        assert_eq!((&pending[0]["id"], &pending[0]["superseded_by"]), (&json!(old), &json!(new)));
    }
}

#[test]
fn what_was_applied_in_another_worktree_supersedes_here_too() {
    let (sandbox, old, new) = superseded();
    sandbox.commit("the store");
    sandbox.git(&["worktree", "add", "--quiet", "-b", "topic", "../topic"]);
    let apply = ["apply", &new, "--from-worktree", "main", "--approver", "Ada"];
    sandbox.call(&apply).within("../topic").run().expect_code(0);
    assert_eq!(successor(&sandbox, &old), json!(new));
}

/// Any branch that is merged can bring a decided proposal with a date of its choice.
#[test]
fn what_says_that_it_was_made_in_the_future_supersedes_nothing() {
    let (sandbox, old, new) = superseded();
    let mut made: Value =
        serde_json::from_str(&sandbox.file(&format!("staging/{new}/proposal.json"))).unwrap();
    sandbox.run(&["reject", &new, "--reason", "no", "--approver", "Ada"]).expect_code(0);
    let at = made["submitted_at"].as_str().unwrap().replace("2026", "2099");
    made["submitted_at"] = at.into();
    sandbox.write("decided/20991120-000000-errors-ffff.applied", "");
    sandbox.write("decided/20991120-000000-errors-ffff.json", made.to_string());
    assert_eq!(successor(&sandbox, &old), Value::Null);
}
