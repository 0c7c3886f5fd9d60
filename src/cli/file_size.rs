//! Makes a write beyond the limit of file size (`ulimit -f`) an error instead of a signal that ends the command.

/// The signal is caught, not ignored: child processes would inherit an ignored one.
#[cfg(unix)]
pub(super) fn fail_beyond_limit() {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    let was_beyond = Arc::new(AtomicBool::new(false));
    // If the signal cannot be caught, it ends the command, as it ends any other program.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, was_beyond);
}

/// Does nothing: no signal ends the command here.
#[cfg(not(unix))]
pub(super) fn fail_beyond_limit() {}
