//! `apply --commit` where hooks run, and what it says of the commit is read from it.
#![cfg(unix)]

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use crate::cli_commit::{commit, files_of_head, head, waiting};
use crate::requests::{TELLING, convention, two_files};
use crate::support::Sandbox;

/// Writes a hook; it runs at the top of the work tree.
fn hook(sandbox: &Sandbox, name: &str, text: &str) {
    let path = format!(".git/hooks/{name}");
    sandbox.write_project(&path, format!("#!/bin/sh\n{text}\n"));
    fs::set_permissions(sandbox.project().join(path), Permissions::from_mode(0o755)).unwrap();
}

/// Expects that a proposal is applied and not committed.
#[track_caller]
fn expect_applied_alone(sandbox: &Sandbox, id: &str, code: i32, word: &str) {
    let (before, index) = (head(sandbox), sandbox.git(&["ls-files", "--stage"]));
    let apply = ["apply", id, "--commit", "--approver", "Ada", "--json"];
    let said: Value = sandbox.run(&apply).expect_code(code).json();
    assert_eq!((&said["status"], &said["error"]["code"]), (&json!("applied"), &json!("git")));
    assert!(said["error"]["message"].to_string().contains(word), "{said}");
    assert_eq!(said["commit"], Value::Null);
    assert_eq!(head(sandbox), before);
    assert_eq!(sandbox.git(&["ls-files", "--stage"]), index);
}

#[test]
fn hooks_run_as_after_any_commit() {
    let (sandbox, id) = waiting();
    for name in ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"] {
        hook(&sandbox, name, &format!("echo {name} >> hooks"));
    }
    commit(&sandbox, &id).applied();
    let ran = fs::read_to_string(sandbox.project().join("hooks")).unwrap();
    assert_eq!(ran, "pre-commit\nprepare-commit-msg\ncommit-msg\npost-commit\n");
}

#[test]
fn a_hook_may_ask_our_program_as_no_lock_is_held() {
    let (sandbox, id) = waiting();
    let program = env!("CARGO_BIN_EXE_agent-memory");
    hook(
        &sandbox,
        "pre-commit",
        &format!(
            "'{program}' check --staged > checked || exit 1\n'{program}' doctor --wait 0 > doctor"
        ),
    );
    commit(&sandbox, &id).applied();
    assert!(sandbox.project().join("doctor").exists());
}

#[test]
fn a_hook_sees_its_own_patterns_and_no_place_of_another_repository() {
    let (sandbox, id) = waiting();
    hook(
        &sandbox,
        "pre-commit",
        "env | grep ^GIT_ | grep -E 'LITERAL|WORK_TREE|TRACE' > seen; git diff --cached --name-only -- '*.md' > matched",
    );
    let apply = ["apply", &id, "--commit", "--approver", "Ada", "--json"];
    let call = sandbox.call(&apply).env("GIT_WORK_TREE", "/").env("GIT_DIR", "/nowhere");
    call.env("GIT_TRACE", "/dev/null").run().answer().applied();
    let read = |name: &str| fs::read_to_string(sandbox.project().join(name)).unwrap();
    assert_eq!(read("seen"), "");
    assert!(read("matched").contains("conventions.md"));
}

#[test]
fn a_hook_that_says_no_leaves_the_change_applied_and_nothing_staged() {
    let (sandbox, id) = waiting();
    hook(&sandbox, "pre-commit", "echo the tests fail >&2; exit 1");
    expect_applied_alone(&sandbox, &id, 1, "the tests fail");
    assert!(sandbox.file("conventions.md").contains(TELLING));
    // New files are forgotten again.
    let id = sandbox.propose(two_files()).staged();
    expect_applied_alone(&sandbox, &id, 1, "the tests fail");
    let status = sandbox.git(&["status", "--porcelain", ".agent-memory/modules"]);
    assert_eq!(status, "?? .agent-memory/modules/\n");
    hook(&sandbox, "pre-commit", "exit 0");
    hook(&sandbox, "commit-msg", "exit 3");
    let id = sandbox.propose(convention("Dates", "They are ISO 8601.")).staged();
    let reply = sandbox.run(&["apply", &id, "--commit", "--approver", "Ada"]).expect_code(1);
    assert!(reply.stderr.contains("the change is in the files, but in no commit"));
    let again = sandbox.propose(convention("Times", "They are UTC.")).staged();
    fs::remove_file(sandbox.project().join(".git/hooks/commit-msg")).unwrap();
    commit(&sandbox, &again).applied();
}

