//! Measures how the time of each command grows with what a repository can bring: `cargo bench --bench growth`.
//!
//! Ten times the entries may take at most fifteen times as long; what takes the square takes a hundred times as long.
//! `-- --quick` measures a tenth of each, `-- NAME` only the rows whose name holds that.
#![allow(clippy::print_stdout, reason = "a benchmark prints a table")]
#![allow(clippy::disallowed_methods, reason = "a benchmark stands outside of the house")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use serde_json::json;

/// How much longer ten times as much may take.
const MOST: f64 = 15.0;

/// Below this a time says how long a process takes to start.
const LEAST: f64 = 0.020;

/// What a store is filled with, and what is asked of it.
type Row = (&'static str, Fill, &'static [&'static str], &'static str);

type Fill = fn(&Store, usize);

const ROWS: [Row; 37] = [
    ("queue: status", queue, &["status"], ""),
    ("queue: review", queue, &["review"], ""),
    ("queue: review --json", queue, &["review", "--json"], ""),
    ("queue: diff", queue, &["diff"], ""),
    ("queue: doctor", queue, &["doctor"], ""),
    ("queue: check", queue, &["check"], ""),
    ("queue: search", queue, &["search", "needle"], ""),
    ("queue: context", queue, &["context", "needle"], ""),
    ("queue: log", queue, &["log"], ""),
    ("queue: propose", queue, &["propose"], REQUEST),
    ("queue: apply --all", queue, &["apply", "--all", "--approver", "Ada"], ""),
    ("queue of one owner: status", queue_of_one, &["status"], ""),
    ("queue of one file: review", queue_of_files, &["review"], ""),
    ("queue of no proposals: status", rubbish, &["status"], ""),
    ("queue of no proposals: doctor", rubbish, &["doctor"], ""),
    ("findings: check", findings, &["check"], ""),
    ("findings: check --format sarif", findings, &["check", "--format", "sarif"], ""),
    ("findings: doctor", findings, &["doctor"], ""),
    ("files: status", files, &["status"], ""),
    ("files: check", files, &["check"], ""),
    ("files: doctor", files, &["doctor"], ""),
    ("files: search", files, &["search", "needle"], ""),
    ("files: context", files, &["context", "needle"], ""),
    ("files: fmt-ids", files, &["fmt-ids", "--check"], ""),
    ("files: propose", files, &["propose"], REQUEST),
    ("unreadable files: check", unreadable, &["check"], ""),
    ("unreadable files: doctor", unreadable, &["doctor"], ""),
    ("links: check", links, &["check"], ""),
    ("sections: blame", sections, &["blame", "conventions.md"], ""),
    ("levels: merge-driver", levels, &["merge-driver", "base", "ours", "theirs", "x.md"], ""),
    ("edits: merge-driver", edits, &["merge-driver", "base", "ours", "theirs", "x.md"], ""),
    ("renamed: merge-driver", renamed, &["merge-driver", "base", "ours", "theirs", "x.md"], ""),
    ("rejections: log --rejected", rejections, &["log", "--rejected"], ""),
    ("rejections: propose", rejections, &["propose"], REQUEST),
    ("leftovers: doctor", leftovers, &["doctor"], ""),
    ("notes: init --from --dry-run", notes, &["init", "--from", "notes", "--dry-run"], ""),
    (
        "notes of one name: init --from --dry-run",
        twins,
        &["init", "--from", "notes", "--dry-run"],
        "",
    ),
];

const REQUEST: &str = r#"{"intent":"update_shared","dry_run":true,"operations":[{"operation":"append_section","heading":"A","content":"needle"}]}"#;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|it| it != "--bench").collect();
    let sizes =
        if arguments.iter().any(|it| it == "--quick") { [100, 1_000] } else { [1_000, 10_000] };
    let wanted = arguments.iter().find(|it| !it.starts_with("--"));
    println!("seconds; ten times as much may take {MOST} times as long\n");
    println!("{:<44} {:>9} {:>9} {:>7}", "", sizes[0], sizes[1], "ratio");
    let mut steep = 0;
    for (name, fill, arguments, input) in ROWS {
        if wanted.is_some_and(|wanted| !name.contains(wanted.as_str())) {
            continue;
        }
        let [small, large] = sizes.map(|size| measure(fill, size, arguments, input));
        let ratio = large.max(LEAST) / small.max(LEAST);
        let mark = if ratio > MOST { "  too steep" } else { "" };
        steep += usize::from(ratio > MOST);
        println!("{name:<44} {small:>9.3} {large:>9.3} {ratio:>7.1}{mark}");
    }
    ExitCode::from(u8::from(steep > 0))
}

