//! Copies of what git deletes without asking: pending proposals, the log, and the notes of a branch.
//!
//! `git worktree remove` and `git clean -fdx` delete ignored files. So each store copies these, best effort, to `<git
//! common folder>/agent-memory/copies/<random id of its state>/`, beside `worktree.json`, which names the owner.

mod logs;
mod notes;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Step;
use super::branch::branch_in_head;
use super::decisions::Decisions;
use super::foreign::is_no_file;
use super::layout::{self, Layout};
use super::staging::{self, Fidelity, StagedProposal};
use crate::contract::{ContentHash, ProposalId, hex};
use crate::disk::folder::{Folder, Kind, Spot};
use crate::disk::key::{CODE_DIGITS, Purpose};
use crate::disk::{files, outside, random};
use crate::error::{Error, ErrorKind, Result};
use crate::git::{GitFolder, work_trees};
use crate::secrets::Scanner;

/// The copies of all stores of a repository.
#[derive(Debug)]
pub(crate) struct Copies<'l> {
    layout: &'l Layout,
    /// Git's common folder.
    common: PathBuf,
    folder: Folder,
    /// Files below `staging/` and `local/` that git tracks; `None` if git does not answer.
    kept_by_git: OnceCell<Option<BTreeSet<String>>>,
}

/// The owner of a folder of copies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CopiedFrom {
    /// The top of the worktree.
    pub(crate) worktree: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) branch: Option<String>,
    /// Relative to the worktree.
    pub(crate) store: String,
}

/// A proposal that disappeared where it was pending, without a decision.
#[derive(Debug, Clone)]
pub(crate) struct LeftBehind {
    pub(crate) id: ProposalId,
    /// Where it was pending.
    pub(crate) from: CopiedFrom,
    pub(crate) is_worktree_gone: bool,
    /// The copies of its store.
    copies: Spot,
}

/// The file that names the owner of the copies.
const ABOUT: &str = "worktree.json";

/// The folder of replaced copies.
const FORMER: &str = "former";

/// How many are kept of each.
const FORMERS: usize = 8;

impl<'l> Copies<'l> {
    /// Finds the copies, and makes their folder; `None` without git.
    pub(crate) fn of(layout: &'l Layout) -> Result<Option<Self>> {
        let Some(GitFolder { common, .. }) = layout.git().folder() else { return Ok(None) };
        let path = place_in(common);
        outside::make_ours(&path)?;
        let missing = || Error::new(ErrorKind::Io, "it is gone again:").at(&path);
        Self::if_there(layout)?.ok_or_else(missing).map(Some)
    }

    pub(crate) fn if_there(layout: &'l Layout) -> Result<Option<Self>> {
        let Some(GitFolder { common, .. }) = layout.git().folder().cloned() else {
            return Ok(None);
        };
        let folder = Folder::open(&place_in(&common))?;
        Ok(folder.map(|folder| Self { layout, common, folder, kept_by_git: OnceCell::new() }))
    }

    /// Copies what changed in this store, and removes the copies of decided proposals.
    pub(crate) fn renew(&self, is_queue_in_git: bool) -> Result<()> {
        let own = self.folder.spot(self.own_name()?);
        let about = serde_json::to_string(&self.about()).expect("plain data") + "\n";
        renew_file(&own.join(ABOUT), about.as_bytes())?;
        self.renew_log(&own)?;
        // A branch without a proposal that another branch has is no loss.
        if !is_queue_in_git {
            self.renew_proposals(&own.join("staging"), &own.join(FORMER))?;
        }
        self.renew_notes(&own.join("local"), &own.join(FORMER))
    }

    /// Copies proposals that were staged here or edited since; git keeps those that it brought.
    fn renew_proposals(&self, copies: &Spot, former: &Spot) -> Result<()> {
        let (pending, copied) = (staging::names(self.layout)?, files::list(copies)?);
        let (pending, copied) = (BTreeSet::from_iter(pending), BTreeSet::from_iter(copied));
        let is_old = |name: &String| {
            let written = |folder: Spot| files::modified(&folder.join("proposal.json"));
            written(self.layout.staging().join(name)) > written(copies.join(name))
        };
        let missing: Vec<&String> = pending.iter().filter(|name| is_old(name)).collect();
        let gone: Vec<&String> = copied.difference(&pending).collect();
        if !missing.is_empty() {
            let known = staging::read_queue(self.layout)?.proposals.into_iter();
            let known = known.filter(|each| self.may_be_copied(each));
            let known: BTreeSet<String> = known.map(|each| each.id.to_string()).collect();
            for name in missing.into_iter().filter(|name| known.contains(*name)) {
                self.copy_proposal(name, copies, former)?;
            }
        }
        if !gone.is_empty() {
            // The files in `decided/` may have come with a commit.
            let gone: BTreeSet<String> = gone.into_iter().cloned().collect();
            let decisions = Decisions::about(self.layout, &gone)?;
            for name in &gone {
                if ProposalId::parse(name).is_some_and(|id| decisions.has_decided(&id)) {
                    files::discard(&copies.join(name))?;
                    places_of_former(&former.join(name)).iter().try_for_each(files::discard)?;
                }
            }
        }
        Ok(())
    }

