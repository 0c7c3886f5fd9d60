//! Reads pending proposals; no file in `staging/` is trusted.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value;

use super::decided::{self, DecidedProposal, disputed, summary};
use super::order::in_order;
use super::proposal::{Asked, Fidelity, StagedProposal};
use super::queue::{Damaged, Queue};
use super::retired::{Retired, RetiredIn};
use super::taken::names;
use super::write::VERSION;
use crate::contract::{ContentHash, FileState, Moment, is_date};
use crate::disk::files;
use crate::error::{Error, ErrorKind, Result};
use crate::markdown::SourceNote;
use crate::project::edit::TouchedSection;
use crate::project::request::{MemoryPath, ProposalId};
use crate::project::store::decisions::Decisions;
use crate::project::store::layout::{self, Layout};
use crate::text::read_json;

/// The content of `proposal.json`; the request goes through every check again.
#[derive(Deserialize)]
struct FromDisk {
    version: u32,
    submitted_at: String,
    day: String,
    order: u64,
    expires_at: String,
    #[serde(default)]
    owner: Option<OwnerFromDisk>,
    branch: String,
    touched: Vec<Option<TouchedSection>>,
    sources: Vec<String>,
    request: Value,
}

#[derive(Deserialize)]
struct AskedOnDisk {
    question: String,
    expires_at: String,
}

#[derive(Deserialize)]
struct OwnerFromDisk {
    id: String,
}

pub(crate) fn read_queue(layout: &Layout) -> Result<Queue> {
    let mut queue = Queue::default();
    let mut decided = decided::read(layout)?;
    let disputes = decided.iter().filter_map(|(id, marks)| Some((id.clone(), disputed(marks)?)));
    queue.disputed.extend(disputes);
    let names = files::list(&layout.staging())?;
    let logged = Decisions::about(layout, &names.iter().cloned().collect())?;
    for name in names {
        let id = ProposalId::parse(&name);
        if let Some((id, marks)) = id.as_ref().and_then(|id| decided.remove_entry(id)) {
            queue.decided.push(DecidedProposal { id, decision: summary(&marks) });
            continue;
        }
        match id {
            None if name.starts_with('.') => {}
            None => {
                let why = "its name is not that of a proposal".to_owned();
                queue.damaged.push(Damaged { name, why });
            }
            Some(id) => match read_proposal((layout, &logged), &id, &layout::staged_path(&id)) {
                Ok(proposal) => queue.proposals.push(proposal),
                // Another process decided it since the listing.
                Err(_) if !files::exists(&layout.inside(&layout::staged_path(&id))) => {}
                Err(error) => queue.damaged.push(Damaged { name, why: error.to_string() }),
            },
        }
    }
    let settled = decided.into_iter();
    queue
        .settled
        .extend(settled.map(|(id, each)| DecidedProposal { id, decision: summary(&each) }));
    queue.proposals = in_order(queue.proposals, |each| each);
    Ok(queue)
}

/// Reads only the request hash and the expiry of every proposal: each `propose` pays for the whole queue. Unreadable
/// ones are skipped.
pub(crate) fn read_questions(layout: &Layout) -> Result<Vec<Asked>> {
    let read = |name: String| {
        let id = ProposalId::parse(&name)?;
        let path = layout.inside(&layout::question_path(&id));
        let Ok(FileState::Text(text)) = files::read_memory(&path) else { return None };
        let AskedOnDisk { question, expires_at } = serde_json::from_str(&text).ok()?;
        Some(Asked { id, question, expires_at: Moment::parse(&expires_at)? })
    };
    Ok(names(layout)?.into_iter().filter_map(read).collect())
}

/// Reads a pending proposal; `None` if it is no longer pending.
pub(crate) fn read_waiting(layout: &Layout, id: &ProposalId) -> Result<Option<StagedProposal>> {
    let folder = layout::staged_path(id);
    let is_there = |path: &str| files::exists(&layout.inside(path));
    match is_there(&folder) && decided::marks_of(layout, id)?.is_empty() {
        true => read_proposal((layout, &logged(layout, id)?), id, &folder).map(Some),
        false => Ok(None),
    }
}

/// Reads a decided proposal with this hash; `None` if it is not kept, or unreadable.
pub(crate) fn read_decided(
    layout: &Layout,
    id: &ProposalId,
    hash: &str,
) -> Result<Option<StagedProposal>> {
    let folders = folders(layout, id)?.into_iter();
    let from = (layout, &logged(layout, id)?);
    let mut read = folders.filter_map(|folder| read_proposal(from, id, &folder).ok());
    Ok(read.find(|proposal| proposal.hash.as_str() == hash))
}

