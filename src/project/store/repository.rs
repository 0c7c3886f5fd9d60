//! Looks at the repository around the store: branch, person, evidence.

use std::path::{Path, PathBuf};

use super::Layout;
use super::blobs::{Blobs, short};
use super::cited::CitedFiles;
use super::out_of_sight::OutOfSight;
use crate::contract::{Answer, Reason, Refusal, Source, SourceType};
use crate::disk::outside;
use crate::error::Result;
use crate::git::{Found, Git, GitTime};
use crate::markdown::SourceNote;
use crate::project::pipeline::{Branch, Surroundings};
use crate::project::provenance::{Evidence, cited_file};

/// The repository that a store belongs to; it need not be one of git's.
#[derive(Debug, Clone)]
pub struct Repository {
    root: PathBuf,
    git: Git,
    out_of_sight: OutOfSight,
    blobs: Blobs,
}

/// The repository as it was when a proposal was made; evidence must still be there, but what it said
/// is what it said then.
#[derive(Debug)]
pub struct Recorded<'a> {
    /// The repository as it is.
    pub repository: &'a Repository,
    /// What was written down at that time, if it can be trusted.
    pub then: Option<Then<'a>>,
}

/// What a proposal was made on.
#[derive(Debug)]
pub struct Then<'a> {
    /// The branch at that time.
    pub branch: &'a str,
    /// The evidence at that time.
    pub notes: &'a [SourceNote],
}

impl Repository {
    /// Takes the repository around a store; cited files are relative to the folder that the store is in.
    pub fn of(layout: &Layout) -> Self {
        Self::at(layout.repository(), layout.git().seen_from(layout.repository()))
    }

    /// Takes the repository that a folder is in.
    pub fn around(folder: &Path, time: &GitTime) -> Self {
        Self::at(folder, Git::around(folder, time))
    }

    fn at(root: &Path, git: Git) -> Self {
        let (out_of_sight, blobs) = (OutOfSight::default(), Blobs::default());
        Self { root: root.to_path_buf(), git, out_of_sight, blobs }
    }

    /// Returns git, as it is seen from the folder that cited files are relative to.
    pub(super) fn git(&self) -> &Git {
        &self.git
    }

    /// Returns the root of the git work tree that a folder is in.
    pub fn find(folder: &Path) -> Option<PathBuf> {
        Git::around(folder, &GitTime::default()).top().map(Path::to_path_buf)
    }

    /// Tells whether the folder is in a git repository; where git refuses it, what it says is the error.
    pub fn is_git(&self) -> Result<bool> {
        Ok(self.git.find()? != Found::Nothing)
    }

    /// Tells whether some of what the commits hold may have been left out when the repository was cloned.
    pub fn is_partial(&self) -> Result<bool> {
        self.git.is_partial()
    }

    /// Returns git's `user.name`.
    pub fn user_name(&self) -> Result<Option<String>> {
        self.git.consult_line(&["config", "user.name"])
    }

    /// Looks up a file: there or not, and its blob id. Lines that it does not have are not there.
    fn look_up_file(&self, reference: &str) -> Evidence {
        let Some(cited) = cited_file(reference) else { return Evidence::Missing };
        self.file_today(cited.path).evidence(cited.last_line)
    }

    /// Tells whether a file or a folder is there, be it that a sparse checkout leaves it out.
    pub fn has(&self, path: &str) -> bool {
        outside::exists(&self.root.join(path)) || self.out_of_sight.leaves_out(&self.git, path)
    }

    /// Tells whether a file belongs to another repository, in a folder of this one.
    pub fn is_in_submodule(&self, path: &str) -> bool {
        self.out_of_sight.is_in_submodule(&self.git, path)
    }

