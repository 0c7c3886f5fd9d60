//! Where the notes, the store and the repository lie, so that links can be followed from one to the other.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use crate::disk::outside;
use crate::project::adopt::LinkFolders;
use crate::project::store::Repository;

/// Their real paths, in the form of [`LinkFolders`]. Where one of them is not known, no link leads to a file.
#[derive(Debug, Default)]
pub(super) struct AdoptionFolders {
    notes: String,
    store: String,
    repository: String,
    top: PathBuf,
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
    /// Finds them for a folder of notes and the folder that the store is in.
    pub(super) fn of(notes: &Path, root: &Path) -> Option<Self> {
        let (notes, root) = (outside::real_path(notes)?, outside::real_path(root)?);
        let top = Repository::find(&root).and_then(|top| outside::real_path(&top));
        let top = top.unwrap_or_else(|| root.clone());
        let store = root.join(".agent-memory");
        let [notes, store, repository] = [&notes, &store, &top].map(|folder| slashed(folder));
        Some(Self { notes, store, repository, top })
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
            !is_absent && (is_of_store || outside::exists(&self.top.join(path)))
        };
        act(&self.seen(&exists, stored))
    }

    fn seen<'a>(
        &'a self,
        exists: &'a dyn Fn(&str) -> bool,
        stored: &'a BTreeSet<String>,
    ) -> LinkFolders<'a> {
        let Self { notes, store, repository, .. } = self;
        LinkFolders { notes, store, repository, exists, stored }
    }
}

fn slashed(folder: &Path) -> String {
    let names = folder.components().filter(|part| *part != Component::RootDir);
    names.map(|name| format!("{}/", name.as_os_str().to_string_lossy())).collect()
}
