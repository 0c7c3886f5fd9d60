//! Streams the changes of long-term memories: number, time, event, keys and hash, and no text of a memory.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::Event;
use serde_json::Value;
use tokio::time::{Instant, sleep};

use super::access::Needs;
use super::admission::{Answered, admit};
use super::http_service::HttpService;
use super::reply::refuse;
use super::stream_caller::{StreamCaller, respond_with};
use crate::longterm::verbs::events_after;
use crate::server::turns::beside;
use crate::service::request::QueryParameters;

/// Pause before changes are read again, which other processes make too.
const PAUSE: Duration = Duration::from_millis(250);

/// One that listens.
struct ChangeListener {
    service: Arc<HttpService>,
    caller: StreamCaller,
    /// The number of the last event that was read.
    last: u64,
    pending: VecDeque<Value>,
    ended: Pin<Box<dyn Future<Output = ()> + Send>>,
}

/// Answers with all events after `?since=`, then with new ones.
pub(super) async fn events(State(service): State<Arc<HttpService>>, request: Request) -> Answered {
    let admitted = admit(&service, Needs::Token, request).await?;
    let last = since(&admitted.parts.headers, &admitted.query).ok_or_else(|| {
        let next = "give the `seq` of the last event that you know";
        refuse(StatusCode::BAD_REQUEST, "`since` is no number", next)
    })?;
    let ended = Box::pin(service.events.ended());
    let caller = admitted.into_stream_caller(&service);
    let listener = ChangeListener { service, caller, last, pending: VecDeque::new(), ended };
    Ok(respond_with(listener, next))
}

/// Returns the number after which events are told; a browser that connects again names the last one that it got.
fn since(headers: &HeaderMap, query: &QueryParameters) -> Option<u64> {
    let last = headers.get("last-event-id").and_then(|value| value.to_str().ok());
    last.or_else(|| query.one(&["since"])).map_or(Some(0), |number| number.parse().ok())
}

/// Waits for the next event; nothing at the end.
async fn next(mut listener: ChangeListener) -> Option<(Event, ChangeListener)> {
    loop {
        if Instant::now() >= listener.caller.check_at() && !listener.caller.is_admitted().await {
            return None;
        }
        if let Some(event) = listener.pending.pop_front() {
            let told = Event::default().id(event["seq"].to_string()).data(event.to_string());
            return Some((told, listener));
        }
        let (service, tenant, last) =
            (Arc::clone(&listener.service), listener.caller.tenant, listener.last);
        let read = beside(move || events_after(&service.longterm_session(tenant)?, last)).await;
        // Where the database does not answer, a client connects again behind the last event that it got.
        let (events, read_up_to) = read.ok()?;
        listener.last = read_up_to;
        listener.pending = events.into();
        if listener.pending.is_empty() {
            tokio::select! {
                () = sleep(PAUSE) => {}
                () = &mut listener.ended => return None,
            }
        }
    }
}
