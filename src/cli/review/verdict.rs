//! What a key does to a proposal: apply it, reject it, or undo the last decision.

use super::page::wrapped;
use super::prompts;
use super::queue::Stores;
use super::state::{INTERRUPTED, Offer, Review, ReviewDecision, ReviewTurn};
use super::terminal::{self, PressedKey};
use crate::cli::output::{CARE, DONE};
use crate::cli::render;
use crate::contract::ContentHash;
use crate::error::Result;
use crate::project::request::{Outcome, Reason};
use crate::project::verbs::{
    ApplyOptions, RejectOptions, Way, applied_here, apply_by, reject, restore, take_out, undo,
};

impl Review<'_> {
    pub(super) fn apply(&mut self, offer: &mut Offer, force: bool) -> Result<ReviewTurn> {
        if !offer.page.may_apply()? {
            return Ok(ReviewTurn::Ask);
        }
        let Offer { stores, shown, selection, .. } = &*offer;
        let mut reason = None;
        if selection.operations().is_some() {
            let Some(text) = terminal::line(&prompts::why("Why are the others rejected?"))? else {
                return Ok(ReviewTurn::Ask);
            };
            reason = Some(text).filter(|text| !text.is_empty());
        }
        let options = ApplyOptions {
            digest: shown.digest.as_deref().and_then(ContentHash::parse),
            // The person has edited today's text.
            force: force || selection.texts().is_some(),
            expired: force,
            selection: selection.clone(),
            reason,
        };
        let outcome = self.apply_one(self.at, stores, &options)?;
        if let Outcome::Rejected(refusal) = &outcome
            && refusal.reason == Reason::ApprovalStale
        {
            return Ok(ReviewTurn::Ask);
        }
        render::outcome(&outcome, self.context.output);
        match outcome {
            Outcome::Applied(_) => Ok(self.note(ReviewDecision::Applied)),
            Outcome::Staged(_) | Outcome::Rejected(_) => Ok(ReviewTurn::Ask),
        }
    }

    /// Applies a proposal of any worktree to the current one.
    pub(super) fn apply_one(
        &self,
        at: usize,
        stores: &Stores,
        options: &ApplyOptions,
    ) -> Result<Outcome> {
        let from = stores.other.as_ref();
        let way = Way { from, ..Way::here(&self.approval, options) };
        Ok(apply_by(&stores.here, &self.wanted_at(at), &way)?.0)
    }

    /// Asks about a proposal that was applied here already and is still pending in another worktree.
    pub(super) fn ask_to_remove_if_applied(
        &mut self,
        stores: &Stores,
    ) -> Result<Option<ReviewTurn>> {
        let Some(home) = &stores.other else { return Ok(None) };
        let Some(time) = applied_here(&stores.here, self.id())? else { return Ok(None) };
        let output = self.context.output;
        let queued = &self.queue[self.at];
        let worktree = queued.position(self.at, self.queue.len()).worktree.unwrap_or_default();
        let worktree = crate::secrets::shown_name(worktree);
        let said = format!(
            "{} was applied here at {time}, and is pending in {worktree}: y takes it out there, n leaves it, q quits",
            self.id()
        );
        output.data(&format!("\n{}", wrapped(&said)));
        match terminal::key("Take it out of the queue there? [y,n,q]")? {
            PressedKey::Char('y') => {}
            PressedKey::Char('q') => return Ok(Some(ReviewTurn::End(DONE))),
            PressedKey::Interrupt => return Ok(Some(ReviewTurn::End(INTERRUPTED))),
            PressedKey::Char(_)
            | PressedKey::Enter
            | PressedKey::Erase
            | PressedKey::Escape
            | PressedKey::Other => {
                return Ok(Some(self.next()));
            }
        }
        match take_out(&stores.here, home, &self.wanted(), &self.approval)? {
            Ok(warnings) => {
                output.warn_each(&warnings);
                Ok(Some(self.note(ReviewDecision::TakenOut)))
            }
            Err(refusal) => {
                output.refusal(&refusal);
                Ok(Some(self.next()))
            }
        }
    }

    pub(super) fn reject(&mut self, stores: &Stores) -> Result<ReviewTurn> {
        let Some(reason) = terminal::line(&prompts::why("Why?"))? else {
            return Ok(ReviewTurn::Ask);
        };
        let is_rejected = self.reject_one(self.at, stores, &reason)?;
        Ok(if is_rejected { self.note(ReviewDecision::Rejected) } else { ReviewTurn::Ask })
    }

    /// Returns whether the proposal was rejected.
    pub(super) fn reject_one(&self, at: usize, stores: &Stores, reason: &str) -> Result<bool> {
        let reason = if reason.is_empty() { "no reason given" } else { reason };
        let options = RejectOptions {
            reason: reason.to_owned(),
            allow_again: false,
            rejected_by: self.approval.approver().to_owned(),
        };
        let output = self.context.output;
        match reject(stores.home(), &self.wanted_at(at), &options)? {
            Ok(rejected) => {
                output.data(&format!("{CARE}rejected{CARE:#} {}\n", rejected.id));
                output.warn_each(&rejected.warnings);
                Ok(true)
            }
            Err(refusal) => {
                output.refusal(&refusal);
                Ok(false)
            }
        }
    }

    /// Undoes the last decision, which may be about several proposals, and goes back to the first of them.
    pub(super) fn undo(&mut self) -> Result<ReviewTurn> {
        let last = self.together.last().filter(|last| last.end == self.decided.len());
        let start = last.map_or(self.decided.len().saturating_sub(1), |last| last.start);
        let mut turn = self.undo_one()?;
        while self.decided.len() > start && matches!(turn, ReviewTurn::Go(_)) {
            turn = self.undo_one()?;
        }
        self.together.retain(|group| group.end <= self.decided.len());
        Ok(turn)
    }

    /// Joins all decisions from `start` on into one.
    pub(super) fn end_together(&mut self, start: usize) {
        let group = start..self.decided.len();
        self.together.extend(Some(group).filter(|group| !group.is_empty()));
    }

    fn undo_one(&mut self) -> Result<ReviewTurn> {
        let output = self.context.output;
        let Some(&(at, decided)) = self.decided.last() else {
            self.talk("nothing was decided yet");
            return Ok(ReviewTurn::Ask);
        };
        let stores = Stores::of(&self.queue[at], self.context)?;
        let wanted = self.wanted_at(at);
        if decided == ReviewDecision::Applied {
            if let Err(refusal) = undo(&stores.here, &wanted, &self.approval)? {
                output.refusal(&refusal);
                return Ok(ReviewTurn::Ask);
            }
            // If the next step fails, the proposal can still be restored later.
            self.decided.pop();
        }
        match restore(stores.home(), &wanted, &self.approval)? {
            Ok(restored) => output.data(&format!("{} is pending again\n", restored.id)),
            Err(refusal) => {
                output.refusal(&refusal);
                return Ok(ReviewTurn::Ask);
            }
        }
        if decided != ReviewDecision::Applied {
            self.decided.pop();
        }
        Ok(ReviewTurn::Go(at))
    }
}
