//! Who decided what, in a clone that did not decide it: what the files of `decided/` say, and what they prove.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::requests::{convention, new_body};
use crate::support::Sandbox;
use crate::tracked::{Clone, clones, tracking};

/// A proposal that is pending in both clones.
fn pending_in_both(sandbox: &Sandbox, mut request: Value) -> String {
    let [a, b] = clones(sandbox);
    request["owner"] = json!("claude");
    let id = a.propose(request);
    a.commit("a proposal");
    b.git(&["pull", "--quiet"]);
    id
}

/// A convention that the other clone applied, and that this one pulled.
fn applied_elsewhere() -> (Sandbox, String) {
    let sandbox = tracking();
    let [a, b] = clones(&sandbox);
    let id = pending_in_both(&sandbox, convention("Paths", "Use forward slashes."));
    b.decide("applied", &id);
    b.commit("applied");
    a.git(&["pull", "--quiet", "../b", "main"]);
    (sandbox, id)
}

fn log(clone: &Clone<'_>, arguments: &[&str]) -> Vec<Value> {
    let all = [&["log", "--json"], arguments].concat();
    clone.run(&all).expect_code(0).json()["decisions"].as_array().unwrap().clone()
}

/// Returns the lines that are claims.
fn claims(clone: &Clone<'_>) -> Vec<Value> {
    let mut lines = log(clone, &[]);
    lines.retain(|line| line["claimed"] == true);
    lines
}

/// Returns the files of claims, relative to the store.
fn files(clone: &Clone<'_>) -> Vec<String> {
    let names = std::fs::read_dir(clone.store().join("decided")).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.split('.').count() == 3).collect();
    names.sort();
    names.into_iter().map(|name| format!("decided/{name}")).collect()
}

fn blamed(clone: &Clone<'_>, section: &str) -> Value {
    clone.run(&["blame", section, "--json"]).expect_code(0).json()["sections"][0].clone()
}

/// Writes a claim whose name fits its bytes.
fn forge(clone: &Clone<'_>, id: &str, text: &str) -> String {
    let hash: String = Sha256::digest(text).iter().take(8).map(|it| format!("{it:02x}")).collect();
    let path = format!("decided/{id}.{hash}.json");
    clone.write(&path, text.to_owned());
    path
}

#[test]
fn what_one_clone_applied_is_claimed_in_the_log_of_another() {
    let (sandbox, id) = applied_elsewhere();
    let [a, b] = clones(&sandbox);
    let said = &claims(&a)[0];
    let logged = &log(&b, &[])[0];
    assert_eq!(logged.get("claimed"), None);
    for name in ["id", "decision", "time", "approver", "owner", "request", "sections"] {
        assert!(!said[name].is_null(), "{name}: {said}");
        assert_eq!(said[name], logged[name], "{name}");
    }
    assert_eq!(said["digest"].as_str().unwrap().len(), 64);
    let text = a.run(&["log"]).expect_code(0).stdout;
    assert!(text.contains(&format!("applied  {id}\n  by Ben, from claude, conventions.md#paths")));
    assert!(text.contains("`decided/` says so, with the digest "), "{text}");
    // This machine signed nothing of it.
    assert_eq!(log(&a, &["--limit", "1"]).len(), 1);
    assert!(a.run(&["log", "--verify"]).expect_code(0).stdout.starts_with("1 decision,"));
    let patch = a.run(&["log", "-p"]).expect_code(0).stdout;
    assert!(patch.contains("another clone applied it"), "{patch}");
}

#[test]
fn each_filter_of_the_log_finds_a_claim() {
    let (sandbox, id) = applied_elsewhere();
    let [a, _] = clones(&sandbox);
    let wanted = [
        ["--section", "conventions.md#paths"],
        ["--file", ".agent-memory/conventions.md"],
        ["--owner", "claude"],
        ["--since", "2026-01-01"],
    ];
    for arguments in wanted {
        let found = log(&a, &arguments);
        assert!(found.iter().any(|line| line["claimed"] == true), "{arguments:?}: {found:?}");
        assert!(found.iter().all(|line| line["id"] == id), "{arguments:?}");
    }
    assert_eq!(log(&a, &["--section", "errors"]), Vec::<Value>::new());
}

