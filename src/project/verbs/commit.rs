//! `apply --commit`: one commit of git with the files of one proposal.

use serde::Serialize;

use super::answer::Attempt;
use super::ignored::ignoring;
use super::own_changes::{is_same, own_changes};
use super::project::Project;
use crate::contract::{ContentHash, SectionId};
use crate::error::{Error, ErrorKind, Result};
use crate::markdown::{LineEnding, Outline};
use crate::project::pipeline::{Approval, Planned, PlannedFile};
use crate::project::request::{AffectedSection, ProposalId};
use crate::project::store::staging::{self, StagedProposal};
use crate::project::store::{
    APPROVER, CommitLimit, NewCommit, OWNER, ReadyWorkTree, TRAILER, Unmade, rejection_paths,
    steady_path,
};
use crate::text::{one_line, slug};

/// The result of the commit after a change was applied.
#[derive(Debug)]
pub enum Committed {
    Made(MadeCommit),
    /// No commit was needed.
    Nothing(String),
    /// Git or one of its hooks refused the commit; the change is in the files.
    Refused(Error),
    /// The commit failed; the change is in the files.
    Failed(Error),
}

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct MadeCommit {
    pub id: String,
    /// Relative to the store.
    pub files: Vec<String>,
    /// The sections that the commit has as they were approved.
    pub sections: Vec<AffectedSection>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approver: Option<String>,
    pub warnings: Vec<String>,
}

/// A commit to make once the change is applied.
#[must_use = "call `make` when the change is in the files"]
pub(super) struct CommitPlan {
    work_tree: ReadyWorkTree,
    limit: CommitLimit,
}

const SUBJECT: usize = 72;

const NAME: usize = 40;

impl CommitPlan {
    /// Checks before anything is applied whether git can commit the files.
    pub(super) fn prepare(
        project: &Project,
        planned: &Planned<'_>,
        limit: CommitLimit,
    ) -> Attempt<Self> {
        let layout = project.store.layout();
        let work_tree = ReadyWorkTree::find(layout)?.map_err(|(why, hint)| unready(&why, hint))?;
        if let Some(note) = ignoring(layout, project.catalog()?)?.note() {
            return Err(unready(&note, "apply without `--commit`").into());
        }
        if let Some(path) = own_changes(project, &work_tree, planned)? {
            let hint = "commit or stash them first, or apply without `--commit`";
            let why = format!("`{path}` has uncommitted changes of its own");
            return Err(unready(&why, hint).into());
        }
        Ok(Self { work_tree, limit })
    }

    /// Makes the commit. The change stays applied if this fails. No lock is held, as hooks may run this program.
    pub(super) fn make(
        self,
        project: &Project,
        planned: &Planned<'_>,
        staged: &StagedProposal,
        approval: &Approval,
    ) -> Committed {
        let paths = match self.paths(project, planned, &staged.id) {
            Ok(paths) => paths,
            Err(error) => return Committed::Failed(error),
        };
        if planned.listed().next().is_none() {
            let why = match planned.files.is_empty() {
                true => "the files say this already",
                false => "git does not track these files",
            };
            return Committed::Nothing(why.to_owned());
        }
        match self.has_all(planned) {
            Ok(false) => {}
            Ok(true) => {
                return Committed::Nothing("the last commit has these files like this".to_owned());
            }
            Err(error) => return Committed::Failed(error),
        }
        let message = message(planned, staged, approval, project);
        match self.work_tree.commit(&paths, &message, &staged.id, self.limit) {
            Ok(commit) => Committed::Made(self.read(&commit, planned, project)),
            Err(_) if self.is_taken_along(project, planned, &staged.id).unwrap_or(false) => {
                let message = "a commit that was made at the same time has these files";
                Committed::Nothing(message.to_owned())
            }
            Err(Unmade::Refused(error)) => Committed::Refused(error),
            Err(Unmade::Failed(error)) => Committed::Failed(error),
        }
    }

