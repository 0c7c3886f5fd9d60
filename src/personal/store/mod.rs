//! What lies where in the folder of a person.
//!
//! | path | what it holds |
//! |---|---|
//! | `memory/MEMORY.md`, `memory/<name>.md` | the index and the entries |
//! | `trash/<time>-<name>.md` | deleted entries, beside `memory/`, so that nothing recalls them |
//! | `config.toml` | the settings; may be missing |
//! | `state/` | lock, journal, log, how to undo, where the log ended as the last session began |

mod change;
mod entries;
mod index_undo;
mod last_session;
mod person_folder;
mod remains;
mod trash;

pub(crate) use change::{EntryLog, EntryUndo, EntryUndoLine, latest};
pub(crate) use entries::{INDEX, StoredEntries, StoredEntry, entries, entry, index, names};
pub(crate) use index_undo::IndexUndo;
pub(crate) use last_session::changes_at_session_start;
pub(crate) use person_folder::{LockedPerson, PersonFolder};
pub(crate) use remains::Remains;
pub(crate) use trash::{name_of_copy, newest_in_trash, path_in_trash};
