//! `status`: the pending proposals and the health of the store.

use serde::Serialize;

use super::left_behind::LeftBehindProposal;
use super::pending::{Pending, describe_queue};
use super::project::Project;
use super::unreviewed::{UnreviewedCount, count_unreviewed};
use crate::contract::FileState;
use crate::error::Result;
use crate::index::SearchIndex;
use crate::project::store::sections::memory_files;
use crate::project::store::staging::{self, Queue};
use crate::project::store::{ForeignState, conflict_in};
use crate::secrets::allow_regions;

/// The pending proposals and the state of the store.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct Status {
    /// The pending proposals, oldest first.
    pub pending: Vec<Pending>,
    /// The proposals in the queue that were decided on another branch.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decided: Vec<DecidedElsewhere>,
    /// What was pending in a worktree that is gone, or was deleted undecided; `restore` takes it up.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_behind: Vec<LeftBehindProposal>,
    /// What was applied without review since a person last looked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreviewed: Option<UnreviewedCount>,
    /// The state of the store.
    pub health: Health,
}

/// A proposal that was decided on another branch.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
#[schemars(inline)]
pub struct DecidedElsewhere {
    /// Its id.
    pub id: String,
    /// What became of it there.
    pub decision: String,
}

/// The state of a store.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct Health {
    /// The folder of the store.
    pub store: String,
    /// Memory files.
    pub files: usize,
    /// Files among them that are read where they are, outside of the store.
    pub read_only: usize,
    /// Sections that can be found.
    pub sections: usize,
    /// Sections with what looks like a secret, which are never shown.
    pub withheld: usize,
    /// Regions whose text is allowed to look like a secret.
    pub allow_regions: usize,
    /// How many more proposals can be pending.
    pub queue_left: usize,
    /// What a person should read.
    pub warnings: Vec<String>,
}

/// Reads the queue and the health of the store.
pub fn status(project: &Project) -> Result<Status> {
    let queue = staging::read_queue(project.store.layout())?;
    let pending = describe_queue(project, &queue)?;
    let (counts, refreshed, _) = project.ask_index(SearchIndex::counts)?;
    let (allow_regions, conflicts) = read_files(project)?;
    let said = concerns(project, &queue, &conflicts)?;
    let (left_behind, unknown) = project.left_behind_proposals();
    let waiting = pending.iter().filter(|each| each.seconds_left >= 0).count();
    let decided = queue
        .decided
        .iter()
        .map(|each| DecidedElsewhere { id: each.id.to_string(), decision: each.decision.clone() });
    Ok(Status {
        decided: decided.collect(),
        left_behind,
        // A log that cannot be read is told of as the store is opened; what is pending is known without it.
        unreviewed: count_unreviewed(project).unwrap_or_default(),
        health: Health {
            store: project.shown_folder(),
            files: counts.files,
            read_only: project.reads()?.paths().count(),
            sections: counts.documents,
            withheld: counts.withheld,
            allow_regions,
            queue_left: project.config.staging.max_open.saturating_sub(waiting),
            warnings: project
                .warnings()
                .into_iter()
                .chain(refreshed.warnings)
                .chain(said)
                .chain(unknown)
                .chain(project.say_lost_notes())
                .collect(),
        },
        pending,
    })
}

/// Returns warnings about foreign state, the queue and git conflicts.
fn concerns(project: &Project, queue: &Queue, conflicts: &[String]) -> Result<Vec<String>> {
    let layout = project.store.layout();
    let broken = || {
        let error = layout.git().refuse_broken().err()?;
        Some(project.clean(&error.with_next_step()))
    };
    let foreign = ForeignState::of(layout)?.say(layout).or_else(broken);
    let damaged = queue.unreadable().map(|said| project.clean(&said));
    let disputed = queue.disputes().map(|said| format!("{said}: see `agent-memory doctor`"));
    let conflicts = conflicts.iter().map(|file| {
        let how = "`agent-memory resolve` settles it, or says what is left to do";
        format!("a git conflict in `{file}` is read as it stands: {how}")
    });
    let unknown = project.branches_unknown();
    Ok(foreign.into_iter().chain(unknown).chain(damaged).chain(disputed).chain(conflicts).collect())
}

/// Counts the regions that allow secrets, and finds the files in conflict.
fn read_files(project: &Project) -> Result<(usize, Vec<String>)> {
    let (mut count, mut conflicts) = (0, Vec::new());
    for name in memory_files(project.store.layout().folder())? {
        if let FileState::Text(text) = project.store.read_any(&name)? {
            count += allow_regions(&text).map_or(0, |regions| regions.len());
            conflicts.extend(conflict_in(project.store.layout(), &name, &text)?.map(|_| name));
        }
    }
    Ok((count, conflicts))
}
