//! Finds folders of architecture decision records, which a store can take over or read where they are.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use crate::contract::FileState;
use crate::disk::{Folder, files};
use crate::error::{ErrorKind, Result};
use crate::project::adopt::{is_guide, read_record};
use crate::project::config::ReadRule;
use crate::project::store::{Repository, tracked_files};
use crate::project::verbs::session::Session;

/// A folder of the repository with decision records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub(crate) struct RecordFolder {
    /// From the folder that holds the store.
    pub folder: String,
    /// How many files it has, without templates and guides.
    pub files: usize,
    /// The lines of `config.toml` that read them where they are.
    pub setting: String,
    #[serde(skip)]
    pub rule: ReadRule,
}

/// What the names of such folders hold.
const NAMES: [&str; 2] = ["adr", "decision"];

/// How many files of a folder are looked at before it is none of records.
const LOOKED_AT: usize = 5;

/// Returns the folders that a new store could read; none where there is a store already.
pub(crate) fn readable_records(session: &Session) -> Result<Vec<RecordFolder>> {
    match session.here().layout() {
        Err(error) if error.kind() == ErrorKind::StoreNotFound => {
            let top = || Repository::find(&session.folder);
            let root = session.root.clone().or_else(top);
            Ok(record_folders(session, root.as_ref().unwrap_or(&session.folder)))
        }
        found => found.map(|_| Vec::new()),
    }
}

/// Returns the folders below `above` whose names and files are those of decision records. What git or the disk does not
/// tell is not offered.
pub(super) fn record_folders(session: &Session, above: &Path) -> Vec<RecordFolder> {
    let repository = Repository::around(above, &session.git_time);
    let Ok(Some(held)) = Folder::open(above) else { return Vec::new() };
    let mut folders: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let tracked = tracked_files(&repository, "").unwrap_or_default();
    for path in &tracked {
        let Some((folder, _)) = path.rsplit_once('/') else { continue };
        let last = folder.rsplit('/').next().unwrap_or(folder).to_ascii_lowercase();
        if NAMES.iter().any(|known| last.contains(known)) && !is_guide(path) {
            folders.entry(folder.to_owned()).or_default().push(path.clone());
        }
    }
    let is_record = |path: &String| {
        let text = files::read_memory(&held.inside(path)).ok().and_then(FileState::into_text);
        text.is_some_and(|text| read_record(path, &text).is_some())
    };
    let has_record =
        |(_, paths): &(String, Vec<String>)| paths.iter().take(LOOKED_AT).any(is_record);
    let found: Vec<String> =
        folders.into_iter().filter(has_record).map(|(folder, _)| folder).collect();
    // The rule of a folder reads those below it too.
    let is_below = |folder: &str, other: &String| folder.starts_with(&format!("{other}/"));
    let outermost = found.iter().filter(|folder| !found.iter().any(|it| is_below(folder, it)));
    let read = |folder: &String| {
        let rule = ReadRule::for_folder(folder, "decisions")?;
        let files = tracked.iter().filter(|path| is_below(path, folder) && !is_guide(path)).count();
        Some(RecordFolder { files, setting: rule.written(), folder: folder.clone(), rule })
    };
    outermost.filter_map(read).collect()
}
