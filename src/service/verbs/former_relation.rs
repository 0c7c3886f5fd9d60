//! A relation as it was before a change, so that the change can be taken back.

use serde_json::{Map, Value, json};

use super::relation_ends::RelationEnds;
use super::replace_said::ChangeHead;
use crate::contract::Timestamp;
use crate::error::Result;
use crate::service::request::{Memory, MemoryId, RelationType};
use crate::service::sqlite::{MemoryChange, Relation, TenantView};

/// A relation as it was before a change; none where there was none of its type between the two.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FormerRelation {
    kind: RelationType,
    was: Option<(f64, Map<String, Value>, Timestamp)>,
}

impl FormerRelation {
    /// Reads the relation of a type between two memories as it is now.
    pub(super) fn read(
        view: &TenantView<'_>,
        ends: RelationEnds,
        kind: RelationType,
    ) -> Result<Self> {
        let set = view.relations_set_from(ends.source)?.into_iter();
        let mut same = set.filter(|it| it.kind == kind && it.target == ends.target);
        let was = same.next().map(|it| (it.strength, it.properties, it.updated));
        Ok(Self { kind, was })
    }

    /// Returns it as the log keeps it.
    pub(super) fn to_value(&self, target: MemoryId) -> Value {
        let was = self.was.as_ref().map(|(strength, properties, updated)| {
            json!({"strength": strength, "properties": properties, "updated": updated})
        });
        json!({"relation": self.kind, "to": target, "was": was})
    }

    /// Reads what the log keeps; none where it is no relation.
    pub(super) fn from_value(value: &Value) -> Option<(Self, MemoryId)> {
        let kind = RelationType::parse(value["relation"].as_str()?)?;
        let was = &value["was"];
        let was = match was.is_null() {
            true => None,
            false => Some((
                was["strength"].as_f64()?,
                was["properties"].as_object()?.clone(),
                Timestamp::parse(was["updated"].as_str()?)?,
            )),
        };
        Some((Self { kind, was }, MemoryId::parse(value["to"].as_str()?)?))
    }

    /// Tells whether it is that by which one memory stands for another.
    pub(super) fn supersedes(&self) -> bool {
        self.kind.supersedes()
    }

    /// Sets the relation as it was, and logs that; nothing where the other memory is gone.
    pub(super) fn put_back(
        self,
        view: &TenantView<'_>,
        (memory, target): (&Memory, MemoryId),
        head: ChangeHead<'_>,
    ) -> Result<()> {
        let Some(row) = view.live_row(target)? else { return Ok(()) };
        let ends = RelationEnds { source: memory.row, target: row };
        let now = Self::read(view, ends, self.kind)?;
        let after = self.to_value(target);
        match self.was {
            None => view.unrelate(memory.row, self.kind, row)?,
            Some((strength, properties, updated)) => view.relate(&Relation {
                source: memory.row,
                kind: self.kind,
                target: row,
                strength,
                properties,
                updated,
            })?,
        }
        view.log(&MemoryChange {
            kind: head.kind,
            id: memory.said.id,
            row: memory.row,
            actor: head.actor,
            now: head.now,
            before: Some(now.to_value(target)),
            after: Some(after),
        })
    }
}
