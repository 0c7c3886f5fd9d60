//! What a verdict works with beside the facts.

use crate::secrets::Scanner;

/// What a verdict works with beside the facts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct VerdictRules<'a> {
    /// Finds secrets.
    pub(crate) scanner: &'a Scanner,
    /// Whether the model may change personal memories of others than the caller.
    pub(crate) lets_model_write_of_others: bool,
}
