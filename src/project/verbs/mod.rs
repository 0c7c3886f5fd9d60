//! One verb a file: what the doors call, over a [`Workspace`].

mod adopt;
mod adopt_state;
mod answer;
mod apply;
mod apply_all;
mod attributes;
mod blame;
mod check;
mod clean;
mod commit;
mod context;
mod demo;
mod difference;
mod doctor;
mod files;
mod fmt_ids;
mod former_toc;
mod gitignore;
mod gone;
mod history;
mod ignored;
mod index;
mod init;
mod install;
mod install_git;
mod kept;
mod land;
mod leaving;
mod left_behind;
mod log;
mod man;
mod merge;
mod other_branches;
mod own_changes;
mod pending;
mod place;
mod propose;
mod rebase;
mod reindex;
mod reject;
mod remind;
mod reminder;
mod restore;
mod rewrite;
mod search;
pub mod secrets;
mod selection;
mod show;
mod stage;
mod status;
mod superseded;
mod sweep;
mod toc;
mod undo;
mod wanted;
mod worktrees;

use std::cell::{OnceCell, RefCell};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::contract::{Answer, Moment, Owner, Reason, Refusal};
use crate::error::{Error, ErrorKind, Result};
use crate::project::config::Config;
use crate::project::pipeline::Rules;
use crate::project::schema::Catalog;
use crate::project::store::{Locked, Repository, Store, Trace, UnmergedDecisions};
use crate::secrets::Scanner;
use crate::text::{did_you_mean, find_hidden};

pub use crate::disk::Draft;
pub use crate::git::GitTime;
pub use crate::project::adopt::RenamedId;
pub use crate::project::provenance::Freshness;
pub use crate::project::store::CommitLimit;
pub use crate::project::store::index::{Order, Query, Weights, sqlite_version};
pub use crate::project::store::{OwnSettings, WAIT as LOCK_WAIT};
pub use adopt::{Adopted, AdoptedFile, RefusedFile};
pub use adopt_state::{AdoptedState, adopt_state};
pub(crate) use answer::Stop;
use answer::{answered, conclude, logged, logged_hash, write};
pub use apply::{ApplyOptions, Way, apply, apply_by, note_refused_approval, own_settings};
pub use apply_all::{Left, apply_all};
pub use blame::{Blamed, Claim, EarlierWriter, Written, blame};
pub use check::{CheckOptions, check};
pub use commit::Committed;
pub use context::{BUDGET, Task, context};
pub use demo::{DEMO_REQUEST, Scratch};
pub use doctor::{Diagnosis, Finding, Treatment, doctor};
pub use files::{memory_paths, read_memory};
pub use fmt_ids::{FileIds, GivenIds, fmt_ids};
pub use history::{PastDiff, past_diffs};
pub use init::{InitOptions, Initialised, admits, init};
pub use install::{Act, FileFate, InstallOptions, Installation, InstalledFile, install};
pub use install_git::install_git;
pub use kept::Kept;
use kept::OpenIndex;
pub use left_behind::LeftBehindProposal;
use log::read_decision;
pub use log::{LogQuery, decisions_about, log, lost_decisions, verify_log};
pub use man::{Page, write_pages};
pub use merge::{Driven, Resolved, drive, resolve};
pub use other_branches::OtherBranch;
pub use pending::{Pending, Readiness, pending, unreadable, waiting_ids};
pub use place::{Place, Places, Serve};
pub use propose::{propose, read_request};
pub use rebase::{Rebased, RebasedFile, rebase};
pub use reindex::{Reindexed, reindex};
pub use reject::{RejectOptions, Rejected, reject};
pub use remind::{is_to_be_reminded, read_event};
pub use reminder::{Reminder, Watch};
pub use restore::{Restored, restore};
pub use search::{Answers, Found, search};
pub use selection::Selection;
pub use show::{
    FileDiff, ShownProposal, ShownSection, ShownSource, cited_lines, show_chosen, show_from,
    show_memory, show_pending, show_proposal, show_selection, show_waiting,
};
pub use status::{DecidedElsewhere, Health, Status, status};
pub use sweep::{Swept, SweptProposal, sweep};
pub use toc::{Toc, toc};
pub use undo::{TakenBack, undo};
pub use wanted::Wanted;
pub use worktrees::{
    OtherWorktree, all_applied_here, applied_here, find_worktree, take_out, worktrees,
};

