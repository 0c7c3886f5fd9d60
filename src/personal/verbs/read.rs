//! `read`: an entry, or the index.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use super::edit::not_found;
use super::index_size::size_of;
use super::session::{EntryAnswer, PersonalSession};
use super::stop::{EarlyEnd, answered};
use crate::contract::{ContentHash, FileState};
use crate::error::{Error, ErrorKind};
use crate::personal::entry_file::{EntryContent, EntryFile, is_same_name};
use crate::personal::request::{EntryName, EntryType, IndexRead, ReadEntry, read_wanted};
use crate::personal::settings::PersonalSettings;
use crate::personal::store::{INDEX, PersonFolder, entry, index, names};
use crate::secrets::Scanner;

/// An entry, or the index.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
#[serde(untagged)]
pub(crate) enum ReadAnswer {
    Entry(ReadEntry),
    Index(IndexRead),
}

impl ReadAnswer {
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Entry(entry) => &entry.text,
            Self::Index(index) => &index.text,
        }
    }

    pub(crate) fn warnings(&self) -> &[String] {
        match self {
            Self::Entry(entry) => &entry.warnings,
            Self::Index(index) => &index.warnings,
        }
    }
}

/// Reads what a request names.
pub(crate) fn read(session: &PersonalSession, request: &Value) -> EntryAnswer<ReadAnswer> {
    answered(|| {
        let user = session.user()?;
        let name = read_wanted(request)?;
        let found = session.find(user)?;
        let warnings = match &found {
            Some((folder, _)) => folder.settle(session.lock_wait)?,
            None => Vec::new(),
        };
        match (name, found) {
            (Some(name), Some((folder, settings))) => {
                let text = text_of(&folder, &name)?;
                Ok(ReadAnswer::Entry(read_entry(&name, &text, &settings.scanner(), warnings)))
            }
            (Some(name), None) => Err(not_found(&name).into()),
            (None, found) => read_index(found, warnings).map(ReadAnswer::Index),
        }
    })
}

/// Returns the text of an entry, which must be there.
pub(super) fn text_of(folder: &PersonFolder, name: &EntryName) -> Result<String, EarlyEnd> {
    match entry(folder, &names(folder)?, name)? {
        FileState::Absent => Err(not_found(name).into()),
        FileState::Text(text) => Ok(text),
        FileState::Unusable(why) => {
            let path = folder.inside(&name.path());
            Err(Error::new(ErrorKind::StoreDamaged, format!("{why}:")).at(&path).into())
        }
    }
}

fn read_entry(
    name: &EntryName,
    text: &str,
    scanner: &Scanner,
    mut warnings: Vec<String>,
) -> ReadEntry {
    let content = content_of(name.as_str(), text, scanner, &mut warnings);
    let EntryContent { kind, description, body, modified, .. } = content;
    let kind = kind.unwrap_or_else(|| EntryType::Reference.name().to_owned());
    let description = description.unwrap_or_default();
    let body = body.trim_end_matches('\n').to_owned();
    ReadEntry {
        text: format!(
            "# Memory: {name}\n**Type**: {kind}\n**Description**: {description}\n\n{body}"
        ),
        name: name.to_string(),
        kind,
        description,
        body,
        path: name.path(),
        hash: ContentHash::of(text.as_bytes()).to_string(),
        modified,
        warnings,
    }
}

/// Reads the text of an entry; what looks like a secret is masked. Where the front matter cannot be read, all of it is the
/// body.
pub(super) fn content_of(
    name: &str,
    text: &str,
    scanner: &Scanner,
    warnings: &mut Vec<String>,
) -> EntryContent {
    let (mut content, mut is_masked) = masked_head(name, text, scanner, warnings);
    content.body = mask(content.body, scanner, &mut is_masked);
    warn_of_masks(name, is_masked, warnings);
    content
}

/// Reads what stands above the body: to scan all bodies takes most of the time of a list.
pub(super) fn head_of(
    name: &str,
    text: &str,
    scanner: &Scanner,
    warnings: &mut Vec<String>,
) -> EntryContent {
    let (content, is_masked) = masked_head(name, text, scanner, warnings);
    warn_of_masks(name, is_masked, warnings);
    EntryContent { body: String::new(), ..content }
}

fn masked_head(
    name: &str,
    text: &str,
    scanner: &Scanner,
    warnings: &mut Vec<String>,
) -> (EntryContent, bool) {
    let content = match EntryFile::read(text) {
        EntryFile::Entry(content) => content,
        EntryFile::Unreadable(why) => {
            warnings.push(format!("the front matter of `{name}` cannot be read: {why}"));
            EntryContent::whole(text)
        }
    };
    if let Some(other) = content.name.as_deref().filter(|other| !is_same_name(other, name)) {
        warnings.push(format!("`{name}` calls itself `{other}`; its file decides"));
    }
    // What a hand wrote was never screened; masked before it is read, it would be other YAML.
    let mut is_masked = false;
    let mut mask = |text| mask(text, scanner, &mut is_masked);
    let content = EntryContent {
        kind: content.kind.map(&mut mask),
        description: content.description.map(&mut mask),
        modified: content.modified.map(&mut mask),
        ..content
    };
    (content, is_masked)
}

fn mask(text: String, scanner: &Scanner, is_masked: &mut bool) -> String {
    match scanner.redact(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(masked) => {
            *is_masked = true;
            masked
        }
    }
}

fn warn_of_masks(name: &str, is_masked: bool, warnings: &mut Vec<String>) {
    if is_masked {
        warnings.push(format!("what looks like a secret in `{name}` is withheld"));
    }
}

fn read_index(
    found: Option<(PersonFolder, PersonalSettings)>,
    warnings: Vec<String>,
) -> Result<IndexRead, EarlyEnd> {
    let (text, settings) = match found {
        Some((folder, settings)) => {
            let text = index(&folder)?.unwrap_or_default();
            (settings.scanner().redact(&text).into_owned(), settings)
        }
        None => (String::new(), PersonalSettings::default()),
    };
    let index = size_of(&text, &settings);
    Ok(IndexRead { text, path: INDEX.to_owned(), index, warnings })
}
