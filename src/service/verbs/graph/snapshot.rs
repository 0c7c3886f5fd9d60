//! Shows the most important memories, and the relations among them.

use std::collections::HashMap;
use std::time::Instant;

use super::totals::meta;
use crate::service::graph::{edge, node};
use crate::service::request::{
    GraphEdge, GraphSnapshot, MemoryId, QueryParameters, SnapshotRequest, SnapshotStats,
};
use crate::service::sqlite::Relation;
use crate::service::verbs::session::{ServiceAnswer, ServiceSession};

/// Answers `GET /graph/snapshot`.
pub fn graph_snapshot(
    session: &ServiceSession,
    query: &QueryParameters,
) -> ServiceAnswer<GraphSnapshot> {
    let begun = Instant::now();
    let request = match SnapshotRequest::read(query) {
        Ok(request) => request,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let (memories, relations, total_nodes, total_edges) = session.read(|view| {
        let rows = view.rows_of_snapshot(&request)?;
        let relations = view.relations_among(&rows.iter().copied().collect())?;
        let total_edges = view.relation_counts()?.iter().map(|(_, count)| count).sum();
        Ok((view.memories(&rows)?, relations, view.count()?, total_edges))
    })?;
    let ids = memories.iter().map(|memory| (memory.row, memory.said.id)).collect();
    let edges = edges(relations, &ids);
    let returned_nodes = memories.len();
    Ok(Ok(GraphSnapshot {
        nodes: memories.iter().map(node).collect(),
        stats: SnapshotStats {
            total_nodes,
            total_edges,
            returned_nodes,
            returned_edges: edges.len(),
            sampled: returned_nodes < total_nodes,
            sample_ratio: returned_nodes as f64 / total_nodes.max(1) as f64,
        },
        edges,
        meta: meta(begun),
    }))
}

/// Returns relations as they are drawn, each once, in the order of their ids. `ids` are those of the memories that are
/// shown.
pub(super) fn edges(relations: Vec<Relation>, ids: &HashMap<i64, MemoryId>) -> Vec<GraphEdge> {
    let drawn = relations.into_iter().filter_map(|relation| {
        let ends = (*ids.get(&relation.source)?, *ids.get(&relation.target)?);
        Some(edge(ends, relation.kind, relation.strength, relation.properties))
    });
    let mut edges: Vec<GraphEdge> = drawn.collect();
    edges.sort_by(|a, b| a.id.cmp(&b.id));
    edges.dedup_by(|a, b| a.id == b.id);
    edges
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::service::verbs::tests::{Sample, query};

    fn snapshot(session: &ServiceSession, name: &str, value: &str) -> GraphSnapshot {
        let answer = graph_snapshot(session, &query(name, value)).expect("it answers");
        answer.expect("it is shown")
    }

    #[test]
    fn the_most_important_are_shown_with_the_relations_among_them() {
        let sample = Sample::new();
        sample.store(json!({"content": "a", "importance": 0.9, "timestamp": "2026-11-19"}));
        sample.store(json!({"content": "b", "importance": 0.5, "type": "Habit"}));
        let all = snapshot(&sample.session, "limit", "0");
        assert_eq!((all.nodes.len(), all.edges.len(), all.stats.sampled), (2, 1, false));
        assert_eq!(all.edges[0].id, format!("{}-PRECEDED_BY-{}", all.nodes[1].id, all.nodes[0].id));
        let one = snapshot(&sample.session, "limit", "1");
        assert_eq!((one.nodes[0].content.as_str(), one.nodes[0].radius), ("a", 0.5 + 0.9 * 1.5));
        assert_eq!((one.stats.total_edges, one.stats.sample_ratio), (1, 0.5));
    }

    #[test]
    fn importance_type_and_time_narrow_what_is_shown() {
        let sample = Sample::new();
        sample.store(json!({"content": "a", "importance": 0.9, "timestamp": "2026-11-19"}));
        sample.store(json!({"content": "b", "importance": 0.5, "type": "Habit"}));
        for (name, value, expected) in [
            ("min_importance", "0.6", "a"),
            ("types", "Style,Habit", "b"),
            ("since", "2026-11-20", "b"),
        ] {
            let shown = snapshot(&sample.session, name, value).nodes;
            let shown: Vec<&str> = shown.iter().map(|node| node.content.as_str()).collect();
            assert_eq!(shown, [expected], "{name}");
        }
        assert!(snapshot(&sample.of_another(), "limit", "0").nodes.is_empty());
    }

    #[test]
    fn a_negative_limit_is_refused() {
        let sample = Sample::new();
        let answer = graph_snapshot(&sample.session, &query("limit", "-1")).expect("it answers");
        let refusal = answer.expect_err("it is refused");
        assert_eq!((refusal.status.code(), refusal.message.as_str()), (400, "limit must be >= 0"));
    }
}
