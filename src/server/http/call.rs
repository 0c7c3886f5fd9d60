//! What a route gets, and what it gives.

use axum::http::StatusCode;
use serde::Serialize;
use serde_json::{Value, json};

use crate::error::Result;
use crate::service::request::{QueryParameters, ServiceRefusal};
use crate::service::verbs::{IdempotencyKey, ServiceAnswer, ServiceSession, TenantKey};

/// What a route gets.
pub(super) struct Call {
    pub(super) session: ServiceSession,
    /// The tenant whose token was sent; none where none was.
    pub(super) tenant: Option<TenantKey>,
    /// What the path names; empty where it names nothing.
    pub(super) id: String,
    pub(super) query: QueryParameters,
    /// `null` where it is no JSON.
    pub(super) body: Value,
    pub(super) key: Option<IdempotencyKey>,
}

/// What a route gives: a status and JSON.
pub(super) struct Reply {
    pub(super) status: StatusCode,
    pub(super) body: Value,
}

impl Reply {
    pub(super) fn new(status: StatusCode, body: &impl Serialize) -> Self {
        Self { status, body: json!(body) }
    }

    pub(super) fn refused(refusal: &ServiceRefusal) -> Self {
        let code = StatusCode::from_u16(refusal.status.code());
        Self::new(code.unwrap_or(StatusCode::BAD_REQUEST), &refusal.body())
    }

    /// Makes a reply of an answer, or of why there is none.
    pub(super) fn of<T: Serialize>(status: StatusCode, answer: ServiceAnswer<T>) -> Result<Self> {
        Ok(answer?.map_or_else(|refusal| Self::refused(&refusal), |it| Self::new(status, &it)))
    }

    pub(super) fn ok<T: Serialize>(answer: ServiceAnswer<T>) -> Result<Self> {
        Self::of(StatusCode::OK, answer)
    }

    /// Makes a reply of what is never refused.
    pub(super) fn always<T: Serialize>(answer: Result<T>) -> Result<Self> {
        answer.map(|answer| Self::new(StatusCode::OK, &answer))
    }
}
