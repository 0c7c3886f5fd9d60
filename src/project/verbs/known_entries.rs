//! The ids of the entries that have files of their own, read once for all that is planned on them.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::contract::SectionId;
use crate::error::Result;
use crate::markdown::Outline;
use crate::project::request::MemoryPath;
use crate::project::schema::{Catalog, Category};
use crate::project::store::Store;
use crate::project::store::sections::memory_files;

/// The files by the name of the category and the id of an entry.
pub(super) type EntryFiles = BTreeMap<(String, SectionId), BTreeSet<MemoryPath>>;

/// The entries on the disk: `status` plans all that is pending, and would read all entries for each.
#[derive(Debug, Default)]
pub(super) struct KnownEntries(RefCell<Option<Rc<EntryFiles>>>);

impl KnownEntries {
    /// Forgets them, as with the lock begins a change, which sees the disk as it is then.
    pub(super) fn forget(&self) {
        self.0.take();
    }

    pub(super) fn of(&self, store: &Store, catalog: &Catalog) -> Result<Rc<EntryFiles>> {
        if let Some(known) = self.0.borrow().as_ref() {
            return Ok(Rc::clone(known));
        }
        let read = Rc::new(read(store, catalog)?);
        self.0.replace(Some(Rc::clone(&read)));
        Ok(read)
    }
}

fn read(store: &Store, catalog: &Catalog) -> Result<EntryFiles> {
    let mut found = EntryFiles::new();
    for name in memory_files(store.layout().folder())? {
        let owner = catalog.owner_of(&name).filter(|it| it.paths.has_records());
        let Some((owner, path)) = owner.zip(MemoryPath::parse(&name).ok()) else { continue };
        let text = store.read(&path)?.into_text().unwrap_or_default();
        for id in ids_in(&text, owner, &path) {
            found.entry((owner.name.clone(), id)).or_default().insert(path.clone());
        }
    }
    Ok(found)
}

pub(super) fn ids_in(text: &str, owner: &Category, path: &MemoryPath) -> BTreeSet<SectionId> {
    let outline = Outline::read(text);
    owner.entries(path.as_str(), &outline).filter_map(|section| section.id.clone()).collect()
}
