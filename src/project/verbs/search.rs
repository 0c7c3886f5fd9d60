//! `search`: the sections that answer a question best.

use std::path::Path;

use serde::Serialize;

use super::pending::say_pending;
use super::project::Project;
use super::unmatched::no_file;
use crate::contract::{Confidence, Moment};
use crate::error::{Error, ErrorKind, Result};
use crate::index::{Order, Origin, RECENT, ScorePart, SearchHit, SearchIndex};
use crate::project::pack::{section_place, told_branch};
use crate::project::provenance::Freshness;
use crate::project::request::{OtherPath, StoreName, path_in_store};
use crate::project::schema::Catalog;
use crate::project::standing::told_outdated;
use crate::project::store::sections::{AskedStores, CitedToday, Query, StandingNote, read_sources};
use crate::project::store::{ChangedFiles, CitedFiles, IndexPath, OtherStores, ReadFiles};
use crate::text::{did_you_mean, excerpt};

/// A section that was found.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct Found {
    /// The file.
    pub path: String,
    /// The section's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The headings down to it.
    pub heading: Vec<String>,
    /// Line of its heading, from 1.
    pub line: usize,
    /// How well it fits; higher is better.
    pub score: f64,
    /// What the score is the sum of, by signal.
    #[serde(skip)]
    pub explanation: Vec<ScorePart>,
    /// Its best lines.
    pub snippet: String,
    /// Where in the snippet a word of the question stands: byte offsets.
    pub matches: Vec<(usize, usize)>,
    /// The section's hash, for `if_hash`.
    pub hash: String,
    /// Its category.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Whether the cited lines are unchanged: `fresh`, `moved`, `stale`, `missing`, or `unchecked` where that cannot be
    /// told; absent if it cites no file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub freshness: Option<&'static str>,
    /// The confidence of its first source, or of the one that was asked for; absent if it has no sources.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    /// Why it does not hold any more, by its status: `superseded`, `rejected`, …; absent if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outdated: Option<&'static str>,
    /// What came in its place, and stands before it: `path#id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<String>,
    /// Whether it was archived.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub archived: bool,
    /// The other branch of which it is a note.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// Whether no operation can change it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub read_only: bool,
    /// The day that it is about, else the time when its file was last written; RFC 3339 UTC.
    pub updated_at: String,
    /// Whether it rests on what the work has changed.
    #[serde(skip)]
    pub(super) is_in_scope: bool,
    /// Sections with the same words, which are left out: `path:line`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub duplicates: Vec<String>,
}

impl Found {
    /// Says why it does not hold any more, and where to read on.
    pub(crate) fn told_outdated(&self) -> Option<String> {
        self.outdated.map(|word| told_outdated(word, self.superseded_by.as_deref()))
    }

    /// Says of which other branch it is a note.
    pub(crate) fn told_branch(&self) -> Option<String> {
        self.branch.as_deref().map(told_branch)
    }
}

