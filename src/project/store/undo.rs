//! The data to undo changes: one line each in `state/undo.jsonl`.

use serde::{Deserialize, Serialize};

use super::layout::{self, Layout};
use crate::disk::files;
use crate::disk::key::{Key, Purpose};
use crate::disk::step::{FormerFile, Step};
use crate::disk::store_folder::UNDO;
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

/// The append position, read once for a change, under the lock.
#[derive(Debug, Clone)]
pub(crate) struct UndoTail {
    /// Bytes up to the end of the last whole line.
    offset: u64,
    key: Key,
}

impl UndoTail {
    /// Reads only the end of the list, so a long one takes no longer.
    pub(crate) fn read(layout: &Layout) -> Result<Self> {
        let offset = files::whole_length(&layout.undo())?;
        Ok(Self { offset, key: layout.key().clone() })
    }

    /// Returns the step that stores how to undo a change.
    pub(crate) fn append(&self, id: &ProposalId, files: &[Reversal]) -> Step {
        let json = serde_json::to_string(&UndoLine { id, files }).expect("plain data");
        let line = self.key.sign_line(Purpose::UNDO, &json);
        Step::Append { path: UNDO.to_owned(), offset: self.offset, line }
    }
}

/// Returns the number of bytes after the last whole line.
pub(crate) fn torn(layout: &Layout) -> Result<u64> {
    files::torn_length(&layout.undo())
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
    let bytes = files::read(&layout.undo())?.unwrap_or_default();
    let is_ours = |line: &&[u8]| layout.key().signed_line(Purpose::UNDO, line);
    let lines = bytes.split(|byte| *byte == b'\n').filter(is_ours);
    let read = lines.filter_map(|line| serde_json::from_slice::<ReadLine>(line).ok());
    Ok(read
        .filter_map(|ReadLine { id, files }| Some(Undoable { id: ProposalId::parse(&id)?, files }))
        .collect())
}
