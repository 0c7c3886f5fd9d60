//! Measures how index and search grow with the store: `cargo bench --bench scale`.
//!
//! The corpora are made up, with the frequencies that words have in real texts. `-- --million` adds one of a
//! million sections, `-- --quick` leaves out all above 10,000. What plain FTS5 does with the same rows and
//! the same words, in the same run, stands beside it.
#![allow(clippy::too_many_lines, reason = "a table is made from left to right")]
#![allow(clippy::print_stdout, reason = "a benchmark prints a table")]
#![allow(clippy::disallowed_methods, reason = "a benchmark stands outside of the house")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use agent_memory::contract::{Moment, UTC};
use agent_memory::project::verbs::{
    GitTime, Kept, LOCK_WAIT, Project, Query, Session, Warnings, Weights, search,
};
use rusqlite::{Connection, params};

/// Sections of a file.
const SECTIONS: usize = 50;

/// Questions of each size; fewer for processes where each takes long.
const QUESTIONS: usize = 60;

/// Different words there are.
const VOCABULARY: usize = 60_000;

/// Words that say nothing about what is asked.
const SMALL: [&str; 45] = [
    "how", "does", "the", "of", "and", "to", "a", "in", "is", "it", "that", "for", "was", "on",
    "are", "as", "with", "be", "at", "by", "this", "have", "from", "or", "had", "but", "what",
    "all", "were", "when", "we", "there", "can", "an", "your", "which", "their", "if", "will",
    "each", "about", "up", "out", "them", "then",
];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--build") {
        build(Path::new(&arguments[at + 1]));
        return println!("{}", peak());
    }
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let sizes = [1_000, 10_000, 100_000, 1_000_000];
    let count = if has("--quick") { 2 } else { 3 + usize::from(has("--million")) };
    let columns = [
        "sections",
        "build s",
        "of raw",
        "memory MiB",
        "bytes/section",
        "detect ms",
        "update ms",
        "process p50/p95 ms",
        "resident p50/p95 ms",
        "asking p50/p95 ms",
        "plain p50/p95 ms",
        "asking/plain",
        "as typed p50/p95 ms",
        "asking/as typed",
    ];
    println!("\n| {} |\n|{}", columns.join(" | "), "---|".repeat(columns.len()));
    for size in &sizes[..count] {
        let folder = tempfile::Builder::new()
            .prefix("scale-")
            .tempdir_in(env!("CARGO_TARGET_TMPDIR"))
            .expect("the target folder can be written to");
        println!("| {} |", measure(folder.path(), *size).join(" | "));
    }
}

/// Returns a row of the table.
fn measure(project: &Path, size: usize) -> Vec<String> {
    let mut source = Source::new();
    let store = project.join(".agent-memory");
    let status = program(project).args(["init", "--quiet"]).status().expect("the program starts");
    assert!(status.success());
    let rows = fill(&store, &mut source, size);
    // The times of files are settled by then, as they are in a store that nobody is writing to.
    std::thread::sleep(Duration::from_millis(2_100));
    let memory = build_apart(project);
    let database = store.join("state/index.sqlite");
    let (build, raw) = build_twice(project, &database, &rows);
    let bytes = fs::metadata(&database).expect("there is an index").len();

    let questions: Vec<String> = (0..QUESTIONS).map(|_| source.question()).collect();
    let opened = open(project);
    let ask = |text: &str| {
        let query = Query { limit: 10, ..Query::new(text, now(), &UTC) };
        search(&opened, &query).expect("an answer").found.len()
    };
    ask("");
    let detect = median(&mut (0..15).map(|_| timed(|| ask(""))).collect::<Vec<_>>());
    let update = update(&store, &mut source, |text| ask(text)).saturating_sub(detect);
    let connection = Connection::open(&database).expect("the index opens");
    let mut resident = Vec::new();
    let mut asking = Vec::new();
    let mut plain = Vec::new();
    let mut naive = Vec::new();
    for question in &questions {
        plain.push(timed(|| ask_plain(&connection, question, |word| !SMALL.contains(&word))));
        naive.push(timed(|| ask_plain(&connection, question, |_| true)));
        let whole = timed(|| ask(question));
        resident.push(whole);
        asking.push(whole.saturating_sub(detect));
    }
    let mut process: Vec<Duration> = questions
        .iter()
        .map(|text| {
            timed(|| {
                let mut command = program(project);
                let status =
                    command.args(["search", "--json", text]).stdout(Stdio::null()).status();
                assert!(status.expect("the program starts").success());
            })
        })
        .collect();
    let asked = median(&mut asking).as_secs_f64();
    let ratio = |plain: &mut [Duration]| format!("{:.2}", asked / median(plain).as_secs_f64());
    vec![
        size.to_string(),
        format!("{:.1}", build.as_secs_f64()),
        format!("{:.2}", build.as_secs_f64() / raw.as_secs_f64()),
        memory.map_or("?".to_owned(), |kib| (kib / 1024).to_string()),
        (bytes / size as u64).to_string(),
        milliseconds(detect),
        milliseconds(update),
        both(&mut process),
        both(&mut resident),
        both(&mut asking),
        both(&mut plain),
        ratio(&mut plain),
        both(&mut naive),
        ratio(&mut naive),
    ]
}

