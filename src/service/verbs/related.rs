//! Follows the relations of a memory.

use std::collections::HashSet;

use super::session::ServiceSession;
use crate::error::Result;
use crate::service::request::{Memory, MemoryId, QueryParameters, Related, RelationType};

/// Answers `GET /memories/<id>/related`; an unknown id has no relations.
pub fn related(session: &ServiceSession, id: &str, query: &QueryParameters) -> Result<Related> {
    let kinds = wanted_types(query);
    let max_depth = query.whole("max_depth", 1, 1..=3);
    let limit = query.whole("limit", 5, 1..=200);
    let related_memories = session.read(|view| {
        let start = MemoryId::parse(id).map(|id| view.live_row(id)).transpose()?.flatten();
        let Some(start) = start else { return Ok(Vec::new()) };
        let (mut seen, mut edge) = (HashSet::from([start]), vec![start]);
        for _ in 0..max_depth {
            let mut next = Vec::new();
            for row in edge {
                let relations = view.relations_of(row, &kinds)?;
                next.extend(
                    relations.iter().map(|it| it.other(row)).filter(|row| seen.insert(*row)),
                );
            }
            edge = next;
        }
        seen.remove(&start);
        let mut memories = view.memories(&seen.into_iter().collect::<Vec<_>>())?;
        memories.sort_by(|a, b| {
            let importance = b.said.importance.total_cmp(&a.said.importance);
            importance.then(b.said.timestamp.cmp(&a.said.timestamp)).then(a.said.id.cmp(&b.said.id))
        });
        memories.truncate(limit);
        Ok(memories.iter().map(Memory::summary).collect::<Vec<_>>())
    })?;
    let mut relationship_types: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
    relationship_types.sort_unstable();
    Ok(Related {
        status: "success",
        memory_id: id.to_owned(),
        count: related_memories.len(),
        related_memories,
        relationship_types,
        max_depth,
        limit,
    })
}

/// Returns the requested types that exist, or all that people may set.
fn wanted_types(query: &QueryParameters) -> Vec<RelationType> {
    let wanted = query.all("relationship_types");
    let known: Vec<RelationType> =
        wanted.iter().filter_map(|name| RelationType::parse(&name.to_uppercase())).collect();
    if known.is_empty() { RelationType::authorable().to_vec() } else { known }
}
