//! `undo`: takes an applied change back, if its sections have not changed since.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::answer::{Attempt, answered, logged, logged_hash, write};
use super::log::{LastDecision, last_decisions, read_decision};
use super::project::Project;
use super::wanted::Wanted;
use crate::contract::{ContentHash, Moment};
use crate::error::{Error, ErrorKind, Result};
use crate::markdown::Outline;
use crate::project::edit::changes;
use crate::project::pipeline::Approval;
use crate::project::request::{
    AffectedSection, Answer, Change, MemoryPath, ProposalId, Reason, Refusal,
};
use crate::project::reversal::{Obstacle, Reversal, Undone};
use crate::project::store::log::Entry;
use crate::project::store::undo::{self, Undoable};
use crate::project::store::{Layout, Step, staging};
use crate::text::find_newly_hidden;

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub(crate) struct TakenBack {
    pub id: ProposalId,
    pub files: Vec<String>,
    pub affected_sections: Vec<AffectedSection>,
    #[schemars(with = "String")]
    pub undone_at: Moment,
    pub index_updated: bool,
    pub warnings: Vec<String>,
}

/// A file before and after the undo.
struct Reverted {
    path: MemoryPath,
    /// None if the file went with its entry.
    before: Option<String>,
    /// None if the file is removed.
    after: Option<String>,
    /// Whether the former text is kept: a file that is removed is only moved, but no secret is copied.
    is_kept: bool,
}

/// Undoes a proposal, completely or not at all.
pub(crate) fn undo(
    project: &Project,
    wanted: &Wanted,
    approval: &Approval,
) -> Result<Answer<TakenBack>> {
    answered(project, || take_back(project, wanted, approval))
}

fn take_back(project: &Project, wanted: &Wanted, approval: &Approval) -> Attempt<TakenBack> {
    let mut locked = project.lock("undo", None)?;
    let known = undo::read(locked.layout())?;
    let undoable = find(project, &known, wanted)?;
    let id = &undoable.id;
    let applied = read_decision(project, id.as_str())?;
    let applied = applied.into_iter().rfind(|entry| entry["decision"] == "applied");
    let files: Vec<Reverted> = undoable
        .files
        .iter()
        .map(|reversal| revert(project, reversal, applied.as_ref()))
        .collect::<Attempt<_>>()?;
    let sections: Vec<AffectedSection> = files.iter().flat_map(Reverted::affected).collect();
    let mut steps: Vec<Step> =
        files.iter().flat_map(|file| file.steps(locked.layout(), id)).collect();
    let operations = applied.as_ref().and_then(staging::chosen_operations);
    steps.extend(staging::no_longer_applied(locked.layout(), id, operations.as_deref()));
    let logged_file =
        |file: &Reverted| logged(&file.path, file.before.as_deref(), file.after.as_deref());
    let entry = Entry {
        id: Some(id),
        approver: Some(approval.approver()),
        files: files.iter().map(logged_file).collect(),
        sections: &sections,
        ..Entry::new(project.session.now, "undone")
    };
    steps.push(entry.append_to(&locked.layout().signed_log().tail()?));
    let trace = project.trace_of(files.iter().flat_map(Reverted::texts));
    let mut warnings = write(&mut locked, steps, trace)?;
    warnings.splice(0..0, project.take_warnings());
    drop(locked);
    warnings.extend(files.iter().filter_map(Reverted::warning));
    let files: Vec<String> = files.iter().map(|file| file.path.to_string()).collect();
    Ok(TakenBack {
        id: id.clone(),
        affected_sections: sections,
        undone_at: project.session.now,
        index_updated: project.index_follows(&files, &mut warnings),
        files,
        warnings,
    })
}

/// Finds the wanted change, unless it is undone already.
fn find<'k>(project: &Project, known: &'k [Undoable], wanted: &Wanted) -> Attempt<&'k Undoable> {
    let hint = "`agent-memory log` lists what was applied";
    let decisions = last_decisions(project)?;
    let was_applied =
        |id: &ProposalId| decisions.get(id.as_str()).is_none_or(|last| last.decision == "applied");
    let mut ids: Vec<&ProposalId> = known.iter().map(|each| &each.id).collect();
    // Both the log and `undo.jsonl` may have lost their end: what only one of them has is newer.
    let newest = ids.iter().rev().copied().find(|id| was_applied(id));
    let latest = match newest.filter(|id| !decisions.contains_key(id.as_str())) {
        Some(unlogged) => Some(unlogged),
        None => find_logged(project, &ids, &decisions)?,
    };
    // A proposal that was undone and applied again is there twice.
    ids.sort_unstable();
    ids.dedup();
    let id = match wanted {
        Wanted::Latest => latest.ok_or_else(|| {
            let message = "nothing that was applied can be undone";
            Refusal::new(Reason::StagingNotFound, message, hint)
        })?,
        Wanted::Named(text) => staging::choose(&ids, text, "no applied proposal", hint)?,
    };
    if let Some(last) = decisions.get(id.as_str()).filter(|_| !was_applied(id)) {
        let message = format!("`{id}` was {} at {}", last.decision, last.time);
        return Err(Refusal::new(Reason::StagingNotFound, message, hint).into());
    }
    Ok(known.iter().rev().find(|each| each.id == *id).expect("it is one of their ids"))
}

