//! A queue that is kept in git: two clones, real merges, no driver, no conflict.
#![allow(clippy::print_stdout, reason = "a test that is left out says so")]

use serde_json::{Value, json};

use crate::requests::{convention, new_body, with_founded_conventions};
use crate::support::{Reply, Sandbox};

/// One clone of the repository.
pub(crate) struct Clone<'s> {
    pub(crate) sandbox: &'s Sandbox,
    pub(crate) folder: &'static str,
}

impl Clone<'_> {
    pub(crate) fn run(&self, arguments: &[&str]) -> Reply {
        self.sandbox.call(arguments).within(self.folder).run()
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        self.sandbox.git(&[&["-C", self.folder], arguments].concat())
    }

    pub(crate) fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", message]);
        assert_eq!(self.git(&["status", "--short"]), "");
    }

    pub(crate) fn propose(&self, request: Value) -> String {
        let call = self.sandbox.call(&["propose"]).within(self.folder);
        call.stdin(request.to_string()).run().answer().staged()
    }

    pub(crate) fn status(&self) -> Value {
        self.run(&["status", "--json"]).expect_code(0).json()
    }

    pub(crate) fn file(&self, path: &str) -> String {
        std::fs::read_to_string(self.store().join(path)).unwrap()
    }

    pub(crate) fn write(&self, path: &str, text: String) {
        std::fs::write(self.store().join(path), text).unwrap();
    }

    pub(crate) fn store(&self) -> std::path::PathBuf {
        self.sandbox.project().join(self.folder).join(".agent-memory")
    }

    /// Returns the person who decides here: what two clones tell of a decision is not the same.
    pub(crate) fn who(&self) -> &'static str {
        if self.folder == "." { "Ada" } else { "Ben" }
    }

    pub(crate) fn decide(&self, decision: &str, id: &str) {
        let who = self.who();
        let no = ["reject", id, "--reason", "no", "--approver", who];
        let yes = ["apply", id, "--approver", who];
        let arguments = if decision == "applied" { &yes[..] } else { &no[..] };
        self.run(arguments).expect_code(0);
    }
}

/// A store whose queue is in git.
pub(crate) fn tracking() -> Sandbox {
    let sandbox = with_founded_conventions();
    let config = sandbox.file("config.toml").replace("track = false", "track = true");
    sandbox.write("config.toml", config);
    let fixed = sandbox.run(&["doctor", "--fix", "--json"]).expect_code(0).json()["fixed"].clone();
    assert!(fixed.to_string().contains("took /staging/ out of `.gitignore`"), "{fixed}");
    assert!(sandbox.run(&["doctor"]).expect_code(0).stdout.starts_with("healthy"));
    sandbox.commit("a store that keeps its queue in git");
    sandbox.git(&["clone", "--quiet", ".", "../b"]);
    sandbox
}

pub(crate) fn clones(sandbox: &Sandbox) -> [Clone<'_>; 2] {
    [Clone { sandbox, folder: "." }, Clone { sandbox, folder: "../b" }]
}

pub(crate) fn ids(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().map(|each| each["id"].as_str().unwrap()).collect()
}

#[test]
fn a_decision_puts_the_file_that_stays_into_the_folder_of_decisions() {
    let sandbox = tracking();
    let [a, _] = clones(&sandbox);
    let id = a.propose(convention("Paths", "Use forward slashes."));
    // As an older version left it.
    std::fs::remove_file(a.store().join("decided/.keep")).unwrap();
    a.decide("rejected", &id);
    assert!(a.store().join("decided/.keep").exists());
}

#[test]
fn what_one_clone_proposes_another_reviews_and_applies() {
    let sandbox = tracking();
    let [a, b] = clones(&sandbox);
    let id = a.propose(convention("Paths", "Use forward slashes."));
    a.commit("a proposal");
    b.git(&["pull", "--quiet"]);
    assert_eq!(ids(&b.status()["pending"]), [&id]);
    assert!(b.run(&["show", &id]).expect_code(0).stdout.contains("forward slashes"));
    b.decide("applied", &id);
    b.commit("applied");
    a.git(&["pull", "--quiet", "../b", "main"]);
    assert_eq!(a.status()["pending"], json!([]));
    assert!(sandbox.file("conventions.md").contains("Use forward slashes."));
    assert!(!sandbox.has(&format!("staging/{id}")));
    assert_eq!(a.git(&["status", "--short"]), "");
    assert_eq!(a.run(&["check", "--json"]).expect_code(0).json()["findings"], json!([]));
}

