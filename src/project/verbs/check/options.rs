//! What a person asks of `check`.

use crate::project::check::Levels;

#[derive(Debug, Clone, Default)]
pub(crate) struct CheckOptions {
    /// Files and folders; empty means all.
    pub paths: Vec<String>,
    /// Reports only what came in since this revision.
    pub base: Option<String>,
    /// Checks the files as they are staged in git.
    pub staged: bool,
    pub levels: Levels,
}
