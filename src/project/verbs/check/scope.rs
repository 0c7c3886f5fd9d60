//! What a check is about: all of a store, some files of it, or what changed since a revision.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::options::CheckOptions;
use crate::disk::leads_out;
use crate::error::{Error, ErrorKind, Result};
use crate::project::check::{Depth, Remark, Rule, is_setting};
use crate::project::store::{Layout, Renames, Seat, Tree, WorkTree, list_files};
use crate::project::verbs::session::Session;
use crate::project::verbs::unmatched::did_you_mean_file;

pub(super) struct CheckScope {
    /// The named files and folders; empty means all.
    named: Vec<String>,
    pub(super) since: Option<Since>,
}

pub(super) struct Since {
    pub(super) git: WorkTree,
    pub(super) commit: String,
    /// The files of the store in that commit.
    pub(super) tree: Tree,
    /// Changed files of the repository.
    pub(super) changed: BTreeSet<String>,
    /// Files of the store that git neither tracks nor ignores; empty where staged files are compared.
    pub(super) untracked: BTreeSet<String>,
    /// Changed files outside the store.
    pub(super) around: BTreeSet<String>,
    /// Renamed files of the store, with all their new names.
    moved: Renames,
    /// Changed files of the store.
    touched: BTreeSet<String>,
    /// Whether the settings changed, so that every file must be checked.
    rules_changed: bool,
}

impl CheckScope {
    pub(super) fn read(
        session: &Session,
        layout: &Layout,
        seat: &Seat,
        options: &CheckOptions,
    ) -> Result<Self> {
        let since = options.base.as_deref();
        let since =
            since.map(|revision| Since::read(revision, options.staged, seat)).transpose()?;
        Ok(Self { named: named(session, layout, &options.paths)?, since })
    }

    pub(super) fn is_close(&self, path: &str) -> bool {
        self.depth(path) == Depth::Rules
    }

    pub(super) fn depth(&self, path: &str) -> Depth {
        self.depth_of(path, self.is_named(path))
    }

    /// Returns the depth for a former file, which may also be named by its new name.
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

    /// Tells whether a file that is read where it is may have new findings.
    pub(super) fn reaches_beside(&self, path: &str) -> bool {
        self.since.as_ref().is_none_or(|since| since.rules_changed || since.around.contains(path))
    }

    /// Tells whether a remark is wanted; faults of the settings always are.
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
        // A rename changes two files. Outside the store renames are not needed, and git would read all files.
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

    /// Returns the new names of a file of the store, or its own if it was not renamed.
    pub(super) fn names_now<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a str> {
        let moved = self.moved.get(path);
        moved.into_iter().flatten().map(String::as_str).chain(moved.is_none().then_some(path))
    }

    /// Tells whether the change itself adds, edits or removes a file of the store.
    pub(super) fn changes(&self, path: &str) -> bool {
        self.touched.contains(path)
    }

    /// Returns the files of the store that the change adds, edits or removes.
    pub(super) fn changed_in_store(&self) -> impl Iterator<Item = &str> {
        self.touched.iter().map(String::as_str)
    }

    /// Tells whether a file of the store may have new findings.
    pub(super) fn touches(&self, path: &str) -> bool {
        self.rules_changed || self.touched.contains(path)
    }

    pub(super) fn touches_any(&self, wanted: impl Fn(&str) -> bool) -> bool {
        self.rules_changed || self.touched.iter().any(|path| wanted(path))
    }
}

fn moved(git: &WorkTree, commit: &str, staged: bool, seat: &Seat) -> Result<Renames> {
    let inside = |path: &String| seat.inside(path).map(str::to_owned);
    let names = |new: &BTreeSet<String>| new.iter().filter_map(inside).collect();
    let renames = git.renames_since(commit, staged, seat.name())?;
    Ok(renames.iter().filter_map(|(old, new)| Some((inside(old)?, names(new)))).collect())
}

/// Pairs untracked files with the deleted files that had the same text. Git itself finds renames only of tracked files.
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

fn named(session: &Session, layout: &Layout, paths: &[String]) -> Result<Vec<String>> {
    let mut named = Vec::new();
    for path in paths {
        let relative = layout.named(&session.folder, path);
        if relative.is_empty() {
            return Ok(Vec::new());
        }
        let is_inside = !leads_out(Path::new(&relative));
        let is_there = is_inside
            && (layout.inside(&relative).exists()
                || list_files(layout.folder())?.contains(&relative));
        if !is_there {
            let near = did_you_mean_file(&relative, &list_files(layout.folder())?);
            return Err(Error::new(
                ErrorKind::Usage,
                format!("the store has no file or folder `{path}`{near}"),
            )
            .hint("give paths of files in `.agent-memory/`, or none to check all of it"));
        }
        named.push(relative);
    }
    Ok(named)
}
