//! What all requests share.

use std::sync::Arc;

use super::access::CallerAccess;
use super::events::Events;
use crate::error::Result;
use crate::longterm::verbs::{LongtermHost, LongtermSession};
use crate::service::verbs::{ServerSettings, TenantKey};

/// What all requests share.
pub(super) struct HttpService {
    pub(super) settings: ServerSettings,
    pub(super) access: CallerAccess,
    pub(super) events: Arc<Events>,
    pub(super) longterm: Arc<LongtermHost>,
}

impl HttpService {
    /// Opens the long-term memories of a tenant of the service: those of its name.
    pub(super) fn longterm_session(&self, tenant: TenantKey) -> Result<LongtermSession> {
        self.longterm.session(&self.settings.store.tenant_name(tenant)?)
    }
}
