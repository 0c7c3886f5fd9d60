//! An open project, over which the verbs work.

use std::cell::{Cell, OnceCell};
use std::path::Path;

use super::kept::OpenIndex;
use super::known_entries::KnownEntries;
use super::reminder::Watch;
use super::session::{Session, Warnings};
use crate::contract::FileState;
use crate::disk::outside;
use crate::error::{Error, ErrorKind, Result};
use crate::project::adopt::is_guide;
use crate::project::config::{Config, ReadRule};
use crate::project::pipeline::Rules;
use crate::project::request::{Answer, Intent, OtherPath, Owner, Reason, Refusal};
use crate::project::schema::{Catalog, Category};
use crate::project::store::sections::{BranchNotes, memory_files};
use crate::project::store::{
    Locked, OtherStores, ReadFiles, Repository, Store, Today, Trace, UnmergedDecisions,
};
use crate::secrets::Scanner;
use crate::text::{did_you_mean, find_hidden};

/// An open store with all that its verbs need.
#[derive(Debug)]
pub struct Project {
    pub(super) session: Session,
    pub(super) store: Store,
    pub(super) config: Config,
    pub(super) catalog: OnceCell<Catalog>,
    pub(super) reads: OnceCell<ReadFiles>,
    pub(super) others: OnceCell<OtherStores>,
    pub(super) entries: KnownEntries,
    pub(super) scanner: Scanner,
    pub(super) repository: Repository,
    /// The decisions on other branches.
    pub(super) elsewhere: OnceCell<Result<UnmergedDecisions>>,
    pub(super) watch: Watch,
    pub(super) index: OpenIndex,
    /// Whether the index was waited for in vain: no command waits twice for the process that keeps it.
    pub(super) waited_for_index: Cell<bool>,
}

/// A person who set it would be shown the days of another clock.
const UNKNOWN_ZONE: &str = "`TZ` names no time zone that this machine knows: days are those of UTC";

