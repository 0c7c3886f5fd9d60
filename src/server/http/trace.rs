//! Tells each answer in one line, to the person who asked for it and to the log: method, path, status and time. Query,
//! headers and bodies are never told: they have texts and tokens.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Level;

use super::http_service::HttpService;
use crate::secrets::shown_name;

/// Answers a request, and tells that where it is wanted.
pub(super) async fn traced(
    State(service): State<Arc<HttpService>>,
    request: Request,
    next: Next,
) -> Response {
    let tell = service.settings.trace.clone();
    if tell.is_none() && !tracing::enabled!(Level::INFO) {
        return next.run(request).await;
    }
    let (begun, method) = (Instant::now(), request.method().clone());
    let path = shown_name(request.uri().path()).into_owned();
    let response = next.run(request).await;
    let (status, took) = (response.status().as_u16(), begun.elapsed().as_millis());
    tracing::info!(%method, path, status, ms = took, "http request");
    if let Some(tell) = tell {
        tell(&format!("{method} {path} {status} {took} ms"));
    }
    response
}
