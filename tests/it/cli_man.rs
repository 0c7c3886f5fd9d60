//! `man`: the manual, a page for each command.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::Sandbox;

/// Writes the manual as it is installed, and returns the folder `man1`.
fn manual(sandbox: &Sandbox) -> PathBuf {
    let folder = sandbox.root().join("share/man/man1");
    let reply = sandbox.run(&["man", folder.to_str().unwrap(), "--json"]).expect_code(0);
    let told = reply.json()["pages"].as_array().unwrap().iter().map(ToString::to_string).collect();
    let there: BTreeSet<String> = names(&folder).iter().map(|name| format!("{name:?}")).collect();
    assert_eq!(there, told);
    folder
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn every_command_that_is_shown_has_a_page() {
    let sandbox = Sandbox::without_git();
    let pages = names(&manual(&sandbox));
    for name in
        ["agent-memory", "git-agent-memory", "agent-memory-apply", "agent-memory-secrets-scan"]
    {
        assert!(pages.contains(&format!("{name}.1")), "{pages:?}");
    }
    assert!(!pages.contains("agent-memory-merge-driver.1"), "git calls it, nobody else");
    assert!(pages.iter().all(|page| !page.contains("help")), "{pages:?}");
}

#[test]
fn man_finds_nothing_to_warn_about() {
    let sandbox = Sandbox::without_git();
    let folder = manual(&sandbox);
    for page in names(&folder) {
        for (reader, options) in
            [("man", ["--warnings", "-l"].as_slice()), ("groff", &["-man", "-ww", "-z"])]
        {
            let mut command = Command::new(reader);
            command.args(options).arg(folder.join(&page)).env("LC_ALL", "C.UTF-8");
            let Ok(output) = command.output() else { continue };
            let warnings = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && warnings.is_empty(), "{reader} {page}: {warnings}");
        }
    }
}

#[test]
#[cfg(unix)]
fn git_help_finds_the_page_of_the_program_under_its_other_name() {
    let sandbox = Sandbox::without_git();
    let folder = manual(&sandbox);
    if Command::new("man").arg("--version").output().is_err() {
        return;
    }
    let bin = sandbox.root().join("bin");
    std::fs::create_dir(&bin).unwrap();
    let program = env!("CARGO_BIN_EXE_agent-memory");
    std::os::unix::fs::symlink(program, bin.join("git-agent-memory")).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut help = Command::new("git");
    help.args(["help", "agent-memory"]).env("PATH", path).env("MANPAGER", "cat");
    help.env("MANPATH", folder.parent().unwrap()).current_dir(sandbox.project());
    let output = help.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("agent-memory-propose(1)"), "{output:?}");
}

/// A doc comment on the arguments of a command would be its help, and not what the list says.
#[test]
fn the_list_says_of_each_command_what_its_own_help_begins_with() {
    let sandbox = Sandbox::without_git();
    let help = |command: &str| sandbox.run(&[command, "-h"]).expect_code(0).stdout;
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let all = sandbox.run(&["-h"]).expect_code(0).stdout;
    let (list, _) = all.split_once("\nOptions:\n").unwrap();
    let entries: Vec<&str> = list.lines().filter(|line| line.starts_with("  ")).collect();
    assert!(entries.len() > 20, "{list}");
    for entry in entries {
        let (command, says) = entry.trim().split_once(' ').unwrap();
        let own = help(command);
        let (begins, _) = own.split_once("\n\n").unwrap();
        assert_eq!(one_line(says), one_line(begins), "{command}");
    }
}
