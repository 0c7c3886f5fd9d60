//! Memory files as they were in past commits.

use std::collections::BTreeSet;

use super::layout::Layout;
use super::tree::WorkTree;
use crate::contract::FileState;
use crate::error::Result;
use crate::git::Git;
use crate::project::check::Content;
use crate::project::pipeline::Snapshot;
use crate::project::request::MemoryPath;

/// Commits to read, newest first.
const COMMITS: &str = "--max-count=100";

/// Returns some files as they were after each commit that changed one of them, newest first, and at last as missing;
/// each state is read on demand. A commit without all texts is skipped: in a partial clone nothing is fetched. A
/// failure of git is the error.
pub(crate) fn past(
    layout: &Layout,
    paths: &BTreeSet<MemoryPath>,
) -> Result<impl Iterator<Item = Result<Snapshot>>> {
    let work_tree = WorkTree::of(layout.git().clone())?;
    let commits = work_tree.as_ref().map(|tree| commits(tree.git(), paths)).transpose()?;
    let states = commits.into_iter().flatten().filter_map(move |commit| {
        let work_tree = work_tree.as_ref()?;
        match read_commit(work_tree, &commit, paths) {
            // A partial clone may not have its trees.
            Err(_) if work_tree.is_partial().is_ok_and(|is_partial| is_partial) => None,
            read => read.transpose(),
        }
    });
    Ok(states.chain([Ok(absent(paths))]))
}

/// Returns the commits that changed some files.
fn commits(git: &Git, paths: &BTreeSet<MemoryPath>) -> Result<Vec<String>> {
    let Some(head) = git.last_commit()? else { return Ok(Vec::new()) };
    let names: Vec<&str> = paths.iter().map(MemoryPath::as_str).collect();
    let list = ["rev-list", "--full-history", COMMITS, &head, "--"];
    let said = git.run_on(&list, &names, b"")?;
    Ok(String::from_utf8_lossy(&said).lines().map(str::to_owned).collect())
}

/// Reads files of a commit; `None` if one cannot be read.
fn read_commit(
    work_tree: &WorkTree,
    commit: &str,
    paths: &BTreeSet<MemoryPath>,
) -> Result<Option<Snapshot>> {
    let names: Vec<&str> = paths.iter().map(MemoryPath::as_str).collect();
    let tree = work_tree.tree_of(commit, &names)?;
    let there: Vec<&MemoryPath> =
        paths.iter().filter(|path| tree.blob(path.as_str()).is_some()).collect();
    let names: Vec<&str> = there.iter().map(|path| path.as_str()).collect();
    let mut snapshot = absent(paths);
    for (path, content) in there.into_iter().zip(work_tree.read(&tree, &names)?) {
        let Content::Bytes(bytes) = content else { return Ok(None) };
        let Ok(text) = String::from_utf8(bytes) else { return Ok(None) };
        snapshot.files.insert(path.clone(), FileState::Text(text));
    }
    Ok(Some(snapshot))
}

fn absent(paths: &BTreeSet<MemoryPath>) -> Snapshot {
    let files = paths.iter().map(|path| (path.clone(), FileState::Absent)).collect();
    Snapshot { files, ..Snapshot::default() }
}
