//! The fingerprints of refused texts: one small file each under `rejections/`.

use std::path::Path;

use super::layout::{self, Layout};
use super::{Step, files};
use crate::contract::ProposalId;
use crate::error::Result;
use crate::merge::rejection_in_conflict;
use crate::rejection::Rejection;
use crate::text::find_conflict_marker;

pub use layout::rejection_path;

/// Reads every rejection that can be read: one damaged file must not keep everyone from proposing. One in which
/// git left a conflict refuses what either side refuses, or a merge would let the text in.
pub fn read(layout: &Layout) -> Result<Vec<Rejection>> {
    Ok(texts(layout)?.filter_map(|(_, text)| readable(&text)).collect())
}

fn readable(text: &str) -> Option<Rejection> {
    Rejection::parse(text, Path::new("")).ok().or_else(|| rejection_in_conflict(text))
}

/// Returns the rejections in which git left a conflict, each with its text.
pub fn in_conflict(layout: &Layout) -> Result<Vec<(ProposalId, String)>> {
    let is_open = |text: &str| {
        find_conflict_marker(text).is_some() && Rejection::parse(text, Path::new("")).is_err()
    };
    let named = texts(layout)?.filter_map(|(name, text)| Some((id_of(&name)?, text)));
    Ok(named.filter(|(_, text)| is_open(text)).collect())
}

/// Returns the proposal that a path relative to the store is the rejection of.
pub(super) fn rejected_at(path: &str) -> Option<ProposalId> {
    id_of(path.strip_prefix("rejections/")?)
}

fn id_of(name: &str) -> Option<ProposalId> {
    ProposalId::parse(name.strip_suffix(".toml")?)
}

/// Reads the files, by their names.
fn texts(layout: &Layout) -> Result<impl Iterator<Item = (String, String)>> {
    let folder = layout.rejections();
    let names = files::list(&folder)?.into_iter().filter(|name| name.ends_with(".toml"));
    Ok(names.filter_map(move |name| {
        let text = files::read_text(&folder.join(&name)).ok()??;
        Some((name, text))
    }))
}

/// Returns the step that forgets the rejection of a proposal; none if there is none to forget.
pub fn lift(layout: &Layout, id: &ProposalId) -> Option<Step> {
    let from = layout::rejection_path(id);
    let to = layout.free(layout::lifted_path(id));
    files::exists(&layout.inside(&from)).then_some(Step::Move { from, to, before: None })
}

/// Returns the step that remembers a rejection.
pub fn remember(id: &ProposalId, rejection: &Rejection) -> Step {
    Step::write(&layout::rejection_path(id), None, rejection.to_toml())
}
