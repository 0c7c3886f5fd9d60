//! Says which files a store should have, and compares them with those that it has.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::admitted::Note;
use crate::contract::FileState;
use crate::contract::MemoryPath;
use crate::disk::random;
use crate::error::Result;
use crate::markdown::new_file;
use crate::project::check::{Content, Rulebook, rulebook};
use crate::project::config::{self, Config, with_salt};
use crate::project::schema::{self, Catalog, DEFAULTS};
use crate::project::store::{Store, read_settings};
use crate::project::verbs::adopt::{Adopted, Source};
use crate::project::verbs::{attributes, gitignore};
use crate::secrets::Salt;

/// The files that should be there, by path.
pub(super) struct Wanted {
    settings: BTreeMap<String, String>,
    /// Of the settings those that another tool had in its own words.
    translated: BTreeSet<String>,
    /// Memory with nothing in it but a title.
    empty: BTreeMap<String, String>,
    /// What is adopted.
    notes: BTreeMap<String, String>,
}

/// What becomes of a file that should be there.
pub(super) enum Way {
    /// It is written, over what it held if it was there.
    Write(Option<String>),
    /// It is somebody's own, and no note stands in the way of it.
    Leave,
    /// The note is there already.
    AsItIs,
    /// Somebody's own stands where a note would.
    Keep,
    /// Somebody's own settings stand where translated ones would.
    KeepSettings,
}

impl Wanted {
    /// Works out what should be there; returns also the categories, and what is to be told of what is adopted.
    pub(super) fn of(
        store: Option<&Store>,
        source: Option<Source>,
    ) -> Result<(Self, Catalog, Adopted)> {
        let settings = settings(store, source.as_ref())?;
        let translated: BTreeSet<String> =
            source.iter().flat_map(|source| source.translated.files.keys().cloned()).collect();
        let rulebook = rules(store, &settings)?;
        let (notes, told) = match source {
            Some(source) => source.adopt(store, &rulebook)?,
            None => (BTreeMap::new(), Adopted::default()),
        };
        let empty = memory(&rulebook.catalog);
        Ok((Self { settings, translated, empty, notes }, rulebook.catalog, told))
    }

    /// Returns the text of each file.
    pub(super) fn files(&self) -> BTreeMap<String, String> {
        let all = [&self.settings, &self.empty, &self.notes].into_iter().flatten();
        all.map(|(path, text)| (path.clone(), text.clone())).collect()
    }

    /// Returns a note that is written; nothing for settings, and for memory with nothing in it.
    pub(super) fn note(&self, path: &str, before: Option<&str>, after: &str) -> Option<Note> {
        let path = MemoryPath::parse(path).ok().filter(|_| self.notes.contains_key(path))?;
        Some(Note { path, before: before.map(str::to_owned), after: after.to_owned() })
    }

    /// Compares a file with what is there.
    pub(super) fn way_of(
        &self,
        path: &str,
        text: &str,
        there: Option<String>,
        told: &Adopted,
    ) -> Way {
        let is_note = self.notes.contains_key(path);
        match there {
            None => Way::Write(None),
            Some(before) if before == text => {
                if is_note {
                    Way::AsItIs
                } else {
                    Way::Leave
                }
            }
            Some(_) if self.translated.contains(path) => Way::KeepSettings,
            Some(_) if !is_note => Way::Leave,
            // A file that holds nothing but the title that we gave it is nobody's work.
            Some(before) if Some(&before) == self.empty.get(path) => Way::Write(Some(before)),
            Some(_) => match told.in_place(path) {
                // Whoever saved it since then is noticed when it is written.
                Some(former) => Way::Write(Some(former.clone())),
                None => Way::Keep,
            },
        }
    }
}

/// Reads a file of a store that may not be there yet; what is no text is there, and holds nothing of use.
pub(super) fn read(store: Option<&Store>, path: &str) -> Result<Option<String>> {
    Ok(match store.map(|store| store.read_any(path)).transpose()? {
        Some(FileState::Text(text)) => Some(text),
        Some(FileState::Unusable(_)) => Some(String::new()),
        Some(FileState::Absent) | None => None,
    })
}

/// Returns the rules under which a store will be: those of its own settings, else of the new ones.
fn rules(store: Option<&Store>, new: &BTreeMap<String, String>) -> Result<Rulebook> {
    let mut known = BTreeMap::new();
    for (path, text) in new {
        let text = read(store, path)?.unwrap_or_else(|| text.clone());
        known.insert(path.clone(), Content::Bytes(text.into_bytes()));
    }
    // A team has categories of its own.
    if let Some(folder) = store.map(|store| store.layout().folder()) {
        known.extend(read_settings(folder));
    }
    Ok(rulebook(&known).0)
}

/// Returns the settings of a new store, with what another tool says otherwise.
fn settings(store: Option<&Store>, source: Option<&Source>) -> Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::from([
        ("config.toml".to_owned(), config::DEFAULT.to_owned()),
        (gitignore::PATH.to_owned(), gitignore::DEFAULT.to_owned()),
        (attributes::PATH.to_owned(), attributes::DEFAULT.to_owned()),
    ]);
    files.extend(DEFAULTS.map(|(name, text)| (format!("schemas/{name}.toml"), text.to_owned())));
    files.extend(source.iter().flat_map(|source| source.translated.files.clone()));
    // A store that has a salt keeps it, so that a second run finds what the first one wrote.
    let now = read(store, "config.toml")?.as_deref().and_then(parsed);
    let salt = match now.and_then(|config| config.salt) {
        Some(salt) => salt,
        None => Salt::new(random()?),
    };
    let config = with_salt(&files["config.toml"], &salt);
    files.insert("config.toml".to_owned(), config);
    Ok(files)
}

fn parsed(config: &str) -> Option<Config> {
    Config::parse(config, Path::new("config.toml")).ok()
}

/// Returns the memory files that a new store begins with.
fn memory(catalog: &Catalog) -> BTreeMap<String, String> {
    let tracked = catalog.categories().iter().filter(|each| each.tracked);
    let file = |category: &schema::Category| {
        Some((category.path.single()?.to_owned(), new_file(&category.title)))
    };
    tracked.filter_map(file).collect()
}
