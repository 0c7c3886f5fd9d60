//! Sets a relation between two memories, in the change of a verb.

use super::former_relation::FormerRelation;
use super::relation_ends::RelationEnds;
use super::replace_said::ChangeHead;
use crate::contract::Timestamp;
use crate::error::Result;
use crate::service::request::NewRelation;
use crate::service::sqlite::{MemoryChange, Relation, TenantView};

/// Sets a relation, and logs it; `updated` is the time that it carries.
pub(super) fn set_relation(
    view: &TenantView<'_>,
    (ends, relation): (RelationEnds, &NewRelation),
    updated: Timestamp,
    head: ChangeHead<'_>,
) -> Result<()> {
    let RelationEnds { source, target } = ends;
    let ChangeHead { kind, actor, now } = head;
    let former = FormerRelation::read(view, ends, relation.kind)?;
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
    let before = Some(former.to_value(relation.target));
    view.log(&MemoryChange { kind, id, row, actor, now, before, after })
}
