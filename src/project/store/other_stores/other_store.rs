//! One other store: opened, its format checked, its files listed.

use super::copied::{CopiedFiles, open_copy};
use super::fitness::{why_unfit, why_unfit_path};
use super::format::why_not_known;
use super::index_path::IndexPath;
use super::lock_file::LockFile;
use super::place::{NoStore, store_at};
use crate::contract::FileState;
use crate::disk::{Folder, files};
use crate::error::Result;
use crate::git::Git;
use crate::index::{Contents, Listing, list, list_chosen, read};
use crate::project::config::{OtherPlace, StoreRule};
use crate::project::request::StoreName;
use crate::project::schema::Catalog;
use crate::project::store::layout::Layout;
use crate::project::store::sections::is_memory;
use crate::secrets::Scanner;

/// How many files are read at most.
const MOST_FILES: usize = 5_000;

/// How many bytes a file may have.
const MOST_BYTES: u64 = 1 << 20;

/// Another store; it is never written.
#[derive(Debug)]
pub(crate) struct OtherStore {
    pub(super) name: StoreName,
    /// What its sections are labelled with: its name, and the commit where it is known.
    pub(super) label: String,
    folder: Folder,
    pub(super) files: Vec<String>,
    /// Where it is a copy: what was fetched.
    copied: Option<CopiedFiles>,
}

/// Digits of a commit that are shown.
const SHORT: usize = 7;

/// What is needed to open one.
#[derive(Clone, Copy)]
pub(super) struct Opening<'a> {
    pub(super) layout: &'a Layout,
    pub(super) catalog: &'a Catalog,
    pub(super) scanner: &'a Scanner,
}

impl OtherStore {
    /// Opens a store; says why it is not read. `warnings` names its files that are left out.
    pub(super) fn open(
        rule: &StoreRule,
        with: Opening<'_>,
        warnings: &mut Vec<String>,
    ) -> Result<std::result::Result<Self, String>> {
        let place = match &rule.place {
            OtherPlace::Folder(place) => place,
            OtherPlace::Git { .. } => return Self::open_copy(rule, with, warnings),
        };
        let shown = place.as_str();
        let folder = match store_at(with.layout.repository(), place)? {
            Ok(folder) => folder,
            Err(NoStore::Gone) => return Ok(Err(format!("there is no store in `{shown}`"))),
            Err(NoStore::Unfit(why)) => return Ok(Err(format!("`{shown}` is not read: {why}"))),
        };
        let number = |folder: &Folder| folder.inside("").metadata().ok();
        let number = |folder: &Folder| number(folder).map(|seen| (seen.device, seen.inode));
        if number(&folder) == number(with.layout.folder()) {
            return Ok(Err(format!("`{shown}` is this store itself")));
        }
        let git = Git::around(folder.path(), with.layout.git_time());
        let commit = if git.is_there() { git.last_commit().ok().flatten() } else { None };
        let store = Self::labelled(rule.name.clone(), (folder, commit));
        store.checked(with, warnings)
    }

    /// Opens the copy of the commit that is pinned.
    fn open_copy(
        rule: &StoreRule,
        with: Opening<'_>,
        warnings: &mut Vec<String>,
    ) -> Result<std::result::Result<Self, String>> {
        let LockFile { lock, .. } = LockFile::read(with.layout)?;
        let Some(commit) = lock.commit_of(rule) else {
            let message = match lock.pins.iter().any(|pin| pin.name == rule.name) {
                true => "`read.lock` pins another address or revision of it",
                false => "no commit of it is pinned",
            };
            return Ok(Err(format!("{message}; a person runs `agent-memory read sync`")));
        };
        let Some((folder, copied)) = open_copy(with.layout, &rule.name, commit)? else {
            let short = &commit[..SHORT];
            let message = format!("its copy of {short} is not in this clone");
            return Ok(Err(format!("{message}; a person runs `agent-memory read sync`")));
        };
        let store = Self::labelled(rule.name.clone(), (folder, Some(commit.to_owned())));
        Self { copied: Some(copied), ..store }.checked(with, warnings)
    }

    fn labelled(name: StoreName, (folder, commit): (Folder, Option<String>)) -> Self {
        let label = match commit.as_deref().and_then(|commit| commit.get(..SHORT)) {
            Some(commit) => format!("{name}@{commit}"),
            None => name.to_string(),
        };
        Self { name, label, folder, files: Vec::new(), copied: None }
    }

