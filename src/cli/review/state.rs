//! Where a review stands: its queue, and what was decided.

use std::ops::Range;

use super::page::{ShownPage, wrapped};
use super::queue::{Queued, Stores};
use crate::cli::call::Context;
use crate::project::verbs::{Amendment, Approval, Selection, ShownProposal, Wanted};

/// The exit code that shells use for Ctrl-C.
pub(super) const INTERRUPTED: u8 = 130;

pub(super) struct Review<'a> {
    pub(super) context: &'a Context,
    pub(super) approval: Approval,
    pub(super) queue: Vec<Queued>,
    pub(super) at: usize,
    /// Newest last.
    pub(super) decided: Vec<(usize, ReviewDecision)>,
    /// Ranges of `decided` that were one decision about many.
    pub(super) together: Vec<Range<usize>>,
    pub(super) words: PersonWords,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReviewDecision {
    Applied,
    Rejected,
    /// It was applied here before, and is removed from the queue of another worktree.
    TakenOut,
}

/// What the review does next.
pub(super) enum ReviewTurn {
    /// Asks the same question.
    Ask,
    /// Shows the proposal again, then asks.
    Show,
    /// Shows a part or another text instead, and whether the person wrote it.
    Offer(Selection, PersonWords),
    Go(usize),
    /// Ends with this exit code.
    End(u8),
}

pub(super) struct Offer {
    pub(super) stores: Stores,
    pub(super) shown: ShownProposal,
    pub(super) selection: Selection,
    pub(super) page: ShownPage,
}

/// The text that a person wrote instead of the proposal.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PersonWords {
    None,
    /// It is shown, and one key applies it.
    Shown,
    /// It was not applied, and can be edited again.
    Kept(Amendment),
}

impl<'a> Review<'a> {
    pub(super) fn new(context: &'a Context, approval: Approval, queue: Vec<Queued>) -> Self {
        let (decided, together) = (Vec::new(), Vec::new());
        Self { context, approval, queue, at: 0, decided, together, words: PersonWords::None }
    }

    pub(super) fn note(&mut self, decided: ReviewDecision) -> ReviewTurn {
        self.decided.push((self.at, decided));
        self.next()
    }

    pub(super) fn next(&self) -> ReviewTurn {
        ReviewTurn::Go(self.open_from(self.at + 1))
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
