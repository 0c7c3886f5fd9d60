//! How far a proposal that waits is what was proposed here.

use super::StagedProposal;

impl StagedProposal {
    /// Tells whether it is pending here as it was proposed here.
    pub fn is_known(&self) -> bool {
        self.fidelity == Fidelity::Kept && !self.was_decided
    }

    /// Returns what a person who decides should know.
    pub fn warnings(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.was_decided.then_some(WAS_DECIDED).into_iter().chain(self.fidelity.warning())
    }
}

/// Said of what waits again without `restore`.
const WAS_DECIDED: &str = "the log of this machine says that it was decided before, and it came back without `restore`; it is checked as it stands now, with today's evidence";

/// Whether a `proposal.json` is, byte for byte, what was staged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fidelity {
    /// The log knows it with these bytes.
    Kept,
    /// The log knows it with other bytes: somebody edited it.
    Changed,
    /// The log does not know it: it was staged elsewhere, or by hand.
    Unknown,
}

impl Fidelity {
    /// Returns what a person who decides should know.
    pub fn warning(self) -> Option<&'static str> {
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
