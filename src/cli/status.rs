//! `agent-memory status`

use anstyle::Style;
use comfy_table::presets::NOTHING;
use comfy_table::{Cell, CellAlignment, ContentArrangement, Table};

use super::call::{Context, Exit};
use super::columns::{cut, wrap};
use super::output::{BAD, CARE, DONE, GOOD};
use super::render::span_left;
use super::worktrees::{PendingList, WorktreeQueues};
use super::{environment, worktrees};
use crate::project::request::Reason;
use crate::project::verbs::{
    DecidedElsewhere, Health, LeftBehindProposal, OtherBranch, Pending, Project, UnreviewedCount,
    pending, status,
};
use crate::secrets::shown_name;
use crate::text::{count, one_line, span};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// List the pending proposals of every worktree of the repository
    #[arg(long)]
    worktrees: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let project = context.project()?;
    if args.worktrees {
        return print_worktrees(project, context);
    }
    let status = status(project)?;
    let (output, columns) = (context.output, environment::columns());
    if output.json {
        output.document(&status);
        return Ok(DONE);
    }
    let expired = status.pending.iter().filter(|each| each.seconds_left < 0).count();
    let advise = |words: &str| output.data(&format!("{}\n", wrap(words, columns)));
    if status.pending.is_empty() {
        output.data("nothing is pending\n");
    } else {
        output.data(&queue(&status.pending, columns));
        output.data(&remarks(&status.pending, columns));
        advise("decide with `agent-memory review`, or `show ID`, then `apply ID` or `reject ID`");
        let mut reasons = status.pending.iter().map(|each| each.readiness.reason);
        if reasons.any(|reason| reason == Some(Reason::TargetDrift)) {
            advise("what no longer fits: `rebase ID` merges it with the sections as they are now");
        }
        if expired > 0 {
            advise("what expired: `apply --expired ID` applies it, `sweep` takes all of it out");
        }
    }
    for DecidedElsewhere { id, decision } in &status.decided {
        let words = format!("{decision} on another branch");
        output.data(&remark(CARE, id, &words, columns));
    }
    if !status.decided.is_empty() {
        advise("what was decided on another branch: `sweep` takes it out of the queue");
    }
    output.data(&left_behind(&status.left_behind, columns));
    status.unreviewed.iter().for_each(|count| advise(&unreviewed(count)));
    output.data(&health(&status.health, expired, columns));
    let told = project.warnings();
    // These were printed when the store was opened.
    let untold = status.health.warnings.iter().filter(|said| !told.contains(said));
    untold.for_each(|warning| output.warn(warning));
    Ok(DONE)
}

fn unreviewed(UnreviewedCount { changes, since }: &UnreviewedCount) -> String {
    let were = if *changes == 1 { "change was" } else { "changes were" };
    let since = since.map(|since| format!(" since {since}")).unwrap_or_default();
    format!("{changes} {were} applied without review{since}: `agent-memory log --unreviewed`")
}

fn print_worktrees(project: &Project, context: &Context) -> Exit {
    let output = context.output;
    let mut documents = Vec::new();
    for each in worktrees::open(project, context)? {
        let waiting = pending(&each.project)?;
        output.warn_each(&each.project.branches_unknown());
        if output.json {
            documents.push(worktrees::document(&each, PendingList { pending: waiting }));
            continue;
        }
        output.data(&worktrees::title(&each));
        match waiting.is_empty() {
            true => output.data("  nothing is pending\n"),
            false => output.data(&queue(&waiting, environment::columns())),
        }
    }
    let (left, unknown) = project.left_behind_proposals();
    output.warn_each(&unknown);
    match output.json {
        true => output.document(&WorktreeQueues { worktrees: documents, left_behind: Some(left) }),
        false => output.data(&left_behind(&left, environment::columns())),
    }
    Ok(DONE)
}

pub(super) fn left_behind(left: &[LeftBehindProposal], columns: usize) -> String {
    let mut text = String::new();
    for each in left {
        text += &remark(
            CARE,
            &each.id,
            &format!("left behind in {}", shown_name(&each.origin())),
            columns,
        );
    }
    if !left.is_empty() {
        let advice = "what was left behind: `restore ID` puts it into the queue here";
        text += &format!("{}\n", wrap(advice, columns));
    }
    text
}

/// Writes what the table leaves out, e.g. why a proposal cannot be applied.
fn remarks(pending: &[Pending], columns: usize) -> String {
    let mut text = String::new();
    for each in pending.iter().filter(|each| !each.readiness.can_apply) {
        let why = each.readiness.message.as_deref().unwrap_or_default();
        text += &remark(BAD, &each.id, &shown_name(why), columns);
    }
    for each in pending {
        let told = [
            (each.request_changed, "edited after it was staged"),
            (each.request_unknown, "not known here: it was not proposed in this store"),
            (each.was_decided, "decided here before, and pending again"),
        ];
        for (_, words) in told.iter().filter(|(is_so, _)| *is_so) {
            text += &remark(CARE, &each.id, words, columns);
        }
    }
    for (each, said) in
        pending.iter().filter_map(|each| Some((each, OtherBranch::say(&each.other_branches)?)))
    {
        text += &remark(CARE, &each.id, &said, columns);
    }
    for (each, by) in pending.iter().filter_map(|each| Some((each, each.superseded_by.as_ref()?))) {
        text += &remark(CARE, &each.id, &format!("superseded by {by}"), columns);
    }
    text
}

