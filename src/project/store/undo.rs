//! The data to undo changes: one line each in `state/undo.jsonl`.

use serde::{Deserialize, Serialize};

use super::layout::{self, Layout};
use crate::disk::files;
use crate::disk::step::{FormerFile, Step};
use crate::disk::undo_list::UndoTail;
use crate::error::Result;
use crate::project::request::{MemoryPath, ProposalId};
use crate::project::reversal::Reversal;

#[derive(Debug, Clone)]
pub(crate) struct Undoable {
    pub(crate) id: ProposalId,
    pub(crate) files: Vec<Reversal>,
}

#[derive(Serialize)]
struct UndoLine<'a> {
    id: &'a ProposalId,
    files: &'a [Reversal],
}

#[derive(Deserialize)]
struct ReadLine {
    id: String,
    files: Vec<Reversal>,
}

/// Returns the step that stores how to undo a change.
pub(crate) fn line(tail: &UndoTail, id: &ProposalId, files: &[Reversal]) -> Step {
    tail.append(&UndoLine { id, files })
}

/// Returns the step that moves away a file that a change had made, while it has this text.
pub(crate) fn put_away(layout: &Layout, id: &ProposalId, path: &str, text: &str) -> Step {
    let to = layout.free(layout::undone_path(id, path));
    Step::Move { from: path.to_owned(), to, before: Some(FormerFile::of(text)) }
}

/// Returns the step that keeps the text from before an undo.
pub(crate) fn keep(layout: &Layout, id: &ProposalId, path: &str, text: &str) -> Step {
    Step::write(&layout.free(layout::undone_path(id, path)), None, text.to_owned())
}

/// Reads a file as it was before each undo.
pub(crate) fn read_put_away(
    layout: &Layout,
    id: &ProposalId,
    path: &MemoryPath,
) -> Result<Vec<String>> {
    let mut texts = Vec::new();
    for spot in layout.taken(layout::undone_path(id, path.as_str())) {
        texts.extend(files::read_memory(&spot)?.into_text());
    }
    Ok(texts)
}

/// Reads the changes that can be undone, oldest first; torn and foreign lines are skipped.
pub(crate) fn read(layout: &Layout) -> Result<Vec<Undoable>> {
    let undoable =
        |line: ReadLine| Some(Undoable { id: ProposalId::parse(&line.id)?, files: line.files });
    Ok(layout.undo_list().read()?.into_iter().filter_map(undoable).collect())
}
