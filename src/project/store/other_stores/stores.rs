//! All other stores of a store.

use std::collections::BTreeMap;

use super::index_path::IndexPath;
use super::other_store::{Opening, OtherStore};
use crate::contract::FileState;
use crate::error::Result;
use crate::index::{Contents, Listing};
use crate::project::config::{Config, StoreRule};
use crate::project::request::{OtherPath, StoreName};
use crate::project::schema::Catalog;
use crate::project::store::layout::Layout;
use crate::secrets::{Scanner, shown_name};
use crate::text::visible;

/// The other stores that can be read.
#[derive(Debug, Default)]
pub(crate) struct OtherStores {
    pub(crate) rules: Vec<StoreRule>,
    stores: Vec<OtherStore>,
    /// Why a store is not read.
    absent: BTreeMap<StoreName, String>,
    /// What is not read, and why.
    pub(crate) warnings: Vec<String>,
}

impl OtherStores {
    /// Knows the rules alone, and no store.
    pub(crate) fn unread(config: &Config) -> Self {
        Self { rules: config.stores.clone(), ..Self::default() }
    }

    /// Opens all stores. One that cannot be read is told in a line: it keeps no command of ours from its work.
    pub(crate) fn of(
        config: &Config,
        layout: &Layout,
        catalog: &Catalog,
        scanner: &Scanner,
    ) -> Self {
        let mut found = Self::unread(config);
        let with = Opening { layout, catalog, scanner };
        for rule in &config.stores {
            let mut said = Vec::new();
            let why = match OtherStore::open(rule, with, &mut said) {
                Ok(Ok(store)) => {
                    found.stores.push(store);
                    None
                }
                Ok(Err(why)) => Some(why),
                Err(error) => Some(error.to_string()),
            };
            let shown = |said: String| visible(&shown_name(&scanner.redact(&said))).into_owned();
            found.warnings.extend(said.into_iter().map(shown));
            if let Some(why) = why.map(shown) {
                let said = format!("the store `{}` is left out: {why}", rule.name);
                found.warnings.push(said);
                found.absent.insert(rule.name.clone(), why);
            }
        }
        found
    }

    fn named(&self, name: &StoreName) -> Option<&OtherStore> {
        self.stores.iter().find(|store| store.name == *name)
    }

    /// Returns what the sections of a store are labelled with; none where it is not read.
    pub(crate) fn label_of(&self, name: &StoreName) -> Option<&str> {
        self.named(name).map(|store| store.label.as_str())
    }

    /// Says why a store is not read.
    pub(crate) fn why_absent(&self, name: &StoreName) -> Option<&str> {
        self.absent.get(name).map(String::as_str)
    }

    /// Returns all files, store by store.
    pub(crate) fn files(&self) -> impl Iterator<Item = OtherPath> {
        let of = |store: &OtherStore, file: &String| OtherPath {
            store: store.name.clone(),
            file: file.clone(),
        };
        self.stores.iter().flat_map(move |store| store.files.iter().map(move |it| of(store, it)))
    }

    /// Returns the file that a person or an answer names; none if it is no file of a store that is read.
    pub(crate) fn find(&self, text: &str) -> Option<OtherPath> {
        OtherPath::parse(text).filter(|path| self.has(path))
    }

    fn has(&self, path: &OtherPath) -> bool {
        self.named(&path.store).is_some_and(|store| store.has(&path.file))
    }

    /// Reads a file.
    pub(crate) fn read(&self, path: &OtherPath, scanner: &Scanner) -> Result<FileState> {
        let store = self.named(&path.store);
        store.map_or(Ok(FileState::Absent), |store| store.read(&path.file, scanner))
    }

    /// Names a file with the commit that it is of.
    pub(crate) fn labelled(&self, path: &OtherPath) -> String {
        let label = self.named(&path.store).map_or(path.store.as_str(), |store| &store.label);
        format!("{label}:{}", path.file)
    }

    /// Names a file of the index: one of ours by its path.
    pub(crate) fn shown(&self, index_path: &str) -> String {
        let other = IndexPath::read(index_path).other();
        other.map_or_else(|| index_path.to_owned(), |path| self.labelled(&path))
    }

    /// Lists all files for the index.
    pub(crate) fn list(&self) -> Listing {
        let mut listing = Listing { files: Vec::new(), warnings: self.warnings.clone() };
        listing.files.extend(self.stores.iter().flat_map(|store| store.list().files));
        listing
    }

    /// Reads a file for the index; none if it is not one of these, or gone.
    pub(crate) fn contents(&self, path: &OtherPath, scanner: &Scanner) -> Option<Contents> {
        self.named(&path.store)?.contents(&path.file, scanner)
    }

    /// Returns the permissions of a file; none if it is not one of these.
    pub(crate) fn mode(&self, path: &OtherPath) -> Option<u32> {
        Some(self.named(&path.store)?.mode(&path.file))
    }
}
