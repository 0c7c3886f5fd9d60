//! One that listens to a stream, and whether it still may.

use std::convert::Infallible;
use std::pin::Pin;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse, Response, Sse};
use futures_util::stream::{StreamExt as _, unfold};
use tokio::time::Instant;

use crate::service::verbs::TenantKey;

/// How often a silent stream shows that it is alive.
const ALIVE: Duration = Duration::from_secs(30);

/// After this the token of one that listens is looked up again: it may be revoked.
const CHECK: Duration = Duration::from_secs(2);

/// Looks up again whether a caller is let in.
pub(super) type AdmissionCheck = Box<dyn Fn() -> Pin<Box<dyn Future<Output = bool> + Send>> + Send>;

/// Who listens.
pub(super) struct StreamCaller {
    pub(super) tenant: TenantKey,
    check: AdmissionCheck,
    check_at: Instant,
}

impl StreamCaller {
    /// Makes one of a caller that was let in just now.
    pub(super) fn new(tenant: TenantKey, check: AdmissionCheck) -> Self {
        Self { tenant, check, check_at: Instant::now() + CHECK }
    }

    /// When its token is to be looked up again.
    pub(super) fn check_at(&self) -> Instant {
        self.check_at
    }

    /// Tells whether the caller is still let in.
    pub(super) async fn is_admitted(&mut self) -> bool {
        let is_admitted = (self.check)().await;
        self.check_at = Instant::now() + CHECK;
        is_admitted
    }
}

/// Answers with a stream of events: `next` waits for each of them, and gives nothing at the end.
pub(super) fn respond_with<L, F, W>(listener: L, next: F) -> Response
where
    L: Send + 'static,
    F: FnMut(L) -> W + Send + 'static,
    W: Future<Output = Option<(Event, L)>> + Send + 'static,
{
    let events = unfold(listener, next).map(Ok::<_, Infallible>);
    Sse::new(events).keep_alive(KeepAlive::new().interval(ALIVE)).into_response()
}
