//! Measures `check`: `cargo bench --bench check [-- --quick]`.
//!
//! All rules over a store of 10,000 sections in 50 MB, as a process on all cores, beside `git grep` of one word
//! over the same files in the same run; also a check of one changed file, and whatever of gitleaks,
//! betterleaks and kingfisher is on the path, over the same bytes.
#![allow(clippy::print_stdout, reason = "a benchmark prints a table")]
#![allow(clippy::disallowed_methods, reason = "a benchmark stands outside of the house")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const SECTIONS_OF_A_FILE: usize = 40;

/// Bytes of a section: with 40 of them a file stays within the budget of a new store.
const SECTION: usize = 5_000;

const ROUNDS: usize = 7;

fn main() {
    let files = if std::env::args().any(|argument| argument == "--quick") { 25 } else { 250 };
    let folder = tempfile::Builder::new()
        .prefix("check-")
        .tempdir_in(env!("CARGO_TARGET_TMPDIR"))
        .expect("the target folder can be written to");
    let bytes = fill(folder.path(), files);
    let sections = files * SECTIONS_OF_A_FILE;
    println!("best of {ROUNDS}; {sections} sections in {:.0} MB\n", bytes as f64 / 1e6);
    let grep = best(folder.path(), "git", &["grep", "-c", "-F", "cache"]).expect("there is git");
    let row = |name: &str, time: Option<Duration>| match time {
        None => println!("{name:<28} {:>10}", "not here"),
        Some(time) => {
            let ratio = time.as_secs_f64() / grep.as_secs_f64();
            println!("{name:<28} {:>7.0} ms {ratio:>7.2} x git grep", time.as_secs_f64() * 1e3);
        }
    };
    row("git grep of an absent word", Some(grep));
    // The one above is the fastest that a search can be; this one stands in most lines, counted and shown.
    row("git grep -c of a common word", best(folder.path(), "git", &["grep", "-c", "-F", "the"]));
    row("git grep of a common word", best(folder.path(), "git", &["grep", "-F", "the"]));
    let program = env!("CARGO_BIN_EXE_agent-memory");
    row("check, all rules", best(folder.path(), program, &["check", "--quiet"]));
    touch(folder.path());
    row("check --base, one file", best(folder.path(), program, &["check", "--base", "HEAD"]));
    row("secrets alone: gitleaks", best(folder.path(), "gitleaks", &["dir", "--no-banner", "."]));
    row("betterleaks", best(folder.path(), "betterleaks", &["dir", "--no-banner", "."]));
    let kingfisher = ["scan", "--no-validate", "--quiet", "."];
    row("kingfisher", best(folder.path(), "kingfisher", &kingfisher));
}

/// Returns the shortest time that a process takes; nothing where the program is not installed.
fn best(folder: &Path, program: &str, arguments: &[&str]) -> Option<Duration> {
    let run = || {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
        let begun = Instant::now();
        command.status().ok().map(|_| begun.elapsed())
    };
    // The first run only fills the cache of the system.
    run()?;
    (0..ROUNDS).filter_map(|_| run()).min()
}

/// Makes a committed store; returns the bytes of its modules.
fn fill(folder: &Path, files: usize) -> usize {
    let run = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
        assert!(command.status().expect("it starts").success(), "{program} {arguments:?}");
    };
    run("git", &["init", "--quiet"]);
    let program = env!("CARGO_BIN_EXE_agent-memory");
    run(program, &["init"]);
    let prose = prose();
    let modules = folder.join(".agent-memory/modules");
    fs::create_dir_all(&modules).expect("a folder");
    let mut lines = prose.iter().cycle();
    let mut bytes = 0;
    for file in 0..files {
        let mut text = format!("# Module {file}\n");
        for section in 0..SECTIONS_OF_A_FILE {
            let source = "<!-- @source: user ada - confirmed 2026-11-20 -->";
            text +=
                &format!("\n## Part {section}\n<!-- @id: part-{file}-{section} -->\n{source}\n\n");
            let end = text.len() + SECTION;
            while text.len() < end {
                text += lines.next().expect("there is prose");
                text += "\n";
            }
        }
        bytes += text.len();
        fs::write(modules.join(format!("m{file}.md")), text).expect("the folder can be written to");
    }
    run(program, &["reindex"]);
    run("git", &["add", "--all"]);
    let person = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
    run("git", &[&person[..], &["commit", "--quiet", "--message", "a store"]].concat());
    // What was written in the same moment as its index, git reads anew each time.
    std::thread::sleep(Duration::from_millis(1_100));
    run("git", &["update-index", "--refresh"]);
    bytes
}

/// Adds a line to one file.
fn touch(folder: &Path) {
    let path = folder.join(".agent-memory/modules/m0.md");
    let text = fs::read_to_string(&path).expect("it was written");
    fs::write(&path, text + "\nOne line more.\n").expect("the folder can be written to");
}

/// Lines of Markdown as people write it: those of this repository that are neither headings nor code.
fn prose() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut lines = Vec::new();
    for name in ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/search.md"] {
        let text = fs::read_to_string(root.join(name)).unwrap_or_default();
        let mut is_code = false;
        for line in text.lines() {
            is_code ^= line.starts_with("```");
            let is_mark = line.starts_with(['#', '`', '<', '|', '$']) || line.contains("<!--");
            if !is_code && !is_mark {
                lines.push(line.to_owned());
            }
        }
    }
    lines
}
