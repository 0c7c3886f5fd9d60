//! `apply --commit`: one commit of one proposal, beside what a person has at work.

use std::fs;
use std::process::{Command, Stdio};
use std::thread;

use serde_json::{Value, json};

use crate::requests::{TELLING, convention, new_body, two_files};
use crate::support::{Answer, Reply, Sandbox, replace_placeholders};

/// A committed store in which a convention waits.
fn waiting() -> (Sandbox, String) {
    let sandbox = Sandbox::new();
    sandbox.commit("the store");
    let mut request = convention("Errors", TELLING);
    request["rationale"] = json!("Errors that\n  help");
    let id = sandbox.propose(request).staged();
    (sandbox, id)
}

fn commit(sandbox: &Sandbox, id: &str) -> Answer {
    sandbox.run(&["apply", id, "--commit", "--approver", "Ada", "--json"]).answer()
}

fn head(sandbox: &Sandbox) -> String {
    sandbox.git(&["rev-parse", "HEAD"]).trim().to_owned()
}

/// Returns the files of the last commit, with what happened to each.
fn files_of_head(sandbox: &Sandbox) -> Vec<String> {
    let said = sandbox.git(&["show", "--name-status", "--format=", "HEAD"]);
    said.lines().map(|line| line.replace('\t', " ")).collect()
}

/// Expects that neither a commit was made nor anything applied.
#[track_caller]
fn expect_nothing(sandbox: &Sandbox, id: &str, word: &str) {
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
    assert_eq!(answer["commit"]["files"], json!(["conventions.md", "index.md"]));
    assert_eq!(answer["commit"]["warnings"], json!([]));
    let message = sandbox.git(&["show", "-s", "--format=%P %an <%ae>%n%B", "HEAD"]);
    insta::assert_snapshot!(message.replace(&id, "[id]").replace(&before, "[before]"), @r"
    [before] Ada <ada@example.org>
    memory: Errors that help

    added conventions.md#errors

    Agent-Memory-Proposal: [id]
    Agent-Memory-Approver: Ada
    ");
    let named = "--format=%(trailers:key=Agent-Memory-Proposal,valueonly)";
    assert_eq!(sandbox.git(&["show", "-s", named, "HEAD"]).trim(), id);
    assert_eq!(
        files_of_head(&sandbox),
        ["M .agent-memory/conventions.md", "M .agent-memory/index.md"]
    );
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "");
    assert!(
        !fs::read_dir(sandbox.project().join(".git")).unwrap().any(|entry| {
            entry.unwrap().file_name().to_string_lossy().starts_with("agent-memory")
        })
    );
}

#[test]
fn a_commit_is_said_in_words_and_known_to_blame() {
    let (sandbox, id) = waiting();
    let reply = sandbox.run(&["apply", &id, "--commit", "--approver", "Ada"]).expect_code(0);
    let short = &head(&sandbox)[..12];
    assert!(reply.stdout.ends_with(&format!("committed {short}\n")), "{}", reply.stdout);
    let blamed = sandbox.run(&["blame", "conventions.md#errors", "--json"]).expect_code(0).json();
    assert_eq!(blamed["sections"][0]["commit"]["proposal_id"], json!(id));
}

#[test]
fn another_clone_knows_from_the_commit_who_proposed_and_who_approved() {
    let sandbox = Sandbox::new();
    sandbox.commit("the store");
    let mut request = convention("Errors", TELLING);
    request["owner"] = json!("otto");
    let id = sandbox.propose(request).staged();
    commit(&sandbox, &id).applied();
    sandbox.git(&["clone", "--quiet", ".", "../tmp/clone"]);
    let blame = sandbox.call(&["blame", "conventions.md#errors"]).within("../tmp/clone");
    let said = blame.run().expect_code(0).stdout;
    assert!(said.contains(&format!("{id} from otto")), "{said}");
    assert!(said.contains("by Ada, as the commit says"), "{said}");
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
    assert!(said.contains("by Jörg, as the commit says"), "{said}");
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
        let others = all
            .lines()
            .filter(|line| !line.ends_with("conventions.md") && !line.ends_with("index.md"));
        (
            others.collect::<Vec<_>>().join("\n"),
            sandbox.git(&["diff", "--cached"]),
            sandbox.git(&["diff"]),
        )
    };
    let before = staged(&sandbox);
    commit(&sandbox, &id).applied();
    assert_eq!(staged(&sandbox), before);
    assert_eq!(
        files_of_head(&sandbox),
        ["M .agent-memory/conventions.md", "M .agent-memory/index.md"]
    );
}

