//! The person's own text for a proposal; no decision key drops it unasked.

use super::queue::Stores;
use super::state::{PersonWords, Review, ReviewTurn};
use super::terminal::{self, PressedKey};
use crate::cli::editor::{Editor, REMOVAL};
use crate::cli::rebase::{NOT_RESOLVED, resolve_in_editor};
use crate::error::Result;
use crate::project::verbs::{Amendment, Selection, ShownProposal, rebase};

impl Review<'_> {
    pub(super) fn edit(
        &mut self,
        shown: &ShownProposal,
        selection: &Selection,
    ) -> Result<ReviewTurn> {
        let editor = Editor::of(&self.context.session);
        let mut texts = Amendment::new();
        for file in &shown.diffs {
            if file.is_masked {
                self.talk(&format!(
                    "`{}` holds what looks like a secret; it cannot be edited here",
                    file.path
                ));
                return Ok(ReviewTurn::Ask);
            }
            let begun = match &self.words {
                PersonWords::Kept(texts) => texts.get(&file.memory_path),
                PersonWords::None | PersonWords::Shown => None,
            };
            let text = match editor.edit_text(begun.unwrap_or(&file.after), REMOVAL) {
                Ok(text) => text,
                Err(error) if texts.is_empty() => return Err(error),
                Err(error) => {
                    self.words = PersonWords::Kept(texts);
                    return Err(error);
                }
            };
            texts.insert(file.memory_path.clone(), text);
        }
        let is_same =
            shown.diffs.iter().all(|file| texts.get(&file.memory_path) == Some(&file.after));
        if is_same {
            if let PersonWords::Kept(_) = self.words {
                self.words = PersonWords::None;
            }
            self.talk("nothing was edited");
            return Ok(ReviewTurn::Ask);
        }
        // Operations that were left out before stay left out.
        let written = match selection.operations().cloned() {
            Some(operations) => Selection::Pieces { operations, texts },
            None => Selection::Amended(texts),
        };
        Ok(ReviewTurn::Offer(written, PersonWords::Shown))
    }

    pub(super) fn rebase(&self, stores: &Stores) -> Result<ReviewTurn> {
        match rebase(&stores.here, stores.home(), &self.wanted())? {
            Ok(rebased) => Ok(match resolve_in_editor(&rebased.files, &self.context.session)? {
                Some(settled) => ReviewTurn::Offer(settled, PersonWords::Shown),
                None => {
                    self.talk(NOT_RESOLVED);
                    ReviewTurn::Ask
                }
            }),
            Err(refusal) => {
                self.context.output.refusal(&refusal);
                Ok(ReviewTurn::Ask)
            }
        }
    }

    /// Tells whether a key would drop the person's text, and they want to keep it.
    pub(super) fn keeps_unsaved_text(&self, key: PressedKey) -> Result<bool> {
        match (&self.words, key) {
            (PersonWords::None, _) | (PersonWords::Shown, PressedKey::Char('a' | 'f')) => Ok(false),
            (_, PressedKey::Char('a' | 'f' | 'r' | 's' | 'b' | 'A' | 'R' | 'u' | 'k' | 'q')) => {
                let question = "Your text was not applied. Drop it? [y,n]";
                Ok(terminal::key(question)? != PressedKey::Char('y'))
            }
            (_, PressedKey::Interrupt) => {
                self.talk("your text was not applied; the proposal is pending as it was");
                Ok(false)
            }
            (
                _,
                PressedKey::Char(_)
                | PressedKey::Enter
                | PressedKey::Erase
                | PressedKey::Escape
                | PressedKey::Other,
            ) => Ok(false),
        }
    }

    /// Keeps a refused text, so that it can be edited again.
    pub(super) fn keep_words(&mut self, selection: &Selection) {
        if self.words == PersonWords::Shown
            && let Some(texts) = selection.texts()
        {
            self.words = PersonWords::Kept(texts.clone());
            self.talk("`e` opens your text again");
        }
    }
}
