//! What the environment and the settings of the machine say of other repositories and of programs.

use std::fs;

use super::{marker, program, said};
use crate::requests::convention;
use crate::support::Sandbox;

/// Variables that lead git elsewhere; `@` is a folder outside of the repository.
const LEADING: [(&str, &str); 17] = [
    ("GIT_DIR", "@/other.git"),
    ("GIT_WORK_TREE", "@"),
    ("GIT_COMMON_DIR", "@/other.git"),
    ("GIT_INDEX_FILE", "@/index"),
    ("GIT_OBJECT_DIRECTORY", "@/objects"),
    ("GIT_ALTERNATE_OBJECT_DIRECTORIES", "@/objects"),
    ("GIT_CONFIG", "@/config"),
    ("GIT_ATTR_SOURCE", "HEAD~99"),
    ("GIT_REPLACE_REF_BASE", "refs/heads/"),
    ("GIT_NAMESPACE", "other"),
    ("GIT_GRAFT_FILE", "@/grafts"),
    ("GIT_SHALLOW_FILE", "@/shallow"),
    ("GIT_EXTERNAL_DIFF", "@/program"),
    ("GIT_LITERAL_PATHSPECS", "0"),
    ("GIT_ICASE_PATHSPECS", "1"),
    ("GIT_TRACE", "@/trace"),
    ("GIT_TEMPLATE_DIR", "@/template"),
];

fn commands() -> [&'static [&'static str]; 8] {
    [
        &["status", "--worktrees", "--json"],
        &["check", "--json"],
        &["check", "--base", "HEAD", "--json"],
        &["check", "--staged", "--base", "HEAD", "--json"],
        &["blame", "conventions.md", "--json"],
        &["context", "--changed"],
        &["doctor", "--json"],
        &["install", "git", "--check"],
    ]
}

#[test]
fn no_variable_leads_git_elsewhere() {
    let mut sandbox = Sandbox::new();
    sandbox.commit("base");
    let id = sandbox.propose(convention("Keys", "Keys are rotated.")).staged();
    sandbox.apply(&id).applied();
    sandbox.git(&["switch", "--quiet", "--create", "topic"]);
    let before = commands().map(|command| said(&sandbox.run(command)));
    let elsewhere = sandbox.root().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    for (name, value) in LEADING {
        let value = value.replace('@', &elsewhere.display().to_string());
        let reply = |command: &[&str]| said(&sandbox.call(command).env(name, &value).run());
        assert_eq!(commands().map(reply), before, "{name}");
    }
    for (name, value) in LEADING {
        sandbox.set_env(name, &value.replace('@', &elsewhere.display().to_string()));
    }
    let files = sandbox.propose(super::state_of_the_work()).applied().value;
    assert!(files.to_string().contains("local/current.topic.md"), "{files}");
    sandbox.run(&["demo"]).expect_code(0);
    let left: Vec<_> = fs::read_dir(&elsewhere).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn looking_runs_no_program_of_the_settings() {
    let sandbox = Sandbox::new();
    sandbox.write_project(".gitattributes", "*.rs filter=evil diff=evil\n*.md filter=evil\n");
    sandbox.commit("base");
    let evil = program(&sandbox);
    for name in [
        "core.fsmonitor",
        "filter.evil.clean",
        "filter.evil.process",
        "diff.evil.textconv",
        "diff.evil.command",
        "core.sshCommand",
        "gpg.program",
    ] {
        sandbox.git(&["config", name, &evil]);
    }
    sandbox.git(&["config", "log.showSignature", "true"]);
    let hook = sandbox.project().join(".git/hooks/post-index-change");
    super::write(hook.clone(), &format!("#!/bin/sh\n{evil}\n"));
    #[cfg(unix)]
    fs::set_permissions(hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    // As old as the index, so that git compares what is in them.
    sandbox.write_project("src/auth/refresh.rs", "pub fn other() {}\n");
    sandbox.append("conventions.md", "\nA line.\n");
    for command in commands() {
        sandbox.run(command);
        assert!(!marker(&sandbox).exists(), "{command:?}");
    }
}

#[test]
fn a_store_in_no_repository_asks_none_further_up() {
    // `.git` is there and is none that git takes: the repository around it is not ours.
    let sandbox = Sandbox::without_store();
    sandbox.write_project("inner/a.rs", "one\n");
    sandbox.run(&["init", "--root", "inner"]).expect_code(0);
    fs::create_dir(sandbox.project().join("inner/.git")).unwrap();
    sandbox.run(&["init", "--root", "inner"]).expect_code(2);
    let reply = sandbox.call(&["blame", "conventions.md"]).within("inner").run().expect_code(0);
    // The window breaks the line.
    let told = reply.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("is a folder without `HEAD`"), "{told}");
}

#[cfg(unix)]
#[test]
fn a_folder_with_an_odd_name_is_no_pattern_and_no_other_path() {
    let sandbox = Sandbox::without_store();
    let folder = ":(top)a\\b [c] *";
    fs::create_dir(sandbox.project().join(folder)).unwrap();
    sandbox.run(&["init", "--root", folder]).expect_code(0);
    sandbox.commit("base");
    let request = convention("Keys", "Keys are rotated.").to_string();
    let propose = sandbox.call(&["propose"]).within(folder).stdin(request);
    let id = propose.run().answer().staged();
    let apply = ["apply", &id, "--approver", "Ada", "--commit"];
    sandbox.call(&apply).within(folder).run().expect_code(0);
    let changed =
        sandbox.git(&["-c", "core.quotePath=false", "show", "--format=", "--name-only", "-z"]);
    assert!(changed.contains(&format!("{folder}/.agent-memory/conventions.md")), "{changed}");
    for command in [&["check", "--base", "HEAD~1"][..], &["check", "--staged"]] {
        sandbox.call(command).within(folder).run().expect_code(0);
    }
    let blamed = sandbox.call(&["blame", "conventions.md"]).within(folder).run().expect_code(0);
    assert!(blamed.stdout.contains(&id), "{}", blamed.stdout);
}