#[test]
fn the_clone_that_decided_tells_it_once_and_by_its_own_log() {
    let (sandbox, id) = applied_elsewhere();
    let [_, b] = clones(&sandbox);
    assert_eq!((files(&b).len(), claims(&b)), (1, Vec::new()));
    let said = blamed(&b, "conventions.md#paths");
    assert_eq!((&said["written"], &said["proposal_id"]), (&json!("by_proposal"), &json!(id)));
    assert_eq!((said.get("decided"), said.get("decision_claim")), (None, None));
}

#[test]
fn blame_names_who_approved_it_elsewhere_while_the_text_is_the_approved_one() {
    let (sandbox, id) = applied_elsewhere();
    let [a, _] = clones(&sandbox);
    let said = blamed(&a, "conventions.md#paths");
    assert_eq!((&said["written"], &said["decided"]), (&json!("elsewhere"), &json!(id)));
    let claim = &said["decision_claim"];
    assert_eq!((&claim["approver"], &claim["owner"]), (&json!("Ben"), &json!("claude")));
    assert_eq!(claim["time"], "2026-11-20T10:00:00Z");
    let text = a.run(&["blame", "conventions.md#paths"]).expect_code(0).stdout;
    assert!(text.contains("`decided/` says: approved by Ben, "), "{text}");
    a.write("conventions.md", a.file("conventions.md").replace("forward slashes", "backslashes"));
    assert_eq!(blamed(&a, "conventions.md#paths").get("decision_claim"), None);
    assert_eq!(blamed(&a, "conventions.md#errors").get("decision_claim"), None);
}

#[test]
fn what_one_clone_rejected_is_claimed_with_the_reason() {
    let sandbox = tracking();
    let [a, b] = clones(&sandbox);
    let id = pending_in_both(&sandbox, convention("Paths", "Use forward slashes."));
    b.decide("rejected", &id);
    b.commit("rejected");
    a.git(&["pull", "--quiet", "../b", "main"]);
    for lines in [claims(&a), log(&a, &["--rejected"])] {
        let [line] = &lines[..] else { panic!("{lines:?}") };
        assert_eq!((&line["id"], &line["decision"]), (&json!(id), &json!("rejected")));
        assert_eq!((&line["approver"], &line["reason"]), (&json!("Ben"), &json!("no")));
    }
    assert_eq!(log(&a, &["--rejected"])[0]["holds"], true);
    // The reason is in `rejections/` alone.
    assert!(!a.file(&files(&a)[0]).contains("\"no\""));
}

#[test]
fn rejections_of_two_branches_hold_both() {
    let sandbox = tracking();
    let each = clones(&sandbox);
    let id = pending_in_both(&sandbox, convention("Paths", "Use forward slashes."));
    for clone in &each {
        clone.decide("rejected", &id);
        clone.commit("rejected");
    }
    let [a, _] = each;
    a.git(&["pull", "--quiet", "--no-rebase", "--no-edit", "../b", "main"]);
    let lines = log(&a, &["--rejected"]);
    assert_eq!(lines.iter().filter(|line| line["claimed"] == true).count(), 1);
    for (line, who) in lines.iter().zip(["Ben", "Ada"]) {
        let said = (&line["approver"], &line["reason"], &line["holds"]);
        assert_eq!(said, (&json!(who), &json!("no"), &json!(true)), "{lines:?}");
    }
    assert_eq!(lines.len(), 2);
}

