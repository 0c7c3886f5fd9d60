//! Counts what a tenant has.

use super::session::ServiceSession;
use crate::error::Result;
use crate::service::request::{EnrichmentCounts, ServiceStats};

/// Counts memories, relations, vectors and jobs, and checks the log of changes.
pub fn stats(session: &ServiceSession) -> Result<ServiceStats> {
    let database = session.store.path().display().to_string();
    session.read(|view| {
        let jobs = view.job_counts()?;
        let (_, trash) = view.trash(0, 0)?;
        Ok(ServiceStats {
            status: "success",
            memories: view.count()?,
            trash,
            types: view.type_counts()?.into_iter().collect(),
            relations: view.relation_counts()?.into_iter().collect(),
            vectors: view.count_vectors()?,
            vector_size: view.vector_size()?,
            enrichment: EnrichmentCounts {
                done: jobs.done,
                pending: jobs.pending,
                failed: jobs.failed,
                last_problem: jobs.last_problem,
            },
            log_unbroken: view.verify_log()?.unbroken,
            database,
        })
    })
}
