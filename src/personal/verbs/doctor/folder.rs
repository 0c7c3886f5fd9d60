//! Checks the files and folders as such: what other accounts can read, and what is never followed.

use crate::disk::files;
use crate::disk::folder::{FileKind, PathMetadata, StorePath};
use crate::error::{Error, Result};
use crate::personal::request::PersonalFinding;
use crate::personal::store::PersonFolder;

/// All permissions of group and others.
const OTHERS: u32 = 0o077;

pub(super) fn check(folder: &PersonFolder) -> Result<Vec<PersonalFinding>> {
    let mut found = Vec::new();
    for (path, PathMetadata { kind, mode, .. }) in all(folder)? {
        let shown = path.relative().display().to_string();
        let name =
            if shown.is_empty() { "the folder of the person" } else { &format!("`{shown}`") };
        if !matches!(kind, FileKind::File | FileKind::Folder) {
            let message = format!("{name} is {}, which is never followed", kind.name());
            let hint = "put the file or folder itself there, or move it away";
            found.push(PersonalFinding::new("folder", &shown, message, hint));
        } else if is_open(mode) {
            let message = format!("{name} is open to other accounts, with mode {mode:o}");
            let hint = "`agent-memory doctor --user --fix` closes it";
            found.push(PersonalFinding::new("folder", &shown, message, hint));
        }
    }
    Ok(found)
}

/// Closes what is open to other accounts; returns what was done.
pub(super) fn close(folder: &PersonFolder) -> Result<Vec<String>> {
    let mut done = Vec::new();
    for (path, PathMetadata { kind, mode, .. }) in all(folder)? {
        let wanted = match kind {
            FileKind::File => 0o600,
            FileKind::Folder => 0o700,
            FileKind::Link | FileKind::Pipe | FileKind::Socket | FileKind::Device => continue,
        };
        if is_open(mode) {
            // What cannot be closed stays a finding.
            let closed = files::narrow(&path, wanted);
            let shown = path.display();
            done.extend(closed.ok().map(|()| format!("closed `{shown}` to other accounts")));
        }
    }
    Ok(done)
}

/// Other systems than Unix tell no permissions.
fn is_open(mode: u32) -> bool {
    cfg!(unix) && mode & OTHERS != 0
}

/// Returns the folder with all that is below it.
fn all(folder: &PersonFolder) -> Result<Vec<(StorePath, PathMetadata)>> {
    let root = folder.inside("");
    let metadata = root.metadata().map_err(|cause| Error::io("look at", &root, cause))?;
    let below = files::all_below(&root).into_iter();
    // A file that is gone now was another process's temp file.
    let below = below.filter_map(|path| path.metadata().ok().map(|metadata| (path, metadata)));
    Ok(std::iter::once((root, metadata)).chain(below).collect())
}
