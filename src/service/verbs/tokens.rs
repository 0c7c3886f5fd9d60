//! Tokens: who is let in, and as which tenant.

use serde::Serialize;

use super::service_store::ServiceStore;
use super::tenant_name::checked;
use crate::contract::{ContentHash, Timestamp, hex};
use crate::disk::random;
use crate::error::{Error, ErrorKind, Result};
use crate::service::sqlite::Tenant;

/// A new token. It is shown this once: only its hash is kept.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct NewToken {
    /// The token.
    pub token: String,
    /// The tenant that it lets in.
    pub tenant: String,
}

/// The tenants, with their tokens counted.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct TokenList {
    /// In the order of their names.
    pub tenants: Vec<TenantTokens>,
}

/// A tenant, with its tokens counted.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct TenantTokens {
    /// Its name.
    pub tenant: String,
    /// Tokens that are valid.
    pub tokens: usize,
}

/// Tokens that were revoked.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct RevokedTokens {
    /// The tenant.
    pub tenant: String,
    /// How many were valid.
    pub revoked: usize,
}

/// Makes a random token; where one was leaked, its prefix tells what it belongs to.
pub fn make_token() -> Result<String> {
    Ok(format!("amt_{}", hex(&random::<24>()?)))
}

/// Makes a token of a tenant, and the tenant if there is none of this name.
pub fn add_token(store: &ServiceStore, tenant: &str, now: Timestamp) -> Result<NewToken> {
    let name = checked(tenant)?;
    let token = make_token()?;
    let hash = ContentHash::digest(token.as_bytes());
    store.database.write(move |connection| {
        Tenant::find_or_make(connection, &name, now)?.add_token(connection, &hash, now)
    })?;
    Ok(NewToken { token, tenant: tenant.to_owned() })
}

/// Lists the tenants with their tokens counted.
pub fn list_tokens(store: &ServiceStore) -> Result<TokenList> {
    let tenants = store.database.read(|connection| {
        let tenants = Tenant::all(connection)?.into_iter();
        let counted = tenants.map(|(name, tenant)| {
            Ok(TenantTokens { tenant: name, tokens: tenant.count_tokens(connection)? })
        });
        counted.collect::<Result<Vec<_>>>()
    })?;
    Ok(TokenList { tenants })
}

/// Revokes all tokens of a tenant; its memories stay.
pub fn revoke_tokens(store: &ServiceStore, tenant: &str, now: Timestamp) -> Result<RevokedTokens> {
    let name = tenant.to_owned();
    let revoked = store.database.write(move |connection| {
        let Some(tenant) = Tenant::find(connection, &name)? else {
            let message = format!("there is no tenant `{name}`");
            let hint = "`agent-memory serve token list` shows the tenants";
            return Err(Error::new(ErrorKind::Usage, message).hint(hint));
        };
        tenant.revoke_tokens(connection, now)
    })?;
    Ok(RevokedTokens { tenant: tenant.to_owned(), revoked })
}
