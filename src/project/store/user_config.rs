//! The user's own settings, which count only where no repository can write them.

use std::path::{Path, PathBuf};

use super::layout::Layout;
use crate::config::UserConfig;
use crate::disk::outside;
use crate::error::Result;
use crate::git::{filled_around, repositories_around};

/// The user's own settings, as far as they count.
#[derive(Debug)]
pub enum OwnSettings {
    /// The settings, or the defaults.
    Count(UserConfig),
    /// They are in this folder, which a repository can fill, and do not count: an agent may have written them.
    Inside(PathBuf),
}

impl OwnSettings {
    /// Reads the file that the environment names.
    ///
    /// Its folder is checked by reading files, not by asking git: a variable such as `GIT_DIR` would name another
    /// repository.
    pub(crate) fn read(file: &Path, layout: &Layout) -> Result<Self> {
        let Some(text) = outside::read_text(file)? else {
            return Ok(Self::Count(UserConfig::default()));
        };
        let mut folders = filled_around(layout.store())?;
        folders.extend(filled_around(layout.repository())?);
        // The repository decides where its links lead.
        let way = outside::way_to(file);
        let is_around = |folder: &&PathBuf| way.iter().any(|place| outside::lies_in(place, folder));
        let around = folders.iter().find(is_around).cloned();
        match around.or_else(|| tree_of_same_repository(&way, layout)) {
            Some(folder) => Ok(Self::Inside(folder)),
            None => UserConfig::parse(&text, file).map(Self::Count),
        }
    }
}

/// Finds a work tree around one of the paths that belongs to a repository around the store.
fn tree_of_same_repository(places: &[PathBuf], layout: &Layout) -> Option<PathBuf> {
    let around = repositories_around(layout.store());
    let is_same = |common: &PathBuf| around.iter().any(|(_, own)| own == common);
    let mut found = places.iter().flat_map(|place| repositories_around(place));
    found.find(|(_, common)| is_same(common)).map(|(tree, _)| tree)
}
