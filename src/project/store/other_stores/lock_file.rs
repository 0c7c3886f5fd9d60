//! Reads `read.lock`, and plans how it is written.

use crate::disk::files;
use crate::disk::step::Step;
use crate::error::Result;
use crate::project::config::{READ_LOCK, ReadLock};
use crate::project::store::layout::Layout;

/// The lock as it is, with its text.
#[derive(Debug, Default)]
pub(crate) struct LockFile {
    text: Option<String>,
    pub(crate) lock: ReadLock,
}

impl LockFile {
    pub(crate) fn read(layout: &Layout) -> Result<Self> {
        let path = layout.inside(READ_LOCK);
        let text = files::read_text(&path)?;
        let lock = text.as_deref().map(|text| ReadLock::parse(text, &path)).transpose()?;
        Ok(Self { text, lock: lock.unwrap_or_default() })
    }

    /// Returns the step that writes another lock; none where it is the same.
    pub(crate) fn step(&self, after: &ReadLock) -> Option<Step> {
        let is_same = *after == self.lock && (self.text.is_some() || after.pins.is_empty());
        (!is_same).then(|| Step::write(READ_LOCK, self.text.as_deref(), after.write()))
    }
}
