//! Tells by which path a folder of notes is known: the same on every machine, and none of the folders of a person.

use super::folders::{RealFolders, real_top};
use crate::text::composed;

/// Returns what stands before the path of a note where sources name it.
pub(super) fn cited_prefix_of(RealFolders { notes, store, .. }: &RealFolders) -> Option<String> {
    let way = notes.strip_prefix(store.parent()?).ok()?;
    let parts = way.iter().map(|part| part.to_str().map(|part| format!("{part}/")));
    parts.collect()
}

/// Returns what stands before the path of a note. In the repository of the store that is the way from its top; a folder
/// elsewhere is known by the name of its repository, or by its own.
pub(super) fn prefix_of(RealFolders { notes, repository, .. }: &RealFolders) -> Option<String> {
    let (start, way) = match notes.strip_prefix(repository) {
        Ok(way) => (String::new(), way),
        Err(_) => {
            let top = real_top(notes).unwrap_or_else(|| notes.clone());
            let name = top.file_name()?.to_string_lossy().into_owned();
            (format!("../{name}/"), notes.strip_prefix(&top).ok()?)
        }
    };
    let parts = way.iter().map(|part| format!("{}/", part.to_string_lossy()));
    Some(composed(&(start + &parts.collect::<String>())).into_owned())
}
