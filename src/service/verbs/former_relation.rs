//! A relation as it was before a change, so that the change can be taken back.

use serde_json::{Map, Value, json};

use super::relation_ends::RelationEnds;
use crate::contract::Timestamp;
use crate::error::Result;
use crate::service::request::{MemoryId, RelationType};
use crate::service::sqlite::{Relation, TenantView};

/// A relation as it was before a change.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FormerRelation {
    pub(super) ends: RelationEnds,
    kind: RelationType,
    target: MemoryId,
    /// None where there was none of this type between the two.
    was: Option<SetRelation>,
}

/// What a relation has beside its ends and type.
#[derive(Debug, Clone, PartialEq)]
struct SetRelation {
    strength: f64,
    properties: Map<String, Value>,
    updated: Timestamp,
}

impl FormerRelation {
    /// Reads the relation of a type between two memories as it is now; `target` is the id of the second.
    pub(super) fn read(
        view: &TenantView<'_>,
        ends: RelationEnds,
        kind: RelationType,
        target: MemoryId,
    ) -> Result<Self> {
        let set = view.relation(ends.source, kind, ends.target)?;
        let was = set.map(|Relation { strength, properties, updated, .. }| SetRelation {
            strength,
            properties,
            updated,
        });
        Ok(Self { ends, kind, target, was })
    }

    /// Reads the same relation as it is now.
    pub(super) fn read_again(&self, view: &TenantView<'_>) -> Result<Self> {
        Self::read(view, self.ends, self.kind, self.target)
    }

    /// Returns it as the log keeps it.
    pub(super) fn to_value(&self) -> Value {
        let was = self.was.as_ref().map(|SetRelation { strength, properties, updated }| {
            json!({"strength": strength, "properties": properties, "updated": updated})
        });
        json!({"relation": self.kind, "to": self.target, "was": was})
    }

    /// Reads what the log keeps of a relation from a memory; none where it is no relation, or where the other memory is
    /// erased.
    pub(super) fn from_value(
        view: &TenantView<'_>,
        source: i64,
        value: &Value,
    ) -> Result<Option<Self>> {
        let Some((kind, target, was)) = parts_of(value) else { return Ok(None) };
        let row = view.row_of(target)?;
        Ok(row.map(|row| Self { ends: RelationEnds { source, target: row }, kind, target, was }))
    }

    /// Tells whether a value that the log keeps is that of a relation.
    pub(super) fn is_one(value: &Value) -> bool {
        parts_of(value).is_some()
    }

    /// Sets the relation as it was, or removes it where there was none.
    pub(super) fn put_back(&self, view: &TenantView<'_>) -> Result<()> {
        let RelationEnds { source, target } = self.ends;
        let Some(SetRelation { strength, properties, updated }) = self.was.clone() else {
            return view.unrelate(source, self.kind, target);
        };
        view.relate(&Relation { source, kind: self.kind, target, strength, properties, updated })
    }
}

fn parts_of(value: &Value) -> Option<(RelationType, MemoryId, Option<SetRelation>)> {
    let kind = RelationType::parse(value["relation"].as_str()?)?;
    let target = MemoryId::parse(value["to"].as_str()?)?;
    let was = &value["was"];
    if was.is_null() {
        return Some((kind, target, None));
    }
    let set = SetRelation {
        strength: was["strength"].as_f64()?,
        properties: was["properties"].as_object()?.clone(),
        updated: Timestamp::parse(was["updated"].as_str()?)?,
    };
    Some((kind, target, Some(set)))
}
