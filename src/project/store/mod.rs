//! What lies where in `.agent-memory`.
//!
//! [`Store`] reads; `Locked` is the only value that can write. Taking the lock finishes the change of a process that
//! died.

mod adoption;
mod blob_texts;
mod blobs;
mod branch;
mod branches;
mod changed;
mod cited;
mod commit;
mod commits;
mod conflict_markers;
mod conflicts;
mod copies;
mod decisions;
mod elsewhere;
mod evidence;
mod find;
mod foreign;
mod forge;
mod health;
mod ignored;
mod impostor;
mod key;
mod last_error;
mod layout;
pub(crate) mod log;
mod looked;
mod material;
mod memory_store;
mod names;
mod other_stores;
mod out_of_sight;
mod owner;
mod past;
mod read_files;
mod recent;
mod rejections;
mod reminded;
mod renames;
mod repository;
mod scratch;
mod seat;
pub(crate) mod sections;
pub(crate) mod staging;
mod state_in_git;
mod store_in_git;
mod tree;
pub(crate) mod undo;
mod unexpected;
mod worktrees;
mod written;

pub use crate::disk::lock::WAIT;
pub(crate) use crate::disk::step::{Step, Trace};
pub(crate) use crate::disk::transaction::EditedMeanwhile;
pub(crate) use adoption::{Adoption, lost_decisions};
pub(crate) use branches::{UnmergedDecisions, unmerged_changes, unmerged_decisions};
pub(crate) use cited::{CitedFiles, lines_between};
pub use commit::CommitLimit;
pub(crate) use commit::{NewCommit, ReadyWorkTree, Unmade};
pub(crate) use commits::{APPROVER, Authorship, Commit, OWNER, TRAILER, Trailers};
pub(crate) use conflict_markers::{added_stages, conflict_in, lately_unmerged};
pub(crate) use conflicts::{Conflict, Conflicts, Reach};
pub(crate) use copies::{CopiedFrom, Copies, LeftBehind, LostNote};
pub(crate) use elsewhere::{Change, Elsewhere, LeadsAway, OtherFile, lay_aside};
pub(crate) use evidence::{Recorded, RecordedState, Today};
pub(crate) use find::nearest_root;
pub(crate) use foreign::ForeignState;
pub(crate) use forge::HooksFolder;
pub(crate) use health::{Rest, closed, is_settled, leftovers, probe, read_gitignore};
pub(crate) use ignored::{IgnoreRule, Ignored, ignored, ignored_in_new};
pub(crate) use last_error::{LastError, forget_error, last_error, note_error};
pub(crate) use layout::{Layout, STORE, steady_path};
pub(crate) use looked::{Looked, looked, note_looked};
pub(crate) use material::{is_own, list_files, read_content, read_settings};
pub(crate) use memory_store::Locked;
pub use memory_store::Store;
pub(crate) use other_stores::{
    FetchedStore, IndexPath, LockFile, OtherStores, discard_copies, discard_other_copies,
    fetch_store, has_copy, put_copy, sources_seen_from_here,
};
pub(crate) use past::past;
pub(crate) use read_files::{ReadFiles, may_be_read, tracked_files};
pub(crate) use recent::Recent;
pub(crate) use rejections::{is_about, lift, read as rejections, rejection_paths, remember};
pub(crate) use reminded::is_first_reminder;
pub(crate) use renames::Renames;
pub(crate) use repository::Repository;
pub(crate) use scratch::ScratchRepository;
pub(crate) use seat::Seat;
pub(crate) use state_in_git::StateInGit;
pub(crate) use store_in_git::{StoreInGit, store_in_git};
pub(crate) use tree::{LastChange, Tree, WorkTree};
pub(crate) use unexpected::{UnexpectedEntry, misplaced, unexpected_entries};
pub(crate) use worktrees::worktrees;
