//! Sees to it that git keeps what the schemas say it keeps: a file that it ignores is in no commit and in no clone.

use std::collections::BTreeSet;
use std::path::Path;

use super::{Stop, Workspace};
use crate::contract::{Reason, Refusal};
use crate::error::{Error, Result};
use crate::git::GitTime;
use crate::project::schema::{Catalog, Category};
use crate::project::store::{IgnoreRule, Ignored, Layout, ignored, ignored_in_new};

/// What git ignores of the categories that it should keep.
#[derive(Debug)]
pub(super) enum Ignoring {
    /// Nothing, or there is no git.
    Nothing,
    /// Some of them, or a file that the other clones need beside them.
    Some(Vec<KeptOut>),
    /// All of them: the store is kept out of git on purpose.
    All(IgnoreRule),
}

/// A category, or a file of the store, that git should keep and ignores.
#[derive(Debug, Clone)]
pub(super) struct KeptOut {
    /// The name of the category, or the file.
    pub(super) name: String,
    /// The file that says what it is, relative to the store.
    pub(super) declared_in: String,
    /// The line that says so.
    pub(super) rule: IgnoreRule,
}

/// Files of a store that another clone needs beside the memory: without them it decides by other rules.
const SHARED: [&str; 4] = [
    ".gitignore",
    "config.toml",
    "schemas/agent-memory-asks-git.toml",
    "rejections/agent-memory-asks-git.toml",
];

/// Stands for any file of a category that may have many.
const ANY: &str = "agent-memory-asks-git";

/// What to do about a rule.
const HINT: &str =
    "change that line so that git keeps the file, or set `tracked = false` in the schema";

/// Asks of one name for each category, and of the files beside them, what git ignores.
pub(super) fn ignoring(layout: &Layout, catalog: &Catalog) -> Result<Ignoring> {
    let names = Names::of(catalog);
    Ok(names.judge(&ignored(layout, &names.paths())?))
}

/// Asks the same for a store that is yet to be made.
pub(super) fn ignoring_new(store: &Path, time: &GitTime, catalog: &Catalog) -> Result<Ignoring> {
    let names = Names::of(catalog);
    Ok(names.judge(&ignored_in_new(store, time, &names.paths())?))
}

impl Ignoring {
    /// Names what git should keep and ignores.
    pub(super) fn kept_out(&self) -> &[KeptOut] {
        match self {
            Self::Some(kept_out) => kept_out,
            Self::Nothing | Self::All(_) => &[],
        }
    }

    /// Returns the error about a part of the store that git ignores.
    pub(super) fn error(&self) -> Option<Error> {
        let Self::Some(kept_out) = self else { return None };
        let each = kept_out.iter().map(|each| format!("`{}`: {}", each.name, each.rule));
        let list = each.collect::<Vec<_>>().join("; ");
        let message = format!("git ignores what it should keep of the store: {list}");
        Some(Error::new(crate::error::ErrorKind::Git, message).hint(HINT))
    }

    /// Returns what is to be known of a store that git ignores.
    pub(super) fn note(&self) -> Option<String> {
        let Self::All(rule) = self else { return None };
        Some(format!("git ignores all memory of the store: {rule}; no commit and no clone has it"))
    }
}

/// One name for each category that git should keep.
struct Names<'c>(Vec<(&'c Category, String)>);

impl<'c> Names<'c> {
    fn of(catalog: &'c Catalog) -> Self {
        let name = |category: &'c Category| (category, category.path.with_name(ANY));
        let tracked = catalog.categories().iter().filter(|category| category.tracked).map(name);
        let is_its = |(category, path): &(&Category, String)| {
            catalog.owner_of(path).is_some_and(|owner| owner.name == category.name)
        };
        Self(tracked.filter(is_its).collect())
    }

    fn paths(&self) -> Vec<String> {
        let shared = SHARED.iter().map(|path| (*path).to_owned());
        self.0.iter().map(|(_, path)| path.clone()).chain(shared).collect()
    }

    fn judge(&self, ignored: &[Ignored]) -> Ignoring {
        let rule_of =
            |path: &str| Some(ignored.iter().find(|each| each.path == path)?.rule.clone());
        let category = |(category, path): &(&Category, String)| {
            let (name, rule) = (category.name.clone(), rule_of(path)?);
            Some(KeptOut { declared_in: format!("schemas/{name}.toml"), name, rule })
        };
        let mut found: Vec<KeptOut> = self.0.iter().filter_map(category).collect();
        if let Some(first) = found.first()
            && found.len() == self.0.len()
        {
            return Ignoring::All(first.rule.clone());
        }
        found.extend(SHARED.iter().filter_map(|path| {
            let name = path.strip_suffix(&format!("{ANY}.toml")).unwrap_or(path).to_owned();
            Some(KeptOut { declared_in: name.clone(), name, rule: rule_of(path)? })
        }));
        if found.is_empty() { Ignoring::Nothing } else { Ignoring::Some(found) }
    }
}

impl Workspace {
    /// Refuses to write files that git would ignore although their categories are kept in git; returns what has to be
    /// said besides. A store that git ignores as a whole is meant to be.
    pub(super) fn refuse_ignored<'p>(
        &self,
        paths: impl Iterator<Item = &'p str>,
    ) -> std::result::Result<Vec<String>, Stop> {
        let catalog = self.catalog()?;
        let paths: BTreeSet<&str> = paths.filter(|path| catalog.is_tracked(path)).collect();
        if paths.is_empty() {
            return Ok(Vec::new());
        }
        let names = Names::of(catalog);
        let wanted =
            paths.iter().map(|path| (*path).to_owned()).chain(names.paths()).collect::<Vec<_>>();
        let found = match ignored(self.store.layout(), &wanted) {
            Ok(found) => found,
            Err(error) => return Ok(vec![format!("whether git ignores it is not known: {error}")]),
        };
        let Some(first) = found.iter().find(|each| paths.contains(each.path.as_str())) else {
            return Ok(Vec::new());
        };
        if let Ignoring::All(_) = names.judge(&found) {
            return Ok(Vec::new());
        }
        let (path, rule) = (&first.path, &first.rule);
        let message = format!("git ignores `{path}`, which its category wants in git: {rule}");
        Err(Refusal::new(Reason::DeniedByPolicy, message, HINT).into())
    }
}