#[test]
fn git_keeps_what_is_asked_and_not_what_it_shows() {
    let sandbox = tracking();
    let [a, _] = clones(&sandbox);
    let id = a.propose(new_body("errors", "They name a line."));
    a.commit("a proposal");
    let kept = a.git(&["ls-files", ".agent-memory/staging"]);
    assert_eq!(kept, format!(".agent-memory/staging/{id}/proposal.json\n"));
    a.decide("rejected", &id);
    let diff = a.run(&["log", "-p"]).expect_code(0).stdout;
    assert!(diff.contains("name a path.") && diff.contains("name a line."), "{diff}");
}

#[test]
fn what_waited_before_git_kept_the_queue_shows_its_files_elsewhere_too() {
    let sandbox = with_founded_conventions();
    let id = sandbox.propose(new_body("errors", "They name a line.")).staged();
    let config = sandbox.file("config.toml").replace("track = false", "track = true");
    sandbox.write("config.toml", config);
    let doctor = sandbox.run(&["doctor"]).expect_code(0).stdout;
    assert!(doctor.contains("proposals in `staging/` show files there"), "{doctor}");
    let fixed = sandbox.run(&["doctor", "--fix"]).expect_code(0).stdout;
    assert!(fixed.contains("moved what proposals show"), "{fixed}");
    assert!(sandbox.run(&["doctor"]).expect_code(0).stdout.starts_with("healthy"));
    sandbox.commit("it waits");
    let kept = sandbox.git(&["ls-files", ".agent-memory/staging"]);
    assert_eq!(kept, format!(".agent-memory/staging/{id}/proposal.json\n"));
    sandbox.run(&["reject", &id, "--reason", "no", "--approver", "Ada"]).expect_code(0);
    assert!(sandbox.run(&["log", "-p"]).expect_code(0).stdout.contains("name a line."));
}

/// A merge with a branch of an older version brings back what a proposal showed where git kept it, and not all of it.
#[test]
fn what_git_puts_back_of_what_a_proposal_shows_is_in_nobodys_way() {
    let sandbox = tracking();
    let [a, b] = clones(&sandbox);
    let text = a.file("conventions.md").replace("They name a path.", "- one\n- two\n- three");
    a.write("conventions.md", text.clone());
    a.commit("the text before");
    let id = a.propose(new_body("errors", "- one\n- two\n- 3\n- four"));
    let (kept, back) = (
        format!("state/shown/{id}/files/conventions.md"),
        format!("staging/{id}/files/conventions.md"),
    );
    sandbox.write(&back, sandbox.file(&kept));
    a.write("conventions.md", text.replace("- one", "- 1"));
    a.commit("a proposal, and another text");
    b.git(&["pull", "--quiet"]);
    for clone in [a, b] {
        let rebased = || clone.run(&["rebase", &id]).expect_code(0).stdout;
        assert!(rebased().contains("+ - 3"), "{}", rebased());
        let fixed = clone.run(&["doctor", "--fix"]).expect_code(0).stdout;
        assert!(fixed.contains("moved what proposals show"), "{fixed}");
        let doctor = clone.run(&["doctor"]).expect_code(0).stdout;
        assert!(!doctor.contains("show files there"), "{doctor}");
        assert!(!clone.store().join(&back).exists() && clone.store().join(&kept).exists());
        assert!(rebased().contains("+ - 3"), "{}", rebased());
    }
    assert!(sandbox.has(&format!("state/trash/shown-{id}/files/conventions.md")));
}

/// No commit has the text before here, so that only `state/shown/` knows it.
#[test]
fn what_git_puts_back_of_what_a_proposal_shows_hides_nothing_of_the_text_before() {
    let sandbox = tracking();
    let [a, _] = clones(&sandbox);
    let text = a.file("conventions.md").replace("They name a path.", "- one\n- two\n- three");
    a.write("conventions.md", text.clone());
    let id = a.propose(new_body("errors", "- one\n- two\n- 3\n- four"));
    let kept = sandbox.file(&format!("state/shown/{id}/files/conventions.md"));
    sandbox.write(&format!("staging/{id}/files/conventions.md"), kept);
    a.write("conventions.md", text.replace("- one", "- 1"));
    let rebased = a.run(&["rebase", &id]).expect_code(0).stdout;
    assert!(rebased.contains("+ - 3"), "{rebased}");
    a.decide("rejected", &id);
    let diff = a.run(&["log", "-p"]).expect_code(0).stdout;
    assert!(diff.contains("-- three") && diff.contains("+- 3"), "{diff}");
}

