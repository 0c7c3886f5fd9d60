//! `apply --commit`: one commit of one proposal, beside what a person has at work.

use std::fs;
use std::thread;

use serde_json::{Value, json};

use crate::requests::{TELLING, convention, new_body, two_files};
use crate::support::{Answer, Reply, Sandbox};

/// A committed store in which a convention is pending.
pub(crate) fn waiting() -> (Sandbox, String) {
    let sandbox = Sandbox::new();
    sandbox.commit("the store");
    let mut request = convention("Errors", TELLING);
    request["rationale"] = json!("Errors that\n  help");
    let id = sandbox.propose(request).staged();
    (sandbox, id)
}

pub(crate) fn commit(sandbox: &Sandbox, id: &str) -> Answer {
    sandbox.run(&["apply", id, "--commit", "--approver", "Ada", "--json"]).answer()
}

pub(crate) fn head(sandbox: &Sandbox) -> String {
    sandbox.git(&["rev-parse", "HEAD"]).trim().to_owned()
}

/// Returns the files of the last commit, with what happened to each.
pub(crate) fn files_of_head(sandbox: &Sandbox) -> Vec<String> {
    let said = sandbox.git(&["show", "--name-status", "--format=", "HEAD"]);
    said.lines().map(|line| line.replace('\t', " ")).collect()
}

/// Expects that neither a commit was made nor anything applied.
#[track_caller]
pub(crate) fn expect_nothing(sandbox: &Sandbox, id: &str, word: &str) {
    let (before, tree) = (sandbox.git(&["rev-list", "--all"]), sandbox.tree());
    let reply = sandbox.run(&["apply", id, "--commit", "--approver", "Ada"]).expect_code(2);
    assert!(
        reply.stderr.contains(word) && reply.stderr.contains("nothing was applied"),
        "{}",
        reply.stderr
    );
    assert!(reply.stderr.contains("hint:"), "{}", reply.stderr);
    assert_eq!((sandbox.git(&["rev-list", "--all"]), sandbox.tree()), (before, tree));
}

#[test]
fn a_commit_holds_the_files_of_the_proposal_and_names_it() {
    let (sandbox, id) = waiting();
    let before = head(&sandbox);
    let answer = commit(&sandbox, &id).applied();
    assert_eq!(answer["commit"]["id"], head(&sandbox));
    assert_eq!(answer["commit"]["files"], json!(["conventions.md"]));
    assert_eq!(answer["commit"]["sections"], answer["affected_sections"]);
    assert_eq!(answer["commit"]["approver"], "Ada");
    assert_eq!(answer["commit"]["warnings"], json!([]));
    let message = sandbox.git(&["show", "-s", "--format=%P %an <%ae>%n%B", "HEAD"]);
    insta::assert_snapshot!(message.replace(&id, "[id]").replace(&before, "[before]"), @r"
    [before] Ada <ada@example.org>
    memory: apply conventions.md#errors

    added conventions.md#errors

    Agent-Memory-Proposal: [id]
    Agent-Memory-Approver: Ada
    ");
    let named = "--format=%(trailers:key=Agent-Memory-Proposal,valueonly)";
    assert_eq!(sandbox.git(&["show", "-s", named, "HEAD"]).trim(), id);
    assert_eq!(files_of_head(&sandbox), ["M .agent-memory/conventions.md"]);
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "");
    // Nothing is left beside the key and the copies, which lie in a folder of ours.
    let left = fs::read_dir(sandbox.project().join(".git")).unwrap();
    let names = left.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    let ours: Vec<String> = names.filter(|name| name.starts_with("agent-memory")).collect();
    assert_eq!(ours, ["agent-memory"]);
}

#[test]
fn a_commit_is_said_in_words_and_known_to_blame() {
    let (sandbox, id) = waiting();
    let reply = sandbox.run(&["apply", &id, "--commit", "--approver", "Ada"]).expect_code(0);
    let short = &head(&sandbox)[..12];
    assert!(reply.stdout.ends_with(&format!("committed {short}\n")), "{}", reply.stdout);
    let blamed = sandbox.run(&["blame", "conventions.md#errors", "--json"]).expect_code(0).json();
    assert_eq!(blamed["sections"][0]["proposal_id"], json!(id));
    assert_eq!(blamed["sections"][0]["commit"]["id"], head(&sandbox));
    assert_eq!(blamed["sections"][0]["claim"], Value::Null, "this machine knows better");
}

