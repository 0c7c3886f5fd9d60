//! Sets a relation between two memories, in the change of a verb.

use super::replace_said::ChangeHead;
use crate::contract::Timestamp;
use crate::error::Result;
use crate::service::request::NewRelation;
use crate::service::sqlite::{MemoryChange, Relation, TenantView};

/// The numbers of the memories that a relation joins.
#[derive(Debug, Clone, Copy)]
pub(super) struct RelationEnds {
    pub(super) source: i64,
    pub(super) target: i64,
}

impl RelationEnds {
    /// Finds them; nothing where one is missing or deleted.
    pub(super) fn find(view: &TenantView<'_>, relation: &NewRelation) -> Result<Option<Self>> {
        let ends = view.live_row(relation.source)?.zip(view.live_row(relation.target)?);
        Ok(ends.map(|(source, target)| Self { source, target }))
    }
}

/// Sets a relation, and logs it; `updated` is the time that it carries.
pub(super) fn set_relation(
    view: &TenantView<'_>,
    (ends, relation): (RelationEnds, &NewRelation),
    updated: Timestamp,
    head: ChangeHead<'_>,
) -> Result<()> {
    let RelationEnds { source, target } = ends;
    let ChangeHead { kind, actor, now } = head;
    let after = serde_json::json!({
        "relation": relation.kind, "to": relation.target, "strength": relation.strength,
        "properties": relation.properties,
    });
    view.relate(&Relation {
        source,
        kind: relation.kind,
        target,
        strength: relation.strength,
        properties: relation.properties.clone(),
        updated,
    })?;
    let (id, row, after) = (relation.source, source, Some(after));
    view.log(&MemoryChange { kind, id, row, actor, now, before: None, after })
}
