//! The verbs, one a file; `commit`, `edit`, `index_gaps`, `index_size`, `input`, `put`, `stop` and `write` are
//! what they share.

mod call;
mod claude;
mod commit;
mod delete;
mod doctor;
mod edit;
mod export;
mod import;
mod index_gaps;
mod index_size;
mod inject;
mod input;
mod list;
mod log;
mod path;
mod promote;
mod purge;
mod put;
mod read;
mod read_whole;
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
pub(crate) use call::{ToolAnswer, call};
pub(crate) use claude::{ClaudeSettings, claude_loads_index};
pub(crate) use doctor::{diagnose, repair};
pub(crate) use export::export;
pub(crate) use import::{ImportMode, ImportSource, import};
pub(crate) use inject::{IndexRequest, Injected, inject};
pub(crate) use input::{keep_draft, read_body, read_call};
pub(crate) use list::list;
pub(crate) use log::{PersonalLog, log, verify_log};
pub(crate) use path::{PersonalPath, path};
pub(crate) use promote::read_to_promote;
pub(crate) use purge::{purge, purgeable};
pub(crate) use read::{ReadAnswer, read};
pub(crate) use read_whole::{WholeEntry, read_whole};
pub(crate) use restore::restore;
pub(crate) use search::{EntryQuestion, search};
pub(crate) use session::EntryAnswer;
pub use session::{PersonalSession, PersonalSessions};
pub(crate) use undo::undo;
pub(crate) use update::{check_update, create, update};
