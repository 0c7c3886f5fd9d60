//! Whether a pending proposal is the one that was proposed here.

use super::StagedProposal;

impl StagedProposal {
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
