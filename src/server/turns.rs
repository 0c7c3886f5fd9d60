//! Where the work of a call runs, and when: beside the reader, and writes one after another.

use std::sync::Arc;

use tokio::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};
use tokio::task::spawn_blocking;

use super::tools::Effect;
use crate::error::{Error, ErrorKind, Result};

/// Runs beside the reader, so that work that waits for a lock or a disk does not block other calls.
pub(super) async fn beside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let bug = "a bug in agent-memory; nothing half done is visible";
    spawn_blocking(work).await.unwrap_or_else(|_| Err(Error::new(ErrorKind::Bug, bug)))
}

/// Orders the calls of a client: one that writes runs alone, in the order of arrival; one that reads may wait for the
/// writes before it.
#[derive(Clone, Default)]
pub(super) struct Turns(Arc<RwLock<()>>);

/// The turn of a call, which it holds until it is done.
#[expect(dead_code, reason = "what it holds is let go when the call is done")]
pub(super) enum TurnOfCall<'t> {
    Writes(RwLockWriteGuard<'t, ()>),
    Reads(RwLockReadGuard<'t, ()>),
}

impl Turns {
    /// Waits for the calls that came before and write, if this one writes.
    pub(super) async fn take(&self, effect: Effect) -> Option<TurnOfCall<'_>> {
        match effect {
            Effect::Reads => None,
            Effect::Adds => Some(self.take_in_order(effect).await),
        }
    }

    /// Waits for the calls that came before and write, also to read: what was stored before is recalled.
    pub(super) async fn take_in_order(&self, effect: Effect) -> TurnOfCall<'_> {
        match effect {
            Effect::Reads => TurnOfCall::Reads(self.0.read().await),
            Effect::Adds => TurnOfCall::Writes(self.0.write().await),
        }
    }
}
