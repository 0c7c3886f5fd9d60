//! How well a memory answers a question: pure parts of recall.
//!
//! - `keyword`, `tokens`, `metadata`: how much of a question a text and its metadata hold
//! - `components`, `weights`, `settings`: the parts of a score, and what each counts
//! - `candidate`: a memory that may answer, in the order of its score
//! - `duplicates`, `floor`: what is left out
//! - `hints`: what the caller works on

mod candidate;
mod components;
mod duplicates;
mod floor;
mod hints;
mod keyword;
mod metadata;
mod settings;
mod tokens;
mod weights;

pub(crate) use candidate::{MatchType, MemoryCandidate, sort_by_score};
pub(crate) use components::tag_share;
pub(crate) use duplicates::remove_duplicates;
pub(crate) use floor::{ScoreFloor, cut};
pub(crate) use hints::ContextHints;
pub(crate) use keyword::{Passage, SoughtWord, keyword_scores, weight_of};
pub(crate) use metadata::{exact_metadata, metadata_score, metadata_terms};
pub(crate) use settings::RecallSettings;
pub(crate) use tokens::{asks_for_newest, tokens};
