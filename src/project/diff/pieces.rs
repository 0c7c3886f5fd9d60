//! The pieces in which two texts differ, each to be taken or left.

use similar::{ChangeTag, DiffOp, DiffTag, TextDiff};

use crate::markdown::Outline;

const CONTEXT: usize = 2;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DiffPiece {
    /// The headings down to the section it stands in, outermost first.
    pub heading: Vec<String>,
    /// Number of its first line in the new text, from 1.
    pub line: usize,
    pub lines: Vec<DiffLine>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DiffLine {
    pub kind: LineKind,
    /// Its text without the line end, in parts.
    pub parts: Vec<LinePart>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LinePart {
    pub text: String,
    /// Whether it differs from the line that it replaces.
    pub is_changed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineKind {
    Same,
    Gone,
    New,
}

/// Returns the pieces in which two texts differ, in order; what stands close together is one piece.
pub(crate) fn hunks(before: &str, after: &str) -> Vec<DiffPiece> {
    let places = TextPair::of(before, after);
    let groups = places.diff.grouped_ops(CONTEXT);
    let hunks = groups.iter().map(|ops| {
        let first = ops.iter().find(|op| op.tag() != DiffTag::Equal);
        let lines = ops.iter().flat_map(|op| places.lines(op)).collect();
        first.map(|op| places.piece(op, lines))
    });
    hunks.flatten().collect()
}

/// Returns the smallest pieces that can be taken or left, in order.
pub(crate) fn pieces(before: &str, after: &str) -> Vec<DiffPiece> {
    let places = TextPair::of(before, after);
    let changed = places.diff.ops().iter().filter(|op| op.tag() != DiffTag::Equal);
    changed.map(|op| places.piece(op, places.lines_with_context(op))).collect()
}

/// Returns the old text with the pieces that are wanted; `wanted` has a word for each, in order.
pub(crate) fn with_pieces(before: &str, after: &str, wanted: &[bool]) -> String {
    let diff = TextDiff::from_lines(before, after);
    let mut wanted = wanted.iter();
    let mut text = String::new();
    for op in diff.ops() {
        match op.tag() == DiffTag::Equal || wanted.next().copied().unwrap_or(false) {
            true => text.extend(op.new_range().filter_map(|index| diff.new_slice(index))),
            false => text.extend(op.old_range().filter_map(|index| diff.old_slice(index))),
        }
    }
    text
}

struct TextPair<'t> {
    diff: TextDiff<'t, 't, str>,
    old: Outline<'t>,
    new: Outline<'t>,
}

impl<'t> TextPair<'t> {
    fn of(before: &'t str, after: &'t str) -> Self {
        Self {
            diff: TextDiff::from_lines(before, after),
            old: Outline::read(before),
            new: Outline::read(after),
        }
    }

    fn piece(&self, op: &DiffOp, lines: Vec<DiffLine>) -> DiffPiece {
        let mut range = op.new_range();
        let line = range.start + 1;
        let heading = match op.tag() {
            DiffTag::Delete => heading_above(&self.old, op.old_range().start + 1),
            DiffTag::Equal | DiffTag::Insert | DiffTag::Replace => {
                // A new section comes with the blank line above it.
                let text = |index: usize| self.diff.new_slice(index).unwrap_or_default();
                let first = range.find(|index| !text(*index).trim().is_empty());
                heading_above(&self.new, first.map_or(line, |index| index + 1))
            }
        };
        DiffPiece { heading, line, lines }
    }

    fn lines(&self, op: &DiffOp) -> Vec<DiffLine> {
        let changes = self.diff.iter_inline_changes(op).map(|change| {
            let parts = change.values().iter().map(|(is_changed, text)| LinePart {
                text: without_end(text).to_owned(),
                is_changed: *is_changed,
            });
            let kind = match change.tag() {
                ChangeTag::Equal => LineKind::Same,
                ChangeTag::Delete => LineKind::Gone,
                ChangeTag::Insert => LineKind::New,
            };
            DiffLine { kind, parts: parts.filter(|part| !part.text.is_empty()).collect() }
        });
        changes.collect()
    }

    fn lines_with_context(&self, op: &DiffOp) -> Vec<DiffLine> {
        let same = |index: usize| {
            let text = without_end(self.diff.old_slice(index)?).to_owned();
            Some(DiffLine {
                kind: LineKind::Same,
                parts: vec![LinePart { text, is_changed: false }],
            })
        };
        let (start, end) = (op.old_range().start, op.old_range().end);
        let above = (start.saturating_sub(CONTEXT)..start).filter_map(same);
        let below = (end..end + CONTEXT).filter_map(same);
        above.chain(self.lines(op)).chain(below).collect()
    }
}

fn without_end(text: &str) -> &str {
    text.trim_end_matches(['\n', '\r'])
}

fn heading_above(outline: &Outline<'_>, line: usize) -> Vec<String> {
    let path = outline.section_at(line).map(|index| outline.heading_path(index));
    path.unwrap_or_default().into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str =
        "# Notes\n\n## Retry\n\n- one\n- two tries\n- three\n- four\n\n## Log\n\nold\n";
    const NEW: &str =
        "# Notes\n\n## Retry\n\n- one\n- two retries\n- three\n- four\n\n## Log\n\nnew\n";

    fn words(line: &DiffLine) -> Vec<(&str, bool)> {
        line.parts.iter().map(|part| (part.text.as_str(), part.is_changed)).collect()
    }

    #[test]
    fn a_piece_names_its_section_and_its_words() {
        let found = pieces(OLD, NEW);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].heading.join("/"), found[0].line), ("Notes/Retry".to_owned(), 6));
        let gone = found[0].lines.iter().find(|line| line.kind == LineKind::Gone).expect("it goes");
        assert_eq!(words(gone), [("- two ", false), ("tries", true)]);
        assert_eq!(found[1].heading, ["Notes", "Log"]);
    }

    #[test]
    fn a_piece_that_is_left_leaves_the_old_lines() {
        assert_eq!(with_pieces(OLD, NEW, &[false, false]), OLD);
        assert_eq!(with_pieces(OLD, NEW, &[true, true]), NEW);
        let first = with_pieces(OLD, NEW, &[true, false]);
        assert_eq!(first, OLD.replace("two tries", "two retries"));
    }

    #[test]
    fn a_new_file_is_one_piece() {
        let found = pieces("", "# a\n\ntext");
        assert_eq!(found.len(), 1);
        assert!(found[0].lines.iter().all(|line| line.kind == LineKind::New));
        assert_eq!(with_pieces("", "# a\n\ntext", &[true]), "# a\n\ntext");
    }
}