#[test]
fn a_part_is_claimed_with_its_operations() {
    let sandbox = tracking();
    let [a, b] = clones(&sandbox);
    let mut request = convention("Paths", "Use forward slashes.");
    let mut other = request["operations"][0].clone();
    (other["heading"], other["content"]) =
        (json!("Links"), json!("Use links that lead somewhere."));
    request["operations"].as_array_mut().unwrap().push(other);
    let id = pending_in_both(&sandbox, request);
    let part = ["apply", &id, "--only", "2", "--reason", "no", "--approver", "Ben"];
    b.run(&part).expect_code(0);
    b.commit("a part");
    a.git(&["pull", "--quiet", "../b", "main"]);
    let lines = claims(&a);
    let [line] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!((&line["operations"], &line["approver"]), (&json!([1]), &json!("Ben")));
    assert!(a.file(&files(&a)[0]).contains("\"operations\": [\n    2\n  ]"));
    assert!(a.run(&["log"]).expect_code(0).stdout.contains("  in part\n"));
    let rejected = log(&a, &["--rejected"]);
    let [line] = &rejected[..] else { panic!("{rejected:?}") };
    assert_eq!((&line["claimed"], &line["reason"]), (&json!(true), &json!("no")));
    assert_eq!(blamed(&a, "conventions.md#links")["decision_claim"]["approver"], "Ben");
    b.run(&["undo", &id, "--approver", "Ben"]).expect_code(0);
    b.commit("taken back");
    a.git(&["pull", "--quiet", "../b", "main"]);
    assert_eq!(claims(&a)[0]["taken_back"], true);
}

#[test]
fn what_is_taken_back_is_told_as_such_and_blamed_on_nobody() {
    let (sandbox, id) = applied_elsewhere();
    let [a, b] = clones(&sandbox);
    b.run(&["undo", &id, "--approver", "Ada"]).expect_code(0);
    b.commit("taken back");
    a.git(&["pull", "--quiet", "../b", "main"]);
    assert_eq!((files(&a).len(), &claims(&a)[0]["taken_back"]), (1, &json!(true)));
    assert!(a.run(&["log"]).expect_code(0).stdout.contains("taken back since"));
    // A person writes the same text again.
    let text = a.git(&["show", "HEAD~:.agent-memory/conventions.md"]);
    a.write("conventions.md", text);
    let said = blamed(&a, "conventions.md#paths");
    assert_eq!((said.get("decided"), said.get("decision_claim")), (None, None));
}

/// Each of two branches decides a proposal in a way and a name of its own, and decides something new.
#[test]
fn branches_that_decide_alike_or_otherwise_merge_and_tell_both() {
    type Deed = fn(&Clone<'_>, &str, &str);
    let applied: Deed = |clone, id, who| {
        clone.run(&["apply", id, "--approver", who]).expect_code(0);
    };
    let rejected: Deed = |clone, id, who| {
        clone.run(&["reject", id, "--reason", who, "--approver", who]).expect_code(0);
    };
    let restored: Deed = |clone, id, who| {
        clone.run(&["reject", id, "--reason", "no", "--approver", who]).expect_code(0);
        clone.commit("rejected");
        clone.run(&["restore", id, "--approver", who]).expect_code(0);
    };
    let deeds = [applied, rejected, restored];
    for (one, other) in [(0, 0), (1, 1), (0, 1), (2, 2)].map(|(a, b)| (deeds[a], deeds[b])) {
        let sandbox = tracking();
        let id = pending_in_both(&sandbox, new_body("errors", "They name a path and a line."));
        let each = clones(&sandbox);
        for ((clone, deed), who) in each.iter().zip([one, other]).zip(["Ada", "Ben"]) {
            deed(clone, &id, who);
            let new = clone.propose(convention(&format!("Of {who}"), "It is long and plain."));
            clone.commit("decided, and a new one");
            rejected(clone, &new, who);
            clone.commit("decided the new one");
        }
        let [a, b] = each;
        a.git(&["branch", "side"]);
        b.git(&["fetch", "--quiet", "origin", "side"]);
        b.git(&["merge", "--quiet", "--no-edit", "FETCH_HEAD"]);
        let said = claims(&b);
        let about = |id: &str| said.iter().filter(|line| line["id"] == id).count();
        assert_eq!((about(&id), said.len()), (1, 2), "{said:?}");
        assert!(said.iter().all(|line| line["approver"] == "Ada"), "{said:?}");
        assert_eq!(files(&b).len(), 4);
        let check = ["check", "--allow", "decision-disputed", "--json"];
        assert_eq!(b.run(&check).expect_code(0).json()["findings"], json!([]));
    }
}

#[test]
fn a_commit_of_what_was_applied_takes_the_claim_along() {
    let sandbox = tracking();
    let [_, b] = clones(&sandbox);
    let id = pending_in_both(&sandbox, convention("Paths", "Use forward slashes."));
    b.run(&["apply", &id, "--commit", "--approver", "Ada"]).expect_code(0);
    assert_eq!((b.git(&["status", "--short"]).as_str(), files(&b).len()), ("", 1));
}

#[test]
fn a_queue_that_is_not_in_git_claims_nothing() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Paths", "Use forward slashes.")).staged();
    sandbox.apply(&id).applied();
    assert!(!sandbox.has("decided"));
}

