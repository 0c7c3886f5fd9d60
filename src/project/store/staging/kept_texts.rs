//! Reads what pending and decided proposals say. Who staged them does not matter here: it is compared, never applied.

use serde::Deserialize;
use serde_json::Value;

use super::taken::names;
use crate::contract::{FileState, Moment};
use crate::disk::files;
use crate::error::Result;
use crate::project::request::ProposalId;
use crate::project::store::layout::{self, Layout};

/// Bytes of a proposal that is compared; hundreds of them are read.
const LARGEST: u64 = 256 * 1024;

/// A proposal, as it is kept on this machine.
#[derive(Debug, Clone)]
pub(crate) struct KeptTexts {
    pub(crate) id: ProposalId,
    /// The hash that identifies an equal request.
    pub(crate) question: String,
    pub(crate) owner: Option<String>,
    pub(crate) expires_at: Option<Moment>,
    /// The request as submitted.
    pub(crate) request: Value,
}

#[derive(Deserialize)]
struct TextsOnDisk {
    question: String,
    expires_at: String,
    #[serde(default)]
    owner: Value,
    request: Value,
}

impl KeptTexts {
    /// Returns what each operation brings, if it brings text, with its number from 0.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (usize, &str)> {
        let operations = self.request["operations"].as_array().into_iter().flatten();
        operations.enumerate().filter_map(|(number, operation)| {
            let text = ["content", "replacement"].iter().find_map(|name| operation[*name].as_str());
            Some((number, text?))
        })
    }

    fn read(layout: &Layout, id: &ProposalId, path: &str) -> Option<Self> {
        let path = layout.inside(path);
        if files::length(&path) > LARGEST {
            return None;
        }
        let FileState::Text(text) = files::read_memory(&path).ok()? else { return None };
        let read: TextsOnDisk = serde_json::from_str(&text).ok()?;
        Some(Self {
            id: id.clone(),
            question: read.question,
            owner: read.owner["id"].as_str().map(str::to_owned),
            expires_at: Moment::parse(&read.expires_at),
            request: read.request,
        })
    }
}

/// Reads the newest pending proposals; unreadable ones are left out.
pub(crate) fn pending_texts(layout: &Layout, most: usize) -> Result<Vec<KeptTexts>> {
    let names = names(layout)?;
    let ids = names.iter().rev().filter_map(|name| ProposalId::parse(name)).take(most);
    Ok(ids.filter_map(|id| KeptTexts::read(layout, &id, &layout::question_path(&id))).collect())
}

/// Reads a proposal that a person rejected; none where it is not kept on this machine, or unreadable.
pub(crate) fn rejected_texts(layout: &Layout, id: &ProposalId) -> Option<KeptTexts> {
    let here = format!("{}/proposal.json", layout::trash_path(id));
    [here, layout::kept_path(id)].iter().find_map(|path| KeptTexts::read(layout, id, path))
}
