//! Copies of pending proposals, and those of which only the copy is left.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;

use super::folder::{CopiedFrom, Copies, former_paths, read_about, temp_beside};
use crate::contract::ContentHash;
use crate::disk::folder::{FileKind, StorePath};
use crate::disk::step::Step;
use crate::disk::{files, outside};
use crate::error::Result;
use crate::project::request::ProposalId;
use crate::project::store::decisions::Decisions;
use crate::project::store::layout;
use crate::project::store::layout::Layout;
use crate::project::store::staging::{self, Fidelity, StagedProposal};
use crate::secrets::Scanner;

/// A proposal that disappeared where it was pending, without a decision.
#[derive(Debug, Clone)]
pub(crate) struct LeftBehind {
    pub(crate) id: ProposalId,
    /// Where it was pending.
    pub(crate) from: CopiedFrom,
    pub(crate) is_worktree_gone: bool,
    /// The copies of its store.
    copies: StorePath,
}

impl Copies<'_> {
    /// Copies proposals that were staged here or edited since; git keeps those that it brought.
    pub(super) fn renew_proposals(&self, copies: &StorePath, former: &StorePath) -> Result<()> {
        let (pending, copied) = (staging::names(self.layout)?, files::list(copies)?);
        let (pending, copied) = (BTreeSet::from_iter(pending), BTreeSet::from_iter(copied));
        let is_old = |name: &String| {
            let written = |folder: StorePath| files::modified(&folder.join("proposal.json"));
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
                    former_paths(&former.join(name)).iter().try_for_each(files::discard)?;
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

    fn copy_proposal(&self, name: &str, copies: &StorePath, former: &StorePath) -> Result<()> {
        let copy = copies.join(name);
        let temp = temp_beside(&copy)?;
        copy_folder(&self.layout.staging().join(name), &temp)?;
        self.keep_former(&copy, &former.join(name))?;
        match files::rename(&temp, &copy) {
            // Another process was faster.
            Err(_) if files::exists(&copy) => files::discard(&temp),
            renamed => renamed,
        }
    }

    /// Finds the proposals of all stores that disappeared without a known decision.
    pub(crate) fn left_behind(&self) -> Result<Vec<LeftBehind>> {
        let own = BTreeSet::from_iter(staging::names(self.layout)?);
        let mut found: BTreeMap<ProposalId, LeftBehind> = BTreeMap::new();
        let states = files::list(&self.folder.inside(""))?;
        let here = self.about().store;
        for state in &states {
            let folder = self.folder.inside(state);
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
}

impl LeftBehind {
    /// Returns the step that makes the proposal pending again.
    pub(crate) fn take_up(&self) -> Result<Step> {
        let mut inner = Vec::new();
        let folder = self.folder();
        for entry in files::all_below(&folder) {
            let is_file = entry.metadata().is_ok_and(|seen| seen.kind == FileKind::File);
            let name = entry.relative().strip_prefix(folder.relative());
            let parts = name.iter().flat_map(|name| name.iter()).map(OsStr::to_str);
            // A backslash may lead out of the folder on another system; our names have none.
            let parts = parts.map(|part| part.filter(|part| !part.contains('\\')));
            if let (true, Some(parts)) = (is_file, parts.collect::<Option<Vec<&str>>>()) {
                let text = files::read_memory(&entry)?.into_text();
                inner.extend(text.map(|text| (parts.join("/"), text)));
            }
        }
        Ok(Step::Folder { path: layout::staged_path(&self.id), files: inner })
    }

    /// Returns the hash of `proposal.json`, if a log of this machine has it; a copy may have come with git.
    pub(crate) fn known_hash(&self, layout: &Layout) -> Result<Option<ContentHash>> {
        let Some(text) = files::read_memory(&self.folder().join("proposal.json"))?.into_text()
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
        files::discard(&self.folder())
    }

    fn folder(&self) -> StorePath {
        self.copies.join("staging").join(self.id.as_str())
    }
}

fn copy_folder(from: &StorePath, to: &StorePath) -> Result<()> {
    for entry in files::all_below(from) {
        let Ok(name) = entry.relative().strip_prefix(from.relative()) else { continue };
        if let Some(text) = files::read_memory(&entry)?.into_text() {
            let file = files::write(&to.join(name), text.as_bytes())?;
            files::copy_mode(&entry, &file)?;
        }
    }
    Ok(())
}
