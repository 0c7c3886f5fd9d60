//! Tells those who listen at `/stream` what was stored, changed and recalled.

use std::sync::{Arc, Mutex, PoisonError};

use axum::response::Response;
use axum::response::sse::Event;
use serde_json::json;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{Receiver, Sender, channel};
use tokio::time::{Instant, timeout_at};

use super::stream_caller::{StreamCaller, respond_with};
use crate::service::verbs::{ServiceEvent, TenantKey};

/// Events that a slow listener may be behind.
const BEHIND: usize = 256;

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
    listeners: Arc<Mutex<Vec<TenantKey>>>,
}

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

    /// Answers with what happens to the tenant of a caller from now on, as long as the caller is let in.
    pub(super) fn stream(&self, caller: StreamCaller) -> Response {
        let (receiver, listeners) = (self.sender.subscribe(), Arc::clone(&self.listeners));
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner).push(caller.tenant);
        respond_with(Listener { receiver, caller, listeners }, next)
    }
}

/// Waits for the next event of the caller's tenant; nothing at the end.
async fn next(mut listener: Listener) -> Option<(Event, Listener)> {
    loop {
        let text = match timeout_at(listener.caller.check_at(), listener.receiver.recv()).await {
            Ok(Ok(Told::Event { tenant, text })) if tenant == listener.caller.tenant => Some(text),
            // Events that a slow listener missed are not told again.
            Ok(Ok(Told::Event { .. }) | Err(RecvError::Lagged(_))) | Err(_) => None,
            Ok(Ok(Told::End) | Err(RecvError::Closed)) => return None,
        };
        if text.is_none() && Instant::now() < listener.caller.check_at() {
            continue;
        }
        if !listener.caller.is_admitted().await {
            return None;
        }
        if let Some(text) = text {
            return Some((Event::default().data(text), listener));
        }
    }
}
