//! Sets a relation between two memories, in the change of a verb.

use super::former_relation::FormerRelation;
use super::relation_ends::RelationEnds;
use super::replace_said::ChangeHead;
use crate::contract::Timestamp;
use crate::error::Result;
use crate::service::request::NewRelation;
use crate::service::sqlite::{MemoryChange, Relation, TenantView};

/// Sets a relation, and logs it; `updated` is the time that it carries. One that is set already, as it is, is no change.
pub(super) fn set_relation(
    view: &TenantView<'_>,
    (ends, relation): (RelationEnds, &NewRelation),
    updated: Timestamp,
    head: ChangeHead<'_>,
) -> Result<()> {
    let former = put_relation(view, ends, relation, updated)?;
    let Some(former) = former else { return Ok(()) };
    let ChangeHead { kind, actor, now } = head;
    let after = serde_json::json!({
        "relation": relation.kind, "to": relation.target, "strength": relation.strength,
        "properties": relation.properties,
    });
    view.log(&MemoryChange {
        kind,
        id: relation.source,
        row: ends.source,
        other: Some(ends.target),
        actor,
        now,
        before: Some(former.to_value()),
        after: Some(after),
    })
}

/// Sets a relation, and returns what was there before; nothing where the same was there already: a retry would hide the
/// change before it from an undo.
pub(super) fn put_relation(
    view: &TenantView<'_>,
    ends: RelationEnds,
    relation: &NewRelation,
    updated: Timestamp,
) -> Result<Option<FormerRelation>> {
    let NewRelation { kind, strength, target, ref properties, .. } = *relation;
    let set = view.relation(ends.source, kind, ends.target)?;
    if set.is_some_and(|set| set.strength == strength && set.properties == *properties) {
        return Ok(None);
    }
    let former = FormerRelation::read(view, ends, kind, target)?;
    let (RelationEnds { source, target }, properties) = (ends, properties.clone());
    view.relate(&Relation { source, kind, target, strength, properties, updated })?;
    Ok(Some(former))
}
