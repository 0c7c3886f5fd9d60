//! Which clients a project or a home shows signs of, and which are set up.

use std::path::Path;

use serde::Serialize;

use super::install::{Act, InstallOptions, InstallState, Installation, InstalledFile, install};
use super::install_git::install_git;
use super::session::Session;
use crate::clients::{Client, ClientScope, FilePurpose};
use crate::disk::outside;
use crate::error::Result;

/// A program that `install` can set up, or did.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub(crate) struct FoundProgram {
    /// Its name for `install`.
    pub program: &'static str,
    #[serde(skip)]
    pub title: &'static str,
    /// The files and folders by which it was found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub found_by: Vec<&'static str>,
    /// Whether nothing is missing or out of date.
    pub set_up: bool,
    /// The files that the command would change.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<InstalledFile>,
    /// The settings of git that the command would change.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub settings: Vec<String>,
    /// What sets it up, or takes it out.
    pub command: String,
}

/// What is asked for, without a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClientListing {
    /// The programs of which there are signs, with what `install` would write.
    Found,
    /// The programs that are set up, with what `uninstall` would take out.
    Installed,
}

/// Lists programs; nothing is written.
pub(crate) fn list_programs(
    session: &Session,
    home: Option<&Path>,
    listing: ClientListing,
) -> Result<Vec<FoundProgram>> {
    let mut programs = match listing {
        ClientListing::Found => found_clients(session, home)?,
        ClientListing::Installed => installed_clients(session, home)?,
    };
    programs.extend(git(session, home, listing));
    Ok(programs)
}

/// Returns the clients of which there are signs.
pub(crate) fn found_clients(session: &Session, home: Option<&Path>) -> Result<Vec<FoundProgram>> {
    let (scope, root) = match home {
        Some(home) => (ClientScope::User, home.to_path_buf()),
        None => (ClientScope::Project, session.here().project_root()?),
    };
    let is_there = |name: &str| {
        let path = root.join(name);
        outside::is_folder(&path) == name.ends_with('/') && outside::exists(&path)
    };
    let found = Client::found(scope, is_there).into_iter().map(|(client, found_by)| {
        let planned = plan(session, home, client, Act::Install { hooks: false })?;
        Ok(FoundProgram {
            set_up: !planned.changes(),
            found_by,
            ..of_client(client, scope, ClientListing::Found, planned)
        })
    });
    found.collect()
}

/// A client is set up where a file holds our part that no other client reads.
fn installed_clients(session: &Session, home: Option<&Path>) -> Result<Vec<FoundProgram>> {
    let scope = if home.is_some() { ClientScope::User } else { ClientScope::Project };
    let mut found = Vec::new();
    for client in Client::ALL.iter().copied() {
        let planned = plan(session, home, client, Act::Uninstall)?;
        let is_own = |file: &InstalledFile| {
            let is_shared = [FilePurpose::Instructions, FilePurpose::Skill];
            file.purposes.iter().any(|purpose| !is_shared.contains(purpose))
        };
        let is_set_up = match client {
            Client::Agents => found.is_empty() && planned.files.iter().any(goes),
            _ => planned.files.iter().any(|file| goes(file) && is_own(file)),
        };
        if is_set_up {
            let listed = of_client(client, scope, ClientListing::Installed, planned);
            found.push(FoundProgram { set_up: true, ..listed });
        }
    }
    Ok(found)
}

fn plan(session: &Session, home: Option<&Path>, client: Client, act: Act) -> Result<Installation> {
    let clients = &[client];
    install(session, &InstallOptions { clients, home, act, memory: None, writes: false })
}

fn goes(file: &InstalledFile) -> bool {
    matches!(file.state, InstallState::Removed | InstallState::Changed)
}

fn of_client(
    client: Client,
    scope: ClientScope,
    listing: ClientListing,
    planned: Installation,
) -> FoundProgram {
    let mut files = planned.files;
    files.retain(|file| file.state != InstallState::Current);
    files.iter_mut().for_each(|file| file.diff.clear());
    FoundProgram {
        program: client.name(),
        title: client.title(),
        found_by: Vec::new(),
        set_up: false,
        files,
        settings: Vec::new(),
        command: command(client.name(), scope, listing),
    }
}

/// Git is of use where there is a store; where its settings cannot be read there is nothing to offer.
fn git(session: &Session, home: Option<&Path>, listing: ClientListing) -> Option<FoundProgram> {
    let scope = if home.is_some() { ClientScope::User } else { ClientScope::Project };
    let act = match listing {
        ClientListing::Found => Act::Install { hooks: false },
        ClientListing::Installed => Act::Uninstall,
    };
    let settings = install_git(session, scope, act, false).ok()?.changed;
    let set_up = match listing {
        ClientListing::Found => settings.is_empty(),
        ClientListing::Installed => !settings.is_empty(),
    };
    let is_listed = listing == ClientListing::Found || set_up;
    is_listed.then(|| FoundProgram {
        program: "git",
        title: "Git",
        found_by: Vec::new(),
        set_up,
        files: Vec::new(),
        settings,
        command: command("git", scope, listing),
    })
}

fn command(program: &str, scope: ClientScope, listing: ClientListing) -> String {
    let verb = match listing {
        ClientListing::Found => "install",
        ClientListing::Installed => "uninstall",
    };
    let user = if scope == ClientScope::User { " --user" } else { "" };
    format!("agent-memory {verb} {program}{user}")
}
