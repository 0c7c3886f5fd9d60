//! The fingerprints of rejected texts: one small file for each rejection in `rejections/`, never changed.

use super::layout::{self, Layout};
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

/// Returns the steps that remove the rejections of a proposal.
pub(crate) fn lift(layout: &Layout, id: &ProposalId) -> Result<Vec<Step>> {
    let is_own = |name: &String| {
        let rest = name.strip_prefix(id.as_str()).and_then(|rest| rest.strip_suffix(".toml"));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let names = files::list(&layout.rejections())?.into_iter().filter(is_own);
    let step = |name: String| {
        let to = layout.free(layout::lifted_path(&name));
        Step::Move { from: layout::rejection_name(&name), to, before: None }
    };
    Ok(names.map(step).collect())
}

/// Returns the step that stores a rejection.
///
/// Where the queue is kept in git (`is_tracked`) two branches can reject the same proposal for different reasons: each
/// rejection has its own file, so that no merge can conflict.
pub(crate) fn remember(id: &ProposalId, rejection: &Rejection, is_tracked: bool) -> Step {
    let text = rejection.to_toml();
    let path = match is_tracked {
        true => {
            let digits = &ContentHash::of(text.as_bytes()).to_string()[..DIGITS];
            layout::rejection_name(&format!("{id}.{digits}.toml"))
        }
        false => layout::rejection_path(id),
    };
    Step::write(&path, None, text)
}
