//! A limit of file size (`ulimit -f`): what goes beyond it is an error like any other, and ends no command by a signal.

/// Lets writes beyond the limit fail with an error.
///
/// The signal is caught, not ignored: programs that are started would inherit that it is ignored.
#[cfg(unix)]
pub(super) fn fail_beyond_limit() {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    let was_beyond = Arc::new(AtomicBool::new(false));
    // Where no signal can be caught, the limit ends the command, as it would any other program.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, was_beyond);
}

/// Lets writes beyond the limit fail with an error.
#[cfg(not(unix))]
pub(super) fn fail_beyond_limit() {}
