//! How the search index names the files of other stores.

use crate::project::request::{OtherPath, StoreName};

/// The path of a file in the search index, with the store that it is of.
///
/// A file of our own has the path that it has in the store. One of another store has `//handbook/decisions/x.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct IndexPath<'a> {
    /// `//handbook/`; empty for a file of our own.
    pub(crate) scope: &'a str,
    /// Relative to its store.
    pub(crate) file: &'a str,
}

const MARK: &str = "//";

impl<'a> IndexPath<'a> {
    pub(crate) fn read(path: &'a str) -> Self {
        let name = path.strip_prefix(MARK).and_then(|rest| rest.find('/'));
        let (scope, file) = path.split_at(name.map_or(0, |end| MARK.len() + end + 1));
        Self { scope, file }
    }

    pub(crate) fn is_own(&self) -> bool {
        self.scope.is_empty()
    }

    /// Returns the name of a file of another store.
    pub(crate) fn other(&self) -> Option<OtherPath> {
        let name = self.scope.strip_prefix(MARK)?.trim_end_matches('/');
        let store = StoreName::parse(name)?;
        Some(OtherPath { store, file: self.file.to_owned() })
    }

    /// Returns the path of a file of another store.
    pub(crate) fn of(store: &StoreName, file: &str) -> String {
        format!("{MARK}{store}/{file}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_read_back_with_its_store() {
        let path = OtherPath::parse("handbook:decisions/x.md").expect("a path");
        let written = IndexPath::of(&path.store, &path.file);
        assert_eq!(written, "//handbook/decisions/x.md");
        let read = IndexPath::read(&written);
        assert_eq!((read.scope, read.file), ("//handbook/", "decisions/x.md"));
        assert_eq!(read.other(), Some(path));
    }

    #[test]
    fn what_is_ours_has_no_scope() {
        for path in ["decisions/x.md", "a//b.md", "docs/adr/1.md", ""] {
            let read = IndexPath::read(path);
            assert_eq!((read.scope, read.file, read.other()), ("", path, None));
            assert!(read.is_own());
        }
    }
}
