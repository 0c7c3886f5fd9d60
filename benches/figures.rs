//! Measures many writers against what the disk itself can do: `cargo bench --bench figures`.
//!
//! Each round does every kind of work for a while, beginning with another one each time, and compares
//! it with the file system's own limit in the same round. `-- --quick` takes fewer and shorter rounds, and
//! `-- --in FOLDER` measures the file system on which a folder lies, instead of the one of the target folder.
#![allow(clippy::print_stdout, reason = "a benchmark prints a table")]
#![allow(clippy::disallowed_methods, reason = "a benchmark stands outside of the house")]

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use agent_memory::contract::{Moment, UTC};
use agent_memory::project::verbs::{GitTime, Kept, LOCK_WAIT, Project, Session, Warnings, propose};
use tempfile::TempDir;

/// As in the program.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ROUNDS: usize = 7;
const QUICK_ROUNDS: usize = 3;

/// How long each kind of work is done in a round.
const WHILE: Duration = Duration::from_millis(1_500);
const QUICK_WHILE: Duration = Duration::from_millis(500);

const WRITERS: [usize; 3] = [1, 4, 16];

/// Sections of the file that is written to, one for each writer.
const SECTIONS: usize = 16;

/// What is measured, in the order of the table.
const KINDS: [Kind; 7] = [
    Kind::Limit(1),
    Kind::Limit(4),
    Kind::Limit(16),
    Kind::Resident,
    Kind::Processes(1),
    Kind::Processes(4),
    Kind::Processes(16),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// So many threads write a file, sync it and rename it into place.
    Limit(usize),
    /// One process that stays proposes through the library.
    Resident,
    /// So many propose through the program, a process for each proposal.
    Processes(usize),
}

/// How long each piece of work took, and all together.
struct Measured {
    each: Vec<Duration>,
    all: Duration,
}

fn main() {
    // Cargo itself adds `--bench`.
    let quick = std::env::args().any(|argument| argument == "--quick");
    let (rounds, time) = if quick { (QUICK_ROUNDS, QUICK_WHILE) } else { (ROUNDS, WHILE) };
    let place = std::env::args().skip_while(|argument| argument != "--in").nth(1);
    let folder = tempfile::Builder::new()
        .prefix("figures-")
        .tempdir_in(place.as_deref().unwrap_or(env!("CARGO_TARGET_TMPDIR")))
        .expect("the folder can be written to");
    let store = Store::make(&folder.path().join("writers"));
    let mut measured: Vec<Vec<Measured>> = KINDS.iter().map(|_| Vec::new()).collect();
    for round in 0..rounds {
        for turn in 0..KINDS.len() {
            let kind = (round + turn) % KINDS.len();
            measured[kind].push(store.measure(KINDS[kind], time));
        }
    }
    println!("\n{rounds} rounds of {:.1} s for each line, medians\n", time.as_secs_f64());
    print!("{}", throughput(&measured));
    print!("{}", syncs(&folder.path().join("syncs")));
}

/// A repository with a store that has been in use.
struct Store {
    project: PathBuf,
    /// The settings of the person who approves without a terminal; they count from outside of every repository only.
    settings: TempDir,
}

