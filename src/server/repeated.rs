//! Work that is done at once, and again after each pause, beside all else.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// How often what was deleted long ago is looked for and erased.
pub(super) const SWEEP: Duration = Duration::from_secs(3_600);

/// The thread that works; it ends when this value is dropped.
pub(super) struct Repeated {
    _running: Sender<()>,
}

impl Repeated {
    pub(super) fn start(pause: Duration, mut work: impl FnMut() + Send + 'static) -> Self {
        let (running, ends) = channel::<()>();
        thread::spawn(move || {
            loop {
                work();
                let Err(RecvTimeoutError::Timeout) = ends.recv_timeout(pause) else { return };
            }
        });
        Self { _running: running }
    }
}
