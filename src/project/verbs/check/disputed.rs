//! Finds proposals that branches did not decide alike, once the branches are merged.

mod dispute;
mod operation_files;
mod presence;

use super::side::Side;
use super::view::View;
use crate::error::Result;
use crate::project::check::{Remark, RepairCase, Rule};
use crate::project::store::staging::{disagreement, of_names};
use crate::project::store::{LastChange, Seat};
use dispute::Dispute;
use presence::{Presence, presence};

/// What of a side tells about disputes.
pub(super) struct Disputes<'a> {
    pub(super) seat: &'a Seat,
    pub(super) side: &'a Side<'a>,
    pub(super) view: &'a View,
}

impl Disputes<'_> {
    pub(super) fn find(&self) -> Result<Vec<Remark>> {
        let is_kept = |path: &str| {
            let kept = self.side.kept();
            kept.is_some_and(|kept| kept.blob(&self.seat.named(path)).is_some())
        };
        // On the disk both have to be there: `undo` takes one of them away, and git hears of it with the next commit.
        let paths = self.side.paths().into_iter();
        let marks = paths.filter(|path| is_kept(path));
        let names = marks.filter_map(|path| Some(path.strip_prefix("decided/")?.to_owned()));
        let mut remarks = Vec::new();
        for (id, decisions) in of_names(&names.collect::<Vec<_>>()) {
            let catalog = &self.view.rulebook.catalog;
            if let Some(dispute) = Dispute::read(self.side, catalog, id, decisions) {
                remarks.extend(self.remark(&dispute)?);
            }
        }
        Ok(remarks)
    }

    /// Says it of a mark; nothing where nothing is left to settle.
    fn remark(&self, dispute: &Dispute) -> Result<Option<Remark>> {
        let is_in = self.is_in(dispute)?;
        let (against, in_favour) = (dispute.against(), dispute.in_favour());
        if is_in == Some(false) && in_favour.is_empty() {
            return Ok(None);
        }
        let mut message = disagreement(&dispute.id, &dispute.decisions);
        let mut told = Vec::new();
        for (decision, path, reason) in dispute.reasons() {
            let mut said =
                vec![self.decided_by(decision, &path)?.unwrap_or_default(), reason.into()];
            said.retain(|it| !it.is_empty());
            told.extend((!said.is_empty()).then(|| said.join(": ")));
        }
        if !told.is_empty() {
            message += &format!(": {}", told.join("; "));
        }
        let path = against.first().map_or("decided", String::as_str);
        let remark = Remark::new(Rule::DecisionDisputed, path, message);
        Ok(Some(remark.in_case(RepairCase::Disputed { is_in, against, in_favour })))
    }

    /// Tells whether what is disputed stands in the files; none where that is not clear.
    fn is_in(&self, dispute: &Dispute) -> Result<Option<bool>> {
        let Some(request) = &dispute.request else { return Ok(None) };
        let catalog = &self.view.rulebook.catalog;
        Ok(match presence(self.side, catalog, request, &dispute.operations())? {
            Presence::In => Some(true),
            Presence::Out => Some(false),
            Presence::Unclear => None,
        })
    }

    /// Names the commit that brought a file of a decision, and its author; none where git does not know, as before the
    /// commit of a merge.
    fn decided_by(&self, decision: &str, path: &str) -> Result<Option<String>> {
        let Some(git) = self.seat.git().filter(|git| git.is_shallow().is_ok_and(|it| !it)) else {
            return Ok(None);
        };
        let last = git.last_change_of(&self.seat.named(path))?;
        Ok(last.map(|LastChange { commit, author }| format!("{decision} in {commit} by {author}")))
    }
}
