//! The loop of a review: one proposal after another, one key for each decision.

use super::page::ShownPage;
use super::queue::Stores;
use super::state::{INTERRUPTED, Offer, PersonWords, Review, ReviewTurn};
use super::terminal::PressedKey;
use super::{programs, prompts, reading, rest, screen, split, terminal};
use crate::cli::output::DONE;
use crate::error::{Error, Result};
use crate::project::request::Reason;
use crate::project::verbs::{Selection, ShownProposal, own_proposal, show_from, show_queued};
use crate::secrets::shown_name;

impl Review<'_> {
    pub(super) fn run(mut self) -> Result<u8> {
        loop {
            let turn = match self.at < self.queue.len() {
                true => self.ask_about_current()?,
                false => self.ask_at_end()?,
            };
            match turn {
                ReviewTurn::Go(to) => self.at = to,
                ReviewTurn::End(code) => {
                    self.print_tally();
                    return Ok(code);
                }
                ReviewTurn::Ask | ReviewTurn::Show | ReviewTurn::Offer(..) => {}
            }
        }
    }

    /// Asks about one proposal until the person decides or leaves it.
    fn ask_about_current(&mut self) -> Result<ReviewTurn> {
        self.words = PersonWords::None;
        let mut selection = Selection::All;
        let mut last_shown: Option<(Option<String>, ShownPage)> = None;
        loop {
            let Some(stores) = self.stores()? else { return Ok(self.next()) };
            let Some(shown) = self.read_shown(&stores, &mut selection)? else {
                return Ok(self.next());
            };
            let page = match last_shown.take() {
                Some((digest, page)) if digest == shown.digest => page,
                Some(_) => {
                    self.talk("the files changed; this would be applied now:");
                    self.show(&shown, &selection)
                }
                None => match self.ask_to_remove_if_applied(&stores)? {
                    Some(turn) => return Ok(turn),
                    None => self.show(&shown, &selection),
                },
            };
            let mut offer = Offer { stores, shown, selection, page };
            let turn =
                self.read_key_and_act(&mut offer).unwrap_or_else(|error| self.print_error(&error));
            selection = offer.selection;
            match turn {
                ReviewTurn::Ask => last_shown = Some((offer.shown.digest, offer.page)),
                ReviewTurn::Show => {}
                ReviewTurn::Offer(other, words) => (selection, self.words) = (other, words),
                ReviewTurn::Go(_) | ReviewTurn::End(_) => return Ok(turn),
            }
        }
    }

    /// Asks at the end whether to undo the last decision.
    fn ask_at_end(&mut self) -> Result<ReviewTurn> {
        if self.decided.is_empty() {
            return Ok(ReviewTurn::End(DONE));
        }
        self.context.output.data("\n");
        match terminal::key(prompts::AT_THE_END)? {
            PressedKey::Char('u') => {
                Ok(self.undo().unwrap_or_else(|error| self.print_error(&error)))
            }
            PressedKey::Char('q') | PressedKey::Enter => Ok(ReviewTurn::End(DONE)),
            PressedKey::Interrupt => Ok(ReviewTurn::End(INTERRUPTED)),
            PressedKey::Char(_) | PressedKey::Erase | PressedKey::Escape | PressedKey::Other => {
                Ok(ReviewTurn::Ask)
            }
        }
    }

    fn print_error(&self, error: &Error) -> ReviewTurn {
        self.context.output.error(error);
        ReviewTurn::Ask
    }

    /// Returns `None`, and prints the error, if the worktree of the proposal cannot be opened.
    fn stores(&self) -> Result<Option<Stores>> {
        let queued = &self.queue[self.at];
        match Stores::of(queued, self.context) {
            Ok(stores) => Ok(Some(stores)),
            Err(error) if queued.other_root.is_some() => {
                self.context.output.error(&error);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn show(&self, shown: &ShownProposal, selection: &Selection) -> ShownPage {
        let (columns, _) = terminal::size();
        let position = self.queue[self.at].position(self.at, self.queue.len());
        self.context.output.data("\n");
        ShownPage::show(screen::text(shown, selection, position, columns), self.context.output)
    }

    /// Plans the selection on the current files, or the whole proposal if the selection is refused. Returns `None` if
    /// the proposal is no longer pending.
    fn read_shown(
        &mut self,
        stores: &Stores,
        selection: &mut Selection,
    ) -> Result<Option<ShownProposal>> {
        let wanted = self.wanted();
        if !matches!(selection, Selection::All) {
            match show_from(&stores.here, stores.home(), &wanted, selection)? {
                Ok(shown) => return Ok(Some(shown)),
                Err(refusal) if refusal.reason == Reason::StagingNotFound => {}
                Err(refusal) => {
                    self.context.output.refusal(&refusal);
                    self.keep_words(selection);
                    *selection = Selection::All;
                }
            }
        }
        let mut shown = show_queued(&stores.here, stores.home(), &wanted)?;
        if let Ok(shown) = &mut shown {
            let own = own_proposal(shown.pending.owner.as_deref(), &self.approval);
            shown.warnings.extend(own);
        }
        if let Err(refusal) = &shown {
            let why = shown_name(&refusal.message);
            self.talk(&format!("{} is no longer pending: {why}", self.id()));
            if self.words != PersonWords::None {
                self.talk("your text was not applied");
            }
        }
        Ok(shown.ok())
    }

    fn read_key_and_act(&mut self, offer: &mut Offer) -> Result<ReviewTurn> {
        let Offer { stores, shown, .. } = &*offer;
        self.context.output.data("\n");
        let key = prompts::ask_decision(shown.pending.readiness.reason)?;
        if self.keeps_unsaved_text(key)? {
            return Ok(ReviewTurn::Ask);
        }
        match key {
            PressedKey::Char('a') => self.apply(offer, false),
            PressedKey::Char('f') => self.apply(offer, true),
            PressedKey::Char('r') => self.reject(stores),
            PressedKey::Char('s') => split::split(self, stores, shown),
            PressedKey::Char('e') => self.edit(shown, &offer.selection),
            PressedKey::Char('b') => self.rebase(stores),
            PressedKey::Char('d') => {
                offer.page.open();
                Ok(ReviewTurn::Ask)
            }
            PressedKey::Char('t') => Ok(self.open_in_pager(&reading::whole_text(shown))),
            PressedKey::Char('w') => {
                Ok(self.open_in_pager(&reading::evidence(&stores.here, shown)))
            }
            PressedKey::Char('A') => rest::apply_rest(self),
            PressedKey::Char('R') => rest::reject_rest(self),
            PressedKey::Char('u') => self.undo(),
            PressedKey::Char('k') => Ok(self.next()),
            PressedKey::Char('q') => Ok(ReviewTurn::End(DONE)),
            PressedKey::Interrupt => Ok(ReviewTurn::End(INTERRUPTED)),
            PressedKey::Char('?') => {
                self.context.output.data(&prompts::help());
                Ok(ReviewTurn::Ask)
            }
            PressedKey::Enter => Ok(ReviewTurn::Show),
            PressedKey::Char(_) | PressedKey::Erase | PressedKey::Escape | PressedKey::Other => {
                self.context.output.data("press one of the listed keys; ? explains them\n");
                Ok(ReviewTurn::Ask)
            }
        }
    }

    fn open_in_pager(&self, text: &str) -> ReviewTurn {
        programs::page(text, self.context.output);
        ReviewTurn::Ask
    }
}
