//! The fingerprints of refused texts: one small file each under `rejections/`.

use super::layout::{self, Layout};
use super::{Step, files};
use crate::contract::ProposalId;
use crate::error::Result;
use crate::rejection::Rejection;

/// Reads every rejection that can be read: one damaged file must not keep everyone from proposing.
pub fn read(layout: &Layout) -> Result<Vec<Rejection>> {
    let folder = layout.rejections();
    let names = files::list(&folder)?.into_iter().filter(|name| name.ends_with(".toml"));
    let read = names.filter_map(|name| {
        let path = folder.join(name);
        let text = files::read_text(&path).ok()??;
        Rejection::parse(&text, &path).ok()
    });
    Ok(read.collect())
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
