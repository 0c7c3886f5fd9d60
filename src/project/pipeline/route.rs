//! Planned → routed: into the files, into the queue, or nowhere.

use std::collections::{BTreeMap, BTreeSet};

use super::plan::Planned;
use crate::project::policy::{self, Facts, PolicyStep};
use crate::project::rejection::{FingerprintInput, Rejection};
use crate::project::request::{
    Action, Answer, Change, Decided, MemoryPath, Mode, OperationKind, Reason, Refusal, Routing,
};

/// A person's yes. It turns *stage* into *apply*, never *deny* into anything.
///
/// Only `cli/approval.rs` makes one: a test reads the sources for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    approver: String,
}

impl Approval {
    /// Takes the name of the person who said yes.
    pub fn by(approver: String) -> Self {
        Self { approver }
    }

    pub(crate) fn approver(&self) -> &str {
        &self.approver
    }
}

#[derive(Debug)]
#[must_use = "commit it or stage it"]
pub struct Routed<'a> {
    pub planned: Planned<'a>,
    pub routing: Routing,
    pub destination: Destination,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Destination {
    Files,
    Queue,
}

impl<'a> Planned<'a> {
    /// Asks the policy; without an approval, what people refused before is refused again.
    pub fn route(self, approval: Option<&Approval>) -> Answer<Routed<'a>> {
        let routing = self.permitted()?;
        let destination = match (routing.mode, approval) {
            (Mode::Apply, _) | (Mode::Stage, Some(_)) => Destination::Files,
            // A change that changes nothing needs no one's time.
            (Mode::Stage, None) if self.files.is_empty() => Destination::Files,
            (Mode::Stage | Mode::Deny, _) => Destination::Queue,
        };
        if approval.is_none() {
            self.refuse_known()?;
        }
        Ok(Routed { planned: self, routing, destination })
    }

    /// Asks the policy, and stages what it would apply: `rule` says why.
    pub fn route_to_review(self, rule: &str) -> Answer<Routed<'a>> {
        let mut routed = self.route(None)?;
        if routed.routing.mode == Mode::Apply && !routed.planned.files.is_empty() {
            let (rule, mode) = (rule.to_owned(), Mode::Stage);
            let decided = Decided { operation: None, category: None, rule, mode };
            routed.routing.decided_by.push(decided);
            routed.routing.mode = Mode::Stage;
            routed.destination = Destination::Queue;
        }
        Ok(routed)
    }

    /// Asks the policy which way the change may go; no approval lifts a denial.
    pub fn permitted(&self) -> Answer<Routing> {
        let routing = policy::route(&self.facts(), &self.screened.rules.config.overrides);
        match routing.mode {
            Mode::Deny => Err(refuse_denied(routing)),
            Mode::Apply | Mode::Stage => Ok(routing),
        }
    }

    fn facts(&self) -> Facts<'a> {
        let request = self.screened.request();
        let mut steps = Vec::new();
        for (index, placed) in self.screened.placed.iter().enumerate() {
            let asked = request.operations[index].action.kind();
            let effect = self.effects[index];
            let kinds = [Some(asked), Some(effect).filter(|effect| *effect != asked)];
            let replaces_file = self.replacing.contains(&index);
            // Where two categories own a file alike, neither lifts what the other asks for.
            for category in self.screened.rules.catalog.owners_of(placed.path.as_str()) {
                let step = |kind| PolicyStep { operation: index, kind, category, replaces_file };
                steps.extend(kinds.into_iter().flatten().map(step));
            }
            if let Some((_, category)) = &placed.archive {
                let (kind, replaces_file) = (OperationKind::ArchiveSection, false);
                steps.push(PolicyStep { operation: index, kind, category, replaces_file });
            }
        }
        Facts {
            intent: request.intent,
            steps,
            new_allow_region: self.new_allow_region,
            changes_frame: self.changes_frame,
            reaches_out: self.reaches_out,
            removes_section: self.affected.iter().any(|each| each.change == Change::Removed),
        }
    }

    pub(crate) fn refuse_known(&self) -> Answer<()> {
        let catalog = &self.screened.rules.catalog;
        let operations = self.screened.request().operations.iter().zip(&self.screened.placed);
        for (index, (operation, placed)) in operations.enumerate() {
            if self.rejections.is_empty() {
                return Ok(());
            }
            let input = FingerprintInput::of(&placed.path, catalog, &operation.action);
            let known = self.rejections.iter().filter(|each| each.covers(&input));
            if let Some(refusal) = refuse_rejected(known, &self.restorable) {
                return Err(refusal.at(format!("/operations/{index}")));
            }
        }
        self.refuse_known_in_pieces()
    }

    /// Refuses a text that was rejected before and comes in several operations on one file.
    fn refuse_known_in_pieces(&self) -> Answer<()> {
        let catalog = &self.screened.rules.catalog;
        let mut by_file: BTreeMap<&MemoryPath, Vec<&Action>> = BTreeMap::new();
        for (operation, placed) in
            self.screened.request().operations.iter().zip(&self.screened.placed)
        {
            by_file.entry(&placed.path).or_default().push(&operation.action);
        }
        let several = by_file.into_values().filter(|actions| actions.len() > 1);
        for input in several.filter_map(|actions| FingerprintInput::of_all(catalog, &actions)) {
            let known = self.rejections.iter().filter(|each| each.covers(&input));
            if let Some(refusal) = refuse_rejected(known, &self.restorable) {
                return Err(refusal.at("/operations"));
            }
        }
        Ok(())
    }
}

/// Refuses what was rejected before; two branches may each have had a reason.
fn refuse_rejected<'r>(
    known: impl Iterator<Item = &'r Rejection>,
    restorable: &BTreeSet<String>,
) -> Option<Box<Refusal>> {
    let (mut said, mut ids) = (Vec::new(), BTreeSet::new());
    for Rejection { id, date, reason, .. } in known {
        let told = format!("on {date}: {reason}");
        said.extend((!said.contains(&told)).then_some(told));
        ids.insert(id);
    }
    if ids.is_empty() {
        return None;
    }
    let files: Vec<String> = ids.iter().map(|id| format!("`rejections/{id}*.toml`")).collect();
    let kept = ids.iter().filter(|id| restorable.contains(**id));
    let restores: Vec<String> = kept.map(|id| format!("`agent-memory restore {id}`")).collect();
    // One that is not kept here stays a rejection, so the others alone would not let the text in.
    let brings_back = match restores.len() == ids.len() {
        true => format!(
            "runs {}, which brings back what was rejected, or, where only a part was, ",
            restores.join(" and ")
        ),
        false => String::new(),
    };
    let hint = format!(
        "do not send it again; if it has become right, a person {brings_back}deletes {}",
        files.join(" and ")
    );
    let message = format!("a person rejected this {}", said.join("; "));
    Some(Refusal::new(Reason::PreviouslyRejected, message, hint))
}

fn refuse_denied(routing: Routing) -> Box<Refusal> {
    let rules: Vec<&str> = routing
        .decided_by
        .iter()
        .filter(|each| each.mode == Mode::Deny)
        .map(|each| each.rule.as_str())
        .collect();
    let mut refusal = Refusal::new(
        Reason::DeniedByPolicy,
        format!("the policy of this store forbids it: {}", rules.join(", ")),
        "ask a person; `config.toml` and the schemas decide",
    );
    refusal.routing = Some(routing);
    refusal
}
