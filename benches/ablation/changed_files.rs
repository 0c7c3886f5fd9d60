//! Measures the share that a section gains if it rests on a file that the work has changed.
//!
//! Three sections after one another cite one file. For each question the work changes five files: the one that its answer cites
//! among them (`its file`), or none of those (`other files`).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use agent_memory::project::verbs::Weights;

use super::{Case, Question, Score, open};

/// Sections that cite the same file.
const SECTIONS: usize = 3;

/// Files that the work changes.
const CHANGED: usize = 5;

const SHARES: [f64; 6] = [0.0, 0.05, 0.1, 0.2, 0.3, 0.5];

pub(super) fn print(cases: Vec<Case>) {
    // What is in a log is not about files.
    let mut cases: Vec<Case> = cases.into_iter().filter(|case| case.set != "locomo").collect();
    let mut counts = Vec::new();
    for case in &mut cases {
        counts.push(cite_files(&case.folder));
        (case.project, case.now) = open(&case.folder);
    }
    let mut is_first = true;
    for share in SHARES {
        let mut scores: BTreeMap<(String, &str), Score> = BTreeMap::new();
        let weights = Weights { changed: share, ..Weights::TUNED };
        for (case, count) in cases.iter().zip(&counts) {
            for (number, question) in case.questions.iter().enumerate() {
                for (name, is_its_file) in [("its file", true), ("other files", false)] {
                    let work = Work::on(question, *count, (number, is_its_file));
                    work.write(&case.folder, "changed\n");
                    scores
                        .entry((case.set.clone(), name))
                        .or_default()
                        .add(case, question, &weights);
                    work.write(&case.folder, "as it was\n");
                }
            }
        }
        if is_first {
            let names = scores.keys().map(|(set, name)| format!(" {set}, {name}: R@5 | MRR |"));
            println!(
                "| share |{}\n|---|{}",
                names.collect::<String>(),
                "---|".repeat(scores.len() * 2)
            );
            is_first = false;
        }
        println!("| {share} |{}", scores.values().map(Score::cells).collect::<String>());
    }
}

/// The numbers of the files that are changed.
struct Work(BTreeSet<usize>);

impl Work {
    fn on(question: &Question, count: usize, (number, is_its_file): (usize, bool)) -> Self {
        let position = |id: &String| id[1..].parse::<usize>().expect("an id is a number");
        let its: BTreeSet<usize> =
            question.evidence.iter().map(|id| position(id) / SECTIONS).collect();
        let mut files = if is_its_file { its.clone() } else { BTreeSet::new() };
        let mut last = number as u32;
        for _ in 0..1_000 {
            if files.len() >= CHANGED {
                break;
            }
            last = last.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let file = (last >> 8) as usize % count;
            if !its.contains(&file) {
                files.insert(file);
            }
        }
        Self(files)
    }

    fn write(&self, project: &Path, text: &str) {
        for file in &self.0 {
            fs::write(project.join(name(*file)), text).expect("it is written");
        }
    }
}

fn name(file: usize) -> String {
    format!("src/{file}.txt")
}

/// Lets each section cite a file, and commits all; returns how many files there are.
fn cite_files(project: &Path) -> usize {
    let mut most = 0;
    let modules = project.join(".agent-memory/modules");
    for entry in fs::read_dir(modules).expect("it is listed") {
        let path = entry.expect("it is listed").path();
        let text = fs::read_to_string(&path).expect("it is text");
        let lines = text.lines().map(|line| {
            let id = line.strip_prefix("<!-- @id: m").and_then(|rest| rest.strip_suffix(" -->"));
            let Some(position) = id.and_then(|id| id.parse::<usize>().ok()) else {
                return format!("{line}\n");
            };
            most = most.max(position / SECTIONS);
            let file = name(position / SECTIONS);
            // The first letters of the hash do not matter: without lines the section is not stale for it.
            format!("{line}\n<!-- @source: file {file} - confirmed 2026-11-01 -->\n")
        });
        let text: String = lines.collect();
        fs::write(&path, text).expect("it is written");
    }
    fs::create_dir_all(project.join("src")).expect("a folder");
    let all = Work((0..=most).collect());
    all.write(project, "as it was\n");
    let git = |arguments: &[&str]| {
        let settings = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
        let call = Command::new("git").current_dir(project).args(settings).args(arguments).status();
        assert!(call.expect("git runs").success());
    };
    git(&["init", "--quiet", "--initial-branch", "main"]);
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message", "all"]);
    most + 1
}
