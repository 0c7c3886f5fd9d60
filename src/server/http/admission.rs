//! Lets a request in, or answers why not.

use std::sync::Arc;

use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;

use super::access::{CallerClaim, Needs};
use super::call::Reply;
use super::http_service::HttpService;
use super::reply::{could_not, respond};
use crate::error::Result;
use crate::server::turns::beside;
use crate::service::request::{QueryParameters, ServiceRefusal};
use crate::service::verbs::{ServiceSession, TenantKey};

/// Finds the tenant of a caller; none where the route needs none.
pub(super) async fn admitted(
    service: &Arc<HttpService>,
    needs: Needs,
    headers: &HeaderMap,
    query: &QueryParameters,
) -> std::result::Result<Option<TenantKey>, Response> {
    let refuse = |refusal: Box<ServiceRefusal>| refused(&refusal);
    let access = &service.access;
    access.check_site(headers).map_err(refuse)?;
    let claim = match (needs, access.claim(headers, query)) {
        // A token in the wrong place is no token.
        (Needs::Nothing, claim) => claim.unwrap_or(CallerClaim::Nothing),
        (Needs::Token | Needs::AdminToken, claim) => claim.map_err(refuse)?,
    };
    let tenant = match claim {
        CallerClaim::Tenant(tenant) => Some(tenant),
        CallerClaim::Nothing => None,
        CallerClaim::Token(token) => {
            let asked = Arc::clone(service);
            let found = beside(move || asked.access.tenant_of_token(&token)).await;
            found.map_err(|error| could_not(&error))?
        }
    };
    access.check(needs, tenant, headers, query).map_err(refuse)?;
    Ok(tenant)
}

/// Reads the parameters of an address; what cannot be decoded counts as absent.
pub(super) fn read_query(query: Option<&str>) -> QueryParameters {
    let address = format!("/?{}", query.unwrap_or_default());
    let read = address
        .parse()
        .ok()
        .and_then(|uri| axum::extract::Query::<Vec<(String, String)>>::try_from_uri(&uri).ok());
    QueryParameters(read.map(|read| read.0).unwrap_or_default())
}

/// Makes a session of the tenant that was let in.
pub(super) fn session(service: &HttpService, tenant: Option<TenantKey>) -> Result<ServiceSession> {
    let store = Arc::clone(&service.settings.store);
    let tenant = tenant.unwrap_or(service.settings.default_tenant);
    Ok(ServiceSession { store, tenant, actor: "http".to_owned(), now: (service.settings.now)()? })
}

fn refused(refusal: &ServiceRefusal) -> Response {
    let Reply { status, body } = Reply::refused(refusal);
    respond(status, &body)
}

/// Says that there is no such route, or no such method.
pub(super) async fn unknown(
    service: &Arc<HttpService>,
    headers: &HeaderMap,
    query: Option<&str>,
    (status, message): (StatusCode, &str),
) -> Response {
    // A caller without a token does not learn what there is.
    match admitted(service, Needs::Token, headers, &read_query(query)).await {
        Ok(_) => super::reply::refuse(status, message, "`/openapi.json` lists all routes"),
        Err(response) => response,
    }
}
