//! Records what a person brings into the memory without a proposal, as one change with a log line and an undo.

use super::answer::logged;
use super::rewrite::Rewritten;
use crate::contract::{ContentHash, Moment};
use crate::disk::log::LogTail;
use crate::error::Result;
use crate::markdown::Outline;
use crate::project::edit::changes;
use crate::project::pipeline::Approval;
use crate::project::request::{AffectedSection, ProposalId};
use crate::project::reversal::Reversal;
use crate::project::store::log::Entry;
use crate::project::store::{Layout, Step, staging, undo};

/// The approval of such a change, its time and its reason.
pub(super) struct Admission<'a> {
    pub(super) approval: &'a Approval,
    pub(super) now: Moment,
    pub(super) reason: String,
    /// The files from which it moves sections.
    pub(super) moved_from: Vec<String>,
}

impl Admission<'_> {
    /// Returns the id of the change, and the steps that log it and make it undoable. A former text with a secret is not
    /// kept for an undo.
    pub(super) fn record(
        &self,
        layout: &Layout,
        notes: &[Rewritten],
        is_secret: impl Fn(&str) -> bool,
    ) -> Result<(ProposalId, [Step; 2])> {
        let (log, undo) = (layout.signed_log().tail()?, layout.undo_list().tail()?);
        let reason = self.reason.as_str();
        let id = name(layout, self.now, reason, &log)?;
        let sections: Vec<AffectedSection> = notes.iter().flat_map(affected).collect();
        let files = notes.iter();
        let files = files.map(|note| logged(&note.path, note.before.as_deref(), note.left()));
        let line = Entry {
            id: Some(&id),
            approver: Some(self.approval.approver()),
            reason: Some(reason),
            moved_from: self.moved_from.clone(),
            files: files.collect(),
            sections: &sections,
            ..Entry::new(self.now, "applied")
        };
        let reversals = notes.iter().map(|note| reversal(note).withheld_if(&is_secret));
        let reversals: Vec<Reversal> = reversals.collect();
        let steps = [undo::line(&undo, &id, &reversals), line.append_to(&log)];
        Ok((id, steps))
    }
}

/// Finds a free id.
fn name(layout: &Layout, now: Moment, subject: &str, log: &LogTail) -> Result<ProposalId> {
    let taken = staging::Taken::read(layout)?;
    let known: Vec<ProposalId> = undo::read(layout)?.into_iter().map(|each| each.id).collect();
    let mut ids = (0_u32..).map(|attempt| {
        ProposalId::new(now, subject, format!("{} {attempt}", log.decisions()).as_bytes())
    });
    let is_free = |id: &ProposalId| taken.is_free(layout, id) && !known.contains(id);
    Ok(ids.find(is_free).expect("one of 65,536 names is free in a second"))
}

fn affected(note: &Rewritten) -> Vec<AffectedSection> {
    let before = Outline::read(note.before.as_deref().unwrap_or_default());
    let changes = changes(&before, &Outline::read(&note.after));
    let named = changes.iter().filter(|change| change.id.is_some());
    named.map(|change| change.affected(&note.path)).collect()
}

fn reversal(note: &Rewritten) -> Reversal {
    let before = note.before.as_deref().map(Outline::read);
    let hash = ContentHash::of(note.after.as_bytes());
    Reversal::of(note.path.as_str(), before.as_ref(), &Outline::read(&note.after), &hash)
}
