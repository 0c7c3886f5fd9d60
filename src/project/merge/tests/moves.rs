//! Merges of random files in which words move to other sections, are quoted, fenced or deleted.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

use super::*;

/// A section, or what stands before the first; each line is a word that the file has once.
#[derive(Debug, Clone)]
struct Moving {
    heading: Option<(usize, String)>,
    id: Option<String>,
    lines: Vec<String>,
}

/// What people do to a file: the kind of step, and three numbers that choose where.
type Step = (usize, [usize; 3]);

fn written(file: &[Moving]) -> String {
    let mut text = String::new();
    for Moving { heading, id, lines } in file {
        let heading =
            heading.iter().map(|(level, name)| format!("{} {name}\n", "#".repeat(*level)));
        text.extend(heading);
        text.extend(id.iter().map(|id| format!("<!-- @id: {id} -->\n")));
        text.extend(
            ["\n".to_owned()].into_iter().chain(lines.iter().map(|line| format!("{line}\n"))),
        );
        text.push('\n');
    }
    text
}

fn new_section(of: &str, at: usize, [level, name, id]: [usize; 3]) -> Moving {
    let heading = Some((level % 2 + 2, ["a", "b", "c", "d"][name % 4].to_owned()));
    let id = (id % 5 < 3).then(|| format!("id-{of}-{at}"));
    let lines =
        (0..level % 3 + 1).map(|line| format!("- the word {of} {at} {line} ends")).collect();
    Moving { heading, id, lines }
}

fn base(shapes: &[[usize; 3]]) -> Vec<Moving> {
    let top = Moving {
        heading: Some((1, "T".to_owned())),
        id: None,
        lines: vec!["- the word top 0 ends".to_owned(), "- the word top 1 ends".to_owned()],
    };
    let sections = shapes.iter().enumerate().map(|(at, shape)| new_section("base", at, *shape));
    std::iter::once(top).chain(sections).collect()
}

fn changed(base: &[Moving], steps: &[Step], of: &str) -> Vec<Moving> {
    let mut file = base.to_vec();
    for (number, (kind, numbers)) in steps.iter().enumerate() {
        change(&mut file, *kind, *numbers, &format!("{of}{number}"));
    }
    file
}

fn change(file: &mut Vec<Moving>, kind: usize, [one, two, three]: [usize; 3], of: &str) {
    let at = one % file.len();
    match kind {
        0 => file.insert(at + 1, new_section(of, 0, [one, two, three])),
        1 => file.push(new_section(of, 0, [one, two, three])),
        2 => {
            let count = file[at].lines.len();
            let lines = file[at].lines.split_off(two % (count + 1));
            file.insert(at + 1, Moving { lines, ..new_section(of, 0, [one, two, three]) });
        }
        3..=7 if at > 0 => change_section(file, kind, at, [two, three]),
        _ if !file[at].lines.is_empty() => change_line(file, kind, at, [two, three], of),
        _ => {}
    }
}

fn change_section(file: &mut Vec<Moving>, kind: usize, at: usize, [two, three]: [usize; 2]) {
    let mut section = file.remove(at);
    match kind {
        3 => {}
        4 => file.insert(two % file.len() + 1, section),
        5 => {
            section.heading = Some((three % 2 + 2, ["a", "b", "c", "d"][two % 4].to_owned()));
            file.insert(at, section);
        }
        // Its words join the section before.
        6 => file[at - 1].lines.extend(section.lines),
        _ => {
            let fenced = format!("```\n{}\n```", written(&[section]).trim_end());
            file[at - 1].lines.extend(fenced.lines().map(str::to_owned));
        }
    }
}

fn change_line(file: &mut [Moving], kind: usize, at: usize, [two, three]: [usize; 2], of: &str) {
    let lines = &mut file[at].lines;
    let place = two % lines.len();
    match kind {
        8 => lines.insert(place, format!("- the word {of} new ends")),
        9 => lines[place] = format!("- the word {of} edited ends"),
        10 => drop(lines.remove(place)),
        11 => lines[place] = format!("> {}", lines[place]),
        12 => {
            let line = lines.remove(place);
            let to = three % file.len();
            let place = two % (file[to].lines.len() + 1);
            file[to].lines.insert(place, line);
        }
        13 if place + 1 < lines.len() => {
            let next = lines.remove(place + 1);
            lines[place] += &format!("; {}", next.trim_start_matches(['-', ' ']));
        }
        _ => lines[place] = dressed(&lines[place], kind),
    }
}

