//! Ctrl-C while a pager or an editor stands in front: it is meant for that program, and does not end the review
//! behind it.

/// Runs what waits for another program at the terminal.
#[cfg(unix)]
pub(super) fn spare<T>(run: impl FnOnce() -> T) -> T {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, LazyLock};

    static ENDS_THIS: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| {
        let ends_this = Arc::new(AtomicBool::new(true));
        // Where no signal can be caught, it ends this program too: nothing that was decided is lost by it.
        let _ = signal_hook::flag::register_conditional_default(
            signal_hook::consts::SIGINT,
            Arc::clone(&ends_this),
        );
        ends_this
    });
    ENDS_THIS.store(false, Ordering::SeqCst);
    let result = run();
    ENDS_THIS.store(true, Ordering::SeqCst);
    result
}

/// Runs what waits for another program at the terminal.
#[cfg(not(unix))]
pub(super) fn spare<T>(run: impl FnOnce() -> T) -> T {
    run()
}
