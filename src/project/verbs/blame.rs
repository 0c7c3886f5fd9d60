//! `blame`: who wrote a section, on what evidence, who approved it, and in which commit it is.

mod at_commit;
mod writers;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use serde::Serialize;
use serde_json::Value;

use at_commit::AtCommit;
use writers::{Writer, Writers};

use super::own_changes::is_same;
use super::show::{find_section, read_named, source};
use super::{ShownSource, Stop, Workspace, answered};
use crate::contract::{MemoryPath, Refusal, SectionId};
use crate::error::Result;
use crate::markdown::{Outline, Section, SourceNote};
use crate::project::reversal::{Mark, marks};
use crate::project::store::{Authorship, CitedFiles, Commit, Trailers, staging};

/// Where a section comes from.
#[derive(Debug, Clone, Serialize)]
pub struct Blamed {
    /// The file.
    pub path: String,
    /// Its id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section_id: Option<String>,
    /// The headings down to it.
    pub heading: Vec<String>,
    /// Line of its heading, from 1.
    pub line: usize,
    /// Who wrote what stands there, deeper sections apart.
    pub written: Written,
    /// The last proposal that wrote it, as the log of this machine says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal_id: Option<String>,
    /// Who proposed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// Who approved; absent where it needed no approval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approver: Option<String>,
    /// When it was applied, RFC 3339 UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub applied_at: Option<String>,
    /// Whether who approved the proposal changed a part of it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub amended: bool,
    /// The proposals that wrote it before, youngest first; of each it may hold something still.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<EarlierWriter>,
    /// What it rests on.
    pub sources: Vec<BlamedSource>,
    /// The newest commit that brought a line that it has in the last commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<Commit>,
    /// What the message of that commit says, where this machine knows of no proposal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim: Option<Claim>,
    /// The proposal that this commit names and that was applied, as `decided/` says; it says no more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided: Option<String>,
    /// Whether the last commit has it as it is.
    pub committed: bool,
    /// Why git does not tell, in its words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit_unknown: Option<String>,
}

/// What the message of a commit says of a section that is as that commit has it. Anybody can write that.
#[derive(Debug, Clone, Serialize)]
pub struct Claim {
    /// The commit.
    pub commit: String,
    /// Who wrote it.
    pub author: String,
    /// The proposal.
    pub proposal_id: String,
    /// Who proposed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// Who approved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approver: Option<String>,
}

/// A proposal that wrote a section before the last one did.
#[derive(Debug, Clone, Serialize)]
pub struct EarlierWriter {
    /// Its name.
    pub proposal_id: String,
    /// Who proposed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// Who approved; absent where nobody had to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approver: Option<String>,
    /// When it landed, RFC 3339 UTC.
    pub applied_at: String,
}

/// Who wrote a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Written {
    /// A proposal, and it is as the proposal left it.
    ByProposal,
    /// A proposal, but it was edited by hand since.
    EditedSince,
    /// A proposal that was applied on another machine, as the message of a commit or `decided/` says.
    Elsewhere,
    /// A person, or a proposal that is not known here.
    ByHand,
}

/// A source of a section, as it stands below its heading.
#[derive(Debug, Clone, Serialize)]
pub struct BlamedSource {
    /// What it is, and what it has become since.
    #[serde(flatten)]
    pub source: ShownSource,
    /// How sure who proposed was.
    pub confidence: &'static str,
    /// The day on which it was cited.
    pub date: String,
}

/// What is known about a file.
struct Known {
    writers: Writers,
    authorship: Authorship,
    /// The file in the last commit; nothing where it is in none.
    head: Option<AtCommit>,
    /// The file in other commits, as far as they were asked for.
    at_commits: RefCell<BTreeMap<String, Option<Rc<AtCommit>>>>,
}

/// Tells of each section of a file, or of one with those in it, where it comes from.
pub fn blame(
    workspace: &Workspace,
    path: &str,
    section: Option<&str>,
) -> Result<std::result::Result<Vec<Blamed>, Box<Refusal>>> {
    workspace.store.layout().git_time().allow_a_minute();
    answered(walk(workspace, path, section), workspace)
}

fn walk(
    workspace: &Workspace,
    path: &str,
    section: Option<&str>,
) -> std::result::Result<Vec<Blamed>, Stop> {
    let (path, text) = read_named(workspace, &workspace.named(path))?;
    let outline = Outline::read(&text);
    let all = outline.sections();
    let wanted = match section {
        None => 0..all.len(),
        Some(wanted) => {
            let first = find_section(&outline, &path, wanted)?;
            first..first + outline.family(first)
        }
    };
    let known = Known::about(workspace, &path)?;
    let marks = marks(&outline);
    Ok(wanted
        .map(|number| blamed(workspace, (&path, &outline, number), &marks[number], &known))
        .collect())
}

impl Known {
    fn about(workspace: &Workspace, path: &MemoryPath) -> Result<Self> {
        let layout = workspace.store.layout();
        let authorship = Authorship::of(layout, path)?;
        Ok(Self {
            writers: Writers::of(layout, path)?,
            head: authorship.head.as_deref().map(AtCommit::read),
            at_commits: RefCell::default(),
            authorship,
        })
    }

    /// Returns the file as a commit has it.
    fn at(&self, commit: &Commit) -> Option<Rc<AtCommit>> {
        let read = || self.authorship.text_in(commit).map(|text| Rc::new(AtCommit::read(&text)));
        self.at_commits.borrow_mut().entry(commit.id.clone()).or_insert_with(read).clone()
    }
}

