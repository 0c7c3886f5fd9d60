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

/// Reads all entries by name, and says which files cannot be read.
pub(crate) fn entries(folder: &PersonFolder) -> Result<(Vec<StoredEntry>, Vec<String>)> {
    let (mut found, mut unreadable) = (Vec::new(), Vec::new());
    for name in names(folder)? {
        match files::read_memory(&folder.inside(&format!("memory/{name}.md")))? {
            FileState::Text(text) => found.push(StoredEntry { name, text }),
            FileState::Unusable(why) => unreadable.push(format!("`{name}` is not read: {why}")),
            FileState::Absent => {}
        }
    }
    Ok((found, unreadable))
}
