//! What `propose`, `stage` and `apply` share: the id of a change, its line in the log, its answer.

use std::borrow::Cow;

use super::project::Project;
use crate::contract::{ContentHash, Moment, SectionId};
use crate::disk::log::LogTail;
use crate::error::Result;
use crate::project::pipeline::{Planned, PlannedFile, Routed};
use crate::project::request::{Applied, ProposalId, Routing, Staged};
use crate::project::store::log::{Entry, LoggedFile};
use crate::project::store::{Recent, staging};

/// How many ids are tried before the subject of the id changes.
const TRIES: u32 = 256;

/// Finds a new id for a change, which no kept proposal and no decision of the same second has; returns also the append
/// position in the log. Notes the pending proposals for the reminder.
pub(super) fn name(project: &Project, planned: &Planned<'_>) -> Result<(ProposalId, LogTail)> {
    let (screened, layout) = (&planned.screened, project.store.layout());
    let (log, taken) = (layout.signed_log().tail()?, staging::Taken::read(layout)?);
    let subject = subject(planned);
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

/// Returns what a change is about: its first section, as a person searches for it in the queue.
fn subject<'a>(planned: &'a Planned<'_>) -> &'a str {
    let request = planned.screened.request();
    let id = planned.affected.iter().find_map(|section| section.section_id.as_ref());
    let asked = || request.operations.iter().find_map(|operation| operation.action.section_name());
    id.map(SectionId::as_str).or_else(asked).unwrap_or(request.intent.name())
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
        after: file.left().map(|_| file.after_hash().to_string()),
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

/// Returns the answer to a change that is applied, without its id and time.
pub(super) fn applied(planned: &Planned<'_>, routing: &Routing) -> Applied {
    Applied {
        proposal_id: None,
        routing: routing.clone(),
        files: paths(planned),
        affected_sections: planned.affected.clone(),
        applied_at: None,
        index_updated: false,
        dry_run: false,
        warnings: planned.warnings.clone(),
    }
}

pub(super) fn paths(planned: &Planned<'_>) -> Vec<String> {
    planned.files.iter().map(|file| file.path.to_string()).collect()
}

/// Makes the answer for a change that is staged; on a dry run it has no id.
pub(super) fn staged(
    project: &Project,
    routed: &Routed<'_>,
    id: Option<&ProposalId>,
    expires_at: Moment,
) -> Staged {
    let Routed { planned, routing, .. } = routed;
    let id = id.cloned();
    Staged {
        review_command: id.as_ref().map(|id| format!("agent-memory show {id}")),
        staging_id: id.clone(),
        dry_run: id.is_none(),
        proposal_id: id,
        routing: routing.clone(),
        staging_ttl_seconds: project.config.staging.ttl.as_secs(),
        expires_at,
        human_approval_required: true,
        files: paths(planned),
        affected_sections: planned.affected.clone(),
        warnings: planned.warnings.clone(),
    }
}

pub(super) fn expiry(project: &Project) -> Moment {
    project.session.now.plus(project.config.staging.ttl)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::project::request::Outcome;
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
