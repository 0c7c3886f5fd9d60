//! Pending proposals: one folder each in `staging/`.
//!
//! `proposal.json` is the request as submitted; `base/` and `files/` show a person what it would have changed at that
//! time, and are never applied. Where the queue is kept in git they are under `state/`: git would confuse equal copies
//! of a file when branches are merged.

mod decided;
mod fidelity;
mod read;
mod taken;

use serde::Serialize;
use serde_json::Value;

use super::Step;
use super::layout::{self, Layout};
use crate::contract::{Answer, ContentHash, Moment, Owner, ProposalId, Reason, Refusal, Routing};
use crate::disk::files;
use crate::error::{Error, ErrorKind, Result};
use crate::markdown::SourceNote;
use crate::project::pipeline::{Planned, TouchedSection};

pub(crate) use decided::{
    DECISIONS, Decided, is_applied, keep, kept, mark, no_longer_applied, reopen, steady,
};
pub(crate) use fidelity::Fidelity;
pub(crate) use read::{
    base, read_decided, read_questions, read_queue, read_retired, read_shown, read_waiting, retired,
};
pub(crate) use taken::{Taken, names};

/// The format of `proposal.json`.
const VERSION: u32 = 1;

/// A pending proposal.
#[derive(Debug, Clone)]
pub(crate) struct StagedProposal {
    pub(crate) id: ProposalId,
    pub(crate) submitted_at: Moment,
    /// Orders proposals of one second: where its line begins in the log.
    pub(crate) order: u64,
    pub(crate) expires_at: Moment,
    pub(crate) owner: Option<String>,
    pub(crate) branch: String,
    /// The sections that it builds on, as they were.
    pub(crate) touched: Vec<TouchedSection>,
    /// The evidence, as it was.
    pub(crate) notes: Vec<SourceNote>,
    /// The request as submitted.
    pub(crate) request: Value,
    /// SHA-256 of `proposal.json`.
    pub(crate) hash: ContentHash,
    pub(crate) fidelity: Fidelity,
    /// Whether the log of this machine has a decision, and it is pending again.
    pub(crate) was_decided: bool,
}

/// The content of `staging/`.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    /// Oldest first.
    pub(crate) proposals: Vec<StagedProposal>,
    /// Folders without a readable proposal.
    pub(crate) damaged: Vec<Damaged>,
    /// Decided on another branch, and not offered again.
    pub(crate) decided: Vec<Decided>,
    /// Decided on any branch or machine, and no longer in the queue.
    pub(crate) settled: Vec<Decided>,
    /// Applied on one branch and rejected on another, before a merge.
    pub(crate) disputed: Vec<ProposalId>,
}

/// A folder without a readable proposal.
#[derive(Debug)]
pub(crate) struct Damaged {
    pub(crate) name: String,
    pub(crate) why: String,
}

impl Damaged {
    pub(crate) fn message(&self) -> String {
        format!("`staging/{}` cannot be read: {}", self.name, self.why)
    }

    pub(crate) fn hint(&self) -> String {
        format!("look at `staging/{}` and move it away", self.name)
    }
}

impl Queue {
    /// Returns a message with a hint for each damaged folder.
    pub(crate) fn unreadable(&self) -> impl Iterator<Item = String> {
        let told =
            |damaged: &Damaged| format!("{}; look at it and move it away", damaged.message());
        self.damaged.iter().map(told)
    }
}

/// The request of a pending proposal.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) id: ProposalId,
    /// The hash that identifies an equal request.
    pub(crate) question: String,
    pub(crate) expires_at: Moment,
}

/// The content of `proposal.json`.
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

/// The name and the lifetime of a change to stage.
#[derive(Debug)]
pub(crate) struct Ticket<'a> {
    pub(crate) id: &'a ProposalId,
    /// Orders proposals of one second.
    pub(crate) order: u64,
    pub(crate) ttl_seconds: u64,
    pub(crate) expires_at: Moment,
    pub(crate) branch: &'a str,
    /// Why a person must review it.
    pub(crate) routing: &'a Routing,
    /// Whether the queue is kept in git.
    pub(crate) is_tracked: bool,
}

