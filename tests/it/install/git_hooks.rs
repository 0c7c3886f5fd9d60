//! `install git --hooks` adds a check before each commit to the hooks that a repository has, and takes it out again.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output};

use crate::support::Sandbox;
use crate::yaml;

const HOOK: &str = ".git/hooks/pre-commit";

fn install(sandbox: &Sandbox, more: &[&str]) -> String {
    sandbox.run(&[&["install", "git"], more].concat()).expect_code(0).stdout
}

fn refused(sandbox: &Sandbox) -> String {
    let before = fs::read(sandbox.project().join(".git/config")).unwrap();
    let said = sandbox.run(&["install", "git", "--hooks"]).expect_code(2).stderr;
    let after = fs::read(sandbox.project().join(".git/config")).unwrap();
    assert_eq!(before, after, "nothing is half set up");
    said
}

fn write_hook(sandbox: &Sandbox, path: &str, text: &str) {
    sandbox.write_project(path, text);
    let mode = Permissions::from_mode(0o755);
    fs::set_permissions(sandbox.project().join(path), mode).unwrap();
}

fn read(sandbox: &Sandbox, path: &str) -> String {
    fs::read_to_string(sandbox.project().join(path)).unwrap()
}

/// Commits all with git, with our program on the path or without it.
fn commit(sandbox: &Sandbox, with_program: bool) -> Output {
    sandbox.git(&["add", "--all"]);
    let program = Path::new(env!("CARGO_BIN_EXE_agent-memory")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let first = with_program.then(|| program.to_path_buf());
    let path = std::env::join_paths(first.into_iter().chain(std::env::split_paths(&path)));
    let mut git = Command::new("git");
    git.args(["commit", "--quiet", "--allow-empty", "--message", "x"]);
    git.current_dir(sandbox.project()).env_clear().envs(sandbox.variables());
    git.env("PATH", path.unwrap()).output().unwrap()
}

const WITHOUT_ID: &str = "# Pitfalls\n\n## Cache\n\nWarm.\n";

#[test]
fn a_commit_that_brings_in_something_wrong_is_stopped() {
    let sandbox = Sandbox::new();
    assert!(install(&sandbox, &["--hooks"]).contains(&format!("set hook {HOOK}\n")));
    assert_eq!(install(&sandbox, &["--hooks"]), "nothing to do\n");
    assert!(commit(&sandbox, true).status.success(), "also the first commit");
    sandbox.write("pitfalls.md", WITHOUT_ID);
    let output = commit(&sandbox, true);
    assert!(!output.status.success());
    let said = [output.stdout, output.stderr].concat();
    assert!(String::from_utf8_lossy(&said).contains("[id-missing]"), "{said:?}");
    sandbox.git(&["reset", "--quiet", "--hard"]);
    assert!(commit(&sandbox, true).status.success());
    assert!(install(&sandbox, &["--uninstall"]).contains(&format!("unset hook {HOOK}\n")));
    assert!(!sandbox.project().join(HOOK).exists());
}

#[test]
fn a_machine_without_the_program_is_told_and_not_stopped() {
    let sandbox = Sandbox::new();
    write_hook(&sandbox, HOOK, "#!/bin/sh\necho theirs > ran\n");
    install(&sandbox, &["--hooks"]);
    sandbox.write("pitfalls.md", WITHOUT_ID);
    let output = commit(&sandbox, false);
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("agent-memory is not installed here"), "{said}");
    assert_eq!(read(&sandbox, "ran"), "theirs\n", "the person's own hook runs all the same");
}

#[test]
fn a_hook_of_a_person_comes_back_to_the_byte() {
    let sandbox = Sandbox::new();
    let theirs = "#!/usr/bin/env bash\nset -eu\necho \"no line end\"";
    write_hook(&sandbox, HOOK, theirs);
    let before = sandbox.git(&["config", "--list", "--local"]);
    install(&sandbox, &["--hooks"]);
    assert!(read(&sandbox, HOOK).starts_with("#!/usr/bin/env bash\n# BEGIN agent-memory"));
    install(&sandbox, &["--uninstall"]);
    assert_eq!(read(&sandbox, HOOK), theirs);
    let mode = fs::metadata(sandbox.project().join(HOOK)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o755);
    assert_eq!(sandbox.git(&["config", "--list", "--local"]), before);
}