/// A store with all that its verbs need.
#[derive(Debug)]
pub struct Workspace {
    store: Store,
    config: Config,
    catalog: OnceCell<Catalog>,
    scanner: Scanner,
    repository: Repository,
    now: Moment,
    lock_wait: Duration,
    standing: PathBuf,
    notices: Vec<String>,
    recovered: RefCell<Vec<String>>,
    /// What is decided on other branches.
    elsewhere: OnceCell<Result<UnmergedDecisions>>,
    /// Knows at the end of a command whether there is something to remind of.
    watch: Watch,
    index: OpenIndex,
}

impl Workspace {
    /// Opens the store that a caller stands in and reads how it decides.
    pub fn open(place: &Place) -> Result<Self> {
        Self::open_as_it_is(place)?.notice(Store::clear_leftovers)
    }

    /// Opens it for a command that says itself what others left there, or has no way to say it.
    pub fn open_as_it_is(place: &Place) -> Result<Self> {
        let store = Store::at(place.layout()?);
        let notices = store.settle(place.lock_wait)?;
        Self::over(store, place, notices)
    }

    /// Does something with the store and notes what has to be said about it.
    fn notice(mut self, act: impl FnOnce(&Store) -> Result<Vec<String>>) -> Result<Self> {
        match act(&self.store) {
            Ok(mut said) => self.notices.append(&mut said),
            Err(error) => return Err(error.warn(self.notices)),
        }
        Ok(self)
    }

    /// Opens it for a verb that reads no memory before it has the lock: whatever is half visible will be
    /// finished by then, so that nobody has to be waited for twice.
    pub fn open_to_write(place: &Place) -> Result<Self> {
        let store = Store::at(place.layout()?);
        let notices = store.settle_files(place.lock_wait)?;
        Self::over(store, place, notices)
    }

    fn over(store: Store, place: &Place, notices: Vec<String>) -> Result<Self> {
        let config = store.config().map_err(|error| error.warn(notices.iter().cloned()))?;
        let workspace = Self {
            watch: Watch::over(&store, &config, place.now),
            repository: Repository::of(store.layout()),
            scanner: config.scanner(),
            store,
            config,
            catalog: OnceCell::new(),
            now: place.now,
            lock_wait: place.lock_wait,
            standing: place.folder.clone(),
            notices,
            recovered: RefCell::default(),
            elsewhere: OnceCell::new(),
            index: OpenIndex::over(&place.kept),
        };
        workspace.renew_copies();
        Ok(workspace)
    }

    /// Returns the folder of the store.
    pub fn folder(&self) -> &Path {
        self.store.layout().store()
    }

    /// Returns the folder of the store as a person would write it from where they stand.
    pub fn shown_folder(&self) -> String {
        shorten(self.folder(), &self.standing)
    }

    /// Returns what a person names, from where they stand or from the store, relative to the store.
    pub fn named(&self, name: &str) -> String {
        self.store.layout().named(&self.standing, name)
    }

    /// Returns what looks at the queue at the end of a command.
    pub fn watch(&self) -> Watch {
        self.watch.clone()
    }

    /// Returns git's `user.name`.
    pub fn user_name(&self) -> Result<Option<String>> {
        self.repository.user_name()
    }

    /// Returns what had to be said when the store was opened.
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// Takes out of a text what looks like a secret, so that it can be shown.
    pub fn clean(&self, text: &str) -> String {
        self.scanner.redact(text).into_owned()
    }

