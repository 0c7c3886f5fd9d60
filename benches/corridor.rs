//! Measures the program from outside, beside git, on stores of several sizes: `cargo bench --bench corridor`.
//!
//! One round does everything once on every store, beginning with another task each time, so that a mood
//! of the machine meets all of them. `-- --quick` leaves out the largest store and most of the rounds. `PROGRAM` names
//! another program to be measured, as one that is in a package.
#![allow(clippy::too_many_lines, reason = "a table is made from left to right")]
#![allow(clippy::print_stdout, reason = "a benchmark prints a table")]
#![allow(clippy::disallowed_methods, reason = "a benchmark stands outside of the house")]

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Sections of the stores that are compared.
const SIZES: [usize; 3] = [10, 1_000, 10_000];
const QUICK_SIZES: [usize; 2] = [10, 1_000];

const ROUNDS: usize = 30;
const QUICK_ROUNDS: usize = 7;

/// No round begins later than this.
const TIME: Duration = Duration::from_secs(60);

/// A file touched more recently counts as perhaps changed again, for us and for git.
const UNTIL_SETTLED: Duration = Duration::from_millis(2_500);

const SECTIONS_PER_FILE: usize = 25;

/// The pitfalls are as many in every store, so that the file that grows is as long in each.
const PITFALLS: usize = 5;

const VOCABULARY: usize = 4_000;

/// What is measured, in the order of the table.
const TASKS: [Task; 5] = [Task::Git, Task::Append, Task::Session, Task::Stage, Task::Search];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Task {
    Git,
    Append,
    Session,
    Stage,
    Search,
}

fn main() {
    // Cargo itself adds `--bench`.
    let quick = std::env::args().any(|argument| argument == "--quick");
    let (sizes, rounds) =
        if quick { (&QUICK_SIZES[..], QUICK_ROUNDS) } else { (&SIZES[..], ROUNDS) };
    let folder = tempfile::Builder::new()
        .prefix("corridor-")
        .tempdir_in(env!("CARGO_TARGET_TMPDIR"))
        .expect("the target folder can be written to");
    let mut stores: Vec<Store> =
        sizes.iter().map(|sections| Store::make(folder.path(), *sections)).collect();
    std::thread::sleep(UNTIL_SETTLED);
    stores.iter_mut().for_each(Store::warm_up);
    let start = Instant::now();
    let mut done = 0;
    while done < rounds && start.elapsed() < TIME {
        stores.iter_mut().for_each(|store| store.round(done));
        done += 1;
    }
    print!("{}", report(&stores, done));
}

/// A repository with a store, and what was measured there.
struct Store {
    program: PathBuf,
    home: PathBuf,
    repository: PathBuf,
    sections: usize,
    question: Vec<String>,
    /// Milliseconds by task.
    measured: [Vec<f64>; TASKS.len()],
    /// Tells the lines that are added from each other.
    lines: usize,
}

impl Store {
    /// Makes a repository of which everything is committed and indexed.
    fn make(folder: &Path, sections: usize) -> Self {
        let repository = folder.join(format!("{sections}-sections"));
        fs::create_dir_all(repository.join("src")).expect("a new folder");
        let mut prose = Prose::new();
        let question = [10, 100, 1_000].map(|rank| prose.vocabulary[rank].clone()).to_vec();
        let measured = TASKS.map(|_| Vec::new());
        let home = folder.to_path_buf();
        let program = match std::env::var_os("PROGRAM") {
            Some(path) => fs::canonicalize(path).expect("`PROGRAM` is a file"),
            None => env!("CARGO_BIN_EXE_agent-memory").into(),
        };
        let store = Self { program, home, repository, sections, question, measured, lines: 0 };
        store.git(&["init", "--quiet"]);
        fs::write(store.repository.join("src/main.rs"), "fn main() {}\n").expect("a new file");
        store.ours(&["init"], "");
        let memory = store.repository.join(".agent-memory");
        fs::create_dir_all(memory.join("modules")).expect("a new folder");
        let pitfalls = prose.file("Pitfalls", 0..PITFALLS);
        fs::write(memory.join("pitfalls.md"), pitfalls).expect("a new file");
        for (number, first) in (PITFALLS..sections).step_by(SECTIONS_PER_FILE).enumerate() {
            let text = prose
                .file(&format!("Module {number}"), first..sections.min(first + SECTIONS_PER_FILE));
            let path = memory.join(format!("modules/module-{number:03}.md"));
            fs::write(path, text).expect("a new file");
        }
        store.ours(&["reindex"], "");
        store.commit();
        store
    }

