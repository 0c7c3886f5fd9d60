//! `search`: the sections that answer a question best.

use serde::Serialize;

use super::Workspace;
use crate::contract::{Confidence, Moment, SourceType};
use crate::error::{Error, ErrorKind, Result};
use crate::provenance::Freshness;
use crate::store::index::{Hit, Query};
use crate::text::{excerpt, nearest};

/// A section that was found.
#[derive(Debug, Clone, Serialize)]
pub struct Found {
    /// The file.
    pub path: String,
    /// The section's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section_id: Option<String>,
    /// The headings down to it.
    pub heading: Vec<String>,
    /// Line of its heading, from 1.
    pub line: usize,
    /// How well it fits; higher is better.
    pub score: f64,
    /// Its best lines.
    pub snippet: String,
    /// Where in the snippet a word of the question stands: byte offsets.
    pub matches: Vec<(usize, usize)>,
    /// The section's hash, for `if_hash`.
    pub hash: String,
    /// Its category.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Whether what it cites is as it was: `fresh`, `stale` or `missing`; absent if it cites no file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub freshness: Option<&'static str>,
    /// How sure the proposer was; absent if it has no sources.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    /// Whether it was archived.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub archived: bool,
    /// When its file was last written, RFC 3339 UTC.
    pub updated_at: String,
}

/// Brings the index up to date and asks it; returns what was found and what must be said.
pub fn search(workspace: &Workspace, query: &Query<'_>) -> Result<(Vec<Found>, Vec<String>)> {
    refuse_unknown_category(workspace, query)?;
    let (index, refreshed) = workspace.fresh_index()?;
    let hits = index.search(query)?;
    let found = hits.into_iter().map(|hit| found(workspace, hit)).collect();
    let mut warnings = refreshed.warnings;
    warnings.extend(left_out(index.counts()?.withheld));
    Ok((found, warnings))
}

/// Says that sections could not be looked through.
fn left_out(withheld: usize) -> Option<String> {
    let sections = match withheld {
        0 => return None,
        1 => "1 section is left out, as it holds".to_owned(),
        many => format!("{many} sections are left out, as they hold"),
    };
    Some(format!("{sections} what looks like a secret; `agent-memory doctor` says where"))
}

fn refuse_unknown_category(workspace: &Workspace, query: &Query<'_>) -> Result<()> {
    let Some(name) = query.category else { return Ok(()) };
    let catalog = workspace.catalog()?;
    if catalog.named(name).is_some() {
        return Ok(());
    }
    let names: Vec<&str> = catalog.categories().iter().map(|each| each.name.as_str()).collect();
    let guess = nearest(name, names.iter().copied());
    let guess = guess.map(|name| format!(", did you mean `{name}`?")).unwrap_or_default();
    let message = format!("there is no category `{}`{guess}", excerpt(name));
    let hint = format!("the categories are {}", names.join(", "));
    Err(Error::new(ErrorKind::Usage, message).hint(hint))
}

fn found(workspace: &Workspace, hit: Hit) -> Found {
    let freshness = freshness(workspace, &hit);
    Found {
        confidence: hit.sources.first().map(|source| source.confidence),
        path: hit.path,
        section_id: hit.section_id,
        heading: hit.heading,
        line: hit.line,
        score: hit.score,
        snippet: hit.snippet,
        matches: hit.matches,
        hash: hit.hash,
        category: hit.category,
        freshness,
        archived: hit.archived,
        updated_at: Moment::from_unix(hit.modified).to_string(),
    }
}

/// Returns the worst that has become of what a section cites.
fn freshness(workspace: &Workspace, hit: &Hit) -> Option<&'static str> {
    let cited = hit.sources.iter().filter_map(|source| {
        let cites_file = matches!(source.kind, SourceType::File | SourceType::Test);
        let blob = source.blob.as_deref().filter(|_| cites_file)?;
        Some(Freshness::of(blob, &workspace.repository.look_up_file(&source.reference)))
    });
    cited.max().map(Freshness::name)
}
