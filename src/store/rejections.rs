//! The fingerprints of refused texts: one small file each under `rejections/`.

use super::layout::{self, Layout};
use super::{Step, files};
use crate::contract::ProposalId;
use crate::error::Result;
use crate::rejection::Rejection;

/// Reads every rejection.
pub(super) fn read(layout: &Layout) -> Result<Vec<Rejection>> {
    let folder = layout.rejections();
    let mut rejections = Vec::new();
    for name in files::list(&folder)?.into_iter().filter(|name| name.ends_with(".toml")) {
        let path = folder.join(name);
        if let Some(text) = files::read_text(&path)? {
            rejections.push(Rejection::parse(&text, &path)?);
        }
    }
    Ok(rejections)
}

/// Returns the step that remembers a rejection.
pub fn remember(id: &ProposalId, rejection: &Rejection) -> Step {
    Step::write(&layout::rejection_path(id), None, rejection.to_toml())
}
