//! Proposals that were decided on another branch, for queues that are kept in git.
//!
//! A decision is an empty file `decided/<id>.<decision>`, which git carries to other clones. Equal decisions have equal
//! names and bytes, so no merge can conflict. Beside it is the proposal, `decided/<id>.json`, if git tracked it: for
//! git it was moved.

use std::collections::BTreeMap;

use crate::contract::{FileState, LARGEST_FILE};
use crate::disk::files;
use crate::disk::folder::StorePath;
use crate::disk::step::Step;
use crate::error::Result;
use crate::project::request::ProposalId;
use crate::project::store::layout::{self, Layout};

/// What may become of a proposal. A part of it is a decision of its own: another branch may apply all of it.
pub(crate) const DECISIONS: [&str; 3] = [APPLIED, APPLIED_IN_PART, REJECTED];

pub(crate) const APPLIED: &str = "applied";
/// Some of its operations; the others were rejected, and `rejections/` tells which.
pub(crate) const APPLIED_IN_PART: &str = "applied in part";
pub(crate) const REJECTED: &str = "rejected";

/// A decided proposal, as `decided/` tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DecidedProposal {
    pub(crate) id: ProposalId,
    /// One of [`DECISIONS`]; several, with `and`, if branches disagree.
    pub(crate) decision: String,
}

impl DecidedProposal {
    /// Finds a proposal by an id that a person typed.
    pub(super) fn find<'d>(all: &'d [Self], wanted: &str) -> Option<&'d Self> {
        let ids: Vec<&ProposalId> = all.iter().map(|each| &each.id).collect();
        let id = ProposalId::choose(&ids, wanted).ok()?;
        all.iter().find(|each| each.id == *id)
    }
}

/// Returns the step that moves a tracked proposal out of the queue, byte for byte; `None` if it must not be copied, or
/// was copied since the last commit.
///
/// If two branches removed a proposal and each added another, git pairs removed and added files by similar lines, and
/// the pairs contradict. Files with equal bytes are paired first, alike on both.
pub(crate) fn keep(
    layout: &Layout,
    id: &ProposalId,
    is_fit: impl Fn(&str) -> bool,
) -> Result<Option<Step>> {
    let git = layout.git();
    if !git.is_there() {
        return Ok(None);
    }
    // The staged version: git would not pair later changes.
    let Some(blob) = git.id_staged(&git.named(&layout::question_path(id)))? else {
        return Ok(None);
    };
    // A file above the limit could never be restored.
    let size = git.run_line(&["cat-file", "-s", &blob], b"")?;
    if size.parse::<u64>().is_ok_and(|size| size > LARGEST_FILE) {
        return Ok(None);
    }
    let text = String::from_utf8(git.run(&["cat-file", "blob", &blob], b"")?);
    let Some(text) = text.ok().filter(|text| is_fit(text)) else { return Ok(None) };
    for kept in kept(layout, id).flatten().filter(|(_, kept)| *kept == text) {
        // A committed file was not added with this removal.
        let is_committed = match git.last_commit()? {
            Some(head) => git.text_in(&head, &git.named(&kept.0))?.is_some(),
            None => false,
        };
        if !is_committed {
            return Ok(None);
        }
    }
    Ok(Some(Step::write(&layout.free(layout::kept_path(id)), None, text)))
}

/// Returns the kept files of a proposal that left the queue, relative to the store, each with its text. They are read
/// on demand: git may bring any number.
pub(crate) fn kept(
    layout: &Layout,
    id: &ProposalId,
) -> impl DoubleEndedIterator<Item = Result<(String, String)>> {
    let spots: Vec<StorePath> = layout.taken(layout::kept_path(id)).collect();
    spots.into_iter().filter_map(|spot| {
        let path = spot.relative().to_str()?.to_owned();
        let text = files::read_memory(&spot).map(FileState::into_text).transpose()?;
        Some(text.map(|text| (path, text)))
    })
}

/// Returns the step that adds a permanent file to the folder of decisions, if it is missing.
///
/// Git takes a folder that loses its last file for renamed: files that another branch adds would follow, in conflict,
/// to its new path.
pub(crate) fn steady(layout: &Layout) -> Option<Step> {
    let path = layout::steady_path();
    let is_there = files::exists(&layout.inside(&path));
    (!is_there).then(|| Step::write(&path, None, String::new()))
}

/// Returns the step that tells other branches about a decision.
pub(crate) fn mark(id: &ProposalId, decision: &str) -> Step {
    Step::write(&layout::decided_path(id, decision), None, String::new())
}

/// Returns the steps that remove the decisions about a proposal. Its kept text stays: the next decision would add it
/// again.
pub(crate) fn reopen(layout: &Layout, id: &ProposalId) -> Vec<Step> {
    DECISIONS.into_iter().filter_map(|decision| forget(layout, id, decision)).collect()
}

/// Returns the steps that remove the marks of an approval; decisions of others stay.
pub(crate) fn no_longer_applied(layout: &Layout, id: &ProposalId) -> Vec<Step> {
    [APPLIED, APPLIED_IN_PART].iter().filter_map(|decision| forget(layout, id, decision)).collect()
}

fn forget(layout: &Layout, id: &ProposalId, decision: &str) -> Option<Step> {
    let from = layout::decided_path(id, decision);
    let to = layout.free(layout::reopened_path(&layout::decision_name(id, decision)));
    files::exists(&layout.inside(&from)).then_some(Step::Move { from, to, before: None })
}

/// Says how branches decided a proposal that they did not decide alike.
pub(crate) fn disagreement(id: &ProposalId, decisions: &[&str]) -> String {
    match decisions {
        [] | [_] => format!("`{id}` was applied on two branches, on each another part of it"),
        [one, other] => format!("`{id}` was {one} on one branch and {other} on another"),
        [one, others @ .., last] => {
            let others = others.join(" on another, ");
            format!("`{id}` was {one} on one branch, {others} on another and {last} on a third")
        }
    }
}

/// Tells whether a merged branch has applied a proposal or a part of it, and it was not taken back.
pub(crate) fn is_applied(layout: &Layout, id: &ProposalId) -> bool {
    applied_marks(id).iter().any(|mark| files::exists(&layout.inside(mark)))
}

/// Returns the files that may tell that a proposal was applied.
pub(crate) fn applied_marks(id: &ProposalId) -> [String; 2] {
    [APPLIED, APPLIED_IN_PART].map(|decision| layout::decided_path(id, decision))
}

pub(super) fn read(layout: &Layout) -> Result<BTreeMap<ProposalId, Vec<&'static str>>> {
    Ok(of_names(&files::list(&layout.decided())?))
}

/// Parses the decisions from file names, in the order of [`DECISIONS`].
pub(crate) fn of_names(names: &[String]) -> BTreeMap<ProposalId, Vec<&'static str>> {
    let mut decided: BTreeMap<ProposalId, Vec<&str>> = BTreeMap::new();
    for (id, decision) in names.iter().filter_map(|name| read_decision(name)) {
        decided.entry(id).or_default().push(decision);
    }
    let order = |decision: &&str| DECISIONS.iter().position(|known| known == decision);
    decided.values_mut().for_each(|decisions| decisions.sort_by_key(order));
    decided
}

/// Reads the name of a file in `decided/`.
pub(crate) fn read_decision(name: &str) -> Option<(ProposalId, &'static str)> {
    let id = ProposalId::parse(name.split('.').next()?)?;
    let decision = DECISIONS.into_iter().find(|known| layout::decision_name(&id, known) == name)?;
    Some((id, decision))
}