/// Returns the proposals that wrote a section before its last writer.
fn earlier(
    workspace: &Workspace,
    section: &Section,
    writer: Option<Writer<'_>>,
    known: &Known,
) -> Vec<EarlierWriter> {
    let (Some(id), Some(writer)) = (&section.id, writer) else { return Vec::new() };
    let earlier = |entry: &Value| {
        Some(EarlierWriter {
            proposal_id: said(workspace, entry, "id")?,
            owner: said(workspace, entry, "owner"),
            approver: said(workspace, entry, "approver"),
            applied_at: said(workspace, entry, "time")?,
        })
    };
    known.writers.before(id, writer).filter_map(earlier).collect()
}

/// Returns what a line of the log says under a name.
fn said(workspace: &Workspace, entry: &Value, name: &str) -> Option<String> {
    entry[name].as_str().map(|text| workspace.clean(text))
}

fn blamed(
    workspace: &Workspace,
    (path, outline, number): (&MemoryPath, &Outline<'_>, usize),
    mark: &Mark,
    known: &Known,
) -> Blamed {
    let section = &outline.sections()[number];
    let writer = known.writers.last((outline, section), mark);
    let entry = writer.map(|writer| writer.entry);
    let said = |name: &str| said(workspace, entry?, name);
    let InGit { commit, is_committed, claim, decided, cut_off } =
        InGit::of(workspace, (outline, number), known, writer.is_some());
    let written = match writer {
        Some(writer) if writer.is_as_left => Written::ByProposal,
        Some(_) => Written::EditedSince,
        None if claim.is_some() || decided.is_some() => Written::Elsewhere,
        None => Written::ByHand,
    };
    let clean = |text: &str| workspace.clean(text);
    Blamed {
        path: path.to_string(),
        section_id: section.id.as_ref().map(SectionId::to_string),
        heading: outline.heading_path(number).into_iter().map(clean).collect(),
        line: section.line,
        written,
        proposal_id: said("id"),
        owner: said("owner"),
        approver: said("approver"),
        applied_at: said("time"),
        amended: entry.is_some_and(|entry| entry["amended"] == true),
        earlier: earlier(workspace, section, writer, known),
        sources: sources(workspace, section),
        commit,
        claim,
        decided,
        committed: is_committed,
        commit_unknown: known.authorship.unknown.as_deref().or(cut_off).map(clean),
    }
}

/// What git has of a section.
#[derive(Default)]
struct InGit {
    commit: Option<Commit>,
    is_committed: bool,
    claim: Option<Claim>,
    decided: Option<String>,
    /// Why the commit is not known.
    cut_off: Option<&'static str>,
}

impl InGit {
    /// Looks at a section in the last commit; what messages say counts only where this machine does not know better.
    fn of(
        workspace: &Workspace,
        (outline, number): (&Outline<'_>, usize),
        known: &Known,
        is_known: bool,
    ) -> Self {
        let there = known.head.as_ref().and_then(|head| head.find(outline, number));
        let Some(there) = there else { return Self::default() };
        let now = &outline.sections()[number];
        let lines = there.line..there.line + there.own.lines().count();
        let (found, cut_off) = match known.authorship.of_lines(lines) {
            Ok(found) => (found, None),
            Err(why) => (None, Some(why)),
        };
        let clean = |text: &str| workspace.clean(text);
        let commit = found.map(|commit| Commit {
            author: clean(&commit.author),
            subject: clean(&commit.subject),
            ..commit.clone()
        });
        let is_committed = is_same(Some(outline.own(now)), Some(&there.own));
        let said = found
            .filter(|_| !is_known)
            .and_then(|commit| known.authorship.said_by(commit, now.id.as_ref()));
        let (Some(commit), Some(trailers)) = (&commit, said) else {
            return Self { commit, is_committed, cut_off, ..Self::default() };
        };
        let is_as_then = known.at(commit).is_some_and(|then| {
            let there = then.find(outline, number);
            there.is_some_and(|there| is_same(Some(outline.own(now)), Some(&there.own)))
        });
        let layout = workspace.store.layout();
        let decided = trailers.proposal_id.iter().find(|id| staging::is_applied(layout, id));
        Self {
            claim: claim(commit, trailers, workspace).filter(|_| is_as_then),
            decided: decided.map(ToString::to_string),
            commit: Some(commit.clone()),
            is_committed,
            cut_off,
        }
    }
}

fn claim(commit: &Commit, trailers: &Trailers, workspace: &Workspace) -> Option<Claim> {
    let clean = |text: &String| workspace.clean(text);
    Some(Claim {
        commit: commit.id.clone(),
        author: commit.author.clone(),
        proposal_id: trailers.proposal_id.as_ref()?.to_string(),
        owner: trailers.owner.as_ref().map(clean),
        approver: trailers.approver.as_ref().map(clean),
    })
}

fn sources(workspace: &Workspace, section: &Section) -> Vec<BlamedSource> {
    let cited = CitedFiles::of(&workspace.repository);
    let blamed = |note: &SourceNote| BlamedSource {
        source: source(workspace, &cited, note),
        confidence: note.confidence.name(),
        date: note.date.clone(),
    };
    section.sources.iter().map(blamed).collect()
}
