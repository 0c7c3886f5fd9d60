//! All that is stored of an entry, to be removed for good.

use super::change::EntryUndoLine;
use super::entries::{INDEX, names};
use super::person_folder::PersonFolder;
use super::trash::is_copy_of;
use crate::disk::files;
use crate::disk::folder::StorePath;
use crate::disk::step::{FormerFile, Step};
use crate::disk::undo_list::RewrittenUndoList;
use crate::error::Result;
use crate::personal::index_file::{listed, without_line};
use crate::personal::request::EntryName;
use crate::text::read_roughly;

/// All that is stored of an entry, its line in the index apart.
#[derive(Debug)]
pub(crate) struct Remains {
    /// Whether the entry stands.
    pub(crate) stands: bool,
    /// Copies in the trash.
    pub(crate) copies: usize,
    /// Edits that were set apart.
    pub(crate) edits: usize,
    /// The files that go as a whole.
    files: Vec<StorePath>,
    /// Set-apart copies of the index that have its line.
    indexes: Vec<StorePath>,
    /// The undo list without its changes.
    pub(crate) undo: RewrittenUndoList,
}

impl Remains {
    pub(crate) fn of(folder: &PersonFolder, name: &EntryName) -> Result<Self> {
        let stands = names(folder)?.iter().any(|there| there == name.as_str());
        let deleted = files::list(&folder.deleted())?.into_iter();
        let deleted = deleted.filter(|file| is_copy_of(file, name));
        let copies: Vec<_> = deleted.map(|file| folder.deleted().join(file)).collect();
        let (mut edits, mut indexes) = (Vec::new(), Vec::new());
        for path in files::all_below(&folder.set_apart()).into_iter().filter(files::is_plain) {
            match edited_path(&path) {
                Some(own) if own == name.path() || is_deleted_copy(&own, name) => edits.push(path),
                Some(own) if own == INDEX && lists(&path, name)? => indexes.push(path),
                Some(_) | None => {}
            }
        }
        // A change of another entry can still be undone, but for the line that it replaced.
        let undo = folder.undo_list().rewritten(|line| match line {
            EntryUndoLine::Change(change) if change.name == name.as_str() => None,
            EntryUndoLine::Change(mut change) if change.index.mentions(name) => {
                change.index.forget();
                Some(EntryUndoLine::Change(change))
            }
            other => Some(other),
        })?;
        let (copies_found, edits_found) = (copies.len(), edits.len() + indexes.len());
        let own = stands.then(|| folder.inside(&name.path()));
        let files = own.into_iter().chain(copies).chain(edits).collect();
        Ok(Self { stands, copies: copies_found, edits: edits_found, files, indexes, undo })
    }

    pub(crate) fn is_nothing(&self) -> bool {
        self.files.is_empty() && self.indexes.is_empty() && self.undo.removed == 0
    }

    /// Returns the steps that remove it.
    pub(crate) fn into_steps(self, name: &EntryName) -> Result<Vec<Step>> {
        let mut steps = Vec::new();
        for file in &self.files {
            let Some((path, bytes)) = still_there(file)? else { continue };
            steps.push(Step::Remove { path, before: FormerFile::of(bytes) });
        }
        for file in &self.indexes {
            let Some((path, bytes)) = still_there(file)? else { continue };
            // What else a person wrote there stays. In another encoding no line can be taken out.
            steps.push(match String::from_utf8(bytes) {
                Ok(text) => Step::write(&path, Some(&text), without_line(&text, name.as_str())),
                Err(error) => Step::Remove { path, before: FormerFile::of(error.into_bytes()) },
            });
        }
        steps.extend(self.undo.step());
        Ok(steps)
    }
}

/// Reads a file that may be gone by now; returns its path in the person's folder too.
fn still_there(file: &StorePath) -> Result<Option<(String, Vec<u8>)>> {
    let path = file.relative().to_string_lossy().into_owned();
    Ok(files::read(file)?.map(|bytes| (path, bytes)))
}

/// Returns the path of the file of which a file in `state/trash` is an edit. Its own path is `edited-<hash>/`, that path, and
/// perhaps `.2`.
fn edited_path(file: &StorePath) -> Option<String> {
    let (_, own) = file.relative().to_str()?.strip_prefix("state/trash/")?.split_once('/')?;
    Some(match own.rsplit_once(".md.") {
        Some((stem, number)) if number.parse::<u32>().is_ok() => format!("{stem}.md"),
        Some(_) | None => own.to_owned(),
    })
}

fn is_deleted_copy(path: &str, name: &EntryName) -> bool {
    path.strip_prefix("trash/").is_some_and(|file| is_copy_of(file, name))
}

fn lists(index: &StorePath, name: &EntryName) -> Result<bool> {
    // An editor may have written it in any encoding.
    let bytes = files::read(index)?.unwrap_or_default();
    Ok(listed(&read_roughly(&bytes)).iter().any(|line| line.name == name.as_str()))
}
