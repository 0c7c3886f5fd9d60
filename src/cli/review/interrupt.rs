//! Keeps the review alive when Ctrl-C is pressed in a pager or an editor.

#[cfg(unix)]
pub(super) fn spare<T>(run: impl FnOnce() -> T) -> T {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, LazyLock};

    static ENDS_THIS: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| {
        let ends_this = Arc::new(AtomicBool::new(true));
        // If the signal cannot be caught, it ends the review too; no decision is lost.
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

#[cfg(not(unix))]
pub(super) fn spare<T>(run: impl FnOnce() -> T) -> T {
    run()
}
