//! The proposals that wait: one folder each under `staging/`.
//!
//! `proposal.json` is the question as it was asked; `base/` and `files/` show a person what it would have
//! changed at that time. Nothing of `base/` and `files/` is ever applied. Where the queue is kept in git they lie
//! under `state/`: equal copies of one file would be taken for each other when branches are merged.

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

pub use decided::{
    DECISIONS, Decided, is_applied, keep, kept, mark, no_longer_applied, reopen, steady,
};
pub use fidelity::Fidelity;
pub use read::{
    base, read_decided, read_questions, read_queue, read_retired, read_shown, read_waiting, retired,
};
pub use taken::{Taken, names};

/// The form of `proposal.json`.
const VERSION: u32 = 1;

/// A proposal that waits for a person.
#[derive(Debug, Clone)]
pub struct StagedProposal {
    /// Its name.
    pub id: ProposalId,
    /// When it was made.
    pub submitted_at: Moment,
    /// Which one of several that were made in the same second: where its line begins in the log.
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
    /// SHA-256 of `proposal.json`.
    pub hash: ContentHash,
    /// Whether `proposal.json` is what was staged.
    pub fidelity: Fidelity,
    /// Whether the log of this machine says that it was decided, and it waits again all the same.
    pub was_decided: bool,
}

/// What a folder under `staging/` turned out to be.
#[derive(Debug, Default)]
pub struct Queue {
    /// The proposals, oldest first.
    pub proposals: Vec<StagedProposal>,
    /// Folders that hold no proposal that can be read.
    pub damaged: Vec<Damaged>,
    /// Proposals that were decided on another branch, and are not offered again.
    pub decided: Vec<Decided>,
    /// Proposals that were decided on any branch or machine, and lie in the queue no more.
    pub settled: Vec<Decided>,
    /// Proposals that one branch applied and another rejected, before the two were merged.
    pub disputed: Vec<ProposalId>,
}

/// A folder of the queue that holds no proposal that can be read.
#[derive(Debug)]
pub struct Damaged {
    /// Its name.
    pub name: String,
    /// Why.
    pub why: String,
}

impl Damaged {
    /// Says what is wrong.
    pub fn message(&self) -> String {
        format!("`staging/{}` cannot be read: {}", self.name, self.why)
    }

    /// Says what to do.
    pub fn hint(&self) -> String {
        format!("look at `staging/{}` and move it away", self.name)
    }
}

impl Queue {
    /// Says of each folder that holds no proposal that can be read what is wrong, and what to do.
    pub fn unreadable(&self) -> impl Iterator<Item = String> {
        let told =
            |damaged: &Damaged| format!("{}; look at it and move it away", damaged.message());
        self.damaged.iter().map(told)
    }
}

/// What a proposal that waits asks.
#[derive(Debug)]
pub struct Asked {
    /// Its name.
    pub id: ProposalId,
    /// The hash under which the same question is known again.
    pub question: String,
    /// Until when it may wait.
    pub expires_at: Moment,
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
    /// Whether the queue is kept in git.
    pub is_tracked: bool,
}

