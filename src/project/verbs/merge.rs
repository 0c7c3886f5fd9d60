//! Merges memory files: as git's merge driver, and after a conflict.

mod by_hand;
mod faults;
mod marked;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Serialize;

use self::by_hand::MergeProgress;
use self::faults::MergeCheck;
use self::marked::MarkedFiles;
use super::answer::{Attempt, answered};
use super::project::Project;
use super::rewrite::{Rewrite, Rewritten};
use super::session::Session;
use crate::contract::FileState;
use crate::disk::outside;
use crate::error::{Error, ErrorKind, Result};
use crate::markdown::find_conflict;
use crate::project::check::Rulebook;
use crate::project::merge::{Marks, Merged, Sides, merge};
use crate::project::request::{Answer, Reason, Refusal};
use crate::project::store::staging::{self, DecidedProposal};
use crate::project::store::{Conflict, Conflicts, Layout, Store};

/// The conflict markers where git sets none.
const MARKS: Marks<'_> = Marks { ours: "ours", theirs: "theirs", length: 7 };

/// The reason for a file that has markers in a version of it.
const MARKED: &str = "git left markers in a version of it: take them out, then `git add` it";

/// The arguments that git gives to a merge driver.
#[derive(Debug, Clone)]
pub(crate) struct Driven<'a> {
    /// The common ancestor.
    pub base: &'a Path,
    /// Our side; the result is written here.
    pub ours: &'a Path,
    pub theirs: &'a Path,
    /// The path in the repository.
    pub path: &'a str,
    /// The length of the conflict markers.
    pub marker: usize,
}

/// Merges three files and writes the result over ours; returns the conflicting sections, and warnings.
pub(crate) fn drive(driven: &Driven<'_>, session: &Session) -> Result<(Vec<String>, Vec<String>)> {
    let [base, ours, theirs] = [driven.base, driven.ours, driven.theirs].map(read_side);
    let (base, ours, theirs) = (base?, ours?, theirs?);
    let sides = Sides { base: &base, ours: &ours, theirs: &theirs };
    let marks = Marks { ours: "ours", theirs: "theirs", length: driven.marker };
    let mut merged = merge(sides, &marks);
    outside::write(driven.ours, merged.text.as_bytes())?;
    let mut faults = Vec::new();
    if let Some((layout, path)) = store_of(driven.path, session) {
        faults.extend(MergeCheck::at(&layout).brought_in(path, &merged.text, sides));
        let newer = Store::at(layout).newer();
        faults.extend(newer.map(|newer| format!("the store was {newer}: look at what was merged")));
    }
    let is_marked = |text: &str| find_conflict(text).is_some();
    // Git calls the driver twice for a rename conflict: the markers of the first call must not be committed.
    if is_marked(&merged.text) && [&ours, &theirs].into_iter().any(|side| is_marked(side)) {
        faults.push(format!("`{}` is not merged: {MARKED}", driven.path));
        if merged.conflicts.is_empty() {
            merged.conflicts.push(String::new());
        }
    }
    Ok((merged.conflicts, faults))
}

/// Reads one side of a merge, which git names.
fn read_side(path: &Path) -> Result<String> {
    let missing = || Error::new(ErrorKind::Io, "there is no file").at(path);
    outside::read_text(path)?.ok_or_else(missing)
}

/// Returns the store of a path in the repository, and the path in it. Git calls a driver at the top of the work tree.
fn store_of<'p>(path: &'p str, session: &Session) -> Option<(Layout, &'p str)> {
    let (above, inside) = path.rsplit_once(".agent-memory/")?;
    let layout = Layout::at(&session.folder.join(above), &session.git_time).ok()?;
    Some((layout, inside))
}

#[derive(Debug, Default, Serialize, schemars::JsonSchema)]
pub(crate) struct Resolved {
    pub resolved: Vec<String>,
    /// What a person must settle: `file#section` for sections with markers, and whole files.
    pub conflicts: Vec<String>,
    pub warnings: Vec<String>,
}

