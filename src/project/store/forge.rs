//! What files for a forge have to know of a repository: its stores, and its default branch.

use std::collections::BTreeSet;

use super::layout::STORE;
use super::repository::Repository;
use crate::error::Result;
use crate::git::split_nul;

impl Repository {
    /// Returns the folders with a store that git keeps or would add, relative to the top; the top itself is empty.
    pub(crate) fn store_roots(&self) -> Result<BTreeSet<String>> {
        let git = self.git();
        if !git.is_there() {
            return Ok(BTreeSet::new());
        }
        let list = ["ls-files", "-z", "--full-name", "--cached", "--others", "--exclude-standard"];
        let top = git.top().unwrap_or(self.root());
        let said = git.seen_from(top).run(&list, b"")?;
        Ok(split_nul(&said).filter_map(|path| root_of(&path).map(str::to_owned)).collect())
    }

    /// Returns the name of the default branch on the forge; `main` where git does not know it.
    pub(crate) fn forge_branch(&self) -> Result<String> {
        let known = if self.git().is_there() { self.default_branch()? } else { None };
        let name = known.as_deref().map(|name| name.strip_prefix("origin/").unwrap_or(name));
        Ok(name.unwrap_or("main").to_owned())
    }
}

/// Returns the folder of the store whose settings a path names.
fn root_of(path: &str) -> Option<&str> {
    let (above, file) = path.rsplit_once(&format!("{STORE}/"))?;
    let is_setting = file == "config.toml"
        || file.strip_prefix("schemas/").is_some_and(|name| name.ends_with(".toml"));
    let is_folder = above.is_empty() || above.ends_with('/');
    (is_setting && is_folder).then(|| above.trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_is_known_by_its_settings() {
        assert_eq!(root_of(".agent-memory/config.toml"), Some(""));
        assert_eq!(root_of("web/docs/.agent-memory/schemas/notes.toml"), Some("web/docs"));
        assert_eq!(root_of("my.agent-memory/config.toml"), None);
        assert_eq!(root_of(".agent-memory/modules/config.toml"), None);
        assert_eq!(root_of("config.toml"), None);
    }
}