#[test]
fn two_proposals_are_two_commits() {
    let sandbox = Sandbox::new();
    sandbox.commit("the store");
    let one = sandbox.propose(convention("Errors", TELLING)).staged();
    let two = sandbox.propose(two_files()).staged();
    sandbox.run(&["apply", &one, &two, "--commit", "--approver", "Ada"]).expect_code(0);
    let subjects = sandbox.git(&["log", "--format=%s", "-2"]);
    assert_eq!(subjects, "memory: How tokens rotate\nmemory: update conventions\n");
    let new = ["A .agent-memory/modules/auth.md", "A .agent-memory/modules/net.md"];
    assert_eq!(files_of_head(&sandbox), [&["M .agent-memory/index.md"], &new[..]].concat());
}

#[test]
fn the_table_of_contents_of_a_commit_names_no_section_that_is_in_no_commit() {
    let (sandbox, id) = waiting();
    sandbox.run(&["apply", &id, "--approver", "Ada"]).expect_code(0);
    let two = sandbox.propose(two_files()).staged();
    commit(&sandbox, &two).applied();
    let committed = sandbox.git(&["show", "HEAD:.agent-memory/index.md"]);
    assert!(committed.contains("modules/auth.md") && !committed.contains("errors"), "{committed}");
    assert!(sandbox.file("index.md").contains("errors"));
    sandbox.git(&["clone", "--quiet", ".", "../clone"]);
    sandbox.run(&["check", "--root", "../clone", "--deny", "index-outdated"]).expect_code(0);
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
fn staged_changes_of_the_same_file_are_nobody_elses_to_commit() {
    let (sandbox, id) = waiting();
    sandbox.append("conventions.md", "\nBy hand.\n");
    sandbox.git(&["add", "--all"]);
    expect_nothing(&sandbox, &id, "`conventions.md` has staged changes");
    sandbox.git(&["reset", "--quiet"]);
    commit(&sandbox, &id).applied();
}

#[test]
fn what_a_person_changes_in_the_same_file_is_left_out() {
    let (sandbox, id) = waiting();
    sandbox.append("conventions.md", "\nBy hand.\n");
    let answer = commit(&sandbox, &id).applied();
    assert_eq!(answer["commit"]["warnings"], json!([]));
    let committed = sandbox.git(&["show", "HEAD:.agent-memory/conventions.md"]);
    assert!(committed.contains(TELLING) && !committed.contains("By hand."), "{committed}");
    let left = sandbox.git(&["diff", "--", ".agent-memory/conventions.md"]);
    assert!(left.contains("+By hand.") && !left.contains(TELLING), "{left}");
}

#[test]
fn what_cannot_be_told_apart_is_told_of() {
    let (sandbox, id) = waiting();
    commit(&sandbox, &id).applied();
    sandbox.append("conventions.md", "- By hand\n");
    let id = sandbox.propose(new_body("errors", "- Name a path")).staged();
    let answer = commit(&sandbox, &id).applied();
    let warning = answer["commit"]["warnings"][0].as_str().unwrap();
    assert!(warning.ends_with("in this commit too: conventions.md"), "{warning}");
    assert_eq!(sandbox.git(&["status", "--porcelain", "--untracked-files=no"]), "");
}

#[test]
fn line_ends_that_git_converts_are_no_change_of_a_person() {
    let (sandbox, id) = waiting();
    commit(&sandbox, &id).applied();
    for (value, by_hand) in [("true", "By hand."), ("input", "By the other hand.")] {
        sandbox.git(&["config", "core.autocrlf", value]);
        let windows = sandbox.file("conventions.md").replace("\r\n", "\n").replace('\n', "\r\n");
        sandbox.write("conventions.md", windows.replacen("\r\n", &format!("\r\n{by_hand}\r\n"), 1));
        let news = format!("They name a path.\nThey are short, says {value}.");
        let id = sandbox.propose(new_body("errors", &news)).staged();
        let answer = commit(&sandbox, &id).applied();
        assert_eq!(answer["commit"]["warnings"], json!([]));
        let committed = sandbox.git(&["show", "HEAD:.agent-memory/conventions.md"]);
        assert!(committed.contains(&news) && !committed.contains(by_hand), "{committed}");
        assert!(!committed.contains('\r'), "{committed:?}");
    }
}

#[test]
fn the_table_of_contents_of_a_commit_names_no_section_that_is_left_out() {
    let (sandbox, id) = waiting();
    sandbox.append("conventions.md", "\n## By hand\n\nNot yet.\n");
    commit(&sandbox, &id).applied();
    let committed = sandbox.git(&["show", "HEAD:.agent-memory/index.md"]);
    assert!(committed.contains("errors") && !committed.contains("By hand"), "{committed}");
}

#[test]
fn a_file_that_was_in_no_commit_is_told_of() {
    let (sandbox, id) = waiting();
    sandbox.git(&["rm", "--cached", "--quiet", ".agent-memory/conventions.md"]);
    sandbox.git(&["commit", "--quiet", "-m", "forget"]);
    let answer = commit(&sandbox, &id).applied();
    let warning = answer["commit"]["warnings"][0].as_str().unwrap();
    assert!(warning.ends_with("in this commit too: conventions.md"), "{warning}");
}

#[test]
fn a_secret_of_a_person_that_is_in_no_commit_is_not_committed() {
    let (sandbox, id) = waiting();
    sandbox.git(&["rm", "--cached", "--quiet", ".agent-memory/conventions.md"]);
    sandbox.git(&["commit", "--quiet", "-m", "forget"]);
    let token = replace_placeholders("{{GITHUB_TOKEN}}");
    sandbox.append("conventions.md", &format!("\n## By hand\n\n{token}\n"));
    let before = head(&sandbox);
    let reply = sandbox.run(&["apply", &id, "--commit", "--approver", "Ada"]);
    assert!(reply.stderr.contains("`conventions.md` holds what looks like a secret"));
    assert!(reply.stderr.contains("the change is in the files"), "{}", reply.stderr);
    assert_eq!(head(&sandbox), before);
    // What a commit has already is no news.
    sandbox.git(&["add", "--all"]);
    sandbox.git(&["commit", "--quiet", "-m", "by hand"]);
    let edited = sandbox.file("conventions.md").replace(TELLING, "- By hand");
    sandbox.write("conventions.md", edited);
    let id = sandbox.propose(new_body("errors", "- Name a path")).staged();
    let answer = commit(&sandbox, &id).applied();
    let warning = answer["commit"]["warnings"][0].as_str().unwrap();
    assert!(warning.ends_with("in this commit too: conventions.md"), "{warning}");
}

#[test]
fn commits_at_the_same_time_wait_for_each_other_and_take_nothing_back() {
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
            assert_eq!(reply.answer().applied()["commit"]["warnings"], json!([]));
        }
        assert_eq!(sandbox.git(&["status", "--short", "--untracked-files=no"]), "");
    }
}

