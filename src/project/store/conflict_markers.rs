//! Finds the conflicts of memory files, also those that git left inside of code, where they look like examples.

use std::collections::BTreeSet;

use super::layout::Layout;
use crate::error::Result;
use crate::git::split_nul;
use crate::markdown::{find_conflict, is_written_by_git};
use crate::text::find_conflict_marker;

/// Finds the line of a conflict in a memory file, from 1. Git is asked only about markers that look like an example.
pub(crate) fn conflict_in(layout: &Layout, path: &str, text: &str) -> Result<Option<usize>> {
    let Some(first) = find_conflict_marker(text) else { return Ok(None) };
    if let Some(line) = find_conflict(text) {
        return Ok(Some(line));
    }
    if !layout.git().is_there() {
        return Ok(None);
    }
    let is_left =
        !listed(layout, &["--unmerged"], path)?.is_empty() || is_added(layout, path, text)?;
    Ok(is_left.then_some(first))
}

/// Tells whether a file was added with git's conflict markers.
fn is_added(layout: &Layout, path: &str, text: &str) -> Result<bool> {
    let [_, ours, theirs] = added_stages(layout, path)?;
    Ok(ours.zip(theirs).is_some_and(|(ours, theirs)| is_written_by_git(text, [&ours, &theirs])))
}

/// Returns the base, our version and their version of a file that was added after git could not merge it: git remembers
/// them. `None` where one is not known, or is no text.
pub(crate) fn added_stages(layout: &Layout, path: &str) -> Result<[Option<String>; 3]> {
    let mut stages = [None, None, None];
    for entry in listed(layout, &["--resolve-undo"], path)? {
        // `<mode> <id> <stage>`
        let mut words = entry.head.split(' ').skip(1);
        let (Some(id), Some(stage)) = (words.next(), words.next()) else { continue };
        if let Ok(number @ 1..=3) = stage.parse::<usize>() {
            let version = layout.git().run(&["cat-file", "blob", id], b"")?;
            stages[number - 1] = String::from_utf8(version).ok();
        }
    }
    Ok(stages)
}

/// Returns the memory files that git could not merge, whether they were added since or not.
pub(crate) fn lately_unmerged(layout: &Layout) -> Result<BTreeSet<String>> {
    if !layout.git().is_there() {
        return Ok(BTreeSet::new());
    }
    let all = listed(layout, &["--unmerged", "--resolve-undo"], "")?;
    Ok(all.into_iter().map(|entry| entry.path).collect())
}

/// What git's index says of one version of a file.
struct StageLine {
    head: String,
    path: String,
}

/// Lists what git says of a file, or of all in the store.
fn listed(layout: &Layout, kinds: &[&str], path: &str) -> Result<Vec<StageLine>> {
    let git = layout.git();
    let named = if path.is_empty() { git.prefix().to_owned() } else { git.named(path) };
    let arguments = [&["ls-files", "-z"], kinds, &["--", &named]].concat();
    let list = git.run(&arguments, b"")?;
    let read = |entry: String| {
        let (head, path) = entry.split_once('\t')?;
        Some(StageLine { head: head.to_owned(), path: git.inside(path)?.to_owned() })
    };
    Ok(split_nul(&list).filter_map(read).collect())
}
