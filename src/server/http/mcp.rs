//! The tools of the service over streamable HTTP at `/mcp`, behind the same tokens as all else.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::any;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use super::access::Needs;
use super::admission::{admitted, read_query};
use super::http_service::HttpService;
use super::reply::refuse;
use crate::server::service::ServiceServer;
use crate::server::service_backend::LocalService;
use crate::service::verbs::{ServiceSession, ServiceSessions, TenantKey};

/// Bytes of a message at most: that of a batch of memories.
const MESSAGE: usize = 8 << 20;

/// Adds the route.
pub(super) fn with_mcp(router: Router<Arc<HttpService>>) -> Router<Arc<HttpService>> {
    router.route("/mcp", any(answer))
}

async fn answer(State(service): State<Arc<HttpService>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let query = read_query(parts.uri.query());
    let tenant = match admitted(&service, Needs::Token, &parts.headers, &query).await {
        Ok(tenant) => tenant.unwrap_or(service.settings.default_tenant),
        Err(response) => return response,
    };
    let Ok(bytes) = to_bytes(body, MESSAGE).await else {
        let next = format!("send at most {MESSAGE} bytes");
        return refuse(StatusCode::PAYLOAD_TOO_LARGE, "Request body is too large", &next);
    };
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
    answered.map(Body::new)
}

fn sessions(service: &Arc<HttpService>, tenant: TenantKey) -> ServiceSessions {
    let service = Arc::clone(service);
    Arc::new(move || {
        let store = Arc::clone(&service.settings.store);
        let now = (service.settings.now)()?;
        Ok(ServiceSession { store, tenant, actor: "mcp".to_owned(), now })
    })
}
