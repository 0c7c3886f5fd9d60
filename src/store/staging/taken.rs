//! Which names of proposals are taken.

use super::decided;
use crate::contract::ProposalId;
use crate::error::Result;
use crate::store::files;
use crate::store::layout::{self, Layout};

/// The names in the queue and beside the decisions, each folder read once.
#[derive(Debug)]
pub struct Taken {
    /// What waits, the oldest first.
    pub waiting: Vec<String>,
    /// The files that tell what was decided, and keep it.
    decided: Vec<String>,
}

impl Taken {
    /// Reads them.
    pub fn read(layout: &Layout) -> Result<Self> {
        let decided = files::list(&layout.decided())?;
        let mut waiting = files::list(&layout.staging())?;
        let known = decided::of_names(&decided);
        waiting.retain(|name| ProposalId::parse(name).is_none_or(|id| !known.contains_key(&id)));
        Ok(Self { waiting, decided })
    }

    /// Tells whether no proposal of this name waits, was decided or was rejected.
    pub fn is_free(&self, layout: &Layout, id: &ProposalId) -> bool {
        let places = [layout::shown_path(id), layout::trash_path(id), layout::rejection_path(id)];
        let is_own = |file: &String| file.split('.').next() == Some(id.as_str());
        self.waiting.iter().all(|name| name != id.as_str())
            && !self.decided.iter().any(is_own)
            && !places.iter().any(|place| files::exists(&layout.inside(place)))
    }
}

/// Lists the names of what waits, the oldest first.
pub fn names(layout: &Layout) -> Result<Vec<String>> {
    Ok(Taken::read(layout)?.waiting)
}
