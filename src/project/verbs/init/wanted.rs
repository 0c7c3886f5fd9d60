//! Decides which files a store should have, and compares them with the existing ones.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::contract::FileState;
use crate::disk::random;
use crate::error::Result;
use crate::project::check::{Content, Rulebook, rulebook};
use crate::project::config::{self, Config, ReadRule, with_salt, with_setting};
use crate::project::edit::new_file;
use crate::project::request::MemoryPath;
use crate::project::schema::{self, Catalog, DEFAULTS};
use crate::project::store::{Store, read_settings};
use crate::project::verbs::adopt::{Adopted, AdoptionTarget, NoteFolder};
use crate::project::verbs::rewrite::Rewritten;
use crate::project::verbs::search::check_category;
use crate::project::verbs::{attributes, gitignore};
use crate::secrets::Salt;

pub(super) const CONFIG: &str = "config.toml";

/// The wanted files by path.
pub(super) struct WantedFiles {
    settings: BTreeMap<String, String>,
    /// The settings among them that were translated from another tool.
    translated: BTreeSet<String>,
    /// Memory files with only a title.
    empty: BTreeMap<String, String>,
    /// Imported notes.
    notes: BTreeMap<String, String>,
    pub(super) catalog: Catalog,
}

/// What is done with a wanted file.
pub(super) enum NotePlan {
    /// It is written; over its former text, if it was there.
    Write(Option<String>),
    /// It is kept, and no note is for it.
    Leave,
    /// It already has the text of the note.
    AsItIs,
    /// It has another text than the note, and is kept.
    Keep,
    /// It has other settings than the translated ones, and is kept.
    KeepSettings,
}

impl WantedFiles {
    /// Decides what is wanted; returns also the report about imported notes.
    pub(super) fn of(
        target: AdoptionTarget<'_>,
        source: Option<NoteFolder>,
    ) -> Result<(Self, Adopted)> {
        let store = target.store;
        let settings = settings(store, source.as_ref())?;
        let translated: BTreeSet<String> =
            source.iter().flat_map(|source| source.translated.files.keys().cloned()).collect();
        let rulebook = rules(store, &settings)?;
        let (notes, told) = match source {
            Some(source) => source.adopt(target, &rulebook)?,
            None => (BTreeMap::new(), Adopted::default()),
        };
        let empty = memory(&rulebook.catalog);
        Ok((Self { settings, translated, empty, notes, catalog: rulebook.catalog }, told))
    }

    /// Keeps the queue of a new store in git.
    pub(super) fn track_queue(&mut self) -> Result<()> {
        let config = self.settings.entry(CONFIG.to_owned()).or_default();
        let tracked = with_setting(config, "staging.track", "true")?;
        *config = tracked.expect("the setting is there");
        self.settings.insert(gitignore::PATH.to_owned(), gitignore::with_tracked_queue());
        Ok(())
    }

    /// Lets a new store read files of the repository where they are. Refuses a category that there is not.
    pub(super) fn add_read_rules(&mut self, rules: &[ReadRule]) -> Result<()> {
        for rule in rules {
            check_category(&self.catalog, Some(&rule.category))?;
            let config = self.settings.entry(CONFIG.to_owned()).or_default();
            *config += &format!("\n{}", rule.written());
        }
        Ok(())
    }

    /// Returns the texts by path.
    pub(super) fn files(&self) -> BTreeMap<String, String> {
        let all = [&self.settings, &self.empty, &self.notes].into_iter().flatten();
        all.map(|(path, text)| (path.clone(), text.clone())).collect()
    }

    /// Returns an imported note; none for other files.
    pub(super) fn note(&self, path: &str, before: Option<&str>, after: &str) -> Option<Rewritten> {
        let path = MemoryPath::parse(path).ok().filter(|_| self.notes.contains_key(path))?;
        Some(Rewritten { path, before: before.map(str::to_owned), after: after.to_owned() })
    }

    pub(super) fn way_of(
        &self,
        path: &str,
        text: &str,
        there: Option<String>,
        told: &Adopted,
    ) -> NotePlan {
        let is_note = self.notes.contains_key(path);
        match there {
            None => NotePlan::Write(None),
            Some(before) if before == text && is_note => NotePlan::AsItIs,
            Some(before) if before == text => NotePlan::Leave,
            Some(_) if self.translated.contains(path) => NotePlan::KeepSettings,
            Some(_) if !is_note => NotePlan::Leave,
            // A file with only its title is no work of a person.
            Some(before) if Some(&before) == self.empty.get(path) => NotePlan::Write(Some(before)),
            Some(before) => match told.in_place.get(path) {
                // An edit since then is noticed by the write.
                Some(former) => NotePlan::Write(Some(former.clone())),
                None if told.earlier.get(path) == Some(&before) => NotePlan::Write(Some(before)),
                None => NotePlan::Keep,
            },
        }
    }
}

/// Reads a file that may be missing; one that is not UTF-8 counts as empty.
pub(super) fn read(store: Option<&Store>, path: &str) -> Result<Option<String>> {
    Ok(match store.map(|store| store.read_any(path)).transpose()? {
        Some(FileState::Text(text)) => Some(text),
        Some(FileState::Unusable(_)) => Some(String::new()),
        Some(FileState::Absent) | None => None,
    })
}

/// Returns the rules of the store: from its own settings, otherwise from the new ones.
fn rules(store: Option<&Store>, new: &BTreeMap<String, String>) -> Result<Rulebook> {
    let mut known = BTreeMap::new();
    for (path, text) in new {
        let text = read(store, path)?.unwrap_or_else(|| text.clone());
        known.insert(path.clone(), Content::Bytes(text.into_bytes()));
    }
    if let Some(folder) = store.map(|store| store.layout().folder()) {
        known.extend(read_settings(folder));
    }
    Ok(rulebook(&known).0)
}

/// Returns the settings of a new store, with those translated from another tool.
fn settings(
    store: Option<&Store>,
    source: Option<&NoteFolder>,
) -> Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::from([
        (CONFIG.to_owned(), config::DEFAULT.to_owned()),
        (gitignore::PATH.to_owned(), gitignore::DEFAULT.to_owned()),
        (attributes::PATH.to_owned(), attributes::DEFAULT.to_owned()),
    ]);
    files.extend(DEFAULTS.map(|(name, text)| (format!("schemas/{name}.toml"), text.to_owned())));
    files.extend(source.iter().flat_map(|source| source.translated.files.clone()));
    // An existing salt is kept: otherwise a second run would find other settings than it wants.
    let parsed = |config: String| Config::parse(&config, Path::new(CONFIG)).ok();
    let now = read(store, CONFIG)?.and_then(parsed);
    let salt = match now.and_then(|config| config.salt) {
        Some(salt) => salt,
        None => Salt::new(random()?),
    };
    let config = with_salt(&files[CONFIG], &salt);
    files.insert(CONFIG.to_owned(), config);
    Ok(files)
}

fn memory(catalog: &Catalog) -> BTreeMap<String, String> {
    let tracked = catalog.categories().iter().filter(|each| each.tracked);
    let file = |category: &schema::Category| {
        Some((category.paths.single()?.to_owned(), new_file(&category.title)))
    };
    // Git takes a folder that loses its last file for renamed, and a file that another branch adds there would follow
    // it, into the archive.
    let keep = |category: &schema::Category| {
        Some((format!("{}/.keep", category.paths.folder_of_records()?), String::new()))
    };
    tracked.clone().filter_map(file).chain(tracked.filter_map(keep)).collect()
}