#[test]
fn a_commit_is_utf_8_whatever_git_is_told_to_write_and_to_show() {
    let (sandbox, id) = waiting();
    for name in ["i18n.commitEncoding", "i18n.logOutputEncoding"] {
        sandbox.git(&["config", name, "ISO-8859-1"]);
    }
    let apply = ["apply", &id, "--commit", "--approver", "Jörg", "--json"];
    sandbox.run(&apply).answer().applied();
    let committed = sandbox.git(&["cat-file", "commit", "HEAD"]);
    assert!(committed.contains("Jörg") && !committed.contains("ISO-8859-1"), "{committed}");
    fs::remove_dir_all(sandbox.store().join("state")).unwrap();
    let said = sandbox.run(&["blame", "conventions.md#errors"]).expect_code(0).stdout;
    assert!(said.contains("by Ada says: approved by Jörg"), "{said}");
}

#[test]
fn what_a_person_has_staged_stays_as_it_was() {
    let (sandbox, id) = waiting();
    // Staged in one version, at work in another; new; removed; and one that only was touched.
    sandbox.write_project("src/auth/refresh.rs", "// staged\n");
    sandbox.write_project("new.rs", "// new\n");
    sandbox.git(&["add", "--all"]);
    sandbox.git(&["rm", "--cached", "--quiet", ".agent-memory/schemas/pitfalls.toml"]);
    sandbox.write_project("src/auth/refresh.rs", "// at work\n");
    let staged = |sandbox: &Sandbox| {
        let all = sandbox.git(&["ls-files", "--stage"]);
        let others = all.lines().filter(|line| !line.ends_with("conventions.md"));
        (
            others.collect::<Vec<_>>().join("\n"),
            sandbox.git(&["diff", "--cached"]),
            sandbox.git(&["diff"]),
        )
    };
    let before = staged(&sandbox);
    commit(&sandbox, &id).applied();
    assert_eq!(staged(&sandbox), before);
    assert_eq!(files_of_head(&sandbox), ["M .agent-memory/conventions.md"]);
}

#[test]
fn two_proposals_are_two_commits() {
    let sandbox = Sandbox::new();
    sandbox.commit("the store");
    let one = sandbox.propose(convention("Errors", TELLING)).staged();
    let two = sandbox.propose(two_files()).staged();
    sandbox.run(&["apply", &one, &two, "--commit", "--approver", "Ada"]).expect_code(0);
    let subjects = sandbox.git(&["log", "--format=%s", "-2"]);
    assert_eq!(
        subjects,
        "memory: apply modules/auth.md#tokens, modules/net.md#tokens\nmemory: apply conventions.md#errors\n"
    );
    let new = ["A .agent-memory/modules/auth.md", "A .agent-memory/modules/net.md"];
    assert_eq!(files_of_head(&sandbox), new);
}

#[test]
fn nothing_lands_while_git_is_in_the_middle_of_something() {
    let (sandbox, id) = waiting();
    let folder = sandbox.project().join(".git");
    let check = |name: &str, is_folder: bool, word: &str| {
        let path = folder.join(name);
        if is_folder {
            fs::create_dir(&path).unwrap()
        } else {
            fs::write(&path, "x\n").unwrap()
        }
        expect_nothing(&sandbox, &id, word);
        if is_folder { fs::remove_dir(&path).unwrap() } else { fs::remove_file(&path).unwrap() }
    };
    check("rebase-merge", true, "a rebase");
    check("rebase-apply", true, "a rebase");
    check("MERGE_HEAD", false, "a merge");
    check("CHERRY_PICK_HEAD", false, "a cherry-pick");
    check("REVERT_HEAD", false, "a revert");
    check("BISECT_LOG", false, "a bisect");
    check("index.lock", false, "another git command");
    commit(&sandbox, &id).applied();
}

#[test]
fn a_merge_that_stopped_at_a_conflict_is_told_by_git_itself() {
    let (sandbox, id) = waiting();
    sandbox.git(&["checkout", "--quiet", "-b", "side"]);
    sandbox.write_project("src/auth/refresh.rs", "// side\n");
    sandbox.commit("side");
    sandbox.git(&["checkout", "--quiet", "main"]);
    sandbox.write_project("src/auth/refresh.rs", "// main\n");
    sandbox.commit("main");
    let merge = std::process::Command::new("git")
        .args(["-c", "user.name=Ada", "-c", "user.email=a@example.org", "merge", "side"])
        .current_dir(sandbox.project())
        .output()
        .unwrap();
    assert!(!merge.status.success());
    expect_nothing(&sandbox, &id, "a merge");
}

