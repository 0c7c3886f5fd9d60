//! Brings two changes of the same file together, section by section.
//!
//! A section that one side left alone is as the other has it; one that both changed is merged line by line. What one side
//! deleted and the other put elsewhere is for a person: it must not come back.
//! Which side is called ours matters for the labels of a conflict alone: the text is the same either way.

mod assemble;
mod by_names;
mod by_order;
mod deleted;
mod ids;
mod lines;
mod merged;
mod names;
mod order;
mod part_text;
mod sides;
mod words;

use crate::markdown::{LineEnding, Outline, find_conflict, parts};
use by_names::by_names;
use by_order::by_order;
use deleted::DeletedLines;
use ids::with_new_ids;
use lines::merge_lines;
use merged::MergePiece;

pub(crate) use merged::Merged;
pub(crate) use sides::{Marks, Sides};

pub(crate) fn merge(sides: Sides<'_>, marks: &Marks<'_>) -> Merged {
    let Sides { base, ours, theirs } = sides;
    let clean = |text: &str| Merged { text: text.to_owned(), conflicts: Vec::new() };
    if ours == theirs || theirs == base {
        return clean(ours);
    }
    if ours == base {
        return clean(theirs);
    }
    // A conflict that a side holds may go across sections, and would be torn where these come and go.
    if [ours, theirs].into_iter().any(|side| find_conflict(side).is_some()) {
        let MergePiece { text, is_conflict } = merge_lines(base, ours, theirs, marks);
        return Merged { text, conflicts: is_conflict.then(String::new).into_iter().collect() };
    }
    let named = with_new_ids(sides);
    let [base, ours, theirs] =
        named.as_ref().map_or([base, ours, theirs], |named| named.each_ref().map(String::as_str));
    let outlines = [base, ours, theirs].map(Outline::read);
    let files = outlines.each_ref().map(parts);
    let files = files.each_ref().map(Vec::as_slice);
    let (ending, deleted) = (LineEnding::of(ours), DeletedLines::of([base, ours, theirs], files));
    by_names(files, &deleted, ending, marks)
        .unwrap_or_else(|| by_order(files, &deleted, ending, marks))
}

#[cfg(test)]
mod tests;