    pub(crate) fn rules(&self) -> Result<Rules<'_>> {
        Ok(Rules { catalog: self.catalog()?, config: &self.config, scanner: &self.scanner })
    }

    /// Returns the categories; they are read for the first who asks, as many commands never do.
    fn catalog(&self) -> Result<&Catalog> {
        if let Some(known) = self.catalog.get() {
            return Ok(known);
        }
        let read = self.store.catalog()?;
        refuse_unknown_categories(&self.config, &read, &self.store.layout().config())?;
        Ok(self.catalog.get_or_init(|| read))
    }

    /// Refuses a text from the command line that looks like a secret or holds what nobody sees.
    pub fn refuse_unfit(&self, option: &str, text: &str) -> Answer<()> {
        if let Some(finding) = self.scanner.scan(text).first() {
            let message = format!("`{option}` holds what looks like a secret ({})", finding.rule);
            return Err(Refusal::new(Reason::SecretDetected, message, "say it without the secret"));
        }
        if let Some(hidden) = find_hidden(text) {
            let message = format!("`{option}` holds the hidden character {}", hidden.code_point());
            let hint = "write only what a person can see";
            return Err(Refusal::new(Reason::HiddenCharacters, message, hint));
        }
        Ok(())
    }

    /// Refuses a name that does, or that is longer than a line: it stands in lines that others read.
    pub fn refuse_unfit_name(&self, option: &str, name: &str) -> Answer<()> {
        if name.contains(['\n', '\t']) {
            let message = format!("`{option}` is more than a name");
            let hint = "give it on one line, without tabs";
            return Err(Refusal::new(Reason::HiddenCharacters, message, hint));
        }
        self.refuse_unfit(option, name)
    }

    fn lock<'a>(&'a self, command: &'a str, owner: Option<&Owner>) -> Result<Locked<'a>> {
        let owner = owner.map(|owner| format!(" for {}", owner.id)).unwrap_or_default();
        let holder = format!(
            "`agent-memory {command}`{owner} (process {}, since {})",
            std::process::id(),
            self.now
        );
        let mut locked = self.store.lock(self.lock_wait, command, &holder)?;
        self.recovered.borrow_mut().append(&mut locked.take_warnings());
        Ok(locked)
    }

    /// Sees to it that no change is half visible to who has looked before taking the lock.
    fn settle(&self) -> Result<()> {
        let mut said = self.store.settle(self.lock_wait)?;
        self.recovered.borrow_mut().append(&mut said);
        Ok(())
    }

    /// Takes what had to be said when a verb took the lock and finished what another process began.
    pub(crate) fn take_recovered(&self) -> Vec<String> {
        self.recovered.take()
    }

    /// Tells what may stay in the journal of texts: what a person put into another section by hand is
    /// not ours to copy.
    fn trace_of<'t>(&self, mut texts: impl Iterator<Item = &'t str>) -> Trace {
        match texts.any(|text| !self.scanner.scan(text).is_empty()) {
            true => Trace::Wiped,
            false => Trace::Kept,
        }
    }
}

/// Refuses an override for a category that is not there: a slip would leave the door open.
fn refuse_unknown_categories(config: &Config, catalog: &Catalog, path: &Path) -> Result<()> {
    let names = || catalog.categories().iter().map(|category| category.name.as_str());
    let Some(unknown) =
        config.overrides.categories.keys().find(|name| catalog.named(name).is_none())
    else {
        return Ok(());
    };
    let guess = did_you_mean(unknown, names());
    let message = format!("routing.categories: there is no category `{unknown}`{guess}, in");
    let hint = format!("the categories are {}", names().collect::<Vec<_>>().join(", "));
    Err(Error::new(ErrorKind::ConfigInvalid, message).at(path).hint(hint))
}

/// Writes a path relative to where a person stands, where that is shorter.
fn shorten(path: &Path, standing: &Path) -> String {
    let shown = path.strip_prefix(standing).unwrap_or(path);
    if shown.as_os_str().is_empty() { ".".to_owned() } else { shown.display().to_string() }
}