/// Returns the seconds of one run; nobody waits for a second one that takes minutes.
fn measure(fill: Fill, size: usize, arguments: &[&str], input: &str) -> f64 {
    let folder = tempfile::Builder::new()
        .prefix("growth-")
        .tempdir_in(env!("CARGO_TARGET_TMPDIR"))
        .expect("the target folder can be written to");
    let store = Store::make(folder.path());
    fill(&store, size);
    let start = Instant::now();
    store.run(arguments, input);
    start.elapsed().as_secs_f64()
}

fn queue(store: &Store, size: usize) {
    fill_queue(store, size, |_| None, |number| format!("modules/m{number}.md"));
}

fn queue_of_one(store: &Store, size: usize) {
    fill_queue(store, size, |_| Some("agent-1"), |number| format!("modules/m{number}.md"));
}

fn queue_of_files(store: &Store, size: usize) {
    fill_queue(store, size, |_| None, |_| "modules/one.md".to_owned());
}

fn fill_queue(
    store: &Store,
    size: usize,
    owner: impl Fn(usize) -> Option<&'static str>,
    path: impl Fn(usize) -> String,
) {
    store.write("config.toml", "[staging]\nmax_open = 10000\ntrack = true\n");
    for number in 0..size {
        let id = format!("20260101-{number:06}-x-0000");
        let mut proposal = json!({
            "version": 1, "id": id, "submitted_at": "2026-11-20T00:00:00Z", "day": "2026-11-20", "order": 0,
            "ttl_seconds": 604_800_000, "expires_at": "2040-11-27T00:00:00Z", "branch": "",
            "routing": {"mode": "stage", "decided_by": []}, "question": format!("{number:064}"),
            "touched": [], "sources": [],
            "request": {"intent": "refresh_module", "sources": [{"type": "user", "ref": "ada"}], "operations": [{
                "operation": "append_section", "path": path(number),
                "heading": format!("T{number}"), "content": "needle",
            }]},
        });
        if let Some(owner) = owner(number) {
            proposal["owner"] = json!({"type": "agent", "id": owner});
        }
        store.write(&format!("staging/{id}/proposal.json"), proposal.to_string());
    }
}

fn rubbish(store: &Store, size: usize) {
    for number in 0..size {
        store.write(&format!("staging/20260101-{number:06}-x-0000/proposal.json"), "{");
    }
}

fn findings(store: &Store, size: usize) {
    for file in 0..size / 100 {
        let sections = (0..100).map(|number| format!("\n## D {file} {number}\n\nNo field.\n"));
        store.write(
            &format!("modules/d{file}.md"),
            &("# D\n".to_owned() + &sections.collect::<String>()),
        );
    }
}

fn files(store: &Store, size: usize) {
    for number in 0..size {
        let text = format!("# M\n\n## Part {number}\n<!-- @id: part-{number} -->\n\nneedle\n");
        store.write(&format!("modules/m{number}.md"), &text);
    }
}

fn unreadable(store: &Store, size: usize) {
    for number in 0..size {
        store.write(&format!("modules/m{number}.md"), [0xff, 0]);
    }
}

fn links(store: &Store, size: usize) {
    for number in 0..size {
        let text =
            format!("# M\n\n## Part {number}\n\n[[part-{}]] [[gone-{number}]]\n", number + 1);
        store.write(&format!("modules/m{number}.md"), &text);
    }
}

fn rejections(store: &Store, size: usize) {
    let mut log = String::new();
    for number in 0..size {
        let id = format!("20260101-{number:06}-x-0000");
        let text = format!(
            "id = \"{id}\"\ndate = \"2026-11-20\"\nreason = \"no\"\nfingerprints = [\"{number:064}\"]\n"
        );
        store.write(&format!("rejections/{id}.toml"), &text);
        let line = json!({"time": "2026-11-20T00:00:00Z", "id": id, "decision": "rejected", "reason": "no"});
        log += &format!("{line}\n");
    }
    store.write("state/log.jsonl", &log);
}

