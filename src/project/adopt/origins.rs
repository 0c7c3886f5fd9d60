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
pub(crate) struct Origins(BTreeMap<String, MemoryPath>);

#[derive(Serialize, Deserialize)]
struct OriginLine {
    from: String,
    to: String,
}

impl Origins {
    /// Reads the record. A line that is none is skipped, as git merges the file line by line; of two lines for one note
    /// or one path the first one holds.
    pub(crate) fn read(text: &str) -> Self {
        let (mut paths, mut taken) = (BTreeMap::new(), BTreeSet::new());
        for line in text.lines() {
            let Ok(OriginLine { from, to }) = serde_json::from_str(line) else { continue };
            let (from, Ok(to)) = (composed(&from).into_owned(), MemoryPath::parse(&to)) else {
                continue;
            };
            if !paths.contains_key(&from) && taken.insert(to.clone()) {
                paths.insert(from, to);
            }
        }
        Self(paths)
    }

    pub(crate) fn path_of(&self, origin: &str) -> Option<&MemoryPath> {
        self.0.get(origin)
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &MemoryPath> {
        self.0.values()
    }
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
    fn a_line_that_is_none_is_skipped_and_stays() {
        let text = "<<<<<<< a\n{\"from\":\"a.md\",\"to\":\"../x.md\"}\n{\"from\":\"b.md\",\"to\":\"modules/b.md\"}\nno";
        let origins = Origins::read(text);
        assert_eq!((origins.path_of("a.md"), origins.0.len()), (None, 1));
        let more = with_origins(text, [("c.md", path("modules/c.md"))]);
        assert!(more.starts_with(&format!("{text}\n")), "{more}");
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
