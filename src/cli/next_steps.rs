//! What `init` asks a person, and says of the clients that it found.

use super::call::Context;
use super::environment;
use super::install;
use super::output::Output;
use super::review::page::ShownPage;
use super::review::terminal::{self, PressedKey};
use crate::clients::Client;
use crate::error::Result;
use crate::project::verbs::{
    FoundProgram, PlaceChoice, ReadRule, RecordFolder, Session, place_choice, readable_records,
};
use crate::secrets::shown_name;
use crate::text::{count, in_shell};

/// Tells whether a person is there to answer.
pub(super) fn may_ask(context: &Context) -> bool {
    let output = context.output;
    output.at_terminal() && !output.quiet && environment::agent().is_none()
}

/// Returns the session of the place where the store goes; none if the person wants none.
pub(super) fn chosen_place(context: &Context, asks: bool) -> Result<Option<Session>> {
    let session = context.session.clone();
    let choice = if asks { place_choice(&session)? } else { None };
    let Some(PlaceChoice { top, .. }) = choice else { return Ok(Some(session)) };
    let top = top.display().to_string();
    context.output.data(&format!("the repository begins at {}\n", shown_name(&top)));
    let question =
        "Make the store there (t, Enter), here, in this folder (h), or none (n)? [t,Enter,h,n]";
    Ok(match terminal::key(question)? {
        PressedKey::Enter | PressedKey::Char('t') => Some(session),
        PressedKey::Char('h') => Some(Session { root: Some(session.folder.clone()), ..session }),
        // `n`, and any other key: nothing is made by a slip.
        PressedKey::Char(_)
        | PressedKey::Erase
        | PressedKey::Escape
        | PressedKey::Interrupt
        | PressedKey::Other => None,
    })
}

/// Asks for each folder of decision records whether a new store is to read it; none if the person wants no store.
pub(super) fn offer_reading(session: &Session, context: &Context) -> Result<Option<Vec<ReadRule>>> {
    let mut rules = Vec::new();
    for found in readable_records(session)? {
        context.output.talk(&format!("{}; {}", has(&found), adopts(&found)));
        match terminal::key(
            "Read them where they are, without a copy? Esc makes no store [y,n,Esc]",
        )? {
            PressedKey::Char('y') => rules.push(found.rule),
            PressedKey::Interrupt | PressedKey::Escape => return Ok(None),
            PressedKey::Char(_) | PressedKey::Enter | PressedKey::Erase | PressedKey::Other => {}
        }
    }
    Ok(Some(rules))
}

/// Says what can be done with a folder of decision records.
pub(super) fn say_records(found: &RecordFolder, store: &str, output: Output) {
    let setting = found.setting.trim_end();
    output.talk(&format!(
        "{}; {}; to read them where they are, add to {store}/config.toml:\n{setting}",
        has(found),
        adopts(found)
    ));
}

fn has(found: &RecordFolder) -> String {
    format!("{} has {}", shown_name(&found.folder), count(found.files, "decision record"))
}

fn adopts(found: &RecordFolder) -> String {
    format!("`agent-memory init --from {}` copies them", in_shell(&shown_name(&found.folder)))
}

/// Says which clients there are, and what sets them up.
pub(super) fn clients(found: &[FoundProgram]) -> String {
    let new: Vec<&FoundProgram> = found.iter().filter(|program| !program.set_up).collect();
    if new.is_empty() {
        return match found.is_empty() {
            true => {
                "then tell your agent of it: `agent-memory install CLIENT`; no sign of one here"
                    .to_owned()
            }
            false => "an agent can run `agent-memory propose` now".to_owned(),
        };
    }
    let names: Vec<String> = new
        .iter()
        .map(|program| format!("{} ({})", program.title, program.found_by.join(", ")))
        .collect();
    let commands: Vec<String> = new.iter().map(|each| format!("`{}`", each.command)).collect();
    format!("found {}; to set up: {}", names.join(", "), commands.join(", "))
}

/// Asks whether to set up the clients that were found, and does it; returns whether all went well.
pub(super) fn offer_install(
    found: &[FoundProgram],
    session: &Session,
    context: &Context,
) -> Result<bool> {
    let new: Vec<&FoundProgram> = found.iter().filter(|program| !program.set_up).collect();
    if new.is_empty() {
        return Ok(true);
    }
    let titles: Vec<&str> = new.iter().map(|program| program.title).collect();
    let page = ShownPage::show(String::new(), context.output);
    if !page.confirm(&format!("Set up {} now?", titles.join(", ")))? {
        return Ok(true);
    }
    let clients: Vec<Client> = new.iter().filter_map(|each| Client::parse(each.program)).collect();
    install::set_up(&clients, session, context.output)
}
