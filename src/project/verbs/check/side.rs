//! The files of a store on one side: on the disk, staged, or in a commit.

use std::path::Path;

use super::scope::Since;
use crate::cores::side_by_side;
use crate::error::Result;
use crate::project::check::Content;
use crate::project::store::{
    Layout, Seat, Store, Tree, WorkTree, is_own, list_files, read_content,
};

/// The files of a store on one side; paths are relative to it.
pub(super) struct Side<'a> {
    paths: Vec<String>,
    place: SideSource<'a>,
}

enum SideSource<'a> {
    /// With the files that git tracks, where that was asked already.
    Disk(&'a Layout, Option<Tree>),
    /// With the path of the store in git.
    Tree(&'a WorkTree, Tree, &'a str, TreeSource<'a>),
}

/// Where git has the files.
enum TreeSource<'a> {
    Index,
    Commit(&'a str),
}

impl<'a> Side<'a> {
    /// Takes the files on the disk; compared with a revision, only those that git would track.
    pub(super) fn on_disk(layout: &'a Layout, since: Option<&Since>, seat: &Seat) -> Result<Self> {
        Store::at(layout.clone()).refuse_left_out()?;
        let mut paths = list_files(layout.folder())?;
        let kept = seat.git().map(|git| git.tree_staged(&[seat.name()])).transpose()?;
        // Local files are checked too where git tracks them, as others can read them there.
        let own = kept.iter().flat_map(Tree::paths).filter_map(|path| seat.inside(path));
        let own = own.filter(|path| is_own(path) && layout.inside(path).exists());
        paths.extend(own.map(str::to_owned));
        paths.sort_unstable();
        paths.dedup();
        if let (Some(since), Some(kept)) = (since, &kept) {
            paths.retain(|path| {
                let named = seat.named(path);
                kept.blob(&named).is_some() || since.untracked.contains(&named)
            });
        }
        Ok(Self { paths, place: SideSource::Disk(layout, kept) })
    }

    pub(super) fn staged(seat: &'a Seat) -> Result<Self> {
        let git = seat.required_git()?;
        let tree = git.tree_staged(&[seat.name()])?;
        Ok(Self::of_tree(git, tree, seat, TreeSource::Index))
    }

    /// Takes the files of the commit that a change is compared with.
    pub(super) fn before(since: &'a Since, seat: &'a Seat) -> Self {
        let source = TreeSource::Commit(&since.commit);
        Self::of_tree(&since.git, since.tree.clone(), seat, source)
    }

    fn of_tree(git: &'a WorkTree, tree: Tree, seat: &'a Seat, source: TreeSource<'a>) -> Self {
        let paths = tree.paths().filter_map(|path| seat.inside(path)).map(str::to_owned).collect();
        Self { paths, place: SideSource::Tree(git, tree, seat.name(), source) }
    }

    /// Returns the files below a folder of the repository on this side; none where it is the disk.
    pub(super) fn beside(&self, folder: &str) -> Result<Option<(&WorkTree, Tree)>> {
        let SideSource::Tree(git, _, _, source) = &self.place else { return Ok(None) };
        let below = [if folder.is_empty() { "." } else { folder }];
        let tree = match source {
            TreeSource::Index => git.tree_staged(&below)?,
            TreeSource::Commit(commit) => git.tree_of(commit, &below)?,
        };
        Ok(Some((git, tree)))
    }

    pub(super) fn paths(&self) -> Vec<&str> {
        self.paths.iter().map(String::as_str).collect()
    }

    /// Returns the paths that git could not merge.
    pub(super) fn unmerged(&self) -> Vec<&str> {
        let SideSource::Tree(_, tree, name, _) = &self.place else { return Vec::new() };
        let inside = |path| Path::new(path).strip_prefix(name).ok().and_then(Path::to_str);
        tree.unmerged().filter_map(inside).collect()
    }

    pub(super) fn tree(&self) -> Option<&Tree> {
        match &self.place {
            SideSource::Disk(..) => None,
            SideSource::Tree(_, tree, ..) => Some(tree),
        }
    }

    /// Returns the files that git tracks, where that is known.
    pub(super) fn kept(&self) -> Option<&Tree> {
        match &self.place {
            SideSource::Disk(_, kept) => kept.as_ref(),
            SideSource::Tree(_, tree, ..) => Some(tree),
        }
    }

    pub(super) fn read(&self, paths: &[&str]) -> Result<Vec<Content>> {
        match self.read_many(paths)? {
            Some(read) => Ok(read),
            None => Ok(paths.iter().map(|path| self.read_one(path)).collect()),
        }
    }

    /// Reads files and calls `work` for each on all cores; the answers keep the order.
    pub(super) fn map<R: Send>(
        &self,
        paths: &[&str],
        work: impl Fn(&str, &Content) -> R + Sync,
    ) -> Result<Vec<R>> {
        Ok(match self.read_many(paths)? {
            Some(texts) => {
                let pairs: Vec<(&&str, Content)> = paths.iter().zip(texts).collect();
                side_by_side(&pairs, |(path, text)| work(path, text))
            }
            None => side_by_side(paths, |path| work(path, &self.read_one(path))),
        })
    }

    fn read_many(&self, paths: &[&str]) -> Result<Option<Vec<Content>>> {
        let SideSource::Tree(git, tree, name, _) = &self.place else { return Ok(None) };
        if paths.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let named: Vec<String> = paths.iter().map(|path| format!("{name}/{path}")).collect();
        let named: Vec<&str> = named.iter().map(String::as_str).collect();
        git.read(tree, &named).map(Some)
    }

    pub(super) fn read_one(&self, path: &str) -> Content {
        match &self.place {
            SideSource::Disk(layout, _) => read_content(layout.folder(), path),
            SideSource::Tree(..) => {
                let read = self.read_many(&[path]).ok().flatten().and_then(|mut one| one.pop());
                read.unwrap_or_else(|| Content::Unreadable("git does not answer".to_owned()))
            }
        }
    }
}
