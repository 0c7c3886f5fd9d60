//! The verbs of long-term memories, one a file. What they share: `session`, `facts`, `limit`, `notice`.

mod answer;
mod context;
mod create;
mod directory;
mod export;
mod facts;
mod forget;
mod generation;
mod host;
mod import;
mod limit;
mod list;
mod log;
mod notice;
mod restore;
mod session;
mod sweep;
mod update;
mod watch;

pub use answer::{answer, unanswered};
pub use context::{PromptForm, context};
pub use directory::{get_directory, remove_entry, set_directory};
pub use export::export;
pub use forget::forget;
pub use generation::generations;
pub use host::{LongtermHost, LongtermMcp};
pub use import::import;
pub use list::{MemoryFilter, list};
pub use log::{log, verify_log};
pub use restore::restore;
pub use session::{LongtermSession, LongtermSettings, LongtermStore, LongtermTenantKey};
pub use sweep::sweep;
pub use watch::events_after;
