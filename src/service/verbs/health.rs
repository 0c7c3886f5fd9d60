//! Tells whether the service works, and how much it keeps.

use super::service_store::ServiceStore;
use super::tenant_key::TenantKey;
use crate::contract::Timestamp;
use crate::error::Result;
use crate::service::request::{EnrichmentHealth, ServiceHealth, VectorDimensions};
use crate::service::sqlite::TenantView;

/// What only the tenant itself is told.
#[derive(Debug, Default)]
struct TenantNumbers {
    memories: usize,
    vectors: usize,
    vector_size: Option<usize>,
    pending: u64,
    processed: u64,
    failed: u64,
}

/// Answers `GET /health`. Clients ask it without a token too. Then all numbers are 0, because those of a tenant are
/// for its owner alone; the keys are there with their types.
pub fn health(
    store: &ServiceStore,
    tenant: Option<TenantKey>,
    now: Timestamp,
) -> Result<ServiceHealth> {
    let numbers = store.database.read(|connection| match tenant {
        Some(TenantKey(tenant)) => TenantNumbers::read(&TenantView::new(connection, tenant)),
        None => Ok(TenantNumbers::default()),
    })?;
    let configured = store.settings.vector_size;
    let has_vectors = configured.is_some() || numbers.vectors > 0;
    Ok(ServiceHealth {
        status: "healthy",
        falkordb: "connected",
        graph: "memories",
        qdrant: if has_vectors { "connected" } else { "disconnected" },
        memory_count: numbers.memories,
        vector_count: numbers.vectors,
        sync_status: "synced",
        vector_dimensions: dimensions(configured, numbers.vector_size),
        enrichment: EnrichmentHealth {
            status: "running",
            queue_depth: numbers.pending,
            pending: numbers.pending,
            inflight: 0,
            processed: numbers.processed,
            failed: numbers.failed,
        },
        timestamp: now,
    })
}

impl TenantNumbers {
    fn read(view: &TenantView<'_>) -> Result<Self> {
        let jobs = view.job_counts()?;
        Ok(Self {
            memories: view.count()?,
            vectors: view.count_vectors()?,
            vector_size: view.vector_size()?,
            pending: jobs.pending,
            processed: jobs.done,
            failed: jobs.failed,
        })
    }
}

fn dimensions(configured: Option<usize>, kept: Option<usize>) -> Option<VectorDimensions> {
    let effective = configured.or(kept)?;
    let collection = kept.unwrap_or(effective);
    Some(VectorDimensions { configured, effective, collection, mismatch: collection != effective })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::service::verbs::tests::Sample;

    #[test]
    fn without_a_token_no_number_of_a_tenant_is_told() {
        let sample = Sample::new();
        sample.store(json!({"content": "a", "embedding": [1.0, 0.0]}));
        let session = &sample.session;
        let own = health(&session.store, Some(session.tenant), session.now).expect("it answers");
        assert_eq!((own.memory_count, own.vector_count, own.qdrant), (1, 1, "connected"));
        assert_eq!(own.vector_dimensions.map(|it| it.collection), Some(2));
        let open = health(&session.store, None, session.now).expect("it answers");
        assert_eq!((open.memory_count, open.vector_count, open.qdrant), (0, 0, "disconnected"));
        assert_eq!((open.vector_dimensions, open.enrichment.queue_depth), (None, 0));
    }

    #[test]
    fn a_size_that_is_set_is_told_before_there_is_a_vector() {
        let told = dimensions(Some(64), None).expect("it is set");
        assert_eq!((told.effective, told.collection, told.mismatch), (64, 64, false));
        assert!(dimensions(Some(64), Some(2)).is_some_and(|told| told.mismatch));
    }
}
