//! Whose memory a verb works on, where it lies, and when.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::contract::Moment;
use crate::error::Result;
use crate::personal::request::{EntryReason, EntryRefusal, UserId};
use crate::personal::settings::PersonalSettings;
use crate::personal::store::PersonFolder;

/// Whose memory a verb works on, where it lies, and when.
#[derive(Debug, Clone)]
pub struct PersonalSession {
    /// The folder of all data.
    pub data: PathBuf,
    /// Whose memory; `None` if no user is signed in.
    pub user: Option<UserId>,
    /// Whether sessions may begin with the index, as they may not in CI.
    pub injects: bool,
    /// The time of the command.
    pub now: Moment,
    /// The lock timeout.
    pub lock_wait: Duration,
}

/// An answer, or why the request is refused.
pub(crate) type EntryAnswer<T> = Result<std::result::Result<T, Box<EntryRefusal>>>;

impl PersonalSession {
    pub(super) fn user(&self) -> std::result::Result<&UserId, Box<EntryRefusal>> {
        self.user.as_ref().ok_or_else(|| {
            EntryRefusal::new(
                EntryReason::UserRequired,
                "no user is signed in: `AGENT_MEMORY_USER` is empty, or it is not set and the account has no name",
                "set it to an id, such as `ada`; where it is not set, the account of the operating system counts",
            )
        })
    }

    /// Finds the person's folder, which the first entry makes, and the settings.
    pub(super) fn find(&self, user: &UserId) -> Result<Option<(PersonFolder, PersonalSettings)>> {
        let Some(folder) = PersonFolder::find(&self.data, user)? else { return Ok(None) };
        let settings = folder.settings()?;
        Ok(Some((folder, settings)))
    }

    /// Returns the folder of the person's entries and index, which may be missing.
    pub(crate) fn memory_folder(&self, user: &UserId) -> PathBuf {
        self.path(user).join("memory")
    }

    /// Returns the path of the person's folder, which may be missing.
    pub(crate) fn path(&self, user: &UserId) -> PathBuf {
        self.data.join("users").join(user.key())
    }
}

/// Makes a new session for each call of one person: in a server the time changes.
pub type PersonalSessions = Arc<dyn Fn() -> Result<PersonalSession> + Send + Sync>;
