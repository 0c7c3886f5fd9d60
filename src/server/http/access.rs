//! Who is let in: by a token, from where a browser may ask, as which tenant.

use std::sync::Arc;

use axum::http::HeaderMap;
use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};

use crate::error::Result;
use crate::service::request::{QueryParameters, RefusalStatus, ServiceRefusal};
use crate::service::verbs::{ServerSettings, ServiceStore, TenantKey, TokenHash};

/// What a route asks of a caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Needs {
    /// Nothing.
    Nothing,
    /// The token of a tenant.
    Token,
    /// The token of a tenant, and that of the administrator.
    AdminToken,
}

/// Who a caller claims to be.
pub(super) enum CallerClaim {
    /// A token was sent that only the database knows.
    Token(String),
    /// It is this tenant.
    Tenant(TenantKey),
    /// No token was sent.
    Nothing,
}

/// Decides who is let in.
pub(super) struct CallerAccess {
    store: Arc<ServiceStore>,
    /// The tenant of every caller, where no token is asked for.
    open_to: Option<TenantKey>,
    own_token: Option<(TokenHash, TenantKey)>,
    admin: Option<TokenHash>,
    takes_query_token: bool,
    /// Whether only this machine can reach the server.
    is_loopback: bool,
    origins: Vec<String>,
}

type Verdict<T> = std::result::Result<T, Box<ServiceRefusal>>;

impl CallerAccess {
    pub(super) fn new(settings: &ServerSettings) -> Self {
        Self {
            store: Arc::clone(&settings.store),
            open_to: settings.is_open.then_some(settings.default_tenant),
            own_token: settings.own_token.clone().map(|hash| (hash, settings.default_tenant)),
            admin: settings.admin_token.clone(),
            takes_query_token: settings.takes_query_token,
            is_loopback: settings.listen.ip().is_loopback(),
            origins: settings.origins.clone(),
        }
    }

    /// Refuses a browser that another site leads here.
    pub(super) fn check_site(&self, headers: &HeaderMap) -> Verdict<()> {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        if let Some(origin) = headers.get(ORIGIN) {
            let is_known =
                origin.to_str().is_ok_and(|it| self.origins.iter().any(|known| known == it));
            if !is_known {
                let next = "allow the site with `VIEWER_ALLOWED_ORIGINS`";
                return Err(ServiceRefusal::new(
                    RefusalStatus::Forbidden,
                    "Origin not allowed",
                    next,
                ));
            }
        }
        let host = text(HOST).unwrap_or_default();
        let name = host.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok());
        let name = name.map_or(host, |(name, _)| name);
        let is_here = ["localhost", "127.0.0.1", "[::1]", ""].contains(&name);
        match self.is_loopback && !is_here {
            true => {
                let next = "ask for `127.0.0.1` or `localhost`";
                Err(ServiceRefusal::new(RefusalStatus::Forbidden, "Host not allowed", next))
            }
            false => Ok(()),
        }
    }

    /// Finds who a caller claims to be, without the database.
    pub(super) fn claim(
        &self,
        headers: &HeaderMap,
        query: &QueryParameters,
    ) -> Verdict<CallerClaim> {
        if let Some(tenant) = self.open_to {
            return Ok(CallerClaim::Tenant(tenant));
        }
        let Some(token) = self.token(headers, query)? else { return Ok(CallerClaim::Nothing) };
        let own = self.own_token.as_ref().filter(|(hash, _)| hash.is(&token));
        Ok(own.map_or(CallerClaim::Token(token), |(_, tenant)| CallerClaim::Tenant(*tenant)))
    }

    /// Finds the tenant of a token that is not this server's own.
    pub(super) fn tenant_of_token(&self, token: &str) -> Result<Option<TenantKey>> {
        self.store.tenant_of_token(token)
    }

    /// Refuses a caller that lacks what a route needs.
    pub(super) fn check(
        &self,
        needs: Needs,
        tenant: Option<TenantKey>,
        headers: &HeaderMap,
        query: &QueryParameters,
    ) -> Verdict<()> {
        match (needs, tenant) {
            (Needs::Nothing, _) | (Needs::Token, Some(_)) => Ok(()),
            (Needs::AdminToken, Some(_)) => self.check_admin(headers, query),
            (Needs::Token | Needs::AdminToken, None) => {
                let next = "send `Authorization: Bearer <token>`; `agent-memory serve token add` makes one";
                Err(ServiceRefusal::new(RefusalStatus::Unauthorized, "Unauthorized", next))
            }
        }
    }

    fn token(&self, headers: &HeaderMap, query: &QueryParameters) -> Verdict<Option<String>> {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let bearer = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        let bearer = bearer.and_then(|value| {
            let (scheme, token) = value.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
        });
        let header = bearer.or_else(|| text("x-api-key")).filter(|token| !token.is_empty());
        match (header, query.one(&["api_key"])) {
            (Some(token), _) => Ok(Some(token.to_owned())),
            (None, Some(token)) if self.takes_query_token => Ok(Some(token.to_owned())),
            (None, Some(_)) => Err(refuse_in_address("api_key")),
            (None, None) => Ok(None),
        }
    }

    fn check_admin(&self, headers: &HeaderMap, query: &QueryParameters) -> Verdict<()> {
        let Some(admin) = &self.admin else {
            let next = "start the server with `ADMIN_API_TOKEN` set";
            let message = "Admin token not configured";
            return Err(ServiceRefusal::new(RefusalStatus::Forbidden, message, next));
        };
        let named = ["x-admin-token", "x-admin-api-key"];
        let header = named.iter().find_map(|name| headers.get(*name)?.to_str().ok());
        let token = match (header, query.one(&["admin_token"])) {
            (Some(token), _) => Some(token),
            (None, Some(token)) if self.takes_query_token => Some(token),
            (None, Some(_)) => return Err(refuse_in_address("admin_token")),
            (None, None) => None,
        };
        match token.is_some_and(|token| admin.is(token)) {
            true => Ok(()),
            false => {
                let message = "Admin authorization required";
                let next = "send the token of the administrator as `X-Admin-Token`";
                Err(ServiceRefusal::new(RefusalStatus::Unauthorized, message, next))
            }
        }
    }
}

fn refuse_in_address(name: &str) -> Box<ServiceRefusal> {
    let next = format!(
        "send it as a header: addresses end up in logs; `serve --query-token` accepts `?{name}=` all the same"
    );
    ServiceRefusal::new(RefusalStatus::Unauthorized, "Unauthorized", &next)
}
