//! The person's own settings, and how a file of settings is read.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::contract::{Fields, LISTED_PROBLEMS, Problem, Problems};
use crate::disk::outside;
use crate::error::{Error, ErrorKind, Result};
use crate::git::{filled_around, repositories_around};
use crate::text::find_conflict_marker;

/// A user's own settings, outside of any repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserConfig {
    /// Whether a process that runs under an agent may approve.
    pub allow_agents: bool,
    /// Whether `--approver NAME` is believed where there is no terminal.
    pub without_terminal: bool,
    /// Whose personal memory it is, instead of that of the account.
    pub id: Option<String>,
    /// Whether the MCP server offers the tools of personal memory.
    pub tools: bool,
    /// Whether the memory service replaces secrets by their kind, and does not refuse them.
    pub redacts_secrets: bool,
    /// Whether a model writes long-term memories only of the person that it talks with.
    pub owners_write: bool,
    /// Days until a deleted long-term memory is erased.
    pub trash_days: Option<u32>,
    /// The program that is told of each change of long-term memories by a tool, with its arguments; none where it is empty.
    pub notify: Vec<String>,
    /// The addresses from which git may fetch other stores: the person was asked about each.
    pub read_addresses: BTreeSet<String>,
}

impl UserConfig {
    /// Reads the person's own file; the defaults where there is none.
    pub(crate) fn read(file: &Path) -> Result<Self> {
        outside::read_text(file)?
            .map_or_else(|| Ok(Self::default()), |text| Self::parse(&text, file))
    }

    /// Reads the text of the user's own `config.toml`; `path` names it in errors.
    pub fn parse(text: &str, path: &Path) -> Result<Self> {
        let value = read_toml(text, path)?;
        let problems = Problems::default();
        let mut config = Self::default();
        if let Some(mut fields) = Fields::of(&value, "", &problems) {
            if let Some(mut approval) = fields.object("approval") {
                config.allow_agents = approval.flag("allow_agents").unwrap_or(false);
                config.without_terminal = approval.flag("without_terminal").unwrap_or(false);
                approval.finish();
            }
            if let Some(mut user) = fields.object("user") {
                config.id = user.text("id").map(str::to_owned);
                config.tools = user.flag("tools").unwrap_or(false);
                user.finish();
            }
            if let Some(mut service) = fields.object("service") {
                let word =
                    |word: &str| ["refuse", "redact"].into_iter().find(|known| *known == word);
                let secrets = service.word("secrets", word, &["refuse", "redact"]);
                config.redacts_secrets = secrets == Some("redact");
                service.finish();
            }
            if let Some(ltm) = fields.object("ltm") {
                config.read_ltm(ltm);
            }
            if let Some(mut read) = fields.object("read") {
                config.read_addresses = read_addresses(&mut read);
                read.finish();
            }
            fields.finish();
        }
        settled(config, &problems, path)
    }

    fn read_ltm(&mut self, mut ltm: Fields<'_>) {
        let word = |word: &str| ["model", "owner"].into_iter().find(|known| *known == word);
        let writes = ltm.word("personal_writes", word, &["model", "owner"]);
        self.owners_write = writes == Some("owner");
        let days = ltm.number("trash_days", 0..=36_500);
        self.trash_days = days.and_then(|days| u32::try_from(days).ok());
        if let Some(mut notify) = ltm.object("notify") {
            let command = notify.texts("command").unwrap_or_default();
            self.notify = command.into_iter().map(str::to_owned).collect();
            notify.finish();
        }
        ltm.finish();
    }
}

/// Reads `[[read.allowed]]`.
fn read_addresses(read: &mut Fields<'_>) -> BTreeSet<String> {
    let mut addresses = BTreeSet::new();
    for mut entry in read.tables("allowed") {
        addresses.extend(entry.required_text("address").map(str::to_owned));
        entry.finish();
    }
    addresses
}

/// Adds an address to the text of the person's own settings, whose every byte stays.
fn with_address(text: &str, address: &str) -> String {
    let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{text}{gap}\n[[read.allowed]]\naddress = {}\n", toml::Value::from(address))
}

/// Remembers in the person's own file that git may fetch from an address.
pub(crate) fn allow_address(file: &Path, address: &str) -> Result<()> {
    let text = outside::read_text(file)?.unwrap_or_default();
    let after = with_address(&text, address);
    UserConfig::parse(&after, file)?;
    outside::write(file, after.as_bytes())
}

/// The user's own settings, as far as they count.
#[derive(Debug)]
pub(crate) enum OwnSettings {
    /// The settings, or the defaults.
    Count(UserConfig),
    /// They are in this folder, which a repository can fill, and do not count: an agent may have written them.
    Inside(PathBuf),
}

