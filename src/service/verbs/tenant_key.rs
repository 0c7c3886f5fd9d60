//! Lets a door in as a tenant.

use crate::service::sqlite::Tenant;

/// Lets a door in as a tenant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TenantKey(pub(super) Tenant);
