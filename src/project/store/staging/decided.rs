//! Proposals that were decided on another branch, for queues that are kept in git.
//!
//! A decision is an empty file `decided/<id>.<decision>`, which git carries to other clones. Equal decisions have equal
//! names and bytes, so no merge can conflict. Beside it is the proposal, `decided/<id>.json`, if git tracked it: for
//! git it was moved.

use std::collections::{BTreeMap, BTreeSet};

use crate::contract::{FileState, LARGEST_FILE};
use crate::disk::files;
use crate::disk::folder::StorePath;
use crate::disk::step::Step;
use crate::error::Result;
use crate::project::request::ProposalId;
use crate::project::store::layout::{self, Layout};

pub(crate) const APPLIED: &str = "applied";
pub(crate) const REJECTED: &str = "rejected";
/// What is said of a proposal of which a person applied some operations, and rejected the others.
pub(crate) const APPLIED_IN_PART: &str = "applied in part";

/// What a branch decided about a proposal, or about one of its operations: a file name in `decided/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DecisionMark {
    /// [`APPLIED`] or [`REJECTED`].
    pub(crate) decision: &'static str,
    /// The number of the operation, from 1; none for all of them.
    pub(crate) operation: Option<usize>,
}

impl DecisionMark {
    pub(crate) fn whole(decision: &'static str) -> Self {
        Self { decision, operation: None }
    }

    /// Returns the marks of a proposal with so many operations, of which a person applied some.
    pub(crate) fn parts(count: usize, is_applied: impl Fn(usize) -> bool) -> Vec<Self> {
        let mark = |number: usize| {
            let decision = if is_applied(number) { APPLIED } else { REJECTED };
            Self { decision, operation: Some(number + 1) }
        };
        (0..count).map(mark).collect()
    }

    pub(crate) fn path(self, id: &ProposalId) -> String {
        let operation = self.operation.map(|number| format!("-{number}")).unwrap_or_default();
        layout::decided_path(id, &format!("{}{operation}", self.decision))
    }

    /// Reads the name of a file in `decided/`.
    pub(crate) fn read(name: &str) -> Option<(ProposalId, Self)> {
        let (id, ending) = name.split_once('.')?;
        let (word, number) = match ending.split_once('-') {
            Some((word, number)) => (word, Some(number.parse().ok().filter(|it| *it > 0)?)),
            None => (ending, None),
        };
        let decision = [APPLIED, REJECTED].into_iter().find(|known| *known == word)?;
        let read = (ProposalId::parse(id)?, Self { decision, operation: number });
        // `applied-01` would be another file with the same meaning.
        (read.1.path(&read.0) == layout::in_decided(name)).then_some(read)
    }
}

/// Says what became of a proposal; of several branches that disagree each decision.
pub(crate) fn summary(marks: &[DecisionMark]) -> String {
    let is_whole = |decision| marks.contains(&DecisionMark::whole(decision));
    let is_in_part = marks.iter().any(|mark| mark.operation.is_some());
    let all = [
        (APPLIED, is_whole(APPLIED)),
        (APPLIED_IN_PART, is_in_part),
        (REJECTED, is_whole(REJECTED)),
    ];
    let said: Vec<&str> = all.iter().filter(|(_, is_so)| *is_so).map(|(word, _)| *word).collect();
    said.join(" and ")
}

/// What one branch applied and another rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Disputed {
    Whole,
    /// The numbers of operations, from 1.
    Operations(Vec<usize>),
}

/// Returns what marks say in two ways; none if they agree.
pub(crate) fn disputed(marks: &[DecisionMark]) -> Option<Disputed> {
    let is_so = |decision, operation| marks.contains(&DecisionMark { decision, operation });
    if is_so(APPLIED, None) && is_so(REJECTED, None) {
        return Some(Disputed::Whole);
    }
    let is_decided = |decision, number| is_so(decision, None) || is_so(decision, Some(number));
    let mut numbers: Vec<usize> = marks.iter().filter_map(|mark| mark.operation).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.retain(|number| is_decided(APPLIED, *number) && is_decided(REJECTED, *number));
    (!numbers.is_empty()).then_some(Disputed::Operations(numbers))
}

impl Disputed {
    /// Says it of a proposal.
    pub(crate) fn told(&self, id: &ProposalId) -> String {
        match self {
            Self::Whole => format!("`{id}` was applied on one branch and rejected on another"),
            Self::Operations(numbers) => {
                let listed: Vec<String> = numbers.iter().map(ToString::to_string).collect();
                let (name, verb) = match numbers.len() {
                    1 => ("operation", "was"),
                    _ => ("operations", "were"),
                };
                let listed = listed.join(", ");
                format!(
                    "{name} {listed} of `{id}` {verb} applied on one branch and rejected on another"
                )
            }
        }
    }
}

/// A decided proposal, as `decided/` tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DecidedProposal {
    pub(crate) id: ProposalId,
    /// What became of it; several, with `and`, if branches disagree.
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
pub(crate) fn mark(id: &ProposalId, mark: DecisionMark) -> Step {
    Step::write(&mark.path(id), None, String::new())
}

