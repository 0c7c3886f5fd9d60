//! Measures the secret scanner: `cargo bench --bench secrets [-- --ids --quick]`.
//!
//! Speed is that of whole processes: MB/s on one file of Markdown on one core (`taskset`), on the same text in
//! files of a megabyte on all, and what a text of 1 KiB adds. Beside it stand `git grep` and whatever of
//! gitleaks, betterleaks and kingfisher is on the path, on the same bytes, each as it comes.
//!
//! `SECRETS_CORPUS` names a file of labelled texts, one JSON object a line (`part`, `kind`, `label`, `text`, and
//! `line` where it is known), `.gz` or not. Then it prints precision, recall and F1, what was missed by
//! kind, and every false alarm; `--ids` names each text that was missed. Texts are never printed.
#![allow(clippy::too_many_lines, reason = "a table is made from left to right")]
#![allow(clippy::print_stdout, reason = "a benchmark prints a table")]
#![allow(clippy::disallowed_methods, reason = "a benchmark stands outside of the house")]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use agent_memory::secrets::{Scanner, SecretFinding};
use serde_json::Value;

fn main() {
    let has = |name: &str| std::env::args().any(|argument| argument == name);
    speed(if has("--quick") { 8 << 20 } else { 100 << 20 });
    match std::env::var_os("SECRETS_CORPUS") {
        Some(corpus) => quality(&read(Path::new(&corpus)), has("--ids")),
        None => println!("no quality without `SECRETS_CORPUS`"),
    }
}

/// What is measured: a name, a program, its arguments in front of the file.
type Contender<'a> = (&'a str, &'a str, &'a [&'a str]);

const CONTENDERS: [Contender<'_>; 5] = [
    ("agent-memory", env!("CARGO_BIN_EXE_agent-memory"), &["secrets", "scan", "--quiet"]),
    ("git grep", "git", &["grep", "--no-index", "-c", "-E", "(AKIA|ghp_)[A-Za-z0-9]{16}", "--"]),
    ("gitleaks", "gitleaks", &["dir", "--no-banner", "--exit-code", "0"]),
    ("betterleaks", "betterleaks", &["dir", "--no-banner", "--exit-code", "0"]),
    ("kingfisher", "kingfisher", &["scan", "--no-validate", "--quiet"]),
];

const ROUNDS: usize = 5;

fn speed(size: usize) {
    let folder = tempfile::Builder::new()
        .prefix("secrets-")
        .tempdir_in(env!("CARGO_TARGET_TMPDIR"))
        .expect("the target folder can be written to");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("the folder can be written to");
    };
    let prose = prose();
    let whole = prose.repeat(size / prose.len() + 1);
    write("large.md", &whole);
    std::fs::create_dir(folder.path().join("many")).expect("the folder can be written to");
    for (number, part) in whole.as_bytes().chunks(1 << 20).enumerate() {
        write(&format!("many/{number}.md"), &String::from_utf8_lossy(part));
    }
    write("empty.md", "");
    write("1k.md", &beginning(&prose, 1 << 10));
    let key = ["ghp_", "x9KfQ2mVb7Tz4LwPc8Rj1NsYd6GhAe3BuXo0"].concat();
    write("1k-with-a-key.md", &format!("{}\n{key}\n", beginning(&prose, 980)));
    let megabytes = whole.len() as f64 / 1e6;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    println!("best of {ROUNDS}; {megabytes:.0} MB of Markdown; {cores} cores\n");
    println!(
        "{:<16} {:>10} {:>10} {:>10} {:>10} {:>12}",
        "", "MB/s on 1", "on all", "of ours", "1 KiB ms", "with a key"
    );
    let mut ours = None;
    for contender in CONTENDERS {
        let time = |name: &str| best(Command::new(contender.1), contender.2, folder.path(), name);
        let (Some(many), Some(empty), Some(small), Some(with_a_key)) =
            (time("many"), time("empty.md"), time("1k.md"), time("1k-with-a-key.md"))
        else {
            println!("{:<16} {:>10}", contender.0, "not here");
            continue;
        };
        let alone = pinned(contender.1)
            .and_then(|command| best(command, contender.2, folder.path(), "large.md"));
        let speed = |time: Duration| megabytes / time.as_secs_f64();
        let (alone, all) = (alone.map_or(f64::NAN, speed), speed(many));
        // A program may be faster on one file than on many.
        let best = alone.max(all);
        println!(
            "{:<16} {alone:>10.1} {all:>10.1} {:>10.2} {:>10.2} {:>12.2}   adds {:.2} and {:.2} ms to an empty file",
            contender.0,
            best / *ours.get_or_insert(best),
            small.as_secs_f64() * 1e3,
            with_a_key.as_secs_f64() * 1e3,
            (small.as_secs_f64() - empty.as_secs_f64()) * 1e3,
            (with_a_key.as_secs_f64() - empty.as_secs_f64()) * 1e3,
        );
    }
    println!();
}

/// Returns a command that runs on one core alone; nothing where that cannot be had.
fn pinned(program: &str) -> Option<Command> {
    let pin = ["-c", "0"];
    let works = Command::new("taskset").args(pin).arg("true").status();
    works.is_ok_and(|status| status.success()).then(|| {
        let mut command = Command::new("taskset");
        command.args(pin).arg(program);
        command
    })
}

