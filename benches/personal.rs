//! Measures a person's own memory from outside, beside the disk itself: `cargo bench --bench personal`.
//!
//! One round does everything once in a folder of 1,000 entries, beginning with another task each time, so that a mood of
//! the machine meets all of them. `-- --quick` takes fewer rounds, `-- --in FOLDER` measures the file system on which a
//! folder lies, and `PROGRAM` names another program to be measured.
#![allow(clippy::print_stdout, reason = "a benchmark prints a table")]
#![allow(clippy::disallowed_methods, reason = "a benchmark stands outside of the house")]

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ENTRIES: usize = 1_000;

const ROUNDS: usize = 60;
const QUICK_ROUNDS: usize = 11;

/// What is measured, in the order of the table.
const TASKS: [Task; 7] = [
    Task::WriteFile,
    Task::WriteFileAndFolder,
    Task::Start,
    Task::Replace,
    Task::New,
    Task::List,
    Task::Read,
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Task {
    /// What every program does that replaces a file and wants its bytes to last.
    WriteFile,
    /// The same, and the name lasts too.
    WriteFileAndFolder,
    /// A process that does nothing.
    Start,
    /// An entry gets another body.
    Replace,
    /// An entry comes.
    New,
    List,
    Read,
}

fn main() {
    // Cargo itself adds `--bench`.
    let quick = std::env::args().any(|argument| argument == "--quick");
    let rounds = if quick { QUICK_ROUNDS } else { ROUNDS };
    let place = std::env::args().skip_while(|argument| argument != "--in").nth(1);
    let folder = tempfile::Builder::new()
        .prefix("personal-")
        .tempdir_in(place.as_deref().unwrap_or(env!("CARGO_TARGET_TMPDIR")))
        .expect("the folder can be written to");
    let person = Person::make(folder.path());
    let mut measured: Vec<Vec<f64>> = TASKS.iter().map(|_| Vec::new()).collect();
    // The first round walks every way once.
    for round in 0..=rounds {
        for turn in 0..TASKS.len() {
            let task = (round + turn) % TASKS.len();
            let took = person.time(TASKS[task], round).as_secs_f64() * 1_000.0;
            measured[task].extend((round > 0).then_some(took));
        }
    }
    println!("\n{rounds} rounds in a folder of {ENTRIES} entries\n");
    print!("{}", table(&measured));
}

/// A person with many entries.
struct Person {
    program: PathBuf,
    home: PathBuf,
}

impl Person {
    fn make(home: &Path) -> Self {
        let program = match std::env::var_os("PROGRAM") {
            Some(path) => fs::canonicalize(path).expect("`PROGRAM` is a file"),
            None => env!("CARGO_BIN_EXE_agent-memory").into(),
        };
        let person = Self { program, home: home.to_owned() };
        // The program makes the folder, and the other entries come by hand.
        person.upsert(&name(0), 0);
        let memory = person.folder().join("memory");
        let mut index = String::new();
        for number in 0..ENTRIES {
            let (name, description) = (name(number), description(number));
            index += &format!("- [{name}]({name}.md) — {description}\n");
            fs::write(memory.join(format!("{name}.md")), entry(number, 0)).expect("a new file");
        }
        fs::write(memory.join("MEMORY.md"), index).expect("a new file");
        let limits = format!("[limits]\nentries = {}\n", 2 * ENTRIES);
        fs::write(person.folder().join("config.toml"), limits).expect("a new file");
        person
    }

    fn folder(&self) -> PathBuf {
        self.home.join("data/users/ada")
    }

    fn time(&self, task: Task, round: usize) -> Duration {
        let start = Instant::now();
        match task {
            Task::WriteFile => drop(write_durably(&self.home, round)),
            Task::WriteFileAndFolder => {
                let folder = write_durably(&self.home, round);
                File::open(folder).and_then(|it| it.sync_all()).expect("it can be synced");
            }
            Task::Start => drop(self.run(&["--version"], "")),
            Task::Replace => self.upsert(&name(round), round + 1),
            Task::New => self.upsert(&name(ENTRIES + round), 0),
            Task::List => {
                let list = self.run(&["user", "list", "--json", "--as", "ada"], "");
                assert!(list.contains(&name(ENTRIES - 1)), "{list}");
            }
            Task::Read => {
                let read = self.run(&["user", "read", &name(round), "--as", "ada"], "");
                assert!(read.contains("# Memory: "), "{read}");
            }
        }
        start.elapsed()
    }

    fn upsert(&self, name: &str, version: usize) {
        let (description, body) = (description(number_of(name)), body(version));
        let request = format!(
            r#"{{"tool": "update_user_memory", "arguments": {{"action": "upsert", "name": "{name}",
            "type": "user", "description": "{description}", "body": "{body}"}}}}"#
        );
        let answer = self.run(&["user", "call", "--as", "ada"], &request);
        let is_done = ["created", "updated"].iter().any(|it| answer.contains(it));
        assert!(is_done, "{answer}");
    }

    fn run(&self, arguments: &[&str], input: &str) -> String {
        let mut command = Command::new(&self.program);
        command.args(arguments).current_dir(&self.home).env_clear();
        command.env("HOME", &self.home).env("AGENT_MEMORY_DATA", self.home.join("data"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let mut stdin = child.stdin.take().expect("stdin is piped");
        // A program that does not read stdin may be gone already.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        let output = child.wait_with_output().expect("the program ends");
        let out = String::from_utf8_lossy(&output.stdout).into_owned();
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {out}{err}");
        out
    }
}

/// Writes the bytes of an entry, syncs and renames them; returns the folder.
fn write_durably(home: &Path, round: usize) -> PathBuf {
    let folder = home.join("plain");
    fs::create_dir_all(&folder).expect("a new folder");
    let new = folder.join("new");
    let mut file = File::create(&new).expect("a new file");
    file.write_all(entry(0, round).as_bytes()).expect("there is room");
    file.sync_all().expect("it can be synced");
    fs::rename(&new, folder.join("entry.md")).expect("it can be renamed");
    folder
}

fn name(number: usize) -> String {
    format!("entry-{number:04}")
}

fn number_of(name: &str) -> usize {
    name.rsplit('-').next().and_then(|number| number.parse().ok()).expect("a name has a number")
}

fn description(number: usize) -> String {
    format!("What was agreed about part {number} of the build")
}

/// Returns the file of an entry, of about 400 bytes.
fn entry(number: usize, version: usize) -> String {
    let (name, description) = (name(number), description(number));
    let body = body(version).replace("\\n", "\n");
    format!("---\nname: {name}\ndescription: {description}\ntype: user\n---\n\n{body}\n")
}

fn body(version: usize) -> String {
    let line = "The pool is drained before the workers stop, and the queue is kept on disk.";
    format!("Written for the {version:08}th time.\\n\\n- {line}\\n- {line}\\n- {line}")
}

fn table(measured: &[Vec<f64>]) -> String {
    let of = |task: Task| {
        let place = TASKS.iter().position(|each| *each == task).expect("all tasks are listed");
        &measured[place]
    };
    let plain = [Task::WriteFile, Task::WriteFileAndFolder].map(|task| quantile(of(task), 0.5));
    let mut text = format!(
        "{:<30} {:>9} {:>8} {:>10} {:>14}\n",
        "", "median ms", "p95 ms", "of a file", "and its folder"
    );
    for task in TASKS {
        let name = match task {
            Task::WriteFile => "write, fsync, rename",
            Task::WriteFileAndFolder => "the same, fsync of the folder",
            Task::Start => "a process that does nothing",
            Task::Replace => "user call: another body",
            Task::New => "user call: a new entry",
            Task::List => "user list --json",
            Task::Read => "user read NAME",
        };
        let (median, p95) = (quantile(of(task), 0.5), quantile(of(task), 0.95));
        let [file, folder] = plain.map(|plain| median / plain);
        text += &format!("{name:<30} {median:>9.1} {p95:>8.1} {file:>10.2} {folder:>14.2}\n");
    }
    text + "\nmedian, p95: wall-clock time, of the commands that of the whole process\n\
        of a file, and its folder: median by that of the first and of the second line, which write the same bytes\n"
}

fn quantile(times: &[f64], part: f64) -> f64 {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    #[expect(clippy::cast_precision_loss, reason = "there are few rounds")]
    let last = times.len() as f64 - 1.0;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "few and positive")]
    let place = (last * part).round() as usize;
    times[place]
}