/// Returns the steps that remove the decisions about a proposal. Its kept text stays: the next decision would add it
/// again.
pub(crate) fn reopen(layout: &Layout, id: &ProposalId) -> Result<Vec<Step>> {
    Ok(marks_of(layout, id)?.into_iter().filter_map(|mark| forget(layout, id, mark)).collect())
}

/// Returns the steps that remove the marks of an approval of this clone, of all operations or of some, numbered from 0; those of others
/// stay.
pub(crate) fn no_longer_applied(
    layout: &Layout,
    id: &ProposalId,
    operations: Option<&[usize]>,
) -> Vec<Step> {
    let of = |number: &usize| DecisionMark { decision: APPLIED, operation: Some(number + 1) };
    let marks: Vec<DecisionMark> = match operations {
        Some(chosen) => chosen.iter().map(of).collect(),
        None => vec![DecisionMark::whole(APPLIED)],
    };
    marks.into_iter().filter_map(|mark| forget(layout, id, mark)).collect()
}

fn forget(layout: &Layout, id: &ProposalId, mark: DecisionMark) -> Option<Step> {
    let from = mark.path(id);
    let name = from.rsplit('/').next().unwrap_or_default();
    let to = layout.free(layout::reopened_path(name));
    files::exists(&layout.inside(&from)).then_some(Step::Move { from, to, before: None })
}

/// Returns what was decided about a proposal, here or on a merged branch.
pub(crate) fn marks_of(layout: &Layout, id: &ProposalId) -> Result<Vec<DecisionMark>> {
    Ok(read(layout)?.remove(id).unwrap_or_default())
}

/// Tells whether a merged branch has applied a proposal or a part of it, and it was not taken back.
pub(crate) fn is_applied(layout: &Layout, id: &ProposalId) -> Result<bool> {
    Ok(marks_of(layout, id)?.iter().any(|mark| mark.decision == APPLIED))
}

/// Returns all proposals of which that is so.
pub(crate) fn applied_ids(layout: &Layout) -> Result<BTreeSet<ProposalId>> {
    let decided = read(layout)?.into_iter();
    let is_applied = |marks: &[DecisionMark]| marks.iter().any(|mark| mark.decision == APPLIED);
    Ok(decided.filter(|(_, marks)| is_applied(marks)).map(|(id, _)| id).collect())
}

pub(crate) fn read(layout: &Layout) -> Result<BTreeMap<ProposalId, Vec<DecisionMark>>> {
    Ok(of_names(&files::list(&layout.decided())?))
}

/// Parses the decisions from file names, in order.
pub(crate) fn of_names(names: &[String]) -> BTreeMap<ProposalId, Vec<DecisionMark>> {
    let mut decided: BTreeMap<ProposalId, Vec<DecisionMark>> = BTreeMap::new();
    for (id, mark) in names.iter().filter_map(|name| DecisionMark::read(name)) {
        decided.entry(id).or_default().push(mark);
    }
    decided.values_mut().for_each(|marks| marks.sort_unstable());
    decided
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(names: &[&str]) -> Vec<DecisionMark> {
        let names: Vec<String> =
            names.iter().map(|it| format!("20261120-100000-x-abcd.{it}")).collect();
        of_names(&names).into_values().next().unwrap_or_default()
    }

    #[test]
    fn a_mark_is_read_back_as_it_was_written() {
        let id = ProposalId::parse("20261120-100000-x-abcd").expect("an id");
        for mark in DecisionMark::parts(2, |number| number == 0) {
            let path = mark.path(&id);
            assert_eq!(DecisionMark::read(&path["decided/".len()..]), Some((id.clone(), mark)));
        }
        for name in ["applied-0", "applied-01", "applied-x", "applied-1-2", "json", "in-part"] {
            assert_eq!(marks(&[name]), [], "{name}");
        }
    }

    #[test]
    fn branches_disagree_where_one_applied_what_another_rejected() {
        let check = |names: &[&str], expected: Option<&str>, said: &str| {
            let marks = marks(names);
            let found = disputed(&marks).map(|disputed| match disputed {
                Disputed::Whole => "all".to_owned(),
                Disputed::Operations(numbers) => format!("{numbers:?}"),
            });
            assert_eq!(found.as_deref(), expected, "{names:?}");
            assert_eq!(summary(&marks), said, "{names:?}");
        };
        let part = ["applied-1", "rejected-2", "rejected-3"];
        check(&["applied"], None, "applied");
        check(&part, None, "applied in part");
        check(&["applied", "rejected"], Some("all"), "applied and rejected");
        let whole = [&part[..], &["applied"]].concat();
        check(&whole, Some("[2, 3]"), "applied and applied in part");
        let none = [&part[..], &["rejected"]].concat();
        check(&none, Some("[1]"), "applied in part and rejected");
        let other = [&part[..], &["applied-2", "rejected-1"]].concat();
        check(&other, Some("[1, 2]"), "applied in part");
    }
}
