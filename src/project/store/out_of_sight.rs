//! Knows the files that git tracks and that are not on the disk as files of this repository.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use crate::disk::outside;
use crate::git::{Git, GitFolder, split_nul};

/// What a sparse checkout leaves out, and the submodules.
#[derive(Debug, Clone, Default)]
pub(super) struct OutOfSight(OnceLock<Listed>);

#[derive(Debug, Clone, Default)]
struct Listed {
    left_out: BTreeSet<String>,
    submodules: BTreeSet<String>,
    /// Whether git did not answer.
    is_unknown: bool,
}

impl OutOfSight {
    pub(super) fn submodules(&self, git: &Git) -> &BTreeSet<String> {
        &self.listed(git).submodules
    }

    /// Relative to the folder of `git`.
    pub(super) fn left_out(&self, git: &Git) -> &BTreeSet<String> {
        &self.listed(git).left_out
    }

    /// Tells whether a sparse checkout leaves out a file, or files in a folder, or may do so.
    pub(super) fn leaves_out(&self, git: &Git, path: &str) -> bool {
        let below = format!("{path}/");
        let Listed { left_out, is_unknown, .. } = self.listed(git);
        let first = left_out.range(below.clone()..).next();
        *is_unknown || left_out.contains(path) || first.is_some_and(|it| it.starts_with(&below))
    }

    pub(super) fn is_in_submodule(&self, git: &Git, path: &str) -> bool {
        let submodules = &self.listed(git).submodules;
        path.match_indices('/').any(|(end, _)| submodules.contains(&path[..end]))
    }

    fn listed(&self, git: &Git) -> &Listed {
        self.0.get_or_init(|| list(git))
    }
}

/// Asks git once, as it reads its whole index in any case; few repositories need it.
fn list(git: &Git) -> Listed {
    let mut found = Listed::default();
    let has_submodules = git.top().is_some_and(|top| outside::exists(&top.join(".gitmodules")));
    if !may_be_sparse(git) && !has_submodules {
        return found;
    }
    let Ok(answer) = git.run(&["ls-files", "-t", "--stage", "-z"], b"") else {
        return Listed { is_unknown: true, ..found };
    };
    for line in split_nul(&answer) {
        // `S MODE ID STAGE TAB PATH`
        let Some((head, path)) = line.split_once('\t') else { continue };
        let Some(path) = git.inside(path) else { continue };
        if head.starts_with("S 100") {
            found.left_out.insert(path.to_owned());
        } else if head.split(' ').nth(1).is_some_and(|mode| mode.starts_with("160")) {
            found.submodules.insert(path.to_owned());
        }
    }
    found
}

pub(super) fn may_be_sparse(git: &Git) -> bool {
    let has_patterns = |git: &GitFolder| outside::exists(&git.own.join("info/sparse-checkout"));
    git.folder().is_some_and(has_patterns)
}
