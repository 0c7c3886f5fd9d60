//! Whether a commit could bring `state/`.

use crate::error::Result;
use crate::git::{Git, RepositoryKind};

/// Whether git tracks `state/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StateInGit {
    /// Also without git.
    Untracked,
    /// With the command that changes it.
    Tracked(String),
    /// With the reason.
    Unknown(String),
}

impl StateInGit {
    pub(crate) fn of(git: &Git) -> Self {
        match git.find() {
            Ok(RepositoryKind::WorkTree | RepositoryKind::Bare) => {}
            Ok(RepositoryKind::Nothing) => return Self::Untracked,
            Err(error) => return Self::Unknown(error.to_string()),
        }
        // The whole store is listed, as some disks do not tell `State` from `state`.
        let inside = git.named("");
        let store = if inside.is_empty() { "." } else { inside.as_str() };
        let tracked = match git.run(&["ls-files", "-z", "--", store], b"") {
            Ok(said) => git.listed_inside(&said).find_map(|path| state_in(&path)),
            Err(error) => return Self::Unknown(error.to_string()),
        };
        match tracked {
            None => Self::Untracked,
            Some(state) => {
                let state = git.named(&state);
                Self::Tracked(format!("`git rm -r --cached ':/{state}'` takes it out"))
            }
        }
    }

    /// Returns the short id of a commit that changes `state/`.
    pub(super) fn brought_by(git: &Git) -> Result<Option<String>> {
        let state = git.named("state");
        let list = ["rev-list", "--all", "--max-count=1", "--abbrev-commit", "--", &state];
        git.consult_line(&list)
    }
}

/// Returns the first part of a path if it is the `state` folder, or a submodule in its place.
fn state_in(path: &str) -> Option<String> {
    let first = path.split('/').next()?;
    first.eq_ignore_ascii_case("state").then(|| first.to_owned())
}
