//! How a file is opened, and what a rename does with an existing target.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    /// For reading and writing; a missing file is made.
    Write,
    /// A new file; an existing one is an error.
    Make,
    /// Each write goes to the end; a missing file is made.
    Append,
    /// To make it, or a folder, durable.
    Sync,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    Over,
    /// Fails if there is one.
    Beside,
    /// Exchanges the two in one step; fails if there is none.
    Exchange,
}
