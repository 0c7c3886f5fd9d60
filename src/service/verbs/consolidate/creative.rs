//! Finds pairs of memories that have something in common, and relates them.

use std::collections::{BTreeMap, HashSet};

use serde_json::{Map, json};

use crate::contract::Timestamp;
use crate::error::Result;
use crate::service::discovery::{CommonPair, kind_of_pair, pairs_by_names};
use crate::service::request::{CreativeStep, DiscoveredPair, RelationType};
use crate::service::sqlite::{Relation, TenantView};
use crate::service::verbs::session::ServiceSession;

/// The newest memories whose vectors are compared with all others.
const COMPARED: usize = 200;

/// Vectors that are closest to one, and how close they are at least; from 0.8 on they are `SIMILAR_TO` anyway.
const CLOSEST: usize = 5;
const CLOSE: f64 = 0.65;

/// Pairs that are found at most, and that are told.
const PAIRS: usize = 100;
const TOLD: usize = 5;

/// Where a pair was found.
const VECTORS: &str = "vectors";
const ENTITIES: &str = "entities";

/// Finds pairs that no relation joins yet; without `dry_run` they are related. Other writers have to wait for that
/// alone, and not for the search.
pub(super) fn creative(session: &ServiceSession, dry_run: bool) -> Result<CreativeStep> {
    let now = session.now;
    let mut pairs = session.read(|view| find(view, now))?;
    let discovered = pairs.len();
    let kept = pairs.clone();
    let created = match dry_run {
        true => Ok(0),
        false => session.write(move |view| Ok(Ok(keep(view, &kept)?)))?,
    };
    pairs.truncate(TOLD);
    // Nothing is refused here: a memory that was deleted since is passed over.
    let created = created.unwrap_or_default();
    Ok(CreativeStep { discovered, created, sample_associations: pairs })
}

/// Returns the pairs, the surest first.
fn find(view: &TenantView<'_>, now: Timestamp) -> Result<Vec<DiscoveredPair>> {
    let mut pairs: BTreeMap<(i64, i64), (CommonPair, &'static str)> = BTreeMap::new();
    let by_names = pairs_by_names(&view.named_rows()?).into_iter().map(|pair| (pair, ENTITIES));
    let by_vectors = pairs_by_vectors(view)?.into_iter().map(|pair| (pair, VECTORS));
    pairs.extend(by_names.chain(by_vectors).map(|found| ((found.0.one, found.0.other), found)));
    for pair in related(view)? {
        pairs.remove(&pair);
    }
    let mut found: Vec<(CommonPair, &'static str)> = pairs.into_values().collect();
    found.sort_by(|(a, _), (b, _)| b.confidence.total_cmp(&a.confidence));
    found.truncate(PAIRS);
    let mut told = Vec::with_capacity(found.len());
    for (pair, origin) in found {
        told.extend(document(view, pair, origin, now)?);
    }
    Ok(told)
}

/// Returns the pairs that a relation joins, but for those that only came one after the other.
fn related(view: &TenantView<'_>) -> Result<HashSet<(i64, i64)>> {
    let kinds = RelationType::ALL.iter().copied();
    let kinds: Vec<RelationType> = kinds.filter(|it| *it != RelationType::PrecededBy).collect();
    let pairs = view.related_pairs(&kinds)?.into_iter();
    Ok(pairs.map(|(one, other)| (one.min(other), one.max(other))).collect())
}

fn pairs_by_vectors(view: &TenantView<'_>) -> Result<Vec<CommonPair>> {
    let mut pairs = Vec::new();
    for row in view.rows_with_vector(COMPARED)? {
        let Some(vector) = view.vector_of(row)? else { continue };
        for (other, similarity) in view.nearest(&vector, CLOSEST, |other| other != row)? {
            if similarity >= CLOSE {
                let (one, other, similarity) =
                    (row.min(other), row.max(other), similarity.min(1.0));
                pairs.push(CommonPair { one, other, similarity, confidence: similarity });
            }
        }
    }
    Ok(pairs)
}

fn document(
    view: &TenantView<'_>,
    pair: CommonPair,
    origin: &'static str,
    now: Timestamp,
) -> Result<Option<DiscoveredPair>> {
    let mut ends = view.memories(&[pair.one, pair.other])?;
    ends.sort_by_key(|memory| (memory.said.timestamp, memory.row));
    let [older, newer] = ends.as_slice() else { return Ok(None) };
    Ok(Some(DiscoveredPair {
        memory1_id: older.said.id,
        memory2_id: newer.said.id,
        relation: RelationType::Discovered,
        kind: kind_of_pair(&older.said.kind, &newer.said.kind),
        similarity: pair.similarity,
        confidence: pair.confidence,
        origin,
        discovered_at: now,
    }))
}

/// Relates pairs; returns how many.
fn keep(view: &TenantView<'_>, pairs: &[DiscoveredPair]) -> Result<usize> {
    let mut count = 0;
    for pair in pairs {
        let ends = (view.live_row(pair.memory1_id)?, view.live_row(pair.memory2_id)?);
        let (Some(source), Some(target)) = ends else { continue };
        let properties = Map::from_iter([
            ("kind".to_owned(), json!(pair.kind)),
            ("confidence".to_owned(), json!(pair.confidence)),
            ("similarity".to_owned(), json!(pair.similarity)),
            ("origin".to_owned(), json!(pair.origin)),
        ]);
        view.derive_relation(&Relation {
            source,
            kind: RelationType::Discovered,
            target,
            strength: pair.confidence,
            properties,
            updated: pair.discovered_at,
        })?;
        count += 1;
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::verbs::tests::Sample;

    fn found(sample: &Sample, dry_run: bool) -> CreativeStep {
        creative(&sample.session, dry_run).expect("it answers")
    }

    #[test]
    fn nothing_in_common_is_no_pair() {
        let sample = Sample::new();
        sample.say("the quick brown fox", 1);
        sample.say("another animal", 2);
        assert_eq!(found(&sample, false).discovered, 0);
    }

    #[test]
    fn memories_that_name_the_same_are_related_only_without_a_dry_run() {
        let sample = Sample::new();
        let (one, other) = (sample.say("Docker is slow", 1), sample.say("restart Docker", 2));
        for _ in 0..2 {
            let step = found(&sample, true);
            assert_eq!((step.discovered, step.created), (1, 0));
            let pair = &step.sample_associations[0];
            assert_eq!((pair.memory1_id, pair.memory2_id, pair.origin), (one, other, ENTITIES));
        }
        assert_eq!(found(&sample, false).created, 1);
        assert_eq!(found(&sample, false).discovered, 0, "they are related now");
    }

    #[test]
    fn close_vectors_are_a_pair() {
        let sample = Sample::new();
        for (content, vector) in [("a", [1.0, 0.0]), ("b", [0.7, 0.714]), ("c", [0.0, -1.0])] {
            sample.store(json!({"content": content, "embedding": vector}));
        }
        let step = found(&sample, true);
        assert_eq!((step.discovered, step.sample_associations[0].origin), (1, VECTORS));
        assert!((0.69..0.71).contains(&step.sample_associations[0].similarity));
    }
}
