//! The loop: one proposal after another, one key for each decision.

use std::ops::Range;

use super::page::{Page, say};
use super::queue::{Stores, Waiting};
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

/// The code of a shell for a program that Ctrl-C ended.
pub(super) const INTERRUPTED: u8 = 130;

/// A review in progress.
pub(super) struct Session<'a> {
    pub(super) context: &'a Context,
    pub(super) approval: Approval,
    pub(super) queue: Vec<Waiting>,
    pub(super) at: usize,
    /// What was decided, youngest last.
    pub(super) decided: Vec<(usize, Decided)>,
    /// Which of these were one decision about many, oldest first.
    pub(super) together: Vec<Range<usize>>,
    /// What the person wrote in the place of the proposal at hand.
    pub(super) words: Words,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decided {
    /// It landed where one stands.
    Applied,
    /// It was refused where it waited.
    Rejected,
    /// It had landed before, and waits no longer in another worktree.
    TakenOut,
}

/// Where the review goes from here.
pub(super) enum Turn {
    /// The same question.
    Ask,
    /// The same, below what it is about.
    Show,
    /// A part of it, or other words, shown instead; and which of them the person wrote.
    Offer(Selection, Words),
    /// Another proposal.
    Go(usize),
    /// Nowhere.
    End(u8),
}

/// What a person is asked about, as it was shown.
pub(super) struct Offer {
    pub(super) stores: Stores,
    pub(super) shown: ShownProposal,
    pub(super) selection: Selection,
    pub(super) page: Page,
}

impl<'a> Session<'a> {
    pub(super) fn new(context: &'a Context, approval: Approval, queue: Vec<Waiting>) -> Self {
        let (decided, together) = (Vec::new(), Vec::new());
        Self { context, approval, queue, at: 0, decided, together, words: Words::None }
    }

    /// Goes through the proposals and returns the exit code.
    pub(super) fn run(mut self) -> Result<u8> {
        loop {
            let turn = match self.at < self.queue.len() {
                true => self.decide()?,
                false => self.look_back()?,
            };
            match turn {
                Turn::Go(to) => self.at = to,
                Turn::End(code) => {
                    self.say_what_was_decided();
                    return Ok(code);
                }
                Turn::Ask | Turn::Show | Turn::Offer(..) => {}
            }
        }
    }

    /// Asks about one proposal until the review goes on to another.
    fn decide(&mut self) -> Result<Turn> {
        self.words = Words::None;
        let mut selection = Selection::All;
        let mut seen: Option<(Option<String>, Page)> = None;
        loop {
            let Some(stores) = self.stores()? else { return Ok(self.next()) };
            let Some(shown) = self.look(&stores, &mut selection)? else { return Ok(self.next()) };
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
            let turn = self.ask(&mut offer).unwrap_or_else(|error| self.stay(&error));
            selection = offer.selection;
            match turn {
                Turn::Ask => seen = Some((offer.shown.digest, offer.page)),
                Turn::Show => {}
                Turn::Offer(other, words) => (selection, self.words) = (other, words),
                Turn::Go(_) | Turn::End(_) => return Ok(turn),
            }
        }
    }

    /// Asks at the end of the queue whether the last decision is to stand.
    fn look_back(&mut self) -> Result<Turn> {
        if self.decided.is_empty() {
            return Ok(Turn::End(DONE));
        }
        self.context.output.data("\n");
        match terminal::key(prompts::AT_THE_END)? {
            Key::Char('u') => Ok(self.undo().unwrap_or_else(|error| self.stay(&error))),
            Key::Char('q') | Key::Enter => Ok(Turn::End(DONE)),
            Key::Interrupt => Ok(Turn::End(INTERRUPTED)),
            Key::Char(_) | Key::Erase | Key::Escape | Key::Other => Ok(Turn::Ask),
        }
    }

    /// Says what went wrong; the question is asked again.
    fn stay(&self, error: &Error) -> Turn {
        self.context.output.error(error);
        Turn::Ask
    }

    /// Opens the stores of the proposal at hand; nothing, and says so, if its worktree is gone by now.
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
        let spot = self.queue[self.at].spot(self.at, self.queue.len());
        self.context.output.data("\n");
        Page::show(screen::text(shown, selection, spot, columns), self.context.output)
    }

    /// Looks at what is wanted of the proposal as it is now, or at all of it where that may not land; nothing
    /// if it was decided meanwhile.
    fn look(
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

    /// Goes on to what is still open.
    pub(super) fn next(&self) -> Turn {
        Turn::Go(self.open_from(self.at + 1))
    }

    /// Returns the first proposal that is still open, from one on; behind the last there is none.
    pub(super) fn open_from(&self, at: usize) -> usize {
        (at..self.queue.len()).find(|at| !self.is_decided(*at)).unwrap_or(self.queue.len())
    }

    /// Says something in as many lines as the screen needs.
    pub(super) fn talk(&self, text: &str) {
        self.context.output.talk(say(text).trim_end());
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

    /// Tells whether something was decided about a proposal, and not taken back.
    pub(super) fn is_decided(&self, at: usize) -> bool {
        self.decided.iter().any(|(each, _)| *each == at)
    }
}
