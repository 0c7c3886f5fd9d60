//! Routes of long-term memories: the tools, what a prompt may have, the directory.

use std::sync::Arc;

use axum::Router;
use axum::body::{Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post, put};
use serde_json::{Value, json};

use super::access::Needs;
use super::admission::{admitted, read_query};
use super::http_service::HttpService;
use super::ltm_events::events;
use super::reply::{could_not, refuse, respond};
use crate::longterm::request::{CallContext, LongtermCall, LongtermTool};
use crate::longterm::verbs::{self, PromptForm};
use crate::server::turns::beside;
use crate::service::verbs::TenantKey;

type Shared = Arc<HttpService>;

/// Bytes of a body at most: a server may have many members.
const BODY: usize = 8 << 20;

/// Adds these routes.
pub(super) fn with_ltm(router: Router<Shared>) -> Router<Shared> {
    router
        .route("/ltm/update", post(|state, request| tool(LongtermTool::Update, state, request)))
        .route("/ltm/create", post(|state, request| tool(LongtermTool::Create, state, request)))
        .route("/ltm/context", post(context))
        .route("/ltm/directory", put(directory))
        .route("/ltm/events", get(events))
}

/// Lets a caller in; returns the tenant and the body.
async fn received(
    service: &Shared,
    request: Request,
) -> std::result::Result<(TenantKey, Bytes), Response> {
    let (parts, body) = request.into_parts();
    let query = read_query(parts.uri.query());
    let tenant = admitted(service, Needs::Token, &parts.headers, &query).await?;
    let Ok(bytes) = to_bytes(body, BODY).await else {
        let next = format!("send at most {BODY} bytes");
        return Err(refuse(StatusCode::PAYLOAD_TOO_LARGE, "Request body is too large", &next));
    };
    Ok((tenant.unwrap_or(service.settings.default_tenant), bytes))
}

fn bad_request(message: &str, next: &str) -> Response {
    refuse(StatusCode::BAD_REQUEST, message, next)
}

async fn tool(tool: LongtermTool, State(service): State<Shared>, request: Request) -> Response {
    let (tenant, bytes) = match received(&service, request).await {
        Ok(received) => received,
        Err(response) => return response,
    };
    // Not by way of a value: an argument that is given twice must be seen.
    let call: LongtermCall = match serde_json::from_slice(&bytes) {
        Ok(call) => call,
        Err(error) => {
            let next = format!("send `{{\"context\": {{}}, \"arguments\": {{}}}}`: {error}");
            return bad_request("The body is not the JSON object that is expected", &next);
        }
    };
    let answered = beside(move || {
        Ok(match service.longterm_session(tenant) {
            Ok(session) => verbs::answer(&session, tool, &call),
            Err(error) => verbs::unanswered(tool, &error),
        })
    });
    match answered.await {
        Ok(answer) if answer.is_db_error() => {
            respond(StatusCode::SERVICE_UNAVAILABLE, &json!(answer))
        }
        Ok(answer) => respond(StatusCode::OK, &json!(answer)),
        Err(error) => could_not(&error),
    }
}

async fn context(State(service): State<Shared>, request: Request) -> Response {
    let (tenant, bytes) = match received(&service, request).await {
        Ok(received) => received,
        Err(response) => return response,
    };
    let body: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    if !body.is_object() {
        return bad_request("The body is no JSON object", "send `{\"context\": {}}`");
    }
    let context = match CallContext::read(&body["context"]) {
        Ok(context) => context,
        Err(missing) => {
            let next = format!("`{missing}` is missing or wrong");
            return bad_request("The context cannot be used", &next);
        }
    };
    let form = match body["render"] == Value::Bool(true) {
        true => PromptForm::Rendered,
        false => PromptForm::Stored,
    };
    let read =
        beside(move || verbs::context(&service.longterm_session(tenant)?, &context, form)).await;
    read.map_or_else(|error| could_not(&error), |prompt| respond(StatusCode::OK, &json!(prompt)))
}

async fn directory(State(service): State<Shared>, request: Request) -> Response {
    let (tenant, bytes) = match received(&service, request).await {
        Ok(received) => received,
        Err(response) => return response,
    };
    let patch: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    if !patch.is_object() {
        return bad_request(
            "The body is no JSON object",
            "send a merge patch of `users` and `servers`",
        );
    }
    let changed =
        beside(move || verbs::set_directory(&service.longterm_session(tenant)?, &patch)).await;
    match changed {
        Ok(change) if change.error.is_some() => {
            bad_request("The directory is as it was", change.error.as_deref().unwrap_or_default())
        }
        Ok(change) => respond(StatusCode::OK, &json!(change)),
        Err(error) => could_not(&error),
    }
}