impl Store {
    fn make(project: &Path) -> Self {
        fs::create_dir_all(project).expect("a new folder");
        let settings = tempfile::tempdir().expect("a new folder");
        fs::create_dir(settings.path().join("agent-memory")).expect("a new folder");
        let file = settings.path().join("agent-memory/config.toml");
        fs::write(file, "[approval]\nwithout_terminal = true\n").expect("a new file");
        let store = Self { project: project.to_path_buf(), settings };
        let mut git = Command::new("git");
        git.args(["init", "--quiet"]);
        store.finish(git, "");
        store.run(&["init"], "");
        for section in 0..SECTIONS {
            let heading = format!("Section {section}");
            store.propose(&format!(
                r#"{{"intent": "update_shared", "operations": [{{"operation": "append_section",
                "heading": "{heading}", "content": "{}"}}]}}"#,
                body(0)
            ));
        }
        store
    }

    fn measure(&self, kind: Kind, time: Duration) -> Measured {
        let start = Instant::now();
        let each = match kind {
            Kind::Limit(threads) => {
                let path = self.project.join(".agent-memory/local/shared.md");
                let bytes = fs::read(path).expect("the file is there");
                many(threads, |thread| {
                    let folder = self.project.join(format!("limit-{thread}"));
                    fs::create_dir_all(&folder).expect("a new folder");
                    again(time, |_| write_durably(&folder, &bytes))
                })
            }
            Kind::Resident => {
                let now = Moment::parse("2026-11-20T10:00:00Z").expect("a moment");
                let folder = self.project.clone();
                let session = Session {
                    client_project: None,
                    tells_root: false,
                    folder,
                    root: None,
                    now,
                    zone: UTC.clone(),
                    lock_wait: LOCK_WAIT,
                    git_time: GitTime::default(),
                    kept: Kept::default(),
                    warnings: Warnings::default(),
                };
                let project = Project::open_to_write(&session).expect("a store");
                again(time, |number| {
                    let request = replacement(0, number).into_bytes();
                    let outcome = propose(&project, request).expect("an answer");
                    assert!(format!("{outcome:?}").starts_with("Applied"), "{outcome:?}");
                })
            }
            Kind::Processes(count) => many(count, |writer| {
                again(time, |number| self.propose(&replacement(writer, number)))
            }),
        };
        Measured { each, all: start.elapsed() }
    }

    fn propose(&self, request: &str) {
        let answer = self.run(&["propose"], request);
        let answer = String::from_utf8_lossy(&answer.stdout);
        assert!(answer.contains(r#""status":"applied""#), "{answer}");
    }

    fn run(&self, arguments: &[&str], input: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agent-memory"));
        command.args(arguments);
        self.finish(command, input)
    }

    fn finish(&self, mut command: Command, input: &str) -> Output {
        command.current_dir(&self.project).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", &self.project).env("XDG_CONFIG_HOME", self.settings.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let mut stdin = child.stdin.take().expect("stdin is piped");
        // Who does not read stdin may be gone already.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        let output = child.wait_with_output().expect("the program ends");
        let (out, err) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{command:?}: {out}{err}");
        output
    }
}

/// Does some work on many threads at once.
fn many(threads: usize, work: impl Fn(usize) -> Vec<Duration> + Sync) -> Vec<Duration> {
    let work = &work;
    thread::scope(|scope| {
        let all: Vec<_> = (0..threads).map(|thread| scope.spawn(move || work(thread))).collect();
        all.into_iter().flat_map(|each| each.join().expect("no panic")).collect()
    })
}

/// Does some work again and again.
fn again(time: Duration, mut work: impl FnMut(usize)) -> Vec<Duration> {
    let (start, mut each) = (Instant::now(), Vec::new());
    while start.elapsed() < time {
        let begin = Instant::now();
        work(each.len());
        each.push(begin.elapsed());
    }
    each
}

/// What every program does that replaces a file and wants it to last.
fn write_durably(folder: &Path, bytes: &[u8]) {
    let (new, target) = (folder.join("new"), folder.join("file.md"));
    let mut file = File::create(&new).expect("a new file");
    file.write_all(bytes).expect("there is room");
    file.sync_all().expect("it can be synced");
    fs::rename(&new, &target).expect("it can be renamed");
}

/// Gives a section another body of the same length.
fn replacement(writer: usize, number: usize) -> String {
    format!(
        r#"{{"intent": "update_shared", "operations": [{{"operation": "replace_section_content",
        "section_id": "section-{writer}", "content": "{}"}}]}}"#,
        body(number + 1)
    )
}

fn body(number: usize) -> String {
    let line = "The pool is drained before the workers stop, and the queue is kept on the disk.";
    format!("Written for the {number:08}th time.\\n\\n- {line}\\n- {line}\\n- {line}")
}

