//! Asks git which commit wrote a line, and reads the trailers of its message.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::layout::Layout;
use super::unexpected::refuse_to_confuse_git;
use crate::contract::{Moment, SectionId};
use crate::error::Result;
use crate::git::{Git, RepositoryKind};
use crate::project::request::{MemoryPath, ProposalId};

/// The trailer with the proposal.
pub(crate) const TRAILER: &str = "Agent-Memory-Proposal";

/// The trailer with the proposer.
pub(crate) const OWNER: &str = "Agent-Memory-Owner";

/// The trailer with the approver.
pub(crate) const APPROVER: &str = "Agent-Memory-Approver";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Commit {
    pub(crate) id: String,
    pub(crate) author: String,
    #[schemars(with = "String")]
    pub(crate) time: Moment,
    pub(crate) subject: String,
}

/// What a commit message says; any author can write that.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Trailers {
    author: String,
    /// The lines of the message that may name sections.
    body: String,
    pub(crate) proposal_id: Option<ProposalId>,
    pub(crate) owner: Option<String>,
    pub(crate) approver: Option<String>,
}

/// Which commits wrote the lines of a file in a commit.
#[derive(Debug, Default)]
pub(crate) struct Authorship {
    git: Option<Git>,
    blamed: Blamed,
    trailers: BTreeMap<String, Trailers>,
    /// The file in that commit, if it is there.
    pub(crate) head: Option<String>,
    /// Why git does not answer.
    pub(crate) unknown: Option<String>,
}

/// The result of `git blame`.
#[derive(Debug, Default)]
struct Blamed {
    /// The commit of each line.
    lines: Vec<String>,
    commits: BTreeMap<String, Commit>,
    /// The path of the file in each commit.
    names: BTreeMap<String, String>,
    /// The position of each commit, children first: the times of commits are not reliable.
    order: BTreeMap<String, usize>,
    /// Commits at the end of a shallow history: git gives them all older lines.
    ends: Vec<String>,
}

const CUT_OFF: &str = "it may be older than the history that this shallow clone has";

const UNORDERED: &str = "git does not tell which of several commits is the newest";

impl Authorship {
    /// Asks about the last commit.
    pub(crate) fn of(layout: &Layout, path: &MemoryPath) -> Result<Self> {
        Self::up_to(layout, path, None)
    }

    /// Asks about a commit.
    pub(crate) fn at(layout: &Layout, path: &MemoryPath, commit: &str) -> Result<Self> {
        Self::up_to(layout, path, Some(commit))
    }

    fn up_to(layout: &Layout, path: &MemoryPath, commit: Option<&str>) -> Result<Self> {
        refuse_to_confuse_git(layout)?;
        let mut authorship = Self::default();
        let git = layout.git();
        if !git.is_there() {
            return Ok(authorship);
        }
        if let Err(error) = authorship.ask(git, &git.named(path.as_str()), commit) {
            authorship = Self { unknown: Some(error.with_next_step()), ..Self::default() };
        }
        Ok(Self { git: Some(git.clone()), ..authorship })
    }

    fn ask(&mut self, git: &Git, path: &str, commit: Option<&str>) -> Result<()> {
        if git.find()? == RepositoryKind::Nothing {
            return Ok(());
        }
        let named = commit.map(|commit| Ok(Some(commit.to_owned())));
        let Some(head) = named.unwrap_or_else(|| git.last_commit())? else { return Ok(()) };
        // A missing object, as in a partial clone, is an error, and not a missing file.
        let entry = git.run_line(&["ls-tree", "--full-tree", &head, path], b"")?;
        if entry.is_empty() {
            return Ok(());
        }
        let text = git.run(&["cat-file", "blob", &format!("{head}:{path}")], b"")?;
        let settings = ["-c", "blame.ignoreRevsFile=", "-c", "core.quotePath=false"];
        let blame = ["blame", "--porcelain", "--no-textconv", "--encoding=UTF-8"];
        let said = git.run(&[&settings[..], &blame, &[&head, "--", path]].concat(), b"")?;
        self.blamed = read(&String::from_utf8_lossy(&said));
        // Without the order it is not known which of several commits is the newest.
        self.blamed.order = order(git, &head, &self.blamed).unwrap_or_default();
        self.trailers = Trailers::of(git, self.blamed.commits.keys().map(String::as_str))?;
        for (id, commit) in &mut self.blamed.commits {
            // `git blame` applies a `.mailmap` of the repository to the name.
            if let Some(said) = self.trailers.get(id) {
                commit.author.clone_from(&said.author);
            }
        }
        if !self.blamed.ends.is_empty() {
            let is_shallow = git.consult_line(&["rev-parse", "--is-shallow-repository"])?;
            if is_shallow.as_deref() != Some("true") {
                self.blamed.ends.clear();
            }
        }
        self.head = String::from_utf8(text).ok();
        Ok(())
    }

