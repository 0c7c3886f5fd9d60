//! Writes proposals into the queue, and takes them out.

use serde::Serialize;
use serde_json::Value;

use super::proposal::StagedProposal;
use crate::contract::{ContentHash, Moment};
use crate::disk::files;
use crate::disk::step::Step;
use crate::error::{Error, ErrorKind, Result};
use crate::markdown::SourceNote;
use crate::project::edit::TouchedSection;
use crate::project::pipeline::Planned;
use crate::project::request::{Owner, ProposalId, Routing};
use crate::project::store::layout::{self, Layout};

/// The format of `proposal.json`.
pub(super) const VERSION: u32 = 1;

/// The content of `proposal.json`.
#[derive(Serialize)]
struct OnDisk<'a> {
    version: u32,
    id: &'a ProposalId,
    submitted_at: Moment,
    day: &'a str,
    order: u64,
    ttl_seconds: u64,
    expires_at: Moment,
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<&'a Owner>,
    branch: &'a str,
    routing: &'a Routing,
    question: ContentHash,
    touched: &'a [Option<TouchedSection>],
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
        day: screened.day(),
        order: ticket.order,
        ttl_seconds: ticket.ttl_seconds,
        expires_at: ticket.expires_at,
        owner: screened.request().owner.as_ref(),
        branch: ticket.branch,
        routing: ticket.routing,
        question: screened.question_hash(),
        touched: &planned.touched,
        sources: screened.notes().into_iter().map(SourceNote::line).collect(),
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
