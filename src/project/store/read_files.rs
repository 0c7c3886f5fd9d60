//! Files of the repository that are read as memory where they are, and never written.

use std::collections::{BTreeMap, BTreeSet};

use super::layout::{Layout, STORE};
use super::repository::Repository;
use crate::contract::FileState;
use crate::disk::folder::{FileKind, is_strange};
use crate::disk::{Folder, files};
use crate::error::Result;
use crate::git::split_nul;
use crate::index::{Contents, Listing, list_chosen, read};
use crate::project::config::{Config, ReadRule};
use crate::project::schema::{Catalog, Category};
use crate::secrets::{Scanner, shown_name};
use crate::text::{find_hidden, visible};

/// How many files are read at most.
const MOST_FILES: usize = 5_000;

/// How many bytes they may have together.
const MOST_BYTES: u64 = 50 << 20;

/// How many files are named that are left out.
const NAMED: usize = 5;

/// Why a file that git tracks is not read.
enum Unfit {
    /// It was deleted, or a sparse checkout leaves it out.
    Gone,
    LeftOut(String),
}

/// The files, by their path from the folder that holds the store, with what they are read as.
#[derive(Debug, Default)]
pub(crate) struct ReadFiles {
    pub(crate) rules: Vec<ReadRule>,
    folder: Option<Folder>,
    /// The name of the category by path.
    categories: BTreeMap<String, String>,
    /// What was left out, and why.
    pub(crate) warnings: Vec<String>,
}

impl ReadFiles {
    /// Knows the rules alone, and no file.
    pub(crate) fn unread(config: &Config) -> Self {
        Self { rules: config.reads.clone(), ..Self::default() }
    }

    /// Finds the files that git tracks and a rule names; of several rules the first one counts. `is_wanted` looks at the
    /// path and the rule.
    pub(crate) fn of(
        config: &Config,
        (layout, repository): (&Layout, &Repository),
        scanner: &Scanner,
        is_wanted: impl Fn(&str, &ReadRule) -> bool,
    ) -> Result<Self> {
        let (rules, mut found) = (&config.reads, Self::unread(config));
        if rules.is_empty() {
            return Ok(found);
        }
        if !repository.git().is_there() {
            found.warn("no file is read, as there is no git repository here".to_owned());
            return Ok(found);
        }
        found.folder = Folder::open(layout.repository())?;
        for rule in rules {
            match tracked_files(repository, rule.folder()) {
                Ok(paths) => {
                    let files = rule.files().compile_matcher();
                    let is_named = |path: &String| files.is_match(path);
                    let is_wanted = |path: &String| is_wanted(path, rule);
                    let before = found.categories.len();
                    for path in paths.into_iter().filter(is_named).filter(is_wanted) {
                        found.categories.entry(path).or_insert_with(|| rule.category.clone());
                    }
                    if found.categories.len() == before {
                        let files = rule.files().glob();
                        found.warn(format!("git tracks no file `{files}` that could be read"));
                    }
                }
                Err(error) => {
                    let files = rule.files().glob();
                    found.warn(format!("which files `{files}` names is not known: {error}"));
                }
            }
        }
        found.keep_fit(layout, scanner, config.file_bytes);
        Ok(found)
    }

    fn warn(&mut self, said: String) {
        self.warnings.push(format!("`[[read]]`: {said}"));
    }

