//! Checks that git does not ignore tracked categories: an ignored file is in no commit and in no clone.

use std::collections::BTreeSet;
use std::path::Path;

use super::answer::Attempt;
use super::project::Project;
use crate::error::{Error, Result};
use crate::git::GitTime;
use crate::project::request::{Reason, Refusal};
use crate::project::schema::{Catalog, Category};
use crate::project::store::{IgnoreRule, Ignored, Layout, ignored, ignored_in_new};

/// What git ignores of the tracked categories.
#[derive(Debug)]
pub(super) enum Ignoring {
    Nothing,
    /// Some of them, or another file that the clones need.
    Some(Vec<KeptOut>),
    /// All of them: the store is untracked on purpose.
    All(IgnoreRule),
}

/// A tracked category, or a file of the store, that git ignores.
#[derive(Debug, Clone)]
pub(super) struct KeptOut {
    pub(super) name: String,
    /// The file that declares it, relative to the store.
    pub(super) declared_in: String,
    pub(super) rule: IgnoreRule,
}

/// Files that the other clones need beside the memory.
const SHARED: [&str; 4] = [
    ".gitignore",
    "config.toml",
    "schemas/agent-memory-asks-git.toml",
    "rejections/agent-memory-asks-git.toml",
];

/// The name of any file of a category.
const ANY: &str = "agent-memory-asks-git";

const HINT: &str =
    "change that line so that git keeps the file, or set `tracked = false` in the schema";

/// Asks git about one file name of each category, and about the shared files.
pub(super) fn ignoring(layout: &Layout, catalog: &Catalog) -> Result<Ignoring> {
    let names = IgnoredNames::of(catalog);
    Ok(names.classify(&ignored(layout, &names.paths())?))
}

/// Asks the same for a store that is not made yet.
pub(super) fn ignoring_new(store: &Path, time: &GitTime, catalog: &Catalog) -> Result<Ignoring> {
    let names = IgnoredNames::of(catalog);
    Ok(names.classify(&ignored_in_new(store, time, &names.paths())?))
}

/// Tells whether git ignores a store as a whole: its files are on this machine alone.
pub(super) fn is_private(layout: &Layout) -> Result<bool> {
    Ok(matches!(ignoring(layout, &Catalog::default())?, Ignoring::All(_)))
}

impl Ignoring {
    pub(super) fn kept_out(&self) -> &[KeptOut] {
        match self {
            Self::Some(kept_out) => kept_out,
            Self::Nothing | Self::All(_) => &[],
        }
    }

    /// Returns the error where git ignores a part of the store.
    pub(super) fn error(&self) -> Option<Error> {
        let Self::Some(kept_out) = self else { return None };
        let each = kept_out.iter().map(|each| format!("`{}`: {}", each.name, each.rule));
        let list = each.collect::<Vec<_>>().join("; ");
        let message = format!("git ignores what it should keep of the store: {list}");
        Some(Error::new(crate::error::ErrorKind::Git, message).hint(HINT))
    }

    /// Returns the note where git ignores the whole store.
    pub(super) fn note(&self) -> Option<String> {
        let Self::All(rule) = self else { return None };
        Some(format!("git ignores all memory of the store: {rule}; no commit and no clone has it"))
    }
}

/// One file name for each path of the tracked categories.
struct IgnoredNames<'c>(Vec<(&'c Category, String)>);

impl<'c> IgnoredNames<'c> {
    fn of(catalog: &'c Catalog) -> Self {
        let names = |category: &'c Category| {
            category.paths.patterns().iter().map(move |it| (category, it.with_name(ANY)))
        };
        let tracked = catalog.categories().iter().filter(|category| category.tracked);
        let tracked = tracked.flat_map(names);
        let is_its = |(category, path): &(&Category, String)| {
            catalog.owner_of(path).is_some_and(|owner| owner.name == category.name)
        };
        Self(tracked.filter(is_its).collect())
    }

    fn paths(&self) -> Vec<String> {
        let shared = SHARED.iter().map(|path| (*path).to_owned());
        self.0.iter().map(|(_, path)| path.clone()).chain(shared).collect()
    }

    fn classify(&self, ignored: &[Ignored]) -> Ignoring {
        let rule_of =
            |path: &str| Some(ignored.iter().find(|each| each.path == path)?.rule.clone());
        let category = |(category, path): &(&Category, String)| {
            let (name, rule) = (category.name.clone(), rule_of(path)?);
            Some(KeptOut { declared_in: format!("schemas/{name}.toml"), name, rule })
        };
        let mut found: Vec<KeptOut> = self.0.iter().filter_map(category).collect();
        let shared = SHARED.iter().filter_map(|path| {
            let name = path.strip_suffix(&format!("{ANY}.toml")).unwrap_or(path).to_owned();
            Some(KeptOut { declared_in: name.clone(), name, rule: rule_of(path)? })
        });
        let shared: Vec<KeptOut> = shared.collect();
        // Without a category, as where git has no file of the store, the shared files tell.
        let is_all =
            found.len() == self.0.len() && (!found.is_empty() || shared.len() == SHARED.len());
        if let (true, Some(first)) = (is_all, found.first().or(shared.first())) {
            return Ignoring::All(first.rule.clone());
        }
        found.dedup_by(|one, other| one.name == other.name);
        found.extend(shared);
        if found.is_empty() { Ignoring::Nothing } else { Ignoring::Some(found) }
    }
}

impl Project {
    /// Refuses to write tracked files that git ignores, unless it ignores the whole store; returns warnings.
    pub(super) fn refuse_ignored<'p>(
        &self,
        paths: impl Iterator<Item = &'p str>,
    ) -> Attempt<Vec<String>> {
        let catalog = self.catalog()?;
        let paths: BTreeSet<&str> = paths.filter(|path| catalog.is_tracked(path)).collect();
        if paths.is_empty() {
            return Ok(Vec::new());
        }
        let names = IgnoredNames::of(catalog);
        let wanted =
            paths.iter().map(|path| (*path).to_owned()).chain(names.paths()).collect::<Vec<_>>();
        let found = match ignored(self.store.layout(), &wanted) {
            Ok(found) => found,
            Err(error) => {
                let why = error.with_next_step();
                return Ok(vec![format!("whether git ignores it is not known: {why}")]);
            }
        };
        let Some(first) = found.iter().find(|each| paths.contains(each.path.as_str())) else {
            return Ok(Vec::new());
        };
        if let Ignoring::All(_) = names.classify(&found) {
            return Ok(Vec::new());
        }
        let (path, rule) = (&first.path, &first.rule);
        let message = format!("git ignores `{path}`, which its category wants in git: {rule}");
        Err(Refusal::new(Reason::DeniedByPolicy, message, HINT).into())
    }
}
