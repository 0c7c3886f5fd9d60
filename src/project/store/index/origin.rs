//! Where a database came from, as a person is told.

/// Where the database that was opened came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// It was there and fit for use.
    Found,
    /// There was none.
    Created,
    /// It was of another version, or made under other settings, and made anew.
    Outdated,
    /// It could not be read, and was made anew.
    Damaged,
    /// Somebody else wrote to it, and it was made anew.
    Unsealed,
    /// The system was started since, and it was made anew.
    Restarted,
    /// A folder stands there, which was moved away.
    Folder,
    /// This user may not write to it, and one was made for this process.
    Closed,
    /// This user may not open it, and it was made anew.
    Shut,
}

impl Origin {
    /// Puts the state in which the index was found into words.
    pub fn state(self) -> &'static str {
        match self {
            Self::Found => "is sound",
            Self::Created => "is gone",
            Self::Outdated => "is of another version",
            Self::Damaged => "is damaged",
            Self::Unsealed => "is not as it was left",
            Self::Restarted => "is from before the system was started",
            Self::Folder => "is a folder that goes to `state/trash/`",
            Self::Closed => "is not writable for this user",
            Self::Shut => "is another user's",
        }
    }
}
