//! Applies or rejects all remaining proposals with the same files or the same intent.

use super::page::ShownPage;
use super::prompts;
use super::queue::Stores;
use super::screen;
use super::state::{Review, ReviewDecision, ReviewTurn};
use super::terminal::{self, PressedKey};
use crate::cli::render;
use crate::contract::ContentHash;
use crate::error::Result;
use crate::project::request::Outcome;
use crate::project::verbs::{
    ApplyOptions, OtherBranch, Pending, Selection, ShownProposal, show_queued,
};
use crate::text::count;

pub(super) fn apply_rest(session: &mut Review<'_>) -> Result<ReviewTurn> {
    let Some(rest) = ask_scope(session, "Apply")? else { return Ok(ReviewTurn::Ask) };
    let (columns, _) = terminal::size();
    let mut text = String::new();
    let mut shown = Vec::new();
    let mut is_any_skipped = false;
    for &at in &rest {
        let queued = &session.queue[at];
        let stores = Stores::of(queued, session.context)?;
        if let Ok(each) = show_queued(&stores.here, stores.home(), &session.wanted_at(at))? {
            if let Some(said) = OtherBranch::say(&each.pending.other_branches) {
                let id = &each.pending.id;
                session.talk(&format!("{id} is skipped; decide about it alone: {said}"));
                is_any_skipped = true;
                continue;
            }
            let position = queued.position(at, session.queue.len());
            text += &screen::text(&each, &Selection::All, position, columns);
            text += "\n";
            shown.push((at, each));
        }
    }
    if shown.is_empty() {
        session.talk(match is_any_skipped {
            true => "none of these proposals can be applied together",
            false => "none of these proposals is still pending",
        });
        return Ok(ReviewTurn::Ask);
    }
    let question = format!("Apply these {}?", count(shown.len(), "proposal"));
    if !ShownPage::show(text, session.context.output).confirm(&question)? {
        return Ok(ReviewTurn::Ask);
    }
    let start = session.decided.len();
    for (at, each) in shown {
        if apply_as_shown(session, at, &each)? {
            session.decided.push((at, ReviewDecision::Applied));
        }
    }
    session.end_together(start);
    Ok(ReviewTurn::Go(next_open(session, &rest)))
}

pub(super) fn reject_rest(session: &mut Review<'_>) -> Result<ReviewTurn> {
    let Some(rest) = ask_scope(session, "Reject")? else { return Ok(ReviewTurn::Ask) };
    let question = match rest.len() {
        1 => "Why is this proposal rejected?".to_owned(),
        many => format!("Why are these {many} proposals rejected?"),
    };
    let Some(reason) = terminal::line(&prompts::why(&question))? else {
        return Ok(ReviewTurn::Ask);
    };
    let start = session.decided.len();
    for &at in &rest {
        let stores = Stores::of(&session.queue[at], session.context)?;
        if session.reject_one(at, &stores, &reason)? {
            session.decided.push((at, ReviewDecision::Rejected));
        }
    }
    session.end_together(start);
    Ok(ReviewTurn::Go(next_open(session, &rest)))
}

fn ask_scope(session: &Review<'_>, verb: &str) -> Result<Option<Vec<usize>>> {
    let this = &session.queue[session.at].pending;
    let question = format!(
        "{verb} this and all later proposals: f with the same files, i with the same intent, n cancels [f,i,n]"
    );
    let key = terminal::key(&question)?;
    let is_in_scope: fn(&Pending, &Pending) -> bool = match key {
        PressedKey::Char('f') => |one, other| one.files == other.files,
        PressedKey::Char('i') => |one, other| one.intent == other.intent,
        _ => return Ok(None),
    };
    let open = (session.at..session.queue.len()).filter(|at| !session.is_decided(*at));
    Ok(Some(open.filter(|at| is_in_scope(this, &session.queue[*at].pending)).collect()))
}

/// Applies a proposal if it still does what was shown; the ones before it may have changed the file around it.
fn apply_as_shown(session: &Review<'_>, at: usize, shown: &ShownProposal) -> Result<bool> {
    let stores = Stores::of(&session.queue[at], session.context)?;
    let output = session.context.output;
    let now = match show_queued(&stores.here, stores.home(), &session.wanted_at(at))? {
        Ok(now) if now.digest == shown.digest => now,
        Ok(_) => {
            let why = "it would now do something else than was shown";
            session.talk(&format!("{} was not applied: {why}", shown.pending.id));
            return Ok(false);
        }
        Err(refusal) => {
            output.refusal(&refusal);
            return Ok(false);
        }
    };
    let digest = now.digest.as_deref().and_then(ContentHash::parse);
    let options = ApplyOptions { digest, ..ApplyOptions::default() };
    let outcome = session.apply_one(at, &stores, &options)?;
    render::outcome(&outcome, output);
    Ok(matches!(outcome, Outcome::Applied(_)))
}

/// Returns the first open proposal of these, else the next one of the review.
fn next_open(session: &Review<'_>, rest: &[usize]) -> usize {
    let open = rest.iter().copied().find(|at| !session.is_decided(*at));
    open.unwrap_or_else(|| session.open_from(session.at))
}
