//! What a server of the service is started with; the door that starts it fills it in.

use std::net::SocketAddr;
use std::sync::Arc;

use super::mcp_settings::RecallBudget;
use super::service_store::ServiceStore;
use super::tenant_key::TenantKey;
use crate::contract::{ContentHash, Sha256Digest, Timestamp};
use crate::error::Result;

/// Is told a line.
pub(crate) type TraceListener = Arc<dyn Fn(&str) + Send + Sync>;

/// What a server of the service is started with.
#[derive(Clone)]
pub struct ServerSettings {
    /// Where it listens.
    pub listen: SocketAddr,
    /// The open database.
    pub store: Arc<ServiceStore>,
    /// The tenant of this server's own token.
    pub default_tenant: TenantKey,
    /// Whether no token is asked for: then every caller is the default tenant.
    pub is_open: bool,
    /// The token of this server, beside those in the database.
    pub own_token: Option<TokenHash>,
    /// Lets an administrator in, beside the token of a tenant.
    pub admin_token: Option<TokenHash>,
    /// Whether `?api_key=` is accepted.
    pub takes_query_token: bool,
    /// Sites from which a browser may ask.
    pub origins: Vec<String>,
    /// Where the viewer is, to which `/viewer` leads.
    pub viewer: Option<String>,
    /// How much the tools at `/mcp` recall.
    pub recall_budget: RecallBudget,
    /// Reads the clock.
    pub now: fn() -> Result<Timestamp>,
    /// Is told each answer in a line without texts, where that is wanted.
    pub trace: Option<TraceListener>,
    /// Is told the address when it listens.
    pub began: Arc<dyn Fn(SocketAddr) + Send + Sync>,
}

/// A token, as a hash.
#[derive(Clone, PartialEq, Eq)]
pub struct TokenHash(Sha256Digest);

impl TokenHash {
    /// Keeps the hash of a token.
    pub fn new(token: &str) -> Self {
        Self(ContentHash::digest(token.as_bytes()))
    }

    /// Tells whether this is the token. Hashes are compared, so the time tells nothing about it.
    pub fn is(&self, token: &str) -> bool {
        self.0 == ContentHash::digest(token.as_bytes())
    }
}