impl Project {
    /// Returns the repository and the store, as a change sees them.
    pub(super) fn today(&self) -> Today<'_> {
        Today { repository: &self.repository, store: &self.store }
    }

    /// Opens the store and removes what killed processes left behind.
    pub fn open(session: &Session) -> Result<Self> {
        let project = Self::open_as_it_is(session)?;
        match project.store.clear_leftovers() {
            Ok(said) => project.session.warnings.add(said),
            Err(error) => return Err(error.warn(project.warnings())),
        }
        Ok(project)
    }

    /// Opens the store for a command that reports leftovers itself, or cannot report them.
    pub(crate) fn open_as_it_is(session: &Session) -> Result<Self> {
        let store = Store::at(session.layout()?);
        let said = store.settle(session.lock_wait)?;
        Self::over(store, session, said)
    }

    /// Opens the store for a verb that reads no memory before it has the lock. Taking the lock finishes what
    /// is half visible, so the verb waits for other writers only once.
    pub fn open_to_write(session: &Session) -> Result<Self> {
        let store = Store::at(session.layout()?);
        store.refuse_newer()?;
        let said = store.settle_files(session.lock_wait)?;
        Self::over(store, session, said)
    }

    pub(super) fn over(store: Store, session: &Session, mut said: Vec<String>) -> Result<Self> {
        said.extend(session.zone.is_assumed().then(|| UNKNOWN_ZONE.to_owned()));
        tracing::info!(folder = %store.layout().store().display(), "store");
        let config = store.config().map_err(|error| error.warn(said.iter().cloned()))?;
        said.extend(config.newer.map(|newer| {
            format!("the store was {newer}: it is read as far as that goes, and not written")
        }));
        let project = Self {
            session: Session { warnings: Warnings::of(said), ..session.clone() },
            watch: Watch::over(&store, &config, session.now),
            repository: Repository::of(store.layout()),
            scanner: config.scanner(),
            store,
            config,
            catalog: OnceCell::new(),
            reads: OnceCell::new(),
            others: OnceCell::new(),
            entries: KnownEntries::default(),
            elsewhere: OnceCell::new(),
            index: OpenIndex::over(&session.kept),
            waited_for_index: Cell::new(false),
        };
        project
            .session
            .warnings
            .add(session.unexpected_store(&project.repository).into_iter().collect());
        project.renew_copies();
        Ok(project)
    }

    pub(crate) fn folder(&self) -> &Path {
        self.store.layout().store()
    }

    /// Returns the folders that a repository around the store can fill.
    pub(crate) fn folders(&self) -> [&Path; 2] {
        let layout = self.store.layout();
        [layout.repository(), layout.store()]
    }

    /// Returns the folder of the store, relative to the working directory where that is shorter.
    pub(crate) fn shown_folder(&self) -> String {
        shorten(self.folder(), &self.session.folder)
    }

    /// Returns a path relative to the store; `name` is relative to the working directory or to the store.
    pub(crate) fn named(&self, name: &str) -> String {
        self.store.layout().named(&self.session.folder, name)
    }

    pub(crate) fn watch(&self) -> Watch {
        self.watch.clone()
    }

    /// Refuses a write before anything is asked for it.
    pub(crate) fn refuse_newer(&self) -> Result<()> {
        self.store.refuse_newer()
    }

    /// Returns git's `user.name`.
    pub(crate) fn user_name(&self) -> Result<Option<String>> {
        self.repository.user_name()
    }

    /// Tells whether sessions here may begin with the person's own memory.
    pub(crate) fn injects_user_memory(&self) -> bool {
        self.config.injects_user_memory
    }

    /// Returns all warnings about the store so far.
    pub(crate) fn warnings(&self) -> Vec<String> {
        self.session.warnings.all()
    }

    /// Takes the warnings that no answer has told yet.
    pub(crate) fn take_warnings(&self) -> Vec<String> {
        self.session.warnings.take_untold()
    }

    /// Masks what looks like a secret in a text.
    pub(crate) fn clean(&self, text: &str) -> String {
        self.scanner.redact(text).into_owned()
    }

    pub(crate) fn rules(&self) -> Result<Rules<'_>> {
        Ok(Rules { catalog: self.catalog()?, config: &self.config, scanner: &self.scanner })
    }

    /// Returns the categories; they are read on demand, as many commands need none.
    pub(super) fn catalog(&self) -> Result<&Catalog> {
        if let Some(known) = self.catalog.get() {
            return Ok(known);
        }
        // What a newer version added would be told as a fault.
        let read =
            self.store.catalog().or_else(|error| self.store.refuse_newer().and(Err(error)))?;
        if self.config.newer.is_none() {
            refuse_unknown_categories(&self.config, &read, &self.store.layout().config())?;
        }
        Ok(self.catalog.get_or_init(|| read))
    }

    /// Returns the files that are read where they are; git is asked for them once.
    pub(super) fn reads(&self) -> Result<&ReadFiles> {
        if let Some(known) = self.reads.get() {
            return Ok(known);
        }
        let catalog = self.catalog()?;
        let is_wanted = |path: &str, rule: &ReadRule| is_read_as(catalog, path, &rule.category);
        let place = (self.store.layout(), &self.repository);
        let read = ReadFiles::of(&self.config, place, &self.scanner, is_wanted)?;
        Ok(self.reads.get_or_init(|| read))
    }

    /// Returns the other stores that are read; they are opened once.
    pub(super) fn others(&self) -> Result<&OtherStores> {
        if let Some(known) = self.others.get() {
            return Ok(known);
        }
        let (layout, catalog) = (self.store.layout(), self.catalog()?);
        let opened = OtherStores::of(&self.config, layout, catalog, &self.scanner);
        Ok(self.others.get_or_init(|| opened))
    }

    /// Reads a file of another store by its label, with the name that it has now; none if it is no such file.
    pub(super) fn read_in_other_store(&self, name: &str) -> Result<Option<(String, FileState)>> {
        // Most names are of files of ours: for these no other store is opened.
        if OtherPath::parse(name).is_none() {
            return Ok(None);
        }
        let others = self.others()?;
        let Some(path) = others.find(name) else { return Ok(None) };
        Ok(Some((others.labelled(&path), others.read(&path, &self.scanner)?)))
    }

    /// Returns the paths of all memory files, and of those that are read where they are.
    pub(super) fn files_to_read(&self) -> Result<Vec<String>> {
        let mut paths = memory_files(self.store.layout().folder())?;
        paths.extend(self.reads()?.paths().map(str::to_owned));
        Ok(paths)
    }

    /// Returns where the notes of the branches are; none where all share a file.
    pub(super) fn branch_notes(&self) -> Result<Option<BranchNotes>> {
        let owner = self.catalog()?.default_for(Intent::UpdateCurrent);
        let Some(path) = owner.and_then(|owner| owner.paths.for_new()) else { return Ok(None) };
        if !path.contains("{branch}") {
            return Ok(None);
        }
        Ok(BranchNotes::at(path, &self.repository.branch_now()?.name))
    }

    /// Reads `config.toml`, to write another text of it; none where there is no such file.
    pub(super) fn config_text(&self) -> Result<Option<String>> {
        match self.store.read_any("config.toml")? {
            FileState::Text(text) => Ok(Some(text)),
            FileState::Absent => Ok(None),
            FileState::Unusable(why) => {
                Err(Error::new(ErrorKind::ConfigInvalid, why).at(&self.store.layout().config()))
            }
        }
    }

    /// Reads a memory file, one that is read where it is, or one of another store.
    pub(super) fn read(&self, path: &str) -> Result<FileState> {
        if let Some((_, state)) = self.read_in_other_store(path)? {
            return Ok(state);
        }
        self.reads()?.read(path).unwrap_or_else(|| self.store.read_any(path))
    }

    /// Returns the path of a file that is read where it is; `name` may also lead to it from the working directory.
    pub(super) fn path_in_place(&self, name: &str) -> Result<Option<String>> {
        let reads = self.reads()?;
        let name = name.strip_prefix("./").unwrap_or(name);
        let from_here = || self.path_from_here(name).filter(|path| reads.has(path));
        Ok(if reads.has(name) { Some(name.to_owned()) } else { from_here() })
    }

    /// Reads such a file; what is no text there is none.
    pub(super) fn read_in_place(&self, name: &str) -> Result<Option<(String, String)>> {
        let Some(path) = self.path_in_place(name)? else { return Ok(None) };
        Ok(self.read(&path)?.into_text().map(|text| (path, text)))
    }

    /// Returns the category of such a file.
    pub(super) fn category_of(&self, path: &str) -> Result<Option<&Category>> {
        Ok(self.reads()?.category_of(path, self.catalog()?))
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

    /// Returns a path from the root for one that leads from the working directory alone to a file of the repository.
    pub(super) fn path_from_here(&self, path: &str) -> Option<String> {
        if self.repository.has(path) {
            return None;
        }
        // The root may be named from the working directory, which a link may have led to.
        let root = outside::real_path(self.repository.root())?;
        let found = outside::real_path(&self.session.folder)?.join(path);
        let from_root = found.strip_prefix(root).ok()?.to_str()?;
        self.repository.has(from_root).then(|| from_root.to_owned())
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

    pub(super) fn lock<'a>(
        &'a self,
        command: &'a str,
        owner: Option<&Owner>,
    ) -> Result<Locked<'a>> {
        let owner = owner.map(|owner| format!(" for {}", owner.id)).unwrap_or_default();
        let holder = format!(
            "`agent-memory {command}`{owner} (process {}, since {})",
            std::process::id(),
            self.session.now
        );
        let mut locked = self.store.lock(self.session.lock_wait, command, &holder)?;
        self.session.warnings.add(locked.take_warnings());
        self.entries.forget();
        Ok(locked)
    }

    /// Finishes changes that are half visible, for a verb that reads memory before it takes the lock.
    pub(super) fn settle(&self) -> Result<()> {
        self.session.warnings.add(self.store.settle(self.session.lock_wait)?);
        Ok(())
    }

    /// Tells whether the texts may stay in the journal: a secret that a person wrote by hand must not be copied.
    pub(super) fn trace_of<'t>(&self, mut texts: impl Iterator<Item = &'t str>) -> Trace {
        if texts.any(|text| self.is_secret(text)) { Trace::Wiped } else { Trace::Kept }
    }

    pub(super) fn is_secret(&self, text: &str) -> bool {
        !self.scanner.scan(text).is_empty()
    }
}