fn throughput(measured: &[Vec<Measured>]) -> String {
    let of = |kind: Kind| {
        let place = KINDS.iter().position(|each| *each == kind).expect("all kinds are listed");
        &measured[place]
    };
    let mut text = format!(
        "{:<34} {:>8} {:>9} {:>9} {:>10}\n",
        "", "per s", "of limit", "mean ms", "longest ms"
    );
    for kind in KINDS {
        let name = match kind {
            Kind::Limit(1) => "write, fsync, rename; 1 thread".to_owned(),
            Kind::Limit(threads) => format!("write, fsync, rename; {threads} threads"),
            Kind::Resident => "proposals, 1 resident writer".to_owned(),
            Kind::Processes(1) => "proposals, 1 writer process".to_owned(),
            Kind::Processes(count) => format!("proposals, {count} writer processes"),
        };
        let rounds = of(kind);
        let rates: Vec<f64> = rounds.iter().map(Measured::rate).collect();
        let limits = of(Kind::Limit(1)).iter().map(Measured::rate);
        let ratios: Vec<f64> = rates.iter().zip(limits).map(|(rate, limit)| rate / limit).collect();
        let means: Vec<f64> = rounds.iter().map(Measured::mean).collect();
        let longest: Vec<f64> = rounds.iter().map(Measured::longest).collect();
        text += &format!(
            "{name:<34} {:>8.0} {:>9.2} {:>9.1} {:>10.1}\n",
            median(rates),
            median(ratios),
            median(means),
            median(longest)
        );
    }
    let many = of(Kind::Processes(16));
    let pairs = many.iter().zip(of(Kind::Processes(1)));
    let gain = median(pairs.map(|(many, one)| many.rate() / one.rate()).collect());
    let longest = median(many.iter().map(Measured::longest_by_mean).collect());
    text + &format!(
        "\n{} processes do {gain:.2} of what one does; their longest wait is {longest:.1} of the mean\n\
        of limit: the rate by that of one thread that writes, syncs and renames the same bytes\n",
        WRITERS[2]
    )
}

impl Measured {
    fn rate(&self) -> f64 {
        count(self.each.len()) / self.all.as_secs_f64()
    }

    /// Milliseconds.
    fn longest(&self) -> f64 {
        let longest = self.each.iter().max().expect("something was done");
        longest.as_secs_f64() * 1_000.0
    }

    fn longest_by_mean(&self) -> f64 {
        self.longest() / self.mean()
    }

    /// Milliseconds.
    fn mean(&self) -> f64 {
        let sum: Duration = self.each.iter().sum();
        sum.as_secs_f64() * 1_000.0 / count(self.each.len())
    }
}

fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).expect("nobody counts so far"))
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// Counts what one `apply` of several files asks the disk to make durable.
fn syncs(folder: &Path) -> String {
    if Command::new("strace").arg("-V").stdout(Stdio::null()).status().is_err() {
        return "\nsyncs per apply: left out, there is no `strace`\n".to_owned();
    }
    let store = Store::make(folder);
    let counts = WRITERS.map(|files| {
        let answer = store.run(&["propose"], &modules(files));
        let answer = String::from_utf8_lossy(&answer.stdout).into_owned();
        let id = answer.split(r#""staging_id":""#).nth(1).and_then(|rest| rest.split('"').next());
        let trace = folder.join("trace");
        let mut command = Command::new("strace");
        command.args([
            "-f",
            "-qq",
            "-e",
            "trace=fsync,fdatasync,syncfs,sync,sync_file_range,msync",
        ]);
        command.arg("-o").arg(&trace).arg(env!("CARGO_BIN_EXE_agent-memory"));
        command.args(["apply", id.expect("it waits"), "--approver", "Ada"]);
        store.finish(command, "");
        let trace = fs::read_to_string(trace).expect("a trace");
        format!("{} for {files}", trace.lines().filter(|line| line.contains("sync")).count())
    });
    format!("\nsyncs per apply, by files: {}\n", counts.join(", "))
}

fn modules(count: usize) -> String {
    let operations: Vec<String> = (0..count)
        .map(|number| {
            format!(
                r#"{{"operation": "append_section", "path": "modules/{count}-{number}.md",
                "heading": "Tokens", "content": "{}"}}"#,
                body(number)
            )
        })
        .collect();
    format!(
        r#"{{"intent": "refresh_module", "sources": [{{"type": "user", "ref": "ada"}}],
        "operations": [{}]}}"#,
        operations.join(",")
    )
}