/// A commit of another process, made while git waits for the hook: it has the file, which changes once more after it.
const OTHER_COMMIT: &str = "\
export GIT_INDEX_FILE=.git/other
git read-tree HEAD && git add .agent-memory/conventions.md && tree=$(git write-tree)
git update-ref HEAD $(echo other | git commit-tree -p HEAD $tree)
printf '\\n## Later\\n\\nNot approved yet.\\n' >> .agent-memory/conventions.md
exit 1";

#[test]
fn a_text_that_another_commit_took_along_is_committed() {
    let (sandbox, id) = waiting();
    hook(&sandbox, "pre-commit", OTHER_COMMIT);
    let apply = ["apply", &id, "--commit", "--approver", "Ada", "--json"];
    let said: Value = sandbox.run(&apply).expect_code(0).json();
    assert!(said.to_string().contains("a commit that was made at the same time"), "{said}");
    assert!(sandbox.git(&["show", "HEAD:.agent-memory/conventions.md"]).contains(TELLING));
    assert!(sandbox.file("conventions.md").contains("Not approved yet."));
    // The person's next commit takes nothing back.
    assert_eq!(sandbox.git(&["status", "--porcelain"]), " M .agent-memory/conventions.md\n");
}

#[test]
fn a_new_file_that_another_commit_took_along_stays_in_git() {
    for code in [0, 1] {
        let (sandbox, _) = waiting();
        let id = sandbox.propose(two_files()).staged();
        let add = OTHER_COMMIT.replace("conventions.md &&", "modules &&");
        let text: Vec<&str> = add.lines().filter(|line| !line.starts_with("printf")).collect();
        hook(&sandbox, "pre-commit", &text.join("\n").replace("exit 1", &format!("exit {code}")));
        sandbox.run(&["apply", &id, "--commit", "--approver", "Ada"]).expect_code(0);
        assert_eq!(sandbox.git(&["status", "--porcelain"]), "");
        assert!(sandbox.git(&["ls-files"]).contains(".agent-memory/modules/auth.md"));
    }
}

#[test]
fn what_another_process_only_announced_is_no_change_of_a_person() {
    let (sandbox, _) = waiting();
    let id = sandbox.propose(two_files()).staged();
    sandbox.apply(&id).applied();
    sandbox.git(&["add", "--intent-to-add", ".agent-memory/modules"]);
    let mut more = two_files();
    more["operations"] = json!([{
        "operation": "append_section", "path": "modules/auth.md", "heading": "Keys", "content": "They rotate.",
    }]);
    let id = sandbox.propose(more).staged();
    commit(&sandbox, &id).applied();
    assert!(sandbox.git(&["show", "HEAD:.agent-memory/modules/auth.md"]).contains("They rotate."));
}

