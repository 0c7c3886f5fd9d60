//! Stages a routed change.

use std::borrow::Cow;

use super::doctor::{QUEUE_IGNORED, ignores_queue};
use super::pending::{Drift, reopen};
use super::propose::paths;
use super::selection::Selection;
use super::{Attempt, Project, write};
use crate::contract::{ContentHash, Moment, Outcome, ProposalId, Reason, Refusal, Routing, Staged};
use crate::error::Result;
use crate::project::pipeline::{Planned, PlannedFile, Routed};
use crate::project::store::log::{self, Entry, LoggedFile};
use crate::project::store::staging::{self, Ticket};
use crate::project::store::{Locked, Recent, Trace};
use crate::text::count;

/// How many ids are tried before the subject of the id changes.
const TRIES: u32 = 256;

pub(super) fn stage(
    project: &Project,
    locked: &mut Locked<'_>,
    routed: &Routed<'_>,
    (id, log): (&ProposalId, &log::Tail),
) -> Attempt<Outcome> {
    let Routed { planned, routing, .. } = routed;
    let mut answer = staged(project, planned, routing, Some((id, expiry(project))));
    let ticket = Ticket {
        id,
        // The log only grows, so its length gives the order of proposals.
        order: log.offset,
        ttl_seconds: answer.staging_ttl_seconds,
        expires_at: answer.expires_at,
        branch: planned.screened.branch().unwrap_or_default(),
        routing,
        is_tracked: project.config.staging.track,
    };
    let (mut steps, hash) = staging::stage(planned, &ticket, |text| project.clean(text));
    steps.extend(ticket.is_tracked.then(|| staging::steady(locked.layout())).flatten());
    steps.push(log.append(&Entry { request: Some(&hash), ..entry(planned, id, "staged") }));
    answer.warnings.extend(write(locked, steps, Trace::Kept)?);
    if ignores_queue(project)? {
        answer.warnings.push(format!("{QUEUE_IGNORED}; `agent-memory doctor --fix` mends it"));
    }
    Ok(Outcome::Staged(answer))
}

/// Returns the answer for the same request that is pending already; refuses where the queue is full.
pub(super) fn find_duplicate(
    project: &Project,
    locked: &Locked<'_>,
    routed: &Routed<'_>,
) -> Attempt<Option<Staged>> {
    let Routed { planned, routing, .. } = routed;
    let question = planned.screened.question_hash();
    let mut open = staging::read_questions(locked.layout())?;
    open.retain(|each| each.expires_at >= project.session.now);
    let same = open.iter().find(|each| each.question == question.as_str());
    // A damaged proposal can never be applied, so it must not block the same request.
    let same = same.and_then(|same| staging::read_waiting(locked.layout(), &same.id).ok()?);
    let Some(same) = same else {
        refuse_full(project, open.len())?;
        return Ok(None);
    };
    let mut answer = staged(project, planned, routing, Some((&same.id, same.expires_at)));
    answer.warnings.push(format!("the same proposal waits already, since {}", same.submitted_at));
    // The pending one will be applied, with its own date and evidence.
    if let Ok(pending) = reopen(project, &same, &Selection::All, Drift::Accepted) {
        answer.affected_sections = pending.affected;
    }
    Ok(Some(answer))
}

/// Makes the answer for a change that is staged; on a dry run it has no id.
pub(super) fn staged(
    project: &Project,
    planned: &Planned<'_>,
    routing: &Routing,
    name: Option<(&ProposalId, Moment)>,
) -> Staged {
    let id = name.map(|(id, _)| id.clone());
    Staged {
        review_command: id.as_ref().map(|id| format!("agent-memory show {id}")),
        staging_id: id.clone(),
        dry_run: id.is_none(),
        proposal_id: id,
        routing: routing.clone(),
        staging_ttl_seconds: project.config.staging.ttl.as_secs(),
        expires_at: name.map_or_else(|| expiry(project), |(_, expires_at)| expires_at),
        human_approval_required: true,
        files: paths(planned),
        affected_sections: planned.affected.clone(),
        warnings: planned.warnings.clone(),
    }
}

