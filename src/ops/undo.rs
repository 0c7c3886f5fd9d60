//! `undo`: takes an applied change back, as long as its sections are as it left them.

use serde::Serialize;

use super::land::contents_of_texts;
use super::{Stop, Wanted, Workspace, logged_hash, read_decision, write};
use crate::contract::{AffectedSection, Change, MemoryPath, Moment, ProposalId, Reason, Refusal};
use crate::error::Result;
use crate::markdown::{Outline, changes};
use crate::pipeline::{Approval, FileState};
use crate::reversal::{Obstacle, Reversal, Undone};
use crate::store::log::{Entry, LoggedFile, Tail};
use crate::store::undo::{self, Undoable};
use crate::store::{Layout, Step, Trace, staging};

/// A change that was taken back.
#[derive(Debug, Clone, Serialize)]
pub struct TakenBack {
    /// Always `undone`.
    pub status: &'static str,
    /// The proposal that had brought it.
    pub proposal_id: ProposalId,
    /// The files touched.
    pub files: Vec<String>,
    /// The sections touched.
    pub affected_sections: Vec<AffectedSection>,
    /// When.
    pub undone_at: Moment,
    /// Whether the index knows.
    pub index_updated: bool,
    /// What the person should know.
    pub warnings: Vec<String>,
}

/// A file before and after its change is taken back.
struct Reverted {
    path: MemoryPath,
    before: String,
    /// None if it goes.
    after: Option<String>,
}

/// Takes back what a proposal brought, all of it or nothing.
pub fn undo(
    workspace: &Workspace,
    wanted: &Wanted,
    approval: &Approval,
) -> Result<std::result::Result<TakenBack, Box<Refusal>>> {
    match walk(workspace, wanted, approval) {
        Ok(undone) => Ok(Ok(undone)),
        Err(Stop::Failed(error)) => Err(error),
        Err(Stop::Refused(refusal)) => Ok(Err(refusal.cleaned(|text| workspace.clean(text)))),
    }
}

fn walk(
    workspace: &Workspace,
    wanted: &Wanted,
    approval: &Approval,
) -> std::result::Result<TakenBack, Stop> {
    let mut locked = workspace.lock("undo", None)?;
    let known = undo::read(locked.layout())?;
    let undoable = find(workspace, &known, wanted)?;
    let id = &undoable.id;
    let files: Vec<Reverted> = undoable
        .files
        .iter()
        .map(|reversal| revert(workspace, reversal))
        .collect::<std::result::Result<_, Stop>>()?;
    let sections: Vec<AffectedSection> = files.iter().flat_map(Reverted::affected).collect();
    let mut steps: Vec<Step> = files.iter().map(|file| file.step(locked.layout(), id)).collect();
    let texts = files.iter().map(|file| (&file.path, file.after.as_deref().unwrap_or_default()));
    steps.extend(contents_of_texts(workspace, texts)?);
    let entry = Entry {
        id: Some(id),
        approver: Some(approval.approver()),
        files: files.iter().map(Reverted::logged).collect(),
        sections: &sections,
        ..Entry::new(workspace.now, "undone")
    };
    steps.push(Tail::read(locked.layout())?.append(&entry));
    let is_secret = |text: &str| !workspace.scanner.scan(text).is_empty();
    let discreet = files.iter().filter_map(|file| file.after.as_deref()).any(is_secret);
    let trace = if discreet { Trace::Wiped } else { Trace::Kept };
    let mut warnings = workspace.take_recovered();
    warnings.extend(write(&mut locked, steps, trace)?);
    drop(locked);
    let files: Vec<String> = files.iter().map(|file| file.path.to_string()).collect();
    Ok(TakenBack {
        status: "undone",
        proposal_id: id.clone(),
        affected_sections: sections,
        undone_at: workspace.now,
        index_updated: workspace.index_follows(&files, &mut warnings),
        files,
        warnings,
    })
}