/// Writes the files of a store; returns their sections, each with the number of its file.
fn fill(store: &Path, source: &mut Source, size: usize) -> Vec<(usize, Row)> {
    let mut rows = Vec::with_capacity(size);
    for file in 0..size.div_ceil(SECTIONS) {
        let sections: Vec<Row> =
            (0..SECTIONS.min(size - file * SECTIONS)).map(|_| source.row()).collect();
        write_file(store, file, &sections);
        rows.extend(sections.into_iter().map(|row| (file, row)));
    }
    rows
}

/// A section, as its columns stand in the index.
struct Row {
    heading: String,
    body: String,
}

/// Makes up texts: the n-th most frequent word stands in a text `1 / (n + 2.7)` as often as the first.
struct Source {
    state: u64,
    words: Vec<String>,
    sums: Vec<f64>,
}

impl Source {
    fn new() -> Self {
        const COMMON: &str = "the of and to a in is it that for was on are as with be at by this have from or had \
            not but what all were when we there can an your which their if will each about how up out them then";
        const SYLLABLES: [&str; 20] = [
            "ka", "to", "ren", "mi", "sul", "ve", "dor", "li", "pan", "que", "ras", "ton", "gi",
            "bel", "nor", "fa", "chu", "wes", "ly", "der",
        ];
        let made_up = |mut number: usize| {
            let mut word = String::new();
            while number > 0 || word.is_empty() {
                word += SYLLABLES[number % SYLLABLES.len()];
                number /= SYLLABLES.len();
            }
            word
        };
        let mut words: Vec<String> = COMMON.split_whitespace().map(str::to_owned).collect();
        words.extend((400..400 + VOCABULARY - words.len()).map(made_up));
        let mut sum = 0.0;
        let sums = (0..VOCABULARY)
            .map(|rank| {
                sum += 1.0 / (rank as f64 + 2.7);
                sum
            })
            .collect();
        Self { state: 7, words, sums }
    }

    fn number(&mut self, below: usize) -> usize {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) as usize % below
    }

    fn word(&mut self) -> &str {
        let total = self.sums[VOCABULARY - 1];
        let point = self.number(1 << 30) as f64 / f64::from(1 << 30) * total;
        let rank = self.sums.partition_point(|sum| *sum < point).min(VOCABULARY - 1);
        &self.words[rank]
    }

    fn text(&mut self, words: usize) -> String {
        (0..words).map(|_| self.word().to_owned()).collect::<Vec<_>>().join(" ")
    }

    fn row(&mut self) -> Row {
        let words = 20 + self.number(80);
        Row { heading: self.text(4), body: self.text(words) }
    }

    /// A question as people ask them: some small words, some that say what it is about.
    fn question(&mut self) -> String {
        format!("how does {}", self.text(8))
    }
}

fn write_file(store: &Path, file: usize, rows: &[Row]) {
    let mut text = format!("# Module {file}\n\n");
    for row in rows {
        text += &format!("## {}\n\n{}\n\n", row.heading, row.body);
    }
    let folder = store.join("modules");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join(format!("module-{file}.md")), text).expect("it is written");
}

/// Changes a section of a file that is there; returns how long the next question takes.
fn update(store: &Path, source: &mut Source, ask: impl Fn(&str) -> usize) -> Duration {
    let path = store.join("modules/module-0.md");
    let mut times: Vec<Duration> = (0..9)
        .map(|_| {
            let text = fs::read_to_string(&path).expect("a file");
            let (start, rest) = text.split_once("\n\n## ").expect("there is a section");
            let (heading, rest) = rest.split_once("\n\n").expect("it has a text");
            let (_, rest) = rest.split_once("\n\n").expect("there is another one");
            let text = format!("{start}\n\n## {heading}\n\n{}\n\n{rest}", source.text(60));
            fs::write(&path, text).expect("it is written");
            timed(|| ask(""))
        })
        .collect();
    median(&mut times)
}

