//! Tells which entities may be the same, and makes one of two.

use serde_json::Value;

use super::listing::not_found;
use crate::error::Result;
use crate::service::lookalikes::{Likeness, likeness};
use crate::service::request::{
    MergeAnswer, MergeCandidate, MergeCandidates, MergedEntity, ServiceRefusal, read_merge_into,
};
use crate::service::sqlite::{CountedEntity, EntityMerge, TenantView};
use crate::service::verbs::session::{ServiceAnswer, ServiceSession};

/// The most often named entities are compared, each with each.
const COMPARED: usize = 500;

/// Answers `GET /entities/merge-candidates`, the surest first.
pub fn merge_candidates(session: &ServiceSession) -> Result<MergeCandidates> {
    let candidates = session.read(candidates)?;
    Ok(MergeCandidates { status: "success", count: candidates.len(), candidates })
}

pub(super) fn candidates(view: &TenantView<'_>) -> Result<Vec<MergeCandidate>> {
    let entities = view.counted_entities(None, COMPARED)?;
    let mut found = Vec::new();
    for (at, one) in entities.iter().enumerate() {
        for other in &entities[at + 1..] {
            let alike = likeness(&one.entity, &other.entity);
            found.extend(alike.map(|alike| candidate(one, other, alike)));
        }
    }
    found.sort_by(|a, b| b.confidence.total_cmp(&a.confidence).then(a.entity_a.cmp(&b.entity_a)));
    Ok(found)
}

/// `one` is named as often as `other`, or more.
fn candidate(one: &CountedEntity, other: &CountedEntity, alike: Likeness) -> MergeCandidate {
    let one_is_longer = one.entity.slug.len() >= other.entity.slug.len();
    let (canonical, alias) = if one_is_longer { (one, other) } else { (other, one) };
    MergeCandidate {
        entity_a: one.entity.tag(),
        entity_b: other.entity.tag(),
        canonical: canonical.entity.tag(),
        alias: alias.entity.tag(),
        confidence: alike.confidence,
        reason: alike.reason,
        auto_merge: false,
    }
}

/// Answers `POST /entity/<slug>/merge`: what names the one is found by the other too, now and later.
pub fn merge_entity(
    session: &ServiceSession,
    slug: &str,
    body: &Value,
) -> ServiceAnswer<MergeAnswer> {
    let (into, warning) = match read_merge_into(body) {
        Ok((into, warning)) => (into.to_lowercase(), warning),
        Err(refusal) => return Ok(Err(refusal)),
    };
    let alias = slug.trim().to_lowercase();
    let (actor, now) = (session.actor.clone(), session.now);
    session.write(move |view| {
        let aliases = view.entities_named(&alias)?;
        let targets = view.entities_named(&into)?;
        let of_one_category = aliases.iter().find_map(|alias| {
            let is_same = |it: &&CountedEntity| it.entity.category == alias.entity.category;
            targets.iter().find(is_same).map(|target| (&alias.entity, &target.entity))
        });
        let Some((alias, canonical)) = of_one_category else {
            return Ok(Err(match aliases.is_empty() {
                true => not_found("Entity", &alias),
                false => not_found("Target entity", &into),
            }));
        };
        if alias == canonical {
            let message = "Cannot merge an entity with itself";
            let detail = "send the slug of another entity of the same category";
            return Ok(Err(ServiceRefusal::of_field("merge_into", message, detail)));
        }
        let edges_moved = view.merge_entities(alias, canonical)?;
        view.log_merge(&EntityMerge { alias, canonical, actor: &actor, now })?;
        let merge = MergedEntity {
            canonical: canonical.tag(),
            alias: alias.tag(),
            alias_slug: alias.slug.clone(),
            edges_moved,
        };
        Ok(Ok(MergeAnswer { status: "success", merge, warnings: warning.into_iter().collect() }))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::service::verbs::entity;
    use crate::service::verbs::tests::Sample;

    fn sample() -> Sample {
        let sample = Sample::new();
        sample.say("Ada said no", 1);
        sample.say("Ada Lovelace said yes", 2);
        sample.say("restart Docker", 3);
        sample
    }

    #[test]
    fn a_short_and_a_full_name_may_be_the_same() {
        let told = merge_candidates(&sample().session).expect("it answers");
        assert_eq!(told.count, 1);
        let pair = &told.candidates[0];
        assert_eq!(pair.canonical, "entity:people:ada-lovelace");
        assert_eq!((pair.alias.as_str(), pair.auto_merge), ("entity:people:ada", false));
    }

    #[test]
    fn two_are_one_after_a_merge_and_for_what_comes_later() {
        let sample = sample();
        let body = json!({"merge_into": "ada-lovelace"});
        let merged = merge_entity(&sample.session, "ada", &body).expect("it answers");
        assert_eq!(merged.expect("it is merged").merge.edges_moved, 1);
        sample.say("Ada wrote a program", 4);
        for slug in ["ada", "ada-lovelace"] {
            let told = entity(&sample.session, slug).expect("it answers").expect("it is known");
            assert_eq!((told.entity.reference_count, told.entity.aliases), (3, vec!["ada".into()]));
        }
        assert_eq!(merge_candidates(&sample.session).expect("it answers").count, 0);
    }

    #[test]
    fn a_merge_has_its_line_in_the_log_and_what_is_refused_has_none() {
        let sample = sample();
        let log = || sample.session.read(|view| view.verify_log()).expect("it is read");
        let before = log().decisions;
        let merge = |into: &str| {
            merge_entity(&sample.session, "ada", &json!({"merge_into": into})).expect("it answers")
        };
        merge("docker").expect_err("it is refused");
        assert_eq!(log().decisions, before);
        merge("ada-lovelace").expect("it is merged");
        assert_eq!((log().decisions, log().unbroken), (before + 1, true));
    }

    #[test]
    fn what_is_unknown_the_same_or_of_another_category_is_not_merged() {
        let sample = sample();
        let refused = |slug: &str, into: &str| {
            let answer = merge_entity(&sample.session, slug, &json!({"merge_into": into}));
            answer.expect("it answers").expect_err("it is refused").message
        };
        assert_eq!(refused("zz", "ada"), "Entity 'zz' not found");
        assert_eq!(refused("ada", "zz"), "Target entity 'zz' not found");
        assert_eq!(refused("ada", "docker"), "Target entity 'docker' not found");
        assert_eq!(refused("ada", "ada"), "Cannot merge an entity with itself");
    }
}
