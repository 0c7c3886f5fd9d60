//! Replaces what a memory says, in the change of a verb.

use super::former_relation::FormerRelation;
use crate::contract::Timestamp;
use crate::error::Result;
use crate::service::request::{ChangeKind, Memory, SaidMemory};
use crate::service::sqlite::{MemoryChange, TenantView};

/// What is done, by whom, and when.
#[derive(Debug, Clone, Copy)]
pub(super) struct ChangeHead<'a> {
    pub(super) kind: ChangeKind,
    pub(super) actor: &'a str,
    pub(super) now: Timestamp,
}

/// Replaces what a memory says, and logs it; with a relation that changed too, as it was before.
pub(super) fn replace_said(
    view: &TenantView<'_>,
    memory: &Memory,
    said: &SaidMemory,
    relation: Option<&FormerRelation>,
    head: ChangeHead<'_>,
) -> Result<()> {
    let (row, ChangeHead { kind, actor, now }) = (memory.row, head);
    view.replace(row, said)?;
    if said.content != memory.said.content {
        // A vector of another text would find it by what it does not say any more.
        view.forget_vector(row)?;
        view.ask_to_enrich(row, now)?;
    }
    let mut before = memory.said.to_value();
    if let Some(relation) = relation {
        before[RELATION] = relation.to_value();
    }
    let (before, after) = (Some(before), Some(said.to_value()));
    let other = relation.map(|relation| relation.ends.target);
    view.log(&MemoryChange { kind, id: memory.said.id, row, other, actor, now, before, after })
}

/// The name under which a former value has the relation that changed too.
pub(super) const RELATION: &str = "changed_relation";
