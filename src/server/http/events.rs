//! Tells those who listen at `/stream` what was stored, changed and recalled.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_util::stream::{Stream, unfold};
use serde_json::json;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{Receiver, Sender, channel};

use crate::service::verbs::{ServiceEvent, TenantKey};

/// Events that a slow listener may be behind.
const BEHIND: usize = 256;

/// How often a silent stream shows that it is alive.
const ALIVE: Duration = Duration::from_secs(30);

/// What happens, for those who listen.
pub(super) struct Events {
    sender: Sender<Told>,
    /// One tenant for each that listens.
    listeners: Arc<Mutex<Vec<TenantKey>>>,
}

/// One that listens, until this value is dropped.
struct Listener {
    receiver: Receiver<Told>,
    tenant: TenantKey,
    listeners: Arc<Mutex<Vec<TenantKey>>>,
}

impl Drop for Listener {
    fn drop(&mut self) {
        let mut listeners = self.listeners.lock().unwrap_or_else(PoisonError::into_inner);
        let own = listeners.iter().position(|tenant| *tenant == self.tenant);
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

    /// Returns a stream of what happens to a tenant from now on.
    pub(super) fn stream(
        &self,
        tenant: TenantKey,
    ) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<>> {
        let (receiver, listeners) = (self.sender.subscribe(), Arc::clone(&self.listeners));
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner).push(tenant);
        let stream = unfold(Listener { receiver, tenant, listeners }, next);
        Sse::new(stream).keep_alive(KeepAlive::new().interval(ALIVE))
    }
}

/// Waits for the next event of a tenant; nothing at the end.
async fn next(mut listener: Listener) -> Option<(Result<Event, Infallible>, Listener)> {
    loop {
        match listener.receiver.recv().await {
            Ok(Told::Event { tenant, text }) if tenant == listener.tenant => {
                return Some((Ok(Event::default().data(text)), listener));
            }
            // Events that a slow listener missed are not told again.
            Ok(Told::Event { .. }) | Err(RecvError::Lagged(_)) => {}
            Ok(Told::End) | Err(RecvError::Closed) => return None,
        }
    }
}