#[test]
fn husky_and_lefthook_keep_the_hook_where_a_team_shares_it() {
    let sandbox = Sandbox::new();
    let theirs = "pre-commit:\n  parallel: true\n  commands:\n    lint:\n      run: npm run lint\n";
    sandbox.write_project("lefthook.yml", theirs);
    assert!(install(&sandbox, &["--hooks"]).contains("set hook lefthook.yml\n"));
    let file = yaml::read(&read(&sandbox, "lefthook.yml"));
    let commands = &file["pre-commit"]["commands"];
    let run = commands["agent-memory"]["run"].as_str().unwrap();
    assert!(run.contains("command -v agent-memory") && run.contains("check --staged"), "{run}");
    assert_eq!(commands["lint"]["run"], "npm run lint");
    sandbox.write_project(".husky/pre-commit", "npm test\n");
    sandbox.git(&["config", "core.hooksPath", ".husky/_"]);
    assert!(install(&sandbox, &["--hooks"]).contains("set hook .husky/pre-commit\n"));
    assert!(read(&sandbox, ".husky/pre-commit").ends_with("# END agent-memory\nnpm test\n"));
    let removed = install(&sandbox, &["--uninstall"]);
    assert!(removed.contains("unset hook lefthook.yml\nunset hook .husky/pre-commit\n"));
    assert_eq!(read(&sandbox, "lefthook.yml"), theirs);
    assert_eq!(read(&sandbox, ".husky/pre-commit"), "npm test\n");
    assert!(!sandbox.project().join(HOOK).exists());
}

#[test]
fn the_folder_of_hooks_is_that_of_git_and_never_one_outside() {
    let sandbox = Sandbox::new();
    sandbox.git(&["config", "core.hooksPath", "tools/hooks"]);
    assert!(install(&sandbox, &["--hooks"]).contains("set hook tools/hooks/pre-commit\n"));
    sandbox.write("pitfalls.md", WITHOUT_ID);
    assert!(!commit(&sandbox, true).status.success(), "git runs it");
    let outside = sandbox.root().join("shared-hooks");
    fs::create_dir(&outside).unwrap();
    let sandbox = Sandbox::new();
    for folder in [outside.to_str().unwrap(), "../shared-hooks", "~/hooks"] {
        sandbox.git(&["config", "core.hooksPath", folder]);
        let said = refused(&sandbox);
        assert!(said.contains("`core.hooksPath` leads out of the repository"), "{said}");
        assert!(said.contains("agent-memory check --staged --base HEAD"), "{said}");
        install(&sandbox, &["--uninstall"]);
    }
    assert_eq!(fs::read_dir(outside).unwrap().count(), 0);
}

#[test]
fn what_cannot_be_edited_is_refused_with_what_a_person_can_do() {
    let sandbox = Sandbox::new();
    write_hook(&sandbox, HOOK, "#!/usr/bin/env python3\nprint('x')\n");
    let said = refused(&sandbox);
    assert!(said.contains("no shell script") && said.contains("let the hook run"), "{said}");
    fs::remove_file(sandbox.project().join(HOOK)).unwrap();
    sandbox.write_project("scripts/hook", "#!/bin/sh\n");
    symlink("../../scripts/hook", sandbox.project().join(HOOK)).unwrap();
    assert!(refused(&sandbox).contains("it is a link"));
    assert_eq!(read(&sandbox, "scripts/hook"), "#!/bin/sh\n");
    sandbox.write_project(".pre-commit-config.yaml", "repos: []\n");
    assert!(refused(&sandbox).contains("agent-memory ci pre-commit"));
    let said = sandbox.run(&["install", "git", "--hooks", "--user"]).expect_code(2).stderr;
    assert!(said.contains("a hook belongs to one repository"), "{said}");
}

#[test]
fn all_stores_of_a_repository_are_checked() {
    let sandbox = Sandbox::new();
    fs::create_dir_all(sandbox.project().join("it's/mail")).unwrap();
    sandbox.run(&["init", "--root", "it's/mail"]).expect_code(0);
    install(&sandbox, &["--hooks"]);
    assert!(commit(&sandbox, true).status.success());
    sandbox.write_project("it's/mail/.agent-memory/pitfalls.md", WITHOUT_ID);
    assert!(!commit(&sandbox, true).status.success());
}

#[test]
fn nothing_is_written_where_it_is_only_looked_at() {
    let sandbox = Sandbox::new();
    let planned = install(&sandbox, &["--hooks", "--dry-run"]);
    assert!(planned.contains(&format!("would be set hook {HOOK}\n")), "{planned}");
    sandbox.run(&["install", "git", "--hooks", "--check"]).expect_code(1);
    assert!(!sandbox.project().join(HOOK).exists());
    install(&sandbox, &["--hooks"]);
    sandbox.run(&["install", "git", "--hooks", "--check"]).expect_code(0);
}