#[test]
fn nothing_lands_while_another_commit_takes_too_long() {
    let (sandbox, id) = waiting();
    let held = fs::File::open(sandbox.project().join(".git")).unwrap();
    held.lock().unwrap();
    let before = sandbox.tree();
    let apply = ["apply", &id, "--commit", "--wait", "0", "--approver", "Ada", "--json"];
    let reply = sandbox.run(&apply).expect_code(2);
    assert_eq!(reply.json()["error"]["code"], "lock_held");
    assert_eq!(sandbox.tree(), before);
    // Who makes no commit waits for nobody's passphrase.
    let other = sandbox.propose(convention("Dates", "They are ISO 8601.")).staged();
    sandbox.run(&["apply", &other, "--wait", "0", "--approver", "Ada"]).expect_code(0);
    drop(held);
    commit(&sandbox, &id).applied();
}

#[test]
fn what_waits_nowhere_waits_for_no_commit_of_another() {
    let (sandbox, id) = waiting();
    sandbox.run(&["reject", &id]).expect_code(0);
    let held = fs::File::open(sandbox.project().join(".git")).unwrap();
    held.lock().unwrap();
    for name in ["nosuch", &id] {
        let apply = ["apply", name, "--commit", "--wait", "0", "--approver", "Ada", "--json"];
        sandbox.run(&apply).answer().rejected("staging_not_found");
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
    assert_eq!(
        files_of_head(&sandbox),
        ["A .agent-memory/conventions.md", "A .agent-memory/index.md"]
    );
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
fn where_git_ignores_the_files_there_is_nothing_to_commit() {
    let sandbox =
        Sandbox::given(&[("config.toml", "[routing.categories]\nsessions = \"stage\"\n")]);
    sandbox.commit("the store");
    let before = head(&sandbox);
    let id = sandbox.propose(crate::requests::session("Today", "Done.")).staged();
    let answer = commit(&sandbox, &id).applied();
    assert_eq!(answer["commit"]["nothing"], "git does not track these files");
    sandbox.write_project(".gitignore", ".agent-memory/\n");
    sandbox.git(&["rm", "-r", "--cached", "--quiet", ".agent-memory"]);
    sandbox.git(&["commit", "--quiet", "-m", "forget"]);
    let id = sandbox.propose(convention("Errors", TELLING)).staged();
    let reply = sandbox.run(&["apply", &id, "--commit", "--approver", "Ada"]).expect_code(0);
    assert!(
        reply.stdout.ends_with("nothing to commit: git does not track these files\n"),
        "{}",
        reply.stdout
    );
    assert_ne!(before, head(&sandbox));
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
    let files =
        ["conventions.md", "index.md"].map(|name| format!("M {folder}/.agent-memory/{name}"));
    assert_eq!(files_of_head(&sandbox), files);
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "");
}

#[test]
fn no_hook_runs() {
    let (sandbox, id) = waiting();
    for hook in ["pre-commit", "commit-msg", "post-commit", "reference-transaction"] {
        let path = format!(".git/hooks/{hook}");
        sandbox.write_project(
            &path,
            "#!/bin/sh\ntouch \"$(git rev-parse --show-toplevel)/hook-ran\"\nexit 1\n",
        );
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::Permissions::from_mode(0o755);
            fs::set_permissions(sandbox.project().join(path), mode).unwrap();
        }
    }
    commit(&sandbox, &id).applied();
    assert!(!sandbox.project().join("hook-ran").exists());
}

