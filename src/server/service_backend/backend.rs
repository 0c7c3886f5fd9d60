//! What a tool asks of the service, wherever that is, and who answers. The answers are JSON, the same everywhere.

use serde_json::Value;

use crate::service::request::{MemoryId, QueryParameters, Supersession};
use crate::service::verbs::ServiceAnswer;

/// Answers the requests of the tools.
pub(in crate::server) trait ServiceBackend: Send + Sync {
    /// Answers with the object that the route of the same name has over HTTP.
    fn ask(&self, request: ServiceRequest) -> ServiceAnswer<Value>;
}

/// What a tool asks of the service.
#[derive(Debug, Clone)]
pub(in crate::server) enum ServiceRequest {
    Store(Value),
    StoreBatch(Value),
    /// Stores a memory that replaces another.
    Supersede(Supersession),
    Get(MemoryId),
    Recall(QueryParameters),
    ByTag(QueryParameters),
    Update(MemoryId, Value),
    Delete(MemoryId),
    DeleteByTag(QueryParameters),
    Associate(Value),
    Health,
}
