//! `rebase`: merges a proposal with the files of today.

use std::collections::BTreeSet;

use super::answer::{Attempt, answered};
use super::project::Project;
use super::selection::Selection;
use super::split::as_split;
use super::wanted::Wanted;
use crate::contract::FileState;
use crate::error::Result;
use crate::markdown::Outline;
use crate::project::edit::conflict;
use crate::project::merge::{Marks, Merged, Sides, merge};
use crate::project::pipeline::{Planned, Screened, Snapshot};
use crate::project::request::{Answer, MemoryPath, Reason, Refusal};
use crate::project::store::past;
use crate::project::store::staging::{self, StagedProposal};

use super::reopen::{Drift, joined, question, recorded, refuse_drift, reopen};

const MARKS: Marks<'static> = Marks { ours: "today", theirs: "proposed", length: 7 };

#[derive(Debug, Clone)]
pub(crate) struct Rebased {
    /// Kept, as `--latest` may mean another proposal when the conflicts are settled.
    pub id: String,
    pub files: Vec<RebasedFile>,
}

#[derive(Debug, Clone)]
pub struct RebasedFile {
    pub path: MemoryPath,
    /// With markers where a person must decide.
    pub text: String,
    /// The sections where a person must decide.
    pub conflicts: Vec<String>,
    /// Those of them that do not exist any more.
    pub gone: Vec<String>,
}

/// Merges a proposal with the files of today, without a write. `home` is where it is pending, `project` where it will
/// be applied.
pub(crate) fn rebase(
    project: &Project,
    home: &Project,
    wanted: &Wanted,
) -> Result<Answer<Rebased>> {
    answered(project, || {
        let queue = staging::read_queue(home.store.layout())?;
        let staged = wanted.find_undecided(&queue, home)?;
        let mut files = Vec::new();
        for file in planned_then(project, home, staged)?.files {
            let today = project.store.read(&file.path)?.into_text().unwrap_or_default();
            let base = file.before.as_deref().unwrap_or_default();
            let Merged { text, conflicts } =
                merge(Sides { base, ours: &today, theirs: &file.after }, &MARKS);
            let there = Outline::read(&today);
            let is_gone =
                |title: &&String| there.sections().iter().all(|s| s.title() != title.as_str());
            let gone = conflicts.iter().filter(is_gone).cloned().collect();
            files.push(RebasedFile { path: file.path, text, conflicts, gone });
        }
        Ok(Rebased { id: staged.id.to_string(), files })
    })
}

/// Plans a proposal on the files that it was made on, or on equal ones.
fn planned_then<'w>(
    project: &'w Project,
    home: &Project,
    staged: &StagedProposal,
) -> Attempt<Planned<'w>> {
    let asked = || -> Attempt<Screened<'w>> {
        let recorded = recorded(project, staged, &staged.touched);
        Ok(question(project, staged)?.screen(project.rules()?, &recorded)?)
    };
    // What conflicts with nothing is merged already: two additions to one section would contradict line by line.
    if let Ok(planned) = reopen(project, staged, &Selection::All, Drift::Refused) {
        return Ok(planned);
    }
    // Another proposal may have brought the same heading: both sides would be a new section.
    if let Some(planned) = joined(project, staged)? {
        return Ok(planned);
    }
    let screened = asked()?;
    let paths = screened.files();
    if let Some(then) = before(project, home, staged, &paths)? {
        match screened.plan(then) {
            // Git may have brought the proposal without its base.
            Err(refusal) if is_drift(&refusal) => {}
            planned => return Ok(planned?),
        }
    }
    // The proposal came with git, so its base is today's text or in the history.
    let today = Snapshot { rejections: Vec::new(), ..project.store.snapshot(&paths)? };
    let mut refused = None;
    for then in std::iter::once(Ok(today)).chain(past(home.store.layout(), &paths)?) {
        let then = then?;
        let screened = asked()?;
        // What cannot be done there at all is for the plan to say.
        let touched = screened.touches(&then);
        let mut known = touched.iter().zip(&staged.touched).filter(|(now, _)| now.is_some());
        if known.any(|(now, then)| conflict(then.as_ref(), now.as_ref())) {
            continue;
        }
        match screened.plan(then) {
            Ok(planned) if refuse_drift(project, &planned, staged, &Selection::All).is_ok() => {
                return Ok(planned);
            }
            Err(refusal) if !is_drift(&refusal) => drop(refused.get_or_insert(refusal)),
            Ok(_) | Err(_) => {}
        }
    }
    Err(refused.unwrap_or_else(|| not_kept(project)).into())
}

/// Tells whether a refusal is about another base text.
fn is_drift(refusal: &Refusal) -> bool {
    matches!(
        refusal.reason,
        Reason::TargetDrift | Reason::SectionNotFound | Reason::SectionAmbiguous
    )
}

fn not_kept(project: &Project) -> Box<Refusal> {
    let known = match project.repository.is_partial() {
        Ok(true) => " whose texts are here: this clone is partial".to_owned(),
        Ok(false) => String::new(),
        Err(error) => format!(" whose texts are here: {error}"),
    };
    let message = format!(
        "what it builds on is not kept here, and in none of the last 100 commits that changed its files{known}"
    );
    let hint = "`rebase` it where it was made, or take it as it is: `apply --force`";
    Refusal::new(Reason::TargetDrift, message, hint)
}

/// Returns the base of a proposal, if it is kept. It may have been edited, so the result is shown to a person and checked.
fn before(
    project: &Project,
    home: &Project,
    staged: &StagedProposal,
    paths: &BTreeSet<MemoryPath>,
) -> Result<Option<Snapshot>> {
    let mut snapshot = Snapshot::default();
    for path in paths {
        let base = |path: &MemoryPath| staging::base(home.store.layout(), &staged.id, path);
        let Some(mut state) = base(path)? else { return Ok(None) };
        if state == FileState::Absent {
            // `doctor --split` moved it there since: then it stood in a file with others.
            let read = |shared: &MemoryPath| base(shared).ok()??.into_text();
            let moved = as_split(project, path, read);
            state = moved.map_or(state, |moved| FileState::Text(moved.entry));
        }
        snapshot.files.insert(path.clone(), state);
    }
    Ok(Some(snapshot))
}

impl Selection {
    /// Selects the rebased files without conflicts.
    pub fn rebased(files: &[RebasedFile]) -> Self {
        let clean = files.iter().filter(|file| file.conflicts.is_empty());
        Self::Amended(clean.map(|file| (file.path.clone(), file.text.clone())).collect())
    }
}
