//! Asks git which commit brought a line, and what the message of a commit says of a proposal.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::Layout;
use super::strangers::refuse_to_confuse_git;
use crate::contract::{MemoryPath, Moment, ProposalId, SectionId};
use crate::error::Result;
use crate::git::{Found, Git};

/// The line of a commit message that names the proposal which it holds.
pub const TRAILER: &str = "Agent-Memory-Proposal";

/// The line that names who proposed it.
pub const OWNER: &str = "Agent-Memory-Owner";

/// The line that names who approved it.
pub const APPROVER: &str = "Agent-Memory-Approver";

/// A commit of git.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Commit {
    /// Its id.
    pub id: String,
    /// Who wrote it.
    pub author: String,
    /// When it was made.
    pub time: Moment,
    /// The first line of its message.
    pub subject: String,
}

/// What a commit says of itself, and of a proposal. Anybody can write that.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trailers {
    /// Who wrote the commit, as it says itself.
    author: String,
    /// Its lines besides the first and the trailers, which name the sections.
    body: String,
    /// The proposal.
    pub proposal_id: Option<ProposalId>,
    /// Who proposed it.
    pub owner: Option<String>,
    /// Who approved it.
    pub approver: Option<String>,
}

/// Which commits brought the lines that a file has in the last commit.
#[derive(Debug, Default)]
pub struct Authorship {
    git: Option<Git>,
    blamed: Blamed,
    trailers: BTreeMap<String, Trailers>,
    /// The file in the last commit; none where it is in none.
    pub head: Option<String>,
    /// Why git does not tell, in its words.
    pub unknown: Option<String>,
}

/// What `git blame` says.
#[derive(Debug, Default)]
struct Blamed {
    /// The commit of each line.
    lines: Vec<String>,
    commits: BTreeMap<String, Commit>,
    /// How the file is called in each commit.
    names: BTreeMap<String, String>,
    /// The commits, each before those that it builds on. Its time is what its author says.
    order: BTreeMap<String, usize>,
    /// Commits that end the history that there is: in a shallow clone git gives them all lines that are older.
    ends: Vec<String>,
}

/// Why a commit is not known.
const CUT_OFF: &str = "it may be older than the history that this shallow clone has";

/// Why a commit is not known where there are several.
const UNORDERED: &str = "git does not tell which of several commits is the newest";

impl Authorship {
    /// Asks git about a file of the store.
    pub fn of(layout: &Layout, path: &MemoryPath) -> Result<Self> {
        refuse_to_confuse_git(layout)?;
        let mut authorship = Self::default();
        let git = layout.git();
        if !git.is_there() {
            return Ok(authorship);
        }
        if let Err(error) = authorship.ask(git, &git.named(path.as_str())) {
            let hint = error.next_step().map(|hint| format!("; {hint}")).unwrap_or_default();
            authorship = Self { unknown: Some(format!("{error}{hint}")), ..Self::default() };
        }
        Ok(Self { git: Some(git.clone()), ..authorship })
    }

    fn ask(&mut self, git: &Git, path: &str) -> Result<()> {
        if git.find()? == Found::Nothing {
            return Ok(());
        }
        let Some(head) = git.last_commit()? else { return Ok(()) };
        // What is there and cannot be read, as in a partial clone, is an error and not absent.
        let entry = git.run_line(&["ls-tree", "--full-tree", &head, path], b"")?;
        if entry.is_empty() {
            return Ok(());
        }
        let text = git.run(&["cat-file", "blob", &format!("{head}:{path}")], b"")?;
        let settings = ["-c", "blame.ignoreRevsFile=", "-c", "core.quotePath=false"];
        let blame = ["blame", "--porcelain", "--no-textconv", "--encoding=UTF-8"];
        let said = git.run(&[&settings[..], &blame, &[&head, "--", path]].concat(), b"")?;
        self.blamed = read(&String::from_utf8_lossy(&said));
        // Without it nobody knows which of several commits is the newest; all the rest is known.
        self.blamed.order = order(git, &head, &self.blamed).unwrap_or_default();
        self.trailers = Trailers::of(git, self.blamed.commits.keys().map(String::as_str))?;
        for (id, commit) in &mut self.blamed.commits {
            // `git blame` says what a `.mailmap` of the repository makes of the name.
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

    /// Returns the newest commit of some lines of the file in the last commit, numbered from 1, or why it is not known.
    pub fn of_lines(
        &self,
        lines: std::ops::Range<usize>,
    ) -> std::result::Result<Option<&Commit>, &'static str> {
        match self.blamed.newest(lines)? {
            Some(commit) if self.blamed.ends.contains(&commit.id) => Err(CUT_OFF),
            found => Ok(found),
        }
    }

    /// Returns what the message of a commit says of a proposal that wrote a section.
    pub fn said_by(&self, commit: &Commit, section: Option<&SectionId>) -> Option<&Trailers> {
        let (git, name) = (self.git.as_ref()?, self.blamed.names.get(&commit.id)?);
        let trailers = self.trailers.get(&commit.id).filter(|said| said.proposal_id.is_some())?;
        let place = git.inside(name).map(|file| match section {
            Some(id) => format!("{file}#{id}"),
            None => file.to_owned(),
        });
        trailers.speak_of(place.as_deref()).then_some(trailers)
    }

    /// Returns the file as a commit has it; nothing where that is not known.
    pub fn text_in(&self, commit: &Commit) -> Option<String> {
        let (git, name) = (self.git.as_ref()?, self.blamed.names.get(&commit.id)?);
        git.text_in(&commit.id, name).ok()?
    }
}

impl Trailers {
    /// Reads them of some commits.
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

    /// Tells whether the message speaks of a section: where lines such as `added decisions.md#tokens` name some, it speaks
    /// of these alone.
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

/// Asks in which order commits build on each other.
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

/// Reads what `git blame --porcelain` says.
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
    /// Begins a commit of which only the id is known yet.
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