    /// Lets the index see that the files are old, and walks every way once.
    fn warm_up(&mut self) {
        for task in TASKS {
            self.time(task);
        }
        self.commit();
    }

    /// Does every task once, starting with another one each time.
    fn round(&mut self, number: usize) {
        for turn in 0..TASKS.len() {
            let task = (number + turn) % TASKS.len();
            let took = self.time(TASKS[task]);
            self.measured[task].push(took.as_secs_f64() * 1_000.0);
        }
    }

    /// Does a task and says how long the processes took; what has to be tidied up is not counted.
    fn time(&mut self, task: Task) -> Duration {
        self.lines += 1;
        let line =
            format!("- PathMetadata again in run {}, after the pool was drained.", self.lines);
        match task {
            Task::Git => {
                let path = self.repository.join(".agent-memory/pitfalls.md");
                let file = fs::OpenOptions::new().append(true).open(path);
                let mut file = file.expect("the store has pitfalls");
                writeln!(file, "{line}").expect("the file can grow");
                drop(file);
                timed(|| self.commit()).1
            }
            Task::Append => {
                let last = PITFALLS - 1;
                let request = format!(
                    r#"{{"intent": "add_pitfall", "operations": [{{"operation": "append_to_section",
                    "path": "pitfalls.md", "section_id": "section-{last}", "content": "{line}"}}]}}"#
                );
                let took = self.propose(&request, r#""status":"applied""#);
                self.commit();
                took
            }
            Task::Session => {
                let request = format!(
                    r#"{{"intent": "session_log", "operations": [{{"operation": "append_section",
                    "heading": "Run {}", "content": "{line}"}}]}}"#,
                    self.lines
                );
                self.propose(&request, r#""status":"applied""#)
            }
            Task::Stage => {
                let request = format!(
                    r#"{{"intent": "record_decision", "confidence": "confirmed",
                    "sources": [{{"type": "file", "ref": "src/main.rs:1"}}],
                    "operations": [{{"operation": "append_section", "heading": "Decision {0}",
                    "section_id": "decision-{0}",
                    "content": "- **Date:** 2026-11-20\n- **Status:** active\n\n{line}"}}]}}"#,
                    self.lines
                );
                let took = self.propose(&request, r#""status":"staged""#);
                // The queue is as long for the last round as for the first.
                let staging = self.repository.join(".agent-memory/staging");
                fs::remove_dir_all(staging).expect("the proposal is there");
                took
            }
            Task::Search => {
                let mut arguments = vec!["search", "--json", "--exit-code"];
                arguments.extend(self.question.iter().map(String::as_str));
                timed(|| self.ours(&arguments, "")).1
            }
        }
    }

    fn propose(&self, request: &str, expected: &str) -> Duration {
        let (answer, took) = timed(|| self.ours(&["propose"], request));
        let answer = String::from_utf8_lossy(&answer.stdout);
        assert!(answer.contains(expected), "not {expected}: {answer}");
        took
    }

    fn ours(&self, arguments: &[&str], input: &str) -> Output {
        self.run(&self.program, arguments, input)
    }

    fn git(&self, arguments: &[&str]) -> Output {
        self.run("git", arguments, "")
    }

    fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["-c", "commit.gpgsign=false", "commit", "-q", "--allow-empty", "-m", "a line"]);
    }

    fn run(&self, program: impl AsRef<OsStr>, arguments: &[&str], input: &str) -> Output {
        let mut command = Command::new(&program);
        command.args(arguments).current_dir(&self.repository).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("HOME", &self.home);
        command.env("GIT_CONFIG_NOSYSTEM", "1").envs([
            ("GIT_AUTHOR_NAME", "Ada"),
            ("GIT_AUTHOR_EMAIL", "ada@example.org"),
            ("GIT_COMMITTER_NAME", "Ada"),
            ("GIT_COMMITTER_EMAIL", "ada@example.org"),
        ]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let mut stdin = child.stdin.take().expect("stdin is piped");
        // Who does not read stdin may be gone already.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        let output = child.wait_with_output().expect("the program ends");
        let (out, err) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{:?} {arguments:?}: {out}{err}", program.as_ref());
        output
    }

    fn times_of(&self, task: Task) -> &[f64] {
        let place = TASKS.iter().position(|each| *each == task).expect("all tasks are listed");
        &self.measured[place]
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

/// Writes the same text every time: words of 2 to 14 letters, few of them often and most of them seldom.
struct Prose {
    state: u64,
    vocabulary: Vec<String>,
}

impl Prose {
    fn new() -> Self {
        let mut prose = Self { state: 0x9e37_79b9_7f4a_7c15, vocabulary: Vec::new() };
        prose.vocabulary = (0..VOCABULARY).map(|_| prose.new_word()).collect();
        prose
    }

    /// Returns a number below a limit (xorshift64*).
    fn below(&mut self, limit: usize) -> usize {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        let number = self.state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        usize::try_from(number).expect("31 bits") % limit
    }

    fn new_word(&mut self) -> String {
        const SYLLABLES: [&str; 24] = [
            "con", "re", "ta", "ing", "si", "lo", "ver", "mo", "en", "tra", "pa", "li", "der",
            "ca", "ne", "sto", "ri", "me", "que", "is", "bo", "ut", "ran", "do",
        ];
        // Most words have two or three syllables.
        let syllables = 1 + self.below(2) + self.below(2) + self.below(2) * self.below(2);
        (0..syllables).map(|_| SYLLABLES[self.below(SYLLABLES.len())]).collect()
    }

    fn words(&mut self, count: usize) -> String {
        let words: Vec<String> = (0..count)
            .map(|_| {
                let rank = self.below(VOCABULARY) * self.below(VOCABULARY) / VOCABULARY;
                self.vocabulary[rank].clone()
            })
            .collect();
        words.join(" ")
    }

    fn file(&mut self, title: &str, numbers: std::ops::Range<usize>) -> String {
        let mut text = format!("# {title}\n");
        for number in numbers {
            let heading = self.words(4);
            write!(text, "\n## {heading}\n<!-- @id: section-{number} -->\n\n")
                .expect("a text takes any text");
            for _ in 0..3 {
                text += &format!("{}\n", self.words(16));
            }
            text += &format!("\n- {}\n- {}\n", self.words(12), self.words(8));
        }
        text
    }
}

fn report(stores: &[Store], rounds: usize) -> String {
    let mut text = format!(
        "\n{rounds} rounds on stores of {} sections\n\n",
        stores.iter().map(|store| grouped(store.sections)).collect::<Vec<_>>().join(", ")
    );
    text += "                                ";
    for store in stores {
        text += &format!("  {:>26}", format!("{} sections", grouped(store.sections)));
    }
    text += "   growth\n                                ";
    text += &format!("  {:>9} {:>8} {:>7}", "median ms", "p95 ms", "of git").repeat(stores.len());
    if let [first, .., last] = stores {
        text += &format!("  {:>7}", format!("x{}", grouped(last.sections / first.sections)));
    }
    text += "\n";
    for task in TASKS {
        text += &row(task, stores);
    }
    text += "\nmedian, p95: wall-clock time of the processes, from start to end\n\
        of git: median by the median of `git add -A && git commit -q` of one line more in pitfalls.md\n\
        growth: median in the largest store by that in the smallest; above it, what the store grew by\n";
    text
}

fn row(task: Task, stores: &[Store]) -> String {
    let name = match task {
        Task::Git => "git add, git commit",
        Task::Append => "propose > applied (pitfall)",
        Task::Session => "propose > applied (session log)",
        Task::Stage => "propose > staged (decision)",
        Task::Search => "search",
    };
    let mut text = format!("{name:<32}");
    for store in stores {
        let times = store.times_of(task);
        let median = quantile(times, 0.5);
        let ratio = median / quantile(store.times_of(Task::Git), 0.5);
        text += &format!("  {median:>9.1} {:>8.1} {ratio:>7.2}", quantile(times, 0.95));
    }
    if let [first, .., last] = stores {
        let growth = quantile(last.times_of(task), 0.5) / quantile(first.times_of(task), 0.5);
        text += &format!("  {:>7}", format!("x{growth:.1}"));
    }
    text + "\n"
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

fn grouped(number: usize) -> String {
    match number / 1_000 {
        0 => number.to_string(),
        thousands => format!("{thousands},{:03}", number % 1_000),
    }
}
