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
    /// The files that may switch it off, the strongest first.
    pub(crate) switches: Vec<PathBuf>,
    /// The files that may name its folder, the strongest first.
    pub(crate) folders: Vec<PathBuf>,
    pub(crate) home: PathBuf,
}

/// Tells whether the settings lead Claude Code to the person's entries. What cannot be read leads nowhere: then a session
/// reads the index twice, which is better than never.
pub(crate) fn claude_loads_index(session: &PersonalSession, settings: &ClaudeSettings) -> bool {
    let Some(user) = &session.user else { return false };
    let read = |file: &PathBuf| outside::read_text(file).ok().flatten();
    let mut switches = settings.switches.iter().filter_map(read);
    if settings.is_off || switches.find_map(|text| memory_switch_in(&text)) == Some(false) {
        return false;
    }
    let named = settings.folders.iter().filter_map(read).find_map(|text| memory_folder_in(&text));
    let Some(named) = named else { return false };
    let folder = match named.strip_prefix("~/") {
        Some(below_home) => settings.home.join(below_home),
        None => PathBuf::from(named),
    };
    let real = |path: &Path| outside::real_path(path);
    real(&folder).is_some_and(|folder| Some(folder) == real(&session.memory_folder(user)))
}
