//! What a check is about: all of a store, some files of it, or what changed since a revision.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::CheckOptions;
use crate::disk::leads_out;
use crate::error::{Error, ErrorKind, Result};
use crate::project::check::{Depth, Remark, Rule, is_setting};
use crate::project::store::{Layout, Renames, Seat, Tree, WorkTree, list_files};
use crate::project::verbs::Place;

/// What a check is about.
pub(super) struct Scope {
    /// Files and folders that were named; all where none was.
    named: Vec<String>,
    /// Where changes are counted from.
    pub(super) since: Option<Since>,
}

/// A revision to compare with.
pub(super) struct Since {
    pub(super) git: WorkTree,
    /// Its commit.
    pub(super) commit: String,
    /// The files of the store in it.
    pub(super) tree: Tree,
    /// The files of the repository that are others now.
    pub(super) changed: BTreeSet<String>,
    /// Those in the store that git neither keeps nor ignores; none where what is staged is compared.
    pub(super) untracked: BTreeSet<String>,
    /// Those that are not in the store.
    pub(super) around: BTreeSet<String>,
    /// Files of the store that were given another name, and all under which they go on.
    moved: Renames,
    /// The files of the store among those that are others now.
    touched: BTreeSet<String>,
    /// Whether the rules themselves changed, so that every file has to be looked at.
    rules_changed: bool,
}

impl Scope {
    /// Finds out what a check is about.
    pub(super) fn read(
        place: &Place,
        layout: &Layout,
        seat: &Seat,
        options: &CheckOptions,
    ) -> Result<Self> {
        let since = options.base.as_deref();
        let since =
            since.map(|revision| Since::read(revision, options.staged, seat)).transpose()?;
        Ok(Self { named: named(place, layout, &options.paths)?, since })
    }

    /// Tells whether a file is to be looked at closely.
    pub(super) fn is_close(&self, path: &str) -> bool {
        self.depth(path) == Depth::Rules
    }

    /// Tells how closely to look at a file.
    pub(super) fn depth(&self, path: &str) -> Depth {
        self.depth_of(path, self.is_named(path))
    }

    /// Tells how closely to look at a file as it was: also under the name that it has now it may be one that is named.
    pub(super) fn depth_before(&self, path: &str) -> Depth {
        let mut names = self.since.iter().flat_map(|since| since.names_now(path)).chain([path]);
        self.depth_of(path, names.any(|name| self.is_named(name)))
    }

    fn depth_of(&self, path: &str, is_named: bool) -> Depth {
        let is_touched = self.since.as_ref().is_none_or(|since| since.touches(path));
        match (is_touched, is_named) {
            (true, true) => Depth::Rules,
            (true, false) => Depth::Facts,
            (false, _) => Depth::Name,
        }
    }

    /// Tells whether a remark is asked for; what is wrong with the rules themselves always is.
    pub(super) fn covers(&self, remark: &Remark) -> bool {
        remark.rule() == Rule::Config || self.is_named(remark.path())
    }

    fn is_named(&self, path: &str) -> bool {
        let below = |named: &String| {
            path.strip_prefix(named.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.named.is_empty() || self.named.iter().any(below)
    }
}

impl Since {
    fn read(revision: &str, staged: bool, seat: &Seat) -> Result<Self> {
        let git = seat.required_git()?.clone();
        if git.is_partial()? {
            let message = "`--base` needs the whole past, and this clone is partial";
            let hint =
                "clone without `--filter` (in CI without `filter:`), or check without `--base`";
            return Err(Error::new(ErrorKind::Usage, message).hint(hint));
        }
        let commit = git.base(revision)?;
        let tree = git.tree_of(&commit, &[seat.name()])?;
        let mut changed = git.changed_since(&commit, staged)?;
        let untracked = if staged { BTreeSet::new() } else { git.untracked(seat.name())? };
        changed.extend(untracked.iter().cloned());
        let inside = |path: &String| seat.inside(path).map(str::to_owned);
        let touched: BTreeSet<String> = changed.iter().filter_map(inside).collect();
        // Two files have to change for that. Of those around the store nobody asks, and git would read them all.
        let mut moved = match touched.len() {
            0 | 1 => Renames::new(),
            _ => moved(&git, &commit, staged, seat)?,
        };
        let outside = changed.iter().filter(|path| seat.inside(path).is_none());
        let around = outside.cloned().collect();
        let rules_changed = touched.iter().any(|path| is_setting(path));
        for (old, new) in carried(&untracked, &touched, &tree, seat) {
            moved.entry(old).or_default().insert(new);
        }
        Ok(Self { git, commit, tree, changed, untracked, around, moved, touched, rules_changed })
    }

    /// Returns the names under which a file of the store goes on.
    pub(super) fn names_now<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a str> {
        let moved = self.moved.get(path);
        moved.into_iter().flatten().map(String::as_str).chain(moved.is_none().then_some(path))
    }

    /// Tells whether a file of the store may have other findings than before.
    pub(super) fn touches(&self, path: &str) -> bool {
        self.rules_changed || self.touched.contains(path)
    }

    /// Tells whether this is so for one of certain files.
    pub(super) fn touches_any(&self, wanted: impl Fn(&str) -> bool) -> bool {
        self.rules_changed || self.touched.iter().any(|path| wanted(path))
    }
}

/// Finds which files of the store were given another name.
fn moved(git: &WorkTree, commit: &str, staged: bool, seat: &Seat) -> Result<Renames> {
    let inside = |path: &String| seat.inside(path).map(str::to_owned);
    let names = |new: &BTreeSet<String>| new.iter().filter_map(inside).collect();
    let renames = git.renames_since(commit, staged, seat.name())?;
    Ok(renames.iter().filter_map(|(old, new)| Some((inside(old)?, names(new)))).collect())
}

/// Pairs the files of the store that git does not know yet with those whose text they took along: what git does only
/// for files that it knows.
fn carried(
    untracked: &BTreeSet<String>,
    touched: &BTreeSet<String>,
    tree: &Tree,
    seat: &Seat,
) -> Vec<(String, String)> {
    let disk = seat.repository();
    let blobs = touched.iter().filter_map(|path| Some((tree.blob(&seat.named(path))?, path)));
    let gone: BTreeMap<&str, &String> =
        blobs.filter(|(_, path)| !disk.has(&seat.named(path))).collect();
    if gone.is_empty() {
        return Vec::new();
    }
    let pair = |new: &String| {
        let old = gone.get(disk.blob_on_disk(new)?.as_str())?;
        Some(((*old).clone(), seat.inside(new)?.to_owned()))
    };
    untracked.iter().filter_map(pair).collect()
}

/// Brings what was named to paths relative to the store.
fn named(place: &Place, layout: &Layout, paths: &[String]) -> Result<Vec<String>> {
    let mut named = Vec::new();
    for path in paths {
        let relative = layout.named(&place.folder, path);
        if relative.is_empty() {
            return Ok(Vec::new());
        }
        let is_inside = !leads_out(Path::new(&relative));
        let is_there = is_inside
            && (layout.inside(&relative).exists()
                || list_files(layout.folder())?.contains(&relative));
        if !is_there {
            return Err(Error::new(
                ErrorKind::Usage,
                format!("the store has no file or folder `{path}`"),
            )
            .hint("give paths of files in `.agent-memory/`, or none to check all of it"));
        }
        named.push(relative);
    }
    Ok(named)
}
