//! Writes answers.

use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use serde_json::{Value, json};

use crate::error::{Error, ErrorKind};

/// Writes JSON.
pub(super) fn respond(status: StatusCode, body: &Value) -> Response {
    let mut response = Response::new(Body::from(body.to_string()));
    *response.status_mut() = status;
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(CONTENT_TYPE, json);
    response
}

/// Says no, and what to do next.
pub(super) fn refuse(status: StatusCode, message: &str, next: &str) -> Response {
    respond(status, &refusal(status, message, next))
}

/// Returns the body of a refusal.
pub(super) fn refusal(status: StatusCode, message: &str, next: &str) -> Value {
    let error = format!("{message}; {next}");
    let code = status.as_u16();
    json!({ "status": "error", "code": code, "message": message, "error": error })
}

/// Says that the question cannot be answered: 503 where the disk or the database does not answer.
pub(super) fn could_not(error: &Error) -> Response {
    let status = match error.kind() {
        ErrorKind::DatabaseFailed | ErrorKind::Io | ErrorKind::LockHeld => {
            StatusCode::SERVICE_UNAVAILABLE
        }
        ErrorKind::Usage
        | ErrorKind::StoreNotFound
        | ErrorKind::ConfigInvalid
        | ErrorKind::StoreNewer
        | ErrorKind::StoreDamaged
        | ErrorKind::IndexFailed
        | ErrorKind::Git
        | ErrorKind::ServerFailed
        | ErrorKind::Bug => StatusCode::INTERNAL_SERVER_ERROR,
    };
    refuse(status, &error.to_string(), error.next_step().unwrap_or("try again"))
}
