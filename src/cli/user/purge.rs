//! `agent-memory user purge`

use super::person::own_settings;
use super::print::told;
use crate::cli::approval::why_no_person;
use crate::cli::call::Exit;
use crate::cli::output::{FAINT, GOOD, NO, Output};
use crate::cli::review::page::ShownPage;
use crate::error::{Error, ErrorKind, Result};
use crate::personal::request::{EntryChange, EntryReason, EntryRefusal};
use crate::personal::verbs::{self, EntryAnswer, PersonalSession};

const COMMAND: &str = "user purge";

const HINT: &str = "ask the person to run it in a terminal of their own; elsewhere their own settings may allow it with `without_terminal = true` under `[approval]`, to an agent with `allow_agents = true`";

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Name of the entry
    name: String,
    /// Do not ask first
    #[arg(long)]
    yes: bool,
}

pub(super) fn run(args: &Args, session: &PersonalSession, output: Output) -> Exit {
    if let Some(message) = why_no_person(&own_settings()?, COMMAND) {
        let refusal = EntryRefusal::new(EntryReason::ApprovalRefused, message, HINT);
        let refused: EntryAnswer<EntryChange> = Ok(Err(refusal.about(&args.name)));
        return Ok(told(output, refused, |_| {})?);
    }
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
    Ok(told(output, verbs::purge(session, &args.name), print)?)
}

fn is_wanted(name: &str, remains: &str, output: Output) -> Result<bool> {
    let text = format!("{name}: {remains}; no command brings them back\n");
    ShownPage::show(text, output).confirm("Remove all of it?")
}