#[test]
fn changes_of_a_person_in_the_same_file_are_theirs_to_commit() {
    let (sandbox, id) = waiting();
    let own = "`conventions.md` has uncommitted changes of its own";
    sandbox.append("conventions.md", "\nBy hand.\n");
    expect_nothing(&sandbox, &id, own);
    sandbox.git(&["add", "--all"]);
    expect_nothing(&sandbox, &id, own);
    // Staged alone, while the disk has what the last commit has.
    sandbox.git(&["restore", "--source=HEAD", ".agent-memory/conventions.md"]);
    expect_nothing(&sandbox, &id, own);
    sandbox.git(&["reset", "--quiet"]);
    sandbox.git(&["rm", "--cached", "--quiet", ".agent-memory/conventions.md"]);
    expect_nothing(&sandbox, &id, own);
    sandbox.git(&["reset", "--quiet"]);
    commit(&sandbox, &id).applied();
}

#[test]
fn changes_that_the_log_explains_are_committed_along() {
    let (sandbox, first) = waiting();
    sandbox.run(&["apply", &first, "--approver", "Ada"]).expect_code(0);
    sandbox.git(&["add", "--all"]);
    let second = sandbox.propose(convention("Dates", "They are ISO 8601.")).staged();
    let answer = commit(&sandbox, &second).applied();
    assert_eq!(answer["commit"]["warnings"], json!([]));
    assert_eq!(answer["commit"]["sections"][0]["section_id"], "dates");
    let committed = sandbox.git(&["show", "HEAD:.agent-memory/conventions.md"]);
    assert!(committed.contains(TELLING) && committed.contains("ISO 8601"), "{committed}");
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "");
    // What was taken back is explained too.
    sandbox.run(&["undo", &second, "--approver", "Ada"]).expect_code(0);
    let third = sandbox.propose(convention("Times", "They are UTC.")).staged();
    commit(&sandbox, &third).applied();
    let committed = sandbox.git(&["show", "HEAD:.agent-memory/conventions.md"]);
    assert!(committed.contains("UTC") && !committed.contains("ISO 8601"), "{committed}");
}

#[test]
fn line_ends_that_git_converts_are_no_change_of_a_person() {
    let (sandbox, id) = waiting();
    commit(&sandbox, &id).applied();
    for value in ["true", "input"] {
        sandbox.git(&["config", "core.autocrlf", value]);
        let windows = sandbox.file("conventions.md").replace("\r\n", "\n").replace('\n', "\r\n");
        sandbox.write("conventions.md", windows);
        let news = format!("They name a path.\nThey are short, says {value}.");
        let id = sandbox.propose(new_body("errors", &news)).staged();
        let answer = commit(&sandbox, &id).applied();
        assert_eq!(answer["commit"]["warnings"], json!([]));
        assert_eq!(answer["commit"]["sections"][0]["section_id"], "errors");
        let committed = sandbox.git(&["show", "HEAD:.agent-memory/conventions.md"]);
        assert!(committed.contains(&news) && !committed.contains('\r'), "{committed:?}");
    }
}

#[test]
fn a_file_that_is_in_no_commit_and_no_log_is_a_persons() {
    let (sandbox, id) = waiting();
    sandbox.git(&["rm", "--cached", "--quiet", ".agent-memory/conventions.md"]);
    sandbox.git(&["commit", "--quiet", "-m", "forget"]);
    sandbox.append("conventions.md", "\nBy hand.\n");
    expect_nothing(&sandbox, &id, "`conventions.md` has uncommitted changes of its own");
}

#[test]
fn commits_at_the_same_time_take_nothing_back() {
    let sandbox = Sandbox::new();
    sandbox.commit("the store");
    let propose = |number: usize| {
        let (heading, text) = (format!("Rule {number}"), format!("What rule {number} alone says."));
        sandbox.propose(convention(&heading, &text)).staged()
    };
    for round in 0..3 {
        let proposals: Vec<_> = (0..4).map(|number| propose(round * 4 + number)).collect();
        let (sandbox, before) = (&sandbox, head(&sandbox));
        let replies: Vec<Reply> = thread::scope(|scope| {
            let apply = |id: &String| {
                let apply = ["apply", id, "--commit", "--approver", "Ada", "--json"];
                sandbox.run(&apply)
            };
            let all: Vec<_> = proposals.iter().map(|id| scope.spawn(move || apply(id))).collect();
            all.into_iter().map(|each| each.join().unwrap()).collect()
        });
        let range = format!("{before}..HEAD");
        let made = ["log", "--format=%H", &range, "--", ".agent-memory/conventions.md"];
        for made in sandbox.git(&made).lines() {
            let change = sandbox.git(&["show", "--format=", made, "--", "*/conventions.md"]);
            let gone: Vec<&str> = change
                .lines()
                .filter(|line| line.starts_with('-') && line.contains("rule"))
                .collect();
            assert!(gone.is_empty(), "{change}");
        }
        for reply in replies {
            reply.answer().applied();
        }
        assert_eq!(sandbox.git(&["status", "--short", "--untracked-files=no"]), "");
    }
}

