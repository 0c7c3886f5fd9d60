//! Checks the files of a store by rules with stable codes: bytes in, findings out.
//!
//! `look` reads one file and knows nothing of the others, so that files can be looked at side by side;
//! `across` compares what it kept of all of them with each other and with the repository;
//! `settle` gives each finding its level and the name by which it is known again.

mod across;
mod checked_file;
mod content;
mod file;
mod finding;
pub mod format;
mod links;
mod reach;
mod repair;
mod rule;
mod sections;
mod settings;
mod text;

pub(crate) use across::{CitedChange, RepositoryFacts, across};
pub(crate) use checked_file::{CheckedFile, Depth, EvidenceNote};
pub(crate) use content::Content;
pub(crate) use file::check_file;
pub(crate) use finding::{CheckFinding, FindingPlace, Remark, brought_in, settle};
pub(crate) use reach::ChangeReach;
pub use repair::Repair;
pub(crate) use repair::RepairCase;
pub use rule::Rule;
pub(crate) use rule::{Level, Levels};
pub(crate) use settings::{Rulebook, is_of_rulebook, is_setting, rulebook};
pub(crate) use text::check_read_file;
