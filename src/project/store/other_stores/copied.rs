//! The copy of a store that was fetched: `state/read/<name>/<commit>/`, with a signed list of its files.
//!
//! Git brings no folder that is believed: without a list that the key of this machine signed there is no copy, and a file
//! that is not what was fetched has no text.

use std::collections::BTreeMap;

use crate::contract::{ContentHash, hex};
use crate::disk::folder::StorePath;
use crate::disk::key::Purpose;
use crate::disk::{Folder, files};
use crate::error::Result;
use crate::project::request::StoreName;
use crate::project::store::layout::Layout;
use crate::project::store::memory_store::Locked;

/// The hash of each file of a copy.
#[derive(Debug, Default)]
pub(super) struct CopiedFiles(BTreeMap<String, String>);

const MANIFEST: &str = "manifest";

const PURPOSE: Purpose = Purpose(b"read\0");

/// Returns the folder of all copies of a store.
fn copies(layout: &Layout, name: &StoreName) -> StorePath {
    layout.state().join("read").join(name.as_str())
}

/// Opens the copy of a commit; none where it is not here, or not ours.
pub(super) fn open_copy(
    layout: &Layout,
    name: &StoreName,
    commit: &str,
) -> Result<Option<(Folder, CopiedFiles)>> {
    let place = copies(layout, name).join(commit);
    let Ok(folder) = place.enter() else { return Ok(None) };
    let text = files::read_text(&folder.inside(MANIFEST))?.unwrap_or_default();
    let Some((code, list)) = text.split_once('\n') else { return Ok(None) };
    let is_ours = layout.key().verifies(PURPOSE, signed(name, commit, list).as_bytes(), code);
    let pairs = list.lines().filter_map(|line| line.split_once(' '));
    let files = pairs.map(|(hash, path)| (path.to_owned(), hash.to_owned())).collect();
    Ok(is_ours.then_some((folder, CopiedFiles(files))))
}

fn signed(name: &StoreName, commit: &str, list: &str) -> String {
    format!("{name} {commit}\n{list}")
}

impl CopiedFiles {
    /// Tells whether a file is what was fetched.
    pub(super) fn has(&self, path: &str, bytes: &[u8]) -> bool {
        self.0.get(path).is_some_and(|known| *known == hash(bytes))
    }
}

fn hash(bytes: &[u8]) -> String {
    hex(&ContentHash::digest(bytes))
}

/// Writes the files of a commit beside those that are read, and puts them in their place by one rename.
pub(crate) fn put_copy(
    locked: &Locked<'_>,
    name: &StoreName,
    (commit, content): (&str, &[(String, Vec<u8>)]),
) -> Result<()> {
    let layout = locked.layout();
    let temp = layout.temporary().join(format!("read-{name}"));
    files::discard(&temp)?;
    let mut list = String::new();
    for (path, bytes) in content {
        files::write(&temp.join(path), bytes)?;
        list += &format!("{} {path}\n", hash(bytes));
    }
    let code = layout.key().sign(PURPOSE, signed(name, commit, &list).as_bytes());
    files::write(&temp.join(MANIFEST), format!("{code}\n{list}").as_bytes())?;
    let copies = copies(layout, name);
    // A folder that is there is none of ours, or it would have been used.
    files::discard(&copies.join(commit))?;
    files::rename(&temp, &copies.join(commit))
}

/// Removes the copies of other commits.
pub(crate) fn discard_other_copies(
    locked: &Locked<'_>,
    name: &StoreName,
    commit: &str,
) -> Result<()> {
    let copies = copies(locked.layout(), name);
    for other in files::list(&copies)?.iter().filter(|other| *other != commit) {
        files::discard(&copies.join(other))?;
    }
    Ok(())
}

/// Removes all copies of a store.
pub(crate) fn discard_copies(locked: &Locked<'_>, name: &StoreName) -> Result<()> {
    files::discard(&copies(locked.layout(), name))
}

/// Tells whether the copy of a commit is here.
pub(crate) fn has_copy(layout: &Layout, name: &StoreName, commit: &str) -> Result<bool> {
    Ok(open_copy(layout, name, commit)?.is_some())
}
