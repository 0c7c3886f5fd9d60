//! The fingerprints of refused texts: one small file for each refusal under `rejections/`, never changed.

use super::Step;
use super::layout::{self, Layout};
use crate::contract::{ContentHash, ProposalId};
use crate::disk::files;
use crate::error::Result;
use crate::project::rejection::Rejection;

/// Hex digits that tell two refusals of a proposal from each other.
const DIGITS: usize = 8;

/// Reads every rejection that can be read, the oldest first: one damaged file must not keep everyone from
/// proposing.
pub fn read(layout: &Layout) -> Result<Vec<Rejection>> {
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

/// Returns the steps that forget what is remembered of a proposal.
pub fn lift(layout: &Layout, id: &ProposalId) -> Result<Vec<Step>> {
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

/// Returns the step that remembers a rejection.
///
/// Where the queue is kept in git (`is_tracked`) two branches can refuse the same proposal for different reasons:
/// each refusal has a name of its own, so that no merge can conflict, on a forge neither.
pub fn remember(id: &ProposalId, rejection: &Rejection, is_tracked: bool) -> Step {
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
