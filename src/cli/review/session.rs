//! The loop of a review: one proposal after another, one key for each decision.

use std::ops::Range;

use super::page::{Page, wrapped};
use super::queue::{Queued, Stores};
use super::terminal::Key;
use super::words::Words;
use super::{programs, prompts, reading, rest, screen, split, terminal};
use crate::cli::Context;
use crate::cli::output::DONE;
use crate::contract::Reason;
use crate::error::{Error, Result};
use crate::project::pipeline::Approval;
use crate::project::verbs::{Selection, ShownProposal, Wanted, show_from, show_waiting};
use crate::secrets::shown_name;

/// The exit code that shells use for Ctrl-C.
pub(super) const INTERRUPTED: u8 = 130;

pub(super) struct Session<'a> {
    pub(super) context: &'a Context,
    pub(super) approval: Approval,
    pub(super) queue: Vec<Queued>,
    pub(super) at: usize,
    /// Newest last.
    pub(super) decided: Vec<(usize, Decided)>,
    /// Ranges of `decided` that were one decision about many.
    pub(super) together: Vec<Range<usize>>,
    pub(super) words: Words,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decided {
    Applied,
    Rejected,
    /// It was applied here before, and is removed from the queue of another worktree.
    TakenOut,
}

/// What the review does next.
pub(super) enum Turn {
    /// Asks the same question.
    Ask,
    /// Shows the proposal again, then asks.
    Show,
    /// Shows a part or another text instead, and whether the person wrote it.
    Offer(Selection, Words),
    Go(usize),
    /// Ends with this exit code.
    End(u8),
}

pub(super) struct Offer {
    pub(super) stores: Stores,
    pub(super) shown: ShownProposal,
    pub(super) selection: Selection,
    pub(super) page: Page,
}

impl<'a> Session<'a> {
    pub(super) fn new(context: &'a Context, approval: Approval, queue: Vec<Queued>) -> Self {
        let (decided, together) = (Vec::new(), Vec::new());
        Self { context, approval, queue, at: 0, decided, together, words: Words::None }
    }

    pub(super) fn run(mut self) -> Result<u8> {
        loop {
            let turn = match self.at < self.queue.len() {
                true => self.decide()?,
                false => self.ask_at_end()?,
            };
            match turn {
                Turn::Go(to) => self.at = to,
                Turn::End(code) => {
                    self.print_tally();
                    return Ok(code);
                }
                Turn::Ask | Turn::Show | Turn::Offer(..) => {}
            }
        }
    }

    /// Asks about one proposal until the review goes on.
    fn decide(&mut self) -> Result<Turn> {
        self.words = Words::None;
        let mut selection = Selection::All;
        let mut seen: Option<(Option<String>, Page)> = None;
        loop {
            let Some(stores) = self.stores()? else { return Ok(self.next()) };
            let Some(shown) = self.read_shown(&stores, &mut selection)? else {
                return Ok(self.next());
            };
            let page = match seen.take() {
                Some((digest, page)) if digest == shown.digest => page,
                Some(_) => {
                    self.talk("the files changed meanwhile; this would land now:");
                    self.show(&shown, &selection)
                }
                None => match self.pass_if_applied(&stores)? {
                    Some(turn) => return Ok(turn),
                    None => self.show(&shown, &selection),
                },
            };
            let mut offer = Offer { stores, shown, selection, page };
            let turn = self.ask(&mut offer).unwrap_or_else(|error| self.print_error(&error));
            selection = offer.selection;
            match turn {
                Turn::Ask => seen = Some((offer.shown.digest, offer.page)),
                Turn::Show => {}
                Turn::Offer(other, words) => (selection, self.words) = (other, words),
                Turn::Go(_) | Turn::End(_) => return Ok(turn),
            }
        }
    }

    /// Asks at the end whether to undo the last decision.
    fn ask_at_end(&mut self) -> Result<Turn> {
        if self.decided.is_empty() {
            return Ok(Turn::End(DONE));
        }
        self.context.output.data("\n");
        match terminal::key(prompts::AT_THE_END)? {
            Key::Char('u') => Ok(self.undo().unwrap_or_else(|error| self.print_error(&error))),
            Key::Char('q') | Key::Enter => Ok(Turn::End(DONE)),
            Key::Interrupt => Ok(Turn::End(INTERRUPTED)),
            Key::Char(_) | Key::Erase | Key::Escape | Key::Other => Ok(Turn::Ask),
        }
    }