/// Returns the steps that put a change into the queue, and the hash of its `proposal.json`; `clean` masks
/// what must not be copied.
pub fn stage(
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

/// Returns the step that takes a decided proposal out of the queue; nothing of it is deleted.
pub fn retire(layout: &Layout, id: &ProposalId) -> Step {
    Step::Move { from: layout::staged_path(id), to: trash_name(layout, id), before: None }
}

/// Tells whether proposals of a queue that is kept in git show files there.
pub fn has_shown(layout: &Layout) -> Result<bool> {
    clear_shown(layout).map(|steps| !steps.is_empty())
}

/// Returns the steps that take what proposals show out of a queue that is kept in git.
pub fn clear_shown(layout: &Layout) -> Result<Vec<Step>> {
    let ids = names(layout)?.into_iter().filter_map(|name| ProposalId::parse(&name));
    Ok(ids.flat_map(|id| take_shown(layout, &id, &layout::staged_path(&id))).collect())
}

/// Returns the steps that take what a proposal shows out of a folder: to where it lies beside a queue that is kept in
/// git, or to the trash if that has it already.
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

/// Returns the step that keeps a proposal of another store beside those that were decided in this one.
pub fn bring(from: &Layout, to: &Layout, staged: &StagedProposal) -> Result<Step> {
    let path = from.inside(&layout::question_path(&staged.id));
    let text = files::read_memory(&path)?.into_text();
    let same = text.filter(|text| ContentHash::of(text.as_bytes()) == staged.hash);
    let text = same.ok_or_else(|| {
        Error::new(ErrorKind::StoreDamaged, "edited or decided at the same moment:").at(&path)
    })?;
    let files = vec![("proposal.json".to_owned(), text)];
    Ok(Step::Folder { path: trash_name(to, &staged.id), files })
}

/// Returns where a decided proposal will lie: one that was restored may be decided twice.
pub fn trash_name(layout: &Layout, id: &ProposalId) -> String {
    layout.free(layout::trash_path(id))
}

/// A proposal that no longer waits.
#[derive(Debug)]
pub struct Retired {
    /// What it is.
    pub proposal: StagedProposal,
    /// Its `proposal.json`.
    pub text: String,
    /// Where it lies in other words, relative to the store, if it was decided in those too.
    pub other: Option<String>,
    /// Where its `proposal.json` lies, relative to the store.
    pub path: String,
    place: Place,
}

impl Retired {
    /// Tells whether another clone decided it, and git brought it.
    pub fn came_with_git(&self) -> bool {
        matches!(self.place, Place::Git)
    }
}

/// Where a proposal lies that no longer waits.
#[derive(Debug)]
enum Place {
    /// In a folder of this machine, relative to the store.
    Folder(String),
    /// Where another clone decided it, so that git brought its `proposal.json` alone.
    Git,
}

/// Returns the step that takes away what stands where a proposal comes to wait again, such as what a merge put back, and
/// where that lies then.
pub fn make_way(layout: &Layout, id: &ProposalId) -> Option<(Step, String)> {
    let from = layout::staged_path(id);
    let to = layout.free(layout::displaced_path(id));
    let is_taken = files::exists(&layout.inside(&from));
    is_taken.then(|| (Step::Move { from, to: to.clone(), before: None }, to))
}

/// Returns the steps that put a proposal back into the queue, without what it shows if git keeps that.
pub fn restore(layout: &Layout, retired: &Retired, is_tracked: bool) -> Vec<Step> {
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
    /// Finds the one proposal that a person means: by full id, unique prefix or unique part.
    pub fn find(&self, wanted: &str) -> Answer<&StagedProposal> {
        let ids: Vec<&ProposalId> = self.proposals.iter().map(|each| &each.id).collect();
        let hint = "`agent-memory status` lists what waits, `agent-memory log` what was decided";
        let id = choose(&ids, wanted, ("no proposal that waits", hint)).map_err(|refusal| {
            let decided = self.refuse_decided(wanted);
            decided.or_else(|| self.refuse_settled(wanted)).unwrap_or(refusal)
        })?;
        Ok(self.proposals.iter().find(|each| each.id == *id).expect("it is one of their ids"))
    }

    /// Refuses what was decided on another branch.
    pub fn refuse_decided(&self, wanted: &str) -> Option<Box<Refusal>> {
        let Decided { id, decision } = Decided::find(&self.decided, wanted)?;
        let message = format!("`{id}` was {decision} on another branch");
        let hint = "`agent-memory sweep` takes it out of the queue";
        Some(Refusal::new(Reason::StagingNotFound, message, hint))
    }

    /// Refuses what was decided wherever that was, as far as the store says so.
    fn refuse_settled(&self, wanted: &str) -> Option<Box<Refusal>> {
        let Decided { id, decision } = Decided::find(&self.settled, wanted)?;
        let message = format!("`{id}` was {decision}, and waits no more");
        let hint = format!("`git log -- '*decided/{id}.*'` says when and by whom");
        Some(Refusal::new(Reason::StagingNotFound, message, hint))
    }

    /// Says of each proposal that one branch applied and another rejected that this is so.
    pub fn disputes(&self) -> impl Iterator<Item = (&ProposalId, String)> {
        self.disputed
            .iter()
            .map(|id| (id, format!("`{id}` was applied on one branch and rejected on another")))
    }

    /// Finds the youngest proposal.
    pub fn latest(&self) -> Answer<&StagedProposal> {
        self.proposals.last().ok_or_else(|| {
            let hint = "`agent-memory log` shows what was decided";
            Refusal::new(Reason::StagingNotFound, "nothing waits for review", hint)
        })
    }
}

/// Finds the one id that a person means; `nobody` and the hint say it where there is none.
pub fn choose<'i>(
    ids: &[&'i ProposalId],
    wanted: &str,
    (nobody, hint): (&str, &str),
) -> Answer<&'i ProposalId> {
    let shown = crate::text::visible(wanted);
    ProposalId::choose(ids, wanted).map_err(|fitting| match fitting.as_slice() {
        [] => {
            let message = format!("{nobody} is called `{shown}`");
            Refusal::new(Reason::StagingNotFound, message, hint)
        }
        several => {
            let names: Vec<&str> = several.iter().map(|id| id.as_str()).collect();
            let message = format!("`{shown}` fits {} proposals: {}", names.len(), names.join(", "));
            Refusal::new(Reason::StagingAmbiguous, message, "give more of the id")
        }
    })
}