/// Tells whether a file is read as one of a category: the guide of a folder of records is none of them.
pub(super) fn is_read_as(catalog: &Catalog, path: &str, category: &str) -> bool {
    let has_records = catalog.named(category).is_some_and(|it| it.paths.has_records());
    !(has_records && is_guide(path))
}

/// Refuses an unknown category: a typing error would leave a category without its rule, or a file without its category.
fn refuse_unknown_categories(config: &Config, catalog: &Catalog, path: &Path) -> Result<()> {
    let names = || catalog.categories().iter().map(|category| category.name.as_str());
    let mut named = config.named_categories();
    let Some((place, unknown)) = named.find(|(_, name)| catalog.named(name).is_none()) else {
        return Ok(());
    };
    let guess = did_you_mean(unknown, names());
    let message = format!("{place}: there is no category `{unknown}`{guess}, in");
    let hint = format!("the categories are {}", names().collect::<Vec<_>>().join(", "));
    Err(Error::new(ErrorKind::ConfigInvalid, message).at(path).hint(hint))
}

/// Writes a path relative to the working directory, where that is shorter.
pub(super) fn shorten(path: &Path, standing: &Path) -> String {
    let shown = path.strip_prefix(standing).unwrap_or(path);
    if shown.as_os_str().is_empty() { ".".to_owned() } else { shown.display().to_string() }
}