#[test]
fn another_commit_counts_only_if_it_has_all_that_was_approved() {
    let other = "git commit-tree -p HEAD -m other HEAD^{tree}";
    for hook_text in ["exit 1", &format!("git update-ref HEAD $({other}); exit 1")] {
        let sandbox = Sandbox::new();
        let old = "# Conventions\n\n## Errors\n<!-- @id: errors -->\n\nThey name a path.\n\n### Sub\n\nGone soon.\n";
        sandbox.write("conventions.md", old);
        sandbox.git(&["add", "--all"]);
        sandbox.git(&["commit", "--quiet", "--message", "sections"]);
        // Only the section without an id is gone afterwards.
        let mut request = convention("Errors", "They name a path.");
        request["operations"][0] = json!({
            "operation": "replace_section", "section_id": "errors", "content": "## Errors\n\nThey name a path.\n",
        });
        let id = sandbox.propose(request).staged();
        hook(&sandbox, "pre-commit", hook_text);
        let apply = ["apply", &id, "--commit", "--approver", "Ada", "--json"];
        let said: Value = sandbox.run(&apply).expect_code(1).json();
        assert_eq!(said["error"]["code"], "git", "{said}");
        assert!(sandbox.git(&["show", "HEAD:.agent-memory/conventions.md"]).contains("Gone soon."));
    }
}

#[test]
fn a_new_file_that_a_person_staged_stays_staged_when_the_commit_fails() {
    let (sandbox, _) = waiting();
    let id = sandbox.propose(two_files()).staged();
    sandbox.write_project("new.rs", "// new\n");
    sandbox.git(&["add", "new.rs"]);
    hook(&sandbox, "pre-commit", "exit 1");
    expect_applied_alone(&sandbox, &id, 1, "git commit");
    assert!(sandbox.git(&["status", "--porcelain"]).contains("A  new.rs"));
}

#[test]
fn what_a_hook_changes_is_told_and_not_claimed() {
    let (sandbox, id) = waiting();
    let path = ".agent-memory/conventions.md";
    hook(&sandbox, "pre-commit", &format!("echo 'By a hook.' >> {path}; git add {path}"));
    let answer = commit(&sandbox, &id).applied();
    let warnings = answer["commit"]["warnings"].to_string();
    assert!(
        warnings.contains("`conventions.md` in the commit is not what was approved"),
        "{warnings}"
    );
    assert_eq!(answer["commit"]["sections"], json!([]), "the hook changed the section");
    assert_eq!(answer["commit"]["id"], head(&sandbox));
}

#[test]
fn what_a_hook_adds_beside_the_store_is_told() {
    let (sandbox, id) = waiting();
    hook(&sandbox, "pre-commit", "echo made > made.txt; git add made.txt");
    let answer = commit(&sandbox, &id).applied();
    let warnings = answer["commit"]["warnings"].to_string();
    assert!(warnings.contains("outside of the store too: made.txt"), "{warnings}");
    assert!(files_of_head(&sandbox).contains(&"A made.txt".to_owned()));
    assert_eq!(answer["commit"]["sections"].as_array().unwrap().len(), 1);
}

#[test]
fn a_file_that_a_hook_takes_out_is_not_claimed() {
    let (sandbox, _) = waiting();
    let id = sandbox.propose(two_files()).staged();
    hook(&sandbox, "pre-commit", "git rm --cached --quiet .agent-memory/modules/net.md");
    let answer = commit(&sandbox, &id).applied();
    assert_eq!(answer["commit"]["files"], json!(["modules/auth.md"]));
    assert_eq!(answer["commit"]["sections"].as_array().unwrap().len(), 1);
    let warnings = answer["commit"]["warnings"].to_string();
    assert!(warnings.contains("does not hold `modules/net.md`"), "{warnings}");
}

#[test]
fn a_message_that_a_hook_rewrote_names_no_approver() {
    let (sandbox, id) = waiting();
    hook(&sandbox, "commit-msg", "echo 'memory: by a hook' > \"$1\"");
    let answer = commit(&sandbox, &id).applied();
    assert_eq!(answer["commit"]["id"], head(&sandbox));
    assert_eq!(answer["commit"]["approver"], Value::Null);
}

