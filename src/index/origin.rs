//! Where a database came from, as a person is told.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    Found,
    Created,
    /// Of another version, or made under other settings; rebuilt.
    Outdated,
    /// Not readable; rebuilt.
    Damaged,
    /// Written to by another program; rebuilt.
    Changed,
    /// From before the system was started; rebuilt.
    Restarted,
    /// A folder was there, which was moved away.
    Folder,
    /// Not writable for this user; one was made in memory.
    Closed,
    /// Not readable for this user; rebuilt.
    Shut,
}

impl Origin {
    pub(crate) fn state(self) -> &'static str {
        match self {
            Self::Found => "is sound",
            Self::Created => "is gone",
            Self::Outdated => "is of another version",
            Self::Damaged => "is damaged",
            Self::Changed => "is not as it was left",
            Self::Restarted => "is from before the system was started",
            Self::Folder => "is a folder that goes to `state/trash/`",
            Self::Closed => "is not writable for this user",
            Self::Shut => "is another user's",
        }
    }
}
