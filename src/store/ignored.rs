//! Asks git which files it ignores, and which line of which file says so.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use super::git::{Found, Git};
use super::outside;
use crate::error::{Error, Result};

/// A file of a store that git ignores, whatever says so: `.gitignore` of any folder, `info/exclude`, or the person's own
/// file for all repositories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ignored {
    /// The file, relative to the store.
    pub path: String,
    /// The line that says so.
    pub rule: IgnoreRule,
}

/// A line by which git ignores files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IgnoreRule {
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

/// Finds those of some files, relative to the folder of a store, that git ignores; what it keeps already it never
/// ignores. The folder and the files need not be there. Outside of a repository nothing is ignored.
pub fn ignored(store: &Path, paths: &[String]) -> Result<Vec<Ignored>> {
    let git = Git::above(store)?;
    let Some(top) = git.top().filter(|_| !paths.is_empty()) else { return Ok(Vec::new()) };
    let prefix = git.prefix();
    refuse_special(top, prefix, paths)?;
    let asked: String = paths.iter().map(|path| format!("{prefix}{path}\0")).collect();
    let ask = ["check-ignore", "--verbose", "-z", "--stdin"];
    let said = match git.consult_with(&ask, asked.as_bytes()) {
        // Where no files are laid out, none is ignored.
        Err(_) if matches!(git.find(), Ok(Found::Bare)) => return Ok(Vec::new()),
        said => said?.unwrap_or_default(),
    };
    Ok(read(&String::from_utf8_lossy(&said), prefix))
}

/// Refuses to let git read its own files where one of them is a pipe: git would wait for a writer for ever.
fn refuse_special(top: &Path, prefix: &str, paths: &[String]) -> Result<()> {
    let files = paths.iter().map(|path| format!("{prefix}{path}"));
    let mut folders: BTreeSet<PathBuf> = BTreeSet::new();
    for file in files {
        folders.extend(Path::new(&file).ancestors().skip(1).map(|folder| top.join(folder)));
    }
    let mut rules = folders.into_iter().map(|folder| folder.join(".gitignore"));
    match rules.find(|rules| outside::is_special(rules)) {
        None => Ok(()),
        Some(found) => {
            let cause = std::io::Error::other("it is neither a file nor a folder");
            Err(Error::io("let git read", &found, cause))
        }
    }
}

/// Reads source, line, pattern and path of each file. A rule that begins with `!` takes a file out again.
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
