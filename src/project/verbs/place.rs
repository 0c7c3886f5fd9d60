//! Where a caller stands, and what time it is there.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::Kept;
use crate::contract::Moment;
use crate::error::Result;
use crate::git::GitTime;
use crate::project::store::Layout;

/// Where the caller stands, and what time it is there.
#[derive(Debug, Clone)]
pub struct Place {
    /// The working directory.
    pub folder: PathBuf,
    /// The root that the caller named instead.
    pub root: Option<PathBuf>,
    /// What time it is.
    pub now: Moment,
    /// How long to wait for another writer.
    pub lock_wait: Duration,
    /// How long git may take in this command.
    pub git_time: GitTime,
    /// What earlier commands of the same process left open.
    pub kept: Kept,
}

impl Place {
    /// A folder in which nobody else writes, at a time that stands still.
    #[cfg(test)]
    pub(super) fn alone_in(folder: &std::path::Path) -> Self {
        Self {
            folder: folder.to_owned(),
            root: Some(folder.to_owned()),
            now: Moment::from_unix(1_795_000_000),
            lock_wait: Duration::ZERO,
            git_time: GitTime::default(),
            kept: Kept::default(),
        }
    }

    /// Finds the store.
    pub(crate) fn layout(&self) -> Result<Layout> {
        match &self.root {
            Some(root) => Layout::at(root, &self.git_time),
            None => Layout::discover(&self.folder, &self.git_time),
        }
    }

    /// Returns the folder to name as root from the top of git's work tree: `web/docs`. Nothing where the store
    /// is found from there, or where there is no store.
    pub fn root_from_top(&self) -> Option<String> {
        let layout = self.layout().ok()?;
        let prefix = layout.prefix()?;
        let root = prefix.strip_suffix(".agent-memory/").unwrap_or(prefix).trim_end_matches('/');
        (!root.is_empty()).then(|| root.to_owned())
    }
}

/// Says where the caller stands and what time it is, anew at each call: a server outlives both.
pub type Places = Arc<dyn Fn() -> Result<Place> + Send + Sync>;

/// Answers a client that stays, until it goes.
pub type Serve = fn(Places) -> Result<()>;
