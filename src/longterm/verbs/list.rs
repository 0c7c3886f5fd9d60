//! Lists memories, for an operator.

use super::session::LongtermSession;
use crate::error::Result;
use crate::longterm::request::{LongtermList, MemoryOwner, MemoryRow};
use crate::longterm::sqlite::LongtermView;

/// Memories that are read at one time.
const PAGE: usize = 500;

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
        each_memory(view, |row| {
            let is_of_owner = filter.owner.as_ref().is_none_or(|asked| *asked == row.owner);
            let is_of_lineage = filter.lineage.is_none_or(|asked| asked == row.lineage);
            memories.extend((is_of_owner && is_of_lineage).then(|| row.into()));
        })?;
        memories.reverse();
        Ok(LongtermList { memories })
    })
}

/// Gives each memory to `take`, in the order of the numbers.
pub(super) fn each_memory(view: &LongtermView<'_>, mut take: impl FnMut(MemoryRow)) -> Result<()> {
    let mut behind = 0;
    loop {
        let page = view.memories_behind(behind, PAGE)?;
        let Some(last) = page.last() else { return Ok(()) };
        behind = last.number.get();
        page.into_iter().for_each(&mut take);
    }
}
