//! Which proposals were decided on another branch, for queues that are kept in git.
//!
//! A decision leaves an empty file `decided/<id>.<decision>`, which git carries to the others. Its name and
//! bytes are the same wherever the same is decided, so that no merge can conflict. Beside it lies the proposal,
//! `decided/<id>.json`, if git has it: for git it was moved.

use std::collections::BTreeMap;

use crate::contract::FileState;
use crate::contract::LARGEST;
use crate::contract::ProposalId;
use crate::disk::files;
use crate::disk::folder::Spot;
use crate::error::Result;
use crate::project::store::Step;
use crate::project::store::layout::{self, Layout};

/// What can be decided about a proposal.
pub const DECISIONS: [&str; 2] = ["applied", "rejected"];

/// A proposal that was decided, as the store tells it to all who share it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    /// Its name.
    pub id: ProposalId,
    /// What became of it: `applied` or `rejected`; both, where two branches disagree.
    pub decision: String,
}

impl Decided {
    /// Finds the one that a person means.
    pub(super) fn find<'d>(all: &'d [Self], wanted: &str) -> Option<&'d Self> {
        let ids: Vec<&ProposalId> = all.iter().map(|each| &each.id).collect();
        let id = ProposalId::choose(&ids, wanted).ok()?;
        all.iter().find(|each| each.id == *id)
    }
}

/// Returns the step that lets a proposal which git has leave the queue as one that is moved, to the byte; nothing if
/// it is not fit to be copied, or was copied since the last commit.
///
/// Where two branches took out a proposal and each put another in, git ties what went to what came with much the same
/// lines, and they contradict. What came with the same bytes is tied first, alike on both.
pub fn keep(
    layout: &Layout,
    id: &ProposalId,
    is_fit: impl Fn(&str) -> bool,
) -> Result<Option<Step>> {
    let git = layout.git();
    if !git.is_there() {
        return Ok(None);
    }
    // As git has it: what was changed there since would not be tied.
    let Some(blob) = git.id_staged(&git.named(&layout::question_path(id)))? else {
        return Ok(None);
    };
    // What is larger than any file that is read could never be restored.
    let size = git.run_line(&["cat-file", "-s", &blob], b"")?;
    if size.parse::<u64>().is_ok_and(|size| size > LARGEST) {
        return Ok(None);
    }
    let text = String::from_utf8(git.run(&["cat-file", "blob", &blob], b"")?);
    let Some(text) = text.ok().filter(|text| is_fit(text)) else { return Ok(None) };
    for kept in kept(layout, id).flatten().filter(|(_, kept)| *kept == text) {
        // What a commit has already did not come with what goes now.
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

/// Returns the files in which a proposal is kept that has left the queue, relative to the store, each with its text,
/// which is read when it is asked for: git may bring any number of them.
pub fn kept(
    layout: &Layout,
    id: &ProposalId,
) -> impl DoubleEndedIterator<Item = Result<(String, String)>> {
    let spots: Vec<Spot> = layout.taken(layout::kept_path(id)).collect();
    spots.into_iter().filter_map(|spot| {
        let path = spot.relative().to_str()?.to_owned();
        let text = files::read_memory(&spot).map(FileState::into_text).transpose()?;
        Some(text.map(|text| (path, text)))
    })
}

/// Returns the step that puts a file into the folder of decisions which stays there, if it is missing.
///
/// A folder that loses its last file counts as renamed for git: what another branch puts into it would follow, in
/// conflict, to where that one went.
pub fn steady(layout: &Layout) -> Option<Step> {
    let path = layout::steady_path();
    let is_there = files::exists(&layout.inside(&path));
    (!is_there).then(|| Step::write(&path, None, String::new()))
}

/// Returns the step that tells other branches what became of a proposal.
pub fn mark(id: &ProposalId, decision: &str) -> Step {
    Step::write(&layout::decided_path(id, decision), None, String::new())
}

/// Returns the steps that forget what was decided about a proposal. What is kept of it for git stays: the next decision
/// would put it there again.
pub fn reopen(layout: &Layout, id: &ProposalId) -> Vec<Step> {
    DECISIONS.into_iter().filter_map(|decision| forget(layout, id, decision)).collect()
}

/// Returns the step that forgets that a proposal was applied; what others decided stays.
pub fn no_longer_applied(layout: &Layout, id: &ProposalId) -> Option<Step> {
    forget(layout, id, "applied")
}

fn forget(layout: &Layout, id: &ProposalId, decision: &str) -> Option<Step> {
    let from = layout::decided_path(id, decision);
    let to = layout.free(layout::reopened_path(&format!("{id}.{decision}")));
    files::exists(&layout.inside(&from)).then_some(Step::Move { from, to, before: None })
}

/// Tells whether a branch that is merged here has applied a proposal, and nobody took that back.
pub fn is_applied(layout: &Layout, id: &ProposalId) -> bool {
    files::exists(&layout.inside(&layout::decided_path(id, "applied")))
}

/// Reads what was decided about which proposal.
pub(super) fn read(layout: &Layout) -> Result<BTreeMap<ProposalId, Vec<&'static str>>> {
    Ok(of_names(&files::list(&layout.decided())?))
}

/// Returns what was decided about which proposal, as the names of files tell.
pub(super) fn of_names(names: &[String]) -> BTreeMap<ProposalId, Vec<&'static str>> {
    let mut decided: BTreeMap<ProposalId, Vec<&str>> = BTreeMap::new();
    for (id, decision) in names.iter().filter_map(|name| read_decision(name)) {
        decided.entry(id).or_default().push(decision);
    }
    decided
}

fn read_decision(name: &str) -> Option<(ProposalId, &'static str)> {
    let (id, decision) = name.rsplit_once('.')?;
    let decision = DECISIONS.into_iter().find(|known| *known == decision)?;
    Some((ProposalId::parse(id)?, decision))
}