    /// Checks the format of the store, and lists its files.
    fn checked(
        mut self,
        with: Opening<'_>,
        warnings: &mut Vec<String>,
    ) -> Result<std::result::Result<Self, String>> {
        let settings = self.folder.inside("config.toml");
        let text = files::read_text(&settings)?.unwrap_or_default();
        if let Some(why) = why_not_known(&text, &settings)? {
            return Ok(Err(format!("it is not read: {why}")));
        }
        let store = &mut self;
        let theirs = store.catalog()?;
        let listing = list(&store.folder, &is_memory)?;
        let is_untracked =
            |catalog: &Catalog, path: &str| catalog.owner_of(path).is_some_and(|it| !it.tracked);
        let said = listing.warnings.iter().map(|said| format!("{}: {said}", store.label));
        warnings.extend(said);
        for (path, _) in listing.files {
            // What git does not keep is the state of work elsewhere.
            if [with.catalog, &theirs].iter().any(|catalog| is_untracked(catalog, &path)) {
                continue;
            }
            if let Some(why) = why_unfit_path(&path, with.scanner) {
                warnings.push(format!("a file of {} is left out: {why}", store.label));
                continue;
            }
            store.files.push(path);
        }
        if store.files.len() > MOST_FILES {
            let beyond = store.files.len() - MOST_FILES;
            let said = format!("{beyond} files of {} are left out", store.label);
            warnings.push(format!("{said}: at most {MOST_FILES} are read"));
            store.files.truncate(MOST_FILES);
        }
        Ok(Ok(self))
    }

    /// Reads its categories, which say what git keeps.
    fn catalog(&self) -> Result<Catalog> {
        let folder = self.folder.inside("schemas");
        let mut schemas = Vec::new();
        for name in files::list(&folder)?.into_iter().filter(|name| name.ends_with(".toml")) {
            let path = folder.join(name);
            schemas.extend(files::read_text(&path)?.map(|text| (path.to_path_buf(), text)));
        }
        Catalog::parse(schemas.iter().map(|(path, text)| (path.as_path(), text.as_str())))
    }

    pub(super) fn has(&self, file: &str) -> bool {
        self.files.binary_search_by(|known| known.as_str().cmp(file)).is_ok()
    }

    /// Lists its files for the index.
    pub(super) fn list(&self) -> Listing {
        let mut listing = list_chosen(&self.folder, self.files.iter().map(String::as_str));
        for (path, _) in &mut listing.files {
            *path = IndexPath::of(&self.name, path);
        }
        listing
    }

    /// Reads a file for the index; none if it is gone. What is unfit has no text.
    pub(super) fn contents(&self, file: &str, scanner: &Scanner) -> Option<Contents> {
        let mut contents = read(&self.folder, file).filter(|_| self.has(file))?;
        if let Ok(text) = &contents.text
            && let Some(why) = self.why_left_out(file, text, scanner)
        {
            contents.text = Err(why.into());
        }
        Some(contents)
    }

    /// Reads a file; what is unfit is a value, not an error.
    pub(super) fn read(&self, file: &str, scanner: &Scanner) -> Result<FileState> {
        if !self.has(file) {
            return Ok(FileState::Absent);
        }
        Ok(match files::read_memory(&self.folder.inside(file))? {
            FileState::Text(text) => match self.why_left_out(file, &text, scanner) {
                Some(why) => FileState::Unusable(why),
                None => FileState::Text(text),
            },
            other => other,
        })
    }

    /// Returns the permissions of a file.
    pub(super) fn mode(&self, file: &str) -> u32 {
        files::mode(&self.folder.inside(file))
    }

    fn why_left_out(&self, file: &str, text: &str, scanner: &Scanner) -> Option<String> {
        if self.copied.as_ref().is_some_and(|copied| !copied.has(file, text.as_bytes())) {
            return Some("it is not what was fetched".to_owned());
        }
        match text.len() as u64 > MOST_BYTES {
            true => Some(format!("it has {} bytes, allowed are {MOST_BYTES}", text.len())),
            false => why_unfit(text, scanner),
        }
    }
}
