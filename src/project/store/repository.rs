//! Reads the repository around the store: branch, person, evidence.

use std::path::{Path, PathBuf};

use super::blob_texts::LARGEST_TEXT;
use super::blobs::{Blobs, is_converted, short};
use super::layout::Layout;
use super::out_of_sight::OutOfSight;
use crate::contract::is_date;
use crate::disk::outside;
use crate::error::Result;
use crate::git::{Git, GitTime, RepositoryKind, work_trees};
use crate::project::provenance::{Evidence, cited_file};

/// The repository of a store, with or without git.
#[derive(Debug, Clone)]
pub(crate) struct Repository {
    root: PathBuf,
    git: Git,
    out_of_sight: OutOfSight,
    blobs: Blobs,
}

impl Repository {
    /// Cited files are relative to the parent folder of the store.
    pub(crate) fn of(layout: &Layout) -> Self {
        Self::at(layout.repository(), layout.git().seen_from(layout.repository()))
    }

    pub(crate) fn around(folder: &Path, time: &GitTime) -> Self {
        Self::at(folder, Git::around(folder, time))
    }

    fn at(root: &Path, git: Git) -> Self {
        let (out_of_sight, blobs) = (OutOfSight::default(), Blobs::default());
        Self { root: root.to_path_buf(), git, out_of_sight, blobs }
    }

