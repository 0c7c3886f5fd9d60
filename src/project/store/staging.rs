//! Pending proposals: one folder each in `staging/`.
//!
//! `proposal.json` is the request as submitted; `base/` and `files/` show a person what it would have changed at that
//! time, and are never applied. Where the queue is kept in git they are under `state/`: git would confuse equal copies
//! of a file when branches are merged.

mod applied;
mod claims;
mod decided;
mod kept_texts;
mod order;
mod proposal;
mod queue;
mod read;
mod retired;
mod shown;
mod taken;
mod write;

pub(crate) use applied::{AppliedProposal, chosen_operations, read_applied};
pub(crate) use claims::{FoundClaim, claim_paths, claims, has_claims, write_claim};
pub(crate) use decided::{
    APPLIED, APPLIED_IN_PART, DecidedProposal, DecisionMark, Disputed, REJECTED, applied_ids,
    disputed, is_applied, keep, kept, mark, marks_of, no_longer_applied, of_names, reopen, steady,
    summary,
};
pub(crate) use kept_texts::{KeptTexts, pending_texts, rejected_texts};
pub(crate) use order::in_order;
pub(crate) use proposal::{Fidelity, StagedProposal};
pub(crate) use queue::{Damaged, Queue, choose};
pub(crate) use read::{
    base, read_decided, read_questions, read_queue, read_retired, read_shown, read_waiting,
    retired, why_unreadable,
};
pub(crate) use retired::{Retired, make_way, restore};
pub(crate) use shown::{clear_shown, has_shown};
pub(crate) use taken::{Taken, names};
pub(crate) use write::{Ticket, bring, retire, stage, trash_name};
