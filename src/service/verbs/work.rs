//! Does what is due behind the answers: enriches memories, notes what was read, empties the trash.

use super::delete::erase;
use super::service_store::ServiceStore;
use super::tenant_key::TenantKey;
use super::trash::KEPT;
use crate::contract::Timestamp;
use crate::error::Result;
use crate::service::entities::entities;
use crate::service::request::{EventKind, Memory, RelationType};
use crate::service::sqlite::{Job, MemoryEvent, Relation, Tenant, TenantView};
use crate::service::summary::summary;

/// Jobs of one change at most, so that other writers wait only briefly.
const JOBS_PER_CHANGE: usize = 20;

/// Memories that are similar to one at most, and how similar they are at least.
const SIMILAR: usize = 5;
const SIMILARITY: f64 = 0.8;

/// Who empties the trash, for the log.
const SWEEPER: &str = "background";

/// Seconds for which a request is kept that may come again: a day.
const REPEATS: i64 = 24 * 3_600;

/// Does what is due; returns how many jobs it carried out. None are left if it returns 0.
pub fn work(store: &ServiceStore, now: Timestamp) -> Result<usize> {
    store.write_accesses()?;
    let jobs = store.database.read(|view| Job::due(view, now, JOBS_PER_CHANGE))?;
    if jobs.is_empty() {
        // Not behind each change: it waits for readers.
        store.erase_traces_again()?;
        return Ok(0);
    }
    let count = jobs.len();
    let begun: Vec<_> = jobs.iter().map(|job| (*job, EventKind::EnrichmentStart)).collect();
    tell(store, &begun, now);
    let done = store.database.write(move |connection| {
        let mut done = Vec::with_capacity(jobs.len());
        for job in jobs {
            let view = TenantView::new(connection, job.tenant);
            match enrich(&view, job.row, now) {
                Ok(()) => {
                    job.finish(connection)?;
                    done.push((job, EventKind::EnrichmentComplete));
                }
                Err(error) => {
                    job.fail(connection, &error.to_string(), now)?;
                    done.push((job, EventKind::EnrichmentFailed));
                }
            }
        }
        Ok(done)
    })?;
    tell(store, &done, now);
    Ok(count)
}

/// Tells the tenants what is done with their jobs.
fn tell(store: &ServiceStore, jobs: &[(Job, EventKind)], now: Timestamp) {
    for jobs in jobs.chunk_by(|(one, _), (next, _)| one.tenant == next.tenant) {
        let event = |(job, kind): &(Job, EventKind)| {
            Some(MemoryEvent { kind: *kind, id: job.memory?, relation: None })
        };
        let events: Vec<MemoryEvent> = jobs.iter().filter_map(event).collect();
        let tenant = jobs.first().map(|(job, _)| TenantKey(job.tenant));
        tenant.into_iter().for_each(|tenant| store.tell_all(tenant, &events, now));
    }
}

/// Erases what was deleted long ago, and forgets requests that cannot come again.
pub fn sweep(store: &ServiceStore, now: Timestamp) -> Result<()> {
    let erased = store.database.write(move |connection| {
        let mut erased = 0;
        for (_, tenant) in Tenant::all(connection)? {
            let view = TenantView::new(connection, tenant);
            let old = view.deleted_before(now.plus_seconds(-KEPT))?;
            let ids = view.ids_of(&old)?;
            for row in old.iter().filter_map(|row| Some((*row, *ids.get(row)?))) {
                erase(&view, row, SWEEPER, now)?;
            }
            if !old.is_empty() {
                view.purge_words()?;
            }
            erased += old.len();
            view.forget_repeats(now.plus_seconds(-REPEATS))?;
        }
        Ok(erased)
    })?;
    if erased > 0 { store.erase_traces() } else { Ok(()) }
}

/// Derives what can be derived of a memory; of one that is gone nothing.
fn enrich(view: &TenantView<'_>, row: i64, now: Timestamp) -> Result<()> {
    let Some(Memory { said, .. }) = view.memories(&[row])?.pop() else { return Ok(()) };
    view.keep_derived(row, &summary(&said.content), &entities(&said.content), now)?;
    view.delete_derived_relations(row)?;
    let Some(vector) = view.vector_of(row)? else { return Ok(()) };
    for (other, similarity) in view.nearest(&vector, SIMILAR, |other| other != row)? {
        if similarity < SIMILARITY {
            continue;
        }
        let score = serde_json::Map::from_iter([("score".to_owned(), similarity.into())]);
        for (source, target) in [(row, other), (other, row)] {
            let (kind, properties) = (RelationType::SimilarTo, score.clone());
            let strength = similarity;
            view.derive_relation(&Relation {
                source,
                kind,
                target,
                strength,
                properties,
                updated: now,
            })?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::verbs::tests::Sample;
    use crate::service::verbs::{Deletion, delete, whole_history};

    #[test]
    fn what_is_erased_after_its_time_has_a_line_in_the_log() {
        let sample = Sample::new();
        let id = sample.say("a", 1).to_string();
        let Sample { session, .. } = &sample;
        delete(session, &id, Deletion::Soft).expect("it answers").expect("it is deleted");
        sweep(&session.store, session.now.plus_seconds(KEPT + 1)).expect("it is swept");
        let history = whole_history(session, &id).expect("it answers").expect("it is known");
        let last = history.history.last().expect("a change");
        assert_eq!((last.action, last.actor.as_str(), history.count), ("forgotten", SWEEPER, 3));
        assert!(session.read(|view| view.verify_log()).expect("it is read").unbroken);
    }
}
