//! Routes of long-term memories: the tools, what a prompt may have, the directory.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post, put};
use serde_json::{Value, json};

use super::access::Needs;
use super::admission::{Answered, admit};
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
async fn received(service: &Shared, request: Request) -> Answered<(TenantKey, Bytes)> {
    let mut admitted = admit(service, Needs::Token, request).await?;
    let bytes = admitted.read_body(BODY).await?;
    Ok((admitted.tenant, bytes))
}

fn bad_request(message: &str, next: &str) -> Response {
    refuse(StatusCode::BAD_REQUEST, message, next)
}

async fn tool(tool: LongtermTool, State(service): State<Shared>, request: Request) -> Answered {
    let (tenant, bytes) = received(&service, request).await?;
    // Not by way of a value: an argument that is given twice must be seen.
    let call: LongtermCall = serde_json::from_slice(&bytes).map_err(|error| {
        let next = format!("send `{{\"context\": {{}}, \"arguments\": {{}}}}`: {error}");
        bad_request("The body is not the JSON object that is expected", &next)
    })?;
    let answered = beside(move || {
        Ok(match service.longterm_session(tenant) {
            Ok(session) => verbs::answer(&session, tool, &call),
            Err(error) => verbs::unanswered(tool, &error),
        })
    });
    let answer = answered.await.map_err(|error| could_not(&error))?;
    let status = match answer.is_db_error() {
        true => StatusCode::SERVICE_UNAVAILABLE,
        false => StatusCode::OK,
    };
    Ok(respond(status, &json!(answer)))
}

async fn context(State(service): State<Shared>, request: Request) -> Answered {
    let (tenant, bytes) = received(&service, request).await?;
    let body: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    if !body.is_object() {
        return Err(bad_request("The body is no JSON object", "send `{\"context\": {}}`"));
    }
    let context = CallContext::read(&body["context"]).map_err(|missing| {
        let next = format!("`{missing}` is missing or wrong");
        bad_request("The context cannot be used", &next)
    })?;
    let form = match body["render"] == Value::Bool(true) {
        true => PromptForm::Rendered,
        false => PromptForm::Stored,
    };
    let read =
        beside(move || verbs::context(&service.longterm_session(tenant)?, &context, form)).await;
    let prompt = read.map_err(|error| could_not(&error))?;
    Ok(respond(StatusCode::OK, &json!(prompt)))
}

async fn directory(State(service): State<Shared>, request: Request) -> Answered {
    let (tenant, bytes) = received(&service, request).await?;
    let patch: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    if !patch.is_object() {
        let next = "send a merge patch of `users` and `servers`";
        return Err(bad_request("The body is no JSON object", next));
    }
    let changed =
        beside(move || verbs::set_directory(&service.longterm_session(tenant)?, &patch)).await;
    let change = changed.map_err(|error| could_not(&error))?;
    Ok(match &change.error {
        Some(wrong) => bad_request("The directory is as it was", wrong),
        None => respond(StatusCode::OK, &json!(change)),
    })
}
