//! Says why a question could not be answered, with the path and what to do next.
//!
//! A refusal is not an error: it is an answer, and each system has its own.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::contract::{ErrorBody, Failure};

/// The result of everything that may fail to answer.
pub type Result<T> = std::result::Result<T, Error>;

/// What kept us from answering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The command line or its input cannot be understood.
    Usage,
    /// There is no store here or above.
    StoreNotFound,
    /// `config.toml` or a category schema is wrong.
    ConfigInvalid,
    /// Another process kept the write lock for the whole wait.
    LockHeld,
    /// The operating system refused a file operation.
    Io,
    /// A newer version of this program made the store, and this one must not write to it.
    StoreNewer,
    /// A file of ours holds what we never wrote.
    StoreDamaged,
    /// The search index does not answer.
    IndexFailed,
    /// A database does not answer, or has no room.
    DatabaseFailed,
    /// The server that was named does not answer, or answers wrongly.
    ServerFailed,
    /// Git is not in a state for a commit, did not make it, or ignores what it should keep.
    Git,
    /// Something happened that never should.
    Bug,
}

impl ErrorKind {
    /// Returns the stable code of the kind, as printed under `--json`.
    pub fn code(self) -> &'static str {
        match self {
            Self::Usage => "usage",
            Self::StoreNotFound => "store_not_found",
            Self::ConfigInvalid => "config_invalid",
            Self::LockHeld => "lock_held",
            Self::Io => "io",
            Self::StoreNewer => "store_newer",
            Self::StoreDamaged => "store_damaged",
            Self::IndexFailed => "index_failed",
            Self::DatabaseFailed => "database_failed",
            Self::ServerFailed => "server_failed",
            Self::Git => "git",
            Self::Bug => "bug",
        }
    }
}

/// The exit code of every command that could not answer.
pub const EXIT_COULD_NOT: u8 = 2;

/// An error with all that a person needs to go on.
#[derive(Debug, thiserror::Error)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    path: Option<PathBuf>,
    hint: Option<String>,
    #[source]
    cause: Option<Box<dyn std::error::Error + Send + Sync>>,
    warnings: Vec<String>,
}

/// The hint for an entry of the wrong type.
const IN_THE_WAY: &str = "move what stands there away, then try again";

/// An entry of the wrong type: a pipe, a link, a folder where a file is expected.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Strange(pub(crate) String);

impl Error {
    /// Makes an error of a kind; the message is lower case, without a final stop.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        let (path, hint, cause) = (None, None, None);
        Self { kind, message: message.into(), path, hint, cause, warnings: Vec::new() }
    }

    /// Makes an I/O error that names what was tried and the path.
    pub fn io(action: &str, path: &Path, cause: io::Error) -> Self {
        let hint = match cause.kind() {
            io::ErrorKind::ReadOnlyFilesystem => Some("the file system is mounted read-only"),
            io::ErrorKind::PermissionDenied => Some("see who may write there: `ls -ld`"),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                Some("there is no room left: look at `df` and `df -i`, and free some")
            }
            io::ErrorKind::FileTooLarge => {
                Some("files may not grow that large here: look at `ulimit -f`, and raise it")
            }
            io::ErrorKind::InvalidFilename => Some("the file system takes no name that long"),
            io::ErrorKind::CrossesDevices => Some("keep all of `.agent-memory` on one file system"),
            io::ErrorKind::IsADirectory | io::ErrorKind::NotADirectory => Some(IN_THE_WAY),
            _ if cause.get_ref().is_some_and(|inner| inner.is::<Strange>()) => Some(IN_THE_WAY),
            _ => None,
        };
        let error = Self::new(ErrorKind::Io, format!("could not {action}")).at(path);
        Self { hint: hint.map(str::to_owned), ..error.because(cause) }
    }

    /// Names the file that the error is about.
    #[must_use]
    pub fn at(mut self, path: &Path) -> Self {
        self.path = Some(path.to_path_buf());
        self
    }

    /// Says what to do next.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    #[must_use]
    pub(crate) fn because(mut self, cause: impl std::error::Error + Send + Sync + 'static) -> Self {
        self.cause = Some(Box::new(cause));
        self
    }

    #[must_use]
    pub(crate) fn warn(mut self, warnings: impl IntoIterator<Item = String>) -> Self {
        self.warnings.extend(warnings);
        self
    }

    pub(crate) fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Tells whether this user lacks the permission.
    pub fn is_forbidden(&self) -> bool {
        let cause = self.cause.as_ref().and_then(|cause| cause.downcast_ref::<io::Error>());
        let kind = cause.map(io::Error::kind);
        matches!(kind, Some(io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem))
    }

    /// Returns the file that the error is about.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Returns what to do next.
    pub fn next_step(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// Returns the message with what to do next, in one line.
    pub(crate) fn with_next_step(&self) -> String {
        match self.next_step() {
            Some(next) => format!("{self}; {next}"),
            None => self.to_string(),
        }
    }

    /// Returns what has to be said besides.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Returns the error as a JSON document; `clean` removes what must not be repeated.
    pub fn document(&self, clean: impl Fn(&str) -> String) -> Failure {
        let error = ErrorBody {
            code: self.kind.code(),
            message: clean(&self.to_string()),
            hint: self.hint.as_deref().map(&clean),
            path: self.path.as_deref().map(|path| clean(&path.display().to_string())),
            ..ErrorBody::default()
        };
        Failure { error, warnings: self.warnings.iter().map(|said| clean(said)).collect() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)?;
        if let Some(path) = &self.path {
            write!(out, " `{}`", path.display())?;
        }
        if let Some(cause) = &self.cause {
            write!(out, ": {cause}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_io_error_names_its_path_and_cause() {
        let error = Error::io("read", Path::new("a/b.md"), std::io::Error::other("no luck"));
        assert_eq!(error.to_string(), "could not read `a/b.md`: no luck");
        assert_eq!(error.kind().code(), "io");
        assert_eq!(error.next_step(), None);
    }

    #[test]
    fn what_stands_in_the_way_is_moved_whatever_store_it_is_in() {
        let error = Error::io("read", Path::new("x"), io::ErrorKind::IsADirectory.into());
        assert_eq!(error.next_step(), Some("move what stands there away, then try again"));
    }

    #[test]
    fn a_full_disk_is_told_from_a_read_only_one() {
        let hint = |kind: io::ErrorKind| {
            let error = Error::io("write", Path::new("x"), kind.into());
            error.next_step().map(str::to_owned).unwrap_or_default()
        };
        assert!(hint(io::ErrorKind::StorageFull).contains("df -i"));
        assert!(hint(io::ErrorKind::ReadOnlyFilesystem).contains("read-only"));
    }
}