/// Reads decided proposals, each with its hash where that is known; what is not kept, or unreadable, is left out.
pub(crate) fn read_all_decided(
    layout: &Layout,
    wanted: &BTreeMap<ProposalId, Option<String>>,
) -> Result<Vec<StagedProposal>> {
    let logged = Decisions::about(layout, &wanted.keys().map(ToString::to_string).collect())?;
    let mut found = Vec::new();
    for (id, hash) in wanted {
        let places = folders(layout, id)?.into_iter().chain([layout::staged_path(id)]);
        let here = places.filter_map(|folder| read_question(layout, &folder).ok());
        let texts = here.chain(decided::kept(layout, id).flatten().map(|(_, text)| text));
        let mut read = texts.filter_map(|text| read_text((layout, &logged), id, &text).ok());
        found.extend(read.find(|it| hash.as_ref().is_none_or(|hash| it.hash.as_str() == hash)));
    }
    Ok(found)
}

/// Lists the decided proposals, here and in other clones, by file names only: there may be any number.
pub(crate) fn retired(layout: &Layout) -> Result<BTreeSet<ProposalId>> {
    let here = files::list(&layout.trash())?;
    let here = here.iter().filter_map(|name| Some(in_trash(name)?.0));
    let there = files::list(&layout.decided())?;
    let there = there.iter().filter_map(|name| ProposalId::parse(name.strip_suffix(".json")?));
    Ok(here.chain(there).collect())
}

/// Reads a decided proposal; if it was decided twice, the newer one.
pub(crate) fn read_retired(layout: &Layout, id: &ProposalId) -> Result<Retired> {
    let from = (layout, &logged(layout, id)?);
    let retired = |text: String, path: String, place: RetiredIn| {
        let proposal = read_text(from, id, &text).ok()?;
        Some(Retired { proposal, text, other: None, path, place })
    };
    // A commit may add folders that were not decided here.
    let mut here: Vec<Retired> = Vec::new();
    for folder in folders(layout, id)? {
        let path = format!("{folder}/proposal.json");
        let text = read_question(layout, &folder).ok();
        here.extend(text.and_then(|text| retired(text, path, RetiredIn::Folder(folder))));
    }
    let decided = from.1.decided_hash(id);
    here.sort_by_key(|found| Some(found.proposal.hash.as_str()) != decided);
    let here = here.into_iter().next();
    let mut kept = decided::kept(layout, id).rev().flatten();
    let there = kept.find_map(|(path, text)| retired(text, path, RetiredIn::Git));
    match (here, there) {
        (Some(here), Some(there)) if here.proposal.hash != there.proposal.hash => {
            let is_here = |text: &str| ContentHash::of(text.as_bytes()) == here.proposal.hash;
            // If git had the version of this machine before, it was restored since, and another one decided.
            let is_former = kept.any(|(_, text)| is_here(&text));
            let (found, other) = if is_former { (there, here) } else { (here, there) };
            Ok(Retired { other: Some(other.path), ..found })
        }
        (Some(found), _) | (None, Some(found)) => Ok(found),
        (None, None) => Err(unreadable(id)),
    }
}

fn unreadable(id: &ProposalId) -> Error {
    let message = format!("`{id}` was decided, but nothing that is kept of it can be read");
    let (here, there) = (layout::trash_path(id), layout::kept_path(id));
    let hint = format!("look at `{here}` and, where the queue is in git, at `{there}`");
    Error::new(ErrorKind::StoreDamaged, message).hint(hint)
}

/// Lists the folders of a proposal that was decided here, relative to the store, newest first.
fn folders(layout: &Layout, id: &ProposalId) -> Result<Vec<String>> {
    let names = files::list(&layout.trash())?;
    let its = |name: &String| {
        let (_, number) = in_trash(name).filter(|(of, _)| of == id)?;
        Some((number, format!("state/trash/{name}")))
    };
    let mut its: Vec<(u32, String)> = names.iter().filter_map(its).collect();
    its.sort_unstable_by(|one, other| other.cmp(one));
    Ok(its.into_iter().map(|(_, folder)| folder).collect())
}

