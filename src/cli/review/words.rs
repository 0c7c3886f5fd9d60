//! What a person writes in the place of a proposal, and that none of it is lost unasked.

use super::programs;
use super::queue::Stores;
use super::session::{Session, Turn};
use super::terminal::{self, Key};
use crate::cli::rebase::settle;
use crate::error::Result;
use crate::ops::{Selection, ShownProposal, rebase};
use crate::pipeline::Amendment;

impl Session<'_> {
    /// Lets the person write what should stand in the files instead.
    pub(super) fn edit(&mut self, shown: &ShownProposal, selection: &Selection) -> Result<Turn> {
        let mut texts = Amendment::new();
        for file in &shown.diffs {
            if file.is_masked {
                self.talk(&format!(
                    "`{}` holds what looks like a secret; it cannot be edited here",
                    file.path
                ));
                return Ok(Turn::Ask);
            }
            let begun = self.draft.as_ref().and_then(|draft| draft.get(&file.memory_path));
            let text = match programs::edit_text(begun.unwrap_or(&file.after)) {
                Ok(text) => text,
                Err(error) if texts.is_empty() => return Err(error),
                Err(error) => {
                    self.draft = Some(texts);
                    return Err(error);
                }
            };
            texts.insert(file.memory_path.clone(), text);
        }
        let is_same =
            shown.diffs.iter().all(|file| texts.get(&file.memory_path) == Some(&file.after));
        if is_same {
            self.draft = None;
            self.talk("nothing was edited");
            return Ok(Turn::Ask);
        }
        // What was left out before stays left out.
        Ok(Turn::Offer(match selection.operations().cloned() {
            Some(operations) => Selection::Pieces { operations, texts },
            None => Selection::Amended(texts),
        }))
    }

    /// Merges the proposal with what changed since; the result is offered.
    pub(super) fn rebase(&self, stores: &Stores) -> Result<Turn> {
        match rebase(&stores.here, stores.home(), &self.wanted())? {
            Ok(rebased) => Ok(Turn::Offer(settle(&rebased.files)?)),
            Err(refusal) => {
                self.context.output.refusal(&refusal);
                Ok(Turn::Ask)
            }
        }
    }

    /// Tells whether a key would lose what the person wrote, and they do not want that.
    pub(super) fn would_lose(&self, key: Key, selection: &Selection) -> Result<bool> {
        if !self.has_words(selection) {
            return Ok(false);
        }
        match key {
            // The words at hand land with these keys, but not those that were refused.
            Key::Char('a' | 'f') if self.draft.is_none() => Ok(false),
            Key::Char('a' | 'f' | 'r' | 's' | 'b' | 'A' | 'R' | 'u' | 'k' | 'q') => {
                let question = "Your words have not landed. Drop them? [y,n]";
                Ok(terminal::key(question)? != Key::Char('y'))
            }
            Key::Interrupt => {
                self.talk("your words have not landed; the proposal waits as it was");
                Ok(false)
            }
            Key::Char(_) | Key::Enter | Key::Erase | Key::Escape | Key::Other => Ok(false),
        }
    }

    /// Tells whether the person wrote something that has not landed.
    pub(super) fn has_words(&self, selection: &Selection) -> bool {
        self.draft.is_some() || matches!(selection, Selection::Amended(_))
    }

    /// Keeps what may not land as it was written: it can be mended.
    pub(super) fn keep_draft(&mut self, selection: &Selection) {
        if let Selection::Amended(texts) = selection {
            self.draft = Some(texts.clone());
            self.talk("e opens your words again");
        }
    }
}
