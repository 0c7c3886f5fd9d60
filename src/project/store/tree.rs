//! Reads files from git: of a commit, or staged.

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;
use std::sync::OnceLock;

use super::blobs::short;
use super::repository::PARTIAL;
use crate::error::{Error, ErrorKind, Result};
use crate::git::{self, Git, RepositoryKind};
use crate::project::check::{CitedChange, Content};

/// A work tree of git; all paths are relative to a folder in it.
#[derive(Debug, Clone)]
pub(crate) struct WorkTree {
    git: Git,
    is_shallow: OnceLock<bool>,
}

/// Files in git, each with its blob.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tree(BTreeMap<String, Blob>);

#[derive(Debug, Clone)]
struct Blob {
    id: String,
    kind: Kind,
    /// Whether it is one of several unmerged versions.
    is_unmerged: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    File,
    /// Git keeps only a commit id, and no files.
    Submodule,
    Other,
}

/// What a commit did to a file.
#[derive(Debug)]
pub(super) struct Event {
    pub(super) commit: String,
    pub(super) path: String,
    /// The blob before; zeros if there was none.
    pub(super) former: String,
    /// The blob after; zeros if it was removed.
    pub(super) blob: String,
}

/// The last commit about a path.
#[derive(Debug)]
pub(crate) struct LastChange {
    pub(crate) commit: String,
    pub(crate) author: String,
}

impl Event {
    pub(super) fn is_removal(&self) -> bool {
        self.blob.bytes().all(|digit| digit == b'0')
    }
}

impl Kind {
    fn of(mode: &str) -> Self {
        match mode.get(..3) {
            Some("100") => Self::File,
            Some("160") => Self::Submodule,
            Some(_) | None => Self::Other,
        }
    }
}

impl WorkTree {
    /// Returns `None` outside of a work tree. A repository that git refuses to read is an error: half of the rules
    /// would be silent.
    pub(super) fn of(git: Git) -> Result<Option<Self>> {
        Ok(match git.find()? {
            RepositoryKind::WorkTree => Some(Self { git, is_shallow: OnceLock::new() }),
            RepositoryKind::Nothing | RepositoryKind::Bare => None,
        })
    }

    /// Returns the path from the top to the folder: empty, or with `/` at its end.
    pub(crate) fn prefix(&self) -> &str {
        self.git.prefix()
    }

    /// Finds the commit at which the work on `HEAD` left a revision: later commits there are not part of it.
    pub(crate) fn base(&self, revision: &str) -> Result<String> {
        let commit = format!("{revision}^{{commit}}");
        let verify = ["rev-parse", "--verify", "--quiet", "--end-of-options", &commit];
        let id = match self.git.consult_line(&verify)? {
            Some(id) => id,
            // On a branch without a commit everything is new.
            None if revision == "HEAD" && self.git.last_commit()?.is_none() => {
                return self.git.run_line(&["hash-object", "-t", "tree", "--stdin"], b"");
            }
            None => {
                let message = format!("git knows no commit `{revision}`");
                let hint = match self.is_shallow()? {
                    true => {
                        "this clone is shallow: fetch all of the history (in CI `fetch-depth: 0`)"
                    }
                    false => {
                        "in CI, fetch the target branch with its history first (`fetch-depth: 0`)"
                    }
                };
                return Err(Error::new(ErrorKind::Usage, message).hint(hint));
            }
        };
        Ok(self.git.consult_line(&["merge-base", &id, "HEAD"])?.unwrap_or(id))
    }

    /// Lists the files of a commit below some paths.
    pub(crate) fn tree_of(&self, commit: &str, below: &[&str]) -> Result<Tree> {
        let listed =
            self.git.run_on(&["ls-tree", "-r", "-z", "--full-tree", commit, "--"], below, b"")?;
        Ok(self.read_tree(&listed, |head| {
            let mut words = head.split(' ');
            let (mode, _, id) = (words.next()?, words.next()?, words.next()?);
            Some((mode.to_owned(), id.to_owned(), 0))
        }))
    }

    /// Lists the staged files below some paths; for a conflict, our version.
    pub(crate) fn tree_staged(&self, below: &[&str]) -> Result<Tree> {
        let listed = self.git.run_on(&["ls-files", "--stage", "-z", "--"], below, b"")?;
        Ok(self.read_tree(&listed, |head| {
            let mut words = head.split(' ');
            let (mode, id, stage) = (words.next()?, words.next()?, words.next()?);
            Some((mode.to_owned(), id.to_owned(), stage.parse().ok()?))
        }))
    }

