//! Runs every command of the documents and compares what it prints; checks their options, links and words.
//!
//! The blocks of a document run in order in a repository of its own with a fixed clock. A block
//! `console` holds commands behind `$ ` and what they print, also in an HTML comment; `json request.json` is a file;
//! `sh` holds what CI runs instead. `BLESS=1 cargo test --test it docs` writes down what is printed now.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use agent_memory::project::check::Rule;
use agent_memory::project::request::Reason;

use crate::support::{Sandbox, blessing, files_in, folder};

/// Words that have a plain one, in `CONTRIBUTING.md` or in any dictionary.
pub(crate) const OUT: [&str; 19] = [
    "anew",
    "aside",
    "by then",
    "desk",
    "essence",
    "landed",
    "landing",
    "lands",
    "meanwhile",
    "nobody",
    "precedents",
    "so often",
    "somebody",
    "stranger",
    "takes the place of",
    "twin",
    "waits no more",
    "whoever",
    "youngest",
];

#[test]
fn every_command_of_the_documents_prints_what_they_say() {
    let run = |name: &str, text: &str| {
        let now = replayed(text);
        if blessing() {
            std::fs::write(folder(name), now).expect("the document can be written");
        } else {
            let differs = |pair: &(&str, &str)| pair.0 != pair.1;
            let first = text.lines().zip(now.lines()).find(differs);
            assert!(now == text, "{name} is not what its commands print, first {first:?}:\n{now}");
        }
    };
    let documents = documents();
    std::thread::scope(|scope| {
        for (name, text) in &documents {
            scope.spawn(move || run(name, text));
        }
    });
}

#[test]
fn the_other_commands_of_the_readme_are_run_by_ci() {
    let ci = std::fs::read_to_string(folder(".ci/run")).expect("a script").replace("--locked ", "");
    let text = std::fs::read_to_string(folder("README.md")).expect("a document");
    let mut found = 0;
    for part in parts(&text) {
        let Part::Block("sh", body) = part else { continue };
        for command in body.lines().map(|line| line.split(" #").next().unwrap_or(line).trim()) {
            let run = ci.lines().any(|line| line.replace(" --locked", "").trim() == command);
            assert!(run, "`{command}` of README.md is not run by .ci/run");
            found += 1;
        }
    }
    assert!(found >= 2, "README names the demonstration and the tests");
}

#[test]
fn the_readme_is_short_and_has_a_row_for_each_command() {
    let text = std::fs::read_to_string(folder("README.md")).expect("a document");
    assert!(text.lines().count() <= 150, "README.md has {} lines", text.lines().count());
    for line in text.lines() {
        assert!(line.chars().count() <= 400, "a line of README.md is too long: {line}");
    }
    let (_, table) = text.split_once("\n## Commands\n").expect("a table of commands");
    let rows = table.lines().skip(3).take_while(|line| line.is_empty() || line.starts_with('|'));
    let mut named = BTreeSet::new();
    for row in rows.filter(|row| row.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').collect();
        named.extend(spans(cells[1]).into_iter().map(str::to_owned));
        let words = cells[2].split_whitespace().count();
        assert!(words <= 12, "{words} words: {row}");
    }
    let commands: BTreeSet<String> =
        options().into_keys().filter(|name| !name.contains(' ')).collect();
    assert_eq!(named, commands);
}

#[test]
fn every_code_has_a_row_in_its_document() {
    let named_in = |document: &str| -> BTreeSet<String> {
        let text = std::fs::read_to_string(folder(document)).expect("a document");
        let rows = text.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
        rows.map(|(code, _)| code.to_owned()).collect()
    };
    let protocol = named_in("docs/protocol.md");
    for reason in Reason::ALL {
        assert!(protocol.contains(reason.name()), "docs/protocol.md has no row for `{reason}`");
    }
    let teams = named_in("docs/teams.md");
    for rule in Rule::ALL {
        assert!(teams.contains(rule.name()), "docs/teams.md has no row for `{rule}`");
    }
}

