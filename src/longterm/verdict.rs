//! Decides whether a call may change a memory, in the order of the rules. Pure: the store reads the facts in the same
//! transaction in which it writes.

mod content;
mod create;
mod target;
#[cfg(test)]
mod tests;
mod update;

pub(crate) use create::decide_create;
pub(crate) use update::{AllowedChange, decide_update};

use crate::secrets::Scanner;

/// What a verdict works with beside the facts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct VerdictRules<'a> {
    /// Finds secrets.
    pub(crate) scanner: &'a Scanner,
    /// Whether the model may change personal memories of others than the caller.
    pub(crate) lets_model_write_of_others: bool,
}
