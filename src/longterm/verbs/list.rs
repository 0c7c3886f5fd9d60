//! Lists memories: for an operator, a person, or a manager of a server.

use super::session::LongtermSession;
use crate::error::Result;
use crate::longterm::request::{Actor, CallContext, LongtermList, MemoryOwner, MemoryRow};
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

impl MemoryFilter {
    /// Lets through what the actor of a context may list: a person their own memories, a manager those of the server, for all
    /// characters. A model lists nothing.
    pub fn of_actor(context: &CallContext) -> Option<Self> {
        let owner = match context.actor {
            Actor::Model => return None,
            Actor::Owner => MemoryOwner::Person(context.caller.clone()),
            Actor::Manager => MemoryOwner::Server(context.server.clone()),
        };
        Some(Self { owner: Some(owner), lineage: None })
    }
}

/// Lists memories, the newest first.
pub fn list(session: &LongtermSession, filter: &MemoryFilter) -> Result<LongtermList> {
    session.read(|view| {
        let mut memories = Vec::new();
        each_memory(view, filter, |row| memories.push(row.into()))?;
        memories.reverse();
        Ok(LongtermList { memories })
    })
}

/// Gives each memory that a filter lets through to `take`, in the order of the numbers.
pub(super) fn each_memory(
    view: &LongtermView<'_>,
    filter: &MemoryFilter,
    mut take: impl FnMut(MemoryRow),
) -> Result<()> {
    let mut take_all = |rows: Vec<MemoryRow>| {
        let is_of_lineage = |row: &MemoryRow| filter.lineage.is_none_or(|it| it == row.lineage);
        rows.into_iter().filter(is_of_lineage).for_each(&mut take);
    };
    if let Some(owner) = &filter.owner {
        take_all(view.memories_of_owner(owner)?);
        return Ok(());
    }
    let mut last_read = 0;
    loop {
        let page = view.memories_after(last_read, PAGE)?;
        let Some(last) = page.last() else { return Ok(()) };
        last_read = last.number.get();
        take_all(page);
    }
}
