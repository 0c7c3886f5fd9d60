//! Calls git, for us or for the person.

mod act;
mod calls;
mod environment;
mod fetch;
mod folder;
mod git_time;
mod head;
mod output;
mod process;

pub(crate) use act::Acted;
pub use act::CommitLimit;
pub(crate) use calls::{DIFF_INDEX, Git, RepositoryKind};
pub(crate) use fetch::FetchDepth;
pub(crate) use folder::{GitFolder, filled_around, repositories_around, work_trees};
pub use git_time::GitTime;
pub(crate) use output::split_nul;