/// Returns the steps that stage a change, and the hash of its `proposal.json`; `clean` masks what must not be copied.
pub(crate) fn stage(
    planned: &Planned<'_>,
    ticket: &Ticket<'_>,
    clean: impl Fn(&str) -> String,
) -> (Vec<Step>, ContentHash) {
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
    let json = serde_json::to_string_pretty(&proposal).expect("a proposal is plain data") + "\n";
    let hash = ContentHash::of(json.as_bytes());
    let mut waits = vec![("proposal.json".to_owned(), json)];
    let mut shown = Vec::new();
    for file in &planned.files {
        shown.push((format!("files/{}", file.path), clean(&file.after)));
        shown.extend(file.before.as_ref().map(|text| (format!("base/{}", file.path), clean(text))));
    }
    let mut folders = Vec::new();
    match ticket.is_tracked {
        true => folders.push((layout::shown_path(ticket.id), shown)),
        false => waits.append(&mut shown),
    }
    folders.push((layout::staged_path(ticket.id), waits));
    folders.retain(|(_, files)| !files.is_empty());
    (folders.into_iter().map(|(path, files)| Step::Folder { path, files }).collect(), hash)
}

/// Returns the step that moves a decided proposal to the trash; nothing is deleted.
pub(crate) fn retire(layout: &Layout, id: &ProposalId) -> Step {
    Step::Move { from: layout::staged_path(id), to: trash_name(layout, id), before: None }
}

/// Tells whether a queue that is kept in git still has `base/` or `files/`.
pub(crate) fn has_shown(layout: &Layout) -> Result<bool> {
    clear_shown(layout).map(|steps| !steps.is_empty())
}

/// Returns the steps that move these out of the queue.
pub(crate) fn clear_shown(layout: &Layout) -> Result<Vec<Step>> {
    let ids = names(layout)?.into_iter().filter_map(|name| ProposalId::parse(&name));
    Ok(ids.flat_map(|id| take_shown(layout, &id, &layout::staged_path(&id))).collect())
}

/// Returns the steps that move `base/` and `files/` of a proposal out of a folder: to `state/shown/`, or to the trash
/// if they are there already.
fn take_shown(layout: &Layout, id: &ProposalId, folder: &str) -> Vec<Step> {
    let is_kept = files::exists(&layout.inside(&layout::shown_path(id)));
    let step = |kind: &str| {
        let from = format!("{folder}/{kind}");
        let to = match is_kept {
            true => layout.free(layout::former_path(id, kind)),
            false => format!("{}/{kind}", layout::shown_path(id)),
        };
        files::exists(&layout.inside(&from)).then_some(Step::Move { from, to, before: None })
    };
    ["base", "files"].into_iter().filter_map(step).collect()
}

/// Returns the step that adds a proposal of another store to the decided ones of this store.
pub(crate) fn bring(from: &Layout, to: &Layout, staged: &StagedProposal) -> Result<Step> {
    let path = from.inside(&layout::question_path(&staged.id));
    let text = files::read_memory(&path)?.into_text();
    let same = text.filter(|text| ContentHash::of(text.as_bytes()) == staged.hash);
    let text = same.ok_or_else(|| {
        Error::new(ErrorKind::StoreDamaged, "edited or decided at the same moment:").at(&path)
    })?;
    let files = vec![("proposal.json".to_owned(), text)];
    Ok(Step::Folder { path: trash_name(to, &staged.id), files })
}

/// Returns a free path in the trash: a restored proposal may be decided twice.
pub(crate) fn trash_name(layout: &Layout, id: &ProposalId) -> String {
    layout.free(layout::trash_path(id))
}

/// A proposal that is no longer pending.
#[derive(Debug)]
pub(crate) struct Retired {
    pub(crate) proposal: StagedProposal,
    /// Its `proposal.json`.
    pub(crate) text: String,
    /// The path of another version, if that was decided too.
    pub(crate) other: Option<String>,
    /// The path of its `proposal.json`, relative to the store.
    pub(crate) path: String,
    place: Place,
}

impl Retired {
    /// Tells whether another clone decided it, and git brought it.
    pub(crate) fn came_with_git(&self) -> bool {
        matches!(self.place, Place::Git)
    }
}

/// Where a decided proposal is.
#[derive(Debug)]
enum Place {
    /// In a folder of this machine, relative to the store.
    Folder(String),
    /// In `decided/`, from another clone: only its `proposal.json`.
    Git,
}