    /// Cited files are relative to it.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn git(&self) -> &Git {
        &self.git
    }

    /// Returns the top of the work tree around a folder.
    pub(crate) fn find(folder: &Path) -> Option<PathBuf> {
        Git::around(folder, &GitTime::default()).top().map(Path::to_path_buf)
    }

    /// Tells whether there is a git repository; a refusal of git is the error.
    pub(crate) fn is_git(&self) -> Result<bool> {
        Ok(self.git.find()? != RepositoryKind::Nothing)
    }

    /// Returns the work trees of a bare repository, in or above whose folder this is; `None` where git has a work tree
    /// here, or no repository.
    pub(crate) fn work_trees_elsewhere(&self) -> Result<Option<Vec<PathBuf>>> {
        // The folder of a bare repository has no `.git` by which git is found.
        let is_bare = |folder: &&Path| {
            ["HEAD", "objects", "refs"].iter().all(|name| outside::exists(&folder.join(name)))
        };
        Ok(match self.git.find()? {
            RepositoryKind::WorkTree => None,
            RepositoryKind::Bare => {
                Some(self.git.folder().map(|git| work_trees(&git.common)).unwrap_or_default())
            }
            RepositoryKind::Nothing => self.root.ancestors().find(is_bare).map(work_trees),
        })
    }

    pub(crate) fn is_partial(&self) -> Result<bool> {
        self.git.is_partial()
    }

    pub(crate) fn user_name(&self) -> Result<Option<String>> {
        self.git.consult_line(&["config", "user.name"])
    }

    /// Returns the editor that git would open.
    pub(crate) fn editor(&self) -> Result<Option<String>> {
        self.git.consult_line(&["var", "GIT_EDITOR"])
    }

    /// Returns what people call the project: the last part of the address of `origin`, without `.git`; where there is none,
    /// the name of the root folder.
    pub(crate) fn project_name(&self) -> Result<Option<String>> {
        let origin = self.git.consult_line(&["config", "remote.origin.url"])?;
        let of_origin = origin.as_deref().and_then(last_part);
        let of_folder = || self.root.file_name().and_then(|name| name.to_str());
        Ok(of_origin.or_else(of_folder).map(str::to_owned))
    }

    /// Tells whether a path exists, or a sparse checkout leaves it out.
    pub(crate) fn has(&self, path: &str) -> bool {
        outside::exists(&self.root.join(path)) || self.out_of_sight.leaves_out(&self.git, path)
    }

    pub(crate) fn is_in_submodule(&self, path: &str) -> bool {
        self.out_of_sight.is_in_submodule(&self.git, path)
    }

    /// Reads a cited file.
    pub(super) fn file_today(&self, path: &str) -> FileToday {
        if self.is_in_submodule(path) {
            return FileToday::OutOfSight("it is in a submodule");
        }
        if outside::exists(&self.root.join(path)) {
            return self.read_today(path).unwrap_or(FileToday::Gone);
        }
        match self.out_of_sight.leaves_out(&self.git, path) {
            true => FileToday::OutOfSight("sparse checkout"),
            false => FileToday::Gone,
        }
    }

    fn read_today(&self, name: &str) -> Option<FileToday> {
        let CitablePlace { path, inside } = self.citable(name)?;
        if outside::length(&path) > LARGEST_CITED {
            return Some(FileToday::Here { lines: usize::MAX, blob: None });
        }
        let bytes = outside::read(&path).ok()??;
        Some(match self.blobs.id(&self.git, &inside, &bytes) {
            Some(blob) => FileToday::Here { lines: count_lines(&bytes), blob: Some(blob) },
            None => FileToday::OutOfSight("git does not tell how it stores the file"),
        })
    }

    /// Reads a cited file in which lines are looked for; none if it is too large, or git stores another text.
    pub(super) fn text_today(&self, name: &str) -> Option<Vec<u8>> {
        let CitablePlace { path, inside } = self.citable(name)?;
        if outside::length(&path) > LARGEST_TEXT as u64 || is_converted(&self.git, &inside) {
            return None;
        }
        outside::read(&path).ok()?
    }

    /// Finds a cited file. A link out of the repository, into memory or into git's folder is no evidence that others could
    /// check.
    fn citable(&self, name: &str) -> Option<CitablePlace> {
        let path = outside::real_path(&self.root.join(name))?;
        let root = outside::real_path(&self.root)?;
        let inside = path.strip_prefix(&root).ok().and_then(Path::to_str);
        let is_citable = |inside: &&str| cited_file(inside).is_some_and(|it| it.path == *inside);
        let inside = inside.filter(is_citable).filter(|_| outside::is_plain(&path))?.to_owned();
        Some(CitablePlace { path, inside })
    }

    /// Returns the first 12 hex digits of the blob id of a file on the disk.
    pub(crate) fn blob_on_disk(&self, path: &str) -> Option<String> {
        let place = self.root.join(path);
        if outside::length(&place) > LARGEST_CITED {
            // No file has this id: it differs from every committed version.
            return Some("0".repeat(12));
        }
        self.blobs.id(&self.git, path, &outside::read(&place).ok()??)
    }

    /// Returns the day of the commit that brought a file, under whatever name; none where the history does not reach so far.
    pub(crate) fn first_commit_day(&self, path: &str) -> Option<String> {
        if !self.git.is_there() {
            return None;
        }
        let is_cut = self.git.consult_line(&["rev-parse", "--is-shallow-repository"]).ok()??;
        if is_cut != "false" {
            return None;
        }
        let named = self.git.named(path);
        let asked = ["log", "--follow", "--diff-filter=A", "--format=%as", "--", named.as_str()];
        let said = self.git.consult(&asked).ok()??;
        let days = String::from_utf8(said).ok()?;
        days.lines().rfind(|day| is_date(day)).map(str::to_owned)
    }

    /// Reads the numbered lines that a source names; the first ones of the file if it names none.
    pub(crate) fn read_cited(&self, reference: &str) -> Option<Vec<(usize, String)>> {
        let cited = cited_file(reference)?;
        let evidence = self.file_today(cited.path).evidence(cited.last_line);
        let Evidence::Present(Some(_)) = evidence else { return None };
        let text = outside::read_text(&self.root.join(cited.path)).ok()??;
        let wanted = match cited.last_line {
            0 => 1..=SAMPLE,
            last => cited.first_line..=last,
        };
        let lines = text.lines().zip(1..).filter(|(_, number)| wanted.contains(number));
        Some(lines.map(|(line, number)| (number, line.to_owned())).collect())
    }

    /// Looks up commits; a name such as `HEAD` becomes its current id.
    pub(super) fn look_up_commits(&self, references: &[&str]) -> Vec<Evidence> {
        if references.is_empty() {
            return Vec::new();
        }
        match self.git.find() {
            Ok(RepositoryKind::Nothing) => return vec![Evidence::Unchecked; references.len()],
            Err(_) => return vec![Evidence::NotKnown("git refuses"); references.len()],
            Ok(RepositoryKind::WorkTree | RepositoryKind::Bare) => {}
        }
        // One invalid name, such as `HEAD@{999}`, ends the answer for all.
        let alone = || references.iter().map(|name| self.git.commit_of(name)).collect();
        let ids = self.ids_of(references).unwrap_or_else(alone);
        let absent = if ids.iter().any(|id| matches!(id, Ok(None))) {
            self.absent()
        } else {
            Evidence::Missing
        };
        let found = |(id, reference): (Result<Option<String>>, &&str)| match id {
            Ok(Some(id)) if id.starts_with(reference) => Evidence::Present(None),
            Ok(Some(id)) => Evidence::Present(Some(short(&id).to_owned())),
            Ok(None) => absent.clone(),
            Err(_) => Evidence::NotKnown(NO_ANSWER),
        };
        ids.into_iter().zip(references).map(found).collect()
    }

    /// Returns what a missing commit means. If git cannot read the last one, it may have lost others.
    fn absent(&self) -> Evidence {
        match (self.git.is_partial(), self.git.last_commit()) {
            (Ok(true), _) => Evidence::NotKnown(PARTIAL),
            (Ok(false), Ok(_)) => Evidence::Missing,
            (Err(_), _) | (_, Err(_)) => Evidence::NotKnown(NO_ANSWER),
        }
    }

    /// Asks git once for the ids of all commits; `None` if the answer is not complete.
    fn ids_of(&self, references: &[&str]) -> Option<Vec<Result<Option<String>>>> {
        let names: Vec<String> = references.iter().map(|it| format!("{it}^{{commit}}")).collect();
        let arguments = ["cat-file", "--batch-check=%(objectname)"];
        let said = self.git.run(&arguments, (names.join("\n") + "\n").as_bytes()).ok()?;
        let is_id = |line: &&str| line.bytes().all(|byte| byte.is_ascii_hexdigit());
        let said = String::from_utf8_lossy(&said);
        let id = |line| Ok(Some(line).filter(is_id).map(str::to_owned));
        let ids = said.lines().map(id).collect();
        Some(ids).filter(|ids: &Vec<_>| ids.len() == names.len())
    }
}