#[test]
fn every_option_of_the_documents_is_one_of_its_command() {
    let options = options();
    for (name, text) in documents() {
        for part in parts(&text) {
            let commands: Vec<&str> = match part {
                Part::Prose(prose) => spans(prose),
                Part::Block("console", body) => {
                    body.lines().filter_map(|line| line.strip_prefix("$ ")).collect()
                }
                Part::Block(..) => continue,
            };
            let calls = commands.into_iter().flat_map(|it| it.split(['|', ';', '&']));
            calls.for_each(|call| check_call(&name, call, &options));
        }
    }
}

#[test]
fn every_link_of_the_documents_leads_somewhere() {
    let documents = documents();
    for (name, text) in &documents {
        let prose = prose(text);
        let targets = prose.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| !target.contains("://")) {
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let base = Path::new(name).parent().expect("a folder");
            let whole = if path.is_empty() { name.clone() } else { resolved(base, path) };
            assert!(folder(&whole).exists(), "{name} links to {target}");
            let has_heading = |text: &String| headings(text).any(|slug| slug == anchor);
            let found = anchor.is_empty() || documents.get(&whole).is_some_and(has_heading);
            assert!(found, "{name} links to {target}");
        }
    }
}

#[test]
fn the_documents_use_plain_words() {
    for (name, text) in documents() {
        let lower = prose(&text).to_lowercase();
        let plain: String =
            lower.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
        let plain = format!(" {} ", plain.split_whitespace().collect::<Vec<_>>().join(" "));
        for word in OUT {
            assert!(!plain.contains(&format!(" {word} ")), "{name} says `{word}`");
        }
    }
}

/// Returns the documents by path.
fn documents() -> BTreeMap<String, String> {
    let top = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"].map(str::to_owned);
    let below = files_in(&folder("docs")).into_keys().map(|path| format!("docs/{path}"));
    let read = |path: String| {
        let text = std::fs::read_to_string(folder(&path)).expect("a document");
        (path, text)
    };
    top.into_iter().chain(below).map(read).collect()
}

/// Returns a document with what its commands print now.
fn replayed(text: &str) -> String {
    let sandbox = Sandbox::without_store();
    let mut now = String::new();
    for part in parts(text) {
        match part {
            Part::Prose(prose) => now += prose,
            Part::Block(kind, body) => {
                let said = match kind.split_once(' ') {
                    Some((_, name)) => {
                        sandbox.write_project(name, body);
                        body.to_owned()
                    }
                    None if kind == "console" => replay(&sandbox, body),
                    None => body.to_owned(),
                };
                now += &said;
            }
        }
    }
    now
}

/// A piece of a document.
pub(crate) enum Part<'a> {
    /// Text, with the fences of blocks.
    Prose(&'a str),
    /// Kind and body of a fenced block.
    Block(&'a str, &'a str),
}

pub(crate) fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let (mut start, mut at, mut open) = (0, 0, None);
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        match (open, line.trim_end().strip_prefix("```")) {
            (None, Some(kind)) => {
                parts.push(Part::Prose(&text[start..end]));
                (open, start) = (Some(kind), end);
            }
            (Some(kind), Some("")) => {
                parts.push(Part::Block(kind, &text[start..at]));
                (open, start) = (None, at);
            }
            (None | Some(_), _) => {}
        }
        at = end;
    }
    parts.push(Part::Prose(&text[start..]));
    parts
}

/// Returns a document without its blocks, its fences, and what stands between back-ticks.
fn prose(text: &str) -> String {
    let mut prose = String::new();
    for part in parts(text) {
        let Part::Prose(part) = part else { continue };
        for line in part.lines().filter(|line| !line.starts_with("```")) {
            line.split('`').step_by(2).for_each(|piece| prose += piece);
            prose.push('\n');
        }
    }
    prose
}

/// Returns what stands between back-ticks.
fn spans(prose: &str) -> Vec<&str> {
    let lines = prose.lines().filter(|line| !line.starts_with("```"));
    lines.flat_map(|line| line.split('`').skip(1).step_by(2)).collect()
}

/// Returns what a forge calls the headings of a document.
fn headings(text: &str) -> impl Iterator<Item = String> {
    let prose = parts(text).into_iter().filter_map(|part| match part {
        Part::Prose(prose) => Some(prose),
        Part::Block(..) => None,
    });
    prose.flat_map(str::lines).filter(|line| line.starts_with('#')).map(slug)
}

