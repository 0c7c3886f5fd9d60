//! `completions`: what a shell reads to complete commands and options.

use std::io::Write as _;
use std::process::Command;

use crate::support::Sandbox;

fn script(shell: &str) -> String {
    Sandbox::without_git().run(&["completions", shell]).expect_code(0).stdout
}

/// Returns what bash offers for the last word of a line.
#[cfg(unix)]
fn offered_by_bash(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let last = words.len() - 1;
    let ask = format!(
        "{}\nCOMP_WORDS=({line}) COMP_CWORD={last}\n_agent__memory agent-memory '{}' '{}'\necho \"${{COMPREPLY[@]}}\"",
        script("bash"),
        words[last],
        words[last - 1],
    );
    // One argument of a command has at most 128 KiB.
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(ask.as_bytes()).unwrap();
    let output = Command::new("bash").arg("--norc").arg(file.path()).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

#[test]
#[cfg(unix)]
fn bash_completes_commands_options_and_values() {
    assert_eq!(offered_by_bash("agent-memory prop"), "propose");
    assert_eq!(offered_by_bash("agent-memory secrets sc"), "scan");
    assert_eq!(offered_by_bash("agent-memory fmt-ids --ch"), "--check");
    assert_eq!(offered_by_bash("agent-memory apply --lat"), "--latest");
    assert_eq!(offered_by_bash("agent-memory check --format sa"), "sarif");
}

#[test]
fn every_shell_learns_every_command() {
    let help = Sandbox::without_git().run(&["--help"]).expect_code(0).stdout;
    let (list, _) = help.split_once("\nOptions:\n").unwrap();
    let entries = list.lines().filter_map(|line| line.strip_prefix("  "));
    let commands: Vec<&str> = entries
        .filter(|entry| !entry.starts_with(' '))
        .filter_map(|e| e.split(' ').next())
        .collect();
    assert!(commands.contains(&"propose") && commands.contains(&"completions"), "{commands:?}");
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = script(shell);
        commands.iter().for_each(|command| assert!(script.contains(command), "{shell}: {command}"));
    }
}

#[test]
fn a_shell_that_is_here_can_read_its_script() {
    let sandbox = Sandbox::without_git();
    for (shell, only_read) in [("bash", "-n"), ("zsh", "-n"), ("fish", "--no-execute")] {
        let path = sandbox.project().join(shell);
        std::fs::write(&path, script(shell)).unwrap();
        let Ok(output) = Command::new(shell).arg(only_read).arg(&path).output() else { continue };
        assert!(output.status.success() && output.stderr.is_empty(), "{shell}: {output:?}");
    }
}

#[test]
fn a_program_gets_the_script_in_one_document() {
    let reply = Sandbox::without_git().run(&["completions", "fish", "--json"]).expect_code(0);
    assert_eq!(reply.json()["script"], script("fish"));
}
