//! Memory files as the commits of git have them.

use std::collections::BTreeSet;

use super::Layout;
use super::git::Git;
use crate::contract::MemoryPath;
use crate::pipeline::{FileState, Snapshot};

/// Commits that are looked at, the youngest first.
const COMMITS: &str = "--max-count=100";

/// Returns some files as they were after each commit that changed one of them, the youngest first, and at last as
/// they were before there was any; each is read when it is asked for.
pub fn past(layout: &Layout, paths: &BTreeSet<MemoryPath>) -> impl Iterator<Item = Snapshot> {
    let git = Git::at(layout.store());
    let mut arguments = vec!["log", "--full-history", "--format=%H", COMMITS, "--"];
    arguments.extend(paths.iter().map(MemoryPath::as_str));
    let said = git.ask(&arguments).unwrap_or_default();
    let commits: Vec<String> = String::from_utf8_lossy(&said).lines().map(str::to_owned).collect();
    let states = commits.into_iter().map(Some).chain([None]);
    states.map(move |commit| {
        let read = |path: &MemoryPath| {
            let name = format!("{}:./{path}", commit.as_ref()?);
            String::from_utf8(git.ask(&["cat-file", "blob", &name])?).ok()
        };
        let state = |path| read(path).map_or(FileState::Absent, FileState::Text);
        let mut snapshot = Snapshot::default();
        snapshot.files.extend(paths.iter().map(|path| (path.clone(), state(path))));
        snapshot
    })
}
