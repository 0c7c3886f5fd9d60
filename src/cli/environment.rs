//! Reads the clock, the environment variables and the terminal size for the commands.
#![allow(clippy::disallowed_methods, reason = "only this file reads the environment")]

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::review::terminal;
use super::time_zone::NamedZone;
use crate::config::UserConfig;
use crate::contract::{Moment, Timestamp, UTC, Zone};
use crate::error::{Error, ErrorKind, Result};
use crate::longterm::verbs::LongtermSettings;
use crate::personal::verbs::ClaudeSettings;
use crate::project::verbs::{GitTime, Kept, Session, Warnings};
use crate::service::verbs::{RecallBudget, ServiceSettings};

/// Variables that agents set for the commands they run; `docs/clients.md` lists the observed ones.
pub(super) const AGENTS: [(&str, &str); 22] = [
    ("AGENT", "an agent"),
    ("AGENT_MEMORY_AGENT", "an agent"),
    ("AI_AGENT", "an agent"),
    ("ANTIGRAVITY_AGENT", "Antigravity"),
    ("AUGMENT_AGENT", "Augment"),
    ("CLAUDECODE", "Claude Code"),
    ("CLAUDE_CODE", "Claude Code"),
    ("CLINE_ACTIVE", "Cline"),
    ("CODEX_CI", "Codex"),
    ("CODEX_SANDBOX", "Codex"),
    ("CODEX_SANDBOX_NETWORK_DISABLED", "Codex"),
    // Outside of its sandbox Codex sets no `CODEX_SANDBOX…` variable.
    ("CODEX_THREAD_ID", "Codex"),
    ("COPILOT_AGENT", "Copilot"),
    ("COPILOT_CLI", "Copilot"),
    ("CURSOR_AGENT", "Cursor"),
    ("GEMINI_CLI", "Gemini CLI"),
    ("GOOSE_TERMINAL", "Goose"),
    ("KILO_PID", "Kilo Code"),
    ("OPENCODE", "OpenCode"),
    ("OPENCODE_CLIENT", "OpenCode"),
    ("QWEN_CODE", "Qwen Code"),
    ("TRAE_AI_SHELL_ID", "Trae"),
];

pub(super) fn session(root: Option<PathBuf>, wait: Option<u64>) -> Result<Session> {
    let folder = std::env::current_dir().map_err(|error| {
        Error::new(ErrorKind::Io, "there is no working directory").because(error)
    })?;
    let now = now()?;
    let by_variable = path("AGENT_MEMORY_ROOT").filter(|_| root.is_none());
    let tells_root = by_variable.is_some();
    let root = root.or(by_variable);
    let client_project = path("CLAUDE_PROJECT_DIR").filter(|path| path.is_absolute());
    let lock_wait = wait.map_or(crate::project::verbs::LOCK_WAIT, Duration::from_secs);
    let git_time = GitTime::default();
    Ok(Session {
        folder,
        root,
        client_project,
        tells_root,
        now,
        zone: zone(),
        lock_wait,
        git_time,
        kept: Kept::default(),
        warnings: Warnings::default(),
    })
}

/// The settings of a client name the root, not the agent that calls.
pub(super) fn session_of_client(root: Option<PathBuf>, wait: Option<u64>) -> Result<Session> {
    Ok(Session { tells_root: true, ..session(root, wait)? })
}

/// `AGENT_MEMORY_NOW` (RFC 3339) sets the clock, for tests and for replays.
pub(super) fn now() -> Result<Moment> {
    let Some(given) = text("AGENT_MEMORY_NOW") else {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        return Ok(Moment::from_unix(i64::try_from(since.as_secs()).unwrap_or(i64::MAX)));
    };
    Moment::parse(&given).ok_or_else(|| {
        Error::new(ErrorKind::Usage, format!("`AGENT_MEMORY_NOW` is `{given}`"))
            .hint("give a time such as 2026-11-20T10:00:00Z")
    })
}