    /// Looks at a file that can be cited.
    pub(super) fn file_today(&self, path: &str) -> FileToday {
        if self.is_in_submodule(path) {
            return FileToday::OutOfSight(IN_SUBMODULE);
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
        // A link that leads out of the repository is no evidence that others could look up; nor is one into memory, or
        // into what git keeps for itself.
        let path = outside::real_path(&self.root.join(name))?;
        let root = outside::real_path(&self.root)?;
        let inside = path.strip_prefix(&root).ok().and_then(Path::to_str);
        let is_citable = |inside: &&str| cited_file(inside).is_some_and(|it| it.path == *inside);
        let inside = inside.filter(is_citable).filter(|_| outside::is_plain(&path))?;
        if outside::length(&path) > LARGEST {
            return Some(FileToday::Here { lines: usize::MAX, blob: None });
        }
        let bytes = outside::read(&path).ok()??;
        Some(match self.blobs.id(&self.git, inside, &bytes) {
            Some(blob) => FileToday::Here { lines: count_lines(&bytes), blob: Some(blob) },
            None => FileToday::OutOfSight("git does not tell how it keeps its line ends"),
        })
    }

    /// Returns the first 12 hex digits of the id that git gives to a file on the disk.
    pub fn blob_on_disk(&self, path: &str) -> Option<String> {
        let place = self.root.join(path);
        if outside::length(&place) > LARGEST {
            // Nothing has that id: it is another file than any that was kept.
            return Some("0".repeat(12));
        }
        self.blobs.id(&self.git, path, &outside::read(&place).ok()??)
    }

    /// Reads the lines that a source names, with their numbers; the first of the file where it names none.
    pub fn read_cited(&self, reference: &str) -> Option<Vec<(usize, String)>> {
        let Evidence::Present(Some(_)) = self.look_up_file(reference) else { return None };
        let cited = cited_file(reference)?;
        let text = outside::read_text(&self.root.join(cited.path)).ok()??;
        let wanted = match cited.last_line {
            0 => 1..=SAMPLE,
            last => cited.first_line..=last,
        };
        let lines = text.lines().zip(1..).filter(|(_, number)| wanted.contains(number));
        Some(lines.map(|(line, number)| (number, line.to_owned())).collect())
    }

    /// Looks up commits; a name such as `HEAD` is brought to the id that it means today.
    fn look_up_commits(&self, references: &[&str]) -> Vec<Evidence> {
        if references.is_empty() {
            return Vec::new();
        }
        match self.git.find() {
            Ok(Found::Nothing) => return vec![Evidence::Unchecked; references.len()],
            Err(_) => return vec![Evidence::NotKnown("git refuses"); references.len()],
            Ok(Found::WorkTree | Found::Bare) => {}
        }
        // One name that git cannot stand, such as `HEAD@{999}`, ends the answer for all.
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

    /// Returns what it means that git does not have a commit. Where it cannot even read the last one, it lost others too.
    fn absent(&self) -> Evidence {
        match (self.git.is_partial(), self.git.last_commit()) {
            (Ok(true), _) => Evidence::NotKnown(PARTIAL),
            (Ok(false), Ok(_)) => Evidence::Missing,
            (Err(_), _) | (_, Err(_)) => Evidence::NotKnown(NO_ANSWER),
        }
    }

    /// Asks git once for the ids of many commits; nothing if it does not answer for all.
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

impl Surroundings for Repository {
    fn branch(&self) -> Answer<Branch> {
        self.branch_now().map_err(|error| {
            let message =
                format!("the branch, after which the file is named, is not known: {error}");
            Refusal::new(Reason::InvalidPath, message, error.next_step().unwrap_or(NO_BRANCH))
        })
    }

    fn evidence(&self, sources: &[Source]) -> Vec<Evidence> {
        let commits = sources.iter().filter(|source| source.kind == SourceType::Commit);
        let commits: Vec<&str> = commits.map(|source| source.reference.as_str()).collect();
        let mut commits = self.look_up_commits(&commits).into_iter();
        let files = CitedFiles::of(self);
        let look_up = |source: &Source| match source.kind {
            SourceType::File | SourceType::Test => files.look_up(&source.reference),
            SourceType::Commit => commits.next().expect("each of them was looked up"),
            SourceType::User
            | SourceType::Session
            | SourceType::Url
            | SourceType::External
            | SourceType::Inference => Evidence::Unchecked,
        };
        sources.iter().map(look_up).collect()
    }
}

impl Surroundings for Recorded<'_> {
    fn branch(&self) -> Answer<Branch> {
        match &self.then {
            Some(then) => Ok(Branch::named(then.branch)),
            None => self.repository.branch(),
        }
    }

    fn evidence(&self, sources: &[Source]) -> Vec<Evidence> {
        let notes = self.then.as_ref().map(|then| then.notes).unwrap_or_default();
        let noted = |source: &Source| {
            let is_it =
                |note: &&SourceNote| note.kind == source.kind && note.reference == source.reference;
            notes.iter().find(is_it)
        };
        let found = self.repository.evidence(sources).into_iter().zip(sources);
        let as_noted = |(found, source)| match (found, noted(source)) {
            (Evidence::Present(_), Some(note)) => Evidence::Present(note.blob.clone()),
            (found, _) => found,
        };
        found.map(as_noted).collect()
    }
}

/// A file that is cited, as it is now.
#[derive(Debug)]
pub(super) enum FileToday {
    /// It is not there.
    Gone,
    /// It cannot be told, and why: it is in a submodule, say, or a sparse checkout leaves it out.
    OutOfSight(&'static str),
    /// It is there.
    Here {
        lines: usize,
        /// Nothing for a file that is too large to be read.
        blob: Option<String>,
    },
}

impl FileToday {
    /// Says what a file is worth to who cites it up to a line.
    pub(super) fn evidence(&self, last_line: usize) -> Evidence {
        match self {
            Self::Gone => Evidence::Missing,
            Self::OutOfSight(why) => Evidence::NotKnown(why),
            Self::Here { lines, .. } if *lines < last_line => Evidence::Shorter(*lines),
            Self::Here { blob, .. } => Evidence::Present(blob.clone()),
        }
    }
}

/// Why it is not known whether a commit is there, or what a file says.
pub(super) const PARTIAL: &str = "partial clone";

/// Why it is not known whether a commit is there, where git fails or takes too long.
const NO_ANSWER: &str = "git does not answer";

/// Why a file in a submodule is not looked up.
const IN_SUBMODULE: &str = "it is in a submodule";

/// What to do where git has no advice.
const NO_BRANCH: &str = "look at `git status` in the repository";

/// Bytes beyond which a cited file is taken as it is, without reading it.
const LARGEST: u64 = 67_108_864;

/// Lines of a cited file that are shown where none are named.
const SAMPLE: usize = 40;

fn count_lines(bytes: &[u8]) -> usize {
    let ends = bytes.iter().filter(|byte| **byte == b'\n').count();
    ends + usize::from(bytes.last().is_some_and(|last| *last != b'\n'))
}
