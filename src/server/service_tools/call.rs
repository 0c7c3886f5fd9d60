//! What a tool is called with.

use serde_json::Value;

use super::arguments::Arguments;
use super::recalled::RecallPage;
use crate::server::service_backend::{ServiceBackend, ServiceRequest};
use crate::service::verbs::{RecallBudget, ServiceAnswer};

/// What a tool is called with.
pub(super) struct ServiceCall<'a> {
    pub(super) backend: &'a dyn ServiceBackend,
    pub(super) arguments: &'a Arguments,
    pub(super) recall_budget: RecallBudget,
}

impl ServiceCall<'_> {
    pub(super) fn ask(&self, request: ServiceRequest) -> ServiceAnswer<Value> {
        self.backend.ask(request)
    }

    /// Makes a page of results behind an offset.
    pub(super) fn page(&self, data: Value, head: String, offset: u64) -> RecallPage {
        RecallPage { data, head, rest: String::new(), offset, budget: self.recall_budget }
    }
}