    /// Parses a list of `head TAB path NUL`; the head holds mode, id and stage.
    fn read_tree(
        &self,
        said: &[u8],
        understand: impl Fn(&str) -> Option<(String, String, u8)>,
    ) -> Tree {
        let mut files = BTreeMap::new();
        for line in git::split_nul(said) {
            let Some((head, path)) = line.split_once('\t') else { continue };
            let Some(path) = self.git.inside(path) else { continue };
            let Some((mode, id, stage)) = understand(head) else { continue };
            if matches!(stage, 0 | 2) || !files.contains_key(path) {
                let (kind, is_unmerged) = (Kind::of(&mode), stage > 0);
                files.insert(path.to_owned(), Blob { id, kind, is_unmerged });
            }
        }
        Tree(files)
    }

    /// Lists the files below a path that git neither tracks nor ignores.
    pub(crate) fn untracked(&self, below: &str) -> Result<BTreeSet<String>> {
        let list = ["ls-files", "--others", "--exclude-standard", "-z", "--"];
        let listed = self.git.run_on(&list, &[below], b"")?;
        Ok(self.git.listed_inside(&listed).collect())
    }

    pub(crate) fn is_shallow(&self) -> Result<bool> {
        if let Some(known) = self.is_shallow.get() {
            return Ok(*known);
        }
        let said = self.git.run_line(&["rev-parse", "--is-shallow-repository"], b"")?;
        Ok(*self.is_shallow.get_or_init(|| said == "true"))
    }

    pub(crate) fn is_partial(&self) -> Result<bool> {
        self.git.is_partial()
    }

    /// Reads the changes of some files, newest first.
    pub(crate) fn changes(&self, paths: &[&str]) -> Result<BTreeMap<String, Vec<CitedChange>>> {
        let mut changes: BTreeMap<String, Vec<CitedChange>> = BTreeMap::new();
        for Event { commit, path, blob, .. } in self.history(&[], paths)? {
            changes.entry(path).or_default().push(CitedChange { commit, blob });
        }
        Ok(changes)
    }

    /// Reads which commit gave a file which blob, newest first.
    pub(super) fn history(&self, options: &[&str], paths: &[&str]) -> Result<Vec<Event>> {
        if paths.is_empty() {
            return Ok(Vec::new());
        }
        let listed = match self.differences(options, paths) {
            // Before the first commit there is no history.
            Err(_) if self.git.last_commit()?.is_none() => return Ok(Vec::new()),
            // A partial clone without old trees cannot tell.
            Err(_) if self.is_partial()? => return Ok(Vec::new()),
            listed => listed?,
        };
        let text = String::from_utf8_lossy(&listed);
        let mut found = Vec::new();
        let (mut commit, mut parts) = (String::new(), text.split('\0').map(str::trim_start));
        while let Some(part) = parts.next() {
            let Some(raw) = part.strip_prefix(':') else {
                if !part.is_empty() {
                    commit = short(part.trim_end()).to_owned();
                }
                continue;
            };
            let words: Vec<&str> = raw.split(' ').collect();
            let Some(path) = parts.next() else { break };
            let Some(path) = self.git.inside(path) else { continue };
            if let [_, _, former, blob, ..] = words[..] {
                let (path, former, blob) = (path.to_owned(), former.to_owned(), blob.to_owned());
                found.push(Event { commit: commit.clone(), path, former, blob });
            }
        }
        Ok(found)
    }

    /// Returns the commit that gave a path its last text or took it away; a merge counts where its text is that of no parent.
    pub(crate) fn last_change_of(&self, path: &str) -> Result<Option<LastChange>> {
        let list = ["rev-list", "-1", "--format=%an", "HEAD", "--"];
        let said = match self.git.run_on(&list, &[path], b"") {
            Err(_) if self.git.last_commit()?.is_none() || self.is_partial()? => return Ok(None),
            said => said?,
        };
        let said = String::from_utf8_lossy(&said);
        let mut lines = said.lines();
        let commit = lines.next().and_then(|line| line.strip_prefix("commit "));
        let author = lines.next().unwrap_or_default().to_owned();
        Ok(commit.map(|commit| LastChange { commit: short(commit).to_owned(), author }))
    }

    fn differences(&self, options: &[&str], paths: &[&str]) -> Result<Vec<u8>> {
        let commits = self.git.run_on(&["rev-list", "HEAD", "--"], paths, b"")?;
        if commits.is_empty() {
            return Ok(commits);
        }
        let fixed = ["diff-tree", "--stdin", "-r", "--root", "-z", "--raw", "--no-abbrev"];
        let more = ["--no-renames", "--no-ext-diff", "--no-textconv"];
        self.git.run_on(&[&fixed[..], &more, options, &["--"]].concat(), paths, &commits)
    }

