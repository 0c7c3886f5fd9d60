//! Which proposal a person means.

use super::{Stop, Workspace, read_decision};
use crate::contract::Answer;
use crate::error::{Error, ErrorKind};
use crate::store::staging::{Queue, StagedProposal};

/// Which proposal a person means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// The one with this id, unique prefix or unique part.
    Named(String),
    /// The youngest.
    Latest,
}

impl Wanted {
    pub(super) fn find<'q>(&self, queue: &'q Queue) -> Answer<&'q StagedProposal> {
        match self {
            Self::Named(text) => queue.find(text),
            Self::Latest => queue.latest(),
        }
    }

    /// Finds a proposal that is to be decided; of one that was, says how.
    pub(super) fn find_undecided<'q>(
        &self,
        queue: &'q Queue,
        workspace: &Workspace,
    ) -> std::result::Result<&'q StagedProposal, Stop> {
        let (Self::Named(id), Err(mut refusal)) = (self, self.find(queue)) else {
            return Ok(self.find(queue)?);
        };
        if let Some(decided) = queue.refuse_decided(id) {
            return Err(decided.into());
        }
        let damaged =
            queue.damaged.iter().find(|each| !id.is_empty() && each.name.contains(id.as_str()));
        if let Some(damaged) = damaged {
            let error = Error::new(ErrorKind::StoreDamaged, damaged.message());
            return Err(error.hint(damaged.hint()).into());
        }
        if let Some(last) = read_decision(workspace, id)?.pop() {
            let text = |name: &str| last[name].as_str().unwrap_or_default().to_owned();
            let by = Some(text("approver")).filter(|name| !name.is_empty());
            let by = by.map(|name| format!(" by {name}")).unwrap_or_default();
            refusal.message =
                format!("`{}` was {} at {}{by}", text("id"), text("decision"), text("time"));
            refusal.hint = "`agent-memory log` shows what was decided".to_owned();
        }
        Err(refusal.into())
    }
}
