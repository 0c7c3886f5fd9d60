//! `agent-memory rebase`

use serde::Serialize;

use super::call::{Context, Exit};
use super::editor::{Editor, REMOVAL};
use super::output::{BAD, DONE, NO};
use super::report::Report;
use super::review::page::ShownPage;
use super::review::screen::{self, Position};
use super::review::terminal;
use super::{approval, environment};
use crate::contract::{ContentHash, Failure};
use crate::error::Result;
use crate::project::request::{Reason, Refusal};
use crate::project::verbs::{
    ApplyOptions, Project, Rebased, RebasedFile, Selection, Session, ShownProposal, Wanted, apply,
    rebase, show_selection,
};
use crate::secrets::shown_name;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Id of a proposal, or a unique part of it
    #[arg(required_unless_present = "latest")]
    id: Option<String>,
    /// Rebase the newest pending proposal
    #[arg(long, conflicts_with = "id")]
    latest: bool,
    /// Apply without asking, and only if the merged text has this digest
    #[arg(long, value_name = "DIGEST")]
    digest: Option<String>,
    /// Name of the person who approves; at a terminal git's `user.name` by default
    #[arg(long, value_name = "NAME")]
    approver: Option<String>,
}

/// A proposal that was merged without conflicts; `conflicts` is always empty.
#[derive(Serialize, schemars::JsonSchema)]
pub(super) struct RebaseMerged<'a> {
    proposal: &'a ShownProposal,
    conflicts: [String; 0],
}

/// Why the proposal was not merged.
#[derive(Serialize, schemars::JsonSchema)]
pub(super) struct RebaseConflicts {
    #[serde(flatten)]
    refusal: Failure,
    /// The sections in conflict: `file#heading`.
    conflicts: Vec<String>,
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let project = context.project()?;
    project.refuse_newer()?;
    let output = context.output;
    let wanted = args.id.clone().map_or(Wanted::Latest, Wanted::Named);
    let at_terminal = output.at_terminal();
    let Rebased { id, files } = rebase(project, project, &wanted)??;
    let selection = match at_terminal {
        true => match resolve_in_editor(&files, &context.session)? {
            Some(selection) => selection,
            None => {
                output.talk(NOT_RESOLVED);
                return Ok(NO);
            }
        },
        false if files.iter().any(|file| !file.conflicts.is_empty()) => {
            return Ok(refuse_conflicts(&files, &id, context));
        }
        false => Selection::rebased(&files),
    };
    let wanted = Wanted::Named(id);
    let shown = show_selection(project, &wanted, &selection)??;
    if args.digest.is_none() {
        if !at_terminal {
            print(project, &shown, &selection, context);
            return Ok(DONE);
        }
        let text = screen::text(&shown, &selection, Position::ALONE, terminal::size().0);
        if !ShownPage::show(text, output).confirm("Apply this?")? {
            output.talk("nothing was applied; the proposal is pending as it was");
            return Ok(NO);
        }
    }
    apply_rebased(args, project, &selection, &shown, context)
}

fn apply_rebased(
    args: &Args,
    project: &Project,
    selection: &Selection,
    shown: &ShownProposal,
    context: &Context,
) -> Exit {
    let approval = approval::obtain(project, args.approver.as_deref(), "rebase")??;
    let digest = args.digest.as_deref().or(shown.digest.as_deref());
    let options = ApplyOptions {
        digest: digest.and_then(ContentHash::parse),
        force: true,
        selection: selection.clone(),
        ..ApplyOptions::default()
    };
    let wanted = Wanted::Named(shown.pending.id.clone());
    let outcome = apply(project, &wanted, &approval, &options)?;
    let mut report = Report::about(&[]);
    report.add_applied(&wanted, Ok((outcome, None)), context.output);
    Ok(report.finish(context.output))
}

pub(super) const NOT_RESOLVED: &str = "a file was left unedited, so the conflicts are not resolved; the proposal is still pending, unchanged: run it again, keep the lines that you want and remove the markers";

/// Opens each file with conflicts in the editor. Returns `None` if the person leaves one of them unchanged.
pub(super) fn resolve_in_editor(
    files: &[RebasedFile],
    session: &Session,
) -> Result<Option<Selection>> {
    let editor = Editor::of(session);
    let Selection::Amended(mut texts) = Selection::rebased(files) else {
        unreachable!("rebased files are an amendment")
    };
    for file in files.iter().filter(|file| !file.conflicts.is_empty()) {
        let text = editor.edit_text(&file.text, REMOVAL)?;
        if text == file.text {
            return Ok(None);
        }
        texts.insert(file.path.clone(), text);
    }
    Ok(Some(Selection::Amended(texts)))
}

fn refuse_conflicts(files: &[RebasedFile], id: &str, context: &Context) -> u8 {
    let output = context.output;
    let mut conflicts = Vec::new();
    for file in files {
        for title in &file.conflicts {
            let cause = match file.gone.contains(title) {
                true => "deleted here, changed by the proposal",
                false => "changed here and by the proposal",
            };
            conflicts.push((format!("{}#{title}", file.path), cause));
        }
    }
    let message = "the proposal and the current files change the same sections in different ways";
    let hint = format!(
        "at a terminal `agent-memory rebase {id}` opens both sides in the editor; `agent-memory reject {id} --reason TEXT` rejects it"
    );
    let refusal = Refusal::new(Reason::TargetDrift, message, hint);
    if output.json {
        let conflicts = conflicts.into_iter().map(|(location, _)| location).collect();
        output.document(&RebaseConflicts { refusal: Failure::from(*refusal), conflicts });
        return NO;
    }
    for (location, cause) in conflicts {
        output.data(&format!("{BAD}conflict{BAD:#} {}: {cause}\n", shown_name(&location)));
    }
    output.refuse(&refusal)
}

fn print(project: &Project, shown: &ShownProposal, selection: &Selection, context: &Context) {
    let output = context.output;
    output.answer(&RebaseMerged { proposal: shown, conflicts: [] }, || {
        screen::text(shown, selection, Position::ALONE, environment::columns())
    });
    if let Some(digest) = &shown.digest {
        let (id, approver) = (&shown.pending.id, approval::approver_option(project, output));
        output.talk(&format!(
            "\napply it with\n  agent-memory rebase {id} --digest {digest}{approver}"
        ));
    }
}