    /// Returns the newest commit of some lines, numbered from 1, or why it is not known.
    pub(crate) fn of_lines(
        &self,
        lines: std::ops::Range<usize>,
    ) -> std::result::Result<Option<&Commit>, &'static str> {
        match self.blamed.newest(lines)? {
            Some(commit) if self.blamed.ends.contains(&commit.id) => Err(CUT_OFF),
            found => Ok(found),
        }
    }

    /// Returns the trailers of a commit, if they are about a section.
    pub(crate) fn said_by(
        &self,
        commit: &Commit,
        section: Option<&SectionId>,
    ) -> Option<&Trailers> {
        let (git, name) = (self.git.as_ref()?, self.blamed.names.get(&commit.id)?);
        let trailers = self.trailers.get(&commit.id).filter(|said| said.proposal_id.is_some())?;
        let place = git.inside(name).map(|file| match section {
            Some(id) => format!("{file}#{id}"),
            None => file.to_owned(),
        });
        trailers.speak_of(place.as_deref()).then_some(trailers)
    }

    /// Returns the file in a commit, if known.
    pub(crate) fn text_in(&self, commit: &Commit) -> Option<String> {
        let (git, name) = (self.git.as_ref()?, self.blamed.names.get(&commit.id)?);
        git.text_in(&commit.id, name).ok()?
    }
}

impl Trailers {
    pub(super) fn of<'i>(
        git: &Git,
        ids: impl Iterator<Item = &'i str>,
    ) -> Result<BTreeMap<String, Self>> {
        let ids: Vec<&str> = ids.collect();
        if ids.is_empty() {
            return Ok(BTreeMap::new());
        }
        let trailer = |key| format!("%(trailers:key={key},valueonly,unfold,separator=%x02)");
        let format = [TRAILER, OWNER, APPROVER].map(trailer).join("%x01");
        let format = format!("--format=%H%x01%an%x01{format}%x01%b");
        let settings = ["-c", "trailer.separators=:"];
        let plain = ["log", "-z", "--no-walk=unsorted", "--no-show-signature", "-s"];
        let log = [&plain[..], &["--encoding=UTF-8", &format]].concat();
        let said = git.run(&[&settings[..], &log, &ids].concat(), b"")?;
        Ok(String::from_utf8_lossy(&said).split('\0').filter_map(Self::read).collect())
    }

    fn read(message: &str) -> Option<(String, Self)> {
        let mut fields = message.splitn(6, '\u{1}');
        let (id, author, ids) = (fields.next()?, fields.next()?.to_owned(), fields.next()?);
        let last = |names: Option<&str>| {
            let name = names?.rsplit('\u{2}').next()?.trim();
            (!name.is_empty()).then(|| name.to_owned())
        };
        let proposal_id = ids.rsplit('\u{2}').find_map(ProposalId::parse);
        let (owner, approver) = (last(fields.next()), last(fields.next()));
        let body = fields.next().unwrap_or_default().to_owned();
        Some((id.trim_start().to_owned(), Self { author, body, proposal_id, owner, approver }))
    }

    /// Tells whether the message is about a section. Lines such as `added decisions.md#tokens` limit it to the named
    /// ones.
    fn speak_of(&self, place: Option<&str>) -> bool {
        let is_word = |word: &str| word.bytes().all(|byte| byte.is_ascii_lowercase());
        let named = |line| match str::split_once(line, ' ') {
            Some((word, place)) if is_word(word) && !place.contains(' ') => Some(place),
            _ => None,
        };
        let is_file =
            |place: &&str| place.split('#').next().is_some_and(|file| file.ends_with(".md"));
        let mut named = self.body.lines().filter_map(named).filter(is_file).peekable();
        named.peek().is_none() || named.any(|named| Some(named) == place)
    }
}

