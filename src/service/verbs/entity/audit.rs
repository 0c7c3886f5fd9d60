//! Tells what is doubtful about what memories name.

use std::collections::BTreeMap;

use super::listing::document;
use super::merging::candidates;
use crate::error::Result;
use crate::service::lookalikes::doubt;
use crate::service::request::{EntityAudit, EntityFinding};
use crate::service::verbs::session::ServiceSession;

/// Findings that are told at most.
const TOLD: usize = 100;

/// Answers `GET /entities/audit`.
pub fn entity_audit(session: &ServiceSession) -> Result<EntityAudit> {
    session.read(|view| {
        let entities = view.counted_entities(None, i64::MAX as usize)?;
        let mut by_category: BTreeMap<String, u64> = BTreeMap::new();
        for counted in &entities {
            *by_category.entry(counted.entity.category.clone()).or_default() += 1;
        }
        let named_once = entities.iter().filter(|counted| counted.memories == 1).count();
        let total_entities = entities.len();
        let doubtful = entities.into_iter().filter_map(|counted| {
            let reason = doubt(&counted.entity)?;
            Some((counted, reason))
        });
        let mut findings = Vec::new();
        for (counted, reason) in doubtful.take(TOLD) {
            findings.push(EntityFinding { entity: document(view, counted)?, reason });
        }
        Ok(EntityAudit {
            status: "success",
            total_entities,
            by_category,
            named_once,
            alias_count: view.count_aliases()?,
            merge_candidates: candidates(view)?.len(),
            count: findings.len(),
            findings,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::verbs::tests::Sample;

    #[test]
    fn entities_are_counted_by_category() {
        let sample = Sample::new();
        sample.say("Ada said that Docker is slow", 1);
        sample.say("restart Docker", 2);
        let told = entity_audit(&sample.session).expect("it answers");
        assert_eq!((told.total_entities, told.named_once, told.alias_count), (2, 1, 0));
        assert_eq!((told.by_category["people"], told.by_category["tools"]), (1, 1));
        assert!(told.findings.is_empty());
    }
}
