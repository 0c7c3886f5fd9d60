//! The fingerprints of refused texts: one small file each under `rejections/`.

use super::layout::{self, Layout};
use super::{Step, files};
use crate::contract::ProposalId;
use crate::error::Result;
use crate::rejection::Rejection;

/// Reads every rejection that can be read: one damaged file must not keep everyone from proposing.
pub fn read(layout: &Layout) -> Result<Vec<Rejection>> {
    Ok(read_all(layout)?.into_iter().filter_map(Result::ok).collect())
}

/// Says which rejections cannot be read, and why.
pub fn damaged(layout: &Layout) -> Result<Vec<String>> {
    let damaged = read_all(layout)?.into_iter().filter_map(Result::err);
    Ok(damaged.map(|error| error.to_string()).collect())
}

fn read_all(layout: &Layout) -> Result<Vec<Result<Rejection>>> {
    let folder = layout.rejections();
    let names = files::list(&folder)?.into_iter().filter(|name| name.ends_with(".toml"));
    Ok(names
        .filter_map(|name| {
            let path = folder.join(name);
            let text = files::read_text(&path).transpose()?;
            Some(text.and_then(|text| Rejection::parse(&text, &path)))
        })
        .collect())
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
