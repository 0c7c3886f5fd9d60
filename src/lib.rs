//! Git-friendly memory for coding agents, with a review before anything lasts.
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
//!                          Prepared ─commit─► files, log, index              staging/<id>/ waits
//! ```
//!
//! Begin with [`pipeline`], which is that corridor; look down into the engines it asks, then up to
//! [`ops`], one verb a file.
//!
//! # Floors; imports go down only
//!
//! | floor | rooms |
//! |---|---|
//! | 5 doors | [`cli`]; `server`, for agents (feature `mcp`) |
//! | 4 verbs | [`ops`] |
//! | 3 disk | [`store`]: the only floor that touches files, locks and SQLite |
//! | 2 corridor | [`pipeline`] |
//! | 1 engines | [`adopt`], [`markdown`], [`secrets`], [`schema`], [`provenance`], [`policy`], [`config`], [`diff`], [`chain`], [`check`], [`clients`], [`merge`], [`pack`], [`rejection`], [`reversal`], [`toc`] |
//! | 0 words | [`contract`], [`text`], [`error`]; and `cores`, which shares out work |
//!
//! Floors 0 to 2 are pure: bytes in, values out; no files, no clock, no environment, no printing.
//!
//! # Invariants
//!
//! Each is held by the test that is named behind it, in `tests/it/`.
//!
//! 1. A refused request changes no byte under the root: `contract`.
//! 2. Bytes outside the named sections are the same before and after: `markdown`.
//! 3. Nothing is written without [`store::Locked`], and only the terminal makes a
//!    [`pipeline::Approval`]: `tidy`.
//! 4. Past the commit point there is only forward: `crash`, `power`.
//! 5. Markdown is the truth, and the index may be deleted at any time: `cli_search`.
//! 6. A detected secret stands in no file, output, error or log of ours: `secrets_leak`.
//! 7. Agents and people walk the same corridor: `corridor`.
//! 8. Time, environment and identity enter by a door and travel as values: `clippy.toml`.
//! 9. What a person approved is, byte for byte, what lands: `cli_apply`.
//! 10. Nothing that a person or an agent wrote is ever deleted by us: `cli_reject`.
//! 11. What lies under `staging/` is not trusted, and an edit of it is known as one: `staged`.
//! 12. A decision that was printed is in the log, and a line that was touched is found: `cli_log`, `hands`.
//! 13. A file of the store is reached through the folder that is held open, never through a link:
//!     `paths`.
//! 14. What is put into a file of another program can be taken out again, and all else in it stays:
//!     `clients`, `install`.

pub mod adopt;
pub mod chain;
pub mod check;
pub mod cli;
pub mod clients;
pub mod config;
pub mod contract;
mod cores;
pub mod diff;
pub mod error;
pub mod markdown;
pub mod merge;
pub mod ops;
pub mod pack;
pub mod pipeline;
pub mod policy;
pub mod provenance;
pub mod rejection;
pub mod reversal;
pub mod schema;
pub mod secrets;
#[cfg(feature = "mcp")]
pub mod server;
pub mod store;
pub mod text;
pub mod toc;