/// Finds a new id for a change, which no kept proposal and no decision of the same second has; returns also the append
/// position in the log. Notes the pending proposals for the reminder.
pub(super) fn name(project: &Project, planned: &Planned<'_>) -> Result<(ProposalId, log::Tail)> {
    let (screened, layout) = (&planned.screened, project.store.layout());
    let (log, taken) = (log::Tail::read(layout)?, staging::Taken::read(layout)?);
    let request = screened.request();
    let subject = request.rationale.as_deref().unwrap_or(request.intent.name());
    let recent = Recent::read(layout, screened.submitted_at(), &log)?;
    let mut ids = (0_u32..).map(|attempt| {
        let seed = format!("{} {} {attempt}", screened.question_hash(), log.decisions());
        let subject = match attempt / TRIES {
            0 => Cow::Borrowed(subject),
            turn => Cow::Owned(format!("{turn} {subject}")),
        };
        ProposalId::new(screened.submitted_at(), &subject, seed.as_bytes())
    });
    let is_free = |id: &ProposalId| !recent.has(id) && taken.is_free(layout, id);
    let id = ids.find(is_free).expect("some subject has four digits left");
    project.watch.note(taken.waiting);
    Ok((id, log))
}

pub(super) fn entry<'a>(
    planned: &'a Planned<'_>,
    id: &'a ProposalId,
    decision: &'static str,
) -> Entry<'a> {
    let request = planned.screened.request();
    let logged = |file: &PlannedFile| LoggedFile {
        path: file.path.to_string(),
        before: file.before_hash().map(ContentHash::to_string),
        after: Some(file.after_hash().to_string()),
    };
    Entry {
        id: Some(id),
        owner: request.owner.as_ref().map(|owner| owner.id.as_str()),
        intent: Some(request.intent.name()),
        reason: request.rationale.as_deref(),
        files: planned.files.iter().map(logged).collect(),
        sections: &planned.affected,
        ..Entry::new(planned.screened.submitted_at(), decision)
    }
}

fn expiry(project: &Project) -> Moment {
    project.session.now.plus(project.config.staging.ttl)
}

pub(super) fn refuse_full(project: &Project, open: usize) -> Attempt<()> {
    let limit = project.config.staging.max_open;
    if open < limit {
        return Ok(());
    }
    let message = format!("the queue holds {}, allowed are {limit}", count(open, "proposal"));
    let hint = "ask a person to review what waits: `agent-memory status`";
    Err(Refusal::new(Reason::QueueFull, message, hint).into())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::project::verbs::{InitOptions, Session, init, propose};

    fn ask(project: &Project, intent: &str, operation: &str) -> Outcome {
        let source = r#"{"type":"user","ref":"ada"}"#;
        let request = format!(
            r#"{{"intent":"{intent}","sources":[{source}],"operations":[{{{operation}}}]}}"#
        );
        propose(project, request.into_bytes()).expect("an answer")
    }

    const MADE: &str = r#""operation":"append_section","heading":"Alpha","content":"0""#;

    fn replaced(number: usize) -> String {
        format!(
            r#""operation":"replace_section_content","section_id":"alpha","content":"{number}""#
        )
    }

    #[test]
    fn no_two_changes_of_a_second_have_the_same_name() {
        let folder = tempfile::tempdir().expect("a folder");
        // A process that another test starts has the lock for a moment, until it becomes another program.
        let lock_wait = std::time::Duration::from_secs(60);
        let session = Session { lock_wait, ..Session::alone_in(folder.path()) };
        init(&session, &InitOptions::default()).expect("a store");
        let propose = |operation: &str| {
            let project = Project::open_to_write(&session).expect("it opens");
            match ask(&project, "update_shared", operation) {
                Outcome::Applied(applied) => applied.proposal_id.expect("it has a name"),
                other => panic!("{other:?}"),
            }
        };
        let mut ids = BTreeSet::from([propose(MADE)]);
        // Among 500 ids with four random digits a collision is likely.
        for number in 1..500 {
            assert!(ids.insert(propose(&replaced(number))), "{number}");
        }
    }
}
