//! Two branches that refused the same proposal in other words come together.

use std::process::Command;

use crate::merging::{Chance, merge};
use crate::requests::{TELLING, convention};
use crate::support::Sandbox;

/// A repository in which each of two branches rejected the same proposal with a reason of its own; returns the
/// file that remembers it.
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
    (sandbox, format!("rejections/{id}.toml"))
}

fn reject(sandbox: &Sandbox, id: &str, reason: &str) {
    sandbox.run(&["reject", id, "--reason", reason, "--approver", "Ada"]).expect_code(0);
    sandbox.commit(reason);
}

/// Expects that the text is refused with both reasons, and that nothing is wrong with the store.
#[track_caller]
fn expect_refused(sandbox: &Sandbox, said: &str) {
    let answer = sandbox.propose(convention("Errors", TELLING)).rejected("previously_rejected");
    let expected = format!("a person rejected this on 2026-11-20: {said}");
    assert_eq!(answer["message"], expected.as_str());
}

fn expect_clean(sandbox: &Sandbox) {
    sandbox.run(&["check"]).expect_code(0);
    assert!(sandbox.run(&["doctor"]).expect_code(0).stdout.starts_with("healthy"));
    assert_eq!(sandbox.git(&["diff", "--name-only", "--diff-filter=U"]), "");
}

#[test]
fn the_driver_keeps_both_reasons() {
    let (sandbox, path) = rejected_twice(["too vague", "untrue"]);
    sandbox.run(&["install", "git"]).expect_code(0);
    assert!(merge(&sandbox, "other"), "{}", sandbox.file(&path));
    let log = sandbox.run(&["log", "--rejected", "--json"]).expect_code(0).json();
    assert_eq!(log["decisions"][0]["reason"], "untrue | too vague");
    expect_refused(&sandbox, "untrue | too vague");
    expect_clean(&sandbox);
}

#[test]
fn stock_git_leaves_a_store_that_refuses_and_says_what_to_do() {
    let (sandbox, path) = rejected_twice(["too vague", "untrue"]);
    assert!(!merge(&sandbox, "other"));
    expect_refused(&sandbox, "untrue | too vague");
    let found = sandbox.run(&["check"]).expect_code(1).stdout;
    assert_eq!(found.matches("[conflict-marker]").count(), 1, "{found}");
    assert!(!found.contains("[config]"), "{found}");
    let said = sandbox.run(&["status"]).expect_code(0);
    let told = format!("`{path}` holds a git conflict: `agent-memory resolve` keeps both refusals");
    assert!(said.stderr.contains(&told), "{}", said.stderr);
    let doctor = sandbox.run(&["doctor"]).expect_code(1).stdout;
    assert!(doctor.contains("error rejections: ") && doctor.contains("agent-memory resolve"));
}

#[test]
fn resolve_comes_to_the_same_as_the_driver() {
    let (sandbox, path) = rejected_twice(["too vague", "untrue"]);
    assert!(!merge(&sandbox, "other"));
    let reply = sandbox.run(&["resolve", &path]).expect_code(0);
    assert_eq!(reply.stdout, format!("resolved {path}\n"));
    expect_refused(&sandbox, "untrue | too vague");
    expect_clean(&sandbox);
    assert!(sandbox.run(&["log", "--verify"]).expect_code(0).stderr.is_empty());
}

#[test]
fn markers_that_were_committed_are_resolved_too() {
    let (sandbox, path) = rejected_twice(["too vague", "untrue"]);
    assert!(!merge(&sandbox, "other"));
    sandbox.commit("as it was");
    let reply = sandbox.run(&["resolve"]).expect_code(0);
    assert_eq!(reply.stdout, format!("resolved {path}\n"));
    // What git knows of no conflict in is left to the person to add.
    assert_eq!(sandbox.git(&["status", "--short"]), format!(" M .agent-memory/{path}\n"));
    expect_refused(&sandbox, "untrue | too vague");
    expect_clean(&sandbox);
}

