//! Finds what a source holds, and names it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::claude::memory_of;
use super::folder::items_in;
use super::item::{ImportItem, ItemContent};
use crate::contract::LARGEST_FILE;
use crate::disk::outside;
use crate::error::Error;
use crate::personal::entry_file::EntryFile;
use crate::personal::request::{EntryName, EntryReason, EntryRefusal};
use crate::personal::sources::{AddedMemory, EntryNames, added_memories};
use crate::personal::store::{PersonFolder, StoredEntry, entries};
use crate::personal::verbs::stop::EarlyEnd;

/// Where another tool keeps what it knows of the person.
#[derive(Debug, Clone)]
pub(crate) enum ImportSource {
    /// A folder of Markdown files, such as an export.
    Folder(PathBuf),
    /// The memory that Claude Code keeps of a project, below its folder of settings.
    Claude { settings: PathBuf, project: PathBuf },
    /// The file of Gemini CLI.
    Gemini(PathBuf),
}

/// Whether an import writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ImportMode {
    Write,
    DryRun,
}

/// What a source holds.
pub(super) struct SourceItems {
    /// The folder or file that was read.
    pub(super) path: PathBuf,
    /// In the order in which the entries are made.
    pub(super) items: Vec<ImportItem>,
    pub(super) warnings: Vec<String>,
}

/// Characters of a name that is made of the first words of a bullet.
const BULLET_NAME: usize = 40;

/// Finds what a source holds; `folder` is what is stored of the person already.
pub(super) fn gather(
    source: &ImportSource,
    folder: Option<&PersonFolder>,
) -> Result<SourceItems, EarlyEnd> {
    match source {
        ImportSource::Folder(path) => files_of(path),
        ImportSource::Claude { settings, project } => files_of(&memory_of(settings, project)?),
        ImportSource::Gemini(path) => bullets_of(path, folder),
    }
}

fn files_of(path: &Path) -> Result<SourceItems, EarlyEnd> {
    let folder = outside::open_folder(path)?;
    let (items, warnings) = items_in(&folder)?;
    Ok(SourceItems { path: folder.path().to_owned(), items, warnings })
}

fn bullets_of(path: &Path, folder: Option<&PersonFolder>) -> Result<SourceItems, EarlyEnd> {
    if outside::length(path) > LARGEST_FILE {
        let message = format!("`{}` is larger than 16 MiB", path.display());
        let hint = "shorten it, or move what you want to keep into files and import their folder";
        return Err(EntryRefusal::new(EntryReason::TooLarge, message, hint).into());
    }
    let Some(text) = outside::read_text(path)? else {
        let message = format!("there is no `{}`", path.display());
        let hint = "ask Gemini CLI to remember something first, or import a folder: `agent-memory user import DIR`";
        return Err(EntryRefusal::new(EntryReason::EntryNotFound, message, hint).into());
    };
    let given = folder.map(BulletNames::of).transpose()?.unwrap_or_default();
    let items = given.name_all(added_memories(&text));
    Ok(SourceItems { path: path.to_owned(), items, warnings: Vec::new() })
}

/// Names bullets, which have no names. A bullet that is the body of an entry gets the name of that entry.
#[derive(Default)]
struct BulletNames {
    names: EntryNames,
    by_body: BTreeMap<String, EntryName>,
}

impl BulletNames {
    fn of(folder: &PersonFolder) -> Result<Self, Error> {
        let mut given = Self::default();
        let stored = entries(folder)?;
        // A file that cannot be read has its name too.
        for name in stored.names() {
            given.names.reserve(&name);
        }
        for StoredEntry { name, text } in stored.readable {
            if let (Ok(name), EntryFile::Entry(content)) =
                (EntryName::parse(&name), EntryFile::read(&text))
            {
                given.by_body.entry(content.body.trim().to_owned()).or_insert(name);
            }
        }
        Ok(given)
    }

    /// A bullet that stands twice is one entry.
    fn name_all(mut self, bullets: Vec<AddedMemory>) -> Vec<ImportItem> {
        let mut seen = BTreeSet::new();
        let new = bullets.into_iter().filter(|bullet| seen.insert(bullet.text.clone()));
        new.map(|AddedMemory { line, text }| {
            let known = self.by_body.get(&text).cloned();
            let name = known.unwrap_or_else(|| self.names.give(first_words(&text), BULLET_NAME));
            let from = format!("GEMINI.md:{line}");
            ImportItem { from, name, is_renamed: false, content: ItemContent::Bullet(text) }
        })
        .collect()
    }
}

fn first_words(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