/// Asks FTS5 alone for some words of a question.
fn ask_plain(connection: &Connection, question: &str, counts: impl Fn(&str) -> bool) -> usize {
    let words: Vec<String> =
        question.split(' ').filter(|word| counts(word)).map(|word| format!("\"{word}\"")).collect();
    let weights = Weights::TUNED.columns.map(|weight| weight.to_string()).join(", ");
    let sql = format!(
        "SELECT rowid FROM words WHERE words MATCH ?1 ORDER BY bm25(words, {weights}) LIMIT 10"
    );
    let mut statement = connection.prepare_cached(&sql).expect("it is SQL");
    let rows = statement.query_map([words.join(" OR ")], |row| row.get::<_, i64>(0));
    rows.expect("it answers").count()
}

/// Returns how long it takes to build the index, and the plain table with the same rows: both in this process,
/// which has its memory by then, in turns and more than once where it takes milliseconds.
fn build_twice(project: &Path, database: &Path, rows: &[(usize, Row)]) -> (Duration, Duration) {
    let rounds = if rows.len() > 10_000 { 1 } else { 9 };
    let (mut ours, mut raw) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let plain = project.join("raw.sqlite");
        raw.push(insert_raw(&plain, database, rows));
        fs::remove_file(plain).expect("it was made");
        fs::remove_file(database).expect("it can be made anew");
        ours.push(timed(|| build(project)));
    }
    (median(&mut ours), median(&mut raw))
}

/// Inserts the same rows into the same table, and nothing else, in one transaction.
fn insert_raw(path: &Path, database: &Path, rows: &[(usize, Row)]) -> Duration {
    let table: String = Connection::open(database)
        .and_then(|index| {
            let sql = "SELECT sql FROM sqlite_master WHERE name = 'words'";
            index.query_row(sql, [], |row| row.get(0))
        })
        .expect("the index has a table of words");
    timed(|| {
        let connection = Connection::open(path).expect("a database");
        let settings = "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; BEGIN;";
        connection
            .execute_batch(settings)
            .and_then(|()| connection.execute_batch(&table))
            .expect("a table");
        let sql = "INSERT INTO words(rowid, heading, names, body) VALUES (?1, ?2, ?3, ?4)";
        let mut insert = connection.prepare(sql).expect("it is SQL");
        for (number, (file, row)) in rows.iter().enumerate() {
            let names = format!("Module {file} modules/module-{file}");
            let values = params![number as i64 + 1, row.heading, names, row.body];
            insert.execute(values).expect("it is inserted");
        }
        drop(insert);
        connection.execute_batch("COMMIT").expect("it is written");
    })
}

/// Builds the index in a process of its own; returns its memory at most in KiB.
fn build_apart(project: &Path) -> Option<u64> {
    let own = std::env::current_exe().expect("this program is somewhere");
    let output = Command::new(own).arg("--build").arg(project).output().expect("it starts");
    String::from_utf8_lossy(&output.stdout).trim().parse().ok()
}

fn build(project: &Path) {
    search(&open(project), &Query::new("", now(), &UTC)).expect("an index");
}

fn peak() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|line| line.split_whitespace().next()).unwrap_or("?").to_owned()
}

fn open(project: &Path) -> Project {
    let place = Session {
        client_project: None,
        tells_root: false,
        folder: project.to_owned(),
        root: None,
        now: now(),
        zone: UTC.clone(),
        lock_wait: LOCK_WAIT,
        git_time: GitTime::default(),
        kept: Kept::default(),
        warnings: Warnings::default(),
    };
    Project::open(&place).expect("a store")
}

fn now() -> Moment {
    Moment::parse("2026-11-20T10:00:00Z").expect("a moment")
}

fn program(project: &Path) -> Command {
    let mut command = Command::new(PathBuf::from(env!("CARGO_BIN_EXE_agent-memory")));
    command.current_dir(project).arg("--root").arg(project);
    command
}

fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn both(times: &mut [Duration]) -> String {
    let middle = median(times);
    let late = times[times.len() * 95 / 100];
    format!("{} / {}", milliseconds(middle), milliseconds(late))
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1_000.0)
}
