//! `doctor --split`: gives each decision and each pitfall that stands in a file with others a file of its own.

mod entries;
mod links;
mod moved;
mod schemas;

use std::collections::BTreeMap;

use serde::Serialize;

use entries::Cut;
use schemas::SplitSchema;

use super::admission::Admission;
use super::answer::{Attempt, answered, write};
use super::own_changes::is_same;
use super::project::Project;
use super::rewrite::{Rewritten, take_away};
use crate::contract::FileState;
use crate::error::{Error, ErrorKind, Result};
use crate::project::pipeline::Approval;
use crate::project::request::{Answer, MemoryPath, ProposalId, Reason, Refusal};
use crate::project::store::sections::memory_files;
use crate::project::store::{Step, Trace, conflict_in, unmerged_changes};
use crate::secrets::shown_name;

pub(super) use moved::as_split;

/// What a log line says of the change.
const REASON: &str = "doctor --split";

/// How many branches are named.
const NAMED: usize = 5;

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub(crate) struct SplitEntries {
    pub status: &'static str,
    /// Names the change for `log`, `show` and `undo`; absent where nothing was moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal_id: Option<ProposalId>,
    pub moved: Vec<MovedEntry>,
    /// The schemas that name the new files.
    pub schemas: Vec<String>,
    /// The `.keep` files that were made: merging needs one in each folder of entries.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kept_folders: Vec<String>,
    pub warnings: Vec<String>,
}

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub(crate) struct MovedEntry {
    pub from: String,
    pub to: String,
}

/// Whether the entries are moved while other branches change the files in which they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OpenBranches {
    Refused,
    Accepted,
}

/// Moves the entries, as one change.
pub(crate) fn split(
    project: &Project,
    open: OpenBranches,
    approval: &Approval,
) -> Result<Answer<SplitEntries>> {
    answered(project, || {
        let mut locked = project.lock("doctor", None)?;
        let mut warnings = project.take_warnings();
        let Cuts { schemas, cuts, folders } = cut_all(project, &mut warnings)?;
        if open == OpenBranches::Refused {
            refuse_open(project, &cuts, &mut warnings)?;
        }
        let moved = moved(&cuts);
        let kept_folders = kept_folders(project, &folders)?;
        let keeps = kept_folders.iter().map(|path| Step::write(path, None, String::new()));
        let files = rewritten(project, &cuts)?;
        let renewed: Vec<String> = schemas.iter().map(|it| it.path.clone()).collect();
        let mut proposal_id = None;
        if !files.is_empty() || !schemas.is_empty() {
            let now = project.session.now;
            let from = cuts.iter().map(|cut| cut.path.to_string()).collect();
            let admission =
                Admission { approval, now, reason: REASON.to_owned(), moved_from: from };
            let (id, record) =
                admission.record(locked.layout(), &files, |text| project.is_secret(text))?;
            let steps = schemas.into_iter().map(SplitSchema::step).chain(keeps);
            let steps = steps.chain(files.iter().map(|file| step(file, project, &id)));
            let steps = steps.chain(record).collect();
            let trace = project.trace_of(files.iter().flat_map(Rewritten::texts));
            warnings.extend(write(&mut locked, steps, trace)?);
            warnings.extend(files.iter().filter_map(|file| not_kept(file, project)));
            proposal_id = Some(id);
        } else if !kept_folders.is_empty() {
            warnings.extend(write(&mut locked, keeps.collect(), Trace::Kept)?);
        }
        drop(locked);
        let paths: Vec<String> = files.iter().map(|file| file.path.to_string()).collect();
        project.index_follows(&paths, &mut warnings);
        let status = "split";
        let schemas = renewed;
        Ok(SplitEntries { status, proposal_id, moved, schemas, kept_folders, warnings })
    })
}

/// What is to be cut, and the folders into which the entries go.
#[derive(Default)]
struct Cuts {
    schemas: Vec<SplitSchema>,
    cuts: Vec<Cut>,
    folders: Vec<String>,
}

fn cut_all(project: &Project, warnings: &mut Vec<String>) -> Attempt<Cuts> {
    let mut all = Cuts::default();
    for found in schemas::find(project)? {
        let category = match found {
            Ok((category, schema)) => {
                all.schemas.extend(schema);
                category
            }
            Err(why) => {
                warnings.push(why);
                continue;
            }
        };
        all.folders.extend(category.paths.folder_of_records().map(str::to_owned));
        for shared in category.paths.shared_files() {
            let Ok(path) = MemoryPath::parse(shared) else { continue };
            let FileState::Text(text) = project.store.read(&path)? else { continue };
            if conflict_in(project.store.layout(), shared, &text)?.is_some() {
                let message = format!("`{shared}` holds a git conflict");
                let hint = "resolve it first: `agent-memory resolve`, or by hand";
                return Err(Refusal::new(Reason::InvalidMarkdown, message, hint).into());
            }
            let mut cut = Cut::of(&path, text, &category)?;
            find_taken(project, &mut cut)?;
            warnings.extend(cut.left.iter().map(|title| {
                let title = project.clean(title);
                format!(
                    "`{shared}`: the section `{title}` stays there: it is no entry by its heading"
                )
            }));
            all.cuts.push(cut);
        }
    }
    Ok(all)
}