/// Returns the shortest time that a process takes; nothing where the program is not installed.
fn best(mut command: Command, arguments: &[&str], folder: &Path, file: &str) -> Option<Duration> {
    command.args(arguments).arg(file).current_dir(folder);
    let mut run = || {
        let begun = Instant::now();
        command.output().ok().map(|_| begun.elapsed())
    };
    (0..ROUNDS).map(|_| run()).min().flatten()
}

fn beginning(text: &str, characters: usize) -> String {
    text.chars().take(characters).collect()
}

/// Markdown as people write it: that of this repository.
fn prose() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"];
    let read = |name: &&str| std::fs::read_to_string(root.join(name)).unwrap_or_default();
    files.iter().map(read).collect()
}

/// A labelled text, and what the scanner says about it.
struct Text {
    id: String,
    part: String,
    kind: String,
    secret: bool,
    line: Option<u64>,
    findings: Vec<SecretFinding>,
}

impl Text {
    fn found(&self) -> bool {
        !self.findings.is_empty()
    }

    /// Whether the text comes from the tests of another scanner than the two that everyone tunes on.
    fn is_independent(&self) -> bool {
        !["gitleaks:", "betterleaks:"].iter().any(|scanner| self.kind.starts_with(scanner))
    }

    fn names_its_line(&self) -> bool {
        self.findings.iter().any(|finding| Some(finding.line as u64) == self.line)
    }
}

fn read(path: &Path) -> Vec<Text> {
    let bytes = match path.extension() {
        Some(ending) if ending == "gz" => {
            Command::new("gzip").arg("-dc").arg(path).output().expect("gzip runs").stdout
        }
        _ => std::fs::read(path).expect("the corpus can be read"),
    };
    let text = String::from_utf8(bytes).expect("the corpus is UTF-8");
    let scanner = Scanner::default();
    text.lines()
        .map(|line| {
            let value: Value = serde_json::from_str(line).expect("one JSON object a line");
            let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
            Text {
                id: text("id"),
                part: text("part"),
                kind: text("kind"),
                secret: value["label"] == 1,
                line: value["line"].as_u64(),
                findings: scanner.scan(&text("text")),
            }
        })
        .collect()
}

fn quality(texts: &[Text], ids: bool) {
    let part = |name: &str| texts.iter().filter(|text| text.part == name).collect::<Vec<_>>();
    let main = part("main");
    println!("{:<44} {:>9} {:>9} {:>9}", "", "precision", "recall", "F1");
    score("all of `main`", &main);
    let independent: Vec<&Text> =
        main.iter().copied().filter(|text| text.is_independent()).collect();
    score("without gitleaks' and betterleaks' own", &independent);

    let kinds = by_kind(main.iter().copied().filter(|text| text.secret));
    let mean = kinds.values().map(|(found, all)| share(*found, *all)).sum::<f64>();
    println!("recall, mean of {} kinds: {:.3}", kinds.len(), mean / kinds.len().max(1) as f64);
    let alarms = |texts: &[&Text]| texts.iter().filter(|text| text.found()).count();
    let hard: Vec<&Text> = main.iter().copied().filter(|t| t.kind.starts_with("hardneg")).collect();
    println!("false alarms on hard negatives: {} of {}", alarms(&hard), hard.len());
    let bulk = part("bulk");
    println!("false alarms on plain paragraphs: {} of {}", alarms(&bulk), bulk.len());
    let wrapped = part("wrapped");
    let named = wrapped.iter().filter(|text| text.names_its_line()).count();
    println!(
        "in prose, with the right line: {named} of {} ({:.3})",
        wrapped.len(),
        share(named, wrapped.len())
    );
    let near = part("nearmiss");
    println!("mutated keys that are reported: {} of {}", alarms(&near), near.len());

    println!("\nmissed, by kind");
    let mut kinds: Vec<_> = kinds.iter().filter(|(_, (found, all))| found < all).collect();
    kinds.sort_by_key(|(kind, (found, all))| (std::cmp::Reverse(all - found), **kind));
    for (kind, (found, all)) in kinds {
        println!("{:>5} of {all:<5} {kind}", all - found);
    }
    println!("\nfalse alarms");
    for text in texts.iter().filter(|text| text.found() && !text.secret && text.part != "nearmiss")
    {
        let rules: Vec<&str> = text.findings.iter().map(|finding| finding.rule).collect();
        println!("{:<32} {:<44} {}", text.id, text.kind, rules.join(" "));
    }
    if ids {
        println!("\nmissed texts");
        for text in texts.iter().filter(|text| text.secret) {
            let missed =
                if text.part == "wrapped" { !text.names_its_line() } else { !text.found() };
            if missed {
                println!("{:<32} {}", text.id, text.kind);
            }
        }
    }
}

fn score(name: &str, texts: &[&Text]) {
    let count = |secret: bool, found: bool| {
        texts.iter().filter(|text| text.secret == secret && text.found() == found).count()
    };
    let (hits, misses, alarms) = (count(true, true), count(true, false), count(false, true));
    let (precision, recall) = (share(hits, hits + alarms), share(hits, hits + misses));
    let f1 = share(2 * hits, 2 * hits + misses + alarms);
    println!("{name:<44} {precision:>9.3} {recall:>9.3} {f1:>9.3}");
}

/// For each kind how many were found, and of how many.
fn by_kind<'a>(texts: impl Iterator<Item = &'a Text>) -> BTreeMap<&'a str, (usize, usize)> {
    let mut kinds = BTreeMap::new();
    for text in texts {
        let (found, all): &mut (usize, usize) = kinds.entry(text.kind.as_str()).or_default();
        *found += usize::from(text.found());
        *all += 1;
    }
    kinds
}

fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}
