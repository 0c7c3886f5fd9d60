//! Fetches another store with git, and checks it before it is used.

use std::collections::BTreeMap;
use std::path::Path;

use super::fitness::{why_unfit, why_unfit_path};
use super::format::why_not_known;
use crate::error::{Error, ErrorKind, Result};
use crate::git::{FetchDepth, Git, GitTime};
use crate::project::check::Content;
use crate::project::config::{GitAddress, Revision, is_commit};
use crate::project::schema::Catalog;
use crate::project::store::layout::STORE;
use crate::project::store::scratch::ScratchRepository;
use crate::project::store::sections::is_memory;
use crate::project::store::tree::{Tree, WorkTree};
use crate::secrets::Scanner;

/// A store as a commit has it, without the files that are unfit.
#[derive(Debug)]
pub(crate) struct FetchedStore {
    pub(crate) commit: String,
    /// Paths in the store, with their bytes.
    pub(crate) files: Vec<(String, Vec<u8>)>,
    /// What is left out, and why.
    pub(crate) warnings: Vec<String>,
}

const MOST_FILES: usize = 5_000;

const MOST_BYTES: usize = 50 << 20;

const MOST_BYTES_OF_FILE: usize = 1 << 20;

/// Fetches a revision, or the commit that is pinned; says why what was fetched is no store that can be read.
pub(crate) fn fetch_store(
    (address, revision): (&GitAddress, &Revision),
    pinned: Option<&str>,
    scanner: &Scanner,
) -> Result<std::result::Result<FetchedStore, String>> {
    let scratch = ScratchRepository::make(&[])?;
    let git = Git::around(scratch.folder(), &GitTime::default());
    let commit = fetch(&git, address.as_str(), revision.as_str(), pinned)?;
    if !is_commit(&commit) {
        return Ok(Err("git names no commit".to_owned()));
    }
    let Some(tree) = WorkTree::of(git)? else {
        return Err(Error::new(ErrorKind::Git, "git cannot read what it fetched"));
    };
    let listed = tree.tree_of(&commit, &[STORE])?;
    let mut fetched = FetchedStore { commit, files: Vec::new(), warnings: Vec::new() };
    let wanted = match fetched.choose(&listed) {
        Ok(wanted) => wanted,
        Err(why) => return Ok(Err(why)),
    };
    if wanted.is_empty() {
        return Ok(Err(format!("it has no `{STORE}` at its top")));
    }
    if wanted.len() > MOST_FILES {
        return Ok(Err(format!("it has {} files, at most {MOST_FILES} are read", wanted.len())));
    }
    let contents = wanted.iter().zip(tree.read(&listed, &wanted)?);
    for (path, content) in contents {
        fetched.take(&path[STORE.len() + 1..], content, scanner);
    }
    if fetched.files.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() > MOST_BYTES {
        return Ok(Err(format!("it has more than {} MB", MOST_BYTES >> 20)));
    }
    Ok(match fetched.why_not_read()? {
        Some(why) => Err(why),
        None => Ok(fetched),
    })
}

/// Some servers give no commit by its id: then its revision is fetched with all of its history.
fn fetch(git: &Git, address: &str, revision: &str, pinned: Option<&str>) -> Result<String> {
    let Some(commit) = pinned else { return git.fetch(address, revision, FetchDepth::One) };
    if git.fetch(address, commit, FetchDepth::One).is_ok() {
        return Ok(commit.to_owned());
    }
    git.fetch(address, revision, FetchDepth::All)?;
    match git.commit_of(commit)? {
        Some(_) => Ok(commit.to_owned()),
        None => {
            let message = format!("`{revision}` does not hold the commit that is pinned, {commit}");
            let hint = "`agent-memory read sync --update` pins the one that it has now";
            Err(Error::new(ErrorKind::Git, message).hint(hint))
        }
    }
}

fn is_wanted(path: &str) -> bool {
    let is_schema = |rest: &str| rest.ends_with(".toml") && !rest.contains('/');
    path == "config.toml" || path.strip_prefix("schemas/").is_some_and(is_schema) || is_memory(path)
}

impl FetchedStore {
    fn leave_out(&mut self, path: &str, why: &str) {
        self.warnings.push(format!("`{path}` is left out: {why}"));
    }

    /// Chooses the files that a store is read from; links are left out.
    fn choose<'t>(&mut self, listed: &'t Tree) -> std::result::Result<Vec<&'t str>, String> {
        let mut wanted = Vec::new();
        for path in listed.paths() {
            let inside = path.strip_prefix(STORE).and_then(|rest| rest.strip_prefix('/'));
            let Some(inside) = inside else {
                return Err(format!("`{STORE}` is a link or a file there"));
            };
            if listed.is_link(path) {
                self.leave_out(inside, "it is a symbolic link or a submodule");
            } else if is_wanted(inside) {
                wanted.push(path);
            }
        }
        Ok(wanted)
    }

    /// Takes a file that is fit.
    fn take(&mut self, path: &str, content: Content, scanner: &Scanner) {
        let bytes = match content {
            Content::Bytes(bytes) if bytes.len() <= MOST_BYTES_OF_FILE => bytes,
            Content::Bytes(_) | Content::TooLarge(_) => {
                return self.leave_out(path, "it is too large");
            }
            Content::Unreadable(why) => return self.leave_out(path, &why),
        };
        if let Some(why) = why_unfit_path(path, scanner) {
            return self.warnings.push(format!("a file is left out: {why}"));
        }
        match std::str::from_utf8(&bytes).map(|text| why_unfit(text, scanner)) {
            Ok(None) => self.files.push((path.to_owned(), bytes)),
            Ok(Some(why)) => self.leave_out(path, &why),
            Err(_) => self.leave_out(path, "it is not UTF-8"),
        }
    }

    /// Checks the format and the schemas.
    fn why_not_read(&self) -> Result<Option<String>> {
        let texts = self
            .files
            .iter()
            .filter_map(|(path, bytes)| Some((path.as_str(), std::str::from_utf8(bytes).ok()?)));
        let texts: BTreeMap<&str, &str> = texts.collect();
        let config = texts.get("config.toml").copied().unwrap_or_default();
        if let Some(why) = why_not_known(config, Path::new("config.toml"))? {
            return Ok(Some(why));
        }
        let schemas = texts.iter().filter(|(path, _)| path.starts_with("schemas/"));
        let read = Catalog::parse(schemas.map(|(path, text)| (Path::new(path), *text)));
        Ok(read.err().map(|error| error.to_string()))
    }
}