/// Writes the same words in another way.
fn dressed(line: &str, kind: usize) -> String {
    let text = line.trim_start_matches(['-', ' ']);
    match kind {
        14 => line.replace(" word", "\n  word"),
        15 => line.replace("the word", "the **word**"),
        16 => format!("- [x] {text}"),
        17 => format!("\n| {} |\n|---|\n", text.replace('\n', " ")),
        18 => format!("<!-- {text} -->"),
        _ => format!("* {}.", text.replacen("the", "The", 1)),
    }
}

/// Counts the words of all lines, however they are written.
fn words(text: &str) -> BTreeMap<String, usize> {
    let letters: String = text.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
    let mut words = BTreeMap::new();
    for line in letters.split("theword").skip(1).filter_map(|line| line.split_once("ends")) {
        *words.entry(line.0.to_owned()).or_insert(0) += 1;
    }
    words
}

/// Merges, and says what is wrong with the result; returns whether it is a conflict.
fn judged(base: &str, ours: &str, theirs: &str) -> Result<bool, String> {
    let found = merged(base, ours, theirs);
    let is_clean = found.conflicts.is_empty();
    let [b, o, t, m] = [base, ours, theirs, &found.text].map(words);
    let all: BTreeSet<&String> = b.keys().chain(o.keys()).chain(t.keys()).collect();
    for word in all {
        let count = m.get(word).copied().unwrap_or_default();
        let is_deleted = b.contains_key(word) && !(o.contains_key(word) && t.contains_key(word));
        let wrong = match (is_deleted, count) {
            (false, 0) => "is lost",
            (true, 1..) if is_clean => "came back",
            (_, 2..) if is_clean => "is doubled",
            _ => continue,
        };
        return Err(format!(
            "`{word}` {wrong}\n=====BASE\n{base}\n=====OURS\n{ours}\n=====THEIRS\n{theirs}\n=====MERGED\n{}",
            found.text
        ));
    }
    Ok(!is_clean)
}

/// Tells whether a merge of the lines, which knows no sections, has no conflict and the right words.
fn git_is_right(base: &str, ours: &str, theirs: &str) -> bool {
    let piece = merge_lines(base, ours, theirs, &MARKS);
    let [b, o, t, m] = [base, ours, theirs, &piece.text].map(words);
    let is_kept = |word: &String| o.contains_key(word) && t.contains_key(word);
    !piece.is_conflict && b.keys().all(|word| is_kept(word) == m.contains_key(word))
}

#[test]
#[expect(clippy::disallowed_methods, reason = "only who runs the test knows how long it may take")]
fn no_deleted_word_comes_back_and_no_added_word_is_lost() {
    let is_full = std::env::var("CRASH").is_ok_and(|it| it == "full");
    let rounds = if is_full { 20_000 } else { 1_500 };
    let shapes = proptest::collection::vec(any::<[usize; 3]>(), 1..6);
    let steps = || proptest::collection::vec((0..20_usize, any::<[usize; 3]>()), 1..4);
    let config = ProptestConfig::default();
    // The same each time, so that the share of conflicts is.
    let mut runner =
        TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let drawn = (shapes, steps(), steps());
    let (mut conflicts, mut more_than_git) = (0, 0);
    for _ in 0..rounds {
        let drawn = drawn.new_tree(&mut runner).expect("nothing is left out");
        let (shapes, ours, theirs) = drawn.current();
        let file = base(&shapes);
        let sides = [changed(&file, &ours, "o"), changed(&file, &theirs, "t")];
        let ([ours, theirs], file) = (sides.map(|side| written(&side)), written(&file));
        let is_conflict = judged(&file, &ours, &theirs).unwrap_or_else(|wrong| panic!("{wrong}"));
        conflicts += usize::from(is_conflict);
        more_than_git += usize::from(is_conflict && git_is_right(&file, &ours, &theirs));
    }
    println!("{rounds} merges: {conflicts} conflicts, {more_than_git} that git merges right");
    // A merge that asks a person too often is not read any more.
    assert!(more_than_git * 100 < rounds * 15, "{more_than_git} of {rounds}");
}