/// Parses a name in the trash: the id, and its number.
fn in_trash(name: &str) -> Option<(ProposalId, u32)> {
    let (id, number) = match name.rsplit_once('.') {
        Some((id, number)) => (id, number.parse().ok()?),
        None => (name, 1),
    };
    Some((ProposalId::parse(id)?, number))
}

/// Reads a file as it was when a proposal was made; `None` if that was elsewhere.
///
/// What git keeps may be from an older version, so `state/` comes first.
pub(crate) fn base(
    layout: &Layout,
    id: &ProposalId,
    path: &MemoryPath,
) -> Result<Option<FileState>> {
    let folders = [layout::shown_path(id), layout::staged_path(id)];
    let is_shown = |folder: &&String| files::exists(&layout.inside(&format!("{folder}/files")));
    let read =
        |folder: &String| files::read_memory(&layout.inside(&format!("{folder}/base/{path}")));
    folders.iter().find(is_shown).map(read).transpose()
}

/// Reads what a proposal shows of a file, before and after, pending or decided.
pub(crate) fn read_shown(
    layout: &Layout,
    id: &ProposalId,
    path: &MemoryPath,
) -> Result<(Option<String>, Option<String>)> {
    for folder in [layout::shown_path(id), layout::staged_path(id), layout::trash_path(id)] {
        let read =
            |kind: &str| files::read_memory(&layout.inside(&format!("{folder}/{kind}/{path}")));
        if let FileState::Text(after) = read("files")? {
            return Ok((read("base")?.into_text(), Some(after)));
        }
    }
    Ok((None, None))
}

/// The store, and what its logs say.
type ProposalSource<'a> = (&'a Layout, &'a Decisions);

fn logged(layout: &Layout, id: &ProposalId) -> Result<Decisions> {
    Decisions::about(layout, &BTreeSet::from([id.to_string()]))
}

fn read_proposal(
    from: ProposalSource<'_>,
    id: &ProposalId,
    folder: &str,
) -> Result<StagedProposal> {
    read_text(from, id, &read_question(from.0, folder)?)
}

fn read_question(layout: &Layout, folder: &str) -> Result<String> {
    let path = layout.inside(folder).join("proposal.json");
    // As with memory: no link is followed, no pipe blocks, nothing huge is read.
    match files::read_memory(&path)? {
        FileState::Text(text) => Ok(text),
        FileState::Absent => Err(damaged("is missing")),
        FileState::Unusable(why) => Err(Error::new(ErrorKind::StoreDamaged, why)),
    }
}

fn damaged(why: &str) -> Error {
    Error::new(ErrorKind::StoreDamaged, format!("`proposal.json` {why}"))
}

/// Says why the text of a `proposal.json` cannot be read, wherever it stands; `None` where it can.
pub(crate) fn why_unreadable(layout: &Layout, id: &ProposalId, text: &str) -> Option<String> {
    let read = read_text((layout, &Decisions::default()), id, text);
    read.err().map(|error| error.to_string())
}

fn read_text(from: ProposalSource<'_>, id: &ProposalId, text: &str) -> Result<StagedProposal> {
    let read: FromDisk = read_json(text)
        .and_then(serde_json::from_value)
        .map_err(|error| damaged("cannot be understood").because(error))?;
    if read.version != VERSION {
        return Err(damaged(&format!("has version {}, which is not known", read.version)));
    }
    let moment = |text: &str| {
        Moment::parse(text)
            .ok_or_else(|| damaged(&format!("says `{text}`, which is no point in time")))
    };
    if !is_date(&read.day) {
        return Err(damaged(&format!("says `{}`, which is no day", read.day)));
    }
    let hash = ContentHash::of(text.as_bytes());
    let (_, logged) = from;
    Ok(StagedProposal {
        id: id.clone(),
        submitted_at: moment(&read.submitted_at)?,
        day: read.day,
        order: read.order,
        arrival: logged.arrival(id),
        expires_at: moment(&read.expires_at)?,
        owner: read.owner.map(|owner| owner.id),
        branch: read.branch,
        touched: read.touched,
        notes: read.sources.iter().filter_map(|line| SourceNote::read(line)).collect(),
        request: read.request,
        fidelity: fidelity(logged.hash(id), &hash),
        hash,
        was_decided: logged.has_decided(id),
    })
}

fn fidelity(staged: Option<&str>, hash: &ContentHash) -> Fidelity {
    match staged {
        Some(staged) if staged == hash.as_str() => Fidelity::Kept,
        Some(_) => Fidelity::Changed,
        None => Fidelity::Unknown,
    }
}
