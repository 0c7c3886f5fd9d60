//! How the index was before a change, so that an undo brings its lines back as they were.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::contract::ContentHash;
use crate::personal::index_file::listed_in;
use crate::personal::request::EntryName;

/// What a change replaced in the index; all other lines are the same before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct IndexUndo {
    /// The lines before the change.
    before: String,
    /// Where the index has its new lines after the change, in bytes.
    new_lines: Range<usize>,
    /// SHA-256 of the whole index after the change.
    after: String,
    /// The entries of which the lines before the change say something. Alone, a part of a list may not tell.
    names: Vec<String>,
}

impl IndexUndo {
    pub(crate) fn of(before: &str, after: &str) -> Self {
        let start = common_length(before.split_inclusive('\n').zip(after.split_inclusive('\n')));
        let (old, new) = (&before[start..], &after[start..]);
        let ends = old.split_inclusive('\n').rev().zip(new.split_inclusive('\n').rev());
        let same_end = common_length(ends);
        let old_end = start + old.len() - same_end;
        Self {
            before: before[start..old_end].to_owned(),
            names: listed_in(before, start..old_end),
            new_lines: start..after.len() - same_end,
            after: ContentHash::of(after.as_bytes()).to_string(),
        }
    }

    /// Returns the lines before the change.
    pub(crate) fn old_lines(&self) -> &str {
        &self.before
    }

    /// Tells whether the lines before the change say something of an entry.
    pub(super) fn mentions(&self, name: &EntryName) -> bool {
        self.names.iter().any(|mentioned| mentioned == name.as_str())
    }

    /// Forgets the lines; the undo makes the line of its entry anew.
    pub(super) fn forget(&mut self) {
        self.before.clear();
        self.names.clear();
        self.after.clear();
    }

    /// Returns the index as it was before the change; `None` if it was changed since.
    pub(crate) fn take_back(&self, now: &str) -> Option<String> {
        let is_same = ContentHash::of(now.as_bytes()).as_str() == self.after;
        let (start, end) = (now.get(..self.new_lines.start)?, now.get(self.new_lines.end..)?);
        is_same.then(|| [start, &self.before, end].concat())
    }
}

/// Returns the bytes of the first lines that two texts have in common.
fn common_length<'t>(lines: impl Iterator<Item = (&'t str, &'t str)>) -> usize {
    lines.take_while(|(one, other)| one == other).map(|(line, _)| line.len()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_that_changed_come_back_and_no_other_line_is_kept() {
        for (before, after, kept) in [
            ("", "- a\n", ""),
            ("- a\n", "", "- a\n"),
            ("- a\n- b\r\n- c\n", "- a\n- new\n- c\n", "- b\r\n"),
            ("- a\n- a\n", "- a\n", "- a\n"),
            ("- a\n", "- a\n- a\n- a\n", ""),
            ("- a\n- b\n- c", "- a\n- c", "- b\n"),
            ("- a\n- ä", "- a\n- ö\n", "- ä"),
            ("- a\n", "- a\n", ""),
        ] {
            let undo = IndexUndo::of(before, after);
            assert_eq!(undo.before, kept, "{before:?} {after:?}");
            assert_eq!(undo.take_back(after).as_deref(), Some(before), "{before:?} {after:?}");
            assert_eq!(undo.take_back(&format!("{after}x")), None, "{before:?} {after:?}");
        }
    }
}
