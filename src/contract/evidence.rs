//! What kind of evidence a fact has, and how sure its writer is.

use crate::contract::words;

words! {
    /// How sure the proposer is.
    #[derive(Default)]
    Confidence {
        /// It was checked.
        Confirmed = "confirmed",
        /// Concluded from other facts.
        #[default]
        Inferred = "inferred",
        /// Said by a person.
        UserProvided = "user-provided",
        /// It was true in the past.
        Stale = "stale",
        /// Not known.
        Unknown = "unknown",
    }
}

impl Confidence {
    /// Tells whether it says less than another one.
    pub(crate) fn is_weaker_than(self, other: Self) -> bool {
        self.strength() < other.strength()
    }

    /// Returns how much it says; 0 is the least.
    pub(crate) fn strength(self) -> u8 {
        match self {
            Self::Confirmed => 4,
            Self::UserProvided => 3,
            Self::Inferred => 2,
            Self::Stale => 1,
            Self::Unknown => 0,
        }
    }
}

words! {
    /// What kind of evidence a source is.
    SourceType {
        /// A file of the repository.
        File = "file",
        /// A test of the repository.
        Test = "test",
        /// A commit of the repository.
        Commit = "commit",
        /// A person.
        User = "user",
        /// A session of an agent.
        Session = "session",
        /// A page.
        Url = "url",
        /// Something outside the repository that cannot be read.
        External = "external",
        /// A conclusion of the proposer.
        Inference = "inference",
    }
}

impl SourceType {
    /// Tells whether it is a file of the repository.
    pub(crate) fn is_file(self) -> bool {
        matches!(self, Self::File | Self::Test)
    }
}