#[test]
fn a_commit_of_a_hook_is_not_taken_for_ours() {
    let (sandbox, id) = waiting();
    hook(
        &sandbox,
        "post-commit",
        "test -e once && exit; touch once; git commit --quiet --allow-empty -m after",
    );
    let answer = commit(&sandbox, &id).applied();
    assert_eq!(answer["commit"]["id"], sandbox.git(&["rev-parse", "HEAD^"]).trim());
    assert_eq!(answer["commit"]["files"], json!(["conventions.md"]));
}

#[test]
fn no_word_of_an_agent_is_in_the_message() {
    let sandbox = Sandbox::new();
    sandbox.commit("the store");
    let said = [
        "[skip ci] tidy",
        "Closes #1",
        "ask @ada",
        "skip-checks: true\n\nCo-authored-by: X <x@y.z>",
    ];
    for (number, words) in said.into_iter().enumerate() {
        let mut request =
            convention(&format!("Rule {number}"), &format!("What rule {number} says."));
        request["rationale"] = json!(words);
        request["owner"] = json!(format!("[skip ci] #{number} @bot"));
        let id = sandbox.propose(request).staged();
        commit(&sandbox, &id).applied();
        let message = sandbox.git(&["show", "-s", "--format=%B", "HEAD"]);
        let expected = format!(
            "memory: apply conventions.md#rule-{number}\n\nadded conventions.md#rule-{number}\n\n\
             Agent-Memory-Proposal: {id}\nAgent-Memory-Owner: skip-ci-{number}-bot\n\
             Agent-Memory-Approver: Ada\n\n"
        );
        assert_eq!(message, expected);
    }
}

#[test]
fn a_comment_sign_of_a_person_takes_no_line_out_of_the_message() {
    let (sandbox, id) = waiting();
    sandbox.git(&["config", "commit.cleanup", "strip"]);
    sandbox.git(&["config", "core.commentChar", "m"]);
    sandbox.git(&["config", "commit.verbose", "true"]);
    commit(&sandbox, &id).applied();
    assert_eq!(sandbox.git(&["log", "-1", "--format=%s"]), "memory: apply conventions.md#errors\n");
}

#[test]
fn a_commit_in_a_linked_worktree_runs_the_hooks_and_stays_there() {
    let (sandbox, _) = waiting();
    sandbox.git(&["worktree", "add", "--quiet", "-b", "topic", "../topic"]);
    hook(&sandbox, "post-commit", "git rev-parse --show-toplevel > ../where");
    let there = |arguments: &[&str]| sandbox.call(arguments).within("../topic");
    let propose = there(&["propose"]).stdin(two_files().to_string());
    let id = propose.run().answer().staged();
    let main = head(&sandbox);
    let answer = there(&["apply", &id, "--commit", "--approver", "Ada", "--json"]).run().answer();
    let answer = answer.applied();
    assert_eq!(answer["commit"]["id"], sandbox.git(&["rev-parse", "topic"]).trim());
    assert_eq!(answer["commit"]["warnings"], json!([]));
    assert_eq!(head(&sandbox), main);
    let ran = fs::read_to_string(sandbox.root().join("where")).unwrap();
    assert!(ran.trim_end().ends_with("/topic"), "{ran}");
    assert_eq!(sandbox.git(&["-C", "../topic", "status", "--porcelain"]), "");
}

#[test]
fn an_index_of_the_persons_own_is_used_where_it_is_one_of_this_repository() {
    let (sandbox, id) = waiting();
    let index = sandbox.project().join(".git/own-index");
    fs::copy(sandbox.project().join(".git/index"), &index).unwrap();
    let before = fs::read(sandbox.project().join(".git/index")).unwrap();
    let apply = ["apply", &id, "--commit", "--approver", "Ada", "--json"];
    let call = sandbox.call(&apply).env("GIT_INDEX_FILE", index.to_str().unwrap());
    assert_eq!(call.run().answer().applied()["commit"]["id"], head(&sandbox));
    assert_eq!(fs::read(sandbox.project().join(".git/index")).unwrap(), before);
}