#[test]
fn where_no_folder_can_be_locked_commits_wait_for_each_other_all_the_same() {
    if Command::new("strace").arg("-V").stdout(Stdio::null()).status().is_err() {
        return println!("skipped: there is no `strace` (Debian package `strace`)");
    }
    let (sandbox, id) = waiting();
    let lock = fs::File::create(sandbox.project().join(".git/agent-memory-lock")).unwrap();
    lock.lock().unwrap();
    let mut command = Command::new("strace");
    // As on NFS.
    command.args(["-qq", "-o", "/dev/null", "-e", "inject=flock:error=EBADF:when=1"]);
    command.arg(env!("CARGO_BIN_EXE_agent-memory")).args(["apply", &id, "--commit"]);
    command.args(["--wait", "0", "--approver", "Ada"]).current_dir(sandbox.project());
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap());
    command.env("XDG_CONFIG_HOME", sandbox.root().join("config"));
    for name in ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"]
    {
        command.env(name, "ada@example.org");
    }
    let said = Reply::of(command.output().unwrap()).expect_code(2).stderr;
    assert!(said.contains("waited 0 s for another process"), "{said}");
    drop(lock);
    let said = Reply::of(command.output().unwrap()).expect_code(0).stdout;
    assert!(said.contains("committed"), "{said}");
}
