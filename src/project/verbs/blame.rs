//! `blame`: the writer, evidence, approver and commit of each section.

mod at_commit;
mod before_split;
mod blamed_section;
mod decided_proposals;
mod trail;
mod writers;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::Value;

use at_commit::AtCommit;
use before_split::BeforeSplit;
pub(crate) use blamed_section::{
    ApprovalClaim, BlamedSection, BlamedSource, CommitClaim, EarlierWriter, WrittenBy,
};
use decided_proposals::DecidedProposals;
use writers::{SectionWriter, SectionWriters};

use super::answer::answered;
use super::named_section::{find_section, read_named};
use super::own_changes::is_same;
use super::project::Project;
use super::show::source;
use crate::contract::{ContentHash, SectionId};
use crate::error::Result;
use crate::markdown::{Outline, Section, SourceNote};
use crate::project::claim::DecisionClaim;
use crate::project::request::{Answer, MemoryPath};
use crate::project::reversal::{Mark, marks};
use crate::project::store::{Authorship, CitedFiles, Commit, Trailers};

struct BlameSources<'a> {
    path: MemoryPath,
    writers: SectionWriters,
    authorship: Authorship,
    decided: DecidedProposals<'a>,
    /// The file in the last commit.
    head: Option<AtCommit>,
    /// The file in other commits, read on demand.
    at_commits: RefCell<BTreeMap<String, Option<Rc<AtCommit>>>>,
    /// The file out of which a commit moved the sections, read on demand.
    former_files: RefCell<BTreeMap<String, Option<Rc<FileBeforeSplit<'a>>>>>,
}

/// A file out of which a commit moved sections.
struct FileBeforeSplit<'a> {
    before: BeforeSplit,
    known: BlameSources<'a>,
}

/// Returns the origin of each section of a file, or of one section with its subsections.
pub fn blame(
    project: &Project,
    path: &str,
    section: Option<&str>,
) -> Result<Answer<Vec<BlamedSection>>> {
    project.store.layout().git_time().allow_a_minute();
    answered(project, || {
        let (path, text) = read_named(project, &project.named(path))?;
        let outline = Outline::read(&text);
        let all = outline.sections();
        let wanted = match section {
            None => 0..all.len(),
            Some(wanted) => {
                let first = find_section(&outline, path.as_str(), wanted)?;
                first..first + outline.family(first)
            }
        };
        let known = BlameSources::about(project, &path)?;
        let marks = marks(&outline);
        Ok(wanted.map(|number| blamed(project, &outline, number, &marks[number], &known)).collect())
    })
}

impl<'a> BlameSources<'a> {
    fn about(project: &'a Project, path: &MemoryPath) -> Result<Self> {
        let layout = project.store.layout();
        let writers = SectionWriters::of(layout, path)?;
        Ok(Self { writers, ..Self::in_git(project, path, Authorship::of(layout, path)?)? })
    }

    /// What git alone tells.
    fn in_git(project: &'a Project, path: &MemoryPath, authorship: Authorship) -> Result<Self> {
        Ok(Self {
            path: path.clone(),
            writers: SectionWriters::default(),
            head: authorship.head.as_deref().map(AtCommit::read),
            at_commits: RefCell::default(),
            decided: DecidedProposals::of(project)?,
            former_files: RefCell::default(),
            authorship,
        })
    }

    /// Returns the file out of which a commit moved a section, and its number there. What git does not tell of the time
    /// before the commit is not known.
    fn former_file(
        &self,
        project: &'a Project,
        commit: &Commit,
        outline: &Outline<'_>,
        number: usize,
    ) -> Option<(Rc<FileBeforeSplit<'a>>, usize)> {
        let read = || FileBeforeSplit::of(project, &self.path, commit).ok().flatten().map(Rc::new);
        let mut known = self.former_files.borrow_mut();
        let former = known.entry(commit.id.clone()).or_insert_with(read).clone()?;
        let number = former.before.find(outline, number, &*self.at(commit)?)?;
        Some((former, number))
    }

    fn at(&self, commit: &Commit) -> Option<Rc<AtCommit>> {
        let read = || self.authorship.text_in(commit).map(|text| Rc::new(AtCommit::read(&text)));
        self.at_commits.borrow_mut().entry(commit.id.clone()).or_insert_with(read).clone()
    }
}

impl<'a> FileBeforeSplit<'a> {
    fn of(project: &'a Project, path: &MemoryPath, commit: &Commit) -> Result<Option<Self>> {
        let Some(before) = BeforeSplit::of(project, path, commit)? else { return Ok(None) };
        let layout = project.store.layout();
        let authorship = Authorship::at(layout, &before.from, &before.parent)?;
        let known = BlameSources::in_git(project, &before.from, authorship)?;
        Ok(Some(Self { before, known }))
    }
}

/// Returns the proposals that wrote a section before its last writer.
fn earlier(
    project: &Project,
    section: &Section,
    writer: Option<SectionWriter<'_>>,
    known: &BlameSources<'_>,
) -> Vec<EarlierWriter> {
    let (Some(id), Some(writer)) = (&section.id, writer) else { return Vec::new() };
    let earlier = |entry: &Value| {
        Some(EarlierWriter {
            id: said(project, entry, "id")?,
            owner: said(project, entry, "owner"),
            approver: said(project, entry, "approver"),
            applied_at: said(project, entry, "time")?,
        })
    };
    known.writers.before(id, writer).filter_map(earlier).collect()
}

fn said(project: &Project, entry: &Value, name: &str) -> Option<String> {
    entry[name].as_str().map(|text| project.clean(text))
}

