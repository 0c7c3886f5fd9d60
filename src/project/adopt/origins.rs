//! Which file each note of a store was adopted from: a tracked file of the store, one line a note.
//!
//! A note is known by its whole original path, never by the name that it was given: two names may shrink to the same
//! one, and which of them came first is not known later.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::project::request::MemoryPath;
use crate::text::{composed, escape_json};

/// Where the record lies, relative to the store.
pub(crate) const ORIGINS: &str = "adopted.jsonl";

/// The store paths of notes by their original paths, which are composed (NFC).
#[derive(Debug, Default)]
pub(crate) struct Origins {
    notes: BTreeMap<String, RecordedNote>,
    wrong: Vec<WrongLine>,
}

/// Where the record says that a note is.
#[derive(Debug)]
pub(super) struct RecordedNote {
    pub(super) to: MemoryPath,
    /// The line that says so, from 1.
    pub(super) line: usize,
}

/// A line that no adoption wrote: the record is tracked, so a pull request can bring one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WrongLine {
    /// From 1.
    pub line: usize,
    pub problem: String,
}

#[derive(Serialize, Deserialize)]
struct OriginLine {
    from: String,
    to: String,
}

impl Origins {
    /// Reads the record. Git merges the file line by line: of two lines for one note or one path the first one holds.
    pub(crate) fn read(text: &str) -> Self {
        let (mut origins, mut taken) = (Self::default(), BTreeSet::new());
        for (line, number) in text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()) {
            match read_line(line) {
                Err(problem) => origins.wrong.push(WrongLine { line: number, problem }),
                Ok((from, to)) if !origins.notes.contains_key(&from) => {
                    if taken.insert(to.clone()) {
                        origins.notes.insert(from, RecordedNote { to, line: number });
                    }
                }
                Ok(_) => {}
            }
        }
        origins
    }

    pub(crate) fn path_of(&self, origin: &str) -> Option<&MemoryPath> {
        self.recorded(origin).map(|note| &note.to)
    }

    pub(super) fn recorded(&self, origin: &str) -> Option<&RecordedNote> {
        self.notes.get(origin)
    }

    /// Returns all notes, by their original paths.
    pub(crate) fn notes(&self) -> impl Iterator<Item = (&str, &MemoryPath)> {
        self.notes.iter().map(|(from, note)| (from.as_str(), &note.to))
    }

    /// Returns the lines that name no note and no path of a store.
    pub(crate) fn wrong_lines(&self) -> &[WrongLine] {
        &self.wrong
    }
}

fn read_line(line: &str) -> Result<(String, MemoryPath), String> {
    let read = serde_json::from_str(line);
    let OriginLine { from, to } =
        read.map_err(|_| "is no object with `from` and `to`".to_owned())?;
    let to = MemoryPath::parse(&to).map_err(|problem| format!("says that {}", problem.message))?;
    Ok((composed(&from).into_owned(), to))
}

/// Returns the record with notes added that it does not have; what stands there stays.
pub(crate) fn with_origins<'a>(
    text: &str,
    notes: impl IntoIterator<Item = (&'a str, MemoryPath)>,
) -> String {
    let known = Origins::read(text);
    let mut written = text.to_owned();
    for (from, to) in notes {
        if known.path_of(from) == Some(&to) {
            continue;
        }
        if !written.is_empty() && !written.ends_with('\n') {
            written.push('\n');
        }
        let line = OriginLine { from: from.to_owned(), to: to.to_string() };
        let line = serde_json::to_string(&line).expect("two texts are JSON");
        written += &escape_json(&line);
        written.push('\n');
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> MemoryPath {
        MemoryPath::parse(text).expect("a path")
    }

    #[test]
    fn a_note_is_known_by_its_whole_path_in_either_unicode_form() {
        let kept = path("modules/a.md");
        let text = with_origins(
            "",
            [("notes/ü \"x\"\n.md", kept.clone()), ("b/ü.md", path("modules/b.md"))],
        );
        assert_eq!(text.lines().count(), 2, "{text}");
        let origins = Origins::read(&text.replace('ü', "u\u{308}"));
        assert_eq!(origins.path_of("notes/ü \"x\"\n.md"), Some(&kept));
        assert_eq!(origins.path_of("ü \"x\"\n.md"), None);
        assert_eq!(with_origins(&text, [("notes/ü \"x\"\n.md", kept)]), text);
    }

    #[test]
    fn a_line_that_is_none_is_named_by_its_number_and_stays() {
        let to = |path: &str| format!("{{\"from\":\"a.md\",\"to\":\"{path}\"}}\n");
        for line in [
            "<<<<<<< a\n".to_owned(),
            "{\"from\":\"a.md\"}\n".to_owned(),
            to("../x.md"),
            to("/etc/x.md"),
            to("State/x.md"),
            to("modules/u\u{308}.md"),
            to("modules/x.txt"),
            to("config.toml"),
        ] {
            let text = format!("\n{line}{}", to("modules/a.md"));
            let origins = Origins::read(&text);
            let numbers: Vec<usize> = origins.wrong_lines().iter().map(|it| it.line).collect();
            assert_eq!((numbers, origins.notes.len()), (vec![2], 1), "{line}");
            let more = with_origins(&text, [("c.md", path("modules/c.md"))]);
            assert!(more.starts_with(&text), "{more}");
        }
    }

    #[test]
    fn two_branches_that_gave_one_path_to_two_notes_leave_it_to_the_first() {
        let line = |from: &str, to: &str| format!("{{\"from\":\"{from}\",\"to\":\"{to}\"}}\n");
        let text = line("a.md", "modules/n.md") + &line("b.md", "modules/n.md");
        let origins = Origins::read(&text);
        assert_eq!(origins.path_of("b.md"), None);
        let more = with_origins(&text, [("b.md", path("modules/n-2.md"))]);
        assert_eq!(Origins::read(&more).path_of("b.md"), Some(&path("modules/n-2.md")));
    }
}