fn leftovers(store: &Store, size: usize) {
    for number in 0..size {
        store.write(&format!("state/tmp/{number}"), "");
    }
}

fn sections(store: &Store, size: usize) {
    let section = |number| format!("## C{number}\n<!-- @id: c-{number} -->\n\nText.\n\n");
    let text: String = (0..size).map(section).collect();
    store.write("conventions.md", format!("# Conventions\n\n{text}"));
    store.git(&["add", "--all"]);
    store.git(&["-c", "user.name=A", "-c", "user.email=a@b", "commit", "--quiet", "-m", "x"]);
}

/// Three versions of a file whose headings are of other levels in each.
fn levels(store: &Store, size: usize) {
    sides(store, size, |side, number| {
        format!("{} H{number}\n\nx\n\n", "#".repeat((number + side) % 6 + 1))
    });
}

/// Three versions of a file in which both sides changed and added sections.
fn edits(store: &Store, size: usize) {
    sides(store, size, |side, number| match side {
        0 => format!("## H{number}\n\nx\n\n"),
        1 => format!("## H{number}\n\nx {}\n\n", number % 7),
        _ => format!("## H{number}\n\nx\n\n## K{number}\n\ny\n\n"),
    });
}

/// Three versions of a file of long sections that have another heading, and some other words, in each.
fn renamed(store: &Store, size: usize) {
    sides(store, size / 20, |side, number| {
        let words: String = (0..200)
            .map(|word| format!("w{} ", (word * number + word % (side + 7)) % 911))
            .collect();
        format!("## H{side}-{number}\n\n{words}\n\n")
    });
}

fn sides(store: &Store, size: usize, section: impl Fn(usize, usize) -> String) {
    for (side, name) in ["../base", "../ours", "../theirs"].into_iter().enumerate() {
        let text: String = (0..size).map(|number| section(side, number)).collect();
        store.write(name, text);
    }
}

fn notes(store: &Store, size: usize) {
    for number in 0..size {
        let text = format!("# Note {number}\n\n## Part {number}\n\nText of {number}.\n");
        store.write(&format!("../notes/modules/n{number}.md"), &text);
    }
}

/// Notes whose names are one once they are brought to a form that a store can hold.
fn twins(store: &Store, size: usize) {
    for number in 0..size {
        let letters = ('a'..='o').enumerate();
        let name: String = letters
            .flat_map(|(at, letter)| [letter, if number >> at & 1 == 0 { ' ' } else { '_' }])
            .collect();
        store.write(&format!("../notes/{name}x.md"), format!("# Note\n\nText of {number}.\n"));
    }
}

/// A store that the program is asked about.
struct Store {
    repository: PathBuf,
    memory: PathBuf,
}

impl Store {
    fn make(folder: &Path) -> Self {
        let store = Self { repository: folder.into(), memory: folder.join(".agent-memory") };
        store.git(&["init", "--quiet"]);
        // Outside of every work tree.
        let settings = folder.with_extension("settings").join("agent-memory/config.toml");
        fs::create_dir_all(settings.parent().expect("a folder")).expect("a new folder");
        fs::write(settings, "[approval]\nwithout_terminal = true\n").expect("writable");
        store.run(&["init"], "");
        store
    }

    fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.memory.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a new folder");
        fs::write(path, text).expect("writable");
    }

    fn git(&self, arguments: &[&str]) {
        let git = Command::new("git").args(arguments).current_dir(&self.repository).status();
        assert!(git.expect("git starts").success());
    }

    /// Runs the program; a refusal is as good an answer as any.
    fn run(&self, arguments: &[&str], input: &str) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agent-memory"));
        command.args(arguments).current_dir(&self.repository).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("XDG_CONFIG_HOME", self.repository.with_extension("settings"));
        command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the program starts");
        // Who does not read stdin may be gone already.
        let _ = child.stdin.take().expect("stdin is piped").write_all(input.as_bytes());
        let code = child.wait().expect("the program ends").code();
        assert!(matches!(code, Some(0 | 1)), "{arguments:?} ended with {code:?}");
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(self.repository.with_extension("settings"));
    }
}
