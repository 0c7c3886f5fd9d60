//! Git-friendly memory for coding agents, with a review before anything lasts.
//!
//! The library is there for the two programs and their tests: it has no stable API.
//!
//! # Where to start reading
//!
//! There is one way from a request to the disk, and agents and people walk it alike:
//!
//! ```text
//!  bytes ─► Submission ─parse─► Proposal ─screen─► Screened ─(write lock)─► plan ─► Planned
//!                                                                             │ route
//!                                             ┌───────────────────────────────┴──────────┐
//!                                             ▼                                          ▼
//!                          Prepared ─commit─► files, log, index              staging/<id>/ pending
//! ```
//!
//! Begin with [`project::pipeline`], which is that corridor; look down into the engines it asks, then up to
//! [`project::verbs`], one verb a file.
//!
//! # Floors; imports go down only
//!
//! | floor | rooms |
//! |---|---|
//! | 4 doors | [`cli`]; `server`, for agents (feature `mcp`) |
//! | 3 systems | [`project`]: reviewed Markdown in git; [`personal`]: a person's own memory, one file an entry; [`longterm`]: numbered memories of a chat bot, with rules about people; [`service`]: store, recall, relate over HTTP and MCP |
//! | 2 ground | [`disk`]: files, lock, journal, transaction, recovery; [`index`]: full-text search over documents; `database`: connect, migrate, transact; [`git`]: all calls of git; [`clients`]: what `install` knows of each client; `config`: the person's own settings; `programs`: tells a program of the person something |
//! | 1 engines | [`markdown`], `frontmatter`, [`secrets`], [`chain`] |
//! | 0 words | [`contract`], [`text`], [`error`]; and `cores`, which shares out work |
//!
//! Floors 0 and 1 are pure: bytes in, values out; no files, no clock, no environment, no printing.
//!
//! # Invariants
//!
//! Each is held by the test that is named behind it, in `tests/it/`.
//!
//! 1. A refused request changes no byte under the root: `contract`.
//! 2. Bytes outside the named sections are the same before and after: `markdown`.
//! 3. Nothing is written without `disk::Locked`, except notes about sessions, which may be lost; and only the terminal
//!    makes a [`project::pipeline::Approval`]: `tidy`.
//! 4. Past the commit point there is only forward: `crash`, `power`.
//! 5. Markdown is the truth, and the index may be deleted at any time: `cli_search`.
//! 6. A detected secret stands in no file, output, error or log of ours: `secrets_leak`.
//! 7. Agents and people walk the same corridor: `corridor`.
//! 8. Time, environment and identity enter by a door and travel as values: `clippy.toml`.
//! 9. What a person approved of each operation is, byte for byte, what it writes, in the line ends of the file; what
//!    stands around it may change: `cli_apply`, `drift`.
//! 10. Nothing that a person or an agent wrote is ever deleted by us, except where its owner asks us to forget it:
//!     `cli_reject`, `personal`.
//! 11. What lies under `staging/` is not trusted, and an edit of it is known as one: `staged`.
//! 12. A decision that was printed is in the log, and a line that was touched is found: `cli_log`, `hands`.
//! 13. A file of the store is reached through the folder that is held open, never through a link:
//!     `paths`.
//! 14. What is put into a file of another program can be taken out again, and all else in it stays:
//!     `clients`, `install`.

pub mod chain;
pub mod cli;
pub mod clients;
pub mod config;
pub mod contract;
mod cores;
mod database;
pub mod disk;
pub mod error;
mod frontmatter;
pub mod git;
pub mod index;
pub mod longterm;
pub mod markdown;
pub mod personal;
mod programs;
pub mod project;
pub mod secrets;
#[cfg(feature = "mcp")]
pub mod server;
pub mod service;
pub mod text;