impl OwnSettings {
    /// Reads the file that the environment names; `standing` are the folders in which the command works.
    ///
    /// Its folder is checked by reading files, not by asking git: a variable such as `GIT_DIR` would name another
    /// repository.
    pub(crate) fn read(file: &Path, standing: &[&Path]) -> Result<Self> {
        let Some(text) = outside::read_text(file)? else {
            return Ok(Self::Count(UserConfig::default()));
        };
        let mut folders = Vec::new();
        for folder in standing {
            folders.extend(filled_around(folder)?);
        }
        // The repository decides where its links lead.
        let way = outside::way_to(file);
        let is_around = |folder: &&PathBuf| way.iter().any(|place| outside::lies_in(place, folder));
        let around = folders.iter().find(is_around).cloned();
        match around.or_else(|| tree_of_same_repository(&way, standing)) {
            Some(folder) => Ok(Self::Inside(folder)),
            None => UserConfig::parse(&text, file).map(Self::Count),
        }
    }
}

/// Finds a work tree around one of the paths that belongs to a repository around one of the folders.
fn tree_of_same_repository(places: &[PathBuf], standing: &[&Path]) -> Option<PathBuf> {
    let around: Vec<_> = standing.iter().flat_map(|folder| repositories_around(folder)).collect();
    let is_same = |common: &PathBuf| around.iter().any(|(_, own)| own == common);
    let mut found = places.iter().flat_map(|place| repositories_around(place));
    found.find(|(_, common)| is_same(common)).map(|(tree, _)| tree)
}

/// Reads TOML into the same values as JSON, so that one reader names every slip.
pub(crate) fn read_toml(text: &str, path: &Path) -> Result<Value> {
    toml::from_str(text).map_err(|problem| {
        if let Some(line) = find_conflict_marker(text) {
            let message = format!("a git conflict is not resolved on line {line}, in");
            return Error::new(ErrorKind::ConfigInvalid, message)
                .at(path)
                .hint("keep the side that holds, without the lines of the markers");
        }
        let place = problem.span().map_or(String::new(), |span| {
            let line = text[..span.start.min(text.len())].matches('\n').count() + 1;
            format!(" on line {line}")
        });
        let message = format!("not valid TOML{place}: {}, in", problem.message());
        Error::new(ErrorKind::ConfigInvalid, message)
            .at(path)
            .hint("correct the file and try again")
    })
}

/// Returns what was read, or one error that names every problem.
pub(crate) fn settled<T>(read: T, problems: &Problems, path: &Path) -> Result<T> {
    let all = problems.take();
    let more = match all.len().saturating_sub(LISTED_PROBLEMS) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    let list: Vec<String> = all
        .into_iter()
        .take(LISTED_PROBLEMS)
        .map(|Problem { pointer, message }| {
            format!("{}: {message}", pointer.trim_start_matches('/').replace('/', "."))
        })
        .collect();
    if list.is_empty() {
        return Ok(read);
    }
    Err(Error::new(ErrorKind::ConfigInvalid, format!("{}{more}, in", list.join("; ")))
        .at(path)
        .hint("correct the file; `agent-memory doctor` checks all of them"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_user_says_is_allowed_when_approving() {
        let read = |text| {
            let config = UserConfig::parse(text, Path::new("config.toml")).expect("a good file");
            (config.allow_agents, config.without_terminal)
        };
        assert_eq!(read(""), (false, false));
        assert_eq!(read("[approval]\nallow_agents = true\n"), (true, false));
        assert_eq!(read("[approval]\nwithout_terminal = true\n"), (false, true));
    }

    #[test]
    fn an_address_is_remembered_behind_what_is_there() {
        let path = Path::new("config.toml");
        for text in ["", "[approval]\nallow_agents = true", "[user]\nid = \"ada\"\n"] {
            let once = with_address(text, "https://host/a");
            let twice = with_address(&once, "git@host:b");
            assert!(twice.starts_with(text));
            let read = UserConfig::parse(&twice, path).expect("a good file").read_addresses;
            assert_eq!(read.into_iter().collect::<Vec<_>>(), ["git@host:b", "https://host/a"]);
        }
    }

    #[test]
    fn what_the_service_does_with_a_secret_is_a_setting() {
        let read = |text| UserConfig::parse(text, Path::new("config.toml"));
        let redacts = |text| read(text).expect("a good file").redacts_secrets;
        assert!(!redacts("") && !redacts("[service]\nsecrets = \"refuse\"\n"));
        assert!(redacts("[service]\nsecrets = \"redact\"\n"));
        read("[service]\nsecrets = \"store\"\n").expect_err("another word");
    }

    #[test]
    fn whose_memory_it_is_and_whether_agents_get_its_tools_are_settings() {
        let read = |text| UserConfig::parse(text, Path::new("config.toml")).expect("a good file");
        assert_eq!((read("").id, read("").tools), (None, false));
        let config = read("[user]\nid = \"ada\"\ntools = true\n");
        assert_eq!((config.id.as_deref(), config.tools), (Some("ada"), true));
    }
}