/// Finds the change that the log has as the last one.
fn find_logged<'k>(
    project: &Project,
    ids: &[&'k ProposalId],
    decisions: &BTreeMap<String, LastDecision>,
) -> Result<Option<&'k ProposalId>> {
    let applied = decisions.iter().filter(|(_, last)| last.decision == "applied");
    let Some((latest, _)) = applied.max_by_key(|(_, last)| last.number) else { return Ok(None) };
    let known = ids.iter().copied().find(|id| id.as_str() == latest);
    known.map(Some).ok_or_else(|| {
        let message = format!("the way back from `{}` is missing in", project.clean(latest));
        Error::new(ErrorKind::StoreDamaged, message)
            .at(&project.store.layout().store().join("state/undo.jsonl"))
            .hint("take its files from git; `agent-memory undo <ID>` takes an older change back")
    })
}

/// Undoes the change of a file; `applied` is its log line.
fn revert(project: &Project, reversal: &Reversal, applied: Option<&Value>) -> Attempt<Reverted> {
    let path = MemoryPath::parse(&reversal.path).map_err(|problem| {
        Refusal::new(Reason::InvalidPath, problem.message, "`state/undo.jsonl` was edited")
    })?;
    let now = project.store.read(&path)?.into_text();
    let after = match reversal.take_back(now.as_deref()) {
        Ok(Undone::Text(text)) => Some(text),
        Ok(Undone::Gone) => None,
        Err(obstacle) => return Err(refuse(&path, &obstacle).into()),
    };
    let before = now;
    let is_kept = after.is_none() || !before.as_deref().is_some_and(|it| project.is_secret(it));
    let reverted = Reverted { path, before, after, is_kept };
    refuse_forged(project, reversal, applied, &reverted)?;
    Ok(reverted)
}

/// Refuses a text that was never there: an edited `state/undo.jsonl` must not write a text past all checks.
fn refuse_forged(
    project: &Project,
    reversal: &Reversal,
    applied: Option<&Value>,
    reverted: &Reverted,
) -> Attempt<()> {
    let Reverted { path, before, after, .. } = reverted;
    let (before, after) =
        (before.as_deref().unwrap_or_default(), after.as_deref().unwrap_or_default());
    let count = |text: &str| project.scanner.scan(text).len();
    if count(after) > count(before) {
        let message = format!("what would come back to `{path}` holds what looks like a secret");
        let hint = "take the file from git, without the secret";
        return Err(Refusal::new(Reason::SecretDetected, message, hint).into());
    }
    // Without newer changes, the log has the former hash of the file.
    let untouched = *reversal.after() == ContentHash::of(before.as_bytes());
    let file = applied.and_then(|entry| {
        entry["files"].as_array()?.iter().find(|file| file["path"] == path.as_str())
    });
    let differs = file.is_some_and(|file| {
        file["before"].as_str().unwrap_or(&logged_hash("")) != logged_hash(after)
    });
    // By the log, the file had exactly this text.
    let is_vouched_for = untouched && file.is_some() && !differs;
    if let Some(hidden) = find_newly_hidden(before, after).filter(|_| !is_vouched_for) {
        let code = hidden.code_point();
        let message = format!("what would come back to `{path}` holds the hidden character {code}");
        let hint = "undo what came later first, or take the file from git, without it";
        return Err(Refusal::new(Reason::HiddenCharacters, message, hint).into());
    }
    match untouched && differs {
        true => Err(Error::new(ErrorKind::StoreDamaged, "other than the log says:")
            .at(&project.store.layout().store().join("state/undo.jsonl"))
            .hint("the file was edited; take the memory file from git")
            .into()),
        false => Ok(()),
    }
}

fn refuse(path: &MemoryPath, obstacle: &Obstacle) -> Box<Refusal> {
    match obstacle {
        Obstacle::Changed(titles) => {
            let places: Vec<String> = titles
                .iter()
                .map(|title| match title.as_str() {
                    "" => format!("`{path}`"),
                    title => format!("the section `{title}` of `{path}`"),
                })
                .collect();
            let message = format!("{} changed after this was applied", places.join(", "));
            let hint = format!(
                "undo the later change first, or take it back in `{path}` if it was made by hand"
            );
            Refusal::new(Reason::TargetDrift, message, hint)
        }
        Obstacle::Withheld => Refusal::new(
            Reason::SecretDetected,
            format!("the former text of `{path}` held what looks like a secret and was not kept"),
            "take the file from git, without the secret",
        ),
    }
}

impl Reverted {
    fn texts(&self) -> impl Iterator<Item = &str> {
        [&self.before, &self.after].into_iter().flatten().map(String::as_str)
    }

    fn steps(&self, layout: &Layout, id: &ProposalId) -> Vec<Step> {
        let (path, before) = (self.path.as_str(), self.before.as_deref());
        let Some(after) = &self.after else {
            let put_away = before.map(|before| undo::put_away(layout, id, path, before));
            return put_away.into_iter().collect();
        };
        let kept = before.filter(|_| self.is_kept).map(|text| undo::keep(layout, id, path, text));
        kept.into_iter().chain([Step::write(path, before, after.clone())]).collect()
    }

    fn warning(&self) -> Option<String> {
        let why = "said until now holds what looks like a secret: it is not kept";
        (!self.is_kept).then(|| format!("what `{}` {why}", self.path))
    }

    fn affected(&self) -> Vec<AffectedSection> {
        let after = self.after.as_deref().unwrap_or_default();
        let changes = changes(
            &Outline::read(self.before.as_deref().unwrap_or_default()),
            &Outline::read(after),
        );
        // The title that is removed with a file is not listed.
        let named =
            changes.iter().filter(|each| each.id.is_some() || each.change == Change::Changed);
        named.map(|change| change.affected(&self.path)).collect()
    }
}
