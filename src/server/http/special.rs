//! Routes that do not answer with JSON of ours: events, the viewer, the document of all routes.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE, LOCATION};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::json;

use super::access::Needs;
use super::admission::{admitted, read_query, session};
use super::events::{AdmissionCheck, StreamCaller};
use super::http_service::HttpService;
use super::openapi::document;
use super::reply::{could_not, refuse, respond};
use crate::server::turns::beside;
use crate::service::request::QueryParameters;
use crate::service::verbs::{self, TenantKey};

type Shared = Arc<HttpService>;

/// Adds these routes.
pub(super) fn with_special(router: Router<Shared>) -> Router<Shared> {
    router
        .route("/stream", get(stream))
        .route("/stream/status", get(stream_status))
        .route("/backup", get(backup))
        .route("/viewer", get(viewer))
        .route("/viewer/", get(viewer))
        .route("/viewer/{*rest}", get(viewer))
        .route("/openapi.json", get(openapi))
}

async fn stream(State(service): State<Shared>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let query = read_query(parts.uri.query());
    match admitted(&service, Needs::Token, &parts.headers, &query).await {
        Ok(tenant) => {
            let tenant = tenant.unwrap_or(service.settings.default_tenant);
            let events = Arc::clone(&service.events);
            let is_admitted = admission_check(service, tenant, parts.headers, query);
            events.stream(StreamCaller { tenant, is_admitted }).into_response()
        }
        Err(response) => response,
    }
}

/// Makes a check whether what let a caller in still does: a token may be revoked.
pub(super) fn admission_check(
    service: Shared,
    tenant: TenantKey,
    headers: HeaderMap,
    query: QueryParameters,
) -> AdmissionCheck {
    let caller = Arc::new((service, headers, query));
    Box::new(move || {
        let caller = Arc::clone(&caller);
        Box::pin(async move {
            let (service, headers, query) = &*caller;
            let found = admitted(service, Needs::Token, headers, query).await;
            found.is_ok_and(|found| found == Some(tenant))
        })
    })
}

async fn stream_status(State(service): State<Shared>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let query = read_query(parts.uri.query());
    match admitted(&service, Needs::Token, &parts.headers, &query).await {
        Ok(tenant) => {
            let tenant = tenant.unwrap_or(service.settings.default_tenant);
            respond(StatusCode::OK, &json!({ "subscribers": service.events.listeners(tenant) }))
        }
        Err(response) => response,
    }
}

async fn backup(State(service): State<Shared>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let query = read_query(parts.uri.query());
    let tenant = match admitted(&service, Needs::AdminToken, &parts.headers, &query).await {
        Ok(tenant) => tenant,
        Err(response) => return response,
    };
    let written = beside(move || verbs::backup(&session(&service, tenant)?)).await;
    match written {
        Ok(archive) => {
            let mut response = Response::new(Body::from(archive));
            let gzip = HeaderValue::from_static("application/gzip");
            response.headers_mut().insert(CONTENT_TYPE, gzip);
            let file = HeaderValue::from_static("attachment; filename=\"backup.tar.gz\"");
            response.headers_mut().insert(CONTENT_DISPOSITION, file);
            response
        }
        Err(error) => could_not(&error),
    }
}

/// Leads to the viewer, where there is one.
async fn viewer(State(service): State<Shared>) -> Response {
    let address = service.settings.viewer.as_ref().and_then(|it| HeaderValue::from_str(it).ok());
    let Some(address) = address else {
        let message = "Graph Viewer URL is not configured. Set GRAPH_VIEWER_URL.";
        let next = "start the server with the address of a viewer";
        return refuse(StatusCode::SERVICE_UNAVAILABLE, message, next);
    };
    let mut response = StatusCode::FOUND.into_response();
    response.headers_mut().insert(LOCATION, address);
    response
}

async fn openapi() -> Response {
    respond(StatusCode::OK, &document())
}
