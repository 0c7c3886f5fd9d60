//! What may become of one proposal: a model small enough to be read.

/// What a person does with a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Apply,
    Reject,
    Restore,
    Undo,
    /// By somebody for whom the proposal has expired.
    Sweep,
}

/// Where a proposal is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// In the queue.
    Waiting,
    /// In the files.
    Applied,
    /// Out of the queue, and its text does not come back.
    Rejected,
    /// Out of the queue, and its text may come back.
    Dropped,
}

impl Verb {
    pub(super) const ALL: [Self; 5] =
        [Self::Apply, Self::Reject, Self::Restore, Self::Undo, Self::Sweep];

    /// Returns the word of the log.
    pub(super) fn decision(self) -> &'static str {
        match self {
            Self::Apply => "applied",
            Self::Reject => "rejected",
            Self::Restore => "restored",
            Self::Undo => "undone",
            Self::Sweep => "swept",
        }
    }
}

impl State {
    /// Returns what a verb makes of it; none if the answer is no.
    pub(super) fn after(self, verb: Verb) -> Option<Self> {
        let is_out = matches!(self, Self::Rejected | Self::Dropped);
        match verb {
            Verb::Apply => (self == Self::Waiting).then_some(Self::Applied),
            Verb::Reject => (self == Self::Waiting).then_some(Self::Rejected),
            Verb::Sweep => (self == Self::Waiting).then_some(Self::Dropped),
            Verb::Undo => (self == Self::Applied).then_some(Self::Dropped),
            Verb::Restore => is_out.then_some(Self::Waiting),
        }
    }

    /// Tells whether there is an order in which some verbs get these answers and this end.
    pub(super) fn explains(self, told: &[(Verb, bool)], end: Self) -> bool {
        if told.is_empty() {
            return self == end;
        }
        (0..told.len()).any(|first| {
            let (verb, done) = told[first];
            let rest = [&told[..first], &told[first + 1..]].concat();
            let next = self.after(verb);
            next.is_some() == done && next.unwrap_or(self).explains(&rest, end)
        })
    }
}

#[test]
fn the_model_refuses_answers_that_no_order_gives() {
    let (apply, reject) = (Verb::Apply, Verb::Reject);
    let waiting = State::Waiting;
    assert!(waiting.explains(&[(apply, false), (reject, true)], State::Rejected));
    assert!(!waiting.explains(&[(apply, true), (reject, true)], State::Rejected));
    assert!(!waiting.explains(&[(apply, true), (reject, false)], State::Rejected));
    assert!(
        waiting.explains(&[(apply, true), (Verb::Restore, true), (reject, true)], State::Applied)
    );
}
