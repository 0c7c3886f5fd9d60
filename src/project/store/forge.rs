//! What files for a forge and hooks have to know of a repository: its stores, its default branch, its folder of hooks.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use super::conflicts::Reach;
use super::layout::STORE;
use super::repository::Repository;
use crate::disk::outside;
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

    /// Returns the folders with a store below this one, relative to it.
    pub(crate) fn stores_below(&self) -> Result<Vec<String>> {
        let roots = self.store_roots()?.into_iter();
        let below =
            roots.filter_map(|root| root.strip_prefix(self.git().prefix()).map(str::to_owned));
        Ok(below.filter(|root| !root.is_empty()).collect())
    }

    /// Returns the folder of hooks, as `core.hooksPath` names it; `None` without a repository.
    pub(crate) fn hooks_folder(&self) -> Result<Option<HooksFolder>> {
        let git = self.git();
        git.refuse_broken()?;
        let (Some(top), Some(folder)) = (git.top(), git.folder()) else { return Ok(None) };
        // The settings of this call do not count: in ours, git runs no hooks.
        let mut named = self.setting(Reach::Repository, "core.hooksPath")?;
        if named.is_none() {
            named = self.setting(Reach::User, "core.hooksPath")?;
        }
        let top = top.to_path_buf();
        let Some(named) = named else {
            return Ok(Some(HooksFolder {
                path: folder.common.join("hooks"),
                top,
                is_inside: true,
            }));
        };
        let path = top.join(&named);
        let ways_up = Path::new(&named).components().any(|part| part == Component::ParentDir);
        let real = path.ancestors().find_map(outside::real_path);
        let is_inside =
            !named.starts_with('~') && !ways_up && real.is_some_and(|real| real.starts_with(&top));
        Ok(Some(HooksFolder { path, top, is_inside }))
    }

    /// Returns the name of the default branch on the forge: before there is one, the only branch; `main` where git does
    /// not know it.
    pub(crate) fn forge_branch(&self) -> Result<String> {
        let is_there = self.git().is_there();
        let known = if is_there { self.default_branch()? } else { None };
        let only = if is_there && known.is_none() { self.only_branch()? } else { None };
        let known = known.or(only).unwrap_or_else(|| "main".to_owned());
        Ok(known.strip_prefix("origin/").unwrap_or(&known).to_owned())
    }

    /// Tells whether git has a file in its index, by its path from the top.
    pub(crate) fn is_staged(&self, path: &str) -> Result<bool> {
        Ok(self.is_git()? && self.git().id_staged(path)?.is_some())
    }

    fn only_branch(&self) -> Result<Option<String>> {
        let list = ["for-each-ref", "--count=2", "--format=%(refname:short)", "refs/heads"];
        let said = self.git().run_line(&list, b"")?;
        Ok((!said.is_empty() && !said.contains('\n')).then_some(said))
    }
}

/// The folder in which git looks for hooks.
#[derive(Debug, Clone)]
pub(crate) struct HooksFolder {
    pub(crate) path: PathBuf,
    /// The top of the work tree.
    pub(crate) top: PathBuf,
    /// Whether it is in the work tree, or where git keeps it without a setting.
    pub(crate) is_inside: bool,
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
