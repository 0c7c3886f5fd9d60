//! The parts of a relative path.

use std::path::{Component, Path};

/// Tells whether a path has other parts than names, such as `..`.
pub(crate) fn leads_out(relative: &Path) -> bool {
    relative.components().any(|part| !matches!(part, Component::Normal(_)))
}

/// Returns a path after all its parents, from the top.
pub(super) fn parents(relative: &Path) -> impl Iterator<Item = &Path> {
    let mut all: Vec<&Path> = relative.ancestors().filter(|part| *part != Path::new("")).collect();
    all.reverse();
    all.into_iter()
}
