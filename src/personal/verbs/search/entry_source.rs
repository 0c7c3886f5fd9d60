//! A person's entries, as the search index sees them.

use std::collections::BTreeMap;

use crate::contract::ContentHash;
use crate::error::Result;
use crate::index::{Contents, Document, DocumentDraft, DocumentSource, KnownDocuments, Listing};
use crate::personal::request::EntryType;
use crate::personal::store::StoredEntry;
use crate::personal::verbs::read::content_of;
use crate::secrets::Scanner;

/// The entries by name, as they were read once.
pub(super) struct EntrySource(BTreeMap<String, SearchedEntry>);

/// An entry as it may be shown: what looks like a secret is masked.
pub(super) struct SearchedEntry {
    pub(super) kind: String,
    pub(super) description: String,
    /// What is to be said if it is found.
    pub(super) warnings: Vec<String>,
    body: String,
    hash: ContentHash,
}

impl EntrySource {
    pub(super) fn of(stored: Vec<StoredEntry>, scanner: &Scanner) -> Self {
        let searched = |entry: StoredEntry| {
            let mut warnings = Vec::new();
            let content = content_of(&entry.name, &entry.text, scanner, &mut warnings);
            let searched = SearchedEntry {
                kind: content.kind.unwrap_or_else(|| EntryType::Reference.name().to_owned()),
                description: content.description.unwrap_or_default(),
                warnings,
                body: content.body,
                hash: entry.hash(),
            };
            (entry.name, searched)
        };
        Self(stored.into_iter().map(searched).collect())
    }

    /// Takes an entry out, by its name.
    pub(super) fn take(&mut self, name: &str) -> Option<SearchedEntry> {
        self.0.remove(name)
    }
}

impl DocumentSource for EntrySource {
    /// An index in memory comes from this process, so nothing needs to vouch for it.
    fn digest(&self) -> Option<String> {
        None
    }

    fn list(&self) -> Result<Listing> {
        let files = self.0.keys().map(|name| (name.clone(), Default::default())).collect();
        Ok(Listing { files, warnings: Vec::new() })
    }

    fn read(&self, name: &str) -> Option<Contents> {
        let entry = self.0.get(name)?;
        let (stamp, hash) = (Default::default(), entry.hash.to_string());
        Some(Contents { stamp, hash, text: Ok(entry.body.clone()) })
    }

    fn mode(&self, _: &str) -> u32 {
        0o600
    }

    fn kind(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(|entry| entry.kind.as_str())
    }

    fn documents(&self, name: &str, body: &str, _: &mut KnownDocuments) -> Vec<DocumentDraft> {
        let Some(entry) = self.0.get(name) else { return Vec::new() };
        let document = Document {
            key: ContentHash::digest(name.as_bytes()),
            line: 1,
            hash: entry.hash.to_string(),
            titles: vec![entry.description.clone()],
            names: name.to_owned(),
            body: body.to_owned(),
            ..Document::default()
        };
        vec![DocumentDraft::New(Box::new(document))]
    }
}
