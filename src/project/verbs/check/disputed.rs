//! Finds proposals that were applied on one branch and rejected on another, once both are merged.

mod operation_files;
mod presence;

use std::path::Path;

use super::side::Side;
use super::view::View;
use crate::error::Result;
use crate::project::check::{Content, Remark, RepairCase, Rule};
use crate::project::rejection::Rejection;
use crate::project::request::ProposalId;
use crate::project::store::staging::disputed_among;
use crate::project::store::{LastChange, Seat};
use crate::text::excerpt;
use presence::{Presence, presence};

/// What of a side tells about disputes.
pub(super) struct Disputes<'a> {
    pub(super) seat: &'a Seat,
    pub(super) side: &'a Side<'a>,
    pub(super) view: &'a View,
}

impl Disputes<'_> {
    pub(super) fn find(&self) -> Result<Vec<Remark>> {
        let paths = self.side.paths();
        let is_kept = |path: &str| {
            let kept = self.side.kept();
            kept.is_some_and(|kept| kept.blob(&self.seat.named(path)).is_some())
        };
        // On the disk both have to be there: `undo` takes one of them away, and git hears of it with the next commit.
        let marks = paths.iter().filter(|path| is_kept(path));
        let names = marks.filter_map(|path| Some(path.strip_prefix("decided/")?.to_owned()));
        let names: Vec<String> = names.collect();
        disputed_among(&names).iter().map(|id| self.remark(id, &paths)).collect()
    }

    fn remark(&self, id: &ProposalId, paths: &[&str]) -> Result<Remark> {
        let mut message = format!("`{id}` was applied on one branch and rejected on another");
        let said = [self.decided_by(id, "applied")?, self.decided_by(id, "rejected")?];
        let said: Vec<String> = said.into_iter().flatten().collect();
        for more in [said.join(", "), self.reasons(id, paths).join("; ")] {
            if !more.is_empty() {
                message += &format!(": {more}");
            }
        }
        let case = match presence(self.side, &self.view.rulebook.catalog, id)? {
            Presence::In => RepairCase::Usual,
            Presence::Out => RepairCase::TextIsOut,
            Presence::Unclear => RepairCase::TextUnclear,
        };
        let remark =
            Remark::new(Rule::DecisionDisputed, &format!("decided/{id}.rejected"), message);
        Ok(remark.in_case(case))
    }

    /// Names the commit that brought a decision, and its author; none where git does not know, as before the commit of a merge.
    fn decided_by(&self, id: &ProposalId, decision: &str) -> Result<Option<String>> {
        let Some(git) = self.seat.git().filter(|git| git.is_shallow().is_ok_and(|it| !it)) else {
            return Ok(None);
        };
        let last = git.last_change_of(&self.seat.named(&format!("decided/{id}.{decision}")))?;
        Ok(last.map(|LastChange { commit, author }| format!("{decision} in {commit} by {author}")))
    }

    fn reasons(&self, id: &ProposalId, paths: &[&str]) -> Vec<String> {
        let own = format!("rejections/{id}.");
        let own = paths.iter().filter(|path| path.starts_with(&own) && path.ends_with(".toml"));
        let reason = |path: &&str| {
            let Content::Bytes(bytes) = self.side.read_one(path) else { return None };
            let read = Rejection::parse(std::str::from_utf8(&bytes).ok()?, Path::new(path)).ok()?;
            Some(excerpt(&read.reason))
        };
        own.filter_map(reason).filter(|reason| !reason.is_empty()).collect()
    }
}
