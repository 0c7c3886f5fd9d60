//! Sees to it that git keeps what the schemas say it keeps: a file that it ignores is in no commit and in no clone.

use std::collections::BTreeSet;
use std::path::Path;

use super::{Stop, Workspace};
use crate::contract::{Reason, Refusal};
use crate::error::{Error, Result};
use crate::schema::{Catalog, Category};
use crate::store::{IgnoreRule, Ignored, ignored};

/// What git ignores of the categories that it should keep.
#[derive(Debug)]
pub(super) enum Ignoring {
    /// Nothing, or there is no git.
    Nothing,
    /// Some of them, by name, and not all.
    Some(Vec<(String, IgnoreRule)>),
    /// All of them: the store is kept out of git on purpose.
    All(IgnoreRule),
}

/// Stands for any file of a category that may have many.
const ANY: &str = "agent-memory-asks-git";

/// What to do about a rule.
const HINT: &str =
    "change that line so that git keeps the file, or set `tracked = false` in the schema";

/// Asks of one name for each category what git ignores.
pub(super) fn ignoring(store: &Path, catalog: &Catalog) -> Result<Ignoring> {
    let names = Names::of(catalog);
    Ok(names.judge(&ignored(store, &names.paths())?))
}

impl Ignoring {
    /// Names the categories that git should keep and ignores, each with the line that says so.
    pub(super) fn categories(&self) -> &[(String, IgnoreRule)] {
        match self {
            Self::Some(categories) => categories,
            Self::Nothing | Self::All(_) => &[],
        }
    }

    /// Returns the error about a part of the store that git ignores.
    pub(super) fn error(&self) -> Option<Error> {
        let Self::Some(categories) = self else { return None };
        let each = categories.iter().map(|(name, rule)| format!("`{name}`: {rule}"));
        let list = each.collect::<Vec<_>>().join("; ");
        let message = format!("git ignores files of categories that it should keep: {list}");
        Some(Error::new(crate::error::ErrorKind::Git, message).hint(HINT))
    }

    /// Returns what is to be known of a store that git ignores.
    pub(super) fn note(&self) -> Option<String> {
        let Self::All(rule) = self else { return None };
        Some(format!("git ignores the whole store: {rule}; no commit and no clone has it"))
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
        self.0.iter().map(|(_, path)| path.clone()).collect()
    }

    fn judge(&self, ignored: &[Ignored]) -> Ignoring {
        let rule_of = |path: &String| ignored.iter().find(|each| each.path == *path);
        let found: Vec<(String, IgnoreRule)> = self
            .0
            .iter()
            .filter_map(|(category, path)| {
                Some((category.name.clone(), rule_of(path)?.rule.clone()))
            })
            .collect();
        match found.first() {
            None => Ignoring::Nothing,
            Some((_, rule)) if found.len() == self.0.len() => Ignoring::All(rule.clone()),
            Some(_) => Ignoring::Some(found),
        }
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
        let found = match ignored(self.folder(), &wanted) {
            Ok(found) => found,
            Err(error) if error.is_of_the_system() => return Ok(Vec::new()),
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