impl Resolved {
    /// Reports files that only a person can settle.
    fn leave(&mut self, paths: impl IntoIterator<Item = String>, why: &str) {
        for path in paths {
            self.warnings.push(format!("`{path}` is left alone: {why}"));
            self.conflicts.push(path);
        }
    }
}

/// Merges the memory files that git left in conflict, from the three stages in its index. Conflict markers that were added
/// or committed are a conflict too.
pub(crate) fn resolve(project: &Project, wanted: &[String]) -> Result<Answer<Resolved>> {
    answered(project, || merge_all(project, wanted))
}

fn merge_all(project: &Project, wanted: &[String]) -> Attempt<Resolved> {
    let mut locked = project.lock("resolve", None)?;
    let found = project.repository.conflicts(project.store.layout())?;
    let MarkedFiles { known, unknown: mut marked } = MarkedFiles::beside(&found, project)?;
    let Conflicts { files: mut conflicts, unreadable, misnamed, proposals } = found;
    conflicts.extend(known);
    let wanted: Vec<String> = wanted.iter().map(|name| project.named(name)).collect();
    let others = marked.iter().map(|(name, _)| name.clone()).collect();
    refuse_others(&wanted, &conflicts, &(&(&unreadable | &misnamed) | &others))?;
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
    conflicts.retain(|conflict| is_wanted(conflict.path.as_str()));
    let mut resolved = Resolved { warnings: project.take_warnings(), ..Resolved::default() };
    resolved.warnings.extend(describe_proposals(project, &proposals)?);
    let unreadable = unreadable.into_iter().filter(|path| is_wanted(path));
    resolved.leave(unreadable, "a version of it is no UTF-8");
    let misnamed = misnamed.into_iter().filter(|path| is_wanted(path));
    resolved
        .leave(misnamed, "its name is not that of a memory file; merge it by hand and rename it");
    marked.retain(|(name, _)| is_wanted(name));
    for (name, line) in marked {
        let why = format!(
            "its conflict markers, from line {line} on, were added or committed, and git has no versions of it any more: take them out, then `git add` it"
        );
        resolved.leave([name], &why);
    }
    let mut files = settle(project, &conflicts, &mut resolved)?;
    // A repeated call about the same conflicts writes and logs nothing.
    files.retain(|file| file.before.as_ref() != Some(&file.after));
    if !files.is_empty() {
        let rewrite = Rewrite { decision: "resolved", files: &files };
        resolved.warnings.extend(rewrite.write(project, &mut locked)?);
    }
    drop(locked);
    project.repository.mark_resolved(project.store.layout(), &resolved.resolved)?;
    project.index_follows(&resolved.resolved, &mut resolved.warnings);
    Ok(resolved)
}

/// Says how to settle proposals in conflict.
fn describe_proposals(project: &Project, ids: &BTreeSet<String>) -> Result<Vec<String>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let queue = staging::read_queue(project.store.layout())?;
    let decided = queue.decided.iter().chain(&queue.settled);
    let decided: BTreeMap<&str, &DecidedProposal> =
        decided.map(|decided| (decided.id.as_str(), decided)).collect();
    let say = |id: &String| match decided.get(id.as_str()) {
        Some(DecidedProposal { decision, .. }) => {
            format!("`staging/{id}` was {decision}: `git rm -r` takes it out of the queue")
        }
        None => {
            let how = "`git add` keeps it pending as you leave it, `git rm -r` takes it out";
            format!("`staging/{id}` is in conflict, and it is undecided: {how}")
        }
    };
    Ok(ids.iter().map(say).collect())
}