/// Finds the change that a person means, unless it is taken back already.
fn find<'k>(
    workspace: &Workspace,
    known: &'k [Undoable],
    wanted: &Wanted,
) -> std::result::Result<&'k Undoable, Stop> {
    let hint = "`agent-memory log` lists what was applied";
    let ids: Vec<&ProposalId> = known.iter().map(|each| &each.id).collect();
    let id = match wanted {
        Wanted::Latest => latest(workspace, &ids)?,
        Wanted::Named(text) => ProposalId::choose(&ids, text).map_err(|fitting| {
            let message = format!("no applied proposal is called `{}`", crate::text::visible(text));
            match fitting.len() {
                0 => Refusal::new(Reason::StagingNotFound, message, hint),
                _ => staging::refuse_ambiguous(text, &fitting),
            }
        })?,
    };
    if let Some(last) = last_decision(workspace, id)?.filter(|(decision, _)| decision != "applied")
    {
        let message = format!("`{id}` was {} at {}", last.0, last.1);
        return Err(Refusal::new(Reason::StagingNotFound, message, hint).into());
    }
    // A proposal that was taken back and applied again has two lines; the younger one counts.
    Ok(known.iter().rev().find(|each| each.id == *id).expect("it is one of their ids"))
}

/// Returns the youngest change that is not taken back.
fn latest<'k>(
    workspace: &Workspace,
    ids: &[&'k ProposalId],
) -> std::result::Result<&'k ProposalId, Stop> {
    for id in ids.iter().rev() {
        let last = last_decision(workspace, id)?;
        if last.is_none_or(|(decision, _)| decision == "applied") {
            return Ok(id);
        }
    }
    let hint = "`agent-memory log` shows what was decided";
    Err(Refusal::new(Reason::StagingNotFound, "nothing that was applied can be undone", hint)
        .into())
}

/// Returns what was decided last about a proposal, and when; nothing if the log does not know it.
fn last_decision(workspace: &Workspace, id: &ProposalId) -> Result<Option<(String, String)>> {
    let last = read_decision(workspace, id.as_str())?.pop();
    Ok(last.map(|entry| {
        let text = |name: &str| entry[name].as_str().unwrap_or_default().to_owned();
        (text("decision"), text("time"))
    }))
}

fn revert(workspace: &Workspace, reversal: &Reversal) -> std::result::Result<Reverted, Stop> {
    let path = MemoryPath::parse(&reversal.path).map_err(|problem| {
        Refusal::new(Reason::InvalidPath, problem.message, "`state/undo.jsonl` was edited")
    })?;
    let now = match workspace.store.read(&path)? {
        FileState::Text(text) => Some(text),
        FileState::Absent | FileState::Unusable(_) => None,
    };
    let after = match reversal.take_back(now.as_deref()) {
        Ok(Undone::Text(text)) => Some(text),
        Ok(Undone::Gone) => None,
        Err(obstacle) => return Err(refuse(&path, &obstacle).into()),
    };
    Ok(Reverted { path, before: now.unwrap_or_default(), after })
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
            let hint =
                "undo what came later first, or have the text proposed that should stand there";
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
    fn step(&self, layout: &Layout, id: &ProposalId) -> Step {
        match &self.after {
            Some(text) => Step::write(self.path.as_str(), Some(&self.before), text.clone()),
            None => undo::put_away(layout, id, self.path.as_str()),
        }
    }

    fn affected(&self) -> Vec<AffectedSection> {
        let after = self.after.as_deref().unwrap_or_default();
        let changes = changes(&Outline::read(&self.before), &Outline::read(after));
        // The title that goes with a file has no id, and nobody asked for it.
        let named =
            changes.iter().filter(|each| each.id.is_some() || each.change == Change::Changed);
        named.map(|change| change.affected(&self.path)).collect()
    }

    fn logged(&self) -> LoggedFile {
        LoggedFile {
            path: self.path.to_string(),
            before: Some(logged_hash(&self.before)),
            after: self.after.as_deref().map(logged_hash),
        }
    }
}