#[test]
fn what_one_side_lifted_and_the_other_changed_stays_refused() {
    let (sandbox, path) = rejected_twice(["too vague", "untrue"]);
    sandbox.run(&["install", "git"]).expect_code(0);
    sandbox.git(&["branch", "third"]);
    assert!(merge(&sandbox, "other"));
    sandbox.git(&["checkout", "--quiet", "third"]);
    sandbox.git(&["rm", "--quiet", &format!(".agent-memory/{path}")]);
    sandbox.commit("lifted");
    assert!(!merge(&sandbox, "main"));
    let reply = sandbox.run(&["resolve"]).expect_code(0);
    assert!(reply.stderr.contains("the text stays refused"), "{}", reply.stderr);
    expect_refused(&sandbox, "untrue | too vague");
    expect_clean(&sandbox);
}

/// A file that remembers a rejection on some day, for some reasons, of some operations.
fn file(chance: &mut Chance) -> String {
    let mut some = |all: &[&str]| -> Vec<String> {
        let first = chance.below(all.len());
        let mut taken = vec![all[first].to_owned()];
        taken.extend(all[first + 1..].iter().filter(|_| chance.below(2) == 0).map(|&s| s.into()));
        taken
    };
    let day = some(&["20", "21", "22"]).remove(0);
    let reasons = some(&["it is \"untrue\"", "too vague", "we do it\notherwise"]).join(" | ");
    let prints = some(&["aa", "bb", "cc"]);
    let reason = serde_json::to_string(&reasons).unwrap();
    format!("id = \"x\"\ndate = \"2026-11-{day}\"\nreason = {reason}\nfingerprints = {prints:?}\n")
}

#[test]
fn a_hundred_histories_merge_the_same_from_either_side() {
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..100 {
        let began = if chance.below(2) == 0 { String::new() } else { file(&mut chance) };
        let texts = [began, file(&mut chance), file(&mut chance)];
        let merged = [[0, 1, 2], [0, 2, 1]].map(|order| {
            let paths = ["base", "ours", "theirs"].map(|name| folder.path().join(name));
            for (path, side) in paths.iter().zip(order) {
                std::fs::write(path, &texts[side]).unwrap();
            }
            let mut driver = Command::new(env!("CARGO_BIN_EXE_agent-memory"));
            let driver = driver.arg("merge-driver").args(&paths);
            assert!(driver.args(["rejections/x.toml", "7"]).status().unwrap().success());
            std::fs::read_to_string(&paths[1]).unwrap()
        });
        assert_eq!(merged[0], merged[1], "{texts:#?}");
        let [base, ours, theirs] = texts.each_ref().map(String::as_str);
        let print = |name: &str, text: &str| text.contains(name);
        for name in ["\"aa\"", "\"bb\"", "\"cc\""] {
            let is_lifted = print(name, base) && !(print(name, ours) && print(name, theirs));
            let is_refused = (print(name, ours) || print(name, theirs)) && !is_lifted;
            assert_eq!(
                print(name, &merged[0]),
                is_refused,
                "{name} of {texts:#?} in {}",
                merged[0]
            );
        }
    }
}

#[test]
fn an_older_store_learns_to_merge_its_rejections() {
    let sandbox = Sandbox::new();
    let now = sandbox.file(".gitattributes");
    let line = "rejections/*.toml text eol=lf";
    assert!(now.contains(&format!("{line} merge=agent-memory\n")), "{now}");
    sandbox.write(".gitattributes", now.replace(&format!("{line} merge=agent-memory"), line));
    let said = sandbox.run(&["install", "git"]).expect_code(0).stdout;
    assert!(said.contains("diff and merge in .gitattributes"), "{said}");
    assert_eq!(sandbox.file(".gitattributes"), now);
    assert_eq!(sandbox.run(&["install", "git"]).expect_code(0).stdout, "nothing to do\n");
}
