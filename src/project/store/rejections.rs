//! The fingerprints of rejected texts: one small file for each rejection in `rejections/`, never changed.

use std::collections::BTreeSet;

use super::layout::{self, Layout};
use super::staging;
use crate::contract::ContentHash;
use crate::disk::files;
use crate::disk::step::Step;
use crate::error::Result;
use crate::project::rejection::Rejection;
use crate::project::request::ProposalId;

/// Hex digits that distinguish two rejections of a proposal.
const DIGITS: usize = 8;

/// Reads every valid rejection, oldest first: one damaged file must not stop all proposals.
pub(crate) fn read(layout: &Layout) -> Result<Vec<Rejection>> {
    let folder = layout.rejections();
    let names = files::list(&folder)?.into_iter().filter(|name| name.ends_with(".toml"));
    let mut read = Vec::new();
    for path in names.map(|name| folder.join(name)) {
        let Ok(Some(text)) = files::read_text(&path) else { continue };
        match Rejection::parse(&text, &path) {
            Ok(rejection) => read.push(rejection),
            Err(_) => read.extend(Rejection::in_conflict(&text)),
        }
    }
    read.sort_by(|one, other| (&one.date, &one.reason).cmp(&(&other.date, &other.reason)));
    Ok(read)
}

/// Returns the ids of the rejections whose proposal is kept and was not applied. Where the queue is not in git, a clone has
/// the fingerprints alone.
pub(crate) fn restorable(layout: &Layout, all: &[Rejection]) -> Result<BTreeSet<String>> {
    if all.is_empty() {
        return Ok(BTreeSet::new());
    }
    let (retired, applied) = (staging::retired(layout)?, staging::applied_ids(layout)?);
    let ids = all.iter().filter_map(|rejection| ProposalId::parse(&rejection.id));
    let kept = ids.filter(|id| retired.contains(id) && !applied.contains(id));
    Ok(kept.map(|id| id.to_string()).collect())
}

/// Returns the steps that remove the rejections of a proposal.
pub(crate) fn lift(layout: &Layout, id: &ProposalId) -> Result<Vec<Step>> {
    let step = |from: String| {
        let name = from.rsplit('/').next().unwrap_or_default();
        let to = layout.free(layout::lifted_path(name));
        Step::Move { from, to, before: None }
    };
    Ok(rejection_paths(layout, id)?.into_iter().map(step).collect())
}

/// Returns the files of the rejections of a proposal, relative to the store.
pub(crate) fn rejection_paths(layout: &Layout, id: &ProposalId) -> Result<Vec<String>> {
    let names = files::list(&layout.rejections())?.into_iter();
    let paths = names.map(|name| layout::rejection_name(&name));
    Ok(paths.filter(|path| is_about(path, id, None)).collect())
}

/// Returns the step that stores a rejection.
///
/// Where the queue is kept in git two branches can reject the same proposal, or parts of it, for different reasons: each
/// operation and each reason has its own file, so that no merge can conflict. The number of the operation is from 1.
pub(crate) fn remember(
    id: &ProposalId,
    rejection: &Rejection,
    operation: Option<usize>,
    has_own_name: bool,
) -> Step {
    let text = rejection.to_toml();
    let digits = || ContentHash::of(text.as_bytes()).to_string()[..DIGITS].to_owned();
    let path = match operation {
        Some(number) => layout::rejection_name(&format!("{id}.{number}.{}.toml", digits())),
        None if has_own_name => layout::rejection_name(&format!("{id}.{}.toml", digits())),
        None => layout::rejection_path(id),
    };
    Step::write(&path, None, text)
}

/// Tells whether a file of `rejections/` is about an operation of a proposal; `None` means any.
pub(crate) fn is_about(path: &str, id: &ProposalId, operation: Option<usize>) -> bool {
    let operation = operation.map(|number| format!("{number}.")).unwrap_or_default();
    let rest = path.strip_prefix(&layout::rejection_name(&format!("{id}.")));
    rest.is_some_and(|rest| rest.starts_with(&operation) && rest.ends_with("toml"))
}