/// Installs with a hook, and spoils the hook; returns what `uninstall` says of it, once the settings are gone.
fn uninstalled_over(spoil: impl Fn(&Sandbox), code: i32) -> String {
    let sandbox = Sandbox::new();
    let before = sandbox.git(&["config", "--list", "--local"]);
    install(&sandbox, &["--hooks"]);
    spoil(&sandbox);
    let hook = fs::read(sandbox.project().join(HOOK)).unwrap();
    let said = sandbox.run(&["install", "git", "--uninstall"]).expect_code(code);
    assert!(said.stdout.contains("unset merge.agent-memory.driver\n"), "{said:?}");
    let again = sandbox.run(&["install", "git", "--uninstall"]).expect_code(code);
    let is_left = again.stderr.contains("left alone");
    assert_eq!(again.stdout, if is_left { "" } else { "nothing to do\n" });
    let all = sandbox.run(&["uninstall", "--all"]).expect_code(code).stdout;
    assert!(!all.contains("nothing to do") || !is_left, "{all}");
    let all = sandbox.run(&["uninstall", "--all", "--json"]).expect_code(code).json();
    assert_eq!(all["status"], if code == 0 { "current" } else { "left" }, "{all}");
    assert_eq!(sandbox.git(&["config", "--list", "--local"]), before);
    assert_eq!(fs::read(sandbox.project().join(HOOK)).unwrap(), hook);
    said.stderr
}

#[test]
fn a_hook_that_cannot_be_edited_is_named_and_the_rest_is_taken_out() {
    let path = |sandbox: &Sandbox| sandbox.project().join(HOOK);
    let linked = |sandbox: &Sandbox| {
        sandbox.write_project("scripts/hook", "#!/bin/sh\n");
        fs::remove_file(path(sandbox)).unwrap();
        symlink("../../scripts/hook", path(sandbox)).unwrap();
    };
    let said = uninstalled_over(linked, 0);
    assert!(said.contains(&format!("left alone: `{HOOK}`: it is a link")), "{said}");
    assert!(
        said.contains("if our part is in it, take out the lines from `# BEGIN agent-memory`"),
        "{said}"
    );
    let latin = |sandbox: &Sandbox| {
        let text = [fs::read(path(sandbox)).unwrap(), b"# na\xefve\n".to_vec()].concat();
        fs::write(path(sandbox), text).unwrap();
    };
    let said = uninstalled_over(latin, 1);
    assert!(said.contains(&format!("left alone: `{HOOK}`: it is no text")), "{said}");
    assert!(said.contains("hint: take out the lines from `# BEGIN agent-memory`"), "{said}");
    let without_end = |sandbox: &Sandbox| {
        let text = read(sandbox, HOOK).replace("# END agent-memory", "");
        fs::write(path(sandbox), text).unwrap();
    };
    let said = uninstalled_over(without_end, 1);
    assert!(said.contains("not exactly one pair"), "{said}");
    assert!(said.contains("with one `# END agent-memory` below it"), "{said}");
    assert!(!said.contains("take out the lines"), "the line that ends them is missing: {said}");
    let theirs = |sandbox: &Sandbox| fs::write(path(sandbox), b"#!/bin/sh\n# na\xefve\n").unwrap();
    assert_eq!(uninstalled_over(theirs, 0), "", "it is a hook of a person alone");
}

#[test]
fn a_hook_that_is_a_link_stops_no_uninstall_of_everything() {
    let sandbox = Sandbox::new();
    sandbox.run(&["install", "claude"]).expect_code(0);
    install(&sandbox, &[]);
    sandbox.write_project("scripts/hook", "#!/bin/sh\n");
    fs::create_dir_all(sandbox.project().join(".git/hooks")).unwrap();
    symlink("../../scripts/hook", sandbox.project().join(HOOK)).unwrap();
    let done = sandbox.run(&["uninstall", "--all", "--json"]).expect_code(0).json();
    assert!(done["left"][0]["message"].as_str().unwrap().contains("it is a link"), "{done}");
    assert!(done["settings"].to_string().contains("merge.agent-memory.driver"), "{done}");
}

#[test]
fn the_driver_is_set_up_where_all_stores_are_below() {
    let sandbox = Sandbox::without_store();
    sandbox.write_project("services/mail/readme", "");
    sandbox.write_project("services/shop/readme", "");
    let said = sandbox.run(&["install", "git"]).expect_code(2).stderr;
    assert!(said.contains("agent-memory init"), "{said}");
    for root in ["services/mail", "services/shop"] {
        sandbox.run(&["init", "--root", root]).expect_code(0);
    }
    assert!(install(&sandbox, &["--hooks"]).contains(&format!("set hook {HOOK}\n")));
    assert_eq!(install(&sandbox, &["--hooks"]), "nothing to do\n");
    // From a folder with a store of its own it is the same hook: it runs for every commit.
    for arguments in [&["install", "git", "--hooks"][..], &["install", "git", "--hooks", "--check"]]
    {
        let said = sandbox.call(arguments).within("services/mail").run().expect_code(0);
        assert_eq!(said.stdout, "nothing to do\n");
    }
    let hook = read(&sandbox, HOOK);
    assert!(hook.contains("--root 'services/mail'") && hook.contains("--root 'services/shop'"));
    assert!(install(&sandbox, &["--uninstall"]).contains("unset merge.agent-memory.driver\n"));
    assert!(!sandbox.project().join(HOOK).exists());
}