#[test]
fn an_edited_claim_is_reported_and_not_told() {
    let (sandbox, _) = applied_elsewhere();
    let [a, _] = clones(&sandbox);
    let path = files(&a).remove(0);
    a.write(&path, a.file(&path).replace("Ben", "Eve"));
    assert_eq!(claims(&a), Vec::<Value>::new());
    assert_eq!(blamed(&a, "conventions.md#paths").get("decision_claim"), None);
    let found = a.run(&["check", "--json"]).expect_code(1).json()["findings"].clone();
    assert_eq!(found[0]["rule"], "file-unreadable", "{found}");
    let said = found[0]["message"].as_str().unwrap();
    assert!(said.contains("is not told: its bytes do not fit its name"), "{said}");
    assert!(a.run(&["doctor"]).stdout.contains("do not fit its name"));
    a.git(&["add", "--all"]);
    assert!(a.run(&["check", "--staged"]).expect_code(1).stdout.contains("do not fit its name"));
}

#[test]
fn a_claim_of_a_rejection_approves_nothing() {
    let (sandbox, id) = applied_elsewhere();
    let [a, _] = clones(&sandbox);
    let path = files(&a).remove(0);
    let rejected = a.file(&path).replace("\"applied\"", "\"rejected\"");
    std::fs::remove_file(a.store().join(&path)).unwrap();
    forge(&a, &id, &rejected);
    a.write(&format!("decided/{id}.rejected"), String::new());
    assert_eq!(blamed(&a, "conventions.md#paths").get("decision_claim"), None);
}

#[test]
fn nothing_in_a_hostile_claim_is_told_or_stops_the_others() {
    let (sandbox, id) = applied_elsewhere();
    let [a, _] = clones(&sandbox);
    let path = files(&a).remove(0);
    let good = a.file(&path);
    let long = "x".repeat(10_000);
    let escape = "A\\u001b[2J\\u202eda";
    let texts = [
        "not JSON".to_owned(),
        "[".repeat(100_000),
        good.replace("paths", "other-paths"),
        good.replace("Ben", &long),
        good.replace("Ben", escape),
        good.replace("2026-11-20T", "+99999-11-20T"),
        format!("{good}{}", " ".repeat(1 << 20)),
    ];
    let mut paths: Vec<String> = texts.iter().map(|text| forge(&a, &id, text)).collect();
    paths.push(forge(&a, "20261120-100000-other-abcd", &good));
    let check = a.run(&["check", "--json"]).expect_code(1).stdout;
    for path in &paths {
        assert!(check.contains(path), "{path}: {check}");
    }
    assert!(check.len() < 40_000 && !check.contains('\u{202e}') && !check.contains('\u{1b}'));
    assert_eq!(claims(&a).len(), 1);
    assert_eq!(blamed(&a, "conventions.md#paths")["decision_claim"]["approver"], "Ben");
    let text = a.run(&["log"]).expect_code(0).stdout;
    assert!(text.len() < 2_000 && !text.contains('\u{1b}'), "{text}");
}

#[cfg(unix)]
#[test]
fn a_link_with_the_name_of_a_claim_is_not_followed() {
    let (sandbox, _) = applied_elsewhere();
    let [a, _] = clones(&sandbox);
    let path = a.store().join(files(&a).remove(0));
    let there = sandbox.root().join("elsewhere.json");
    std::fs::rename(&path, &there).unwrap();
    std::os::unix::fs::symlink(&there, &path).unwrap();
    assert_eq!(claims(&a), Vec::<Value>::new());
    assert_eq!(blamed(&a, "conventions.md#paths").get("decision_claim"), None);
    a.run(&["check"]).expect_code(1);
}
