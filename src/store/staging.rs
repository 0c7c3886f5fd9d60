//! The proposals that wait: one folder each under `staging/`.
//!
//! `proposal.json` is the question as it was asked; `base/` and `files/` show a person what it would have
//! changed at that time. Nothing of `base/` and `files/` is ever applied.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::layout::{self, Layout};
use super::{Step, files};
use crate::contract::{Answer, ContentHash, Moment, Owner, ProposalId, Reason, Refusal, Routing};
use crate::error::{Error, ErrorKind, Result};
use crate::markdown::SourceNote;
use crate::pipeline::{Planned, TouchedSection};

/// The form of `proposal.json`.
const VERSION: u32 = 1;

/// A proposal that waits for a person.
#[derive(Debug, Clone)]
pub struct StagedProposal {
    /// Its name.
    pub id: ProposalId,
    /// When it was made.
    pub submitted_at: Moment,
    /// Which one of several that were made in the same second; grows with each.
    pub order: u64,
    /// Until when it may wait.
    pub expires_at: Moment,
    /// Who made it.
    pub owner: Option<String>,
    /// The branch on which it was made.
    pub branch: String,
    /// The hash under which the same question is known again.
    pub question: String,
    /// The sections that it builds on, as they were.
    pub touched: Vec<TouchedSection>,
    /// The evidence, as it was.
    pub notes: Vec<SourceNote>,
    /// The request as it stood on the wire.
    pub request: Value,
}

/// What a folder under `staging/` turned out to be.
#[derive(Debug)]
pub struct Queue {
    /// The proposals, oldest first.
    pub proposals: Vec<StagedProposal>,
    /// Folders that hold no proposal that can be read, each with the reason.
    pub damaged: Vec<(String, String)>,
}

/// What is written to `proposal.json`.
#[derive(Serialize)]
struct OnDisk<'a> {
    version: u32,
    id: &'a ProposalId,
    submitted_at: Moment,
    order: u64,
    ttl_seconds: u64,
    expires_at: Moment,
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<&'a Owner>,
    branch: &'a str,
    routing: &'a Routing,
    question: ContentHash,
    touched: &'a [TouchedSection],
    sources: Vec<String>,
    request: &'a Value,
}

/// What is read from `proposal.json`; the request goes through every check again.
#[derive(Deserialize)]
struct FromDisk {
    version: u32,
    submitted_at: String,
    order: u64,
    expires_at: String,
    #[serde(default)]
    owner: Option<OwnerFromDisk>,
    branch: String,
    question: String,
    touched: Vec<TouchedSection>,
    sources: Vec<String>,
    request: Value,
}

#[derive(Deserialize)]
struct OwnerFromDisk {
    id: String,
}

/// What a change that is being staged is called and how long it may wait.
#[derive(Debug)]
pub struct Ticket<'a> {
    /// Its name.
    pub id: &'a ProposalId,
    /// Which one of several that were made in the same second.
    pub order: u64,
    /// How long it may wait, in seconds.
    pub ttl_seconds: u64,
    /// Until when it may wait.
    pub expires_at: Moment,
    /// The branch on which it was made.
    pub branch: &'a str,
    /// How it was decided that a person must look.
    pub routing: &'a Routing,
}

/// Returns the step that puts a change into the queue; `clean` masks what must not be copied.
pub fn stage(planned: &Planned<'_>, ticket: &Ticket<'_>, clean: impl Fn(&str) -> String) -> Step {
    let screened = &planned.screened;
    let proposal = OnDisk {
        version: VERSION,
        id: ticket.id,
        submitted_at: screened.submitted_at(),
        order: ticket.order,
        ttl_seconds: ticket.ttl_seconds,
        expires_at: ticket.expires_at,
        owner: screened.request().owner.as_ref(),
        branch: ticket.branch,
        routing: ticket.routing,
        question: screened.question_hash(),
        touched: &planned.touched,
        sources: screened.notes().iter().map(SourceNote::line).collect(),
        request: screened.raw(),
    };
    let json = serde_json::to_string_pretty(&proposal).expect("a proposal is plain data");
    let mut files = vec![("proposal.json".to_owned(), json + "\n")];
    for file in &planned.files {
        files.push((format!("files/{}", file.path), clean(&file.after)));
        files.extend(file.before.as_ref().map(|text| (format!("base/{}", file.path), clean(text))));
    }
    Step::Folder { path: layout::staged_path(ticket.id), files }
}

/// Returns the step that takes a decided proposal out of the queue; nothing of it is deleted.
pub fn retire(layout: &Layout, id: &ProposalId) -> Step {
    Step::Move { from: layout::staged_path(id), to: trash_name(layout, id) }
}

/// Returns where a decided proposal will lie: one that was restored may be decided twice.
pub fn trash_name(layout: &Layout, id: &ProposalId) -> String {
    layout.free(layout::trash_path(id))
}

/// Tells whether no proposal of this name waits, was decided or was rejected.
pub fn is_free(layout: &Layout, id: &ProposalId) -> bool {
    let places = [layout::staged_path(id), layout::trash_path(id), layout::rejection_path(id)];
    places.iter().all(|place| !files::exists(&layout.inside(place)))
}

