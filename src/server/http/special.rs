//! Routes that do not answer with JSON of ours: events, the viewer, the document of all routes.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE, LOCATION};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::json;

use super::access::Needs;
use super::admission::{Answered, admit, session};
use super::http_service::HttpService;
use super::openapi::document;
use super::reply::{could_not, refuse, respond};
use crate::server::turns::beside;
use crate::service::verbs;

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

async fn stream(State(service): State<Shared>, request: Request) -> Answered {
    let admitted = admit(&service, Needs::Token, request).await?;
    Ok(service.events.stream(admitted.into_stream_caller(&service)))
}

async fn stream_status(State(service): State<Shared>, request: Request) -> Answered {
    let tenant = admit(&service, Needs::Token, request).await?.tenant;
    Ok(respond(StatusCode::OK, &json!({ "subscribers": service.events.listeners(tenant) })))
}

async fn backup(State(service): State<Shared>, request: Request) -> Answered {
    let tenant = admit(&service, Needs::AdminToken, request).await?.tenant;
    let written = beside(move || verbs::backup(&session(&service, tenant)?)).await;
    let archive = written.map_err(|error| could_not(&error))?;
    let mut response = Response::new(Body::from(archive));
    let gzip = HeaderValue::from_static("application/gzip");
    response.headers_mut().insert(CONTENT_TYPE, gzip);
    let file = HeaderValue::from_static("attachment; filename=\"backup.tar.gz\"");
    response.headers_mut().insert(CONTENT_DISPOSITION, file);
    Ok(response)
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
