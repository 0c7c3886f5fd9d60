//! `agent-memory doctor`

use super::approval;
use super::call::{Context, Exit};
use super::findings::{FindingLine, print_findings, print_fixed};
use super::output::{BAD, CARE, DONE, GOOD, NO};
use super::stdout::AnswerKind;
use super::user::{self, person};
use crate::error::{Error, ErrorKind};
use crate::project::verbs::{
    DoctorFinding, DoneUpgrade, Level, OpenBranches, Treatment, adopt_state, doctor,
    refuse_repair_of_newer, split, upgrade,
};
use crate::secrets::shown_name;
use crate::text::count;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Repair what needs no decision, then diagnose; never changes a memory file
    #[arg(long)]
    fix: bool,
    /// Accept state that was set apart as foreign, or decisions that git deleted, as your own
    #[arg(long, conflicts_with = "fix")]
    adopt_state: bool,
    /// Give each decision and pitfall that stands in a file with others a file of its own
    #[arg(long, conflicts_with_all = ["fix", "adopt_state"])]
    split: bool,
    /// With `--split`: also while branches that are not merged here change the files in which entries stand together
    #[arg(long, requires = "split")]
    yes: bool,
    /// Bring a store that an earlier version made up to the layout of this one
    #[arg(long, conflicts_with_all = ["fix", "adopt_state", "split"])]
    upgrade: bool,
    /// Name of the person who accepts it; at a terminal git's `user.name` by default
    #[arg(long, value_name = "NAME")]
    approver: Option<String>,
    /// Diagnose the memory of the person instead, and exit with 1 if anything is found
    #[arg(long, conflicts_with_all = ["adopt_state", "split", "upgrade"])]
    user: bool,
    #[command(flatten)]
    person: person::Named,
}

impl Args {
    /// Tells whether the command changes something of which its answer alone tells.
    pub(super) fn kind(&self) -> AnswerKind {
        match self.fix || self.adopt_state || self.split || self.upgrade {
            true => AnswerKind::Change,
            false => AnswerKind::Read,
        }
    }
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    if args.user {
        return user::diagnose(&args.person, args.fix, context);
    }
    if args.person.is_given() {
        let message = "`--as` and `--data` are about the memory of a person";
        return Err(Error::new(ErrorKind::Usage, message).hint("give `--user` too").into());
    }
    if args.adopt_state {
        return adopt(args, context);
    }
    if args.split {
        return split_entries(args, context);
    }
    if args.upgrade {
        return upgrade_layout(args, context);
    }
    diagnose(args, context)
}

fn diagnose(args: &Args, context: &Context) -> Exit {
    if args.approver.is_some() {
        let message = "`--approver` names the person who accepts a change";
        let hint = "give `--adopt-state`, `--split` or `--upgrade` too";
        return Err(Error::new(ErrorKind::Usage, message).hint(hint).into());
    }
    if args.fix {
        refuse_repair_of_newer(&context.session)?;
    }
    let treatment = if args.fix { Treatment::Fix } else { Treatment::Look };
    let diagnosis = doctor(&context.session, treatment);
    let output = context.output;
    let (errors, warnings) = (diagnosis.count(Level::Error), diagnosis.count(Level::Warning));
    let code = if errors == 0 { DONE } else { NO };
    if output.json {
        output.document(&diagnosis);
        return Ok(code);
    }
    print_fixed(&diagnosis.fixed, output);
    print_findings(diagnosis.findings.iter().map(finding_line), output);
    let checked = diagnosis.checked.join(", ");
    let verdict = match (errors, warnings) {
        (0, 0) => format!("{GOOD}healthy{GOOD:#}"),
        (0, _) => format!("{CARE}{}{CARE:#}", count(warnings, "warning")),
        (_, 0) => format!("{BAD}{}{BAD:#}", count(errors, "error")),
        (_, _) => {
            let (errors, warnings) = (count(errors, "error"), count(warnings, "warning"));
            format!("{BAD}{errors}{BAD:#}, {CARE}{warnings}{CARE:#}")
        }
    };
    output.data(&format!("{verdict}; looked at {checked}\n"));
    Ok(code)
}

fn finding_line(finding: &DoctorFinding) -> FindingLine<'_> {
    let DoctorFinding { level, check, message, hint, .. } = finding;
    let style = match level {
        Level::Allow | Level::Warning => CARE,
        Level::Error => BAD,
    };
    let line = format!("{style}{level}{style:#} {check}: {}", shown_name(message));
    FindingLine { line, hint }
}

fn adopt(args: &Args, context: &Context) -> Exit {
    let (project, output) = (context.project_to_write()?, context.output);
    let approval = approval::obtain(project, args.approver.as_deref(), "doctor --adopt-state")??;
    let adopted = adopt_state(project, &approval)??;
    if output.json {
        output.document(&adopted);
        return Ok(DONE);
    }
    output.warn_each(&adopted.warnings);
    let decisions = count(adopted.decisions, "decision");
    output.data(&format!("{GOOD}adopted{GOOD:#} {} with {decisions}\n", adopted.from));
    Ok(DONE)
}

fn split_entries(args: &Args, context: &Context) -> Exit {
    let (project, output) = (context.project_to_write()?, context.output);
    let approval = approval::obtain(project, args.approver.as_deref(), "doctor --split")??;
    let open = if args.yes { OpenBranches::Accepted } else { OpenBranches::Refused };
    let done = split(project, open, &approval)??;
    if output.json {
        output.document(&done);
        return Ok(DONE);
    }
    for entry in &done.moved {
        let (from, to) = (shown_name(&entry.from), shown_name(&entry.to));
        output.data(&format!("{GOOD}moved{GOOD:#} {to} out of {from}\n"));
    }
    for schema in &done.schemas {
        output.data(&format!("{GOOD}renewed{GOOD:#} {schema}\n"));
    }
    for path in &done.kept_folders {
        output.data(&format!("{GOOD}made{GOOD:#} {path}\n"));
    }
    output.warn_each(&done.warnings);
    match &done.proposal_id {
        Some(id) => output.talk(&format!("`agent-memory undo {id}` takes it back")),
        None if !done.kept_folders.is_empty() => {}
        None if done.warnings.is_empty() => {
            output.talk("each entry has a file of its own already");
        }
        None => output.talk("nothing was moved"),
    }
    Ok(DONE)
}

fn upgrade_layout(args: &Args, context: &Context) -> Exit {
    let (project, output) = (context.project_to_write()?, context.output);
    let approval = approval::obtain(project, args.approver.as_deref(), "doctor --upgrade")??;
    let done = upgrade(project, &approval)??;
    if output.json {
        output.document(&done);
        return Ok(DONE);
    }
    output.warn_each(&done.warnings);
    for DoneUpgrade { about, files } in &done.steps {
        output.data(&format!("{GOOD}upgraded{GOOD:#} {}: it {about}\n", files.join(", ")));
    }
    match done.steps.is_empty() {
        true => {
            let version = done.version;
            output.talk(&format!("nothing to do: the store has the layout of version {version}"));
        }
        false => output.talk("look at the change with `git diff`, and commit it"),
    }
    Ok(DONE)
}
