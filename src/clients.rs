//! The clients of agents: which of their files name us, and what `install` writes there.
//!
//! [`ClientEdit::remove`] removes what [`ClientEdit::insert`] wrote, and nothing else. Text is restored to the byte. In JSON
//! and TOML everything that others wrote stays, with its comments, but blanks around our entry may differ. A file that
//! holds nothing else is removed.

mod block;
mod client;
mod edit;
mod fault;
pub(crate) mod git_hook;
mod hooks;
mod json;
mod json_setting;
mod json_tree;
pub(crate) mod lefthook;
mod signs;
mod starts;
mod table;
mod toml_table;
mod whole;

pub(crate) use block::blanked as without_install_block;
pub use client::{Client, ClientScope, FilePurpose};
pub use edit::ClientEdit;
pub use fault::{Fault, FaultCode};
pub use table::{ClientTarget, context_file, memory_folder_in, memory_switch_in, memory_target};
