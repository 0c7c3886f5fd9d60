//! The warnings beside an answer.

use super::folder::PersonalPath;
use super::log::PersonalLog;
use super::read::ReadAnswer;
use crate::personal::request::{EntryChange, EntryList};

/// An answer with other information for the caller.
pub(crate) trait Warned {
    fn warnings(&self) -> &[String];
}

impl Warned for EntryChange {
    fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

impl Warned for EntryList {
    fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

impl Warned for PersonalLog {
    fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

impl Warned for PersonalPath {
    fn warnings(&self) -> &[String] {
        &[]
    }
}

impl Warned for ReadAnswer {
    fn warnings(&self) -> &[String] {
        match self {
            Self::Entry(entry) => &entry.warnings,
            Self::Index(index) => &index.warnings,
        }
    }
}