/// Where a cited file is, behind all links.
struct CitablePlace {
    path: PathBuf,
    /// Relative to the root.
    inside: String,
}

/// A cited file as it is now.
#[derive(Debug)]
pub(super) enum FileToday {
    Gone,
    /// Unknown, and why, such as in a submodule or left out by a sparse checkout.
    OutOfSight(&'static str),
    Here {
        lines: usize,
        /// `None` for a file that is too large to read.
        blob: Option<String>,
    },
}

impl FileToday {
    /// Returns the evidence for a citation up to a line.
    pub(super) fn evidence(&self, last_line: usize) -> Evidence {
        match self {
            Self::Gone => Evidence::Missing,
            Self::OutOfSight(why) => Evidence::NotKnown(why),
            Self::Here { lines, .. } if *lines < last_line => Evidence::Shorter(*lines),
            Self::Here { blob, .. } => Evidence::Present(blob.clone()),
        }
    }
}

/// Why a commit or a file is unknown.
pub(super) const PARTIAL: &str = "partial clone";

const NO_ANSWER: &str = "git does not answer";

/// The hint if git has none.
pub(super) const NO_BRANCH: &str = "look at `git status` in the repository";

/// Bytes beyond which a cited file is not read.
const LARGEST_CITED: u64 = 67_108_864;

/// Lines of a cited file to show if none are named.
const SAMPLE: usize = 40;

/// Returns the last part of an address such as `https://host/team/shop.git` or `host:team/shop`.
fn last_part(address: &str) -> Option<&str> {
    let address = address.trim_end_matches('/');
    let name = address.strip_suffix(".git").unwrap_or(address).trim_end_matches('/');
    name.rsplit(['/', '\\', ':']).next().filter(|name| !name.is_empty())
}

fn count_lines(bytes: &[u8]) -> usize {
    let ends = bytes.iter().filter(|byte| **byte == b'\n').count();
    ends + usize::from(bytes.last().is_some_and(|last| *last != b'\n'))
}
