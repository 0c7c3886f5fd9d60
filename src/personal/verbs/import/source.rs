//! Finds what a source holds, and names it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::claude::memory_of;
use super::folder::items_in;
use super::item::{ImportItem, ItemContent};
use crate::contract::LARGEST_FILE;
use crate::disk::outside;
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
const NAME: usize = 40;

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
        return Err(
            EntryRefusal::new(EntryReason::TooLarge, message, "look at what is in it").into()
        );
    }
    let Some(text) = outside::read_text(path)? else {
        let message = format!("there is no `{}`", path.display());
        let hint = "Gemini CLI writes it as it is asked to remember something";
        return Err(EntryRefusal::new(EntryReason::EntryNotFound, message, hint).into());
    };
    let stored = folder.map(entries).transpose()?.map(|(stored, _)| stored).unwrap_or_default();
    let items = BulletNames::new(stored).name_all(added_memories(&text));
    Ok(SourceItems { path: path.to_owned(), items, warnings: Vec::new() })
}

/// The names of bullets, which have none of their own: one that is an entry already keeps its name.
struct BulletNames {
    names: EntryNames,
    by_body: BTreeMap<String, EntryName>,
}

impl BulletNames {
    fn new(stored: Vec<StoredEntry>) -> Self {
        let mut given = Self { names: EntryNames::default(), by_body: BTreeMap::new() };
        for StoredEntry { name, text } in stored {
            given.names.reserve(&name);
            if let (Ok(name), EntryFile::Entry(content)) =
                (EntryName::parse(&name), EntryFile::read(&text))
            {
                given.by_body.entry(content.body.trim().to_owned()).or_insert(name);
            }
        }
        given
    }

    /// A bullet that stands twice is one entry.
    fn name_all(mut self, bullets: Vec<AddedMemory>) -> Vec<ImportItem> {
        let mut seen = BTreeSet::new();
        let new = bullets.into_iter().filter(|bullet| seen.insert(bullet.text.clone()));
        new.map(|AddedMemory { line, text }| {
            let known = self.by_body.get(&text).cloned();
            let name = known.unwrap_or_else(|| self.names.give(first_words(&text), NAME));
            let from = format!("GEMINI.md:{line}");
            ImportItem { from, name, is_renamed: false, content: ItemContent::Bullet(text) }
        })
        .collect()
    }
}

fn first_words(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