    fn may_be_copied(&self, pending: &StagedProposal) -> bool {
        match pending.fidelity {
            _ if pending.was_decided => false,
            Fidelity::Kept => true,
            // A person's edit may hold a secret.
            Fidelity::Changed => {
                !self.may_be_of_git(&layout::question_path(&pending.id))
                    && Scanner::default().scan(&pending.request.to_string()).is_empty()
            }
            Fidelity::Unknown => false,
        }
    }

    fn copy_proposal(&self, name: &str, copies: &Spot, former: &Spot) -> Result<()> {
        let place = copies.join(name);
        let temp = aside(&place)?;
        copy_folder(&self.layout.staging().join(name), &temp)?;
        self.keep_former(&place, &former.join(name))?;
        match files::rename(&temp, &place) {
            // Another process was faster.
            Err(_) if files::exists(&place) => files::discard(&temp),
            renamed => renamed,
        }
    }

    /// Keeps a copy that is about to be replaced: git may have written the new text, and forgotten the old one.
    fn keep_former(&self, copy: &Spot, former: &Spot) -> Result<()> {
        if !files::exists(copy) {
            return Ok(());
        }
        // If all are taken, only the last one is replaced.
        let [.., last] = places_of_former(former);
        let free = places_of_former(former).into_iter().find(|place| !files::exists(place));
        if free.is_none() {
            files::discard(&last)?;
        }
        match files::rename(copy, &free.unwrap_or(last)) {
            Err(_) if !files::exists(copy) => Ok(()),
            renamed => renamed,
        }
    }

    /// Tells whether git may track a file, so that a commit may have overwritten ours. If git does not answer, it may.
    fn may_be_of_git(&self, path: &str) -> bool {
        let git = self.layout.git();
        let ask = || {
            let folders = ["staging", "local"].map(|folder| git.named(folder));
            let said = git.run(&["ls-files", "-z", "--", &folders[0], &folders[1]], b"").ok()?;
            Some(git.listed_inside(&said).collect())
        };
        let kept: &Option<BTreeSet<String>> = self.kept_by_git.get_or_init(ask);
        // Files below a submodule are git's too.
        let mut above = Path::new(path).ancestors().filter_map(Path::to_str);
        kept.as_ref().is_none_or(|kept| above.any(|path| kept.contains(path)))
    }

    /// Finds the proposals of all stores that disappeared without a known decision.
    pub(crate) fn left_behind(&self) -> Result<Vec<LeftBehind>> {
        let own = BTreeSet::from_iter(staging::names(self.layout)?);
        let mut found: BTreeMap<ProposalId, LeftBehind> = BTreeMap::new();
        let states = files::list(&self.folder.spot(""))?;
        let here = self.about().store;
        for state in &states {
            let folder = self.folder.spot(state);
            let Some(from) = read_about(&folder).filter(|from| from.store == here) else {
                continue;
            };
            let store = self.store_of(state, &from);
            let is_worktree_gone = !outside::exists(&store);
            for name in files::list(&folder.join("staging"))? {
                let pending = store.join("staging").join(&name).join("proposal.json");
                let is_there = own.contains(&name) || outside::exists(&pending);
                if let Some(id) = ProposalId::parse(&name).filter(|_| !is_there) {
                    let (from, copies) = (from.clone(), folder.clone());
                    let left = LeftBehind { id: id.clone(), from, is_worktree_gone, copies };
                    found.entry(id).or_insert(left);
                }
            }
        }
        let ids = found.keys().map(ToString::to_string).collect();
        let decisions = Decisions::about(self.layout, &ids)?;
        Ok(found.into_values().filter(|left| !decisions.has_decided(&left.id)).collect())
    }

    /// Returns the store that owns some copies; its worktree may have been moved.
    fn store_of(&self, state: &str, from: &CopiedFrom) -> PathBuf {
        let mut tops = work_trees(&self.common).into_iter().map(|top| top.join(&from.store));
        let found = tops.find(|store| self.is_its(store, state));
        found.unwrap_or_else(|| Path::new(&from.worktree).join(&from.store))
    }

    /// Tells whether a store has this state id, signed in its worktree: a commit may bring the id of another.
    fn is_its(&self, store: &Path, state: &str) -> bool {
        let id = outside::read_text(&store.join("state/id")).ok().flatten();
        let is_named = id.is_some_and(|id| id.split(' ').next() == Some(state));
        let owner = || Layout::of_store(store, self.layout.git_time()).ok().flatten();
        let known = || known_name(&owner()?).ok().flatten();
        is_named && known().as_deref() == Some(state)
    }

