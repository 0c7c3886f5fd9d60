//! A proposal that was staged, and whether it is the one that was proposed here.

use serde_json::Value;

use crate::contract::{ContentHash, Moment};
use crate::markdown::SourceNote;
use crate::project::edit::TouchedSection;
use crate::project::request::ProposalId;

/// A proposal that was staged: it is pending, or was decided since.
#[derive(Debug, Clone)]
pub(crate) struct StagedProposal {
    pub(crate) id: ProposalId,
    pub(crate) submitted_at: Moment,
    /// The day on which it was made, by the clock of its maker.
    pub(crate) day: String,
    /// Orders proposals of one second that became pending elsewhere.
    pub(crate) order: u64,
    /// Where the log of this store says that it became pending; `None` if that was elsewhere.
    pub(crate) arrival: Option<u64>,
    pub(crate) expires_at: Moment,
    pub(crate) owner: Option<String>,
    pub(crate) branch: String,
    /// For each operation the section that it builds on, as it was.
    pub(crate) touched: Vec<Option<TouchedSection>>,
    /// The evidence, as it was.
    pub(crate) notes: Vec<SourceNote>,
    /// The request as submitted.
    pub(crate) request: Value,
    /// SHA-256 of `proposal.json`.
    pub(crate) hash: ContentHash,
    pub(crate) fidelity: Fidelity,
    /// Whether the log of this machine has a decision, and it is pending again.
    pub(crate) was_decided: bool,
}

/// The request of a pending proposal.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) id: ProposalId,
    /// The hash that identifies an equal request.
    pub(crate) question: String,
    pub(crate) expires_at: Moment,
}

impl StagedProposal {
    /// Returns how many operations it has.
    pub(crate) fn operations(&self) -> usize {
        self.request["operations"].as_array().map_or(0, Vec::len)
    }

    /// Tells whether it is pending as it was proposed here.
    pub(crate) fn is_known(&self) -> bool {
        self.fidelity == Fidelity::Kept && !self.was_decided
    }

    /// Returns warnings for the person who decides.
    pub(crate) fn warnings(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.was_decided.then_some(WAS_DECIDED).into_iter().chain(self.fidelity.warning())
    }
}

/// For a proposal that is pending again without `restore`.
const WAS_DECIDED: &str = "the log of this machine says that it was decided before, and it came back without `restore`; it is checked as it stands now, with today's evidence";

/// Whether a `proposal.json` is, byte for byte, what was staged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fidelity {
    /// The log has this hash.
    Kept,
    /// The log has another hash: the file was edited.
    Changed,
    /// The log does not have it: it was staged elsewhere, or by hand.
    Unknown,
}

impl Fidelity {
    pub(crate) fn warning(self) -> Option<&'static str> {
        match self {
            Self::Kept => None,
            Self::Changed => Some(
                "its `proposal.json` was edited after it was staged; it is checked as it stands now, with today's evidence",
            ),
            Self::Unknown => Some(
                "the log of this machine does not know how it was staged; it is checked as it stands now, with today's evidence",
            ),
        }
    }
}