/// Returns the zone of the person: of `TZ`, else of the machine. A clock that is set is in UTC, unless `TZ` says otherwise.
fn zone() -> Zone {
    let name = std::env::var_os("TZ");
    if name.is_none() && text("AGENT_MEMORY_NOW").is_some() {
        return UTC.clone();
    }
    NamedZone { name, folder: path("TZDIR") }.find()
}

/// Returns the time with its microseconds, as the service keeps it.
pub(super) fn timestamp() -> Result<Timestamp> {
    if text("AGENT_MEMORY_NOW").is_some() {
        return now().map(Timestamp::from);
    }
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(Timestamp::from_microseconds(i64::try_from(since.as_micros()).unwrap_or(i64::MAX)))
}

/// Returns a setting of the service.
pub(super) fn setting(name: &str) -> Option<String> {
    text(name)
}

/// Returns how much is logged, as the person asks for it.
pub(super) fn log_level() -> Option<String> {
    std::env::var_os("AGENT_MEMORY_LOG")
        .filter(|level| !level.is_empty())
        .map(|level| level.to_string_lossy().into_owned())
}

/// Returns the file for what is logged; none for stderr.
pub(super) fn log_file() -> Option<PathBuf> {
    path("AGENT_MEMORY_LOG_FILE")
}

/// Returns a setting of the service that is a list with commas.
pub(super) fn list(name: &str) -> Vec<String> {
    let text = text(name).unwrap_or_default();
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(str::to_owned).collect()
}

/// Returns how much the tools of the service recall.
pub(super) fn recall_budget() -> RecallBudget {
    RecallBudget::of_tokens(text("AUTOMEM_RECALL_TOKEN_BUDGET").as_deref())
}

/// Reads the person's own settings.
pub(super) fn own_settings() -> Result<UserConfig> {
    user_config().map_or_else(|| Ok(UserConfig::default()), |file| UserConfig::read(&file))
}

/// Returns how the service is set: by variables, and by the person's own file.
pub(super) fn service_settings() -> Result<ServiceSettings> {
    let own = own_settings()?;
    Ok(ServiceSettings { redacts: own.redacts_secrets, ..ServiceSettings::named(text) })
}

/// Returns how long-term memories are set, by the person's own file.
pub(super) fn longterm_settings() -> Result<LongtermSettings> {
    let own = own_settings()?;
    let default = LongtermSettings::default();
    Ok(LongtermSettings {
        owners_write: own.owners_write,
        trash_days: own.trash_days.unwrap_or(default.trash_days),
        notify: own.notify,
    })
}

/// Returns the pager; `cat` or an empty text means none.
pub(super) fn pager() -> String {
    let named = ["AGENT_MEMORY_PAGER", "GIT_PAGER", "PAGER"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok());
    named.unwrap_or_else(|| "less -FRX".to_owned())
}

/// Keeps `less` from writing files and running programs, and lets it show colours unless `LESS` is set.
pub(super) fn pager_variables() -> impl Iterator<Item = (&'static str, &'static str)> {
    let plain = ("LESS", "FRX");
    let is_set = std::env::var_os(plain.0).is_some();
    std::iter::once(("LESSSECURE", "1")).chain(Some(plain).filter(|_| !is_set))
}

pub(super) fn editor() -> String {
    let named = ["GIT_EDITOR", "VISUAL", "EDITOR"].into_iter().find_map(text);
    named.unwrap_or_else(|| "vi".to_owned())
}

/// Returns the agent that this process runs under, with its variable.
pub(super) fn agent() -> Option<(&'static str, &'static str)> {
    AGENTS.into_iter().find(|(variable, _)| {
        std::env::var_os(variable).is_some_and(|value| !value.is_empty() && value != "0")
    })
}

/// Returns the path of the user's own settings file; the store decides whether to use it.
///
/// A relative `XDG_CONFIG_HOME` is ignored, as its specification says, and so is a relative `HOME`: they would lead
/// into the current repository.
pub(super) fn user_config() -> Option<PathBuf> {
    let named = path("XDG_CONFIG_HOME").filter(|path| path.is_absolute());
    let home = || home().ok().map(|home| home.join(".config"));
    Some(named.or_else(home)?.join("agent-memory").join("config.toml"))
}

