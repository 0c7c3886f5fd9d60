//! Whether Claude Code keeps its own memory in the person's folder, and so loads the index by itself.

use std::path::{Path, PathBuf};

use super::session::PersonalSession;
use crate::clients::memory_folder;
use crate::disk::outside;

/// Where Claude Code finds its settings.
#[derive(Debug, Clone)]
pub(crate) struct ClaudePlaces {
    /// The files, the one that counts most first.
    pub(crate) settings: Vec<PathBuf>,
    pub(crate) home: PathBuf,
}

/// Tells whether the settings lead Claude Code to the person's entries. What cannot be read leads nowhere: then a session
/// reads the index twice, which is better than never.
pub(crate) fn is_loaded(session: &PersonalSession, places: &ClaudePlaces) -> bool {
    let Some(user) = &session.user else { return false };
    let read = |file: &PathBuf| outside::read_text(file).ok().flatten();
    let named = places.settings.iter().filter_map(read).find_map(|text| memory_folder(&text));
    let Some(named) = named else { return false };
    let folder = match named.strip_prefix("~/") {
        Some(below_home) => places.home.join(below_home),
        None => PathBuf::from(named),
    };
    let real = |path: &Path| outside::real_path(path);
    real(&folder).is_some_and(|folder| Some(folder) == real(&session.path(user).join("memory")))
}
