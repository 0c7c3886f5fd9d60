//! The person's own text for a proposal; it is never dropped without a question.

use super::programs;
use super::queue::Stores;
use super::session::{Session, Turn};
use super::terminal::{self, Key};
use crate::cli::rebase::{UNSETTLED, settle};
use crate::error::Result;
use crate::project::pipeline::Amendment;
use crate::project::verbs::{Selection, ShownProposal, rebase};

/// The text that a person wrote instead of the proposal.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Words {
    None,
    /// It is shown, and one key applies it.
    Shown,
    /// It was refused, and can be edited again.
    Refused(Amendment),
}

impl Session<'_> {
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
            let begun = match &self.words {
                Words::Refused(texts) => texts.get(&file.memory_path),
                Words::None | Words::Shown => None,
            };
            let text = match programs::edit_text(begun.unwrap_or(&file.after)) {
                Ok(text) => text,
                Err(error) if texts.is_empty() => return Err(error),
                Err(error) => {
                    self.words = Words::Refused(texts);
                    return Err(error);
                }
            };
            texts.insert(file.memory_path.clone(), text);
        }
        let is_same =
            shown.diffs.iter().all(|file| texts.get(&file.memory_path) == Some(&file.after));
        if is_same {
            if let Words::Refused(_) = self.words {
                self.words = Words::None;
            }
            self.talk("nothing was edited");
            return Ok(Turn::Ask);
        }
        // Operations that were left out before stay left out.
        let written = match selection.operations().cloned() {
            Some(operations) => Selection::Pieces { operations, texts },
            None => Selection::Amended(texts),
        };
        Ok(Turn::Offer(written, Words::Shown))
    }

    pub(super) fn rebase(&self, stores: &Stores) -> Result<Turn> {
        match rebase(&stores.here, stores.home(), &self.wanted())? {
            Ok(rebased) => Ok(match settle(&rebased.files)? {
                Some(settled) => Turn::Offer(settled, Words::Shown),
                None => {
                    self.talk(UNSETTLED);
                    Turn::Ask
                }
            }),
            Err(refusal) => {
                self.context.output.refusal(&refusal);
                Ok(Turn::Ask)
            }
        }
    }

    /// Tells whether a key would drop the person's text, and they want to keep it.
    pub(super) fn would_lose(&self, key: Key) -> Result<bool> {
        match (&self.words, key) {
            (Words::None, _) | (Words::Shown, Key::Char('a' | 'f')) => Ok(false),
            (_, Key::Char('a' | 'f' | 'r' | 's' | 'b' | 'A' | 'R' | 'u' | 'k' | 'q')) => {
                let question = "Your words have not landed. Drop them? [y,n]";
                Ok(terminal::key(question)? != Key::Char('y'))
            }
            (_, Key::Interrupt) => {
                self.talk("your words have not landed; the proposal waits as it was");
                Ok(false)
            }
            (_, Key::Char(_) | Key::Enter | Key::Erase | Key::Escape | Key::Other) => Ok(false),
        }
    }

    /// Keeps a refused text, so that it can be edited again.
    pub(super) fn keep_words(&mut self, selection: &Selection) {
        if self.words == Words::Shown
            && let Some(texts) = selection.texts()
        {
            self.words = Words::Refused(texts.clone());
            self.talk("e opens your words again");
        }
    }
}
