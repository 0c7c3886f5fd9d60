//! The tools of the service over streamable HTTP at `/mcp`, behind the same tokens as all else.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{ALLOW, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::Response;
use axum::routing::any;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde::de::IgnoredAny;

use super::access::Needs;
use super::admission::{Admitted, Answered, admit};
use super::http_service::HttpService;
use super::reply::refuse;
use crate::server::message::understood_bytes;
use crate::server::service::ServiceServer;
use crate::server::service_backend::LocalService;
use crate::service::verbs::{ServiceSession, ServiceSessions, TenantKey};

/// Bytes of a message at most: that of a batch of memories.
const MESSAGE: usize = 8 << 20;

/// Adds the route.
pub(super) fn with_mcp(router: Router<Arc<HttpService>>) -> Router<Arc<HttpService>> {
    router.route("/mcp", any(answer))
}

async fn answer(State(service): State<Arc<HttpService>>, request: Request) -> Answered {
    let mut admitted = admit(&service, Needs::Token, request).await?;
    let bytes = understood_bytes(&admitted.read_body(MESSAGE).await?);
    let Admitted { parts, tenant, .. } = admitted;
    if let Some(refused) = refuse_what_is_no_json(&parts, &bytes) {
        return Err(refused);
    }
    let is_json = is_json(&parts.headers);
    let backend = Arc::new(LocalService(sessions(&service, tenant)));
    let budget = service.settings.recall_budget;
    let server = move || Ok(ServiceServer::new(Arc::clone(&backend) as _, budget));
    // No state is kept between messages, so that any server of the same data may answer the next.
    let mut config = StreamableHttpServerConfig::default();
    config.legacy_session_mode = false;
    config.json_response = true;
    // Who may ask from where is decided by `access`.
    config.allowed_hosts.clear();
    let server =
        StreamableHttpService::new(server, Arc::new(NeverSessionManager::default()), config);
    let answered = server.handle(Request::from_parts(parts, Body::from(bytes))).await;
    Ok(with_our_body(answered.map(Body::new), is_json))
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

fn refuse_what_is_no_json(parts: &Parts, bytes: &[u8]) -> Option<Response> {
    let read = serde_json::from_slice::<IgnoredAny>(bytes);
    let error = read.err().filter(|_| parts.method == Method::POST)?;
    let next = format!("no JSON: {error}; send a message of the protocol");
    Some(refuse(StatusCode::BAD_REQUEST, "JSON body is required", &next))
}

/// Puts our body in place of the plain text by which the library refuses a request. An error of the protocol is JSON, and
/// stays as it is.
fn with_our_body(answered: Response, sent_json: bool) -> Response {
    let status = answered.status();
    let is_error = status.is_client_error() || status.is_server_error();
    if !is_error || is_json(answered.headers()) {
        return answered;
    }
    let no_message = ("The body is no message of the protocol", "send a request of JSON-RPC 2.0");
    let (status, (message, next)) = match status {
        StatusCode::METHOD_NOT_ALLOWED => {
            (status, ("The method is not allowed for the requested URL.", "send it with POST"))
        }
        StatusCode::NOT_ACCEPTABLE => {
            let next = "send `Accept: application/json, text/event-stream`";
            (status, ("The client does not accept what is answered", next))
        }
        StatusCode::UNSUPPORTED_MEDIA_TYPE if sent_json => (StatusCode::BAD_REQUEST, no_message),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => {
            (status, ("The body is not sent as JSON", "send `Content-Type: application/json`"))
        }
        status => (status, no_message),
    };
    let mut response = refuse(status, message, next);
    let allowed = answered.headers().get(ALLOW).cloned();
    response.headers_mut().extend(allowed.map(|allowed| (ALLOW, allowed)));
    response
}

fn sessions(service: &Arc<HttpService>, tenant: TenantKey) -> ServiceSessions {
    let service = Arc::clone(service);
    Arc::new(move || {
        let store = Arc::clone(&service.settings.store);
        let now = (service.settings.now)()?;
        Ok(ServiceSession { store, tenant, actor: "mcp".to_owned(), now })
    })
}
