//! Replaces a file, and keeps what a person saved there at the same moment.
//!
//! Old and new file are exchanged in one step, and the old one is checked after that, so no save can come in between.
//! Where the file system cannot exchange, the check comes first, and a save right after it is lost.

use super::files::{self, Stood};
use super::folder::StorePath;
use super::journal::record::OpenRecord;
use super::step::{FormerFile, Step};
use super::store_folder::{StoreFolder, edited_path};
use crate::contract::ContentHash;
use crate::error::Result;

/// A new file that replaces another.
pub(super) struct Replacement<'a> {
    /// The temp file.
    pub(super) temp_file: &'a StorePath,
    /// The target, relative to the store.
    pub(super) path: &'a str,
    /// SHA-256 of the expected old file; `None` for no file.
    pub(super) expected: Option<&'a str>,
}

/// Replaces a file; returns a warning if the old one was not expected.
///
/// A process that dies right after the exchange leaves the old file at `temp_file`, for recovery to check.
pub(super) fn replace(store: &StoreFolder, new: &Replacement<'_>) -> Result<Option<String>> {
    let Replacement { temp_file, path, expected } = *new;
    match files::exchange(temp_file, &store.inside(path), expected.is_some())? {
        Some(Stood::Nothing) => Ok(expected.map(|_| was_deleted(path))),
        Some(Stood::Something) => check_old(store, new),
        None => check_and_replace(store, temp_file, path, expected),
    }
}

/// Checks the replaced file.
fn check_old(store: &StoreFolder, new: &Replacement<'_>) -> Result<Option<String>> {
    let Replacement { temp_file, path, expected } = *new;
    // An unreadable file may be a person's work too.
    let old = files::read(temp_file).ok().flatten().unwrap_or_default();
    match expected == Some(hash(&old).as_str()) {
        true => files::remove_plain(temp_file).map(|()| None),
        false => move_to_trash(store, temp_file, path, &old).map(Some),
    }
}

/// Does the same in two steps.
fn check_and_replace(
    store: &StoreFolder,
    temp_file: &StorePath,
    path: &str,
    expected: Option<&str>,
) -> Result<Option<String>> {
    let target = store.inside(path);
    let now = files::read(&target)?;
    let said = match &now {
        now if now.as_deref().map(hash).as_deref() == expected => None,
        None => Some(was_deleted(path)),
        Some(bytes) => {
            let kept = store.free(edited_path(&hash(bytes), path));
            files::copy_mode(&target, &files::write(&store.inside(&kept), bytes)?)?;
            Some(was_edited(path, &kept))
        }
    };
    files::rename(temp_file, &target)?;
    Ok(said)
}

/// Moves a person's file to the trash; an editor that has it open goes on writing to it.
fn move_to_trash(
    store: &StoreFolder,
    temp_file: &StorePath,
    path: &str,
    bytes: &[u8],
) -> Result<String> {
    let kept = store.free(edited_path(&hash(bytes), path));
    files::rename(temp_file, &store.inside(&kept))?;
    Ok(was_edited(path, &kept))
}

/// Keeps files that a process replaced and died before it checked them; returns warnings.
pub(super) fn rescue(store: &StoreFolder, open: &[OpenRecord]) -> Result<Vec<String>> {
    let mut warnings = Vec::new();
    if open.is_empty() {
        return Ok(warnings);
    }
    let folder = store.temporary();
    for name in files::list(&folder)? {
        let Some(Step::Write { path, before, .. }) = find_step(open, &name) else { continue };
        let temp_file = folder.join(&name);
        // An unreadable file may be a person's work too.
        let left = files::read(&temp_file).ok().flatten();
        let is_expected =
            |left: &[u8]| is_still(before.as_ref(), Some(left)) || is_ours(open, path, left);
        if !left.as_deref().is_some_and(is_expected) {
            warnings.push(move_to_trash(store, &temp_file, path, &left.unwrap_or_default())?);
        }
    }
    Ok(warnings)
}

/// Tells whether bytes are a text that an open record has for a path, or a torn part of it.
fn is_ours(open: &[OpenRecord], path: &str, bytes: &[u8]) -> bool {
    let mut steps = open.iter().flat_map(|each| &each.record.steps);
    steps.any(|step| {
        matches!(step, Step::Write { path: own, after, .. }
            if own == path && is_torn(bytes, after.as_bytes()))
    })
}

/// Finds the step of a temp file by its name.
fn find_step<'o>(open: &'o [OpenRecord], name: &str) -> Option<&'o Step> {
    let (record, step) = name.split_once('.')?;
    let (record, step) = (record.parse::<u64>().ok()?, step.parse::<usize>().ok()?);
    open.iter().find(|each| each.record.number == record)?.record.steps.get(step)
}

/// Moves a file or folder if it exists and its target does not.
pub(super) fn move_if_there(store: &StoreFolder, from: &str, to: &str) -> Result<()> {
    let (from, to) = (store.inside(from), store.inside(to));
    if files::is_there(&from)? { files::rename_beside(&from, &to) } else { Ok(()) }
}

/// Checks a moved file; returns a warning if it was edited before.
pub(super) fn check_moved(
    store: &StoreFolder,
    from: &str,
    to: &str,
    before: Option<&FormerFile>,
) -> Result<Option<String>> {
    let Some(former) = before else { return Ok(None) };
    let moved = files::read(&store.inside(to))?;
    let is_edited = moved.is_some_and(|bytes| !is_still(Some(former), Some(&bytes)));
    Ok(is_edited.then(|| was_edited(from, to)))
}

/// Removes a file; returns a warning if it was edited, and so stays.
pub(super) fn remove_if_still(
    store: &StoreFolder,
    path: &str,
    before: &FormerFile,
) -> Result<Option<String>> {
    let target = store.inside(path);
    // It is gone already, or another file type that a person put there.
    if !files::is_plain(&target) {
        return Ok(None);
    }
    // No file system compares and removes in one step: a save right after this look is lost.
    match is_still(Some(before), files::read(&target)?.as_deref()) {
        true => files::remove_plain(&target).map(|()| None),
        false => Ok(Some(format!("`{path}` was edited while it was being removed, and stays"))),
    }
}

/// Tells whether a file is the one that a change was planned on.
pub(super) fn is_still(before: Option<&FormerFile>, now: Option<&[u8]>) -> bool {
    before.map(|former| former.hash.as_str()) == now.map(hash).as_deref()
}

/// Tells whether only a part of the bytes reached the disk, with zeros for the rest.
pub(super) fn is_torn(now: &[u8], whole: &[u8]) -> bool {
    let kept_or_zero = |(now, whole): (&u8, &u8)| now == whole || *now == 0;
    now.len() <= whole.len() && now.iter().zip(whole).all(kept_or_zero)
}

pub(super) fn hash(bytes: &[u8]) -> String {
    ContentHash::of(bytes).to_string()
}

fn was_edited(path: &str, kept: &str) -> String {
    format!("`{path}` was edited while a change was being written; the edit is kept in `{kept}`")
}

fn was_deleted(path: &str) -> String {
    format!("`{path}` was deleted while a change to it was being written; it is there again")
}
