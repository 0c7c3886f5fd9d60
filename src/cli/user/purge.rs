//! `agent-memory user purge`

use super::print::{refuse, told};
use crate::cli::approval::person_present;
use crate::cli::call::{Context, Exit};
use crate::cli::output::{FAINT, GOOD, NO, Output};
use crate::cli::review::page::ShownPage;
use crate::error::{Error, ErrorKind, Result};
use crate::personal::request::EntryChange;
use crate::personal::verbs::{self, PersonalSession};

const COMMAND: &str = "user purge";

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Name of the entry
    name: String,
    /// Do not ask first
    #[arg(long)]
    yes: bool,
}

pub(super) fn run(args: &Args, session: &PersonalSession, context: &Context) -> Exit {
    let output = context.output;
    let person = match person_present(&[&context.session.folder], COMMAND)? {
        Ok(person) => person,
        Err(refusal) => return Ok(refuse(output, &refusal.about(&args.name))),
    };
    if !args.yes && !output.at_terminal() {
        let message = format!("`{COMMAND}` asks first, and there is no terminal");
        return Err(Error::new(ErrorKind::Usage, message).hint("give `--yes`").into());
    }
    if !args.yes {
        match verbs::purgeable(session, &args.name)? {
            Ok(remains) if !is_wanted(&args.name, &remains, output)? => {
                output.talk("nothing was removed");
                return Ok(NO);
            }
            // Without a text to remove, the verb says so.
            Ok(_) | Err(_) => {}
        }
    }
    let print = |change: &EntryChange| {
        let EntryChange { status, name, message, warnings, .. } = change;
        output.data(&format!("{GOOD}{status}{GOOD:#} {name}\n  {FAINT}{message}{FAINT:#}\n"));
        output.warn_each(warnings);
    };
    Ok(told(output, verbs::purge(session, &args.name, &person), print)?)
}

fn is_wanted(name: &str, remains: &str, output: Output) -> Result<bool> {
    let text = format!("{name}: {remains}; no command brings them back\n");
    ShownPage::show(text, output).confirm("Remove all of it?")
}
