//! One call of the program: what its command works with.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use super::awaited::say_what_is_awaited;
use super::environment;
use super::output::Output;
use crate::error::Result;
use crate::longterm::verbs::{LongtermHost, LongtermMcp};
use crate::personal::verbs::PersonalSessions;
use crate::project::verbs::{GitTime, Project, Session, Sessions, Stop, Watch};
use crate::secrets::shown_name;
use crate::service::verbs::{McpSettings, ServerSettings};

/// The servers of agents; each serves one client until it disconnects.
#[derive(Clone, Copy)]
pub struct Serve {
    /// Serves the memory of a project; with that of a person, where its tools are wanted.
    pub project: fn(Sessions, Option<PersonalSessions>) -> Result<()>,
    /// Serves the memories of the service.
    pub service: fn(McpSettings) -> Result<()>,
    /// Serves long-term memories.
    pub longterm: fn(LongtermMcp) -> Result<()>,
}

/// Serves the memory service over HTTP, with long-term memories beside it, until the process is asked to end.
pub type ServeHttp = fn(ServerSettings, LongtermHost) -> Result<()>;

/// The exit code of a command, or why it stops early.
pub(super) type Exit = std::result::Result<u8, Stop>;

pub(super) struct Context {
    pub(super) output: Output,
    pub(super) session: Session,
    /// Finds old proposals as the command ends.
    pub(super) watch: OnceCell<Watch>,
    pub(super) root: Option<PathBuf>,
    /// All roots that were named, for a command that takes several.
    pub(super) roots: Vec<PathBuf>,
    pub(super) wait: Option<u64>,
    pub(super) serve: Option<Serve>,
    pub(super) serve_http: Option<ServeHttp>,
    /// The whole program, for its manual pages and completions.
    pub(super) program: fn() -> clap::Command,
}

impl Context {
    /// Returns the file that is named; `None` for stdin, after saying what is awaited there.
    pub(super) fn file_or_stdin(&self, named: Option<&Path>, what: &str) -> Option<PathBuf> {
        let file = named.filter(|file| *file != Path::new("-"));
        if file.is_none() {
            say_what_is_awaited(what, self.output);
        }
        file.map(|file| self.session.folder.join(file))
    }

    /// Returns a session for each root that was named; one for the store that is found where none was.
    pub(super) fn sessions(&self) -> impl Iterator<Item = Session> {
        let named = self.roots.iter().skip(1).cloned().map(Some);
        let more = named.map(|root| Session { root, ..self.session.clone() });
        std::iter::once(self.session.clone()).chain(more)
    }

    /// Opens the store and prints its notices.
    ///
    /// The project is leaked, as the process ends with the command. So call this once.
    pub(super) fn project(&self) -> Result<&'static Project> {
        let project = self.introduce(Project::open(&self.session)?)?;
        Ok(Box::leak(Box::new(project)))
    }

    /// Opens the store of each root that was named.
    pub(super) fn projects(&self) -> Result<Vec<&'static Project>> {
        let open = |session| -> Result<&'static Project> {
            let project = self.introduce(Project::open(&session)?)?;
            Ok(Box::leak(Box::new(project)))
        };
        self.sessions().map(open).collect()
    }

    /// Opens the store for a verb that reads nothing before it has the lock.
    pub(super) fn project_to_write(&self) -> Result<&'static Project> {
        let project = self.introduce(Project::open_to_write(&self.session)?)?;
        Ok(Box::leak(Box::new(project)))
    }

    /// Opens the store as it is now, for a review that stays open for long; git gets its full time limit again.
    pub(super) fn project_at(&self, root: Option<PathBuf>) -> Result<Project> {
        let (now, git_time) = (environment::now()?, GitTime::default());
        let session = Session { now, root, git_time, tells_root: false, ..self.session.clone() };
        self.introduce(Project::open(&session)?)
    }

    fn introduce(&self, project: Project) -> Result<Project> {
        self.watch.get_or_init(|| project.watch());
        self.output.warn_each(&project.take_warnings());
        if self.output.verbose {
            let folder = project.folder().display().to_string();
            let zone = self.session.zone.name(self.session.now);
            let zone = shown_name(&zone);
            self.output.talk(&format!("store {}, days of {zone}", shown_name(&folder)));
        }
        Ok(project)
    }
}
