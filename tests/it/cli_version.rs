//! `--version`: what somebody who reports a bug is asked for.

use std::process::Command;

use crate::support::{Sandbox, folder};

const VERSION: &str = env!("CARGO_PKG_VERSION");

#[test]
fn the_long_form_names_version_commit_and_sqlite() {
    let sandbox = Sandbox::without_git();
    let said = sandbox.run(&["--version"]).expect_code(0).stdout;
    let (program, sqlite) = said.trim_end().split_once(" SQLite ").unwrap();
    assert!(sqlite.starts_with("3."), "{said}");
    let commit = commit_of_this_repository().map(|commit| format!(" ({commit})"));
    assert_eq!(program, format!("agent-memory {VERSION}{}", commit.unwrap_or_default()));
}

#[test]
fn the_short_form_names_the_version_alone() {
    let sandbox = Sandbox::without_git();
    let said = sandbox.run(&["-V"]).expect_code(0).stdout;
    assert_eq!(said, format!("agent-memory {VERSION}\n"));
}

fn commit_of_this_repository() -> Option<String> {
    let repository = folder("");
    let mut git = Command::new("git");
    git.args(["show", "--no-patch", "--abbrev=7", "--format=%h %cs"]).current_dir(&repository);
    let output = git.output().ok().filter(|output| output.status.success())?;
    repository
        .join(".git")
        .exists()
        .then(|| String::from_utf8(output.stdout).unwrap().trim().into())
}
