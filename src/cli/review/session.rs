//! The loop: one proposal after another, one key for each decision.

use super::queue::{Stores, Waiting};
use super::terminal::Key;
use super::{programs, reading, rest, screen, split, terminal};
use crate::cli::Context;
use crate::cli::output::DONE;
use crate::cli::rebase::settle;
use crate::contract::{Reason, Refusal};
use crate::error::Result;
use crate::ops::{Selection, ShownProposal, Wanted, rebase, show_from, show_waiting};
use crate::pipeline::Approval;
use crate::text::count;

/// The code of a shell for a program that Ctrl-C ended.
pub(super) const INTERRUPTED: u8 = 130;

const HELP: &str = "\
  a  apply what is shown         A  apply all the rest of this file or intent
  r  reject, with a reason       R  reject all the rest of this file or intent
  s  split: take only a part     e  edit the text before it lands
  d  the whole text              w  why: the lines that are cited
  u  undo the last decision      f  apply although it expired or the text changed
  b  bring it up to today's text k  skip
  q  quit and keep what was decided
";

/// A review in progress.
pub(super) struct Session<'a> {
    pub(super) context: &'a Context,
    pub(super) approval: Approval,
    pub(super) queue: Vec<Waiting>,
    pub(super) at: usize,
    /// What was decided, youngest last.
    pub(super) decided: Vec<(usize, Decided)>,
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
    /// The same proposal, shown again.
    Show,
    /// A part of it, or other words, shown instead.
    Offer(Selection),
    /// Another proposal.
    Go(usize),
    /// Nowhere.
    End(u8),
}

impl<'a> Session<'a> {
    pub(super) fn new(context: &'a Context, approval: Approval, queue: Vec<Waiting>) -> Self {
        Self { context, approval, queue, at: 0, decided: Vec::new() }
    }

    /// Goes through the proposals and returns the exit code.
    pub(super) fn run(mut self) -> Result<u8> {
        while self.at < self.queue.len() {
            match self.decide()? {
                Turn::Go(to) => self.at = to,
                Turn::End(code) => {
                    self.say_what_was_decided();
                    return Ok(code);
                }
                Turn::Ask | Turn::Show | Turn::Offer(_) => {}
            }
        }
        self.say_what_was_decided();
        Ok(DONE)
    }