/// A proposal about three bullets, made in one clone on what `then` commits, and how `rebase` answers in the
/// other, where a person changed the first bullet.
fn rebased_elsewhere(sandbox: &Sandbox, then: impl Fn(&Clone<'_>)) -> Reply {
    let [a, b] = clones(sandbox);
    let text = a.file("conventions.md").replace("They name a path.", "- one\n- two\n- three");
    a.write("conventions.md", text.clone());
    then(&a);
    let id = a.propose(new_body("errors", "- one\n- two\n- 3\n- four"));
    a.write("conventions.md", text.replace("- one", "- 1"));
    a.commit("a proposal, and another text");
    b.git(&["pull", "--quiet"]);
    b.run(&["apply", &id, "--approver", "Ada"]).expect_code(1);
    let json = b.run(&["rebase", &id, "--json"]).json();
    let digest = json["proposal"]["digest"].as_str().unwrap_or("none").to_owned();
    b.run(&["rebase", &id, "--digest", &digest, "--approver", "Ada", "--json"])
}

#[test]
fn who_did_not_propose_merges_it_with_what_came_since() {
    let sandbox = tracking();
    rebased_elsewhere(&sandbox, |a| a.commit("the text before")).answer().applied();
    let [_, b] = clones(&sandbox);
    assert!(b.file("conventions.md").contains("- 1\n- two\n- 3\n- four\n"));
}

#[test]
fn what_no_commit_knows_is_merged_where_it_was_proposed() {
    let sandbox = tracking();
    let answer = rebased_elsewhere(&sandbox, |_| {}).answer().rejected("target_drift");
    assert!(answer["message"].to_string().contains("in none of the last 100 commits"));
    let [a, _] = clones(&sandbox);
    let shown = a.run(&["rebase", "--latest"]).expect_code(0).stdout;
    assert!(shown.contains("+ - 3"), "{shown}");
}

#[test]
fn who_did_not_propose_is_told_too_what_is_wrong_with_it() {
    let sandbox = tracking();
    let [a, b] = clones(&sandbox);
    let id = a.propose(new_body("errors", "They name a line."));
    let rules = a.file("schemas/conventions.toml") + "\n[section.fields.Date]\nrequired = true\n";
    a.write("schemas/conventions.toml", rules);
    a.commit("a proposal, and a rule that it breaks");
    b.git(&["pull", "--quiet"]);
    for clone in [a, b] {
        let answer = clone.run(&["rebase", &id, "--json"]).answer().rejected("validation_failed");
        assert_eq!(answer["violations"][0]["rule"], "fields.Date", "{answer:?}");
    }
}

#[test]
fn what_a_partial_clone_left_out_is_not_fetched() {
    let asked = std::process::Command::new("git").args(["--no-lazy-fetch", "version"]).output();
    if !asked.unwrap().status.success() {
        println!("skipped: git before 2.44 cannot be told to fetch nothing");
        return;
    }
    let sandbox = tracking();
    rebased_elsewhere(&sandbox, |a| a.commit("the text before"));
    let [a, _] = clones(&sandbox);
    a.git(&["config", "uploadpack.allowFilter", "true"]);
    let from = format!("file://{}", sandbox.project().display());
    a.git(&["clone", "--quiet", "--filter=blob:none", &from, "../c"]);
    let c = Clone { sandbox: &sandbox, folder: "../c" };
    let left_out = || c.git(&["rev-list", "--objects", "--all", "--missing=print"]);
    let before = left_out();
    assert!(before.contains("\n?"), "{before}");
    let answer = c.run(&["rebase", "--latest", "--json"]).answer().rejected("target_drift");
    assert!(answer["message"].to_string().contains("in none of the last 100 commits"));
    assert_eq!(left_out(), before);
}

/// A proposal of the branch `topic` came to `main` by a squash and is decided there, so that a merge of the
/// two leaves it in the queue.
fn decided_on_main(sandbox: &Sandbox, decision: &str) -> String {
    let [a, b] = clones(sandbox);
    a.git(&["switch", "--quiet", "--create", "topic"]);
    let id = a.propose(convention("Paths", "Use forward slashes."));
    a.commit("a proposal");
    b.git(&["fetch", "--quiet"]);
    b.git(&["merge", "--quiet", "--squash", "origin/topic"]);
    b.commit("the proposal, squashed");
    b.decide(decision, &id);
    b.commit(decision);
    b.git(&["push", "--quiet", "origin", "main"]);
    id
}

/// Expects that a proposal in the queue is seen as decided, offered to nobody, and goes with a sweep.
#[track_caller]
fn expect_decided(clone: &Clone<'_>, id: &str, decision: &str) {
    clone.git(&["cat-file", "-e", &format!("HEAD:.agent-memory/staging/{id}/proposal.json")]);
    let status = clone.status();
    assert_eq!(status["pending"], json!([]));
    assert_eq!(status["decided"], json!([{ "id": id, "decision": decision }]));
    let said = clone.run(&["status"]).expect_code(0).stdout;
    assert!(said.contains(&format!("{id}: {decision} on another branch")), "{said}");
    for arguments in [&["apply", id, "--approver", "Ada"][..], &["reject", id, "--reason", "no"]] {
        let refused = clone.run(arguments).expect_code(1);
        let told = format!("`{id}` was {decision} on another branch");
        assert!(refused.stderr.contains(&told), "{arguments:?}: {}", refused.stderr);
    }
    clone.run(&["review"]).expect_code(0);
    let swept = clone.run(&["sweep", "--json"]).expect_code(0).json()["swept"].clone();
    assert_eq!((&swept[0]["id"], &swept[0]["decided"]), (&json!(id), &json!(decision)));
    assert_eq!(clone.status().get("decided"), None);
    clone.commit("swept");
    assert!(clone.run(&["doctor"]).expect_code(0).stdout.starts_with("healthy"));
}

#[test]
fn what_was_decided_there_is_not_offered_here_after_a_merge() {
    for decision in ["applied", "rejected"] {
        let sandbox = tracking();
        let id = decided_on_main(&sandbox, decision);
        let [a, _] = clones(&sandbox);
        a.git(&["merge", "--quiet", "--no-edit", "main"]);
        expect_decided(&a, &id, decision);
    }
}

#[test]
fn what_was_decided_here_is_not_offered_after_a_merge_of_where_it_waits() {
    for decision in ["applied", "rejected"] {
        let sandbox = tracking();
        let id = decided_on_main(&sandbox, decision);
        let [_, b] = clones(&sandbox);
        b.git(&["merge", "--quiet", "--no-edit", "origin/topic"]);
        b.run(&["install", "git"]).expect_code(0);
        expect_decided(&b, &id, decision);
    }
}

#[test]
fn two_branches_that_decide_alike_or_otherwise_merge_without_a_conflict() {
    for other in ["applied", "rejected"] {
        let sandbox = tracking();
        let [a, b] = clones(&sandbox);
        let first = a.propose(convention("Paths", "Use forward slashes."));
        a.commit("a proposal");
        b.git(&["pull", "--quiet"]);
        a.decide("applied", &first);
        a.commit("applied");
        b.decide(other, &first);
        b.commit(other);
        a.git(&["pull", "--quiet", "--no-rebase", "--no-edit", "../b", "main"]);
        assert_eq!(a.status()["pending"], json!([]));
        assert_eq!(a.git(&["status", "--short"]), "");
        // Its text is in the files and refused at once, and only a person can say which is meant.
        let told = format!("`{first}` was applied on one branch and rejected on another");
        let is_told = other == "rejected";
        assert_eq!(a.run(&["status"]).expect_code(0).stderr.contains(&told), is_told);
        let doctor = a.run(&["doctor"]).expect_code(i32::from(is_told)).stdout;
        assert_eq!(doctor.contains(&told), is_told, "{doctor}");
    }
}

#[test]
fn what_another_branch_decided_is_told_before_a_merge() {
    for decision in ["applied", "rejected"] {
        let sandbox = tracking();
        let id = decided_on_main(&sandbox, decision);
        let [a, b] = clones(&sandbox);
        let pending = &a.status()["pending"];
        let there = json!([{ "decision": decision, "branch": "main" }]);
        assert_eq!((ids(pending), &pending[0]["other_branches"]), (vec![id.as_str()], &there));
        let told = format!("{decision} on `main`, not merged here");
        for arguments in [&["status"][..], &["show", &id]] {
            let said = a.run(arguments).expect_code(0).stdout;
            assert!(
                said.split_whitespace().collect::<Vec<_>>().join(" ").contains(&told),
                "{said}"
            );
        }
        let left = a.run(&["apply", "--all", "--approver", "Ada", "--json"]).expect_code(0).json();
        assert_eq!((&left["left"][0]["other_branches"], &left["results"]), (&there, &json!([])));
        // The other branch may be given up, so a person can decide here too.
        let applied = a.run(&["apply", &id, "--approver", "Ada"]).expect_code(0);
        assert!(applied.stderr.contains(&told), "{}", applied.stderr);
        b.git(&["switch", "--quiet", "topic"]);
        let told = format!("{decision} on `main` and `origin/main`, not merged here");
        let said = b.run(&["show", &id]).expect_code(0).stdout;
        assert!(said.contains(&told), "{said}");
    }
}

#[test]
fn what_was_taken_back_after_a_merge_is_not_told() {
    let sandbox = tracking();
    let [a, _] = clones(&sandbox);
    let id = a.propose(convention("Paths", "Use forward slashes."));
    a.commit("a proposal");
    a.git(&["switch", "--quiet", "--create", "old"]);
    a.decide("rejected", &id);
    a.commit("rejected");
    a.git(&["switch", "--quiet", "main"]);
    a.git(&["merge", "--quiet", "old"]);
    a.run(&["restore", &id, "--approver", "Ada"]).expect_code(0);
    a.commit("restored");
    assert_eq!(a.status()["pending"][0].get("other_branches"), None);
    let all = a.run(&["apply", "--all", "--approver", "Ada", "--json"]).expect_code(0).json();
    assert_eq!(all["left"], json!([]));
}

#[test]
fn what_is_undone_is_no_longer_called_applied() {
    let sandbox = tracking();
    let [a, _] = clones(&sandbox);
    let id = a.propose(convention("Paths", "Use forward slashes."));
    a.commit("a proposal");
    a.git(&["branch", "topic"]);
    a.decide("applied", &id);
    a.commit("applied");
    a.run(&["undo", &id, "--approver", "Ada"]).expect_code(0);
    a.commit("undone");
    assert!(!sandbox.has(&format!("decided/{id}.applied")));
    a.git(&["switch", "--quiet", "topic"]);
    assert_eq!(a.status()["pending"][0].get("other_branches"), None);
}

#[test]
fn what_a_branch_began_with_is_not_its_decision() {
    let sandbox = tracking();
    let [a, _] = clones(&sandbox);
    let id = a.propose(convention("Paths", "Use forward slashes."));
    a.commit("a proposal");
    a.decide("applied", &id);
    a.commit("applied");
    a.git(&["switch", "--quiet", "--create", "feature"]);
    a.git(&["commit", "--quiet", "--allow-empty", "--message", "of its own"]);
    a.git(&["switch", "--quiet", "main"]);
    a.run(&["undo", &id, "--approver", "Ada"]).expect_code(0);
    a.run(&["restore", &id, "--approver", "Ada"]).expect_code(0);
    a.commit("restored");
    assert_eq!(a.status()["pending"][0].get("other_branches"), None);
}

#[test]
fn what_others_decided_stays_when_a_change_is_undone() {
    let sandbox = tracking();
    let [a, b] = clones(&sandbox);
    let id = a.propose(convention("Paths", "Use forward slashes."));
    a.commit("a proposal");
    b.git(&["pull", "--quiet"]);
    a.decide("applied", &id);
    a.commit("applied");
    b.decide("rejected", &id);
    b.commit("rejected");
    a.git(&["pull", "--quiet", "--no-rebase", "--no-edit", "../b", "main"]);
    a.run(&["undo", &id, "--approver", "Ada"]).expect_code(0);
    assert!(sandbox.has(&format!("decided/{id}.rejected")));
    assert!(!sandbox.has(&format!("decided/{id}.applied")));
    assert!(a.run(&["doctor"]).expect_code(0).stdout.starts_with("healthy"));
}

#[test]
fn what_was_cleared_last_is_restored_first() {
    let sandbox = tracking();
    let id = decided_on_main(&sandbox, "rejected");
    let [a, _] = clones(&sandbox);
    let other = a.propose(convention("Branches", "Short names."));
    a.run(&["reject", &other, "--reason", "no", "--approver", "Ada"]).expect_code(0);
    a.commit("another one");
    a.git(&["merge", "--quiet", "--no-edit", "main"]);
    a.run(&["sweep"]).expect_code(0);
    let restored = a.run(&["restore", "--latest", "--approver", "Ada", "--json"]).expect_code(0);
    assert_eq!(restored.json()["id"], id);
}

#[test]
fn who_took_no_part_hears_what_was_decided() {
    let sandbox = tracking();
    let [a, b] = clones(&sandbox);
    let id = a.propose(convention("Paths", "Use forward slashes."));
    a.decide("applied", &id);
    a.commit("applied");
    b.git(&["pull", "--quiet"]);
    let shown = b.run(&["show", &id]).expect_code(0).stdout;
    assert!(shown.contains("by Ada") && shown.contains("`decided/` says so"), "{shown}");
    // An older version does not say who decided.
    b.git(&["rm", "--quiet", &format!(".agent-memory/decided/{id}.????????????????.json")]);
    for arguments in [&["show", &id][..], &["apply", &id, "--approver", "Ada"]] {
        let refused = b.run(arguments).expect_code(1).stderr;
        let told = format!("`{id}` was applied, and is no longer pending");
        assert!(refused.contains(&told), "{refused}");
        let asked = format!("*decided/{id}.*");
        assert!(refused.contains(&asked) && b.git(&["log", "--", &asked]).contains("applied"));
    }
    let known = a.run(&["apply", &id, "--approver", "Ada"]).expect_code(1).stderr;
    assert!(known.contains("by Ada"), "{known}");
}

#[test]
fn what_is_cleared_keeps_what_was_decided_about_it() {
    let sandbox = tracking();
    let [_, b] = clones(&sandbox);
    let id = decided_on_main(&sandbox, "applied");
    b.git(&["merge", "--quiet", "--no-edit", "origin/topic"]);
    b.run(&["sweep"]).expect_code(0);
    b.commit("swept");
    let blamed = b.run(&["blame", "conventions.md#paths"]).expect_code(0).stdout;
    assert!(blamed.contains(&id), "{blamed}");
    let refused = b.run(&["restore", &id, "--approver", "Ada"]).expect_code(1).stderr;
    assert!(refused.contains("was applied"), "{refused}");
    b.run(&["undo", &id, "--approver", "Ada"]).expect_code(0);
}

/// What `resolve` says of a proposal that one branch gave other words, and that became something on the other.
#[track_caller]
fn expect_resolved(there: impl Fn(&Clone<'_>, &str), expected: &str) -> (Sandbox, String) {
    let sandbox = tracking();
    let [a, _] = clones(&sandbox);
    let id = a.propose(convention("Paths", "Use forward slashes."));
    // As versions before this one kept it.
    let kept = format!("staging/{id}/files/conventions.md");
    sandbox.write(&kept, sandbox.file(&format!("state/shown/{id}/files/conventions.md")));
    a.commit("a proposal");
    a.git(&["switch", "--quiet", "--create", "topic"]);
    edit(&a, &id, "plain");
    a.commit("edited");
    a.git(&["switch", "--quiet", "main"]);
    there(&a, &id);
    a.commit("there");
    let merged = std::process::Command::new("git")
        .args(["merge", "--quiet", "topic"])
        .current_dir(sandbox.project())
        .envs(sandbox.variables())
        .output();
    assert!(!merged.unwrap().status.success());
    let reply = a.run(&["resolve"]).expect_code(0);
    let expected = expected.replace("[id]", &id);
    assert!(reply.stderr.contains(&expected), "{}", reply.stderr);
    (sandbox, kept)
}

fn edit(clone: &Clone<'_>, id: &str, word: &str) {
    for file in ["proposal.json", "files/conventions.md"] {
        let path = format!("staging/{id}/{file}");
        clone.write(&path, clone.file(&path).replace("forward", word));
    }
}

#[test]
fn a_proposal_that_git_left_in_conflict_is_no_memory() {
    let applied = "`staging/[id]` was applied: `git rm -r`";
    let (sandbox, kept) = expect_resolved(|clone, id| clone.decide("applied", id), applied);
    assert!(!sandbox.file(&kept).contains("<<<<<<<"));
    let nobody = "`staging/[id]` is in conflict, and it is undecided: `git add`";
    expect_resolved(|clone, id| edit(clone, id, "backward"), nobody);
}

#[test]
fn the_name_of_a_branch_is_shown_as_any_text_of_others() {
    let sandbox = tracking();
    let [a, _] = clones(&sandbox);
    let id = a.propose(convention("Paths", "Use forward slashes."));
    a.commit("a proposal");
    let secret = crate::support::replace_placeholders("{{GITHUB_TOKEN}}");
    for branch in ["pale\u{202e}", &secret] {
        a.git(&["switch", "--quiet", "--create", branch, "main"]);
        a.decide("rejected", &id);
        a.commit("rejected");
        a.git(&["switch", "--quiet", "main"]);
        let said = a.run(&["status"]).expect_code(0).stdout;
        assert!(said.contains(&format!("{id}: rejected on `")), "{said}");
        assert!(!said.contains(branch) && !a.status().to_string().contains(&secret), "{said}");
        a.git(&["branch", "--quiet", "-D", branch]);
    }
}

#[test]
fn git_is_heard_while_it_is_asked() {
    let sandbox = tracking();
    let [a, _] = clones(&sandbox);
    for number in 0..12 {
        a.propose(convention(&format!("Paths {number}"), &format!("Use {number} slashes.")));
    }
    a.commit("proposals");
    a.git(&["commit", "--quiet", "--allow-empty", "--message", "another"]);
    let (other, long) = (a.git(&["rev-parse", "HEAD"]), "long/".repeat(40));
    let line = |number| format!("{} refs/remotes/origin/{long}{number:03}\n", other.trim());
    let packed = (0..100).map(line).collect::<String>();
    a.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    std::fs::write(sandbox.project().join(".git/packed-refs"), packed).unwrap();
    assert_eq!(ids(&a.status()["pending"]).len(), 12);
}

#[test]
fn a_store_below_the_root_sees_what_other_branches_decided() {
    let sandbox = Sandbox::new();
    let within = |arguments: &[&str]| sandbox.call(arguments).within("below").run();
    std::fs::create_dir(sandbox.project().join("below")).unwrap();
    within(&["init", "--root", "."]).expect_code(0);
    let config = sandbox.project().join("below/.agent-memory/config.toml");
    let text = std::fs::read_to_string(&config).unwrap().replace("track = false", "track = true");
    std::fs::write(&config, text).unwrap();
    within(&["doctor", "--fix"]);
    let request = convention("Paths", "Use forward slashes.").to_string();
    let id = sandbox.call(&["propose"]).within("below").stdin(request).run().answer().staged();
    sandbox.commit("it waits");
    sandbox.git(&["switch", "--quiet", "--create", "other"]);
    within(&["reject", &id, "--reason", "no"]).expect_code(0);
    sandbox.commit("no");
    sandbox.git(&["switch", "--quiet", "main"]);
    let status = within(&["status", "--json"]).json();
    let there = json!([{ "decision": "rejected", "branch": "other" }]);
    assert_eq!(status["pending"][0]["other_branches"], there);
}

#[test]
fn a_commit_takes_what_waited_out_of_the_queue_in_git_too() {
    let sandbox = tracking();
    let id = sandbox.propose(new_body("errors", "They name a path.")).staged();
    // As an older version left it.
    std::fs::remove_file(sandbox.store().join("decided/.keep")).unwrap();
    sandbox.commit("it waits");
    let apply = ["apply", &id, "--commit", "--approver", "Ada"];
    sandbox.run(&apply).expect_code(0);
    assert_eq!(sandbox.git(&["status", "--porcelain", "--", ".agent-memory"]), "");
    let kept = sandbox.git(&["ls-tree", "-r", "--name-only", "HEAD"]);
    assert!(!kept.contains("staging/") && kept.contains(&format!("decided/{id}.applied")));
}

#[test]
fn a_queue_that_git_ignores_is_told_of() {
    let sandbox = with_founded_conventions();
    let config = sandbox.file("config.toml").replace("track = false", "track = true");
    sandbox.write("config.toml", config);
    let answer = sandbox.propose(new_body("errors", "They name a path."));
    let said = answer["warnings"].to_string();
    assert!(said.contains("`agent-memory doctor --fix`") && said.contains("/staging/"), "{said}");
}

#[test]
fn a_queue_of_one_machine_leaves_no_note_of_decisions() {
    let sandbox = with_founded_conventions();
    let id = sandbox.propose(convention("Paths", "Use forward slashes.")).staged();
    sandbox.apply(&id).applied();
    assert!(!sandbox.has("decided"));
}
