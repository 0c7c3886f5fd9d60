//! The loop: one proposal after another, one key for each decision.

use super::terminal::Key;
use super::{programs, rest, screen, split, terminal};
use crate::cli::Context;
use crate::cli::output::{CARE, DONE, TITLE};
use crate::cli::rebase::settle;
use crate::cli::render;
use crate::contract::{ContentHash, Outcome, Reason, Refusal};
use crate::error::Result;
use crate::ops::{
    ApplyOptions, Pending, RejectOptions, Selection, ShownProposal, Wanted, Workspace, apply,
    cited_lines, rebase, reject, restore, show_proposal, show_selection, undo,
};
use crate::pipeline::Approval;
use crate::text::{count, visible, visible_lines};

/// The code of a shell for a program that Ctrl-C ended.
const INTERRUPTED: u8 = 130;

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
    pub(super) queue: Vec<Pending>,
    pub(super) at: usize,
    /// What was decided, youngest last.
    decided: Vec<(usize, Decided)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Decided {
    Applied,
    Rejected,
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
    pub(super) fn new(context: &'a Context, approval: Approval, queue: Vec<Pending>) -> Self {
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
            // Hours may pass at one question, and others decide too.
            let workspace = self.context.workspace_of_now()?;
            let shown = match self.look(&workspace, &selection)? {
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
                let (columns, _) = terminal::size();
                let place = (self.at + 1, self.queue.len());
                self.context.output.data("\n");
                programs::page(
                    &screen::text(&shown, &selection, place, columns),
                    self.context.output,
                );
                is_shown = true;
            }
            match self.ask(&workspace, &shown, &selection) {
                Ok(Turn::Ask) => {}
                Ok(Turn::Show) => is_shown = false,
                Ok(Turn::Offer(other)) => (selection, is_shown) = (other, false),
                Ok(turn) => return Ok(turn),
                Err(error) => drop(self.context.output.error(&error)),
            }
        }
    }

    fn look(
        &self,
        workspace: &Workspace,
        selection: &Selection,
    ) -> Result<std::result::Result<ShownProposal, Box<Refusal>>> {
        match selection {
            Selection::All => show_proposal(workspace, &self.wanted()),
            part => show_selection(workspace, &self.wanted(), part),
        }
    }

    fn ask(
        &mut self,
        workspace: &Workspace,
        shown: &ShownProposal,
        selection: &Selection,
    ) -> Result<Turn> {
        let question = match terminal::size() {
            (..50, _) => "\r\n[a,r,s,e,d,w,A,R,u,k,q,?] ",
            _ => "\r\nApply, reject, …? [a,r,s,e,d,w,A,R,u,k,q,?] ",
        };
        match terminal::key(question)? {
            Key::Char('a') => self.apply(workspace, shown, selection, false),
            Key::Char('f') => self.apply(workspace, shown, selection, true),
            Key::Char('r') => self.reject(workspace),
            Key::Char('s') => split::split(self, workspace, shown),
            Key::Char('e') => self.edit(shown),
            Key::Char('b') => self.rebase(workspace),
            Key::Char('d') => {
                programs::page(&whole_text(shown), self.context.output);
                Ok(Turn::Ask)
            }
            Key::Char('w') => {
                programs::page(&evidence(workspace, shown), self.context.output);
                Ok(Turn::Ask)
            }
            Key::Char('A') => rest::apply_rest(self, workspace),
            Key::Char('R') => rest::reject_rest(self, workspace),
            Key::Char('u') => self.undo(workspace),
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

    fn apply(
        &mut self,
        workspace: &Workspace,
        shown: &ShownProposal,
        selection: &Selection,
        force: bool,
    ) -> Result<Turn> {
        let mut reason = None;
        if let Selection::Operations(_) = selection {
            reason = match terminal::line("Why are the others refused? ")? {
                None => return Ok(Turn::Ask),
                Some(text) => Some(text).filter(|text| !text.is_empty()),
            };
        }
        let digest = shown.digest.as_deref().and_then(ContentHash::parse);
        let options = ApplyOptions {
            digest,
            // Words of the person's own were written over what stands there today.
            force: force || matches!(selection, Selection::Amended(_)),
            expired: force,
            selection: selection.clone(),
            reason,
        };
        let outcome = apply(workspace, &self.wanted(), &self.approval, &options)?;
        if let Outcome::Rejected(refusal) = &outcome
            && refusal.reason == Reason::ApprovalStale
        {
            self.context.output.talk("the files changed meanwhile; this would land now:");
            return Ok(Turn::Show);
        }
        render::outcome(&outcome, self.context.output);
        match outcome {
            Outcome::Applied(_) => Ok(self.note(Decided::Applied)),
            Outcome::Staged(_) | Outcome::Rejected(_) => Ok(Turn::Ask),
        }
    }

    fn reject(&mut self, workspace: &Workspace) -> Result<Turn> {
        let Some(reason) = terminal::line("Why? ")? else { return Ok(Turn::Ask) };
        if self.reject_one(workspace, &reason)? {
            Ok(self.note(Decided::Rejected))
        } else {
            Ok(Turn::Ask)
        }
    }

    /// Rejects the proposal at hand; tells whether it is out of the queue.
    pub(super) fn reject_one(&self, workspace: &Workspace, reason: &str) -> Result<bool> {
        let options = RejectOptions {
            reason: if reason.is_empty() {
                "no reason given".to_owned()
            } else {
                reason.to_owned()
            },
            allow_again: false,
            rejected_by: self.approval.approver().to_owned(),
        };
        let output = self.context.output;
        match reject(workspace, &self.wanted(), &options)? {
            Ok(rejected) => {
                output.data(&format!("{CARE}rejected{CARE:#} {}\n", rejected.proposal_id));
                rejected.warnings.iter().for_each(|warning| output.warn(warning));
                Ok(true)
            }
            Err(refusal) => {
                output.refusal(&refusal);
                Ok(false)
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
    fn rebase(&self, workspace: &Workspace) -> Result<Turn> {
        match rebase(workspace, &self.wanted())? {
            Ok(files) => Ok(Turn::Offer(settle(&files)?)),
            Err(refusal) => {
                self.context.output.refusal(&refusal);
                Ok(Turn::Ask)
            }
        }
    }

    /// Takes the last decision back and returns to its proposal.
    fn undo(&mut self, workspace: &Workspace) -> Result<Turn> {
        let output = self.context.output;
        let Some(&(at, decided)) = self.decided.last() else {
            output.talk("nothing was decided yet");
            return Ok(Turn::Ask);
        };
        let wanted = Wanted::Named(self.queue[at].id.clone());
        if decided == Decided::Applied {
            if let Err(refusal) = undo(workspace, &wanted, &self.approval)? {
                output.refusal(&refusal);
                return Ok(Turn::Ask);
            }
            // It waits again if the next step fails: `restore` brings it back later as well.
            self.decided.pop();
        }
        match restore(workspace, &wanted, &self.approval)? {
            Ok(restored) => output.data(&format!("{} waits again\n", restored.proposal_id)),
            Err(refusal) => {
                output.refusal(&refusal);
                return Ok(Turn::Ask);
            }
        }
        if decided == Decided::Rejected {
            self.decided.pop();
        }
        Ok(Turn::Go(at))
    }

    fn note(&mut self, decided: Decided) -> Turn {
        self.decided.push((self.at, decided));
        Turn::Go(self.at + 1)
    }

    /// Remembers that a proposal further on was applied or rejected.
    pub(super) fn note_at(&mut self, at: usize, is_applied: bool) {
        self.decided.push((at, if is_applied { Decided::Applied } else { Decided::Rejected }));
    }

    pub(super) fn wanted(&self) -> Wanted {
        Wanted::Named(self.id().to_owned())
    }

    fn id(&self) -> &str {
        &self.queue[self.at].id
    }

    /// Tells whether something was decided about a proposal, and not taken back.
    pub(super) fn is_decided(&self, at: usize) -> bool {
        self.decided.iter().any(|(each, _)| *each == at)
    }

    fn say_what_was_decided(&self) {
        let number = |decided| self.decided.iter().filter(|(_, each)| *each == decided).count();
        let (applied, rejected) = (number(Decided::Applied), number(Decided::Rejected));
        let left = count(self.queue.len() - applied - rejected, "proposal");
        self.context.output.talk(&format!("{applied} applied, {rejected} rejected, {left} left"));
    }
}

fn whole_text(shown: &ShownProposal) -> String {
    let file = |file: &crate::ops::FileDiff| {
        let (path, text) = (visible(&file.path), visible_lines(&file.after));
        format!("{TITLE}{path}{TITLE:#}\n{text}\n\n")
    };
    shown.diffs.iter().map(file).collect()
}

/// Writes the lines that the sources of a proposal name.
fn evidence(workspace: &Workspace, shown: &ShownProposal) -> String {
    let mut text = String::new();
    for source in &shown.sources {
        text += &format!("{TITLE}{}{TITLE:#}\n", visible(&crate::cli::show::source(source)));
        let cited = cited_lines(workspace, &source.reference);
        for (number, line) in cited.iter().flatten() {
            text += &format!("{number:>5} {}\n", visible(line));
        }
        if cited.is_none() {
            text += "      nothing that can be opened here\n";
        }
    }
    if text.is_empty() { "it cites nothing\n".to_owned() } else { text }
}
