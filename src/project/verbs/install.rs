//! `install`: tells a client of agents about us, in its own files, and takes that out again.

mod leftover;
mod planning;

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::Place;
use crate::clients::{Client, Fault, Purpose, Scope};
use crate::contract::words;
use crate::error::{ErrorKind, Result};
use crate::project::store::{Change, Elsewhere, Repository, lay_aside};
use planning::{Planned, Planning};

/// Whom to tell, and how.
#[derive(Debug, Clone, Copy)]
pub struct InstallOptions<'a> {
    /// Who is told.
    pub client: Client,
    /// The user's home, where all projects are meant; nothing for this project alone.
    pub home: Option<&'a Path>,
    /// What is done.
    pub act: Act,
    /// Whether anything is written.
    pub writes: bool,
}

/// What is done with the files of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// What is ours is put in.
    Install {
        /// Hooks too.
        hooks: bool,
    },
    /// What is ours is taken out.
    Uninstall,
}

/// What was done, or would be.
#[derive(Debug, Serialize)]
pub struct Installation {
    /// Who is told.
    pub client: Client,
    /// For which projects.
    pub scope: Scope,
    /// The folder that the files are relative to.
    pub root: String,
    /// The files, in the order in which they are written.
    pub files: Vec<InstalledFile>,
    /// What a person should know.
    pub notes: Vec<String>,
}

/// What was done with a file, or would be.
#[derive(Debug, Serialize)]
pub struct InstalledFile {
    /// The file, relative to the root.
    pub path: String,
    /// What it is there for.
    pub purposes: Vec<Purpose>,
    /// What becomes of it.
    #[serde(rename = "state")]
    pub fate: FileFate,
    /// The clients that still need what is ours in it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kept_for: Vec<Client>,
    /// The difference, without what looks like a secret; only where nothing is written.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub diff: String,
    /// Why it is left as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
}

words! {
    /// What becomes of a file.
    FileFate {
        /// It is made.
        Created = "created",
        /// It has what is ours, or has it no longer.
        Changed = "changed",
        /// It is as it should be.
        Current = "current",
        /// It goes, as it was all ours.
        Removed = "removed",
        /// It stays as it is, because another client needs it.
        Kept = "kept",
        /// It cannot be edited.
        Refused = "refused",
    }
}

impl Installation {
    /// Tells whether a file cannot be edited, so that none was.
    pub fn is_refused(&self) -> bool {
        self.files.iter().any(|file| file.fault.is_some())
    }

    /// Tells whether a file is not as it should be, or was not.
    pub fn changes(&self) -> bool {
        let stays = [FileFate::Current, FileFate::Kept];
        self.files.iter().any(|file| !stays.contains(&file.fate))
    }
}

/// Puts what is ours into the files of a client, or takes it out: none is written before all can be. Where
/// one fails in the middle all the same, the error says which were.
pub fn install(place: &Place, options: &InstallOptions<'_>) -> Result<Installation> {
    let scope = if options.home.is_some() { Scope::User } else { Scope::Project };
    let root = match options.home {
        Some(home) => home.to_path_buf(),
        None => project(place)?,
    };
    let planning = Planning::at(Elsewhere::open(&root)?, scope);
    let planned = match options.act {
        Act::Install { hooks } => planning.put(options.client, hooks)?,
        Act::Uninstall => planning.take(options.client)?,
    };
    let mut notes = notes(place, options, scope);
    if options.writes && planned.iter().all(|file| file.fault.is_none()) {
        for file in &planned {
            notes.extend(file.tidy()?);
        }
        let changes: Vec<Change> = planned.iter().filter_map(Planned::change).collect();
        lay_aside(&changes)?.land()?;
    }
    let report = |file: Planned| match options.writes {
        true => file.report(),
        false => InstalledFile { diff: file.difference(), ..file.report() },
    };
    let files = planned.into_iter().map(report).collect();
    Ok(Installation {
        client: options.client,
        scope,
        root: root.display().to_string(),
        files,
        notes,
    })
}

/// Returns the root of the project: where the store is, or where one would be made.
fn project(place: &Place) -> Result<PathBuf> {
    match place.layout() {
        Ok(layout) => Ok(layout.repository().to_path_buf()),
        Err(error) if error.kind() == ErrorKind::StoreNotFound => {
            let found = || Repository::find(&place.folder).unwrap_or_else(|| place.folder.clone());
            Ok(place.root.clone().unwrap_or_else(found))
        }
        Err(error) => Err(error),
    }
}

/// Returns what a person has to know or do besides.
fn notes(place: &Place, options: &InstallOptions<'_>, scope: Scope) -> Vec<String> {
    let (client, mut notes) = (options.client, Vec::new());
    let Act::Install { hooks } = options.act else { return notes };
    if hooks && !client.has_hooks() {
        notes.push(format!("{} has no hooks that take a text, so none are set", client.title()));
    }
    notes.extend(client.advice(scope, hooks).map(str::to_owned));
    if scope == Scope::Project && place.layout().is_err() {
        notes.push("there is no store here yet: `agent-memory init` makes one".to_owned());
    }
    notes
}
