//! `read sync`: fetches other stores, pins their commits and puts the copies in their place.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::error::Result;
use crate::project::config::{GitAddress, OtherPlace, ReadLock, Revision, StorePin};
use crate::project::pipeline::Approval;
use crate::project::request::{Answer, Reason, Refusal, StoreName};
use crate::project::store::log::Entry;
use crate::project::store::{
    FetchedStore, LockFile, discard_other_copies, fetch_store, has_copy, put_copy,
};
use crate::project::verbs::answer::{Attempt, answered, write};
use crate::project::verbs::project::Project;
use crate::text::excerpt;

/// What a sync is about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SyncOptions<'a> {
    /// All that git fetches where it is empty.
    pub names: &'a [String],
    /// Pins the commit that a revision has now.
    pub update: bool,
}

/// What became of each store.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub(crate) struct SyncedStores {
    pub stores: Vec<SyncedStore>,
    pub warnings: Vec<String>,
}

/// What became of a store.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub(crate) struct SyncedStore {
    pub name: String,
    /// `fetched`, `current` where the copy was here, or `failed`.
    pub status: &'static str,
    /// The commit that is read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Why what was fetched is not used; the copy that was here stays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// Files that are left out.
    pub warnings: Vec<String>,
}

/// A store that git fetches.
struct RemoteStore<'p> {
    name: &'p StoreName,
    address: &'p GitAddress,
    revision: &'p Revision,
    /// The commit that is pinned, where it is not to be updated.
    pinned: Option<String>,
    is_current: bool,
}

/// Returns the addresses that git would be asked for.
pub(crate) fn addresses_to_fetch(
    project: &Project,
    options: SyncOptions<'_>,
) -> Result<Answer<Vec<String>>> {
    answered(project, || {
        let stores =
            remote_stores(project, options, &LockFile::read(project.store.layout())?.lock)?;
        let wanted = stores.iter().filter(|store| !store.is_current);
        let addresses: BTreeSet<&str> = wanted.map(|store| store.address.as_str()).collect();
        Ok(addresses.into_iter().map(str::to_owned).collect())
    })
}

/// Fetches what is not here, from addresses that a person agreed to; the lock and the copies follow.
pub(crate) fn sync_stores(
    project: &Project,
    options: SyncOptions<'_>,
    allowed: &BTreeSet<String>,
    approval: &Approval,
) -> Result<Answer<SyncedStores>> {
    answered(project, || {
        let stores =
            remote_stores(project, options, &LockFile::read(project.store.layout())?.lock)?;
        let mut synced = SyncedStores { stores: Vec::new(), warnings: Vec::new() };
        for store in &stores {
            let answer = match store.is_current {
                true => SyncedStore::of(store.name, "current", store.pinned.clone()),
                false => {
                    refuse_unknown(store.address, allowed)?;
                    sync_one(project, store, approval, &mut synced.warnings)?
                }
            };
            synced.stores.push(answer);
        }
        synced.warnings.extend(project.take_warnings());
        Ok(synced)
    })
}

impl SyncedStore {
    fn of(name: &StoreName, status: &'static str, commit: Option<String>) -> Self {
        Self { name: name.to_string(), status, commit, problem: None, warnings: Vec::new() }
    }
}

fn remote_stores<'p>(
    project: &'p Project,
    options: SyncOptions<'_>,
    lock: &ReadLock,
) -> Attempt<Vec<RemoteStore<'p>>> {
    let mut stores = Vec::new();
    for rule in &project.config.stores {
        let OtherPlace::Git { address, revision } = &rule.place else { continue };
        let name = &rule.name;
        if !options.names.is_empty() && !options.names.iter().any(|it| it == name.as_str()) {
            continue;
        }
        let pinned = lock.commit_of(rule).filter(|_| !options.update).map(str::to_owned);
        let is_current = match &pinned {
            Some(commit) => has_copy(project.store.layout(), name, commit)?,
            None => false,
        };
        stores.push(RemoteStore { name, address, revision, pinned, is_current });
    }
    let is_unknown = |name: &&String| !stores.iter().any(|store| store.name.as_str() == *name);
    if let Some(name) = options.names.iter().find(is_unknown) {
        let message = format!("git fetches no store `{}`", excerpt(name));
        let hint = "`agent-memory read list` lists the stores, and where they come from";
        return Err(Refusal::new(Reason::InvalidRequest, message, hint).into());
    }
    Ok(stores)
}

fn refuse_unknown(address: &GitAddress, allowed: &BTreeSet<String>) -> Answer<()> {
    if allowed.contains(address.as_str()) {
        return Ok(());
    }
    let message = format!("`{}` is a new address, and no person agreed to it", address.as_str());
    let hint = "at a terminal `agent-memory read sync` asks once; elsewhere give `--yes`";
    Err(Refusal::new(Reason::ApprovalRefused, message, hint))
}

/// Fetches a store before the lock is taken, as it may take minutes.
fn sync_one(
    project: &Project,
    store: &RemoteStore<'_>,
    approval: &Approval,
    warnings: &mut Vec<String>,
) -> Attempt<SyncedStore> {
    let place = (store.address, store.revision);
    let fetched = match fetch_store(place, store.pinned.as_deref(), &project.scanner) {
        Ok(Ok(fetched)) => fetched,
        Ok(Err(why)) => return Ok(failed(project, store, &why)),
        Err(error) => return Ok(failed(project, store, &error.with_next_step())),
    };
    warnings.extend(put(project, store, &fetched, approval)?);
    let said = fetched.warnings.iter().map(|said| project.clean(said));
    let synced = SyncedStore::of(store.name, "fetched", Some(fetched.commit.clone()));
    Ok(SyncedStore { warnings: said.collect(), ..synced })
}

fn failed(project: &Project, store: &RemoteStore<'_>, why: &str) -> SyncedStore {
    let problem = Some(project.clean(why));
    SyncedStore { problem, ..SyncedStore::of(store.name, "failed", None) }
}

/// Puts the copy in its place, then pins it: until then the copy that was here is read.
fn put(
    project: &Project,
    store: &RemoteStore<'_>,
    fetched: &FetchedStore,
    approval: &Approval,
) -> Attempt<Vec<String>> {
    let mut locked = project.lock("read sync", None)?;
    let file = LockFile::read(project.store.layout())?;
    let mut lock = file.lock.clone();
    let is_read = |pin: &StorePin| project.config.stores.iter().any(|rule| rule.name == pin.name);
    lock.pins.retain(|pin| pin.name != *store.name && is_read(pin));
    lock.pins.push(StorePin {
        name: store.name.clone(),
        address: store.address.clone(),
        revision: store.revision.clone(),
        commit: fetched.commit.clone(),
    });
    lock.pins.sort_by(|one, other| one.name.cmp(&other.name));
    put_copy(&locked, store.name, (&fetched.commit, &fetched.files))?;
    let mut warnings = Vec::new();
    if let Some(step) = file.step(&lock) {
        let told = format!("store {} pinned at {}", store.name, fetched.commit);
        let entry = Entry {
            approver: Some(approval.approver()),
            reason: Some(&told),
            ..Entry::new(project.session.now, "set")
        };
        let line = entry.append_to(&locked.layout().signed_log().tail()?);
        let trace = project.trace_of(std::iter::empty());
        warnings = write(&mut locked, vec![step, line], trace)?;
    }
    discard_other_copies(&locked, store.name, &fetched.commit)?;
    Ok(warnings)
}
