//! Which proposal a person means.

use super::answer::{Attempt, Stop};
use super::log::read_decision;
use super::project::Project;
use crate::error::{Error, ErrorKind};
use crate::project::request::Reason;
use crate::project::store::staging::{Damaged, Queue, StagedProposal};

/// Which proposal a person means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// By id, unique prefix or unique part.
    Named(String),
    Latest,
}

impl Wanted {
    /// Finds a pending proposal; one that cannot be read is an error and no refusal.
    pub(super) fn find<'q>(&self, queue: &'q Queue) -> Attempt<&'q StagedProposal> {
        let (id, refusal) = match self {
            Self::Latest => return Ok(queue.latest()?),
            Self::Named(id) => match queue.find(id) {
                Ok(found) => return Ok(found),
                Err(refusal) => (id, refusal),
            },
        };
        let is_meant = |each: &&Damaged| {
            refusal.reason == Reason::StagingNotFound
                && !id.is_empty()
                && each.name.contains(id.as_str())
        };
        match queue.damaged.iter().find(is_meant) {
            Some(damaged) => {
                let error = Error::new(ErrorKind::StoreDamaged, damaged.message());
                Err(error.hint(damaged.hint()).into())
            }
            None => Err(refusal.into()),
        }
    }

    /// Finds a pending proposal to decide; for a decided one, the refusal says how it was decided.
    pub(super) fn find_undecided<'q>(
        &self,
        queue: &'q Queue,
        project: &Project,
    ) -> Attempt<&'q StagedProposal> {
        let (id, mut refusal) = match (self, self.find(queue)) {
            (Self::Named(id), Err(Stop::Refused(refusal))) => (id, refusal),
            (_, found) => return found,
        };
        if refusal.reason != Reason::StagingNotFound {
            return Err(refusal.into());
        }
        if let Some(decided) = queue.refuse_decided(id) {
            return Err(decided.into());
        }
        if let Some(last) = read_decision(project, id)?.pop() {
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
