//! The proposals that a command names.

use std::collections::BTreeSet;

use clap::Args;

use crate::error::{Error, ErrorKind, Result};
use crate::project::verbs::Wanted;

// A doc comment would become the help of each command that flattens this.
#[derive(Debug, Args)]
pub(super) struct ProposalArgs {
    /// Ids of proposals, or unique parts of them
    pub(super) ids: Vec<String>,
    /// Take the newest one
    #[arg(long, conflicts_with = "ids")]
    pub(super) latest: bool,
}

impl ProposalArgs {
    pub(super) fn wanted(&self) -> Vec<Wanted> {
        if self.latest {
            return vec![Wanted::Latest];
        }
        // A proposal that is named twice is decided once.
        let mut seen = BTreeSet::new();
        let ids = self.ids.iter().filter(|id| seen.insert(*id));
        ids.cloned().map(Wanted::Named).collect()
    }

    /// Returns at least one proposal; `list` is the command that lists their ids.
    pub(super) fn required(&self, list: &str) -> Result<Vec<Wanted>> {
        Some(self.wanted()).filter(|wanted| !wanted.is_empty()).ok_or_else(|| {
            let hint = format!(
                "give ids, unique parts of them, or `--latest`; `agent-memory {list}` lists them"
            );
            Error::new(ErrorKind::Usage, "no proposal is named").hint(hint)
        })
    }
}