    /// Returns the name of the copies of this store: random, so that no commit can bring it.
    fn own_name(&self) -> Result<String> {
        if let Some(name) = known_name(self.layout)? {
            return Ok(name);
        }
        let place = self.layout.inside("state/id");
        let name = hex(&random::<{ CODE_DIGITS / 4 }>()?);
        let code = self.layout.journal_key().sign(Purpose::COPIES, name.as_bytes());
        let line = format!("{name} {code}\n");
        match files::exists(&place) {
            true => renew_file(&place, line.as_bytes())?,
            // Another process may be faster; then its name is used.
            false => files::make_once(&place, line.as_bytes())?,
        }
        Ok(known_name(self.layout)?.unwrap_or(name))
    }

    fn about(&self) -> CopiedFrom {
        let real = self.layout.real_path();
        let git = self.layout.git();
        let top = git.top().unwrap_or(Path::new("/"));
        CopiedFrom {
            worktree: top.display().to_string(),
            branch: git.folder().and_then(branch_in_head),
            store: real.strip_prefix(top).unwrap_or(&real).display().to_string(),
        }
    }
}

impl LeftBehind {
    /// Returns the step that makes the proposal pending again.
    pub(crate) fn take_up(&self) -> Result<Step> {
        let mut inner = Vec::new();
        let place = self.place();
        for spot in files::all_below(&place) {
            let is_file = spot.look().is_ok_and(|seen| seen.kind == Kind::File);
            let name = spot.relative().strip_prefix(place.relative());
            let parts = name.iter().flat_map(|name| name.iter()).map(OsStr::to_str);
            // A backslash may lead out of the folder on another system; our names have none.
            let parts = parts.map(|part| part.filter(|part| !part.contains('\\')));
            if let (true, Some(parts)) = (is_file, parts.collect::<Option<Vec<&str>>>()) {
                let text = files::read_memory(&spot)?.into_text();
                inner.extend(text.map(|text| (parts.join("/"), text)));
            }
        }
        Ok(Step::Folder { path: layout::staged_path(&self.id), files: inner })
    }

    /// Returns the hash of `proposal.json`, if a log of this machine has it; a copy may have come with git.
    pub(crate) fn known_hash(&self, layout: &Layout) -> Result<Option<ContentHash>> {
        let Some(text) = files::read_memory(&self.place().join("proposal.json"))?.into_text()
        else {
            return Ok(None);
        };
        let hash = ContentHash::of(text.as_bytes());
        let ids = BTreeSet::from([self.id.to_string()]);
        let is_known = Decisions::about(layout, &ids)?.hash(&self.id) == Some(hash.as_str());
        Ok(is_known.then_some(hash))
    }

    /// Removes the copy, once the proposal is in a queue.
    pub(crate) fn forget(&self) -> Result<()> {
        files::discard(&self.place())
    }

    fn place(&self) -> Spot {
        self.copies.join("staging").join(self.id.as_str())
    }
}

fn place_in(common: &Path) -> PathBuf {
    common.join("agent-memory").join("copies")
}

/// Reads the name of the copies of a store, if it is signed.
fn known_name(layout: &Layout) -> Result<Option<String>> {
    let (place, key) = (layout.inside("state/id"), layout.journal_key());
    if is_no_file(&place) {
        return Ok(None);
    }
    let bytes = files::read_short(&place)?.unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let named = text.trim_end().split_once(' ');
    let named = named.filter(|it| key.verifies(Purpose::COPIES, it.0.as_bytes(), it.1));
    Ok(named.map(|it| it.0.to_owned()))
}

fn read_about(folder: &Spot) -> Option<CopiedFrom> {
    serde_json::from_str(&files::read_text(&folder.join(ABOUT)).ok()??).ok()
}

fn places_of_former(former: &Spot) -> [Spot; FORMERS] {
    std::array::from_fn(|number| former.with_suffix(&format!(".{}", number + 1)))
}

/// Returns a temp path beside a target; another process may write the same target.
fn aside(place: &Spot) -> Result<Spot> {
    Ok(place.with_suffix(&format!(".new-{}", hex(&random::<4>()?))))
}

/// Replaces a file atomically, unless it has this text.
fn renew_file(place: &Spot, text: &[u8]) -> Result<()> {
    if files::read_short(place)?.is_some_and(|old| old == text) {
        return Ok(());
    }
    let temp = aside(place)?;
    files::write(&temp, text)?;
    files::rename(&temp, place)
}

fn copy_folder(from: &Spot, to: &Spot) -> Result<()> {
    for spot in files::all_below(from) {
        let Ok(name) = spot.relative().strip_prefix(from.relative()) else { continue };
        if let Some(text) = files::read_memory(&spot)?.into_text() {
            let file = files::write(&to.join(name), text.as_bytes())?;
            files::copy_mode(&spot, &file)?;
        }
    }
    Ok(())
}
