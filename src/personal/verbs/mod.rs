//! One verb a file: update, read, list, search, restore, undo, log, import, export, doctor, purge.

mod call;
mod claude;
mod commit;
mod delete;
mod doctor;
mod edit;
mod export;
mod folder;
mod import;
mod index_size;
mod inject;
mod list;
mod log;
mod promote;
mod purge;
mod put;
mod read;
mod restore;
mod search;
mod session;
mod stop;
mod undo;
mod update;
mod upsert;
mod write;

#[cfg(feature = "mcp")]
pub(crate) use call::ToolCall;
pub(crate) use call::{CALL_BYTES, ToolAnswer, call};
pub(crate) use claude::{ClaudePlaces, is_loaded};
pub(crate) use doctor::{diagnose, repair};
pub(crate) use export::export;
pub(crate) use folder::{PersonalPath, folder, keep_draft, read_input};
pub(crate) use import::{ImportMode, ImportSource, import};
pub(crate) use inject::{Injected, SessionStart, inject};
pub(crate) use list::list;
pub(crate) use log::{PersonalLog, log, verify_log};
pub(crate) use promote::read_to_promote;
pub(crate) use purge::{purge, purgeable};
pub(crate) use read::{ReadAnswer, read};
pub(crate) use restore::restore;
pub(crate) use search::{EntryQuestion, search};
pub(crate) use session::EntryAnswer;
pub use session::{PersonalSession, PersonalSessions};
pub(crate) use undo::undo;
pub(crate) use update::{check_update, update};