/// Returns the step that moves away what is at the path of a proposal that becomes pending again, such as after a
/// merge, and its new path.
pub(crate) fn make_way(layout: &Layout, id: &ProposalId) -> Option<(Step, String)> {
    let from = layout::staged_path(id);
    let to = layout.free(layout::displaced_path(id));
    let is_taken = files::exists(&layout.inside(&from));
    is_taken.then(|| (Step::Move { from, to: to.clone(), before: None }, to))
}

/// Returns the steps that make a proposal pending again, without `base/` and `files/` if git keeps the queue.
pub(crate) fn restore(layout: &Layout, retired: &Retired, is_tracked: bool) -> Vec<Step> {
    let id = &retired.proposal.id;
    let to = layout::staged_path(id);
    let from = match &retired.place {
        Place::Folder(from) => from,
        Place::Git => {
            let files = vec![("proposal.json".to_owned(), retired.text.clone())];
            return vec![Step::Folder { path: to, files }];
        }
    };
    let mut steps = if is_tracked { take_shown(layout, id, from) } else { Vec::new() };
    steps.push(Step::Move { from: from.clone(), to, before: None });
    steps
}

impl Queue {
    /// Finds a proposal by its full id, a unique prefix or a unique part.
    pub(crate) fn find(&self, wanted: &str) -> Answer<&StagedProposal> {
        let ids: Vec<&ProposalId> = self.proposals.iter().map(|each| &each.id).collect();
        let hint = "`agent-memory status` lists what waits, `agent-memory log` what was decided";
        let id = choose(&ids, wanted, ("no proposal that waits", hint)).map_err(|refusal| {
            let decided = self.refuse_decided(wanted);
            decided.or_else(|| self.refuse_settled(wanted)).unwrap_or(refusal)
        })?;
        Ok(self.proposals.iter().find(|each| each.id == *id).expect("it is one of their ids"))
    }

    /// Refuses a proposal that was decided on another branch.
    pub(crate) fn refuse_decided(&self, wanted: &str) -> Option<Box<Refusal>> {
        let Decided { id, decision } = Decided::find(&self.decided, wanted)?;
        let message = format!("`{id}` was {decision} on another branch");
        let hint = "`agent-memory sweep` takes it out of the queue";
        Some(Refusal::new(Reason::StagingNotFound, message, hint))
    }

    /// Refuses a proposal that was decided anywhere, as far as the store knows.
    fn refuse_settled(&self, wanted: &str) -> Option<Box<Refusal>> {
        let Decided { id, decision } = Decided::find(&self.settled, wanted)?;
        let message = format!("`{id}` was {decision}, and waits no more");
        let hint = format!("`git log -- '*decided/{id}.*'` says when and by whom");
        Some(Refusal::new(Reason::StagingNotFound, message, hint))
    }

    /// Returns a message for each disputed proposal.
    pub(crate) fn disputes(&self) -> impl Iterator<Item = (&ProposalId, String)> {
        self.disputed
            .iter()
            .map(|id| (id, format!("`{id}` was applied on one branch and rejected on another")))
    }

    /// Returns the newest proposal.
    pub(crate) fn latest(&self) -> Answer<&StagedProposal> {
        self.proposals.last().ok_or_else(|| {
            let hint = "`agent-memory log` shows what was decided";
            Refusal::new(Reason::StagingNotFound, "nothing waits for review", hint)
        })
    }
}

/// Finds the id that a person means; `none` and the hint are for a miss.
pub(crate) fn choose<'i>(
    ids: &[&'i ProposalId],
    wanted: &str,
    (none, hint): (&str, &str),
) -> Answer<&'i ProposalId> {
    let shown = crate::text::visible(wanted);
    ProposalId::choose(ids, wanted).map_err(|fitting| match fitting.as_slice() {
        [] => {
            let message = format!("{none} is called `{shown}`");
            Refusal::new(Reason::StagingNotFound, message, hint)
        }
        several => {
            let names: Vec<&str> = several.iter().map(|id| id.as_str()).collect();
            let message = format!("`{shown}` fits {} proposals: {}", names.len(), names.join(", "));
            Refusal::new(Reason::StagingAmbiguous, message, "give more of the id")
        }
    })
}
