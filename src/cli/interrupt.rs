//! Keeps the review alive when Ctrl-C is pressed in a pager or an editor.

/// Runs `run`; Ctrl-C during it does not end this process.
#[cfg(unix)]
pub(super) fn ignoring_interrupts<T>(run: impl FnOnce() -> T) -> T {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, LazyLock};

    static INTERRUPT_ENDS_PROCESS: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| {
        let ends_process = Arc::new(AtomicBool::new(true));
        // If the signal cannot be caught, it ends the review too; no decision is lost.
        let _ = signal_hook::flag::register_conditional_default(
            signal_hook::consts::SIGINT,
            Arc::clone(&ends_process),
        );
        ends_process
    });
    INTERRUPT_ENDS_PROCESS.store(false, Ordering::SeqCst);
    let result = run();
    INTERRUPT_ENDS_PROCESS.store(true, Ordering::SeqCst);
    result
}

#[cfg(not(unix))]
pub(super) fn ignoring_interrupts<T>(run: impl FnOnce() -> T) -> T {
    run()
}