    /// Tells whether a commit of another process has the approved text: it commits the whole file, with what was applied
    /// here.
    fn is_taken_along(
        &self,
        project: &Project,
        planned: &Planned<'_>,
        id: &ProposalId,
    ) -> Result<bool> {
        let Some(commit) = self.work_tree.later_commit()? else { return Ok(false) };
        for file in planned.listed() {
            let text = self.work_tree.text_in(&commit, file.path.as_str())?;
            if !has_approved(text.as_deref(), file, planned) {
                return Ok(false);
            }
        }
        // The other clones learn from it what became of the proposal.
        if !project.config.staging.track {
            return Ok(true);
        }
        for mark in staging::marks_of(project.store.layout(), id)? {
            if self.work_tree.text_in(&commit, &mark.path(id))?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn has_all(&self, planned: &Planned<'_>) -> Result<bool> {
        for file in planned.listed() {
            let committed = self.work_tree.committed(file.path.as_str())?;
            if !is_same(committed.as_deref(), file.left()) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn paths(
        &self,
        project: &Project,
        planned: &Planned<'_>,
        id: &ProposalId,
    ) -> Result<Vec<String>> {
        let mut paths = Vec::new();
        for file in planned.listed() {
            // Git knows no file that goes before any commit has it.
            let path = file.path.as_str();
            if file.left().is_some() || self.work_tree.committed(path)?.is_some() {
                paths.push(path.to_owned());
            }
        }
        // The other clones learn from the commit that what is pending there is decided.
        if project.config.staging.track && !paths.is_empty() {
            let layout = project.store.layout();
            paths.extend(staging::marks_of(layout, id)?.iter().map(|mark| mark.path(id)));
            paths.extend(staging::claim_paths(layout, id)?);
            paths.extend(rejection_paths(layout, id)?);
            paths.push(steady_path());
            for kept in staging::kept(project.store.layout(), id) {
                let (path, text) = kept?;
                // What a commit has is different now only where a person edited it.
                if self.work_tree.committed(&path)?.is_none() && project.is_fit_to_copy(&text) {
                    paths.push(path);
                }
            }
            paths.extend(self.work_tree.committed_below(&format!("staging/{id}/"))?);
        }
        Ok(paths)
    }

    /// Reads which approved sections the commit has.
    fn read(&self, commit: &NewCommit, planned: &Planned<'_>, project: &Project) -> MadeCommit {
        let (files, others) = self.work_tree.changed_by(commit);
        let mut warnings = commit.complaints.clone();
        let mut sections = Vec::new();
        for file in planned.listed() {
            let path = file.path.as_str();
            let text = match self.work_tree.text_in(&commit.id, path) {
                Ok(text) => text,
                Err(error) => {
                    warnings.push(format!("what the commit has as `{path}` is not known: {error}"));
                    continue;
                }
            };
            let is_whole = is_same(text.as_deref(), file.left());
            if !is_whole {
                warnings.push(match text {
                    None => format!("the commit does not hold `{path}`"),
                    Some(_) => format!(
                        "`{path}` in the commit is not what was approved: a hook, a filter or another change came in between"
                    ),
                });
            }
            let own = planned.affected.iter().filter(|section| section.file == path);
            let outline = text.as_deref().map(Outline::read);
            let has = |it: &AffectedSection| outline.as_ref().is_some_and(|text| holds(text, it));
            let is_there = |it: &&AffectedSection| is_whole || has(it);
            sections.extend(own.filter(is_there).cloned());
        }
        if !others.is_empty() {
            let list = others.join(", ");
            warnings.push(format!("the commit changes files outside of the store too: {list}"));
        }
        let approver = commit.trailers.approver.as_deref().map(|name| project.clean(name));
        MadeCommit { id: commit.id.clone(), files, sections, approver, warnings }
    }
}

/// Tells whether a text has what was approved for a file. By section where each has an id, as a third process may have
/// changed the file again.
fn has_approved(text: Option<&str>, file: &PlannedFile, planned: &Planned<'_>) -> bool {
    if is_same(text, file.left()) {
        return true;
    }
    let Some(outline) = text.map(Outline::read) else { return false };
    let same_preamble = is_same(Some(outline.preamble()), Some(file.outline().preamble()));
    let mut own = planned.affected.iter().filter(|it| it.file == file.path.as_str()).peekable();
    same_preamble
        && own.peek().is_some()
        && own.all(|it| it.section_id.is_some() && holds(&outline, it))
}

fn unready(why: &str, hint: &str) -> Error {
    let message = format!("{why}, so no commit can be made; nothing was applied");
    Error::new(ErrorKind::Git, message).hint(hint)
}

fn holds(outline: &Outline<'_>, section: &AffectedSection) -> bool {
    let hash = |number: usize| {
        let text = outline.whole(&outline.sections()[number]);
        [LineEnding::Lf.apply(text), LineEnding::CrLf.apply(text), text.to_owned()]
            .map(|text| ContentHash::of(text.as_bytes()))
    };
    let found = |id: &SectionId| outline.find(id).map(hash);
    match (&section.section_id, &section.hash) {
        (Some(id), Some(wanted)) => {
            found(id).is_some_and(|hashes| hashes.iter().any(|hash| hash.as_str() == wanted))
        }
        (Some(id), None) => found(id).is_none(),
        (None, Some(wanted)) => (0..outline.sections().len())
            .any(|number| hash(number).iter().any(|hash| hash.as_str() == wanted)),
        // Only the whole file tells that a section without an id is gone.
        (None, None) => false,
    }
}

/// Writes the message: the sections, and as trailers the proposal, its owner and the approver. It has no text of an
/// agent, as programs read messages and act on some.
fn message(
    planned: &Planned<'_>,
    staged: &StagedProposal,
    approval: &Approval,
    project: &Project,
) -> String {
    let tracked: Vec<&str> = planned.listed().map(|file| file.path.as_str()).collect();
    let named = |section: &&AffectedSection| tracked.contains(&section.file.as_str());
    let affected: Vec<&AffectedSection> = planned.affected.iter().filter(named).collect();
    let place = |section: &AffectedSection| {
        let id = section.section_id.as_ref().map(|id| format!("#{id}")).unwrap_or_default();
        format!("{}{id}", section.file)
    };
    let mut places: Vec<String> = affected.iter().map(|section| place(section)).collect();
    if places.is_empty() {
        places.extend(tracked.iter().map(|path| (*path).to_owned()));
    }
    let subject = subject(&places);
    let line =
        |section: &&AffectedSection| format!("{} {}\n", section.change.name(), place(section));
    let sections: String = affected.iter().map(line).collect();
    let owner = staged.owner.as_deref().map(|owner| (OWNER, slug(owner, NAME)));
    let owner = owner.filter(|(_, name)| !name.is_empty());
    let approver = project.clean(approval.approver());
    let approver = one_line(&approver);
    let names = owner.into_iter().chain([(APPROVER, approver)]);
    let names: String = names.map(|(key, name)| format!("{key}: {name}\n")).collect();
    format!("{subject}\n\n{sections}\n{TRAILER}: {}\n{names}", staged.id)
}

/// Writes the first line: as many names as fit, and the number of the others.
fn subject(places: &[String]) -> String {
    for shown in (1..=places.len()).rev() {
        let more = match places.len() - shown {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let subject = format!("memory: apply {}{more}", places[..shown].join(", "));
        if subject.len() <= SUBJECT {
            return subject;
        }
    }
    match places {
        [only] => format!("memory: apply {only}"),
        _ => format!("memory: apply {} sections", places.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_names_as_many_sections_as_it_has_room_for() {
        let check = |places: &[&str], expected: &str| {
            let places: Vec<String> = places.iter().map(|place| (*place).to_owned()).collect();
            assert_eq!(subject(&places), expected);
        };
        check(&["decisions.md#token-rotation"], "memory: apply decisions.md#token-rotation");
        check(&["a.md#b", "a.md#c"], "memory: apply a.md#b, a.md#c");
        let long = format!("modules/auth.md#{}", "x".repeat(40));
        check(&["a.md#b", &long], "memory: apply a.md#b and 1 more");
        check(&[&long, "a.md#b"], "memory: apply 2 sections");
    }
}
