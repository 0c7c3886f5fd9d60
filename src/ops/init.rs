//! `init`: a store in a repository; whatever is there already stays as it is.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::adopt::{Adopted, Source};
use super::{Place, attributes, gitignore};
use crate::adopt::{MANIFEST, SCHEMA};
use crate::check::{Content, Rulebook, rulebook};
use crate::config::{self, Config, with_salt};
use crate::contents::{Blocks, Said};
use crate::contract::MemoryPath;
use crate::error::{Error, ErrorKind, Result};
use crate::markdown::new_file;
use crate::pipeline::FileState;
use crate::schema::{self, Catalog, DEFAULTS};
use crate::secrets::Salt;
use crate::store::{
    Layout, Repository, Step, Store, Trace, is_same, keep_former, random, read_settings,
};

/// What to make a store of.
#[derive(Debug, Clone, Default)]
pub struct InitOptions {
    /// A folder of notes, or a store made by another tool, that is taken over.
    pub from: Option<PathBuf>,
    /// Says what would be done, and does nothing.
    pub dry_run: bool,
}

/// What `init` did.
#[derive(Debug, Clone, Serialize)]
pub struct Initialised {
    /// The folder of the store.
    pub store: String,
    /// The files that were made, relative to the store.
    pub created: Vec<String>,
    /// The files of an earlier version that were brought up to date, relative to the store.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub renewed: Vec<String>,
    /// What came from another folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<Adopted>,
    /// Whether nothing was done.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
}

/// Makes a store, or what is missing of one.
pub fn init(place: &Place, options: &InitOptions) -> Result<Initialised> {
    let mut source = options.from.as_deref().map(Source::read).transpose()?;
    let found = || Repository::find(&place.folder).unwrap_or_else(|| place.folder.clone());
    let root = place.root.clone().unwrap_or_else(found);
    let layout = match place.layout() {
        Err(error) if error.kind() == ErrorKind::StoreNotFound && options.dry_run => None,
        Err(error) if error.kind() == ErrorKind::StoreNotFound => Some(Layout::make_in(&root)?),
        found => Some(found?),
    };
    let store = layout.map(Store::at);
    if let Some(store) = &store {
        let is_same = |from: &PathBuf| is_same(store.layout().store(), from);
        match &mut source {
            Some(source) if options.from.as_ref().is_some_and(is_same) => source.is_store = true,
            Some(_) | None => refuse_foreign(store)?,
        }
    }
    let holder = "`agent-memory init`";
    let locked = match (&store, options.dry_run) {
        (Some(store), false) => Some(store.lock(place.lock_wait, holder)?),
        (Some(_) | None, _) => None,
    };
    let made = Made::of(store.as_ref(), source)?;
    if let Some(mut locked) = locked.filter(|_| !made.steps.is_empty()) {
        locked.prepare(made.steps, Trace::Kept)?.map_err(edited_meanwhile)?.commit()?;
    }
    let folder = store.as_ref().map_or(root.join(".agent-memory"), |s| s.layout().store().into());
    Ok(Initialised {
        store: super::shorten(&folder, &place.folder),
        created: made.created,
        renewed: made.renewed,
        from: made.told,
        dry_run: options.dry_run,
    })
}

/// Refuses a store that another tool made: with settings of our own in it, its own would no longer be looked at.
fn refuse_foreign(store: &Store) -> Result<()> {
    let is_absent = |path: &str| Ok(matches!(store.read_any(path)?, FileState::Absent));
    if !is_absent("config.toml")? || (is_absent(MANIFEST)? && is_absent(SCHEMA)?) {
        return Ok(());
    }
    let folder = store.layout().store();
    let message = "another tool made this store, whose settings are in `meta/`:";
    Err(Error::new(ErrorKind::Usage, message)
        .at(folder)
        .hint(format!("`agent-memory init --from {}` takes it over", folder.display())))
}

/// What has to be written.
#[derive(Default)]
struct Made {
    steps: Vec<Step>,
    created: Vec<String>,
    renewed: Vec<String>,
    told: Option<Adopted>,
}

