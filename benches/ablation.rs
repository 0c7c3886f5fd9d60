//! Measures what each signal of `search` is good for, on questions whose answers are known:
//! `RETRIEVAL_DATA=questions.json cargo bench --bench ablation`.
//!
//! The file (gzip is fine) holds `corpus`, sections with `set`, `conv`, `id` and `text`, and `queries` with
//! `question` and `evidence`. Each conversation or project becomes a store of its own. `-- near=0.2` adds a
//! row with another weight. `-- changed-files` prints another table instead: what the share is good for that a section gains if it
//! rests on a file that the work has changed.
#![allow(clippy::print_stdout, reason = "a benchmark prints a table")]
#![allow(clippy::disallowed_methods, reason = "a benchmark stands outside of the house")]

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use agent_memory::contract::{Moment, UTC};
use agent_memory::project::verbs::{
    GitTime, Kept, LOCK_WAIT, Project, Query, Session, Warnings, Weights, search,
};
use serde_json::Value;

/// Results that are asked for.
const DEPTH: usize = 50;

#[path = "ablation/changed_files.rs"]
mod changed_files;

/// A conversation or a project as a store, with its questions.
struct Case {
    set: String,
    folder: PathBuf,
    project: Project,
    now: Moment,
    questions: Vec<Question>,
}

struct Question {
    text: String,
    evidence: Vec<String>,
}

/// What is printed of a set.
#[derive(Default)]
struct Score {
    questions: f64,
    recall: f64,
    reciprocal_rank: f64,
}

fn main() {
    let Some(path) = std::env::var_os("RETRIEVAL_DATA") else {
        println!("set RETRIEVAL_DATA to a file of questions; see benches/ablation.rs");
        return;
    };
    let folder = tempfile::Builder::new()
        .prefix("ablation-")
        .tempdir_in(env!("CARGO_TARGET_TMPDIR"))
        .expect("the target folder can be written to");
    let cases = read_cases(Path::new(&path), folder.path());
    if std::env::args().any(|argument| argument == "changed-files") {
        return changed_files::print(cases);
    }
    let mut rows = vec![("all signals".to_owned(), Weights::TUNED)];
    rows.extend(SIGNALS.map(|(name, _)| (format!("without {name}"), changed(name, 0.0))));
    for argument in std::env::args().filter(|argument| argument.contains('=')) {
        let mut weights = Weights::TUNED;
        for change in argument.split(',') {
            let (name, value) = change.split_once('=').expect("a change is `name=value`");
            let value = value.parse().expect("a weight is a number");
            let (_, set) =
                SIGNALS.iter().find(|(known, _)| *known == name).expect("a known signal");
            set(&mut weights, value);
        }
        rows.push((argument, weights));
    }
    let mut is_first = true;
    for (name, weights) in rows {
        let scores = measure(&cases, &weights);
        if is_first {
            let sets: String =
                scores.keys().map(|set| format!(" {set} R@5 | {set} MRR |")).collect();
            println!("| |{sets}\n|---|{}", "---|".repeat(scores.len() * 2));
            is_first = false;
        }
        println!("| {name} |{}", scores.values().map(Score::cells).collect::<String>());
    }
}

/// Sets a weight.
type Setter = fn(&mut Weights, f64);

/// The signals by name, each with how to set what it counts; what is a switch is on above 0.
const SIGNALS: [(&str, Setter); 6] = [
    ("stop-words", |weights, value| weights.stop_words = value > 0.0),
    ("heading", |weights, value| weights.columns[0] = value),
    ("names", |weights, value| weights.columns[1] = value),
    ("identifier-parts", |weights, value| weights.columns[3] = value),
    ("neighbours", |weights, value| {
        weights.columns[4] = value;
        weights.columns[5] = value * 0.6;
    }),
    ("near", |weights, value| weights.near = value),
];

fn changed(name: &str, value: f64) -> Weights {
    let mut weights = Weights::TUNED;
    let (_, set) = SIGNALS.iter().find(|(known, _)| *known == name).expect("a known signal");
    set(&mut weights, value);
    weights
}

fn measure(cases: &[Case], weights: &Weights) -> BTreeMap<String, Score> {
    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    for case in cases {
        let score = scores.entry(case.set.clone()).or_default();
        case.questions.iter().for_each(|question| score.add(case, question, weights));
    }
    scores
}

impl Score {
    fn add(&mut self, case: &Case, question: &Question, weights: &Weights) {
        let query = Query { limit: DEPTH, weights, ..Query::new(&question.text, case.now, &UTC) };
        let answers = search(&case.project, &query).expect("any text is a question");
        let found: Vec<String> = answers.found.into_iter().filter_map(|found| found.id).collect();
        let is_evidence = |id: &&String| question.evidence.contains(*id);
        let hits = found.iter().take(5).filter(is_evidence).count();
        let first = found.iter().position(|id| is_evidence(&id));
        self.questions += 1.0;
        self.recall += hits as f64 / question.evidence.len() as f64;
        self.reciprocal_rank += first.map_or(0.0, |place| 1.0 / (place + 1) as f64);
    }

