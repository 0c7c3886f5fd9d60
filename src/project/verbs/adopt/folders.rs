//! Where the notes, the store and the repository lie, so that links can be followed from one to the other.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use crate::disk::outside;
use crate::project::adopt::{FileNames, LinkFolders};
use crate::project::store::{Repository, STORE};

/// Their real paths.
pub(super) struct RealFolders {
    pub(super) notes: PathBuf,
    pub(super) store: PathBuf,
    /// The folder that the store is in, where there is no repository.
    pub(super) repository: PathBuf,
}

impl RealFolders {
    /// Finds them for a folder of notes and the folder that the store is in; none where one of these is not there.
    pub(super) fn of(notes: &Path, root: &Path) -> Option<Self> {
        let (notes, root) = (outside::real_path(notes)?, outside::real_path(root)?);
        let (store, repository) = (root.join(STORE), real_top(&root).unwrap_or(root));
        Some(Self { notes, store, repository })
    }
}

/// Returns the real path of the top of the repository that a folder is in.
pub(super) fn real_top(folder: &Path) -> Option<PathBuf> {
    Repository::find(folder).and_then(|top| outside::real_path(&top))
}

/// The real paths in the form of [`LinkFolders`]. Where they are not known, no link leads to a file.
#[derive(Debug, Default)]
pub(super) struct AdoptionFolders {
    notes: String,
    store: String,
    repository: String,
    top: PathBuf,
    files: FileNames,
}

/// The files that links may lead to.
pub(super) enum KnownFiles<'a> {
    /// Those that are there. Notes that may come into the store by another run, which then rewrites the links to them,
    /// count as absent.
    Now { absent_notes: BTreeSet<&'a str> },
    /// Those that an earlier run found: it wrote the links to them.
    Earlier,
}

impl AdoptionFolders {
    pub(super) fn of(real: RealFolders, files: FileNames) -> Self {
        let RealFolders { notes, store, repository: top } = real;
        let [notes, store, repository] = [&notes, &store, &top].map(|folder| slashed(folder));
        Self { notes, store, repository, top, files }
    }

    /// Tells whether the repository has a path, by the path from its top.
    pub(super) fn has(&self, path: &str) -> bool {
        outside::exists(&self.top.join(path))
    }

    /// Returns the path of a file of the store, from the top of the repository.
    pub(super) fn in_repository(&self, path: &str) -> String {
        let store = self.store.strip_prefix(&self.repository).unwrap_or(&self.store);
        format!("{store}{path}")
    }

    /// Calls `act` with the folders as the links of a note see them; `stored` are its targets in the store.
    pub(super) fn with<T>(
        &self,
        known: &KnownFiles<'_>,
        stored: &BTreeSet<String>,
        act: impl FnOnce(&LinkFolders<'_>) -> T,
    ) -> T {
        let KnownFiles::Now { absent_notes } = known else {
            return act(&self.seen(&|_| false, stored));
        };
        let exists = |path: &str| {
            let real = format!("{}{path}", self.repository);
            let is_absent =
                real.strip_prefix(&self.notes).is_some_and(|note| absent_notes.contains(note));
            // What the store lacks, this run may make.
            let is_of_store = self.notes != self.store && real.starts_with(&self.store);
            !is_absent && (is_of_store || self.has(path))
        };
        act(&self.seen(&exists, stored))
    }

    fn seen<'a>(
        &'a self,
        exists: &'a dyn Fn(&str) -> bool,
        stored: &'a BTreeSet<String>,
    ) -> LinkFolders<'a> {
        let Self { notes, store, repository, files, .. } = self;
        LinkFolders { notes, store, repository, exists, stored, files }
    }
}

fn slashed(folder: &Path) -> String {
    let names = folder.components().filter(|part| *part != Component::RootDir);
    names.map(|name| format!("{}/", name.as_os_str().to_string_lossy())).collect()
}
