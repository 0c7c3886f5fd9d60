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
        let apart = files::all_below(&folder.set_apart()).into_iter();
        let edits: Vec<_> =
            apart.filter(|path| files::is_plain(path) && is_edit_of(path, name)).collect();
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

/// Tells whether a file in `state/trash` is an edit of an entry, of a copy of it, or of an index with its line: the path
/// below `edited-<hash>/` is its own, perhaps with a number behind it.
fn is_edit_of(file: &StorePath, name: &EntryName) -> bool {
    let Some(path) = file.relative().to_str() else { return false };
    let own = path.strip_prefix("state/trash/").and_then(|path| path.split_once('/'));
    let Some((_, own)) = own else { return false };
    let own = match own.rsplit_once(".md.") {
        Some((stem, number)) if number.parse::<u32>().is_ok() => &own[..stem.len() + 3],
        Some(_) | None => own,
    };
    let in_trash = own.strip_prefix("trash/").is_some_and(|file| is_copy_of(file, name));
    own == name.path() || in_trash || (own == INDEX && lists(file, name))
}

fn lists(index: &StorePath, name: &EntryName) -> bool {
    let text = files::read_text(index).ok().flatten().unwrap_or_default();
    listed(&text).iter().any(|line| line.name == name.as_str())
}
