//! The texts of a merge, and the marks of its conflicts.

#[derive(Debug, Clone, Copy)]
pub(crate) struct Sides<'a> {
    pub base: &'a str,
    pub ours: &'a str,
    pub theirs: &'a str,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Marks<'a> {
    pub ours: &'a str,
    pub theirs: &'a str,
    /// How long the markers are; git's are 7.
    pub length: usize,
}
