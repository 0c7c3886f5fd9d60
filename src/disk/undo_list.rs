//! How to take back changes: one signed line each in `state/undo.jsonl`.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::files;
use super::key::{Key, Purpose};
use super::step::Step;
use super::store_folder::{StoreFolder, UNDO};
use crate::contract::ContentHash;
use crate::error::Result;

impl Purpose {
    pub(crate) const UNDO: Self = Self(b"undo\0");
}

/// The list of a store, with the key that signs its lines.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UndoList<'s> {
    store: &'s StoreFolder,
    key: &'s Key,
}

/// The append position, read once for a change, under the lock.
#[derive(Debug, Clone)]
pub(crate) struct UndoTail {
    /// Bytes up to the end of the last whole line.
    offset: u64,
    key: Key,
}

/// A list in which lines were changed or left out.
#[derive(Debug, Clone)]
pub(crate) struct RewrittenUndoList {
    /// SHA-256 of the whole list; `None` if there is none.
    before: Option<ContentHash>,
    after: String,
    /// How many lines were left out on request.
    pub(crate) removed: usize,
}

impl RewrittenUndoList {
    /// Returns the step that writes it; none if it is what stands.
    pub(crate) fn step(self) -> Option<Step> {
        let has_changed = self.before.as_ref()? != &ContentHash::of(self.after.as_bytes());
        has_changed.then(|| Step::write_known(UNDO, self.before.as_ref(), self.after))
    }
}

impl UndoTail {
    pub(crate) fn append(&self, line: &impl Serialize) -> Step {
        let json = serde_json::to_string(line).expect("a line is plain data");
        let line = self.key.sign_line(Purpose::UNDO, &json);
        Step::Append { path: UNDO.to_owned(), offset: self.offset, line }
    }
}

impl<'s> UndoList<'s> {
    pub(crate) fn new(store: &'s StoreFolder, key: &'s Key) -> Self {
        Self { store, key }
    }

    /// Finds the append position. Reads only the end of the list, so a long one takes no longer.
    pub(crate) fn tail(self) -> Result<UndoTail> {
        let offset = files::whole_length(&self.store.undo())?;
        Ok(UndoTail { offset, key: self.key.clone() })
    }

    /// Returns the number of bytes after the last whole line.
    pub(crate) fn torn(self) -> Result<u64> {
        files::torn_length(&self.store.undo())
    }

    /// Cuts the bytes after the last whole line; may be repeated.
    pub(crate) fn cut_torn(self) -> Result<()> {
        match self.torn()? {
            0 => Ok(()),
            _ => files::cut_at(&self.store.undo(), files::whole_length(&self.store.undo())?),
        }
    }

    /// Changes lines, or leaves them out; all others stay byte for byte. Torn and foreign ones go too, as it is not known what
    /// is in them, and so does a line that this version cannot read.
    pub(crate) fn rewritten<T: Serialize + DeserializeOwned + Clone + PartialEq>(
        self,
        change: impl Fn(T) -> Option<T>,
    ) -> Result<RewrittenUndoList> {
        let bytes = files::read(&self.store.undo())?;
        let before = bytes.as_deref().map(ContentHash::of);
        let (mut after, mut removed) = (String::new(), 0);
        let bytes = bytes.unwrap_or_default();
        let lines = bytes.split_inclusive(|byte| *byte == b'\n');
        for line in lines.filter_map(|line| std::str::from_utf8(line).ok()) {
            let Some(own) = line.strip_suffix('\n') else { continue };
            if !self.key.signed_line(Purpose::UNDO, own.as_bytes()) {
                continue;
            }
            let Ok(read) = serde_json::from_str::<T>(own) else { continue };
            match change(read.clone()) {
                Some(kept) if kept == read => after += line,
                Some(kept) => {
                    let json = serde_json::to_string(&kept).expect("a line is plain data");
                    after += &self.key.sign_line(Purpose::UNDO, &json);
                }
                None => removed += 1,
            }
        }
        Ok(RewrittenUndoList { before, after, removed })
    }

    /// Reads the lines, oldest first; torn and foreign ones are skipped.
    pub(crate) fn read<T: DeserializeOwned>(self) -> Result<Vec<T>> {
        let bytes = files::read(&self.store.undo())?.unwrap_or_default();
        let is_ours = |line: &&[u8]| self.key.signed_line(Purpose::UNDO, line);
        let lines = bytes.split(|byte| *byte == b'\n').filter(is_ours);
        Ok(lines.filter_map(|line| serde_json::from_slice(line).ok()).collect())
    }
}