    fn print_error(&self, error: &Error) -> Turn {
        self.context.output.error(error);
        Turn::Ask
    }

    /// Returns nothing, with an error message, if the worktree of the proposal is gone.
    fn stores(&self) -> Result<Option<Stores>> {
        let waiting = &self.queue[self.at];
        match Stores::of(waiting, self.context) {
            Ok(stores) => Ok(Some(stores)),
            Err(error) if waiting.other_root.is_some() => {
                self.context.output.error(&error);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn show(&self, shown: &ShownProposal, selection: &Selection) -> Page {
        let (columns, _) = terminal::size();
        let position = self.queue[self.at].position(self.at, self.queue.len());
        self.context.output.data("\n");
        Page::show(screen::text(shown, selection, position, columns), self.context.output)
    }

    /// Reads the selection on today's files, or the whole proposal if the selection is refused. Returns nothing if the
    /// proposal is no longer pending.
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
        let shown = show_waiting(&stores.here, stores.home(), &wanted)?;
        if let Err(refusal) = &shown {
            let why = shown_name(&refusal.message);
            self.talk(&format!("{} was decided meanwhile: {why}", self.id()));
            if self.words != Words::None {
                self.talk("your words have not landed");
            }
        }
        Ok(shown.ok())
    }

    fn ask(&mut self, offer: &mut Offer) -> Result<Turn> {
        let Offer { stores, shown, .. } = &*offer;
        self.context.output.data("\n");
        let key = terminal::key(&prompts::decision(shown.pending.readiness.reason))?;
        if self.would_lose(key)? {
            return Ok(Turn::Ask);
        }
        match key {
            Key::Char('a') => self.apply(offer, false),
            Key::Char('f') => self.apply(offer, true),
            Key::Char('r') => self.reject(stores),
            Key::Char('s') => split::split(self, stores, shown),
            Key::Char('e') => self.edit(shown, &offer.selection),
            Key::Char('b') => self.rebase(stores),
            Key::Char('d') => {
                offer.page.open();
                Ok(Turn::Ask)
            }
            Key::Char('t') => Ok(self.read(&reading::whole_text(shown))),
            Key::Char('w') => Ok(self.read(&reading::evidence(&stores.here, shown))),
            Key::Char('A') => rest::apply_rest(self),
            Key::Char('R') => rest::reject_rest(self),
            Key::Char('u') => self.undo(),
            Key::Char('k') => Ok(self.next()),
            Key::Char('q') => Ok(Turn::End(DONE)),
            Key::Interrupt => Ok(Turn::End(INTERRUPTED)),
            Key::Char('?') => {
                self.context.output.data(&prompts::help());
                Ok(Turn::Ask)
            }
            Key::Enter => Ok(Turn::Show),
            Key::Char(_) | Key::Erase | Key::Escape | Key::Other => {
                self.context.output.data("one of the letters decides; ? explains them\n");
                Ok(Turn::Ask)
            }
        }
    }

    fn read(&self, text: &str) -> Turn {
        programs::page(text, self.context.output);
        Turn::Ask
    }

    pub(super) fn note(&mut self, decided: Decided) -> Turn {
        self.decided.push((self.at, decided));
        self.next()
    }

    pub(super) fn next(&self) -> Turn {
        Turn::Go(self.open_from(self.at + 1))
    }

    /// Returns the first open proposal from `at` on, else the length of the queue.
    pub(super) fn open_from(&self, at: usize) -> usize {
        (at..self.queue.len()).find(|at| !self.is_decided(*at)).unwrap_or(self.queue.len())
    }

    pub(super) fn talk(&self, text: &str) {
        self.context.output.talk(wrapped(text).trim_end());
    }

    pub(super) fn wanted(&self) -> Wanted {
        self.wanted_at(self.at)
    }

    pub(super) fn wanted_at(&self, at: usize) -> Wanted {
        Wanted::Named(self.queue[at].pending.id.clone())
    }

    pub(super) fn id(&self) -> &str {
        &self.queue[self.at].pending.id
    }

    pub(super) fn is_decided(&self, at: usize) -> bool {
        self.decided.iter().any(|(each, _)| *each == at)
    }
}
