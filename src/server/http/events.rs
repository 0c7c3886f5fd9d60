//! Tells those who listen at `/stream` what was stored, changed and recalled.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_util::stream::{Stream, unfold};
use serde_json::json;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{Receiver, Sender, channel};
use tokio::time::{Instant, timeout_at};

use crate::service::verbs::{ServiceEvent, TenantKey};

/// Events that a slow listener may be behind.
const BEHIND: usize = 256;

/// How often a silent stream shows that it is alive.
const ALIVE: Duration = Duration::from_secs(30);

/// After this the token of one that listens is looked up again: it may be revoked.
const CHECK: Duration = Duration::from_secs(2);

/// What happens, for those who listen.
pub(super) struct Events {
    sender: Sender<Told>,
    /// One tenant for each that listens.
    listeners: Arc<Mutex<Vec<TenantKey>>>,
}

/// One that listens, until this value is dropped.
struct Listener {
    receiver: Receiver<Told>,
    caller: StreamCaller,
    /// When its token is looked up again.
    check_at: Instant,
    listeners: Arc<Mutex<Vec<TenantKey>>>,
}

/// Who listens.
pub(super) struct StreamCaller {
    pub(super) tenant: TenantKey,
    /// Tells whether the caller is still let in.
    pub(super) is_admitted: AdmissionCheck,
}

/// Looks up again whether a caller is let in.
pub(super) type AdmissionCheck = Box<dyn Fn() -> Pin<Box<dyn Future<Output = bool> + Send>> + Send>;

impl Drop for Listener {
    fn drop(&mut self) {
        let mut listeners = self.listeners.lock().unwrap_or_else(PoisonError::into_inner);
        let own = listeners.iter().position(|tenant| *tenant == self.caller.tenant);
        own.map(|own| listeners.swap_remove(own));
    }
}

#[derive(Clone)]
enum Told {
    Event { tenant: TenantKey, text: String },
    End,
}

impl Events {
    pub(super) fn new() -> Self {
        Self { sender: channel(BEHIND).0, listeners: Arc::default() }
    }

    /// Returns how many listen to a tenant.
    pub(super) fn listeners(&self, tenant: TenantKey) -> usize {
        let listeners = self.listeners.lock().unwrap_or_else(PoisonError::into_inner);
        listeners.iter().filter(|other| **other == tenant).count()
    }

    /// Tells the listeners of a tenant what happened.
    pub(super) fn tell(&self, event: &ServiceEvent) {
        if self.sender.receiver_count() == 0 {
            return;
        }
        let ServiceEvent { tenant, kind, time, data } = event;
        let text = json!({ "type": kind, "timestamp": time, "data": data }).to_string();
        let _ = self.sender.send(Told::Event { tenant: *tenant, text });
    }

    /// Ends all streams.
    pub(super) fn end(&self) {
        let _ = self.sender.send(Told::End);
    }

    /// Returns when all streams end.
    pub(super) fn ended(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut receiver = self.sender.subscribe();
        async move {
            loop {
                match receiver.recv().await {
                    Ok(Told::End) | Err(RecvError::Closed) => return,
                    Ok(Told::Event { .. }) | Err(RecvError::Lagged(_)) => {}
                }
            }
        }
    }

    /// Returns a stream of what happens to the tenant of a caller from now on, as long as the caller is let in.
    pub(super) fn stream(
        &self,
        caller: StreamCaller,
    ) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<>> {
        let (receiver, listeners) = (self.sender.subscribe(), Arc::clone(&self.listeners));
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner).push(caller.tenant);
        let check_at = Instant::now() + CHECK;
        let stream = unfold(Listener { receiver, caller, check_at, listeners }, next);
        Sse::new(stream).keep_alive(KeepAlive::new().interval(ALIVE))
    }
}

/// Waits for the next event of the caller's tenant; nothing at the end.
async fn next(mut listener: Listener) -> Option<(Result<Event, Infallible>, Listener)> {
    loop {
        let text = match timeout_at(listener.check_at, listener.receiver.recv()).await {
            Ok(Ok(Told::Event { tenant, text })) if tenant == listener.caller.tenant => Some(text),
            // Events that a slow listener missed are not told again.
            Ok(Ok(Told::Event { .. }) | Err(RecvError::Lagged(_))) | Err(_) => None,
            Ok(Ok(Told::End) | Err(RecvError::Closed)) => return None,
        };
        if text.is_none() && Instant::now() < listener.check_at {
            continue;
        }
        if !(listener.caller.is_admitted)().await {
            return None;
        }
        listener.check_at = Instant::now() + CHECK;
        if let Some(text) = text {
            return Some((Ok(Event::default().data(text)), listener));
        }
    }
}
