//! That a person acts themselves.

/// A person runs the command, or allowed it in their own settings. No agent can ask for what needs this.
///
/// Only `cli/approval.rs` makes one: a test reads the sources for it.
#[derive(Debug)]
pub(crate) struct PersonPresent(());

impl PersonPresent {
    pub(crate) fn seen() -> Self {
        Self(())
    }
}
