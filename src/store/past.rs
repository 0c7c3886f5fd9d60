//! Memory files as the commits of git have them.

use std::collections::BTreeSet;

use super::Layout;
use super::tree::WorkTree;
use crate::check::Content;
use crate::contract::MemoryPath;
use crate::pipeline::{FileState, Snapshot};

/// Commits that are looked at, the youngest first.
const COMMITS: &str = "--max-count=100";

/// Returns some files as they were after each commit that changed one of them, the youngest first, and at last as
/// they were before there was any; each is read when it is asked for. A commit is left out where git does not have
/// all of them as texts: in a partial clone nothing is fetched.
pub fn past(layout: &Layout, paths: &BTreeSet<MemoryPath>) -> impl Iterator<Item = Snapshot> {
    let git = layout.git();
    let names: Vec<String> = paths.iter().map(|path| git.named(path.as_str())).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let options = ["rev-list", "--full-history", COMMITS, "HEAD", "--"];
    let said = git.ask(&[&options[..], &names].concat()).unwrap_or_default();
    let commits: Vec<String> = String::from_utf8_lossy(&said).lines().map(str::to_owned).collect();
    let work_tree = WorkTree::of(git.clone()).ok().flatten();
    let states =
        commits.into_iter().filter_map(move |commit| at(work_tree.as_ref()?, &commit, paths));
    states.chain([absent(paths)])
}

/// Reads files of a commit; nothing if one that is there cannot be read.
fn at(work_tree: &WorkTree, commit: &str, paths: &BTreeSet<MemoryPath>) -> Option<Snapshot> {
    let names: Vec<&str> = paths.iter().map(MemoryPath::as_str).collect();
    let tree = work_tree.tree_of(commit, &names).ok()?;
    let there: Vec<&MemoryPath> =
        paths.iter().filter(|path| tree.blob(path.as_str()).is_some()).collect();
    let names: Vec<&str> = there.iter().map(|path| path.as_str()).collect();
    let mut snapshot = absent(paths);
    for (path, content) in there.into_iter().zip(work_tree.read(&tree, &names).ok()?) {
        let Content::Bytes(bytes) = content else { return None };
        snapshot.files.insert(path.clone(), FileState::Text(String::from_utf8(bytes).ok()?));
    }
    Some(snapshot)
}

fn absent(paths: &BTreeSet<MemoryPath>) -> Snapshot {
    let files = paths.iter().map(|path| (path.clone(), FileState::Absent)).collect();
    Snapshot { files, ..Snapshot::default() }
}
