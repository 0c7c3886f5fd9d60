//! What it takes to take changes back: one line each in `state/undo.jsonl`.

use serde::{Deserialize, Serialize};

use super::key::{Key, Purpose};
use super::layout::{self, Layout};
use super::{Former, Step};
use crate::contract::{MemoryPath, ProposalId};
use crate::disk::files;
use crate::error::Result;
use crate::project::reversal::Reversal;

/// A change that was applied.
#[derive(Debug, Clone)]
pub struct Undoable {
    /// The proposal.
    pub id: ProposalId,
    /// Its files.
    pub files: Vec<Reversal>,
}

#[derive(Serialize)]
struct Line<'a> {
    id: &'a ProposalId,
    files: &'a [Reversal],
}

#[derive(Deserialize)]
struct ReadLine {
    id: String,
    files: Vec<Reversal>,
}

/// Where the next change goes; looked up once for it, under the lock.
#[derive(Debug, Clone)]
pub struct Tail {
    /// Bytes up to the end of the last whole line.
    offset: u64,
    key: Key,
}

impl Tail {
    /// Looks where the list ends, which takes no longer for a long one.
    pub fn read(layout: &Layout) -> Result<Self> {
        let offset = files::whole_length(&layout.undo())?;
        Ok(Self { offset, key: layout.key().clone() })
    }

    /// Returns the step that remembers how to take a change back.
    pub fn append(&self, id: &ProposalId, files: &[Reversal]) -> Step {
        let json = serde_json::to_string(&Line { id, files }).expect("plain data");
        let line = self.key.sign_line(Purpose::Undo, &json);
        Step::Append { path: layout::undo_path(), offset: self.offset, line }
    }
}

/// Counts the bytes behind the end of the last whole line.
pub fn torn(layout: &Layout) -> Result<u64> {
    files::torn_length(&layout.undo())
}

/// Returns the step that puts a file out of the way which a change had made, as long as it holds a text.
pub fn put_away(layout: &Layout, id: &ProposalId, (path, text): (&str, &str)) -> Step {
    let to = layout.free(layout::undone_path(id, path));
    Step::Move { from: path.to_owned(), to, before: Some(Former::of(text)) }
}

/// Returns the step that keeps the text that a file had until a change was taken back.
pub fn keep(layout: &Layout, id: &ProposalId, (path, text): (&str, &str)) -> Step {
    Step::write(&layout.free(layout::undone_path(id, path)), None, text.to_owned())
}

/// Reads a file as it was each time a change was taken back.
pub fn read_put_away(layout: &Layout, id: &ProposalId, path: &MemoryPath) -> Result<Vec<String>> {
    let mut texts = Vec::new();
    for spot in layout.taken(layout::undone_path(id, path.as_str())) {
        texts.extend(files::read_memory(&spot)?.into_text());
    }
    Ok(texts)
}

/// Reads the changes that can be taken back, oldest first; a line that a crash has torn, or that was not written on this
/// machine, is left out.
pub fn read(layout: &Layout) -> Result<Vec<Undoable>> {
    let bytes = files::read(&layout.undo())?.unwrap_or_default();
    let is_ours = |line: &&[u8]| layout.key().signed_line(Purpose::Undo, line);
    let lines = bytes.split(|byte| *byte == b'\n').filter(is_ours);
    let read = lines.filter_map(|line| serde_json::from_slice::<ReadLine>(line).ok());
    Ok(read
        .filter_map(|ReadLine { id, files }| Some(Undoable { id: ProposalId::parse(&id)?, files }))
        .collect())
}