fn slug(line: &str) -> String {
    let title = line.trim_start_matches('#').trim().to_lowercase();
    let kept = title.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Follows a relative link of a document in a folder.
fn resolved(base: &Path, link: &str) -> String {
    let mut path = base.to_path_buf();
    for part in link.split('/') {
        match part {
            ".." => assert!(path.pop(), "{link} leads out of the repository"),
            part => path.push(part),
        }
    }
    path.to_str().expect("a plain name").replace('\\', "/")
}

/// Returns the help of each command.
pub(crate) fn options() -> BTreeMap<String, String> {
    let sandbox = Sandbox::without_git();
    let help = |arguments: &[&str]| {
        let output = sandbox.process(arguments).output().expect("help");
        String::from_utf8(output.stdout).expect("text")
    };
    sandbox.run(&["man", "manual"]).expect_code(0);
    let mut all = BTreeMap::new();
    for page in files_in(&sandbox.project().join("manual")).into_keys() {
        let page = page.trim_start_matches("man1/").trim_end_matches(".1");
        let Some(name) = page.strip_prefix("agent-memory-") else { continue };
        let words: Vec<&str> = match name.split_once('-') {
            Some((group @ ("config" | "read" | "secrets" | "service" | "user"), part)) => {
                vec![group, part]
            }
            Some((group @ ("ltm" | "serve"), part)) => {
                std::iter::once(group).chain(part.split('-')).collect()
            }
            Some(_) | None => vec![name],
        };
        let text = help(&[&words[..], &["--help"]].concat());
        all.insert(words.join(" "), text);
    }
    all
}

/// Checks that a call of the program names a command, and only options that this command has.
fn check_call(document: &str, call: &str, options: &BTreeMap<String, String>) {
    let words: Vec<&str> = call.split_whitespace().collect();
    let at = words.iter().position(|word| *word == "agent-memory");
    let is_ours = at.is_some_and(|at| words[..at].iter().all(|word| word.contains('=')));
    let from = if is_ours { at.map_or(0, |at| at + 1) } else { 0 };
    let Some(name) = words.get(from).filter(|name| name.starts_with(|c: char| c.is_lowercase()))
    else {
        return;
    };
    let whole = words.get(from + 1).map(|part| format!("{name} {part}"));
    let help = whole.and_then(|whole| options.get(&whole)).or_else(|| options.get(*name));
    let hidden = ["help", "merge-driver"].contains(name);
    let Some(help) = help else {
        assert!(!is_ours || hidden, "{document}: `{call}` names no command");
        return;
    };
    for word in &words[from..] {
        let option = word.trim_matches(['[', ']']).split('=').next().unwrap_or(word);
        if option.starts_with("--") && option.len() > 2 && !["--colour"].contains(&option) {
            assert!(help.contains(option), "{document}: `{call}` has no option `{option}`");
        }
    }
}

/// Runs the commands of a block and returns them with what they print.
fn replay(sandbox: &Sandbox, body: &str) -> String {
    let commands = body.lines().filter_map(|line| line.strip_prefix("$ "));
    commands.map(|command| format!("$ {command}\n{}", shell(sandbox, command))).collect()
}

pub(crate) fn shell(sandbox: &Sandbox, command: &str) -> String {
    // `packaging/try` names a program that it installed.
    let program = std::env::var("PROGRAM");
    let program = program.unwrap_or_else(|_| env!("CARGO_BIN_EXE_agent-memory").to_owned());
    let folder = Path::new(&program).parent().expect("a folder");
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {command}; }} 2>&1")])
        .current_dir(sandbox.project())
        .env_clear()
        .env("PATH", path)
        .env("HOME", sandbox.root())
        .env("XDG_CONFIG_HOME", sandbox.root().join("config"))
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("AGENT_MEMORY_NOW", "2026-11-20T10:00:00Z")
        .output()
        .expect("a shell");
    String::from_utf8(output.stdout)
        .expect("text")
        .lines()
        .map(|line| format!("{}\n", line.trim_end()))
        .collect()
}
