//! Settles conflicts in what is remembered of refused proposals: nobody has to decide anything.

use super::{MARKS, Resolved, merge_as};
use crate::contract::ProposalId;
use crate::error::Result;
use crate::merge::{Merged, Sides, rejection_in_conflict};
use crate::ops::Workspace;
use crate::ops::rewrite::Rewritten;
use crate::pipeline::FileState;
use crate::store::{self, Conflict, rejection_path};

/// Returns the rejections that hold markers although git takes them for merged: somebody added them as they were.
pub(super) fn with_markers(
    workspace: &Workspace,
    known: &[Conflict<ProposalId>],
) -> Result<Vec<Conflict<ProposalId>>> {
    let open = store::rejections_in_conflict(workspace.store.layout())?.into_iter();
    let open = open.filter(|(id, _)| known.iter().all(|conflict| conflict.subject != *id));
    let settled = open.filter_map(|(subject, text)| {
        let whole = rejection_in_conflict(&text)?.to_toml();
        Some(Conflict { subject, stages: [None, Some(whole.clone()), Some(whole)] })
    });
    Ok(settled.collect())
}

/// Merges rejections in conflict, and notes what becomes of each.
pub(super) fn settle(
    workspace: &Workspace,
    chosen: &[Conflict<ProposalId>],
    resolved: &mut Resolved,
) -> Result<Vec<Rewritten<String>>> {
    let mut files = Vec::new();
    for Conflict { subject, stages } in chosen {
        let path = rejection_path(subject);
        let before = match workspace.store.read_any(&path)? {
            FileState::Text(text) => Some(text),
            FileState::Absent => None,
            FileState::Unusable(why) => {
                resolved.warnings.push(format!("`{path}` is left alone: {why}"));
                continue;
            }
        };
        let Merged { text: after, conflicts } = match stages.each_ref().map(Option::as_deref) {
            [base, Some(ours), Some(theirs)] => {
                let base = base.unwrap_or_default();
                merge_as(&path, Sides { base, ours, theirs }, &MARKS)
            }
            [_, Some(only), None] | [_, None, Some(only)] => {
                resolved.warnings.push(format!(
                    "one side lifted `{path}` and the other changed it: the text stays refused; delete the file to lift it"
                ));
                Merged { text: only.to_owned(), conflicts: Vec::new() }
            }
            [_, None, None] => continue,
        };
        match conflicts.is_empty() {
            true => resolved.resolved.push(path.clone()),
            false => resolved.conflicts.push(path.clone()),
        }
        files.push(Rewritten { path, before, after });
    }
    Ok(files)
}
