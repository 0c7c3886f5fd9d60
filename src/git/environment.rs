//! The options and environment variables that git gets, and those that are removed.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::folder::GitFolder;
use super::output::subcommand;
use crate::disk::outside;

/// Options of calls that do not act for a person: no program of the repository runs.
const OPTIONS: [&str; 8] = [
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "log.showSignature=false",
    "-c",
    "safe.bareRepository=explicit",
];

/// Variables of calls that do not act for a person: nothing is fetched or asked, no path is a pattern, no commit is
/// replaced by another.
const VARIABLES: [(&str, &str); 6] = [
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_ALLOW_PROTOCOL", ""),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_LITERAL_PATHSPECS", "1"),
];

/// How git may fetch, and nothing else: `ext` would run a program.
const PROTOCOLS: &str = "file:https:ssh";

/// Variables that git may see; others would say where a repository is or how it is read.
const KEPT: [&str; 4] = ["GIT_EXEC_PATH", "GIT_CEILING_DIRECTORIES", "GIT_EDITOR", "GIT_PAGER"];

/// The prefix of variables with a person's settings.
const SETTINGS: &str = "GIT_CONFIG_";

/// The prefixes of variables that name the author of a commit.
const IDENTITY: [&str; 2] = ["GIT_AUTHOR_", "GIT_COMMITTER_"];

/// Commands that need the name of the person.
const IN_A_NAME: [&str; 2] = ["var", "commit"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallPurpose {
    /// For us: it only answers.
    Answer,
    /// For us: it also fetches from an address that a person agreed to.
    Fetch,
    /// For the person: their settings, hooks and programs apply.
    Act,
}

pub(super) fn command<S: AsRef<OsStr>>(
    top: &Path,
    folder: Option<&GitFolder>,
    arguments: &[S],
    purpose: CallPurpose,
) -> Command {
    let name = subcommand(arguments);
    let name = name.as_str();
    let mut command = Command::new("git");
    command.current_dir(top);
    clear(&mut command, IN_A_NAME.contains(&name));
    stay_here(&mut command, top);
    if let Some(index) = index_of_environment(top, folder) {
        command.env("GIT_INDEX_FILE", index);
    }
    if purpose != CallPurpose::Act {
        command.envs(VARIABLES);
        if purpose == CallPurpose::Fetch {
            command.env("GIT_ALLOW_PROTOCOL", PROTOCOLS);
        }
        // The person's settings are the answer.
        if name != "var" {
            command.args(OPTIONS);
        }
        if name == "check-ignore" {
            // It takes no patterns, and fails with this variable.
            command.env_remove("GIT_LITERAL_PATHSPECS");
        }
    }
    command.args(arguments);
    command
}

/// Removes the variables that name repositories.
fn clear(command: &mut Command, is_in_a_name: bool) {
    for (name, _) in std::env::vars_os() {
        let Some(text) = name.to_str().filter(|text| text.starts_with("GIT_")) else { continue };
        let is_kept = KEPT.contains(&text)
            || text.starts_with(SETTINGS)
            || (is_in_a_name && IDENTITY.iter().any(|each| text.starts_with(each)));
        if !is_kept {
            command.env_remove(&name);
        }
    }
}

/// Keeps git from a repository further up, where it does not accept the `.git` here.
fn stay_here(command: &mut Command, top: &Path) {
    let Some(above) = top.parent() else { return };
    let others = std::env::vars_os().find(|(name, _)| name == "GIT_CEILING_DIRECTORIES");
    let others = others.map(|(_, others)| others).unwrap_or_default();
    let all = std::env::split_paths(&others).chain([above.to_path_buf()]);
    if let Ok(all) = std::env::join_paths(all) {
        command.env("GIT_CEILING_DIRECTORIES", all);
    }
}

/// Returns the index that a git hook works on, if it is in the folder of this repository.
fn index_of_environment(top: &Path, own: Option<&GitFolder>) -> Option<PathBuf> {
    let named = std::env::vars_os().find(|(name, _)| name == "GIT_INDEX_FILE")?.1;
    let index = top.join(named);
    let folder = outside::real_path(index.parent()?)?;
    let own = outside::real_path(&own?.own)?;
    folder.starts_with(own).then(|| folder.join(index.file_name().unwrap_or_default()))
}
