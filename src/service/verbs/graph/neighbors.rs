//! Shows what is around one memory.

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use super::snapshot::edges;
use crate::error::Result;
use crate::service::graph::{node, type_color};
use crate::service::request::{
    GraphCenter, GraphNeighbors, GraphNode, MemoryId, NeighborsMeta, NeighborsRequest,
    QueryParameters, RefusalStatus, RelationType, ServiceRefusal,
};
use crate::service::sqlite::{Relation, TenantView};
use crate::service::verbs::elapsed::milliseconds;
use crate::service::verbs::session::{ServiceAnswer, ServiceSession};
use crate::text::excerpt;

/// Memories around one at most.
const MOST: usize = 100;

/// What is around a memory.
struct AroundMemory {
    /// The nearest first, without the memory itself.
    rows: Vec<i64>,
    relations: Vec<Relation>,
}

/// Answers `GET /graph/neighbors/<id>`.
pub fn graph_neighbors(
    session: &ServiceSession,
    id: &str,
    query: &QueryParameters,
) -> ServiceAnswer<GraphNeighbors> {
    let begun = Instant::now();
    let request = NeighborsRequest::read(query);
    let found = session.read(|view| {
        let center = MemoryId::parse(id).map(|id| view.memory(id)).transpose()?.flatten();
        let Some(center) = center else { return Ok(None) };
        let around = AroundMemory::read(view, center.row, request.depth)?;
        let neighbors = view.memories(&around.rows)?;
        let close = close(view, center.row, &around.rows, request.close)?;
        Ok(Some((center, neighbors, around.relations, close)))
    })?;
    let Some((center, neighbors, relations, semantic_neighbors)) = found else {
        let message = format!("Memory {} not found", excerpt(id));
        let next = "look with `GET /graph/snapshot`; a deleted memory is in `GET /trash`";
        return Ok(Err(ServiceRefusal::new(RefusalStatus::NotFound, message, next)));
    };
    let shown = neighbors.iter().chain([&center]);
    let ids: HashMap<i64, MemoryId> = shown.map(|memory| (memory.row, memory.said.id)).collect();
    Ok(Ok(GraphNeighbors {
        center: GraphCenter {
            color: type_color(&center.said.kind),
            memory: session.document(&center),
        },
        graph_neighbors: neighbors.iter().map(node).collect(),
        semantic_neighbors,
        edges: edges(relations, &ids),
        meta: NeighborsMeta { depth: request.depth, query_time_ms: milliseconds(begun) },
    }))
}

impl AroundMemory {
    /// Follows relations in both directions, so many in a row.
    fn read(view: &TenantView<'_>, start: i64, depth: usize) -> Result<Self> {
        let (mut rows, mut relations) = (Vec::new(), Vec::new());
        let (mut seen, mut edge) = (HashSet::from([start]), vec![start]);
        for _ in 0..depth {
            let mut next = Vec::new();
            for row in edge {
                let mut found = view.relations_of(row, RelationType::ALL)?;
                found.extend(view.followed_by(row)?);
                for relation in found {
                    let other = relation.other(row);
                    if rows.len() < MOST && seen.insert(other) {
                        rows.push(other);
                        next.push(other);
                    }
                    relations.push(relation);
                }
            }
            edge = next;
        }
        Ok(Self { rows, relations })
    }
}

/// Returns other memories with a close vector; none where the memory has no vector.
fn close(view: &TenantView<'_>, row: i64, around: &[i64], most: usize) -> Result<Vec<GraphNode>> {
    let Some(vector) = view.vector_of(row)?.filter(|_| most > 0) else { return Ok(Vec::new()) };
    let is_other = |other: i64| other != row && !around.contains(&other);
    let nearest = view.nearest(&vector, most, is_other)?;
    let rows: Vec<i64> = nearest.iter().map(|(row, _)| *row).collect();
    let memories = view.memories(&rows)?;
    let drawn = memories.iter().zip(nearest).map(|(memory, (_, similarity))| GraphNode {
        similarity: Some((similarity * 10_000.0).round() / 10_000.0),
        ..node(memory)
    });
    Ok(drawn.collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::service::verbs::associate;
    use crate::service::verbs::tests::{Sample, query};

    fn neighbors(sample: &Sample, id: MemoryId, name: &str, value: &str) -> GraphNeighbors {
        let answer = graph_neighbors(&sample.session, &id.to_string(), &query(name, value));
        answer.expect("it answers").expect("it is shown")
    }

    #[test]
    fn relations_are_followed_in_both_directions_and_as_far_as_is_asked() {
        let sample = Sample::new();
        let ids = ["2026-01-01", "2026-03-01", "2026-06-01"]
            .map(|time| sample.store(json!({"content": time, "timestamp": time})));
        for pair in ids.windows(2) {
            let body = json!({"memory1_id": pair[0], "memory2_id": pair[1]});
            associate(&sample.session, body).expect("it answers").expect("it is set");
        }
        let shown = neighbors(&sample, ids[2], "depth", "1");
        assert_eq!((shown.graph_neighbors.len(), shown.edges.len()), (1, 1));
        assert_eq!(shown.center.color, "#6B7280");
        let shown = neighbors(&sample, ids[2], "depth", "3");
        assert_eq!((shown.graph_neighbors.len(), shown.edges.len()), (2, 2));
    }

    #[test]
    fn what_came_before_and_after_is_around_a_memory() {
        let sample = Sample::new();
        let ids: Vec<MemoryId> =
            (0..9).map(|minutes| sample.say(&minutes.to_string(), minutes)).collect();
        let shown = neighbors(&sample, ids[0], "depth", "1");
        assert_eq!(shown.edges.len(), 5);
        assert!(shown.edges.iter().all(|edge| edge.target == ids[0]));
        assert_eq!(neighbors(&sample, ids[4], "depth", "1").edges.len(), 8);
    }

    #[test]
    fn a_close_vector_is_shown_unless_that_is_not_wanted() {
        let sample = Sample::new();
        let of = |vector: [f64; 2], time: &str| {
            sample.store(json!({"content": time, "embedding": vector, "timestamp": time}))
        };
        let (one, other) = (of([1.0, 0.0], "2026-01-01"), of([0.6, 0.8], "2026-03-01"));
        let shown = neighbors(&sample, one, "semantic_limit", "3").semantic_neighbors;
        assert_eq!((shown.len(), shown[0].id, shown[0].similarity), (1, other, Some(0.6)));
        let shown = neighbors(&sample, one, "include_semantic", "false");
        assert!(shown.semantic_neighbors.is_empty());
    }

    #[test]
    fn an_unknown_memory_is_not_found() {
        let sample = Sample::new();
        let other = sample.say("a", 1).to_string();
        for (session, id) in [(&sample.session, "nope"), (&sample.of_another(), other.as_str())] {
            let answer = graph_neighbors(session, id, &QueryParameters::default());
            let refusal = answer.expect("it answers").expect_err("it is refused");
            assert_eq!(refusal.message, format!("Memory {id} not found"));
        }
    }
}
