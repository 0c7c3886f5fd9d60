//! The words that all systems share: ids, moments, evidence, failures.

mod evidence;
mod failure;
mod fields;
mod file_state;
mod id;
mod moment;
mod stretch;
mod timestamp;
mod understood;
mod words;
mod zone;

pub(crate) use evidence::{Confidence, SourceType};
pub use failure::{ErrorBody, Failure};
pub(crate) use failure::{Finding, Violation};
pub(crate) use fields::{
    Fields, LISTED_PROBLEMS, Problem, Problems, kind, kind_of_json, quoted, unknown_word,
};
pub use file_state::FileState;
pub(crate) use file_state::LARGEST_FILE;
pub use id::{ContentHash, SectionId};
pub(crate) use id::{Sha256Digest, hex};
pub use moment::Moment;
pub(crate) use moment::is_date;
pub(crate) use stretch::{MONTHS, Stretch};
pub use timestamp::Timestamp;
pub(crate) use understood::understood;
pub(crate) use words::words;
pub use zone::{UTC, Zone};
