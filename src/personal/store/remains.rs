//! All that is stored of an entry, to be removed for good.

use super::change::EntryUndoLine;
use super::entries::{INDEX, names};
use super::person_folder::PersonFolder;
use super::trash::is_copy_of;
use crate::disk::files;
use crate::disk::folder::StorePath;
use crate::disk::step::{FormerFile, Step};
use crate::disk::undo_list::ShorterUndoList;
use crate::error::Result;
use crate::personal::index_file::listed;
use crate::personal::request::EntryName;

/// All that is stored of an entry, its line in the index apart.
#[derive(Debug)]
pub(crate) struct Remains {
    /// Whether the entry stands.
    pub(crate) stands: bool,
    /// Copies in the trash.
    pub(crate) copies: usize,
    /// Edits that were set apart.
    pub(crate) edits: usize,
    /// The files of all these.
    files: Vec<StorePath>,
    /// The undo list without its changes.
    pub(crate) undo: ShorterUndoList,
}

impl Remains {
    pub(crate) fn of(folder: &PersonFolder, name: &EntryName) -> Result<Self> {
        let stands = names(folder)?.iter().any(|there| there == name.as_str());
        let deleted = files::list(&folder.deleted())?.into_iter();
        let deleted = deleted.filter(|file| is_copy_of(file, name));
        let copies: Vec<_> = deleted.map(|file| folder.deleted().join(file)).collect();
        let mut edits = Vec::new();
        for path in files::all_below(&folder.set_apart()) {
            if files::is_plain(&path) && is_edit_of(&path, name)? {
                edits.push(path);
            }
        }
        let is_its = |line: &EntryUndoLine| match line {
            EntryUndoLine::Change(change) => {
                change.name == name.as_str() || change.index.mentions(name)
            }
            EntryUndoLine::Undone { .. } => false,
        };
        let undo = folder.undo_list().without(is_its)?;
        let (copies_found, edits_found) = (copies.len(), edits.len());
        let own = stands.then(|| folder.inside(&name.path()));
        let files = own.into_iter().chain(copies).chain(edits).collect();
        Ok(Self { stands, copies: copies_found, edits: edits_found, files, undo })
    }

    pub(crate) fn is_nothing(&self) -> bool {
        self.files.is_empty() && self.undo.removed == 0
    }

    /// Returns the steps that remove it.
    pub(crate) fn into_steps(self) -> Result<Vec<Step>> {
        let mut steps = Vec::new();
        for file in &self.files {
            let Some(bytes) = files::read(file)? else { continue };
            let path = file.relative().to_string_lossy().into_owned();
            steps.push(Step::Remove { path, before: FormerFile::of(bytes) });
        }
        steps.extend(self.undo.step());
        Ok(steps)
    }
}

/// Tells whether a file in `state/trash` is an edit of the entry, of a deleted copy, or of an index that lists it. Its path
/// is `edited-<hash>/`, the path of the edited file, and perhaps `.2`.
fn is_edit_of(file: &StorePath, name: &EntryName) -> Result<bool> {
    let Some(path) = file.relative().to_str() else { return Ok(false) };
    let own = path.strip_prefix("state/trash/").and_then(|path| path.split_once('/'));
    let Some((_, own)) = own else { return Ok(false) };
    let own = match own.rsplit_once(".md.") {
        Some((stem, number)) if number.parse::<u32>().is_ok() => &own[..stem.len() + 3],
        Some(_) | None => own,
    };
    let in_trash = own.strip_prefix("trash/").is_some_and(|file| is_copy_of(file, name));
    Ok(own == name.path() || in_trash || (own == INDEX && lists(file, name)?))
}

fn lists(index: &StorePath, name: &EntryName) -> Result<bool> {
    // An editor may have written it in any encoding.
    let bytes = files::read(index)?.unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    Ok(listed(&text).iter().any(|line| line.name == name.as_str()))
}
