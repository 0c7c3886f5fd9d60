//! Two branches that refused the same proposal come together: with stock git, which is all that a forge has.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::requests::{TELLING, convention};
use crate::support::Sandbox;

/// A repository in which each of two branches rejected the same proposal, and which stock git then merged.
fn rejected_twice(reasons: [&str; 2]) -> (Sandbox, String) {
    let mut sandbox = Sandbox::new();
    let config = sandbox.file("config.toml").replace("track = false", "track = true");
    sandbox.write("config.toml", config);
    sandbox.run(&["doctor", "--fix"]).expect_code(0);
    let id = sandbox.propose(convention("Errors", TELLING)).staged();
    sandbox.commit("it waits");
    sandbox.git(&["checkout", "--quiet", "-b", "other"]);
    reject(&sandbox, &id, reasons[1]);
    sandbox.git(&["checkout", "--quiet", "main"]);
    sandbox.advance_days(1);
    reject(&sandbox, &id, reasons[0]);
    sandbox.git(&["merge", "--quiet", "--no-edit", "other"]);
    (sandbox, id)
}

fn reject(sandbox: &Sandbox, id: &str, reason: &str) {
    sandbox.run(&["reject", id, "--reason", reason, "--approver", "Ada"]).expect_code(0);
    sandbox.commit(reason);
}

fn names(sandbox: &Sandbox) -> BTreeSet<String> {
    sandbox.tree().into_keys().filter(|path| path.starts_with("rejections/")).collect()
}

#[test]
fn both_refusals_stay_and_both_reasons_are_told() {
    let (sandbox, id) = rejected_twice(["too vague", "untrue"]);
    let names = names(&sandbox);
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(names.iter().all(|name| name.starts_with(&format!("rejections/{id}."))), "{names:?}");
    let answer = sandbox.propose(convention("Errors", TELLING)).rejected("previously_rejected");
    let told = "a person rejected this on 2026-11-20: untrue; on 2026-11-21: too vague";
    assert_eq!(answer["message"], told);
    let log = sandbox.run(&["log", "--rejected", "--json"]).expect_code(0).json();
    let said = |entry: &Value| (entry["reason"].clone(), entry["holds"].clone());
    let rows: Vec<_> = log["decisions"].as_array().unwrap().iter().map(said).collect();
    assert_eq!(rows, [(json!("too vague"), json!(true)), (json!("untrue"), json!(true))]);
    sandbox.run(&["check"]).expect_code(0);
    assert!(sandbox.run(&["doctor"]).expect_code(0).stdout.starts_with("healthy"));
}

#[test]
fn who_restores_it_lifts_both() {
    let (sandbox, id) = rejected_twice(["too vague", "untrue"]);
    sandbox.run(&["restore", &id, "--approver", "Ada"]).expect_code(0);
    assert_eq!(names(&sandbox), BTreeSet::new());
    sandbox.apply(&id).applied();
}

#[test]
fn what_was_left_out_on_each_branch_stays_refused() {
    let sandbox = Sandbox::new();
    let config = sandbox.file("config.toml").replace("track = false", "track = true");
    sandbox.write("config.toml", config);
    sandbox.run(&["doctor", "--fix"]).expect_code(0);
    let texts = [TELLING, "A second text that is long enough to be known again."];
    let mut request = convention("Errors", texts[0]);
    let second = convention("Paths", texts[1])["operations"][0].clone();
    request["operations"].as_array_mut().unwrap().push(second);
    let id = sandbox.propose(request).staged();
    sandbox.commit("it waits");
    sandbox.git(&["checkout", "--quiet", "-b", "other"]);
    reject(&sandbox, &id, "no");
    sandbox.git(&["checkout", "--quiet", "main"]);
    let first = ["apply", &id, "--only", "1", "--reason", "enough", "--approver", "Ada"];
    sandbox.run(&first).expect_code(0);
    sandbox.commit("a part");
    sandbox.git(&["merge", "--quiet", "--no-edit", "other"]);
    let answer = sandbox.propose(convention("Paths", texts[1])).rejected("previously_rejected");
    let told = "a person rejected this on 2026-11-20: enough; on 2026-11-20: no";
    assert_eq!(answer["message"], told);
}

#[test]
fn markers_in_a_rejection_are_named() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", TELLING)).staged();
    reject(&sandbox, &id, "untrue");
    let path = format!("rejections/{id}.toml");
    let text = sandbox.file(&path);
    sandbox.write(&path, format!("<<<<<<< HEAD\n{text}=======\n{text}>>>>>>> other\n"));
    let found = sandbox.run(&["check"]).expect_code(1).stdout;
    assert_eq!(found.matches("[conflict-marker]").count(), 1, "{found}");
    assert!(!found.contains("[config]"), "{found}");
    let doctor = sandbox.run(&["doctor"]).expect_code(1).stdout;
    assert!(doctor.contains("error rejections: "), "{doctor}");
    // A merge that nobody has finished must not let the text in.
    sandbox.propose(convention("Errors", TELLING)).rejected("previously_rejected");
}