/// Merges files in conflict, in their order.
fn settle(
    project: &Project,
    chosen: &[Conflict],
    resolved: &mut Resolved,
) -> Result<Vec<Rewritten>> {
    let mut files: Vec<Rewritten> = Vec::new();
    let (config, catalog) = (project.config.clone(), project.catalog()?.clone());
    let mut merge_check = MergeCheck::by(Rulebook::new(config, catalog, project.scanner.clone()));
    for conflict in chosen {
        let path = &conflict.path;
        let before = match project.store.read(path)? {
            FileState::Text(text) => Some(text),
            FileState::Absent => None,
            FileState::Unusable(why) => {
                resolved.leave([path.to_string()], &why);
                continue;
            }
        };
        if let Some(why) = why_left(conflict) {
            resolved.leave([path.to_string()], why);
            continue;
        }
        // Both sides deleted or renamed it; a person may have restored it.
        if let [_, None, None] = conflict.stages {
            resolved.resolved.push(path.to_string());
            let (path, after) = (path.clone(), before.clone());
            files.extend(after.map(|after| Rewritten { path, before, after }));
            continue;
        }
        let [base, ours, theirs] =
            conflict.stages.each_ref().map(|text| text.as_deref().unwrap_or_default());
        let sides = Sides { base, ours, theirs };
        let merged = merge(sides, &MARKS);
        let text = taken(conflict, before.as_deref(), merged, resolved);
        if resolved.resolved.last().is_some_and(|last| last == path.as_str()) {
            resolved.warnings.extend(merge_check.brought_in(path.as_str(), &text, sides));
        }
        files.push(Rewritten { path: path.clone(), before, after: text });
    }
    Ok(files)
}

/// Returns the new text of a file: the merged one, or that of a person.
fn taken(
    conflict: &Conflict,
    before: Option<&str>,
    merged: Merged,
    resolved: &mut Resolved,
) -> String {
    let path = &conflict.path;
    let Merged { text, conflicts } = merged;
    let now = before.filter(|now| **now != text);
    if let Some(now) = now.filter(|now| is_kept(now, conflict, resolved)) {
        return now.to_owned();
    }
    resolved.conflicts.extend(conflicts.iter().map(|title| format!("{path}#{title}")));
    resolved.resolved.extend(conflicts.is_empty().then(|| path.to_string()));
    text
}

/// Says why a whole file must be settled by a person.
fn why_left(conflict: &Conflict) -> Option<&'static str> {
    let is_marked =
        |stage: &Option<String>| stage.as_deref().is_some_and(|text| find_conflict(text).is_some());
    match conflict.stages.each_ref().map(Option::as_ref) {
        [Some(_), None, Some(_)] | [Some(_), Some(_), None] => Some(
            "one side deleted it, and the other changed or renamed it: `git rm` or `git add` it",
        ),
        [None, Some(_), None] | [None, None, Some(_)] => {
            Some("each side gave it another name: `git add` the one to keep, `git rm` the other")
        }
        // Git merges renamed texts before it finds that the names conflict.
        _ if conflict.stages[1..].iter().any(is_marked) => Some(MARKED),
        _ => None,
    }
}

/// Tells whether a person has settled something in a file, which then stays unchanged.
fn is_kept(now: &str, conflict: &Conflict, resolved: &mut Resolved) -> bool {
    let path = &conflict.path;
    match MergeProgress::of(now, &conflict.stages) {
        MergeProgress::None => return false,
        MergeProgress::Done => resolved.resolved.push(path.to_string()),
        MergeProgress::Begun => {
            resolved.conflicts.push(path.to_string());
            let hint =
                "take the rest of its markers out, or begin anew with `git checkout --merge`";
            resolved.warnings.push(format!("`{path}` is left as a person changed it: {hint}"));
        }
    }
    true
}

fn refuse_others(
    wanted: &[String],
    conflicts: &[Conflict],
    others: &BTreeSet<String>,
) -> Answer<()> {
    let is_known = |name: &str| {
        others.contains(name) || conflicts.iter().any(|conflict| conflict.path.as_str() == name)
    };
    match wanted.iter().find(|name| !is_known(name)) {
        None => Ok(()),
        Some(name) => Err(Refusal::new(
            Reason::InvalidPath,
            format!("`{}` is no memory file that git left in conflict", crate::text::excerpt(name)),
            "`git status` lists what is not merged; other files than memory are merged by hand",
        )),
    }
}