impl Made {
    /// Compares what should be there with what is; without a store nothing is.
    fn of(store: Option<&Store>, source: Option<Source>) -> Result<Self> {
        let mut files = settings(store, source.as_ref())?;
        let translated: BTreeSet<String> =
            source.iter().flat_map(|source| source.translated.files.keys().cloned()).collect();
        let rulebook = rules(store, &files)?;
        let empty = memory(&rulebook.catalog);
        let is_asked = source.is_some();
        let (texts, mut told) = match source {
            Some(source) => source.adopt(&rulebook),
            None => (BTreeMap::new(), Adopted::default()),
        };
        files.extend(empty.clone());
        files.extend(texts.clone());
        let mut made = Self::default();
        let (mut new, mut as_it_was) = (Vec::new(), Vec::new());
        for (path, text) in files {
            let former = match read(store, &path)? {
                None => None,
                Some(before) if before == text => {
                    as_it_was.extend(texts.contains_key(&path).then_some((path, text)));
                    continue;
                }
                Some(_) if translated.contains(&path) => {
                    told.keep_settings(path);
                    continue;
                }
                Some(_) if !texts.contains_key(&path) => continue,
                // A file that holds nothing but the title that we gave it is nobody's work.
                Some(before) if Some(&before) == empty.get(&path) => Some(before),
                Some(_) => match told.in_place(&path) {
                    // Whoever saved it since then is noticed when it is written.
                    Some(former) => Some(former.clone()),
                    None => {
                        told.kept.push(path);
                        continue;
                    }
                },
            };
            made.steps.push(Step::write(&path, former.as_deref(), text.clone()));
            let list = if former.is_some() { &mut made.renewed } else { &mut made.created };
            list.push(path.clone());
            new.push((path, text));
        }
        let places: BTreeSet<&str> = new.iter().map(|(path, _)| path.as_str()).collect();
        told.adopted.retain(|file| places.contains(file.to.as_str()));
        made.told = is_asked.then_some(told);
        new.extend(as_it_was);
        made.list(store, &rulebook.catalog, &new)?;
        let renewals =
            store.map(|store| Ok([attributes::renewal(store)?, gitignore::renewal(store)?]));
        let renewals = renewals.transpose()?.into_iter().flatten();
        for (renewal, path) in renewals.zip([attributes::PATH, gitignore::PATH]) {
            made.renewed.extend(renewal.is_some().then(|| path.to_owned()));
            made.steps.extend(renewal);
        }
        Ok(made)
    }

    /// Lets the table of contents say what is new to it.
    fn list(
        &mut self,
        store: Option<&Store>,
        catalog: &Catalog,
        new: &[(String, String)],
    ) -> Result<()> {
        let Some(contents) = catalog.generated_file() else { return Ok(()) };
        let mut blocks = Blocks::default();
        for (path, text) in new {
            let is_listed = catalog.owner_of(path).is_some_and(|owner| owner.tracked);
            if let Some(path) = MemoryPath::parse(path).ok().filter(|p| is_listed && *p != contents)
            {
                blocks.renew(&path, text, &|text| Cow::Borrowed(text));
            }
        }
        let is_new = |step: &&mut Step| matches!(step, Step::Write { path, .. } if path == contents.as_str());
        let former = read(store, contents.as_str())?;
        let said = Said::read(former.as_deref().unwrap_or_default());
        let lines = blocks.by_path().iter().filter(|(path, lines)| !said.holds(path, lines));
        let lines: Vec<_> = lines.map(|(path, lines)| (path.clone(), lines.clone())).collect();
        match self.steps.iter_mut().find(is_new) {
            Some(step) => *step = Step::write(contents.as_str(), None, blocks.to_string()),
            None if lines.is_empty() => {}
            None => {
                let is_ours = |text: &String| Blocks::read(text).to_string() == *text;
                if let (Some(store), Some(former)) = (store, former.filter(|text| !is_ours(text))) {
                    self.steps.push(keep_former(store.layout(), &contents, &former));
                    self.renewed.push(contents.to_string());
                }
                self.steps.push(Step::Contents { path: contents.to_string(), blocks: lines });
            }
        }
        Ok(())
    }
}

/// Reads a file of a store that may not be there yet; what is no text is there, and holds nothing of use.
fn read(store: Option<&Store>, path: &str) -> Result<Option<String>> {
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
        let text = match category.generated {
            true => Blocks::default().to_string(),
            false => new_file(&category.title),
        };
        Some((category.path.single()?.to_owned(), text))
    };
    tracked.filter_map(file).collect()
}

fn edited_meanwhile(edited: crate::store::EditedMeanwhile) -> Error {
    Error::new(ErrorKind::Io, format!("`{}` appeared at the same moment", edited.path))
        .hint("run `agent-memory init` again; it makes only what is missing")
}