#[test]
fn a_branch_without_a_commit_gets_its_first_one() {
    let sandbox = Sandbox::without_git();
    sandbox.write_project("src/auth/refresh.rs", "// staged\n");
    sandbox.git(&["init", "--quiet", "--initial-branch=main"]);
    sandbox.git(&["add", "src"]);
    sandbox.run(&["init"]).expect_code(0);
    let id = sandbox.propose(convention("Errors", TELLING)).staged();
    commit(&sandbox, &id).applied();
    assert_eq!(files_of_head(&sandbox), ["A .agent-memory/conventions.md"]);
    assert!(sandbox.git(&["status", "--porcelain"]).contains("A  src/auth/refresh.rs"));
}

#[test]
fn a_detached_head_gets_the_commit_as_it_would_from_git() {
    let (sandbox, id) = waiting();
    sandbox.git(&["checkout", "--quiet", "--detach"]);
    let before = head(&sandbox);
    commit(&sandbox, &id).applied();
    assert_eq!(sandbox.git(&["rev-parse", "HEAD^"]).trim(), before);
}

#[test]
fn where_git_keeps_none_of_the_files_there_is_nothing_to_commit() {
    let sandbox =
        Sandbox::given(&[("config.toml", "[routing.categories]\nsessions = \"stage\"\n")]);
    sandbox.commit("the store");
    let before = head(&sandbox);
    let id = sandbox.propose(crate::requests::session("Today", "Done.")).staged();
    let answer = commit(&sandbox, &id).applied();
    assert_eq!(answer["commit"]["nothing"], "git does not track these files");
    assert_eq!(before, head(&sandbox));
}

#[test]
fn outside_of_git_nothing_lands_with_a_commit() {
    let sandbox = Sandbox::without_git();
    sandbox.run(&["init"]).expect_code(0);
    let id = sandbox.propose(convention("Errors", TELLING)).staged();
    let reply =
        sandbox.run(&["apply", &id, "--commit", "--approver", "Ada", "--json"]).expect_code(2);
    assert_eq!(reply.json()["error"]["code"], "git");
    sandbox.apply(&id).applied();
}

#[test]
fn a_commit_that_fails_does_not_take_the_change_back_and_is_told() {
    let (sandbox, id) = waiting();
    // Git signs with a program that says no.
    sandbox.git(&["config", "commit.gpgSign", "true"]);
    sandbox.git(&["config", "gpg.program", "/bin/false"]);
    let before = head(&sandbox);
    let reply: Reply =
        sandbox.run(&["apply", &id, "--commit", "--approver", "Ada", "--json"]).expect_code(2);
    let said: Value = reply.json();
    assert_eq!((&said["status"], &said["error"]["code"]), (&json!("applied"), &json!("git")));
    assert_eq!(head(&sandbox), before);
    assert!(sandbox.file("conventions.md").contains("Errors"));
    let id = sandbox.propose(new_body("errors", "They name a path.")).staged();
    let reply = sandbox.run(&["apply", &id, "--commit", "--approver", "Ada"]).expect_code(2);
    assert!(
        reply.stdout.contains("applied") && reply.stderr.contains("in no commit"),
        "{}",
        reply.stderr
    );
}

#[test]
fn a_store_deeper_in_a_repository_is_committed_where_it_is() {
    let sandbox = Sandbox::without_store();
    let folder = "a [b] *";
    fs::create_dir(sandbox.project().join(folder)).unwrap();
    sandbox.call(&["init", "--root", "."]).within(folder).run().expect_code(0);
    sandbox.commit("the store");
    let propose =
        sandbox.call(&["propose"]).within(folder).stdin(convention("Errors", TELLING).to_string());
    let id = propose.run().answer().staged();
    let apply = ["apply", &id, "--commit", "--approver", "Ada"];
    sandbox.call(&apply).within(folder).run().expect_code(0);
    assert_eq!(files_of_head(&sandbox), [format!("M {folder}/.agent-memory/conventions.md")]);
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "");
}