    /// Asks about one proposal until the review goes on to another.
    fn decide(&mut self) -> Result<Turn> {
        let mut selection = Selection::All;
        let mut is_shown = false;
        loop {
            let Some(stores) = self.stores()? else { return Ok(Turn::Go(self.at + 1)) };
            let shown = match self.look(&stores, &selection)? {
                Ok(shown) => shown,
                Err(refusal) if refusal.reason == Reason::StagingNotFound => {
                    self.context.output.talk(&format!("{} was decided meanwhile", self.id()));
                    return Ok(Turn::Go(self.at + 1));
                }
                Err(refusal) => {
                    self.context.output.refusal(&refusal);
                    selection = Selection::All;
                    continue;
                }
            };
            if !is_shown {
                if let Some(turn) = self.pass_if_applied(&stores)? {
                    return Ok(turn);
                }
                self.show(&shown, &selection);
                is_shown = true;
            }
            match self.ask(&stores, &shown, &selection) {
                Ok(Turn::Ask) => {}
                Ok(Turn::Show) => is_shown = false,
                Ok(Turn::Offer(other)) => (selection, is_shown) = (other, false),
                Ok(turn) => return Ok(turn),
                Err(error) => drop(self.context.output.error(&error)),
            }
        }
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

    fn show(&self, shown: &ShownProposal, selection: &Selection) {
        let (columns, _) = terminal::size();
        let spot = self.queue[self.at].spot(self.at, self.queue.len());
        self.context.output.data("\n");
        programs::page(&screen::text(shown, selection, spot, columns), self.context.output);
    }

    fn look(
        &self,
        stores: &Stores,
        selection: &Selection,
    ) -> Result<std::result::Result<ShownProposal, Box<Refusal>>> {
        match selection {
            Selection::All => show_waiting(&stores.here, stores.home(), &self.wanted()),
            part => show_from(&stores.here, stores.home(), &self.wanted(), part),
        }
    }

    fn ask(
        &mut self,
        stores: &Stores,
        shown: &ShownProposal,
        selection: &Selection,
    ) -> Result<Turn> {
        let question = match terminal::size() {
            (..50, _) => "\r\n[a,r,s,e,d,w,A,R,u,k,q,?] ",
            _ => "\r\nApply, reject, …? [a,r,s,e,d,w,A,R,u,k,q,?] ",
        };
        match terminal::key(question)? {
            Key::Char('a') => self.apply(stores, shown, selection, false),
            Key::Char('f') => self.apply(stores, shown, selection, true),
            Key::Char('r') => self.reject(stores),
            Key::Char('s') => split::split(self, stores, shown),
            Key::Char('e') => self.edit(shown),
            Key::Char('b') => self.rebase(stores),
            Key::Char('d') => {
                programs::page(&reading::whole_text(shown), self.context.output);
                Ok(Turn::Ask)
            }
            Key::Char('w') => {
                programs::page(&reading::evidence(&stores.here, shown), self.context.output);
                Ok(Turn::Ask)
            }
            Key::Char('A') => rest::apply_rest(self),
            Key::Char('R') => rest::reject_rest(self),
            Key::Char('u') => self.undo(),
            Key::Char('k') => Ok(Turn::Go(self.at + 1)),
            Key::Char('q') => Ok(Turn::End(DONE)),
            Key::Interrupt => Ok(Turn::End(INTERRUPTED)),
            Key::Char('?') => {
                self.context.output.data(HELP);
                Ok(Turn::Ask)
            }
            Key::Char(_) | Key::Enter | Key::Erase | Key::Escape | Key::Other => {
                self.context.output.data("one of the letters decides; ? explains them\n");
                Ok(Turn::Ask)
            }
        }
    }

    /// Lets the person write what should stand in the files instead.
    fn edit(&self, shown: &ShownProposal) -> Result<Turn> {
        let output = self.context.output;
        let mut texts = std::collections::BTreeMap::new();
        for file in &shown.diffs {
            if file.is_masked {
                output.talk(&format!(
                    "`{}` holds what looks like a secret; it cannot be edited here",
                    file.path
                ));
                return Ok(Turn::Ask);
            }
            texts.insert(file.memory_path.clone(), programs::edit_text(&file.after)?);
        }
        let is_same =
            shown.diffs.iter().all(|file| texts.get(&file.memory_path) == Some(&file.after));
        if is_same {
            output.talk("nothing was edited");
            return Ok(Turn::Ask);
        }
        Ok(Turn::Offer(Selection::Amended(texts)))
    }

    /// Merges the proposal with what changed since; the result is offered.
    fn rebase(&self, stores: &Stores) -> Result<Turn> {
        match rebase(&stores.here, stores.home(), &self.wanted())? {
            Ok(files) => Ok(Turn::Offer(settle(&files)?)),
            Err(refusal) => {
                self.context.output.refusal(&refusal);
                Ok(Turn::Ask)
            }
        }
    }

    pub(super) fn note(&mut self, decided: Decided) -> Turn {
        self.decided.push((self.at, decided));
        Turn::Go(self.at + 1)
    }

    /// Remembers that a proposal further on was applied or rejected.
    pub(super) fn note_at(&mut self, at: usize, is_applied: bool) {
        self.decided.push((at, if is_applied { Decided::Applied } else { Decided::Rejected }));
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

    fn say_what_was_decided(&self) {
        let number = |decided| self.decided.iter().filter(|(_, each)| *each == decided).count();
        let (applied, rejected) = (number(Decided::Applied), number(Decided::Rejected));
        let left = count(self.queue.len() - self.decided.len(), "proposal");
        self.context.output.talk(&format!("{applied} applied, {rejected} rejected, {left} left"));
    }
}