    /// Leaves out what may not be read, and what is beyond the limits.
    fn keep_fit(&mut self, layout: &Layout, scanner: &Scanner, file_bytes: u64) {
        let Some(folder) = self.folder.clone() else { return };
        let (mut bytes, mut beyond, mut left_out) = (0, 0, Vec::new());
        for (path, category) in std::mem::take(&mut self.categories) {
            match size_of(&folder, &path, layout, scanner) {
                Ok(size) if size > file_bytes => {
                    left_out.push((path, format!("it has {size} bytes, allowed are {file_bytes}")));
                }
                Ok(size) if self.categories.len() < MOST_FILES && bytes + size <= MOST_BYTES => {
                    bytes += size;
                    self.categories.insert(path, category);
                }
                Ok(_) => beyond += 1,
                Err(Unfit::Gone) => {}
                Err(Unfit::LeftOut(why)) => left_out.push((path, why)),
            }
        }
        for (path, why) in left_out.iter().take(NAMED) {
            let path = shown_name(&scanner.redact(path)).into_owned();
            self.warn(format!("`{}` is left out: {why}", visible(&path)));
        }
        if left_out.len() > NAMED {
            self.warn(format!("{} more files are left out", left_out.len() - NAMED));
        }
        if beyond > 0 {
            let most = format!("at most {MOST_FILES} files and {} MB are read", MOST_BYTES >> 20);
            self.warn(format!("{beyond} files are left out: {most}; name fewer"));
        }
    }

    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.categories.keys().map(String::as_str)
    }

    pub(crate) fn has(&self, path: &str) -> bool {
        self.categories.contains_key(path)
    }

    /// Returns the category of a file that is read, or of one of the store.
    pub(crate) fn category_of<'c>(&self, path: &str, catalog: &'c Catalog) -> Option<&'c Category> {
        match self.categories.get(path) {
            Some(name) => catalog.named(name),
            None => catalog.owner_of(path),
        }
    }

    /// Lists the files for the index.
    pub(crate) fn list(&self) -> Listing {
        let listed = self.folder.as_ref().map(|folder| list_chosen(folder, self.paths()));
        let mut listing = listed.unwrap_or_default();
        listing.warnings.extend(self.warnings.iter().cloned());
        listing
    }

    /// Reads a file for the index; none if it is not one of these, or gone.
    pub(crate) fn contents(&self, path: &str) -> Option<Contents> {
        read(self.folder_of(path)?, path)
    }

    /// Returns the permissions of a file; none if it is not one of these.
    pub(crate) fn mode(&self, path: &str) -> Option<u32> {
        Some(files::mode(&self.folder_of(path)?.inside(path)))
    }

    /// Reads a file; none if it is not one of these.
    pub(crate) fn read(&self, path: &str) -> Option<Result<FileState>> {
        Some(files::read_memory(&self.folder_of(path)?.inside(path)))
    }

    fn folder_of(&self, path: &str) -> Option<&Folder> {
        self.folder.as_ref().filter(|_| self.has(path))
    }
}

/// Returns the size of a file that may be read.
fn size_of(
    folder: &Folder,
    path: &str,
    layout: &Layout,
    scanner: &Scanner,
) -> std::result::Result<u64, Unfit> {
    let left_out = |why: &str| Err(Unfit::LeftOut(why.to_owned()));
    if path.contains(char::REPLACEMENT_CHARACTER) {
        return left_out("its name is not UTF-8");
    }
    let seen = folder.inside(path).metadata().map_err(|error| match is_strange(&error) {
        true => Unfit::LeftOut(error.to_string()),
        false => Unfit::Gone,
    })?;
    if seen.kind != FileKind::File {
        return left_out(&format!("it is {}", seen.kind.name()));
    }
    if !scanner.scan(path).is_empty() {
        return left_out("its name looks like a secret");
    }
    if find_hidden(path).is_some() || path.contains(char::is_control) {
        return left_out("its name holds a hidden character");
    }
    match files::exists(&layout.inside(path)) {
        true => left_out("the store has a file of this name"),
        false => Ok(seen.size),
    }
}

/// Tells whether a path is that of Markdown outside of a store.
pub(crate) fn may_be_read(path: &str) -> bool {
    path.ends_with(".md") && !path.split('/').any(|part| part == STORE)
}

/// Returns the regular Markdown files below a folder that git tracks, without those of a store.
pub(crate) fn tracked_files(repository: &Repository, folder: &str) -> Result<BTreeSet<String>> {
    let git = repository.git();
    let below = git.named(folder);
    let below = below.trim_end_matches('/');
    let paths: &[&str] = if below.is_empty() { &[] } else { &["--", below] };
    let said = git.run(&[&["ls-files", "--stage", "-z"], paths].concat(), b"")?;
    let regular = |line: String| {
        // `MODE ID STAGE TAB PATH`, once for each side of a file that is not merged; a link has another mode.
        let (head, path) = line.split_once('\t')?;
        let path = git.inside(path).filter(|_| head.starts_with("100"))?;
        may_be_read(path).then(|| path.to_owned())
    };
    Ok(split_nul(&said).filter_map(regular).collect())
}
