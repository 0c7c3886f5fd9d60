//! Whether Claude Code keeps its own memory in the person's folder, and so loads the index by itself.

use std::path::{Path, PathBuf};

use super::session::PersonalSession;
use crate::clients::{memory_folder_in, memory_switch_in};
use crate::disk::outside;

/// Where Claude Code reads about its own memory.
#[derive(Debug, Clone)]
pub(crate) struct ClaudeSettings {
    /// Whether the environment switches it off.
    pub(crate) is_off: bool,
    /// The settings of one person for one project; they go before the others.
    pub(crate) local: PathBuf,
    /// The settings that a project shares. Claude Code does not let them say where its memory lies.
    pub(crate) shared: PathBuf,
    /// The settings of one person for all projects.
    pub(crate) own: PathBuf,
    pub(crate) home: PathBuf,
}

/// Tells whether the settings lead Claude Code to the person's entries. What cannot be read leads nowhere: then a session
/// reads the index twice, which is better than never.
pub(crate) fn claude_loads_index(session: &PersonalSession, settings: &ClaudeSettings) -> bool {
    let Some(user) = &session.user else { return false };
    let ClaudeSettings { is_off, local, shared, own, home } = settings;
    let read = |file: &PathBuf| outside::read_text(file).ok().flatten();
    let [local, shared, own] = [local, shared, own].map(read);
    let mut switches = [&local, &shared, &own].into_iter().flatten();
    if *is_off || switches.find_map(|text| memory_switch_in(text)) == Some(false) {
        return false;
    }
    let mut folders = [&local, &own].into_iter().flatten();
    let Some(named) = folders.find_map(|text| memory_folder_in(text)) else { return false };
    let folder = match named.strip_prefix("~/") {
        Some(below_home) => home.join(below_home),
        None => PathBuf::from(named),
    };
    let real = |path: &Path| outside::real_path(path);
    real(&folder).is_some_and(|folder| Some(folder) == real(&session.memory_folder(user)))
}