/// A proposal that no longer waits.
#[derive(Debug)]
pub struct Retired {
    /// What it is.
    pub proposal: StagedProposal,
    /// Where it lies, relative to the store.
    kept_in: String,
}

/// Returns the step that puts a proposal back into the queue.
pub fn restore(retired: &Retired) -> Step {
    let to = layout::staged_path(&retired.proposal.id);
    Step::Move { from: retired.kept_in.clone(), to }
}

/// Reads every proposal in the trash that can be read; of one that was decided twice, the younger.
pub fn read_retired(layout: &Layout) -> Result<Vec<Retired>> {
    let mut youngest: BTreeMap<ProposalId, (u32, String)> = BTreeMap::new();
    for name in files::list(&layout.trash())? {
        let (stem, number) = match name.rsplit_once('.') {
            Some((stem, number)) => (stem, number.parse().unwrap_or(0)),
            None => (name.as_str(), 1),
        };
        let Some(id) = ProposalId::parse(stem).filter(|_| number > 0) else { continue };
        let known = youngest.entry(id).or_default();
        if number > known.0 {
            *known = (number, format!("state/trash/{name}"));
        }
    }
    let read = youngest.into_iter().filter_map(|(id, (_, kept_in))| {
        let proposal = read_proposal(layout, &id, &kept_in).ok()?;
        Some(Retired { proposal, kept_in })
    });
    Ok(read.collect())
}

/// Reads everything that waits.
pub fn read_queue(layout: &Layout) -> Result<Queue> {
    let mut queue = Queue { proposals: Vec::new(), damaged: Vec::new() };
    for name in files::list(&layout.staging())? {
        match ProposalId::parse(&name) {
            None if name.starts_with('.') => {}
            None => queue.damaged.push((name, "its name is not that of a proposal".to_owned())),
            Some(id) => match read_proposal(layout, &id, &layout::staged_path(&id)) {
                Ok(proposal) => queue.proposals.push(proposal),
                Err(error) => queue.damaged.push((name, error.to_string())),
            },
        }
    }
    queue
        .proposals
        .sort_by(|a, b| (a.submitted_at, a.order, &a.id).cmp(&(b.submitted_at, b.order, &b.id)));
    Ok(queue)
}

fn read_proposal(layout: &Layout, id: &ProposalId, folder: &str) -> Result<StagedProposal> {
    let path = layout.inside(folder).join("proposal.json");
    let damaged = |why: String| Error::new(ErrorKind::StoreDamaged, why).at(&path);
    let text = files::read_text(&path)?.ok_or_else(|| damaged("there is no".to_owned()))?;
    let read: FromDisk = serde_json::from_str(&text)
        .map_err(|error| damaged("cannot understand".to_owned()).because(error))?;
    if read.version != VERSION {
        return Err(damaged(format!("version {} is not known, in", read.version)));
    }
    let moment = |text: &str| {
        Moment::parse(text).ok_or_else(|| damaged(format!("`{text}` is not a point in time, in")))
    };
    Ok(StagedProposal {
        id: id.clone(),
        submitted_at: moment(&read.submitted_at)?,
        order: read.order,
        expires_at: moment(&read.expires_at)?,
        owner: read.owner.map(|owner| owner.id),
        branch: read.branch,
        question: read.question,
        touched: read.touched,
        notes: read.sources.iter().filter_map(|line| SourceNote::read(line)).collect(),
        request: read.request,
    })
}

impl Queue {
    /// Finds the one proposal that a person means: by full id, unique prefix or unique part.
    pub fn find(&self, wanted: &str) -> Answer<&StagedProposal> {
        let ids: Vec<&ProposalId> = self.proposals.iter().map(|each| &each.id).collect();
        let id = ProposalId::choose(&ids, wanted).map_err(|fitting| match fitting.len() {
            0 => Refusal::new(
                Reason::StagingNotFound,
                format!("no proposal that waits is called `{}`", crate::text::visible(wanted)),
                "`agent-memory status` lists what waits, `agent-memory log` what was decided",
            ),
            _ => refuse_ambiguous(wanted, &fitting),
        })?;
        Ok(self.proposals.iter().find(|each| each.id == *id).expect("it is one of their ids"))
    }

    /// Finds the youngest proposal.
    pub fn latest(&self) -> Answer<&StagedProposal> {
        self.proposals.last().ok_or_else(|| {
            let hint = "`agent-memory log` shows what was decided";
            Refusal::new(Reason::StagingNotFound, "nothing waits for review", hint)
        })
    }
}

/// Says which ids a word fits.
pub fn refuse_ambiguous(wanted: &str, ids: &[&ProposalId]) -> Box<Refusal> {
    let names: Vec<&str> = ids.iter().map(|id| id.as_str()).collect();
    let wanted = crate::text::visible(wanted);
    Refusal::new(
        Reason::StagingAmbiguous,
        format!("`{wanted}` fits {} proposals: {}", names.len(), names.join(", ")),
        "give more of the id",
    )
}
