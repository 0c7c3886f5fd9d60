//! Where the work of a call runs, and when: beside the reader, and writes one after another.

use std::sync::Arc;

use tokio::sync::{Mutex, MutexGuard};
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

/// Makes the calls of a client that write do so in the order in which they came.
#[derive(Clone, Default)]
pub(super) struct Turns(Arc<Mutex<()>>);

impl Turns {
    /// Waits for the calls that came before and write; the call holds what is returned until it has written.
    pub(super) async fn take(&self, effect: Effect) -> Option<MutexGuard<'_, ()>> {
        match effect {
            Effect::Reads => None,
            Effect::Adds => Some(self.0.lock().await),
        }
    }
}
