//! A store, as the search index sees it.

use super::documents::{SectionFile, documents};
use super::memory_files::is_memory;
use crate::disk::key::{Key, Purpose};
use crate::disk::{Folder, files};
use crate::error::Result;
use crate::index::{Contents, DocumentDraft, DocumentSource, KnownDocuments, Listing, list, read};
use crate::markdown::Outline;
use crate::project::schema::{Catalog, Category};
use crate::project::store::other_stores::{IndexPath, OtherStores};
use crate::project::store::read_files::ReadFiles;
use crate::secrets::Scanner;

/// What the index of a store is made from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SectionSource<'a> {
    /// The store, i.e. `.agent-memory/`.
    pub(crate) root: &'a Folder,
    /// What is read besides the files of the store.
    pub(crate) reads: &'a ReadFiles,
    /// Other stores, which are only read.
    pub(crate) others: &'a OtherStores,
    /// Knows which category a file belongs to.
    pub(crate) catalog: &'a Catalog,
    /// Finds what may not be in the index.
    pub(crate) scanner: &'a Scanner,
    /// Signs the index, so that none that came with a repository is believed.
    pub(crate) key: &'a Key,
}

impl DocumentSource for SectionSource<'_> {
    fn digest(&self) -> Option<String> {
        let categories = self.catalog.categories().iter();
        let owners: Vec<_> = categories.map(|each| (&each.name, &each.paths, each.log)).collect();
        let (version, rules) = (env!("CARGO_PKG_VERSION"), (&self.reads.rules, &self.others.rules));
        let all = format!("{version} {:?} {owners:?} {rules:?}", self.scanner);
        self.key.is_known().then(|| self.key.sign(Purpose::INDEX, all.as_bytes()))
    }

    fn list(&self) -> Result<Listing> {
        let mut listing = list(self.root, &is_memory)?;
        for more in [self.reads.list(), self.others.list()] {
            listing.files.extend(more.files);
            listing.warnings.extend(more.warnings);
        }
        listing.files.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        Ok(listing)
    }

    fn read(&self, file: &str) -> Option<Contents> {
        match IndexPath::read(file).other() {
            Some(other) => self.others.contents(&other, self.scanner),
            None => self.reads.contents(file).or_else(|| read(self.root, file)),
        }
    }

    fn mode(&self, file: &str) -> u32 {
        match IndexPath::read(file).other() {
            Some(other) => self.others.mode(&other),
            None => self.reads.mode(file),
        }
        .unwrap_or_else(|| files::mode(&self.root.inside(file)))
    }

    fn shown(&self, file: &str) -> String {
        self.others.shown(file)
    }

    fn kind(&self, file: &str) -> Option<&str> {
        self.category_of(file).map(|category| category.name.as_str())
    }

    fn documents(&self, file: &str, text: &str, known: &mut KnownDocuments) -> Vec<DocumentDraft> {
        let is_log = self.category_of(file).is_some_and(|category| category.log);
        let (outline, scanner) = (&Outline::read(text), self.scanner);
        let IndexPath { scope, file: path } = IndexPath::read(file);
        let is_read = self.reads.has(file);
        documents(&SectionFile { path, scope, outline, is_read, is_log, scanner }, known)
    }
}

impl SectionSource<'_> {
    fn category_of(&self, file: &str) -> Option<&Category> {
        let path = IndexPath::read(file);
        match path.is_own() {
            true => self.reads.category_of(file, self.catalog),
            // Of the categories that are asked for here.
            false => self.catalog.owner_of(path.file),
        }
    }
}
