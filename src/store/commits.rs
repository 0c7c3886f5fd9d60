//! Asks git which commit brought a line, and which proposal a commit names.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Layout;
use super::git::{Found, Git};
use super::strangers::refuse_to_confuse_git;
use crate::contract::{MemoryPath, Moment, ProposalId};
use crate::error::Result;

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
    /// The proposal that it names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal_id: Option<ProposalId>,
    /// Who proposed that, as the message says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// Who approved it, as the message says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approver: Option<String>,
}

/// Which commits brought the lines of a file.
#[derive(Debug, Default)]
pub struct Authorship {
    /// The commit of each line; none for one that is not committed.
    lines: Vec<Option<String>>,
    commits: BTreeMap<String, Commit>,
    /// Commits that end the history that there is.
    ends: Vec<String>,
}

impl Authorship {
    /// Asks git about a file as it is; of one that git does not have, no line has a commit.
    pub fn of(layout: &Layout, path: &MemoryPath) -> Result<Self> {
        refuse_to_confuse_git(layout)?;
        let git = layout.git();
        if git.find()? != Found::WorkTree {
            return Ok(Self::default());
        }
        let blame = ["-c", "blame.ignoreRevsFile=", "blame", "--porcelain", "--no-textconv"];
        let path = git.named(path.as_str());
        let about = ["--encoding=UTF-8", "--", &path];
        let blamed =
            git.without_filters(|settings| Ok(git.ask(&[settings, &blame[..], &about].concat())))?;
        let mut authorship = read(&String::from_utf8_lossy(&blamed.unwrap_or_default()));
        authorship.add_proposals(git);
        authorship.forget_guesses(git);
        Ok(authorship)
    }

    /// Takes back which proposals brought the lines whose history was cut off: in a shallow clone git gives
    /// them all to the oldest commit that it has.
    fn forget_guesses(&mut self, git: &Git) {
        let is_shallow = || {
            let said = git.ask_line(&["rev-parse", "--is-shallow-repository"]);
            said.as_deref() == Some("true")
        };
        if !self.ends.is_empty() && is_shallow() {
            for id in &self.ends {
                self.commits.get_mut(id).into_iter().for_each(Commit::forget);
            }
        }
    }

    /// Returns the youngest commit of some lines, numbered from 1, and whether it is all there is to them.
    pub fn of_lines(&self, lines: std::ops::Range<usize>) -> (Option<&Commit>, bool) {
        let lines = lines.map(|line| self.lines.get(line.wrapping_sub(1)).cloned().flatten());
        let lines: Vec<Option<String>> = lines.collect();
        let commits = lines.iter().flatten().filter_map(|id| self.commits.get(id));
        (commits.max_by_key(|commit| commit.time), lines.iter().all(Option::is_some))
    }

    /// Notes which proposals the commits name.
    fn add_proposals(&mut self, git: &Git) {
        if self.commits.is_empty() {
            return;
        }
        let trailer = |key| format!("%(trailers:key={key},valueonly,unfold,separator=%x00)");
        let format = [TRAILER, OWNER, APPROVER].map(trailer).join("%x01");
        let format = format!("--format=%H%x01{format}");
        let mut arguments = vec![
            "log",
            "--no-walk=unsorted",
            "--no-show-signature",
            "-s",
            "--encoding=UTF-8",
            &format,
        ];
        arguments.extend(self.commits.keys().map(String::as_str));
        let said = git.ask(&arguments).unwrap_or_default();
        for line in String::from_utf8_lossy(&said).lines() {
            let mut fields = line.split('\u{1}');
            let commit = fields.next().and_then(|id| self.commits.get_mut(id));
            let (Some(commit), [Some(ids), owners, approvers]) =
                (commit, [fields.next(), fields.next(), fields.next()])
            else {
                continue;
            };
            let last = |names: Option<&str>| {
                let name = names?.rsplit('\0').next()?.trim();
                (!name.is_empty()).then(|| name.to_owned())
            };
            commit.proposal_id = ids.rsplit('\0').find_map(ProposalId::parse);
            (commit.owner, commit.approver) = (last(owners), last(approvers));
        }
    }
}

/// Reads what `git blame --porcelain` says.
fn read(text: &str) -> Authorship {
    let mut authorship = Authorship::default();
    let mut id = String::new();
    for line in text.split('\n') {
        if line.starts_with('\t') {
            let is_commit = id.bytes().any(|byte| byte != b'0');
            authorship.lines.push(is_commit.then(|| id.clone()));
            continue;
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let commit = authorship.commits.get_mut(&id);
        match (word, commit) {
            ("boundary", Some(_)) => authorship.ends.push(id.clone()),
            ("author", Some(commit)) => rest.clone_into(&mut commit.author),
            ("summary", Some(commit)) => rest.clone_into(&mut commit.subject),
            ("committer-time", Some(commit)) => {
                commit.time = Moment::from_unix(rest.parse().unwrap_or_default());
            }
            _ if word.len() >= 40 && word.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
                word.clone_into(&mut id);
                authorship.commits.entry(id.clone()).or_insert_with(|| Commit::unknown(word));
            }
            _ => {}
        }
    }
    authorship.commits.retain(|id, _| id.bytes().any(|byte| byte != b'0'));
    authorship
}

impl Commit {
    /// Begins a commit of which only the id is known yet.
    fn unknown(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            author: String::new(),
            time: Moment::from_unix(0),
            subject: String::new(),
            proposal_id: None,
            owner: None,
            approver: None,
        }
    }

    /// Takes back what its message says of proposals.
    fn forget(&mut self) {
        (self.proposal_id, self.owner, self.approver) = (None, None, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "1111111111111111111111111111111111111111";
    const TWO: &str = "2222222222222222222222222222222222222222";

    #[test]
    fn the_youngest_commit_of_some_lines_is_found() {
        let none = "0".repeat(40);
        let text = format!(
            "{ONE} 1 1 1\nauthor Ada\ncommitter-time 100\nsummary first\nfilename a.md\n\t# A\n\
             {TWO} 2 2 1\nauthor Bo\ncommitter-time 200\nsummary second\nfilename a.md\n\tauthor of a line\n\
             {ONE} 2 3\n\tlast\n{none} 4 4 1\nauthor Not Committed Yet\ncommitter-time 300\nsummary x\n\tnew\n"
        );
        let authorship = read(&text);
        let check = |lines, expected: Option<&str>, all| {
            let (commit, whole) = authorship.of_lines(lines);
            assert_eq!((commit.map(|commit| commit.subject.as_str()), whole), (expected, all));
        };
        check(1..2, Some("first"), true);
        check(1..4, Some("second"), true);
        check(3..5, Some("first"), false);
        check(4..5, None, false);
        check(5..6, None, false);
    }
}
