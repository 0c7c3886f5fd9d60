//! Two branches that each decided something and staged something new come together: with stock git, as it is by default,
//! which is all that a forge has.

use std::collections::BTreeSet;

use serde_json::json;

use crate::requests::new_body;
use crate::support::{Sandbox, replace_placeholders};
use crate::tracked::{Clone, clones, ids, tracking};

/// What a branch makes of a proposal that waits on both.
type Deed = fn(&Clone<'_>, &str);

fn applied(clone: &Clone<'_>, id: &str) {
    clone.decide("applied", id);
}

/// Git gets it in a commit of its own.
fn applied_and_committed(clone: &Clone<'_>, id: &str) {
    let apply = ["apply", id, "--commit", "--approver", clone.who()];
    clone.run(&apply).expect_code(0);
    assert_eq!(clone.git(&["status", "--short"]), "");
}

/// A file of `decided/` that does not tell who decided.
fn is_mark_or_text(path: &str) -> bool {
    path.starts_with("decided/") && path.split('.').count() < 3
}

fn rejected(clone: &Clone<'_>, id: &str) {
    clone.decide("rejected", id);
}

fn swept(clone: &Clone<'_>, id: &str) {
    let swept = clone.run(&["sweep", "--json"]).expect_code(0).json()["swept"].clone();
    assert_eq!(swept[0]["id"], id);
}

/// Somebody gives it other words where it waits.
fn edited(clone: &Clone<'_>, id: &str) {
    let path = format!("staging/{id}/proposal.json");
    let text = clone.file(&path);
    assert!(text.contains("a path and a line"));
    clone.write(&path, text.replace("a path and a line", "a path, a line and a column"));
}

fn edited_and_rejected(clone: &Clone<'_>, id: &str) {
    edited(clone, id);
    clone.decide("rejected", id);
}

fn restored_and_rejected_again(clone: &Clone<'_>, id: &str) {
    clone.decide("rejected", id);
    clone.commit("rejected");
    clone.run(&["restore", id, "--approver", "Ada"]).expect_code(0);
    clone.commit("restored");
    clone.decide("rejected", id);
}

/// Restored where nothing else was decided, so that nothing is left beside it.
fn decided_and_restored(clone: &Clone<'_>, id: &str) {
    clone.decide("rejected", id);
    clone.commit("rejected");
    clone.run(&["restore", id, "--approver", "Ada"]).expect_code(0);
}

/// A proposal that waits in both clones.
fn shared(sandbox: &Sandbox) -> String {
    let [a, b] = clones(sandbox);
    let id = a.propose(new_body("errors", "They name a path and a line."));
    a.commit("a proposal");
    b.git(&["pull", "--quiet"]);
    id
}

/// Does something to one proposal in both clones, stages a new one in each, and expects of the merge, in both
/// directions, that nothing contradicts, and that those wait which are given, and the new ones.
#[track_caller]
fn expect_merged(sandbox: &Sandbox, id: &str, deeds: [Deed; 2], waits: &[&str]) {
    let mut waiting: BTreeSet<String> = waits.iter().map(|id| (*id).to_owned()).collect();
    let new = ["They are long and clear.", "They are long and plain."];
    for ((clone, deed), text) in clones(sandbox).iter().zip(deeds).zip(new) {
        deed(clone, id);
        waiting.insert(clone.propose(new_body("names", text)));
        clone.commit("decided, and a new one");
        clone.git(&["branch", "side"]);
    }
    for (clone, other) in clones(sandbox).iter().zip(["../b", "."]) {
        let from = if other == "." { sandbox.project() } else { sandbox.project().join(other) };
        clone.git(&["fetch", "--quiet", from.to_str().unwrap(), "side"]);
        clone.git(&["merge", "--quiet", "--no-edit", "FETCH_HEAD"]);
        assert_eq!(clone.git(&["status", "--short"]), "");
        let status = clone.status();
        let pending: BTreeSet<String> =
            ids(&status["pending"]).into_iter().map(str::to_owned).collect();
        assert_eq!((pending, status.get("decided")), (waiting.clone(), None));
        let check = ["check", "--allow", "decision-disputed", "--json"];
        assert_eq!(clone.run(&check).expect_code(0).json()["findings"], json!([]));
    }
}

#[track_caller]
fn check(deeds: [Deed; 2], told: Option<&str>) {
    let sandbox = tracking();
    let id = shared(&sandbox);
    expect_merged(&sandbox, &id, deeds, &[]);
    for clone in clones(&sandbox) {
        let refused = clone.run(&["apply", &id, "--approver", "Ada"]).expect_code(1).stderr;
        assert!(refused.contains(&format!("`{id}` was ")), "{refused}");
        let status = clone.run(&["status"]).expect_code(0).stderr;
        assert!(told.is_none_or(|told| status.contains(told)), "{status}");
    }
}

const DISPUTED: Option<&str> = Some("was applied on one branch and rejected on another");

#[test]
fn what_both_applied_is_tied_to_nothing_new() {
    check([applied, applied], None);
    check([applied, applied_and_committed], None);
}

#[test]
fn what_both_rejected_is_tied_to_nothing_new() {
    check([rejected, rejected], None);
}

#[test]
fn what_one_applied_and_the_other_rejected_is_tied_to_nothing_new() {
    check([applied, rejected], DISPUTED);
}

#[test]
fn what_one_edited_and_the_other_decided_is_decided() {
    check([edited, applied], None);
    check([rejected, edited], None);
    check([edited_and_rejected, applied], DISPUTED);
}

#[test]
fn what_was_restored_and_decided_again_is_tied_to_nothing_new() {
    check([restored_and_rejected_again, restored_and_rejected_again], None);
    check([rejected, restored_and_rejected_again], None);
}

#[test]
fn what_both_swept_is_tied_to_nothing_new() {
    let mut sandbox = tracking();
    let id = shared(&sandbox);
    sandbox.advance_days(8);
    expect_merged(&sandbox, &id, [swept, swept], &[]);
}

#[test]
fn what_one_restored_waits_beside_what_the_other_decided() {
    let sandbox = tracking();
    let [a, b] = clones(&sandbox);
    let id = shared(&sandbox);
    a.decide("rejected", &id);
    a.commit("rejected");
    b.git(&["pull", "--quiet"]);
    let restored: Deed = |clone, id| {
        clone.run(&["restore", id, "--approver", "Ada"]).expect_code(0);
    };
    let other: Deed = |clone, _| {
        let other = clone.propose(new_body("names", "They are plain."));
        clone.commit("another");
        clone.decide("rejected", &other);
    };
    expect_merged(&sandbox, &id, [restored, other], &[&id]);
}

#[test]
fn what_both_took_back_waits_once() {
    let sandbox = tracking();
    let id = shared(&sandbox);
    expect_merged(&sandbox, &id, [decided_and_restored, decided_and_restored], &[&id]);
}

/// It came to both by a squash, and was decided on a third branch.
#[test]
fn what_both_cleared_is_tied_to_nothing_new() {
    let sandbox = tracking();
    let [a, b] = clones(&sandbox);
    a.git(&["switch", "--quiet", "--create", "topic"]);
    let id = a.propose(new_body("errors", "They name a path and a line."));
    a.commit("a proposal");
    a.git(&["switch", "--quiet", "main"]);
    a.git(&["merge", "--quiet", "--squash", "topic"]);
    a.commit("the proposal, squashed");
    a.decide("rejected", &id);
    a.commit("rejected");
    a.git(&["merge", "--quiet", "--no-edit", "topic"]);
    b.git(&["pull", "--quiet"]);
    assert_eq!(b.status()["decided"][0]["id"], json!(id));
    expect_merged(&sandbox, &id, [swept, swept], &[]);
}

#[test]
fn what_git_never_had_leaves_nothing_behind() {
    let sandbox = tracking();
    let [a, _] = clones(&sandbox);
    let id = a.propose(new_body("errors", "They name a line."));
    a.decide("rejected", &id);
    let left: Vec<String> =
        sandbox.tree().into_keys().filter(|path| is_mark_or_text(path)).collect();
    assert_eq!(left, ["decided/.keep".to_owned(), format!("decided/{id}.rejected")]);
}

#[test]
fn the_second_of_two_decisions_can_be_picked_alone() {
    let sandbox = tracking();
    let [a, _] = clones(&sandbox);
    let texts = ["They name a path and a line.", "They end with what to do next."];
    let [first, second] = texts.map(|text| a.propose(new_body("errors", text)));
    a.commit("two proposals");
    a.git(&["switch", "--quiet", "--create", "other"]);
    for id in [&first, &second] {
        a.decide("rejected", id);
        a.commit("rejected");
    }
    a.git(&["switch", "--quiet", "main"]);
    a.git(&["cherry-pick", "other"]);
    assert_eq!(ids(&a.status()["pending"]), [&first]);
}

#[test]
fn what_was_edited_is_left_behind_as_git_has_it() {
    let sandbox = tracking();
    let [a, _] = clones(&sandbox);
    let id = shared(&sandbox);
    let secret = replace_placeholders("{{GITHUB_TOKEN}}");
    let path = format!("staging/{id}/proposal.json");
    let committed = a.file(&path);
    a.write(&path, committed.replace("a path and a line", &secret));
    a.decide("rejected", &id);
    assert_eq!(a.file(&format!("decided/{id}.json")), committed);
}

#[test]
fn a_secret_that_git_has_is_not_copied() {
    let sandbox = tracking();
    let [a, _] = clones(&sandbox);
    let id = shared(&sandbox);
    let path = format!("staging/{id}/proposal.json");
    let secret = replace_placeholders("{{GITHUB_TOKEN}}");
    a.write(&path, a.file(&path).replace("a path and a line", &secret));
    a.commit("edited");
    a.decide("rejected", &id);
    assert!(!sandbox.has(&format!("decided/{id}.json")));
}

#[test]
fn a_secret_that_git_has_is_not_copied_however_it_is_written() {
    let secret = replace_placeholders("{{GITHUB_TOKEN}}").replace('_', "\\u005f");
    let value = |text: String| text.replace("a path and a line", &secret);
    let name = |text: String| text.replacen('{', &format!("{{\"{secret}\": 1,"), 1);
    let broken = |text: String| text.replacen('{', &format!("{{\"{secret}\" 1,"), 1);
    let together = |text: String| {
        text.replacen('{', &format!("{{\"pass\\u0077ord\": \"{}{}\",", "q8Zr!t2V", "x9Lm#w4K"), 1)
    };
    let before_content = |text: String, more: &str| {
        text.replacen("\"content\":", &format!("{more}, \"content\":"), 1)
    };
    let password = ["q8Zr!t2V", "x9Lm#w4K"].concat();
    let in_lines = |text: String| before_content(text, &format!("\"password\": \"{password}\\n\""));
    let beside = |text: String| {
        let pair = format!("\"env\": {{\"name\": \"password\", \"value\": \"{password}\"}}");
        before_content(text, &pair)
    };
    let in_region = |text: String| {
        let region = format!("<!-- secret-allow: x -->\\n{secret}\\n<!-- /secret-allow -->");
        before_content(text, &format!("\"reason\": \"{region}\""))
    };
    let writers: [&dyn Fn(String) -> String; 7] =
        [&value, &name, &broken, &together, &in_lines, &beside, &in_region];
    for write in writers {
        let sandbox = tracking();
        let [a, _] = clones(&sandbox);
        let id = shared(&sandbox);
        let path = format!("staging/{id}/proposal.json");
        let text = a.file(&path);
        a.write(&path, write(text.clone()));
        a.commit("edited");
        a.write(&path, text);
        a.decide("rejected", &id);
        assert!(!sandbox.has(&format!("decided/{id}.json")));
    }
}

#[test]
fn what_is_too_large_to_be_read_is_not_copied() {
    let sandbox = tracking();
    let [a, _] = clones(&sandbox);
    let id = shared(&sandbox);
    let path = format!("staging/{id}/proposal.json");
    a.write(&path, a.file(&path) + &"\n".repeat(16 << 20));
    a.write(&format!("decided/{id}.rejected"), String::new());
    a.commit("larger than any file of the store");
    swept(&a, &id);
    assert!(!sandbox.has(&format!("decided/{id}.json")));
}

#[test]
fn what_is_decided_again_before_git_has_it_is_left_behind_once() {
    let sandbox = tracking();
    let [a, _] = clones(&sandbox);
    let id = shared(&sandbox);
    decided_and_restored_at_once(&a, &id);
    a.decide("rejected", &id);
    let left: Vec<String> =
        sandbox.tree().into_keys().filter(|path| is_mark_or_text(path)).collect();
    let names = [".keep".to_owned(), format!("{id}.json"), format!("{id}.rejected")];
    assert_eq!(left, names.map(|name| format!("decided/{name}")));
}

fn decided_and_restored_at_once(clone: &Clone<'_>, id: &str) {
    clone.decide("rejected", id);
    clone.run(&["restore", id, "--approver", "Ada"]).expect_code(0);
}

#[test]
fn what_both_decided_after_it_was_restored_is_tied_to_nothing_new() {
    let sandbox = tracking();
    let [a, b] = clones(&sandbox);
    let id = shared(&sandbox);
    decided_and_restored(&a, &id);
    a.commit("restored");
    b.git(&["pull", "--quiet"]);
    expect_merged(&sandbox, &id, [rejected, rejected], &[]);
}
