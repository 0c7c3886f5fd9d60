//! Lets a request in, or answers why not.

use std::mem::take;
use std::sync::Arc;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;

use super::access::{CallerClaim, Needs};
use super::call::Reply;
use super::http_service::HttpService;
use super::reply::{could_not, refuse, respond};
use super::stream_caller::{AdmissionCheck, StreamCaller};
use crate::error::Result;
use crate::server::turns::beside;
use crate::service::request::{QueryParameters, ServiceRefusal};
use crate::service::verbs::{ServiceSession, TenantKey};

/// An answer, or the refusal in its place.
pub(super) type Answered<T = Response> = std::result::Result<T, Response>;

/// A request that was let in.
pub(super) struct Admitted {
    pub(super) parts: Parts,
    pub(super) query: QueryParameters,
    /// The tenant whose token was sent; none where none was.
    pub(super) claimed: Option<TenantKey>,
    /// The tenant that the request is about.
    pub(super) tenant: TenantKey,
    body: Body,
}

/// Lets a request in that has what the route needs.
pub(super) async fn admit(
    service: &Arc<HttpService>,
    needs: Needs,
    request: Request,
) -> Answered<Admitted> {
    let (parts, body) = request.into_parts();
    let query = read_query(parts.uri.query());
    let claimed = claimed_tenant(service, needs, &parts.headers, &query).await?;
    let tenant = claimed.unwrap_or(service.settings.default_tenant);
    Ok(Admitted { parts, query, claimed, tenant, body })
}

impl Admitted {
    /// Reads the body, of so many bytes at most; it is empty the next time.
    pub(super) async fn read_body(&mut self, limit: usize) -> Answered<Bytes> {
        to_bytes(take(&mut self.body), limit).await.map_err(|_| {
            let next = format!("send at most {limit} bytes");
            refuse(StatusCode::PAYLOAD_TOO_LARGE, "Request body is too large", &next)
        })
    }

    /// Makes one that listens; what let it in is looked up again, as a token may be revoked.
    pub(super) fn into_stream_caller(self, service: &Arc<HttpService>) -> StreamCaller {
        let Self { parts, query, tenant, .. } = self;
        let caller = Arc::new((Arc::clone(service), parts.headers, query));
        let check: AdmissionCheck = Box::new(move || {
            let caller = Arc::clone(&caller);
            Box::pin(async move {
                let (service, headers, query) = &*caller;
                let found = claimed_tenant(service, Needs::Token, headers, query).await;
                found.is_ok_and(|found| found == Some(tenant))
            })
        });
        StreamCaller::new(tenant, check)
    }
}

/// Finds the tenant of a caller; none where the route needs none.
async fn claimed_tenant(
    service: &Arc<HttpService>,
    needs: Needs,
    headers: &HeaderMap,
    query: &QueryParameters,
) -> Answered<Option<TenantKey>> {
    let refused = |refusal: Box<ServiceRefusal>| refused(&refusal);
    let access = &service.access;
    access.check_site(headers).map_err(refused)?;
    let claim = match (needs, access.claim(headers, query)) {
        // A token in the wrong place is no token.
        (Needs::Nothing, claim) => claim.unwrap_or(CallerClaim::Nothing),
        (Needs::Token | Needs::AdminToken, claim) => claim.map_err(refused)?,
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
    access.check(needs, tenant, headers, query).map_err(refused)?;
    Ok(tenant)
}

/// Reads the parameters of an address; what cannot be decoded counts as absent.
fn read_query(query: Option<&str>) -> QueryParameters {
    let address = format!("/?{}", query.unwrap_or_default());
    let read = address
        .parse()
        .ok()
        .and_then(|uri| axum::extract::Query::<Vec<(String, String)>>::try_from_uri(&uri).ok());
    QueryParameters(read.map(|read| read.0).unwrap_or_default())
}

/// Makes a session of the tenant that was let in.
pub(super) fn session(service: &HttpService, tenant: TenantKey) -> Result<ServiceSession> {
    let store = Arc::clone(&service.settings.store);
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
    match claimed_tenant(service, Needs::Token, headers, &read_query(query)).await {
        Ok(_) => refuse(status, message, "`/openapi.json` lists all routes"),
        Err(response) => response,
    }
}
