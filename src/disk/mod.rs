//! Files and folders, and changes of several files that become visible as a whole.
//!
//! This room knows no word of any system: what a file means is the business of the store's owner (`OwnedStore`).
//!
//! | file | what it holds |
//! |---|---|
//! | `folder/` | a folder that is held open, and the paths in it |
//! | `files` | reading, writing and moving files of a store |
//! | `outside`, `document`, `draft`, `random` | files elsewhere, a document on stdin, temp files for an editor, random bytes |
//! | `store_folder`, `owner`, `key`, `key_file` | a store, its owner, the key that signs its state |
//! | `log`, `undo_list` | the log of decisions, chained and signed; how to take changes back |
//! | `log_file` | the file that a person names for what the program tells of its work |
//! | `lock`, `step`, `journal/`, `transaction/`, `replace`, `recovery` | one change: lock, record, carry out, finish after a crash |

mod boot;
mod document;
mod draft;
pub(crate) mod files;
pub(crate) mod folder;
pub(crate) mod journal;
pub(crate) mod key;
pub(crate) mod key_file;
pub(crate) mod lock;
mod locked;
pub(crate) mod log;
mod log_file;
pub(crate) mod outside;
mod owner;
mod random;
mod recovery;
mod replace;
pub(crate) mod step;
pub(crate) mod store_folder;
pub(crate) mod transaction;
mod trash;
pub(crate) mod undo_list;

pub(crate) use boot::boot_id;
pub(crate) use document::{read_document, read_document_within, say_if_silent};
pub use draft::DraftFile;
pub(crate) use folder::{Folder, StorePath, leads_out};
pub(crate) use lock::lock_alone;
pub(crate) use locked::Locked;
pub(crate) use log::SignedLog;
pub(crate) use log_file::open_log_file;
pub(crate) use owner::OwnedStore;
pub(crate) use random::random;
pub(crate) use store_folder::StoreFolder;
pub(crate) use trash::make_room;
pub(crate) use undo_list::UndoList;
