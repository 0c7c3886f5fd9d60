//! What the system that owns a store knows of its files. The disk knows paths and bytes only.

use std::ops::Deref;

use super::lock::WriteLock;
use super::log::SignedLog;
use super::step::Step;
use super::store_folder::StoreFolder;
use crate::error::Result;

/// A store with the knowledge of its owner.
pub(crate) trait OwnedStore: Deref<Target = StoreFolder> {
    /// Returns why a verb may not write a path inside the store, if it may not.
    fn refuse(&self, verb: &str, path: &str) -> Option<String>;

    /// Returns why a verb may not take a step, by its paths.
    fn refuse_step(&self, verb: &str, step: &Step) -> Option<String> {
        step.leads_out().or_else(|| step.paths().iter().find_map(|path| self.refuse(verb, path)))
    }

    /// Returns the file of which a file is a copy, by its path: the copy must not be more readable.
    fn copied_from<'p>(&self, path: &'p str) -> Option<&'p str>;

    /// Returns the log, whose last link an appended line renews.
    fn signed_log(&self) -> SignedLog<'_>;

    /// Sets apart files in `state/` that this machine did not write, before the journal is read; returns warnings.
    fn set_foreign_apart(&self, lock: &WriteLock) -> Result<Vec<String>>;
}

#[cfg(test)]
pub(super) mod tests {
    use std::path::Path;

    use super::*;
    use crate::disk::Folder;
    use crate::disk::key::Key;

    /// A store whose owner knows nothing of its files.
    #[derive(Debug)]
    pub(in crate::disk) struct PlainStore(StoreFolder);

    impl PlainStore {
        pub(in crate::disk) fn of(folder: &Path) -> Self {
            let folder = Folder::open(folder).expect("it opens").expect("it is there");
            Self(StoreFolder::new(folder, Key::Known([7; 32]), None))
        }
    }

    impl Deref for PlainStore {
        type Target = StoreFolder;

        fn deref(&self) -> &StoreFolder {
            &self.0
        }
    }

    impl OwnedStore for PlainStore {
        fn refuse(&self, _: &str, _: &str) -> Option<String> {
            None
        }

        fn copied_from<'p>(&self, _: &'p str) -> Option<&'p str> {
            None
        }

        fn signed_log(&self) -> SignedLog<'_> {
            SignedLog::new(&self.0, self.0.journal_key())
        }

        fn set_foreign_apart(&self, _: &WriteLock) -> Result<Vec<String>> {
            Ok(Vec::new())
        }
    }
}
