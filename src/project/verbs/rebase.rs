//! `rebase`: puts what a proposal wanted on top of what the files say today.

use std::collections::BTreeSet;

use super::selection::Selection;
use super::{Stop, Wanted, Workspace, answered};
use crate::contract::FileState;
use crate::contract::{MemoryPath, Reason, Refusal};
use crate::error::Result;
use crate::markdown::Outline;
use crate::project::merge::{Marks, Merged, Sides, merge};
use crate::project::pipeline::{Planned, Screened, Snapshot, TouchedSection};
use crate::project::store::past;
use crate::project::store::staging::{self, StagedProposal};

use super::pending::{question, recorded, refuse_drift};

/// What two sides of a conflict are called.
const MARKS: Marks<'static> = Marks { ours: "today", theirs: "proposed", length: 7 };

/// A proposal on top of what the files say today.
#[derive(Debug, Clone)]
pub struct Rebased {
    /// Its name: by the time a person has settled everything, another one may be the youngest.
    pub id: String,
    /// Its files.
    pub files: Vec<RebasedFile>,
}

/// A file that says what the proposal wanted and what came since.
#[derive(Debug, Clone)]
pub struct RebasedFile {
    /// The file.
    pub path: MemoryPath,
    /// Its text; with markers where a person has to decide.
    pub text: String,
    /// The sections where they have to.
    pub conflicts: Vec<String>,
    /// Those of them that are not there today.
    pub gone: Vec<String>,
}

/// Merges what a proposal wanted with what the files say today; nothing is written.
///
/// `home` is where it waits, `workspace` where it is to land.
pub fn rebase(
    workspace: &Workspace,
    home: &Workspace,
    wanted: &Wanted,
) -> Result<std::result::Result<Rebased, Box<Refusal>>> {
    answered(walk(workspace, home, wanted), workspace)
}

fn walk(
    workspace: &Workspace,
    home: &Workspace,
    wanted: &Wanted,
) -> std::result::Result<Rebased, Stop> {
    let queue = staging::read_queue(home.store.layout())?;
    let staged = wanted.find_undecided(&queue, home)?;
    let mut files = Vec::new();
    for file in planned_then(workspace, home, staged)?.files {
        let today = match workspace.store.read(&file.path)? {
            FileState::Text(text) => text,
            FileState::Absent | FileState::Unusable(_) => String::new(),
        };
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
}

/// Plans a proposal on the files as they were when it was made, or as all was that it builds on.
fn planned_then<'w>(
    workspace: &'w Workspace,
    home: &Workspace,
    staged: &StagedProposal,
) -> std::result::Result<Planned<'w>, Stop> {
    let asked = || -> std::result::Result<Screened<'w>, Stop> {
        let recorded = recorded(workspace, staged);
        Ok(question(workspace, staged)?.screen(workspace.rules()?, &recorded)?)
    };
    let screened = asked()?;
    let paths = screened.files();
    // No hash is asked of what is kept beside it, where secrets are masked.
    if let Some(then) = before(home, staged, &paths)? {
        match screened.plan(then) {
            // Git may have brought what it shows without what was there before.
            Err(refusal) if is_drift(&refusal) => {}
            planned => return Ok(planned?),
        }
    }
    // It came with git, which has the files too.
    let today = Snapshot { rejections: Vec::new(), ..workspace.store.snapshot(&paths)? };
    let mut refused = None;
    for then in std::iter::once(Ok(today)).chain(past(home.store.layout(), &paths)?) {
        let then = then?;
        let screened = asked()?;
        let is_then = |now: &TouchedSection| staged.touched.iter().any(|then| now.is_still(then));
        if !screened.touches(&then).iter().all(is_then) {
            continue;
        }
        match screened.plan(then) {
            Ok(planned) if refuse_drift(&planned, staged, &Selection::All).is_ok() => {
                return Ok(planned);
            }
            Err(refusal) if !is_drift(&refusal) => drop(refused.get_or_insert(refusal)),
            Ok(_) | Err(_) => {}
        }
    }
    Err(refused.unwrap_or_else(|| not_kept(workspace)).into())
}

/// Tells whether a refusal says that a file is another than the one that was built on.
fn is_drift(refusal: &Refusal) -> bool {
    matches!(
        refusal.reason,
        Reason::TargetDrift | Reason::SectionNotFound | Reason::SectionAmbiguous
    )
}

fn not_kept(workspace: &Workspace) -> Box<Refusal> {
    let known = match workspace.repository.is_partial() {
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

/// Returns the files as they were when the proposal was made, if that is kept.
///
/// They are read from its folder, where anything may stand by now; what comes of it is shown to a person
/// and checked like any other text.
fn before(
    home: &Workspace,
    staged: &StagedProposal,
    paths: &BTreeSet<MemoryPath>,
) -> Result<Option<Snapshot>> {
    let mut snapshot = Snapshot::default();
    for path in paths {
        let Some(state) = staging::base(home.store.layout(), &staged.id, path)? else {
            return Ok(None);
        };
        snapshot.files.insert(path.clone(), state);
    }
    Ok(Some(snapshot))
}

impl Selection {
    /// Takes rebased files, without any that needs a person.
    pub fn rebased(files: &[RebasedFile]) -> Self {
        let clean = files.iter().filter(|file| file.conflicts.is_empty());
        Self::Amended(clean.map(|file| (file.path.clone(), file.text.clone())).collect())
    }
}
