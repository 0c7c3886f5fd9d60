//! Reads the entries and the index.

use super::person_folder::PersonFolder;
use crate::contract::{ContentHash, FileState};
use crate::disk::files;
use crate::error::Result;
use crate::personal::request::EntryName;

pub(crate) const INDEX: &str = "memory/MEMORY.md";

/// An entry as it lies on the disk.
#[derive(Debug, Clone)]
pub(crate) struct StoredEntry {
    pub(crate) name: String,
    pub(crate) text: String,
}

impl StoredEntry {
    /// Returns the path of its file, relative to the person's folder.
    pub(crate) fn path(&self) -> String {
        format!("memory/{}.md", self.name)
    }

    pub(crate) fn hash(&self) -> ContentHash {
        ContentHash::of(self.text.as_bytes())
    }
}

/// All entries; both lists are sorted by name.
#[derive(Debug, Default)]
pub(crate) struct StoredEntries {
    pub(crate) readable: Vec<StoredEntry>,
    pub(crate) unreadable: Vec<UnreadableEntry>,
}

/// An entry whose file cannot be read, such as a link.
#[derive(Debug)]
pub(crate) struct UnreadableEntry {
    pub(crate) name: String,
    why: String,
}

impl StoredEntries {
    /// Returns the names of all entries, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let readable = self.readable.iter().map(|entry| &entry.name);
        let unreadable = self.unreadable.iter().map(|entry| &entry.name);
        let mut names: Vec<String> = readable.chain(unreadable).cloned().collect();
        names.sort_unstable();
        names
    }
}

impl std::fmt::Display for UnreadableEntry {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "`{}` is not read: {}", self.name, self.why)
    }
}

/// Reads one of the entries that [`names`] lists; a wrong file type or content is a value, not an error.
pub(crate) fn entry(
    folder: &PersonFolder,
    names: &[String],
    name: &EntryName,
) -> Result<FileState> {
    // On a disk that does not tell `a` from `A`, the file of another entry would answer.
    match names.iter().any(|there| there == name.as_str()) {
        true => files::read_memory(&folder.inside(&name.path())),
        false => Ok(FileState::Absent),
    }
}

/// Reads the text of the index; empty where there is none.
pub(crate) fn index(folder: &PersonFolder) -> Result<Option<String>> {
    files::read_text(&folder.inside(INDEX))
}

/// Lists the names of all entries, sorted.
pub(crate) fn names(folder: &PersonFolder) -> Result<Vec<String>> {
    let all = files::list(&folder.inside("memory"))?;
    let stems = all.into_iter().filter_map(|name| name.strip_suffix(".md").map(str::to_owned));
    Ok(stems.filter(|stem| !stem.eq_ignore_ascii_case("memory")).collect())
}

/// Reads all entries.
pub(crate) fn entries(folder: &PersonFolder) -> Result<StoredEntries> {
    let mut found = StoredEntries::default();
    for name in names(folder)? {
        match files::read_memory(&folder.inside(&format!("memory/{name}.md")))? {
            FileState::Text(text) => found.readable.push(StoredEntry { name, text }),
            FileState::Unusable(why) => found.unreadable.push(UnreadableEntry { name, why }),
            FileState::Absent => {}
        }
    }
    Ok(found)
}