/// What was found, with warnings.
#[derive(Debug, Clone, Default, Serialize, schemars::JsonSchema)]
pub struct Answers {
    /// The sections, the best first.
    #[serde(rename = "results")]
    pub found: Vec<Found>,
    /// What was left out, and the reasons.
    pub warnings: Vec<String>,
    /// The former state of the index, if it was rebuilt.
    #[serde(skip)]
    pub rebuilt: Option<&'static str>,
    /// A corrected question, where nothing was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    /// What to do, where the words of the question are not the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// Refreshes and queries the index; without an answer, suggests a corrected question.
pub fn search(project: &Project, query: &Query<'_>) -> Result<Answers> {
    ask(project, query, |index, query| index.respelled(&query.question()))
}

/// Searches without a suggestion, which takes longer than an answer.
pub(super) fn find(project: &Project, query: &Query<'_>) -> Result<Answers> {
    ask(project, query, |_, _| Ok(None))
}

fn ask(
    project: &Project,
    query: &Query<'_>,
    respelled: impl Fn(&SearchIndex, &Query<'_>) -> Result<Option<String>>,
) -> Result<Answers> {
    let file = query.file.and_then(|file| pattern(project, file));
    let (notes, unknown) = match project.branch_notes() {
        Ok(notes) => (notes, None),
        Err(error) => (None, Some(not_known(&error))),
    };
    // Who names the file wants its notes.
    let all_branches = query.all_branches || file.is_some();
    let has_others = !project.config.stores.is_empty();
    let stores = if has_others { query.stores } else { AskedStores::Own };
    let notes = notes.as_ref();
    let query = &Query { file: file.as_deref(), all_branches, notes, stores, ..*query };
    check_category(project.catalog()?, query.category)?;
    let mut answers = answer(project, query, respelled)?;
    answers.warnings.extend(unknown);
    Ok(answers)
}

fn answer(
    project: &Project,
    query: &Query<'_>,
    respelled: impl Fn(&SearchIndex, &Query<'_>) -> Result<Option<String>>,
) -> Result<Answers> {
    let catalog = project.catalog()?;
    let cited = CitedFiles::of(&project.repository);
    let changed = ChangedFiles::of(&project.repository, project.store.layout());
    let today = CitedToday {
        freshness: &|sources| cited.freshness(sources),
        is_changed: &|sources| changed.are_cited_by(sources),
        look_ahead: &|sources| {
            cited.look_ahead(sources);
            changed.look_ahead(sources);
        },
    };
    let ask = |index: &SearchIndex| {
        let categories = query.file.map(|pattern| index.kinds(pattern)).transpose()?;
        let is_archive = names_archive(catalog, query.category, categories.as_deref());
        let include_archived = query.include_archived || is_archive;
        let query = &Query { include_archived, ..*query };
        let hits = query.ask(index, &today)?;
        let meant = if hits.is_empty() { respelled(index, query)? } else { None };
        let is_found = |query: &Query<'_>| {
            let first = Query { offset: 0, limit: 1, ..*query };
            first.ask(index, &today).map(|hits| !hits.is_empty())
        };
        let hint = match (query.file, categories) {
            _ if !hits.is_empty() => None,
            (Some(pattern), Some(none)) if none.is_empty() => Some(no_file(project, pattern)?),
            _ => why_empty(query, is_found)?.or_else(|| say_pending(project)),
        };
        Ok((hits, meant, hint, index.counts()?.withheld))
    };
    let ((hits, meant, hint, withheld), refreshed, origin) = project.ask_index(ask)?;
    let rebuilt = (origin != Origin::Found).then(|| origin.state());
    let (reads, others) = (project.reads()?, project.others()?);
    let found = |hit| found(hit, query, &cited, (reads, others));
    let found = hits.into_iter().map(found).collect();
    let mut warnings = refreshed.warnings;
    warnings.extend(postponed_warning(refreshed.files_postponed));
    warnings.extend(left_out(withheld));
    warnings.extend(changed.not_known());
    let suggestion = meant.map(|meant| project.clean(&meant));
    Ok(Answers { found, warnings, rebuilt, suggestion, hint })
}

/// Tells whether only archived categories are named: then the archive is wanted.
fn names_archive(
    catalog: &Catalog,
    category: Option<&str>,
    categories: Option<&[Option<String>]>,
) -> bool {
    let is_once = |name: &str| catalog.named(name).is_some_and(|category| category.write_once);
    match (category, categories) {
        (Some(name), _) => is_once(name),
        (None, Some(all)) => all.iter().all(|name| name.as_deref().is_some_and(is_once)),
        (None, None) => false,
    }
}

/// Says that notes of other branches may be among the answers.
fn not_known(error: &Error) -> String {
    format!("the branch is not known, so the notes of all are searched: {}", error.with_next_step())
}

/// Says what keeps answers from being shown.
fn why_empty(
    query: &Query<'_>,
    is_found: impl Fn(&Query<'_>) -> Result<bool>,
) -> Result<Option<String>> {
    if query.text.trim().is_empty() {
        return Ok(Some("the question is empty: say what is looked for".to_owned()));
    }
    let is_beyond = query.order == Order::Time && query.offset >= query.limit.max(RECENT);
    if is_beyond && is_found(query)? {
        let most = format!("in the order of time there are at most the {RECENT} best answers");
        return Ok(Some(format!("{most}; pass over fewer")));
    }
    let may_be_archived = query.file.is_some() && !query.include_archived;
    if may_be_archived && is_found(&Query { include_archived: true, ..*query })? {
        let hint = "what is found there is archived; ask for that too with `--include-archived`";
        return Ok(Some(hint.to_owned()));
    }
    let may_be_of_others = query.notes.is_some() && !query.all_branches;
    if may_be_of_others && is_found(&Query { all_branches: true, ..*query })? {
        let hint = "notes of other branches answer it; search them too with `--all-branches`";
        return Ok(Some(hint.to_owned()));
    }
    Ok(None)
}

/// Warns that the answer is of an older state.
pub(super) fn postponed_warning(files: usize) -> Option<String> {
    let files = match files {
        0 => return None,
        1 => "a changed file was".to_owned(),
        many => format!("{many} changed files were"),
    };
    let place = "`state/index.sqlite`";
    Some(format!("{files} not looked into: another program keeps {place} to itself"))
}

fn left_out(withheld: usize) -> Option<String> {
    let sections = match withheld {
        0 => return None,
        1 => "1 section is left out, as it holds".to_owned(),
        many => format!("{many} sections are left out, as they hold"),
    };
    Some(format!("{sections} what looks like a secret; `agent-memory doctor` says where"))
}

/// Returns a named file as a path pattern in the store: a folder means all below it, the store itself means no limit.
pub(super) fn pattern(project: &Project, file: &str) -> Option<String> {
    if let Some(store) = file.strip_suffix(':').and_then(StoreName::parse) {
        return Some(IndexPath::of(&store, "*"));
    }
    if let Some(OtherPath { store, file }) = OtherPath::parse(file) {
        let is_whole = file.ends_with(".md") || file.contains(['*', '?', '[', '{']);
        let below = if is_whole { file } else { format!("{}/*", file.trim_end_matches('/')) };
        return Some(IndexPath::of(&store, &below));
    }
    if let Some(special) = file.find(['*', '?', '[', '{']) {
        let folder = file[..special].rfind('/').map_or(0, |at| at + 1);
        let (folder, names) = file.split_at(folder);
        return Some(match Path::new(folder).is_absolute() || folder.starts_with("..") {
            true => format!("{}/{names}", project.named(folder)).trim_start_matches('/').to_owned(),
            false => path_in_store(file.strip_prefix("./").unwrap_or(file)).to_owned(),
        });
    }
    let named = project.named(file);
    let named = match project.store.layout().inside(&named).exists() {
        true => named,
        false => project.path_from_here(file.trim_end_matches('/')).unwrap_or(named),
    };
    match named.as_str() {
        "" | ".agent-memory" => None,
        file if file.ends_with(".md") => Some(named),
        folder => Some(format!("{folder}/*")),
    }
}

pub(super) fn check_category(catalog: &Catalog, category: Option<&str>) -> Result<()> {
    let Some(name) = category.filter(|name| catalog.named(name).is_none()) else {
        return Ok(());
    };
    let names: Vec<&str> = catalog.categories().iter().map(|each| each.name.as_str()).collect();
    let guess = did_you_mean(name, names.iter().copied());
    let message = format!("there is no category `{}`{guess}", excerpt(name));
    let hint = format!("the categories are {}", names.join(", "));
    Err(Error::new(ErrorKind::Usage, message).hint(hint))
}

/// Returns the id of a section by the name that it has in the index.
fn id_in<'n>(file: &str, name: &'n str) -> &'n str {
    name.strip_prefix(IndexPath::read(file).scope).unwrap_or(name)
}

fn found(
    hit: SearchHit,
    query: &Query<'_>,
    cited: &CitedFiles<'_>,
    (reads, others): (&ReadFiles, &OtherStores),
) -> Found {
    let day = hit.day.and_then(|day| Moment::parse(&format!("{day}T00:00:00Z")));
    let sources = read_sources(&hit.note);
    let said = StandingNote::read(&hit.note).said.outdated;
    let superseded_by = hit.successor.map(|it| {
        let id = it.name.as_deref().map(|name| id_in(&it.file, name));
        section_place(&others.shown(&it.file), id)
    });
    let duplicates = hit.duplicates.iter();
    let duplicates = duplicates.map(|(path, line)| format!("{}:{line}", others.shown(path)));
    let is_own = IndexPath::read(&hit.file).is_own();
    Found {
        outdated: said.or(superseded_by.as_ref().map(|_| "superseded")),
        is_in_scope: hit.gains,
        superseded_by,
        branch: query.notes.and_then(|it| it.other_branch(&hit.file)).map(str::to_owned),
        confidence: query.confidence.or_else(|| sources.first().map(|source| source.confidence)),
        freshness: cited.freshness(&sources).map(Freshness::name),
        id: hit.name.as_deref().map(|name| id_in(&hit.file, name).to_owned()),
        heading: hit.titles,
        line: hit.line,
        score: hit.score,
        explanation: hit.parts,
        snippet: hit.snippet,
        matches: hit.matches,
        hash: hit.hash,
        category: hit.kind,
        archived: hit.archived,
        read_only: !is_own || reads.has(&hit.file),
        duplicates: duplicates.collect(),
        path: others.shown(&hit.file),
        updated_at: day.unwrap_or(Moment::from_unix(hit.modified)).to_string(),
    }
}
