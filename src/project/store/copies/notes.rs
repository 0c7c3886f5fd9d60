//! Copies of the notes of a person's own, `local/`: of a branch, or of the whole worktree.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::folder::{CopiedFrom, Copies, read_about, temp_beside};
use crate::disk::folder::StorePath;
use crate::disk::{files, outside};
use crate::error::Result;
use crate::project::store::sections::is_memory;
use crate::secrets::Scanner;

/// A note that was lost with its state, its folder or its worktree.
#[derive(Debug, Clone)]
pub(crate) struct LostNote {
    pub(crate) path: String,
    pub(crate) from: CopiedFrom,
    pub(crate) is_worktree_gone: bool,
    pub(crate) copy: StorePath,
    text: String,
}

impl Copies<'_> {
    /// Copies the notes that changed.
    pub(super) fn renew_notes(&self, copies: &StorePath, former: &StorePath) -> Result<()> {
        let local = self.layout.inside(LOCAL);
        for name in notes_in(&local) {
            let note = local.join(&name);
            let (Some(text), copy) = (files::read_memory(&note)?.into_text(), copies.join(&name))
            else {
                continue;
            };
            let is_same = files::read_short(&copy)?.is_some_and(|old| old == text.as_bytes());
            // A person's own text may hold a secret.
            let may_be_copied = || !self.may_be_of_git(&format!("{LOCAL}/{name}"));
            if !is_same && may_be_copied() && Scanner::default().scan(&text).is_empty() {
                let temp = temp_beside(&copy)?;
                files::copy_mode(&note, &files::write(&temp, text.as_bytes())?)?;
                if lacks_lines(&text, &files::read_text(&copy)?.unwrap_or_default()) {
                    self.keep_former(&copy, &former.join(&name))?;
                }
                files::rename(&temp, &copy)?;
            }
        }
        Ok(())
    }

    /// Returns the notes that were lost with their state, their folder or their worktree, the newest of several. If only
    /// the file is missing, a person deleted it.
    pub(crate) fn notes_left_behind(&self, path: &str) -> Result<Option<(CopiedFrom, String)>> {
        let Some(name) = note_name(path) else { return Ok(None) };
        let there = |copies: &StorePath| {
            let name = Some(name).filter(|name| files::exists(&copies.join(name)));
            name.map(str::to_owned).into_iter().collect()
        };
        let newest = self.lost_copies(there)?.into_iter().next();
        Ok(newest.map(|lost| (lost.from, lost.text)))
    }

    /// Finds the lost notes of no branch that have lines which the note here has not, the newest first. Those of a branch
    /// are shown on that branch.
    pub(crate) fn lost_notes(&self) -> Result<Vec<LostNote>> {
        let is_of_no_branch = |name: &String| !is_of_branch(name);
        let of_no_branch =
            |copies: &StorePath| notes_in(copies).into_iter().filter(is_of_no_branch).collect();
        let (mut found, mut told) = (Vec::new(), BTreeSet::new());
        for lost in self.lost_copies(of_no_branch)? {
            let here = files::read_memory(&self.layout.inside(&lost.path))?.into_text();
            let is_new = lacks_lines(&here.unwrap_or_default(), &lost.text);
            if is_new && told.insert((lost.path.clone(), lost.text.clone())) {
                found.push(lost);
            }
        }
        Ok(found)
    }

    /// Reads the copies of lost notes with some names, the newest first.
    fn lost_copies(&self, names: impl Fn(&StorePath) -> Vec<String>) -> Result<Vec<LostNote>> {
        let here = self.about().store;
        let mut found = Vec::new();
        for state in files::list(&self.folder.inside(""))? {
            let folder = self.folder.inside(&state);
            let copies = folder.join(LOCAL);
            let names = names(&copies);
            let about = if names.is_empty() { None } else { read_about(&folder) };
            let Some(from) = about.filter(|from| from.store == here) else { continue };
            let store = self.store_of(&state, &from);
            if self.is_its(&store, &state) && outside::exists(&store.join(LOCAL)) {
                continue;
            }
            let is_worktree_gone = !outside::exists(&store);
            for name in names {
                let copy = copies.join(&name);
                let Some(text) = files::read_memory(&copy)?.into_text() else { continue };
                let (path, from) = (format!("{LOCAL}/{name}"), from.clone());
                found.push(LostNote { path, from, is_worktree_gone, copy, text });
            }
        }
        found.sort_by_cached_key(|lost| Reverse(files::modified(&lost.copy)));
        Ok(found)
    }
}

/// The folder of the notes, which git ignores.
const LOCAL: &str = "local";

/// Lists the notes below a folder, with paths relative to it.
fn notes_in(folder: &StorePath) -> Vec<String> {
    let below = |file: StorePath| {
        let name = file.relative().strip_prefix(folder.relative()).ok()?.to_str()?;
        // A backslash may lead out of the folder on another system.
        let name = if cfg!(windows) { name.replace('\\', "/") } else { name.to_owned() };
        note_name(&format!("{LOCAL}/{name}")).is_some().then_some(name)
    };
    let mut names: Vec<String> = files::all_below(folder).into_iter().filter_map(below).collect();
    names.sort();
    names
}

/// Returns the path of a note below its folder; `None` if it is no note.
fn note_name(path: &str) -> Option<&str> {
    let is_plain = is_memory(path) && !path.contains('\\');
    path.strip_prefix("local/").filter(|_| is_plain)
}

fn is_of_branch(name: &str) -> bool {
    name.starts_with("current.")
}

/// Tells whether a note lacks a line of its copy.
fn lacks_lines(note: &str, copy: &str) -> bool {
    let kept: BTreeSet<&str> = note.lines().collect();
    copy.lines().any(|line| !line.trim().is_empty() && !kept.contains(line))
}
