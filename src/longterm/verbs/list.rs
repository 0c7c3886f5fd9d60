//! Lists memories, for an operator.

use super::session::LongtermSession;
use crate::error::Result;
use crate::longterm::request::{LongtermList, MemoryOwner};

/// Memories that are read at one time.
pub(super) const PAGE: usize = 500;

/// Which memories are listed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MemoryFilter {
    /// Only those of one owner.
    pub owner: Option<MemoryOwner>,
    /// Only those for one character.
    pub lineage: Option<u64>,
}

/// Lists memories, the newest first.
pub fn list(session: &LongtermSession, filter: &MemoryFilter) -> Result<LongtermList> {
    session.read(|view| {
        let mut memories = Vec::new();
        let mut behind = 0;
        loop {
            let page = view.memories_behind(behind, PAGE)?;
            let Some(last) = page.last() else { break };
            behind = last.number.get();
            let is_asked_for = |owner: &MemoryOwner, lineage: u64| {
                filter.owner.as_ref().is_none_or(|asked| asked == owner)
                    && filter.lineage.is_none_or(|asked| asked == lineage)
            };
            let asked = page.into_iter().filter(|row| is_asked_for(&row.owner, row.lineage));
            memories.extend(asked.map(Into::into));
        }
        memories.reverse();
        Ok(LongtermList { memories })
    })
}
