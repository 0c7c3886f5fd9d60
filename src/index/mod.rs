//! Full-text search over documents, in a derived database that follows what a system lists.
//!
//! A system hands in a `DocumentSource`: its files, and the documents in each. `SearchIndex::refresh` brings the
//! database up to date with them, `SearchIndex::search` answers a `Question`. The database may be deleted at any
//! time, even while it is in use.
//!
//! - what a system hands in: `document`, `source`, `listing`, `question`
//! - text to terms: `characters`, `porter`, `forms`, `identifiers`, `terms`, `phrases`, `near_text`
//! - the database file: `database`, `database_files`, `last_write`, `lock`, `opening`, `origin`, `failure`
//! - writing: `files`, `documents`, `refresh`
//! - asking: `filter`, `patterns`, `completions`, `finder`, `ranking`, `losses`, `candidates`, `search`, `snippet`, `wanted`, `spelling`, `alike`

mod alike;
mod candidates;
mod characters;
mod completions;
mod database;
mod database_files;
mod document;
mod documents;
mod failure;
mod files;
mod filter;
mod finder;
mod forms;
mod identifiers;
mod last_write;
mod listing;
mod lock;
mod losses;
mod near_text;
mod opening;
mod origin;
mod patterns;
mod phrases;
mod porter;
mod question;
mod ranking;
mod refresh;
mod search;
mod search_index;
mod snippet;
mod source;
mod spelling;
mod successors;
mod terms;
mod wanted;

pub(crate) use alike::AlikeDocument;
pub(crate) use candidates::SearchHit;
pub(crate) use document::{Document, DocumentDraft, KnownDocument, KnownDocuments};
pub(crate) use failure::kept_by_another;
pub(crate) use identifiers::parts;
pub(crate) use listing::{Contents, Listing, list, list_chosen, read};
pub(crate) use losses::ScorePart;
pub(crate) use near_text::NearText;
pub(crate) use origin::Origin;
pub(crate) use phrases::{Phrase, phrases};
pub(crate) use question::Question;
pub use question::{Order, Weights};
pub(crate) use refresh::Refreshed;
pub(crate) use search::RECENT;
pub(crate) use search_index::{IndexCounts, SearchIndex, sqlite_version};
pub(crate) use source::{Classify, DocumentPlace, DocumentSource, KeptDocument, Standing};
pub(crate) use terms::terms;

#[cfg(test)]
mod tests;