/// Returns the folder of all data that is no project's: the one that the command line named, else the usual one.
pub(super) fn data(named: Option<PathBuf>) -> Result<PathBuf> {
    if let Some(named) = named.or_else(|| path("AGENT_MEMORY_DATA")) {
        return std::path::absolute(&named).map_err(|error| Error::io("resolve", &named, error));
    }
    let shared = path("XDG_DATA_HOME").filter(|path| path.is_absolute());
    let shared = shared.map_or_else(|| Ok(home()?.join(".local").join("share")), Ok::<_, Error>)?;
    Ok(shared.join("agent-memory"))
}

/// Returns the id that the environment names; an empty one means that no person is signed in.
pub(super) fn user_id() -> Option<String> {
    // An id that is not UTF-8 is an id as well: its own bytes must not fall together with another's.
    std::env::var_os("AGENT_MEMORY_USER").map(|id| match id.into_string() {
        Ok(id) => id,
        Err(id) => format!("{id:?}"),
    })
}

/// Tells whether the environment names another folder of Claude Code than `~/.claude`.
pub(super) fn names_claude_folder() -> bool {
    path("CLAUDE_CONFIG_DIR").is_some()
}

/// Tells whether a CI job runs this process: no person reads there.
pub(super) fn is_ci() -> bool {
    text("CI").is_some_and(|value| value != "false" && value != "0")
}

/// Returns the name of the account that runs this process.
pub(super) fn account() -> Option<String> {
    // An account without an entry in the list of accounts, as in a container, may still have a name.
    let named = || ["LOGNAME", "USER", "USERNAME"].into_iter().find_map(text);
    whoami::username().ok().filter(|name| !name.is_empty()).or_else(named)
}

/// Returns where Claude Code reads about its own memory.
pub(super) fn claude_settings(project: &Path) -> Result<ClaudeSettings> {
    let of_project = project.join(".claude");
    Ok(ClaudeSettings {
        is_off: text("CLAUDE_CODE_DISABLE_AUTO_MEMORY").is_some_and(|value| value != "0"),
        local: of_project.join("settings.local.json"),
        shared: of_project.join("settings.json"),
        own: claude_folder()?.join("settings.json"),
        home: home()?,
    })
}

pub(super) fn home() -> Result<PathBuf> {
    let home = path("HOME").filter(|path| path.is_absolute());
    home.ok_or_else(|| {
        Error::new(ErrorKind::Usage, "`HOME` names no folder")
            .hint("set it, or install for this project, without `--user`")
    })
}

/// Returns the folder of Claude Code's settings.
pub(super) fn claude_folder() -> Result<PathBuf> {
    path("CLAUDE_CONFIG_DIR").map_or_else(|| Ok(home()?.join(".claude")), Ok)
}

/// Returns the file in which Gemini CLI keeps what it was asked to remember.
pub(super) fn gemini_file() -> Result<PathBuf> {
    Ok(home()?.join(".gemini").join("GEMINI.md"))
}

/// Returns the width of lines: `COLUMNS`, else that of the terminal.
pub(super) fn columns() -> usize {
    width(|| std::io::stdout().is_terminal().then(|| terminal::size().0))
}

/// Returns the width of lines on stderr; none if a program reads them.
pub(super) fn columns_of_talk() -> Option<usize> {
    std::io::stderr().is_terminal().then(|| width(|| Some(terminal::size().0)))
}

fn width(of_terminal: impl Fn() -> Option<usize>) -> usize {
    let named = text("COLUMNS").and_then(|columns| columns.parse().ok());
    named.or_else(of_terminal).unwrap_or(80).clamp(40, 160)
}

/// A path need not be UTF-8: if such a path were ignored, another store would be written.
fn path(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from)
}

fn text(variable: &str) -> Option<String> {
    std::env::var(variable).ok().filter(|value| !value.is_empty())
}
