//! Copies of what git deletes without asking: pending proposals, the log, and the notes in `local/`.
//!
//! `git worktree remove` and `git clean -fdx` delete ignored files. So each store copies these, best effort, to `<git
//! common folder>/agent-memory/copies/<random id of its state>/`, beside `worktree.json`, which names the owner.

pub(super) mod folder;
mod logs;
mod notes;
mod proposals;
mod renew;

pub(crate) use folder::{CopiedFrom, Copies};
pub(crate) use notes::LostNote;
pub(crate) use proposals::LeftBehind;