/// Marks the entries whose file is there with the same text; another text is refused.
fn find_taken(project: &Project, cut: &mut Cut) -> Attempt<()> {
    for entry in &mut cut.entries {
        let text = match project.store.read(&entry.path)? {
            FileState::Absent => continue,
            FileState::Text(text) => Some(text),
            FileState::Unusable(_) => None,
        };
        entry.is_there = is_same(text.as_deref(), Some(&entry.as_moved(&cut.moves)));
        if !entry.is_there {
            let (own, shared) = (&entry.path, &cut.path);
            let message = format!(
                "`{own}` exists with another text, so the entry of `{shared}` cannot go there"
            );
            let hint = format!(
                "write what is new in `{shared}` into `{own}`, and take the section out of `{shared}`; if they are two entries, give one of them another id"
            );
            return Err(Refusal::new(Reason::FileExists, message, hint).into());
        }
    }
    Ok(())
}

/// Refuses while branches that are not merged here change a file that is to be cut: git would bring their changes back
/// into a file that is gone, or take it for the file of one of its entries.
fn refuse_open(project: &Project, cuts: &[Cut], warnings: &mut Vec<String>) -> Result<()> {
    let cut = cuts.iter().filter(|cut| cut.rest != cut.before);
    let paths: Vec<&str> = cut.map(|cut| cut.path.as_str()).collect();
    let branches = match unmerged_changes(project.store.layout(), &paths) {
        Ok(branches) => branches,
        Err(error) => {
            warnings
                .push(format!("whether other branches change these files is not known: {error}"));
            return Ok(());
        }
    };
    if branches.is_empty() {
        return Ok(());
    }
    let files = quoted(paths.into_iter());
    let (named, more) = branches.split_at(branches.len().min(NAMED));
    let named = quoted(named.iter().map(String::as_str));
    let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    let message = format!("branches that are not merged here change {files}: {named}{more}");
    let hint = "merge them first, or delete those that are given up; with `--yes` it is done all the same, and `docs/teams.md` says how their entries follow";
    Err(Error::new(ErrorKind::Usage, message).hint(hint))
}

fn quoted<'n>(names: impl Iterator<Item = &'n str>) -> String {
    names.map(|name| format!("`{}`", shown_name(name))).collect::<Vec<_>>().join(", ")
}

fn moved(cuts: &[Cut]) -> Vec<MovedEntry> {
    let moved = |cut: &Cut| {
        let from = cut.path.to_string();
        let entries = cut.entries.iter().filter(|entry| !entry.is_there);
        entries.map(|it| MovedEntry { from: from.clone(), to: it.path.to_string() }).collect()
    };
    cuts.iter().flat_map(|cut| -> Vec<MovedEntry> { moved(cut) }).collect()
}

/// Returns every file that is different afterwards, with links that lead where they led.
fn rewritten(project: &Project, cuts: &[Cut]) -> Attempt<Vec<Rewritten>> {
    let mut texts: BTreeMap<MemoryPath, (Option<String>, String, String)> = BTreeMap::new();
    let catalog = project.catalog()?;
    for name in memory_files(project.store.layout().folder())? {
        let owner = catalog.owner_of(&name).filter(|owner| owner.tracked && !owner.write_once);
        let Some(path) = MemoryPath::parse(&name).ok().filter(|_| owner.is_some()) else {
            continue;
        };
        if let FileState::Text(text) = project.store.read(&path)? {
            texts.insert(path, (Some(text.clone()), text, name));
        }
    }
    for cut in cuts {
        let from = cut.path.to_string();
        let before = Some(cut.before.clone());
        texts.insert(cut.path.clone(), (before, cut.rest.clone(), from.clone()));
        for entry in cut.entries.iter().filter(|entry| !entry.is_there) {
            texts.insert(entry.path.clone(), (None, entry.text.clone(), from.clone()));
        }
    }
    let linked = texts.into_iter().map(|(path, (before, mut after, was))| {
        for (at, cut) in cuts.iter().enumerate() {
            // Only the first rewriting finds the text where it was.
            let was = if at == 0 { was.as_str() } else { path.as_str() };
            after = cut.moves.apply(&after, was, path.as_str());
        }
        Rewritten { path, before, after }
    });
    Ok(linked.filter(|file| file.before.as_ref() != Some(&file.after)).collect())
}

/// Returns the files that are missing and stay in a folder of entries, as `init` makes them.
fn kept_folders(project: &Project, folders: &[String]) -> Result<Vec<String>> {
    let mut missing = Vec::new();
    for path in folders.iter().map(|folder| format!("{folder}/.keep")) {
        if project.store.read_any(&path)? == FileState::Absent {
            missing.push(path);
        }
    }
    Ok(missing)
}

/// Returns the step that writes a file, or takes one away of which nothing is left.
fn step(file: &Rewritten, project: &Project, id: &ProposalId) -> Step {
    match (file.left(), &file.before) {
        (None, Some(before)) => take_away(project, id, &file.path, before),
        (_, before) => Step::write(file.path.as_str(), before.as_deref(), file.after.clone()),
    }
}

fn not_kept(file: &Rewritten, project: &Project) -> Option<String> {
    let is_secret = file.before.as_deref().is_some_and(|text| project.is_secret(text));
    let why = "said until now holds what looks like a secret: it is not kept, and `undo` cannot bring it back";
    is_secret.then(|| format!("what `{}` {why}", file.path))
}
