//! From a request to its answer: who, what, and by which verb.

use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use serde_json::Value;

use super::admission::{Admitted, Answered, admit, session, unknown};
use super::call::Call;
use super::http_service::HttpService;
use super::ltm::with_ltm;
use super::mcp::with_mcp;
use super::reply::{could_not, respond};
use super::routes::{Route, all};
use super::special::with_special;
use crate::server::turns::beside;
use crate::service::verbs::IdempotencyKey;

type Shared = Arc<HttpService>;
type PathId = std::result::Result<Path<String>, PathRejection>;

/// Returns all routes.
pub(super) fn router(service: &Shared) -> Router {
    let mut router: Router<Shared> = Router::new();
    for route in all() {
        let method =
            route.method.parse().ok().and_then(|it: Method| MethodFilter::try_from(it).ok());
        let Some(method) = method else { continue };
        let answer = move |state: State<Shared>, id: PathId, request: Request| {
            answer(route, state, id, request)
        };
        let methods: MethodRouter<Shared> = on(method, answer);
        router = router.route(route.path, methods);
    }
    with_ltm(with_mcp(with_special(router)))
        .method_not_allowed_fallback(method_not_allowed)
        .fallback(not_found)
        .with_state(Arc::clone(service))
}

async fn answer(
    route: &'static Route,
    State(service): State<Shared>,
    id: PathId,
    request: Request,
) -> Answered {
    let mut admitted = admit(&service, route.needs, request).await?;
    let bytes = admitted.read_body(route.body.limit()).await?;
    let Admitted { parts, query, claimed, tenant, .. } = admitted;
    // What is no UTF-8 is no id, and a route without one has an empty one.
    let id = id.map(|Path(id)| id).unwrap_or_default();
    let key = parts.headers.get("idempotency-key").and_then(|value| value.to_str().ok());
    let key = key.map(|key| IdempotencyKey(key.to_owned()));
    let answered = beside(move || {
        let body = read_body(&bytes);
        let session = session(&service, tenant)?;
        (route.answer)(Call { session, tenant: claimed, id, query, body, key })
    });
    let reply = answered.await.map_err(|error| could_not(&error))?;
    Ok(respond(reply.status, &reply.body))
}

/// Reads a body: `null` where there is none; where it is no JSON a text that says why, which no verb takes for an object.
fn read_body(bytes: &[u8]) -> Value {
    match bytes.trim_ascii().is_empty() {
        true => Value::Null,
        false => serde_json::from_slice(bytes)
            .unwrap_or_else(|error| Value::String(format!("no JSON: {error}"))),
    }
}

async fn not_found(State(service): State<Shared>, request: Request) -> Response {
    let message = "The requested URL was not found on the server. If you entered the URL manually please check \
        your spelling and try again.";
    fallback(&service, request, (StatusCode::NOT_FOUND, message)).await
}

async fn method_not_allowed(State(service): State<Shared>, request: Request) -> Response {
    let message = "The method is not allowed for the requested URL.";
    fallback(&service, request, (StatusCode::METHOD_NOT_ALLOWED, message)).await
}

/// Answers what no route has; a browser that asks beforehand learns nothing, and needs no token.
async fn fallback(service: &Shared, request: Request, told: (StatusCode, &str)) -> Response {
    if request.method() == Method::OPTIONS {
        return StatusCode::NO_CONTENT.into_response();
    }
    // A body that is held while others wait could not move between threads.
    let (parts, _) = request.into_parts();
    unknown(service, &parts.headers, parts.uri.query(), told).await
}
