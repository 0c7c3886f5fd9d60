//! `init`: makes a store in a repository; existing files stay unchanged.

mod place;
mod record_folders;
mod store_folder;
mod wanted;

use std::collections::{BTreeMap, BTreeSet};
use std::mem::take;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::admission::Admission;
use super::adopt::{Adopted, AdoptionTarget, NoteFolder};
use super::found_programs::{FoundProgram, found_clients};
use super::rewrite::Rewritten;
use super::session::Session;
use super::{attributes, former_toc, gitignore};
use crate::contract::FileState;
use crate::error::{Error, ErrorKind, Result};
use crate::project::adopt::{MANIFEST, ORIGINS, SCHEMA, with_origins};
use crate::project::config::{Config, ReadRule};
use crate::project::pipeline::Approval;
use crate::project::request::{MemoryPath, ProposalId};
use crate::project::schema::Catalog;
use crate::project::store::{
    EditedMeanwhile, Layout, Locked, Repository, STORE, Step, Store, Trace,
};
use crate::secrets::clean;
pub(crate) use place::{PlaceChoice, place_choice};
use record_folders::record_folders;
pub(crate) use record_folders::{RecordFolder, readable_records};
use store_folder::{find, refuse_ignored};
use wanted::{CONFIG, NotePlan, WantedFiles, read};

/// What `init` makes a store of.
#[derive(Debug, Clone, Default)]
pub struct InitOptions {
    /// A folder of notes, one file, or a store of another tool, to import.
    pub from: Option<PathBuf>,
    /// `NAME=VALUE` for required fields that the notes lack.
    pub fields: Vec<String>,
    /// Keeps the queue of a new store in git.
    pub track: bool,
    /// `NAME=CATEGORY` for files of the folder.
    pub categories: Vec<String>,
    /// What a new store reads besides its own files.
    pub reads: Vec<ReadRule>,
    /// Writes nothing.
    pub dry_run: bool,
    /// Needed to import notes into an existing store.
    pub approval: Option<Approval>,
}

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct Initialised {
    /// The folder of the store; all other paths are relative to it.
    pub store: String,
    pub created: Vec<String>,
    /// Files of an earlier version that were updated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub renewed: Vec<String>,
    /// Files of an earlier version that are not needed any more, moved to `state/trash/`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<Adopted>,
    /// The id of the change in the log, where notes came into an existing store.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal_id: Option<ProposalId>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
    /// The command that makes a store in the working directory, where it was made at the top of the repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_place: Option<String>,
    /// Folders of decision records, which a store can take over or read where they are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) records: Vec<RecordFolder>,
    /// The clients of which there are signs here.
    pub(crate) clients: Vec<FoundProgram>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// Tells whether notes would be imported into an existing store, which needs an approval.
pub(crate) fn admits(session: &Session, options: &InitOptions) -> Result<bool> {
    if options.from.is_none() || options.dry_run {
        return Ok(false);
    }
    match session.here().layout() {
        Err(error) if error.kind() == ErrorKind::StoreNotFound => Ok(false),
        found => Ok(!is_foreign(&Store::at(found?))?),
    }
}

/// Makes a store, or the missing files of one.
pub fn init(session: &Session, options: &InitOptions) -> Result<Initialised> {
    let session = &session.here();
    let mut source = options.from.as_deref().map(NoteFolder::read).transpose()?;
    let found = || Repository::find(&session.folder).unwrap_or_else(|| session.folder.clone());
    let root = session.root.clone().unwrap_or_else(found);
    let is_there = admits(session, options)?;
    let choice = place_choice(session)?;
    let store = find(session, &root)?.map(Store::at);
    let above = store.as_ref().map_or(root.as_path(), |store| store.layout().repository());
    source.iter_mut().for_each(|source| source.locate(above));
    let no_note = source.as_ref().and_then(NoteFolder::warn_of_no_note);
    store.as_ref().map_or(Ok(()), |store| check_existing(store, source.as_mut()))?;
    let new;
    let known = store.as_ref().filter(|_| !options.dry_run);
    let mut locked = known.map(|store| lock(store, session)).transpose()?;
    let mut warnings = locked.as_mut().map(Locked::take_warnings).unwrap_or_default();
    warnings.extend(no_note);
    let mut made = make(session, options, (store.as_ref(), above), source)?;
    if store.is_none() && !options.dry_run {
        // Not before: a wrong option makes nothing.
        new = Store::at(Layout::make_in(&root, &session.git_time)?);
        locked = Some(lock(&new, session)?);
    }
    warnings.append(&mut made.unwritten);
    let folder = store.as_ref().map_or(root.join(STORE), |s| s.layout().store().into());
    warnings.extend(refuse_ignored(&folder, &session.git_time, &made.catalog)?);
    if let Some(locked) = locked.filter(|_| !made.steps.is_empty()) {
        if is_there {
            made.admit(locked.layout(), session, options)?;
        }
        match write(locked, take(&mut made.steps))? {
            Ok(told) => warnings.extend(told),
            // Another process made the store since this one looked for it: that one is completed.
            Err(_) if store.is_none() => return init(session, options),
            Err(edited) => return Err(edited_meanwhile(edited)),
        }
    }
    let other_place = choice.map(|choice| choice.command);
    let records = made.readable(session, options, above);
    let told = made.told(session, &folder, options.dry_run);
    Ok(Initialised { other_place, records, warnings, ..told })
}

fn lock<'s>(store: &'s Store, session: &Session) -> Result<Locked<'s>> {
    store.lock(session.lock_wait, "init", "`agent-memory init`")
}

