//! `docs/commands.md` is what the help of each command says.

use std::fs;

use crate::docs::{OUT, options};
use crate::support::{Sandbox, blessing, folder};

const FILE: &str = "docs/commands.md";

const HEAD: &str = "# Commands\n\n<!-- Made of the help by `BLESS=1 cargo test --test it docs`. -->\n\nWhat `agent-memory COMMAND --help` prints. All commands take the [common options](#common-options).\n";

#[test]
fn the_document_of_commands_is_their_help() {
    let made = document();
    if blessing() {
        fs::write(folder(FILE), &made).expect("the document can be written");
    }
    let kept = fs::read_to_string(folder(FILE)).unwrap_or_default();
    assert!(
        kept == made,
        "{FILE} is not what the help says; run `BLESS=1 cargo test --test it docs`"
    );
}

#[test]
fn the_help_uses_plain_words() {
    let words: String = document().to_lowercase().replace(|c: char| !c.is_alphanumeric(), " ");
    let words = format!(" {} ", words.split_whitespace().collect::<Vec<_>>().join(" "));
    for word in OUT.iter().chain(&["waits", "waited", "land", "took its place", "put aside"]) {
        assert!(!words.contains(&format!(" {word} ")), "the help says `{word}`");
    }
}

fn document() -> String {
    let help = Sandbox::without_git().run(&["--help"]).expect_code(0).stdout;
    let (mut text, mut common) = (HEAD.to_owned(), String::new());
    let options = options();
    for line in help.lines().take_while(|line| *line != "Options:") {
        if let Some(group) = line.strip_suffix(':') {
            text += &format!("\n## {group}\n");
        }
        let Some(row) = line.strip_prefix("  ") else { continue };
        let name = row.split_whitespace().next().expect("a name");
        let is_of = |command: &str| command.split(' ').next() == Some(name);
        for (command, help) in options.iter().filter(|(command, _)| is_of(command)) {
            let (own, rest) = help.split_once("\nCommon options:\n").expect("common options");
            let own = own.split("  -h, --help").next().expect("a first part").trim_end();
            let own = own.strip_suffix("\nOptions:").unwrap_or(own).trim_end();
            text += &format!("\n### {command}\n\n```text\n{}\n```\n", trimmed(own));
            if common.is_empty() && !rest.contains("\n\n") {
                common = trimmed(rest.trim_end());
            }
        }
    }
    text + &format!("\n## Common options\n\n```text\n{common}\n```\n")
}

/// Removes blanks at the end of lines.
fn trimmed(text: &str) -> String {
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}
