//! What an operation builds on, and which later change of it conflicts with the operation.

use serde::{Deserialize, Serialize};

use super::section_traits::SectionTraits;
use crate::contract::ContentHash;
use crate::markdown::LineEnding;

/// A section that an operation builds on, as the operation found it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TouchedSection {
    pub file: String,
    pub section: SectionName,
    /// What of it the operation builds on.
    pub builds_on: BuildsOn,
    /// What tells it from others of its heading, which are no more than a name; none for the whole file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traits: Option<SectionTraits>,
    /// Its notes of sources that the operation cites too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<String>,
    /// Level of its heading; 0 for the whole file, and where it is read from a pending proposal.
    #[serde(skip)]
    pub level: u8,
}

/// What a section is known by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SectionName {
    Id(String),
    /// It has no id.
    Heading(String),
    /// It is the whole file.
    File,
}

/// What an operation means: the part of a section that must be what it was, with its hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "part", content = "hash", rename_all = "snake_case")]
pub enum BuildsOn {
    /// Only that the section is there: an addition goes to any text.
    Presence,
    /// The same of an archived section, which an addition brings back.
    ArchivedPresence,
    /// Its heading and level: a renaming keeps any text.
    Heading(ContentHash),
    /// Its text up to the next heading, without heading and evidence.
    Body(ContentHash),
    /// All of it, with the sections in it.
    Whole(ContentHash),
}

impl TouchedSection {
    /// Takes a whole file.
    pub(super) fn file(path: &str, text: &str) -> Self {
        let (file, section) = (path.to_owned(), SectionName::File);
        let builds_on = BuildsOn::Whole(hash(text));
        Self { file, section, builds_on, traits: None, sources: Vec::new(), level: 0 }
    }

    /// Tells whether both are the same section, at different times.
    pub(crate) fn is_of(&self, now: &Self) -> bool {
        let has_traits = || {
            self.traits
                .as_ref()
                .zip(now.traits.as_ref())
                .is_some_and(|(then, now)| then.are_of(now))
        };
        let is_it = match (&self.section, &now.section) {
            // An operation before this one, of whatever proposal, may have given it an id.
            (SectionName::Heading(_), SectionName::Id(_)) => has_traits(),
            (SectionName::Heading(one), SectionName::Heading(other)) => {
                one == other && has_traits()
            }
            (SectionName::Id(_) | SectionName::Heading(_) | SectionName::File, now) => {
                self.section == *now
            }
        };
        self.file == now.file && is_it
    }
}

/// Returns the hash of a text, whatever its line ends are: git may write others.
pub(super) fn hash(text: &str) -> ContentHash {
    ContentHash::of(LineEnding::Lf.apply(text).as_bytes())
}

/// Tells whether what changed since an operation was proposed conflicts with it: what it built on is not what it would
/// build on now. None stands for an operation that builds on nothing.
pub(crate) fn conflict(then: Option<&TouchedSection>, now: Option<&TouchedSection>) -> bool {
    match (then, now) {
        (None, None) => false,
        // What was to be added would replace something now, or the other way round.
        (Some(_), None) | (None, Some(_)) => true,
        (Some(then), Some(now)) => !then.is_of(now) || !then.builds_on.is_still(&now.builds_on),
    }
}

impl BuildsOn {
    pub(crate) fn is_whole(&self) -> bool {
        match self {
            Self::Whole(_) => true,
            Self::Presence | Self::ArchivedPresence | Self::Heading(_) | Self::Body(_) => false,
        }
    }

    fn is_still(&self, now: &Self) -> bool {
        match (self, now) {
            // Another addition has brought it back.
            (Self::ArchivedPresence, Self::Presence) => true,
            // What is added to a section that went to the archive would bring back its pointer.
            (
                Self::Presence
                | Self::ArchivedPresence
                | Self::Heading(_)
                | Self::Body(_)
                | Self::Whole(_),
                _,
            ) => self == now,
        }
    }
}
