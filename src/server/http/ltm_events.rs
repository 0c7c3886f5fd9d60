//! Streams the changes of long-term memories: number, time, event, keys and hash, and no text of a memory.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse, Response, Sse};
use futures_util::stream::unfold;
use serde_json::Value;
use tokio::time::{Instant, sleep};

use super::access::Needs;
use super::admission::{admitted, read_query};
use super::events::AdmissionCheck;
use super::http_service::HttpService;
use super::reply::refuse;
use super::special::admission_check;
use crate::longterm::verbs::events_behind;
use crate::server::turns::beside;
use crate::service::request::QueryParameters;
use crate::service::verbs::TenantKey;

/// Pause between two looks for changes, which other processes make too.
const PAUSE: Duration = Duration::from_millis(250);

/// After this the token of one that listens is looked up again: it may be revoked.
const CHECK: Duration = Duration::from_secs(2);

/// How often a silent stream shows that it is alive.
const ALIVE: Duration = Duration::from_secs(30);

/// One that listens.
struct ChangeListener {
    service: Arc<HttpService>,
    tenant: TenantKey,
    /// The number of the last event that was read.
    last: u64,
    pending: VecDeque<Value>,
    ended: Pin<Box<dyn Future<Output = ()> + Send>>,
    is_admitted: AdmissionCheck,
    /// When its token is looked up again.
    check_at: Instant,
}

/// Answers with all events behind `?since=`, then with new ones.
pub(super) async fn events(State(service): State<Arc<HttpService>>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let query = read_query(parts.uri.query());
    let tenant = match admitted(&service, Needs::Token, &parts.headers, &query).await {
        Ok(tenant) => tenant.unwrap_or(service.settings.default_tenant),
        Err(response) => return response,
    };
    let Some(last) = since(&parts.headers, &query) else {
        let next = "give the `seq` of the last event that you know";
        return refuse(StatusCode::BAD_REQUEST, "`since` is no number", next);
    };
    let ended = Box::pin(service.events.ended());
    let is_admitted = admission_check(Arc::clone(&service), tenant, parts.headers, query);
    let (pending, check_at) = (VecDeque::new(), Instant::now() + CHECK);
    let listener = ChangeListener { service, tenant, last, pending, ended, is_admitted, check_at };
    let stream = unfold(listener, next);
    Sse::new(stream).keep_alive(KeepAlive::new().interval(ALIVE)).into_response()
}

/// Returns the number behind which events are told; a browser that connects again names the last one that it got.
fn since(headers: &HeaderMap, query: &QueryParameters) -> Option<u64> {
    let last = headers.get("last-event-id").and_then(|value| value.to_str().ok());
    last.or_else(|| query.one(&["since"])).map_or(Some(0), |number| number.parse().ok())
}

/// Waits for the next event; nothing at the end.
async fn next(mut listener: ChangeListener) -> Option<(Result<Event, Infallible>, ChangeListener)> {
    loop {
        if Instant::now() >= listener.check_at {
            if !(listener.is_admitted)().await {
                return None;
            }
            listener.check_at = Instant::now() + CHECK;
        }
        if let Some(event) = listener.pending.pop_front() {
            let told = Event::default().id(event["seq"].to_string()).data(event.to_string());
            return Some((Ok(told), listener));
        }
        let (service, tenant, last) =
            (Arc::clone(&listener.service), listener.tenant, listener.last);
        let read = beside(move || events_behind(&service.longterm_session(tenant)?, last)).await;
        // A database that does not answer may do so later.
        if let Ok((events, read_up_to)) = read {
            listener.last = read_up_to;
            listener.pending = events.into();
        }
        if listener.pending.is_empty() {
            tokio::select! {
                () = sleep(PAUSE) => {}
                () = &mut listener.ended => return None,
            }
        }
    }
}
