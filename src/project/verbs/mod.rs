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
pub(crate) mod secrets;
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

pub(crate) use crate::disk::Draft;
pub use crate::git::GitTime;
pub(crate) use crate::project::adopt::RenamedId;
pub(crate) use crate::project::provenance::Freshness;
pub use crate::project::store::WAIT as LOCK_WAIT;
pub(crate) use crate::project::store::index::{Order, sqlite_version};
pub use crate::project::store::index::{Query, Weights};
pub(crate) use crate::project::store::{CommitLimit, OwnSettings};
pub(crate) use adopt::{Adopted, AdoptedFile};
pub(crate) use adopt_state::adopt_state;
pub(crate) use answer::Stop;
use answer::{Attempt, answered, conclude, logged, logged_hash, write};
pub use apply::{ApplyOptions, Way};
pub(crate) use apply::{apply, apply_by, note_refused_approval, own_settings};
pub use apply_all::{Left, apply_all};
pub use blame::blame;
pub(crate) use blame::{Blamed, Claim, EarlierWriter, Written};
pub(crate) use check::{CheckOptions, check};
pub(crate) use commit::Committed;
pub use context::{BUDGET, Task, context};
pub(crate) use demo::{DEMO_REQUEST, Scratch};
pub(crate) use doctor::{Treatment, doctor};
pub(crate) use files::memory_paths;
pub use files::read_memory;
pub(crate) use fmt_ids::fmt_ids;
pub(crate) use history::PastDiff;
pub use history::past_diffs;
pub use init::{InitOptions, init};
pub(crate) use init::{Initialised, admits};
pub use install::FileFate;
pub(crate) use install::{Act, InstallOptions, Installation, InstalledFile, install};
pub(crate) use install_git::install_git;
pub use kept::Kept;
use kept::OpenIndex;
pub(crate) use left_behind::LeftBehindProposal;
use log::read_decision;
pub use log::{LogQuery, decisions_about, log};
pub(crate) use log::{lost_decisions, verify_log};
pub(crate) use man::{Page, write_pages};
pub(crate) use merge::{Driven, drive, resolve};
pub(crate) use other_branches::OtherBranch;
pub(crate) use pending::{Pending, pending, unreadable, waiting_ids};
pub use place::{Place, Places, Serve};
pub use propose::propose;
pub(crate) use propose::read_request;
pub(crate) use rebase::{Rebased, RebasedFile, rebase};
pub(crate) use reindex::reindex;
pub(crate) use reject::{RejectOptions, Rejected, reject};
pub(crate) use remind::{is_to_be_reminded, read_event};
pub(crate) use reminder::{Reminder, Watch};
pub(crate) use restore::{Restored, restore};
pub(crate) use search::Found;
pub use search::{Answers, search};
pub(crate) use selection::Selection;
pub use show::show_pending;
pub(crate) use show::{
    FileDiff, ShownProposal, ShownSection, ShownSource, cited_lines, show_chosen, show_from,
    show_memory, show_proposal, show_selection, show_waiting,
};
pub(crate) use status::{DecidedElsewhere, Health};
pub use status::{Status, status};
pub(crate) use sweep::{Swept, sweep};
pub(crate) use toc::toc;
pub(crate) use undo::{TakenBack, undo};
pub(crate) use wanted::Wanted;
pub(crate) use worktrees::{
    OtherWorktree, all_applied_here, applied_here, find_worktree, take_out, worktrees,
};

/// An open store with all that its verbs need.
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
    /// The decisions on other branches.
    elsewhere: OnceCell<Result<UnmergedDecisions>>,
    watch: Watch,
    index: OpenIndex,
}

impl Workspace {
    /// Opens the store and removes what killed processes left behind.
    pub fn open(place: &Place) -> Result<Self> {
        let mut workspace = Self::open_as_it_is(place)?;
        match workspace.store.clear_leftovers() {
            Ok(mut said) => workspace.notices.append(&mut said),
            Err(error) => return Err(error.warn(workspace.notices)),
        }
        Ok(workspace)
    }

    /// Opens the store for a command that reports leftovers itself, or cannot report them.
    pub(crate) fn open_as_it_is(place: &Place) -> Result<Self> {
        let store = Store::at(place.layout()?);
        let notices = store.settle(place.lock_wait)?;
        Self::over(store, place, notices)
    }

    /// Opens the store for a verb that reads no memory before it has the lock. Taking the lock finishes what
    /// is half visible, so the verb waits for other writers only once.
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

    pub(crate) fn folder(&self) -> &Path {
        self.store.layout().store()
    }

    /// Returns the folder of the store, relative to the working directory where that is shorter.
    pub(crate) fn shown_folder(&self) -> String {
        shorten(self.folder(), &self.standing)
    }

    /// Returns a path relative to the store; `name` is relative to the working directory or to the store.
    pub(crate) fn named(&self, name: &str) -> String {
        self.store.layout().named(&self.standing, name)
    }

    pub(crate) fn watch(&self) -> Watch {
        self.watch.clone()
    }

    /// Returns git's `user.name`.
    pub(crate) fn user_name(&self) -> Result<Option<String>> {
        self.repository.user_name()
    }

    /// Returns the warnings about opening the store.
    pub(crate) fn notices(&self) -> &[String] {
        &self.notices
    }

    /// Masks what looks like a secret in a text.
    pub(crate) fn clean(&self, text: &str) -> String {
        self.scanner.redact(text).into_owned()
    }

    pub(crate) fn rules(&self) -> Result<Rules<'_>> {
        Ok(Rules { catalog: self.catalog()?, config: &self.config, scanner: &self.scanner })
    }

    /// Returns the categories; they are read on demand, as many commands need none.
    fn catalog(&self) -> Result<&Catalog> {
        if let Some(known) = self.catalog.get() {
            return Ok(known);
        }
        let read = self.store.catalog()?;
        refuse_unknown_categories(&self.config, &read, &self.store.layout().config())?;
        Ok(self.catalog.get_or_init(|| read))
    }

    /// Refuses a text from the command line that looks like a secret or holds hidden characters.
    pub(crate) fn refuse_unfit(&self, option: &str, text: &str) -> Answer<()> {
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

    /// Refuses the same in a name, and line breaks: the name is written into lines that programs read.
    pub(crate) fn refuse_unfit_name(&self, option: &str, name: &str) -> Answer<()> {
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

    /// Finishes changes that are half visible, for a verb that reads memory before it takes the lock.
    fn settle(&self) -> Result<()> {
        let mut said = self.store.settle(self.lock_wait)?;
        self.recovered.borrow_mut().append(&mut said);
        Ok(())
    }

    /// Takes the warnings about changes of killed processes that this verb finished.
    pub(crate) fn take_recovered(&self) -> Vec<String> {
        self.recovered.take()
    }

    /// Tells whether the texts may stay in the journal: a secret that a person wrote by hand must not be copied.
    fn trace_of<'t>(&self, mut texts: impl Iterator<Item = &'t str>) -> Trace {
        if texts.any(|text| self.is_secret(text)) { Trace::Wiped } else { Trace::Kept }
    }

    fn is_secret(&self, text: &str) -> bool {
        !self.scanner.scan(text).is_empty()
    }
}

/// Refuses an override for an unknown category: a typing error would leave a category without its rule.
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

/// Writes a path relative to the working directory, where that is shorter.
fn shorten(path: &Path, standing: &Path) -> String {
    let shown = path.strip_prefix(standing).unwrap_or(path);
    if shown.as_os_str().is_empty() { ".".to_owned() } else { shown.display().to_string() }
}
