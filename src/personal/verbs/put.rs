//! Puts a file in its place or into the trash, and renews the line of the index by what the file says.

use super::edit::EntryEdit;
use super::index_size::{refuse_full, size_of};
use super::read::content_of;
use super::stop::EarlyEnd;
use super::write::{EntryFileChange, EntryWrite};
use crate::contract::ContentHash;
use crate::personal::entry_file::Dialect;
use crate::personal::index_file::{line_of, with_line, without_line};
use crate::personal::request::{EntryChange, EntryChangeStatus, EntryDecision};
use crate::personal::sources::short_description;
use crate::personal::store::{EntryUndo, LockedPerson, index};
use crate::secrets::clean;
use crate::text::visible;

impl EntryEdit<'_> {
    /// Writes a change; `undoes` is the one that it takes back.
    ///
    /// An undo brings the index back as it was, unless it was changed since.
    pub(super) fn put(
        &self,
        locked: &mut LockedPerson<'_>,
        status: EntryChangeStatus,
        file: EntryFileChange,
        undoes: Option<&EntryUndo>,
    ) -> Result<EntryChange, EarlyEnd> {
        let name = self.name;
        let bytes = file.after().map(<[u8]>::to_vec);
        let trash = file.trash().map(str::to_owned);
        let mut warnings = Vec::new();
        let description = bytes.as_deref().map(|bytes| self.description_of(bytes, &mut warnings));
        let before = index(locked.store())?;
        let standing = before.as_deref().unwrap_or_default();
        let as_it_was = undoes.and_then(|change| change.index.take_back(standing));
        let after = as_it_was.unwrap_or_else(|| self.index_with(standing, description.as_deref()));
        // An undo only gives back what was; the line of a delete goes.
        if undoes.is_none() && bytes.is_some() {
            refuse_full(standing, &after, self.settings).map_err(|refusal| refusal.about(name))?;
        }
        let mut change = self.answer(status, bytes.as_deref(), description, &after);
        let decision = EntryDecision::of(status).expect("a put always writes");
        let index = (before, after);
        let undoes = undoes.map(|change| change.number);
        let write = EntryWrite { name, decision, file, kept: None, index, undoes };
        warnings.extend(write.write(self.session, locked)?);
        (change.trash, change.warnings) = (trash, warnings);
        Ok(change)
    }

    /// Returns what the index says of a file.
    pub(super) fn description_of(&self, bytes: &[u8], warnings: &mut Vec<String>) -> String {
        let text = String::from_utf8_lossy(bytes);
        let scanner = self.settings.scanner();
        let content = content_of(self.name.as_str(), &text, &scanner, warnings);
        match shown_description(&content.description.unwrap_or_default()) {
            nothing if nothing.is_empty() => self.name.to_string(),
            description => description,
        }
    }

    /// Tells of a change: the bytes of the file after it, what the index says of it, and the whole index.
    pub(super) fn answer(
        &self,
        status: EntryChangeStatus,
        bytes: Option<&[u8]>,
        description: Option<String>,
        index: &str,
    ) -> EntryChange {
        let name = self.name;
        EntryChange {
            status,
            message: message(name.as_str(), status),
            name: name.to_string(),
            path: name.path(),
            index_line: description.as_ref().map(|text| line_of(name.as_str(), text)),
            description,
            hash: bytes.map(|bytes| ContentHash::of(bytes).to_string()),
            trash: None,
            index: size_of(index, self.settings),
            warnings: Vec::new(),
        }
    }

    /// Returns the index with the line of the entry; without it, where there is no description.
    pub(super) fn index_with(&self, index: &str, description: Option<&str>) -> String {
        let keeps_label = self.settings.dialect == Dialect::Claude;
        match description {
            Some(description) => with_line(index, self.name.as_str(), description, keeps_label),
            None => without_line(index, self.name.as_str()),
        }
    }
}

/// What a hand wrote may hold what an upsert refuses: it is made visible and masked.
fn shown_description(description: &str) -> String {
    clean(&visible(&short_description(description)))
}

fn message(name: &str, status: EntryChangeStatus) -> String {
    match status {
        EntryChangeStatus::Deleted => {
            format!("`{name}` is in the trash; `agent-memory user restore {name}` brings it back")
        }
        EntryChangeStatus::Restored => format!("`{name}` is back"),
        EntryChangeStatus::Undone => format!("the latest change of `{name}` is taken back"),
        EntryChangeStatus::Unchanged => format!("`{name}` says this already"),
        EntryChangeStatus::Purged => format!("`{name}` is gone for good"),
        EntryChangeStatus::Created | EntryChangeStatus::Updated => format!("`{name}` was {status}"),
    }
}
