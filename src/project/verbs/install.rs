//! `install` and `uninstall`: edit the files of agent clients.

mod installed_file;
mod leftover;
mod planning;

use std::path::Path;

use serde::Serialize;

use super::session::Session;
use crate::clients::{Client, ClientScope, memory_target};
use crate::error::Result;
use crate::project::store::{Change, Elsewhere, lay_aside};
use crate::secrets::shown_name;
pub use installed_file::InstallState;
pub(crate) use installed_file::InstalledFile;
use planning::{FilePlan, Planning};

#[derive(Debug, Clone, Copy)]
pub(crate) struct InstallOptions<'a> {
    /// Their files are written together, or none is.
    pub clients: &'a [Client],
    /// The home folder of the user for all projects; none for this project only.
    pub home: Option<&'a Path>,
    pub act: Act,
    /// The folder in which Claude Code keeps its own memory from now on, or did until now.
    pub memory: Option<&'a str>,
    pub writes: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    Install { hooks: bool },
    Uninstall,
}

#[derive(Debug, Serialize, schemars::JsonSchema)]
pub(crate) struct Installation {
    /// None where it is about several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<Client>,
    pub scope: ClientScope,
    /// The folder that the files are relative to.
    pub root: String,
    /// In the order in which they are written.
    pub files: Vec<InstalledFile>,
    pub notes: Vec<String>,
}

impl Installation {
    /// Tells whether a file cannot be edited, so that none was.
    pub(crate) fn is_refused(&self) -> bool {
        self.files.iter().any(|file| file.fault.is_some())
    }

    /// Tells whether a file needs a change.
    pub(crate) fn changes(&self) -> bool {
        let stays = [InstallState::Current, InstallState::Kept];
        self.files.iter().any(|file| !stays.contains(&file.state))
    }
}

/// Writes our part into the files of clients, or removes it. None is written before all can be edited; where a write
/// fails, the error names the files that were written.
pub(crate) fn install(session: &Session, options: &InstallOptions<'_>) -> Result<Installation> {
    let scope = if options.home.is_some() { ClientScope::User } else { ClientScope::Project };
    let root = match options.home {
        Some(home) => home.to_path_buf(),
        None => session.here().project_root()?,
    };
    let memory = options.memory.map(memory_target);
    let planning = Planning::at(Elsewhere::open(&root)?, scope, memory);
    let planned = match options.act {
        Act::Install { hooks } => planning.insert(options.clients, hooks)?,
        Act::Uninstall => planning.remove(options.clients)?,
    };
    let mut notes = notes(session, options, scope);
    notes.extend(planned.iter().flat_map(|file| file.notes.iter().cloned()));
    if options.act == Act::Uninstall && options.clients.contains(&Client::Claude) {
        notes.extend(planned.iter().filter_map(FilePlan::memory_that_stays));
    }
    if options.writes && planned.iter().all(|file| file.fault.is_none()) {
        for file in &planned {
            notes.extend(file.tidy()?);
        }
        let changes: Vec<Change> = planned.iter().filter_map(FilePlan::change).collect();
        lay_aside(&changes)?.carry_out()?;
    }
    let report = |file: FilePlan| match options.writes {
        true => file.report(),
        false => InstalledFile { diff: file.diff(), ..file.report() },
    };
    let files = planned.into_iter().map(report).collect();
    Ok(Installation {
        client: match options.clients {
            [only] => Some(*only),
            _ => None,
        },
        scope,
        root: root.display().to_string(),
        files,
        notes,
    })
}

fn notes(session: &Session, options: &InstallOptions<'_>, scope: ClientScope) -> Vec<String> {
    let mut notes = Vec::new();
    let Act::Install { hooks } = options.act else { return notes };
    for client in options.clients {
        if hooks && !client.has_hooks() {
            let title = client.title();
            notes.push(format!("{title} has no hooks that take a text, so none are set"));
        }
        notes.extend(client.advice(scope, hooks).map(str::to_owned));
    }
    notes.extend(options.memory.map(|folder| {
        format!(
            "Claude Code keeps its own memory in {} from now on, one for all projects: set `dialect = \"claude\"` in `config.toml` beside it; `agent-memory user import --from claude` brings over what it noted about a project",
            shown_name(folder)
        )
    }));
    if scope == ClientScope::Project && session.here().layout().is_err() {
        notes.push("there is no store here yet: `agent-memory init` makes one".to_owned());
    }
    notes
}