fn remark(style: Style, id: &str, words: &str, columns: usize) -> String {
    let line = wrap(&format!("{id}: {words}"), columns);
    let rest = line.strip_prefix(id).unwrap_or(&line);
    format!("{style}{id}{style:#}{rest}\n")
}

/// Writes a table, or a list if the window is too narrow for the ids.
pub(super) fn queue(pending: &[Pending], columns: usize) -> String {
    let applies = pending.iter().map(|each| applies(each).len()).max().unwrap_or(0);
    // Two columns of ages, and a blank on both sides of each of the four columns.
    let others = "3649d".len() * 2 + applies.max("APPLIES".len()) + 8;
    let room = columns.saturating_sub(others);
    // An id that is broken into two lines cannot be copied.
    if pending.iter().any(|each| each.id.len() > room) {
        return list(pending, columns);
    }
    let table = table(pending, room);
    table.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

fn list(pending: &[Pending], columns: usize) -> String {
    let mut text = "PENDING\n".to_owned();
    for each in pending {
        let (age, left) = (span(each.age_seconds), left(each));
        text += &format!(
            "{}\n  age {age}, left {left}, applies {}\n",
            what(each, columns),
            applies(each)
        );
    }
    text
}

fn table(pending: &[Pending], room: usize) -> Table {
    let mut table = Table::new();
    table
        .load_style(NOTHING)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(["PENDING", "AGE", "LEFT", "APPLIES"]);
    for each in pending {
        table.add_row([
            Cell::new(what(each, room)),
            Cell::new(span(each.age_seconds)).set_alignment(CellAlignment::Right),
            Cell::new(left(each)).set_alignment(CellAlignment::Right),
            Cell::new(applies(each)),
        ]);
    }
    table
}

fn left(pending: &Pending) -> String {
    match pending.seconds_left {
        ..0 => "none".to_owned(),
        seconds => span_left(seconds),
    }
}

fn applies(pending: &Pending) -> &'static str {
    pending.readiness.reason.map_or("yes", |reason| reason.name())
}

fn what(pending: &Pending, room: usize) -> String {
    let owner = pending.owner.as_deref().map(|owner| format!(" by {owner}")).unwrap_or_default();
    let rationale = pending.rationale.as_deref().unwrap_or_default();
    let rationale = one_line(rationale);
    let lines = [format!("{}{owner}", pending.intent), rationale];
    let lines = lines.iter().map(|line| cut(&shown_name(line), room - 2).into_owned());
    let below = places(pending, room - 2).into_iter().chain(lines).filter(|line| !line.is_empty());
    let below = below.map(|line| format!("\n  {}", line.replace('\n', "\n  ")));
    pending.id.clone() + &below.collect::<String>()
}

/// Names the sections if they fit into a line, else the files. Removed sections are always named.
fn places(pending: &Pending, room: usize) -> Vec<String> {
    let Pending { files, sections, removes, .. } = pending;
    let stays: Vec<&str> =
        sections.iter().filter(|each| !removes.contains(each)).map(String::as_str).collect();
    let named = if sections.is_empty() { files.join(", ") } else { stays.join(", ") };
    let named = shown_name(&named);
    let fits = cut(&named, room) == named;
    let changes = match (stays.len(), files.len()) {
        (0 | 1, 0 | 1) => cut(&named, room).into_owned(),
        _ if fits => named.into_owned(),
        (0, _) => wrap(&named, room),
        (sections, _) => {
            let files = format!("{} in {}", count(sections, "section"), files.join(", "));
            wrap(&shown_name(&files), room)
        }
    };
    let gone = match removes.is_empty() {
        true => String::new(),
        false => wrap(&shown_name(&format!("takes away {}", removes.join(", "))), room),
    };
    vec![changes, gone]
}

fn health(health: &Health, expired: usize, columns: usize) -> String {
    let read_only = match health.read_only {
        0 => String::new(),
        files => format!(" ({files} read only)"),
    };
    let (sections, files) = (count(health.sections, "section"), count(health.files, "file"));
    let mut parts = vec![
        format!("{sections} in {files}{read_only}"),
        format!("room for {} more", count(health.queue_left, "proposal")),
    ];
    if expired > 0 {
        parts.push(format!("not counting {expired} expired"));
    }
    if health.withheld > 0 {
        parts.push(format!("{} withheld for a secret", count(health.withheld, "section")));
    }
    if health.allow_regions > 0 {
        parts.push(format!(
            "{} allowed to look like a secret",
            count(health.allow_regions, "region")
        ));
    }
    let style = if health.withheld > 0 { BAD } else { GOOD };
    let line = wrap(&format!("store {}: {}", shown_name(&health.store), parts.join(", ")), columns);
    let rest = line.strip_prefix("store").unwrap_or(&line);
    format!("{style}store{style:#}{rest}\n")
}