/// Writes what was decided, and gives the lock back in any case.
fn write(
    mut locked: Locked<'_>,
    steps: Vec<Step>,
) -> Result<std::result::Result<Vec<String>, EditedMeanwhile>> {
    match locked.prepare(steps, Trace::Kept)? {
        Ok(prepared) => prepared.commit().map(Ok),
        Err(edited) => Ok(Err(edited)),
    }
}

/// Decides what is made in a store, or in a new one below a folder.
fn make(
    session: &Session,
    options: &InitOptions,
    (store, above): (Option<&Store>, &Path),
    source: Option<NoteFolder>,
) -> Result<Made> {
    let repository = Repository::around(above, &session.git_time);
    let target = AdoptionTarget {
        store,
        fields: &options.fields,
        categories: &options.categories,
        repository: Some(&repository),
        today: &session.today(),
    };
    Made::of(target, source, options)
}

/// Refuses a store of another tool, unless the notes are its own files.
fn check_existing(store: &Store, mut source: Option<&mut NoteFolder>) -> Result<()> {
    if let Some(source) = &mut source {
        source.detect_store(store.layout().store());
    }
    match source.is_some_and(|source| source.is_store) {
        true => Ok(()),
        false => refuse_foreign(store),
    }
}

/// Refuses a store of another tool, whose settings would have no effect any more.
fn refuse_foreign(store: &Store) -> Result<()> {
    if !is_foreign(store)? {
        return Ok(());
    }
    let folder = store.layout().store();
    let message = "another tool made this store, whose settings are in `meta/`:";
    Err(Error::new(ErrorKind::Usage, message)
        .at(folder)
        .hint(format!("`agent-memory init --from {}` takes it over", folder.display())))
}

fn is_foreign(store: &Store) -> Result<bool> {
    let is_absent =
        |path: &str| -> Result<bool> { Ok(matches!(store.read_any(path)?, FileState::Absent)) };
    Ok(is_absent("config.toml")? && !(is_absent(MANIFEST)? && is_absent(SCHEMA)?))
}

const UNTRACKED: &str = "the store has its settings already, so `--track` changed nothing: \
    `agent-memory config set staging.track true` keeps its queue in git";

fn unread_warning(rule: &ReadRule) -> String {
    let written = rule.written();
    let lines: Vec<String> = written.lines().skip(1).map(|line| format!("`{line}`")).collect();
    format!(
        "the store has its settings already; to read these files, add a table `[[read]]` with {} to its `config.toml`",
        lines.join(" and ")
    )
}

/// Returns the clients of which there are signs beside a store; a file of theirs that cannot be read does not undo the
/// store.
fn clients_beside(session: &Session, store: &Path) -> Vec<FoundProgram> {
    let at = Session { root: store.parent().map(Path::to_path_buf), ..session.clone() };
    let mut found = found_clients(&at, None).unwrap_or_default();
    found.iter_mut().for_each(|client| client.files.clear());
    found
}

#[derive(Default)]
struct Made {
    steps: Vec<Step>,
    notes: Vec<Rewritten>,
    proposal_id: Option<ProposalId>,
    created: Vec<String>,
    renewed: Vec<String>,
    removed: Vec<String>,
    told: Option<Adopted>,
    /// What is said of settings that were asked for and that the store, whose `config.toml` stays, does not have.
    unwritten: Vec<String>,
    catalog: Catalog,
}

impl Made {
    /// Returns the folders of records that a new store does not have.
    fn readable(
        &self,
        session: &Session,
        options: &InitOptions,
        above: &Path,
    ) -> Vec<RecordFolder> {
        let is_new = self.created.iter().any(|path| path == CONFIG);
        match is_new && options.from.is_none() && options.reads.is_empty() {
            true => record_folders(session, above),
            false => Vec::new(),
        }
    }

    /// Compares the settings of a store, which stay as they are, with those that were asked for.
    fn tell_unwritten(&mut self, config: &str, options: &InitOptions) {
        let known = Config::parse(config, Path::new(CONFIG)).ok();
        let is_tracked = known.as_ref().is_some_and(|known| known.staging.track);
        self.unwritten.extend((options.track && !is_tracked).then(|| UNTRACKED.to_owned()));
        let has = |rule: &ReadRule| known.as_ref().is_some_and(|known| known.reads.contains(rule));
        let unread = options.reads.iter().filter(|rule| !has(rule));
        self.unwritten.extend(unread.map(unread_warning));
    }