    /// Returns recall and mean reciprocal rank as the cells of a table.
    fn cells(&self) -> String {
        let mean = |sum: f64| sum / self.questions;
        format!(" {:.3} | {:.3} |", mean(self.recall), mean(self.reciprocal_rank))
    }
}

fn read_cases(path: &Path, folder: &Path) -> Vec<Case> {
    let data = match path.extension().is_some_and(|extension| extension == "gz") {
        true => Command::new("gzip").arg("-dc").arg(path).output().expect("gzip runs").stdout,
        false => fs::read(path).expect("the questions can be read"),
    };
    let data: Value = serde_json::from_slice(&data).expect("the questions are JSON");
    let list = |name: &str| data[name].as_array().expect("a list").iter();
    let mut sections: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    list("corpus").for_each(|each| sections.entry(text(each, "conv")).or_default().push(each));
    let mut questions: HashMap<&str, Vec<&Value>> = HashMap::new();
    list("queries").for_each(|each| questions.entry(text(each, "conv")).or_default().push(each));
    let case = |(conv, sections): (&str, Vec<&Value>)| {
        let (project, now) = make_store(&folder.join(conv), &sections);
        let position = |id: &Value| sections.iter().position(|each| each["id"] == *id);
        let question = |question: &&Value| Question {
            text: text(question, "question").to_owned(),
            evidence: question["evidence"]
                .as_array()
                .expect("a list")
                .iter()
                .map(|id| section_id(position(id).expect("evidence is a section")))
                .collect(),
        };
        let questions = questions.get(conv).map(Vec::as_slice).unwrap_or_default();
        Case {
            set: text(sections[0], "set").to_owned(),
            folder: folder.join(conv),
            project,
            now,
            questions: questions.iter().map(question).collect(),
        }
    };
    sections.into_iter().map(case).collect()
}

/// Writes the sections as Markdown: what has speakers as a log, anything else as modules.
fn make_store(project: &Path, sections: &[&Value]) -> (Project, Moment) {
    fs::create_dir_all(project).expect("a new folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_agent-memory"));
    let status = command.args(["init", "-q", "--root"]).arg(project).status();
    assert!(status.expect("the program starts").success());
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    for (position, section) in sections.iter().enumerate() {
        let (path, top) = home_of(section);
        let file = files.entry(path).or_insert(top);
        let title = match section["speaker"].as_str() {
            Some(speaker) => format!("{speaker} {}", day_of(section)),
            None => text(section, "title").to_owned(),
        };
        let id = section_id(position);
        *file += &format!("## {title} [{id}]\n<!-- @id: {id} -->\n\n{}\n\n", body_of(section));
    }
    for (path, text) in files {
        let path = project.join(".agent-memory").join(path);
        fs::create_dir_all(path.parent().expect("it stands in a folder")).expect("a folder");
        fs::write(path, text).expect("it is written");
    }
    open(project)
}

fn open(project: &Path) -> (Project, Moment) {
    let now = Moment::parse("2026-11-20T10:00:00Z").expect("a moment");
    let session = Session {
        client_project: None,
        tells_root: false,
        folder: project.to_owned(),
        root: None,
        now,
        zone: UTC.clone(),
        lock_wait: LOCK_WAIT,
        git_time: GitTime::default(),
        kept: Kept::default(),
        warnings: Warnings::default(),
    };
    (Project::open(&session).expect("a store"), now)
}

/// Returns the file that a section stands in, and the beginning of that file.
fn home_of(section: &Value) -> (String, String) {
    if let Some(session) = section["session"].as_i64() {
        let top = format!("# Session {session} on {}\n\n", text(section, "date").replace('T', " "));
        return (format!("sessions/session-{session:02}.md"), top);
    }
    let id = text(section, "id").split('#').next().unwrap_or_default();
    let named = section["file"].as_str().unwrap_or(id);
    let stem = named.rsplit_once('.').map_or(named, |(stem, _)| stem);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let name: String = stem
        .chars()
        .map(|c| {
            if c == '/' {
                '-'
            } else if is_plain(c) {
                c
            } else {
                '_'
            }
        })
        .collect();
    (format!("modules/{name}.md"), String::new())
}

fn body_of(section: &Value) -> String {
    let mut body = text(section, "text").to_owned();
    if let Some(speaker) = section["speaker"].as_str() {
        body = format!("{speaker}: {body}");
    }
    if let Some(caption) = section["caption"].as_str() {
        body += &format!(" [Image: {caption}]");
    }
    // Headings and fences inside of a section must not open new ones.
    let escaped = body.lines().map(|line| match line.trim_start().starts_with('#') {
        true => format!("\\{}", line.trim_start()),
        false => line.to_owned(),
    });
    let body = escaped.collect::<Vec<_>>().join("\n");
    let is_fence =
        |line: &&str| ["```", "~~~"].iter().any(|mark| line.trim_start().starts_with(mark));
    if body.lines().filter(is_fence).count() % 2 == 0 { body } else { body + "\n```" }
}

fn day_of(section: &Value) -> &str {
    text(section, "date").split('T').next().unwrap_or_default()
}

fn section_id(position: usize) -> String {
    format!("m{position:06}")
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}