    /// Reads files of a tree, in the order of the paths.
    pub(crate) fn read(&self, tree: &Tree, paths: &[&str]) -> Result<Vec<Content>> {
        let blobs: Vec<Option<&Blob>> = paths.iter().map(|path| tree.0.get(*path)).collect();
        let files = blobs.iter().flatten().filter(|blob| blob.kind == Kind::File);
        let mut found = self.texts(files.map(|blob| blob.id.as_str()).collect())?.into_iter();
        let content = |blob: &Option<&Blob>| match blob {
            None => Content::Unreadable("it is gone".to_owned()),
            Some(blob) if blob.kind != Kind::File => {
                Content::Unreadable("it is a symbolic link or a submodule".to_owned())
            }
            Some(_) => {
                let text = found.next().flatten();
                text.unwrap_or_else(|| Content::Unreadable(self.why_no_text()))
            }
        };
        Ok(blobs.iter().map(content).collect())
    }

    /// Reads blobs; `None` for a missing one. One that is too large is not requested.
    fn texts(&self, ids: Vec<&str>) -> Result<Vec<Option<Content>>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let lines = |ids: &[&str]| ids.iter().map(|id| format!("{id}\n")).collect::<String>();
        let check = ["cat-file", "--batch-check=%(objectsize)"];
        let said = self.git.run(&check, lines(&ids).as_bytes())?;
        let said = String::from_utf8_lossy(&said).into_owned();
        let sizes =
            said.lines().map(|line| line.parse::<u64>().ok()).chain(std::iter::repeat(None));
        let found: Vec<_> = ids.into_iter().zip(sizes).collect();
        let fits = |size: &Option<u64>| size.is_some_and(|size| Content::fits(size).is_ok());
        let wanted: Vec<&str> =
            found.iter().filter(|(_, size)| fits(size)).map(|(id, _)| *id).collect();
        let said = match wanted.is_empty() {
            true => Vec::new(),
            false => self.git.run(&["cat-file", "--batch"], lines(&wanted).as_bytes())?,
        };
        let mut texts = said.as_slice();
        let text = |(_, size): (&str, Option<u64>)| match size.map(Content::fits) {
            None => Ok(None),
            Some(Err(too_large)) => Ok(Some(too_large)),
            Some(Ok(_)) => read_blob(&mut texts),
        };
        let texts: std::io::Result<Vec<_>> = found.into_iter().map(text).collect();
        texts.map_err(|cause| {
            Error::new(ErrorKind::Git, "git cat-file ended in the middle of a text").because(cause)
        })
    }

    fn why_no_text(&self) -> String {
        match self.is_partial() {
            Ok(true) => format!("its text is not known: {PARTIAL}"),
            Ok(false) => "git does not have its text".to_owned(),
            Err(error) => format!("its text is not known: {error}"),
        }
    }

    pub(super) fn blob(&self, id: &str) -> Result<Option<Content>> {
        Ok(self.texts(vec![id])?.pop().flatten())
    }

    pub(super) fn git(&self) -> &Git {
        &self.git
    }
}

impl Tree {
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    pub(crate) fn unmerged(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter(|(_, blob)| blob.is_unmerged).map(|(path, _)| path.as_str())
    }

    /// Tells whether a symbolic link or a submodule is at a path.
    pub(crate) fn is_link(&self, path: &str) -> bool {
        self.0.get(path).is_some_and(|blob| blob.kind != Kind::File)
    }

    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter(|(_, blob)| blob.kind == Kind::File).map(|(path, _)| path.as_str())
    }

    pub(crate) fn submodules(&self) -> impl Iterator<Item = &str> {
        let submodules = self.0.iter().filter(|(_, blob)| blob.kind == Kind::Submodule);
        submodules.map(|(path, _)| path.as_str())
    }

    /// Returns the files whose blob id begins with these 12 hex digits.
    pub(super) fn files_of<'t>(&'t self, blob: &'t str) -> impl Iterator<Item = &'t str> {
        let is_it = move |held: &Blob| held.kind == Kind::File && short(&held.id) == blob;
        self.0.iter().filter(move |(_, held)| is_it(held)).map(|(path, _)| path.as_str())
    }

    /// Returns the first 12 hex digits of the blob id.
    pub(crate) fn blob(&self, path: &str) -> Option<&str> {
        self.0.get(path).map(|blob| short(&blob.id))
    }
}

/// Reads the next text of `cat-file --batch`; `None` for a missing blob.
fn read_blob(said: &mut impl BufRead) -> std::io::Result<Option<Content>> {
    let mut head = String::new();
    said.read_line(&mut head)?;
    let size = head.trim_end().rsplit(' ').next().and_then(|size| size.parse::<usize>().ok());
    let Some(size) = size else { return Ok(None) };
    let mut bytes = vec![0; size + 1];
    said.read_exact(&mut bytes)?;
    // Git adds a line end to each text.
    bytes.pop();
    Ok(Some(Content::of(bytes)))
}