fn blamed<'a>(
    project: &'a Project,
    outline: &Outline<'_>,
    number: usize,
    mark: &Mark,
    known: &BlameSources<'a>,
) -> BlamedSection {
    let section = &outline.sections()[number];
    let writer = known.writers.last(outline, section, mark);
    let entry = writer.map(|writer| writer.entry);
    let said = |name: &str| said(project, entry?, name);
    let InGit { commit, is_committed, claim, decided, decision_claim, cut_off } =
        InGit::of(project, outline, number, known, writer.is_some());
    let written = match writer {
        Some(writer) if writer.is_as_left => WrittenBy::ByProposal,
        Some(_) => WrittenBy::EditedSince,
        None if claim.is_some() || decided.is_some() => WrittenBy::Elsewhere,
        None => WrittenBy::ByHand,
    };
    let clean = |text: &str| project.clean(text);
    BlamedSection {
        path: known.path.to_string(),
        id: section.id.as_ref().map(SectionId::to_string),
        heading: outline.heading_path(number).into_iter().map(clean).collect(),
        line: section.line,
        written,
        proposal_id: said("id"),
        owner: said("owner"),
        approver: said("approver"),
        applied_at: said("time"),
        amended: entry.is_some_and(|entry| entry["amended"] == true),
        earlier: earlier(project, section, writer, known),
        sources: sources(project, section),
        commit,
        claim,
        decided,
        decision_claim,
        committed: is_committed,
        commit_unknown: known.authorship.unknown.as_deref().or(cut_off).map(clean),
    }
}

#[derive(Default)]
struct InGit {
    commit: Option<Commit>,
    is_committed: bool,
    claim: Option<CommitClaim>,
    decided: Option<String>,
    decision_claim: Option<ApprovalClaim>,
    /// Why the commit is not known.
    cut_off: Option<&'static str>,
}

impl InGit {
    /// Finds a section in the last commit. What commits and `decided/` claim counts only where the log of this machine
    /// knows no proposal.
    fn of<'a>(
        project: &'a Project,
        outline: &Outline<'_>,
        number: usize,
        known: &BlameSources<'a>,
        is_known: bool,
    ) -> Self {
        let found = Self::in_commit(project, outline, number, known, is_known);
        let claim = known.decided.claim(known.path.as_str(), outline, number);
        let Some(claim) = claim.filter(|_| !is_known) else { return found };
        let decided = Some(claim.proposal.to_string());
        Self { decided, decision_claim: Some(approval(claim, project)), ..found }
    }

    fn in_commit<'a>(
        project: &'a Project,
        outline: &Outline<'_>,
        number: usize,
        known: &BlameSources<'a>,
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
        let is_committed = is_same(Some(outline.own(now)), Some(&there.own));
        let moved = found.and_then(|commit| known.former_file(project, commit, outline, number));
        if let Some((former, number)) = moved {
            let outline = Outline::read(&former.before.text);
            let then = Self::of(project, &outline, number, &former.known, is_known);
            let claim = then.claim.filter(|_| is_committed);
            let decision_claim = then.decision_claim.filter(|_| is_committed);
            return Self { is_committed, claim, decision_claim, ..then };
        }
        let in_git = found.map(|commit| match is_known {
            true => Self { commit: Some(shown(commit, project)), ..Self::default() },
            false => Self::by(commit, project, outline, number, known),
        });
        Self { is_committed, cut_off, ..in_git.unwrap_or_default() }
    }

    /// Reads what the commit that wrote a section says of it.
    fn by(
        found: &Commit,
        project: &Project,
        outline: &Outline<'_>,
        number: usize,
        known: &BlameSources<'_>,
    ) -> Self {
        let commit = shown(found, project);
        let now = &outline.sections()[number];
        let Some(trailers) = known.authorship.said_by(found, now.id.as_ref()) else {
            let decided = known.decided.writer(found, known.path.as_str(), outline, number);
            let decided = decided.map(|id| id.to_string());
            return Self { commit: Some(commit), decided, ..Self::default() };
        };
        let is_as_then = known.at(found).is_some_and(|then| {
            let there = then.find(outline, number);
            there.is_some_and(|there| is_same(Some(outline.own(now)), Some(&there.own)))
        });
        let decided = trailers.proposal_id.iter().find(|id| known.decided.is_applied(id));
        Self {
            claim: claim(&commit, trailers, project).filter(|_| is_as_then),
            decided: decided.map(ToString::to_string),
            commit: Some(commit),
            ..Self::default()
        }
    }
}

/// Returns a commit without what is not to be shown.
fn shown(commit: &Commit, project: &Project) -> Commit {
    let (author, subject) = (project.clean(&commit.author), project.clean(&commit.subject));
    Commit { author, subject, ..commit.clone() }
}

fn approval(claim: &DecisionClaim, project: &Project) -> ApprovalClaim {
    let clean = |name: &String| project.clean(name);
    ApprovalClaim {
        owner: claim.owner.as_ref().map(clean),
        approver: claim.approver.as_ref().map(clean),
        time: claim.time.to_string(),
        digest: claim.digest.as_ref().map(ContentHash::to_string),
    }
}

fn claim(commit: &Commit, trailers: &Trailers, project: &Project) -> Option<CommitClaim> {
    let clean = |text: &String| project.clean(text);
    Some(CommitClaim {
        commit: commit.id.clone(),
        author: commit.author.clone(),
        proposal_id: trailers.proposal_id.as_ref()?.to_string(),
        owner: trailers.owner.as_ref().map(clean),
        approver: trailers.approver.as_ref().map(clean),
    })
}

fn sources(project: &Project, section: &Section) -> Vec<BlamedSource> {
    let cited = CitedFiles::of(&project.repository);
    let blamed = |note: &SourceNote| BlamedSource {
        source: source(project, &cited, note),
        confidence: note.confidence.name(),
        date: note.date.clone(),
    };
    section.sources.iter().map(blamed).collect()
}
