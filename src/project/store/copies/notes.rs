//! Copies of the notes of a branch, `local/current.*.md`.

use std::collections::BTreeSet;

use super::folder::{CopiedFrom, Copies, read_about, temp_beside};
use crate::disk::folder::StorePath;
use crate::disk::{files, outside};
use crate::error::Result;
use crate::secrets::Scanner;

impl Copies<'_> {
    /// Copies the notes that changed.
    pub(super) fn renew_notes(&self, copies: &StorePath, former: &StorePath) -> Result<()> {
        for name in files::list(&self.layout.inside("local"))?.iter().filter(|name| is_note(name)) {
            let note = self.layout.inside("local").join(name);
            let (Some(text), copy) = (files::read_memory(&note)?.into_text(), copies.join(name))
            else {
                continue;
            };
            let is_same = files::read_short(&copy)?.is_some_and(|old| old == text.as_bytes());
            // A person's own text may hold a secret.
            let may_be_copied = || !self.may_be_of_git(&format!("local/{name}"));
            if !is_same && may_be_copied() && Scanner::default().scan(&text).is_empty() {
                let temp = temp_beside(&copy)?;
                files::copy_mode(&note, &files::write(&temp, text.as_bytes())?)?;
                if has_lost_words(&copy, &text)? {
                    self.keep_former(&copy, &former.join(name))?;
                }
                files::rename(&temp, &copy)?;
            }
        }
        Ok(())
    }

    /// Returns the notes of a branch that were lost with their state, their folder or their worktree. If only the file
    /// is missing, a person deleted it.
    pub(crate) fn notes_left_behind(&self, path: &str) -> Result<Option<(CopiedFrom, String)>> {
        let Some(name) = path.strip_prefix("local/").filter(|name| is_note(name)) else {
            return Ok(None);
        };
        let here = self.about().store;
        for state in files::list(&self.folder.inside(""))? {
            let folder = self.folder.inside(&state);
            let Some(from) = read_about(&folder).filter(|from| from.store == here) else {
                continue;
            };
            let text = files::read_memory(&folder.join("local").join(name))?.into_text();
            let store = self.store_of(&state, &from);
            let is_deleted = self.is_its(&store, &state) && outside::exists(&store.join("local"));
            if let Some(text) = text.filter(|_| !is_deleted) {
                return Ok(Some((from, text)));
            }
        }
        Ok(None)
    }
}

/// Tells whether a note lacks a line of its copy.
fn has_lost_words(copy: &StorePath, note: &str) -> Result<bool> {
    let text = files::read_text(copy)?.unwrap_or_default();
    let kept: BTreeSet<&str> = note.lines().collect();
    Ok(text.lines().any(|line| !line.trim().is_empty() && !kept.contains(line)))
}

fn is_note(name: &str) -> bool {
    name.starts_with("current.") && name.ends_with(".md")
}
