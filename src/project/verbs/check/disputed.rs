//! Finds what was applied on one branch and rejected on another, once both are merged.

mod dispute;
mod operation_files;
mod presence;

use std::path::Path;

use super::side::Side;
use super::view::View;
use crate::error::Result;
use crate::project::check::{Content, Remark, RepairCase, Rule};
use crate::project::rejection::Rejection;
use crate::project::store::staging::{APPLIED, REJECTED, of_names};
use crate::project::store::{LastChange, Seat};
use crate::text::excerpt;
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
        // Marks have to be on the disk as well: `undo` takes one away, and git hears of it with the next commit.
        let paths = self.side.paths().into_iter();
        let marks = paths.filter(|path| path.starts_with("decided/") && is_kept(path));
        let names = marks.filter_map(|path| Some(path.strip_prefix("decided/")?.to_owned()));
        let decided = of_names(&names.collect::<Vec<_>>()).into_iter();
        let disputes = decided.filter_map(|(id, marks)| Dispute::read(self.side, id, marks));
        disputes.map(|dispute| self.remark(&dispute)).collect()
    }

    fn remark(&self, dispute: &Dispute) -> Result<Remark> {
        let mut message = dispute.disputed.told(&dispute.id);
        let told = self.told(dispute)?;
        if !told.is_empty() {
            message += &format!(": {}", told.join("; "));
        }
        let all = |files: &dyn Fn(Option<usize>) -> Vec<String>| -> Vec<String> {
            once(dispute.parts().into_iter().flat_map(files))
        };
        let against = all(&|part| dispute.telling_rejected(part));
        let in_favour = all(&|part| dispute.telling_applied(part));
        let path = against.first().map_or("decided", String::as_str);
        let remark = Remark::new(Rule::DecisionDisputed, path, message);
        let settled_by = self.settled_by(dispute)?;
        Ok(remark.in_case(RepairCase::Disputed { settled_by, against, in_favour }))
    }

    /// Returns the files that do not fit the memory as it is; none where that is not clear.
    fn settled_by(&self, dispute: &Dispute) -> Result<Option<Vec<String>>> {
        let Some(request) = &dispute.request else { return Ok(None) };
        let mut files = Vec::new();
        for part in dispute.parts() {
            let numbers: Vec<usize> = match part {
                Some(number) => vec![number - 1],
                None => (0..request.operations.len()).collect(),
            };
            match presence(self.side, &self.view.rulebook.catalog, request, &numbers)? {
                Presence::In => files.extend(dispute.telling_rejected(part)),
                Presence::Out => files.extend(dispute.telling_applied(part)),
                Presence::Unclear => return Ok(None),
            }
        }
        Ok(Some(once(files)))
    }

    /// Says who decided what, and why something was rejected.
    fn told(&self, dispute: &Dispute) -> Result<Vec<String>> {
        let mut told = Vec::new();
        for part in dispute.parts() {
            for mark in dispute.marks(APPLIED, part) {
                told.extend(self.decided_by(APPLIED, &mark)?);
            }
        }
        for part in dispute.parts() {
            let mut rejections = dispute.rejections(part).peekable();
            if rejections.peek().is_none() {
                for mark in dispute.marks(REJECTED, part) {
                    told.extend(self.decided_by(REJECTED, &mark)?);
                }
            }
            for path in rejections {
                let by = self.decided_by(REJECTED, path)?.unwrap_or_else(|| REJECTED.to_owned());
                let reason = self.reason(path).map(|reason| format!(": {reason}"));
                told.push(by + &reason.unwrap_or_default());
            }
        }
        Ok(once(told))
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

    fn reason(&self, path: &str) -> Option<String> {
        let Content::Bytes(bytes) = self.side.read_one(path) else { return None };
        let read = Rejection::parse(std::str::from_utf8(&bytes).ok()?, Path::new(path)).ok()?;
        Some(excerpt(&read.reason)).filter(|reason| !reason.is_empty())
    }
}

/// Leaves each text once, in order.
fn once(texts: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for text in texts {
        if !all.contains(&text) {
            all.push(text);
        }
    }
    all
}