impl Blamed {
    fn newest(
        &self,
        lines: std::ops::Range<usize>,
    ) -> std::result::Result<Option<&Commit>, &'static str> {
        let lines = lines.filter_map(|line| self.lines.get(line.checked_sub(1)?));
        let ids: BTreeSet<&String> = lines.collect();
        let mut newest = ids.first().copied();
        if ids.len() > 1 {
            let places: Option<Vec<_>> =
                ids.iter().map(|id| Some((self.order.get(*id)?, *id))).collect();
            newest = places.ok_or(UNORDERED)?.into_iter().min().map(|(_, id)| id);
        }
        Ok(newest.and_then(|id| self.commits.get(id)))
    }
}

/// Returns the position of each commit, children first.
fn order(git: &Git, head: &str, blamed: &Blamed) -> Result<BTreeMap<String, usize>> {
    if blamed.commits.len() < 2 {
        return Ok(BTreeMap::new());
    }
    let names: BTreeSet<&str> = blamed.names.values().map(String::as_str).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let list = ["rev-list", "--topo-order", "--full-history", head, "--"];
    let said = git.run(&[&list[..], &names].concat(), b"")?;
    let ids = String::from_utf8_lossy(&said);
    Ok(ids.lines().enumerate().map(|(at, id)| (id.to_owned(), at)).collect())
}

/// Parses the output of `git blame --porcelain`.
fn read(text: &str) -> Blamed {
    let mut blamed = Blamed::default();
    let mut id = String::new();
    for line in text.split('\n') {
        if line.starts_with('\t') {
            blamed.lines.push(id.clone());
            continue;
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let commit = blamed.commits.get_mut(&id);
        match (word, commit) {
            ("boundary", Some(_)) => blamed.ends.push(id.clone()),
            ("author", Some(commit)) => rest.clone_into(&mut commit.author),
            ("summary", Some(commit)) => rest.clone_into(&mut commit.subject),
            ("committer-time", Some(commit)) => {
                commit.time = Moment::from_unix(rest.parse().unwrap_or_default());
            }
            ("filename", Some(_)) => {
                blamed.names.insert(id.clone(), rest.to_owned());
            }
            _ if word.len() >= 40 && word.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
                word.clone_into(&mut id);
                blamed.commits.entry(id.clone()).or_insert_with(|| Commit::unknown(word));
            }
            _ => {}
        }
    }
    blamed
}

impl Commit {
    fn unknown(id: &str) -> Self {
        let (author, subject) = (String::new(), String::new());
        Self { id: id.to_owned(), author, time: Moment::from_unix(0), subject }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "1111111111111111111111111111111111111111";
    const TWO: &str = "2222222222222222222222222222222222222222";

    #[test]
    fn the_newest_commit_of_some_lines_is_found() {
        let text = format!(
            "{ONE} 1 1 1\nauthor Ada\ncommitter-time 100\nsummary first\nfilename a.md\n\t# A\n\
             {TWO} 2 2 1\nauthor Bo\ncommitter-time 200\nsummary second\nfilename b.md\n\tauthor of a line\n\
             {ONE} 2 3\n\tlast\n"
        );
        let mut blamed = read(&text);
        assert!(blamed.newest(1..4).is_err(), "nobody knows their order");
        blamed.order = [(TWO.to_owned(), 0), (ONE.to_owned(), 1)].into();
        let check = |lines, expected: Option<&str>| {
            let newest = blamed.newest(lines);
            let newest = newest.expect("their order is known");
            assert_eq!(newest.map(|commit| commit.subject.as_str()), expected);
        };
        check(1..2, Some("first"));
        check(1..4, Some("second"));
        check(3..5, Some("first"));
        check(4..5, None);
        assert_eq!(blamed.names[TWO], "b.md");
    }
}
