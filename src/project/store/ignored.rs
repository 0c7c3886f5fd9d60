//! Asks git which files it ignores, and by which rule.

use std::fmt;
use std::path::Path;

use super::layout::Layout;
use crate::error::{Error, Result};
use crate::git::{Git, GitTime, RepositoryKind};

/// A file of a store that git ignores, by a `.gitignore`, `info/exclude`, or the person's global file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ignored {
    pub(crate) path: String,
    pub(crate) rule: IgnoreRule,
}

/// A line by which git ignores files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IgnoreRule {
    source: String,
    line: String,
    pattern: String,
}

impl fmt::Display for IgnoreRule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { source, line, pattern } = self;
        write!(out, "`{source}` line {line} says `{pattern}`")
    }
}

/// Returns those of some files, relative to a store, that git ignores. Tracked files never are; the files may be
/// missing.
pub(crate) fn ignored(layout: &Layout, paths: &[String]) -> Result<Vec<Ignored>> {
    ask(layout.git(), paths)
}

/// Does the same for a store that does not exist yet.
pub(crate) fn ignored_in_new(
    store: &Path,
    time: &GitTime,
    paths: &[String],
) -> Result<Vec<Ignored>> {
    ask(&Git::above(store, time)?, paths)
}

fn ask(git: &Git, paths: &[String]) -> Result<Vec<Ignored>> {
    if !git.is_there() || paths.is_empty() {
        return Ok(Vec::new());
    }
    // A pipe would block git.
    if let Some(found) = git.special_above(paths.iter().map(String::as_str), ".gitignore") {
        let cause = std::io::Error::other("it is neither a file nor a folder");
        return Err(Error::io("let git read", &found, cause));
    }
    let prefix = git.prefix();
    let asked: String = paths.iter().map(|path| format!("{prefix}{path}\0")).collect();
    let ask = ["check-ignore", "--verbose", "-z", "--stdin"];
    let said = match git.consult_with(&ask, asked.as_bytes()) {
        // A bare repository ignores nothing.
        Err(_) if matches!(git.find(), Ok(RepositoryKind::Bare)) => return Ok(Vec::new()),
        said => said?.unwrap_or_default(),
    };
    Ok(read(&String::from_utf8_lossy(&said), prefix))
}

/// Parses source, line, pattern and path of each file. A rule with `!` includes a file again.
fn read(said: &str, prefix: &str) -> Vec<Ignored> {
    let fields: Vec<&str> = said.split('\0').collect();
    let read = |fields: &[&str]| match fields {
        [source, line, pattern, path] if !pattern.starts_with('!') => {
            let [source, line, pattern] = [source, line, pattern].map(|text| (*text).to_owned());
            let path = path.strip_prefix(prefix)?.to_owned();
            Some(Ignored { path, rule: IgnoreRule { source, line, pattern } })
        }
        _ => None,
    };
    fields.chunks_exact(4).filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_rule_takes_out_again_is_not_ignored() {
        let said = ".gitignore\x001\0modules/\0m/a.md\0.gitignore\x002\0!b.md\0m/b.md\0";
        let found = read(said, "m/");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].path, "a.md");
        assert_eq!(found[0].rule.to_string(), "`.gitignore` line 1 says `modules/`");
    }
}
