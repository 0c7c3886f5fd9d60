//! Finds groups of memories that belong together.

use std::collections::BTreeMap;

use crate::contract::{ContentHash, Timestamp};
use crate::error::Result;
use crate::service::clusters::clusters;
use crate::service::request::{ClusterDocument, ClusterStep, Memory, MemoryId, RelationType};
use crate::service::verbs::session::ServiceSession;

/// Groups that are told.
const TOLD: usize = 5;

/// Groups are made by vectors that are close, and by relations that people and agents set.
pub(super) fn cluster(session: &ServiceSession) -> Result<ClusterStep> {
    let mut kinds = RelationType::authorable().to_vec();
    kinds.push(RelationType::SimilarTo);
    session.read(|view| {
        let groups = clusters(&view.related_pairs(&kinds)?);
        let mut sample_clusters = Vec::new();
        for rows in groups.iter().take(TOLD) {
            sample_clusters.extend(document(&view.memories(rows)?, session.now));
        }
        Ok(ClusterStep { clusters_found: groups.len(), meta_memories_created: 0, sample_clusters })
    })
}

/// Describes a group; an empty one has no description.
fn document(memories: &[Memory], now: Timestamp) -> Option<ClusterDocument> {
    let by_importance = |a: &&Memory, b: &&Memory| {
        a.said.importance.total_cmp(&b.said.importance).then(b.row.cmp(&a.row))
    };
    let sample = memories.iter().max_by(by_importance)?;
    let first = memories.iter().map(|memory| memory.said.timestamp).min()?;
    let last = memories.iter().map(|memory| memory.said.timestamp).max()?;
    let mut memory_ids: Vec<MemoryId> = memories.iter().map(|memory| memory.said.id).collect();
    memory_ids.sort_unstable();
    let mut types: BTreeMap<&str, usize> = BTreeMap::new();
    for memory in memories {
        *types.entry(&memory.said.kind).or_default() += 1;
    }
    let dominant_type = types.iter().rev().max_by_key(|(_, count)| **count)?.0;
    Some(ClusterDocument {
        cluster_id: id_of(&memory_ids)?,
        created_at: now,
        dominant_type: (*dominant_type).to_owned(),
        sample_content: sample.said.content.clone(),
        size: memories.len(),
        time_span_days: first.days_until(last) as i64,
        memory_ids,
    })
}

/// Returns an id that is the same for the same memories.
fn id_of(ids: &[MemoryId]) -> Option<MemoryId> {
    let ids: Vec<String> = ids.iter().map(MemoryId::to_string).collect();
    let digest = ContentHash::digest(ids.join("\n").as_bytes());
    digest.first_chunk().copied().map(MemoryId::from_bytes)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::service::verbs::associate;
    use crate::service::verbs::tests::Sample;

    #[test]
    fn related_memories_are_a_group_and_what_came_one_after_the_other_is_none() {
        let sample = Sample::new();
        let ids = ["2026-11-18", "2026-11-19", "2026-11-20"]
            .map(|time| sample.store(json!({"content": time, "timestamp": time})));
        assert_eq!(cluster(&sample.session).expect("it answers").clusters_found, 0);
        for pair in ids.windows(2) {
            let body = json!({"memory1_id": pair[0], "memory2_id": pair[1]});
            associate(&sample.session, body).expect("it answers").expect("it is set");
        }
        let step = cluster(&sample.session).expect("it answers");
        assert_eq!((step.clusters_found, step.meta_memories_created), (1, 0));
        let group = &step.sample_clusters[0];
        assert_eq!((group.size, group.time_span_days), (3, 2));
        assert_eq!((&*group.dominant_type, &*group.sample_content), ("Context", "2026-11-18"));
        assert!(group.memory_ids.is_sorted());
        assert_eq!(cluster(&sample.session).expect("it answers"), step);
    }

    #[test]
    fn close_vectors_are_a_group() {
        let sample = Sample::new();
        for content in ["a", "b", "c"] {
            sample.store(json!({"content": content, "embedding": [1.0, 0.1]}));
        }
        assert_eq!(cluster(&sample.session).expect("it answers").clusters_found, 1);
    }
}
