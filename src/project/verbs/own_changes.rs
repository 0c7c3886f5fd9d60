//! Finds files that a person changed since the last commit, beyond the changes in the log of this machine.

use serde_json::Value;

use super::answer::logged_hash;
use super::project::Project;
use crate::error::Result;
use crate::markdown::LineEnding;
use crate::project::edit::new_file;
use crate::project::pipeline::{Planned, PlannedFile};
use crate::project::request::MemoryPath;
use crate::project::store::ReadyWorkTree;

/// Returns a file of a change that a person changed since the last commit, staged or not.
pub(super) fn own_changes(
    project: &Project,
    work_tree: &ReadyWorkTree,
    planned: &Planned<'_>,
) -> Result<Option<String>> {
    let paths: Vec<String> = planned.listed().map(|file| file.path.to_string()).collect();
    if paths.is_empty() {
        return Ok(None);
    }
    let staged = work_tree.staged(&paths)?;
    let mut log = None;
    for PlannedFile { path, before, .. } in planned.listed() {
        let committed = work_tree.committed(path.as_str())?;
        let staged = staged.iter().find(|(staged, _)| staged == path.as_str());
        let staged = staged.map(|(_, text)| text);
        let is_committed = |text: &Option<String>| is_same(committed.as_deref(), text.as_deref());
        if is_committed(before) && staged.is_none_or(is_committed) {
            continue;
        }
        let log: &Vec<Value> = match &mut log {
            Some(log) => log,
            None => log.insert(project.store.layout().signed_log().read()?),
        };
        let made = if committed.is_none() { as_made(project, path)? } else { None };
        let explains = |text: &Option<String>| {
            let origins = [committed.as_deref(), made.as_deref()];
            let origins = &origins[..1 + usize::from(made.is_some())];
            is_explained(log, path, origins, text.as_deref())
        };
        // Another commit is being made, and the index of git follows it a moment later.
        let is_behind = |text: &Option<String>| {
            text.is_some() && is_explained(log, path, &[text.as_deref()], committed.as_deref())
        };
        if !explains(before) || staged.is_some_and(|text| !explains(text) && !is_behind(text)) {
            return Ok(Some(path.to_string()));
        }
    }
    Ok(None)
}

/// Compares two texts without their line ends, which git may convert.
pub(super) fn is_same(one: Option<&str>, other: Option<&str>) -> bool {
    let plain = |text: &str| LineEnding::Lf.apply(text);
    one == other || one.zip(other).is_some_and(|(one, other)| plain(one) == plain(other))
}

/// Returns the text with which `init` makes a file.
fn as_made(project: &Project, path: &MemoryPath) -> Result<Option<String>> {
    let owner = project.catalog()?.owner_of(path.as_str());
    let owner =
        owner.filter(|category| category.paths.shared_files().any(|it| it == path.as_str()));
    Ok(owner.map(|category| new_file(&category.title)))
}

/// Tells whether the logged changes lead from one of the `origins` to the text of today.
fn is_explained(
    log: &[Value],
    path: &MemoryPath,
    origins: &[Option<&str>],
    today: Option<&str>,
) -> bool {
    // The log has hashes of files on the disk; git may have converted their line ends.
    let hashes = |text: Option<&str>| match text {
        None => vec![None],
        Some(text) => [text.to_owned(), LineEnding::Lf.apply(text), LineEnding::CrLf.apply(text)]
            .iter()
            .map(|text| Some(logged_hash(text)))
            .collect(),
    };
    let origins: Vec<Option<String>> = origins.iter().flat_map(|text| hashes(*text)).collect();
    hashes(today).into_iter().any(|mut wanted| {
        let files = log.iter().rev().filter_map(|entry| entry["files"].as_array()).flatten();
        for file in files.filter(|file| file["path"] == path.as_str()) {
            if origins.contains(&wanted) {
                break;
            }
            if file["after"].as_str() == wanted.as_deref() {
                wanted = file["before"].as_str().map(str::to_owned);
            }
        }
        origins.contains(&wanted)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_of_logged_changes_explains_what_is_on_the_disk() {
        let path = MemoryPath::parse("conventions.md").expect("a path");
        let line = |before: Option<&str>, after: &str| {
            let before = before.map(logged_hash);
            serde_json::json!({ "files": [
                { "path": "conventions.md", "before": before, "after": logged_hash(after) }
            ]})
        };
        let log = [line(None, "a\n"), line(Some("a\n"), "b\n"), line(Some("b\n"), "c\n")];
        let check = |committed, today, expected| {
            let is_so = is_explained(&log, &path, &[committed], today);
            assert_eq!(is_so, expected, "{committed:?} {today:?}");
        };
        check(None, Some("c\n"), true);
        check(Some("a\n"), Some("c\n"), true);
        // Restored by hand to what an earlier change had left.
        check(Some("a\n"), Some("b\n"), true);
        check(Some("a\r\n"), Some("c\n"), true);
        check(Some("a\n"), Some("c\r\n"), true);
        check(Some("c\n"), Some("a\n"), false);
        check(Some("a\n"), Some("by hand\n"), false);
        check(Some("by hand\n"), Some("c\n"), false);
        check(Some("a\n"), None, false);
    }
}