    /// Compares the wanted files with the existing ones.
    fn of(
        target: AdoptionTarget<'_>,
        source: Option<NoteFolder>,
        options: &InitOptions,
    ) -> Result<Self> {
        let (store, is_asked) = (target.store, source.is_some());
        let (mut wanted, mut told) = WantedFiles::of(target, source)?;
        let mut made = Self::default();
        match read(store, CONFIG)? {
            None => {
                if options.track {
                    wanted.track_queue()?;
                }
                wanted.add_read_rules(&options.reads)?;
            }
            Some(config) => made.tell_unwritten(&config, options),
        }
        let (mut new, mut as_it_was) = (Vec::new(), Vec::new());
        for (path, text) in wanted.files() {
            match wanted.way_of(&path, &text, read(store, &path)?, &told) {
                NotePlan::Leave => {}
                NotePlan::AsItIs => as_it_was.push((path, text)),
                NotePlan::KeepSettings => told.keep_settings(path),
                NotePlan::Keep => told.kept.push(path),
                NotePlan::Write(former) => {
                    made.steps.push(Step::write(&path, former.as_deref(), text.clone()));
                    made.notes.extend(wanted.note(&path, former.as_deref(), &text));
                    let list = if former.is_some() { &mut made.renewed } else { &mut made.created };
                    list.push(path.clone());
                    new.push((path, text));
                }
            }
        }
        let written: BTreeSet<&str> = new.iter().map(|(path, _)| path.as_str()).collect();
        told.adopted.retain(|file| written.contains(file.to.as_str()));
        let adopted = new.iter().chain(&as_it_was).map(|(path, _)| path.as_str());
        made.remember(store, &told.origins, adopted)?;
        made.told = is_asked.then_some(told);
        made.renew(store)?;
        Ok(Self { catalog: wanted.catalog, ..made })
    }

    fn told(self, session: &Session, store: &Path, dry_run: bool) -> Initialised {
        Initialised {
            store: super::project::shorten(store, &session.folder),
            created: self.created,
            renewed: self.renewed,
            removed: self.removed,
            from: self.told,
            proposal_id: self.proposal_id,
            dry_run,
            other_place: None,
            records: Vec::new(),
            clients: clients_beside(session, store),
            warnings: Vec::new(),
        }
    }

    /// Keeps in the store which note each file was adopted from.
    fn remember<'a>(
        &mut self,
        store: Option<&Store>,
        origins: &BTreeMap<String, String>,
        adopted: impl Iterator<Item = &'a str>,
    ) -> Result<()> {
        let former = read(store, ORIGINS)?;
        let pairs = adopted
            .filter_map(|path| Some((origins.get(path)?.as_str(), MemoryPath::parse(path).ok()?)));
        let before = former.as_deref().unwrap_or_default();
        let now = with_origins(before, pairs.collect::<Vec<_>>());
        if now != before {
            let list = if former.is_some() { &mut self.renewed } else { &mut self.created };
            list.push(ORIGINS.to_owned());
            list.sort_unstable();
            self.steps.push(Step::write(ORIGINS, former.as_deref(), now));
        }
        Ok(())
    }

    /// Logs notes that are imported into an existing store, and makes that undoable.
    fn admit(&mut self, layout: &Layout, session: &Session, options: &InitOptions) -> Result<()> {
        let Some(approval) = &options.approval else {
            return Err(Error::new(
                ErrorKind::Usage,
                "notes come into this store by a person only",
            )
            .hint("run `agent-memory init --from PATH` again"));
        };
        if self.notes.is_empty() {
            return Ok(());
        }
        let from =
            options.from.as_deref().map(|from| super::project::shorten(from, &session.folder));
        let from = clean(&from.unwrap_or_default());
        let (now, reason) = (session.now, format!("init --from {from}"));
        let admission = Admission { approval, now, reason, moved_from: Vec::new() };
        // What is replaced was scanned as it came in: only such a note is written again.
        let (id, steps) = admission.record(layout, &self.notes, |_| false)?;
        self.steps.extend(steps);
        self.proposal_id = Some(id);
        Ok(())
    }

    /// Updates the files for git.
    fn renew(&mut self, store: Option<&Store>) -> Result<()> {
        let Some(store) = store else { return Ok(()) };
        let renewals = [attributes::renewal(store)?, gitignore::renewal(store)?];
        for (renewal, path) in renewals.into_iter().zip([attributes::PATH, gitignore::PATH]) {
            self.renewed.extend(renewal.is_some().then(|| path.to_owned()));
            self.steps.extend(renewal);
        }
        let (removed, steps) = former_toc::removal(store)?;
        self.removed.extend(removed);
        self.steps.extend(steps);
        Ok(())
    }
}

fn edited_meanwhile(edited: EditedMeanwhile) -> Error {
    Error::new(ErrorKind::Io, format!("`{}` appeared at the same moment", edited.path))
        .hint("run `agent-memory init` again; it makes only what is missing")
}
