//! What all requests share.

use std::sync::Arc;

use super::access::CallerAccess;
use super::events::Events;
use crate::service::verbs::ServerSettings;

/// What all requests share.
pub(super) struct HttpService {
    pub(super) settings: ServerSettings,
    pub(super) access: CallerAccess,
    pub(super) events: Arc<Events>,
}
