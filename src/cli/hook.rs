//! `agent-memory hook`

mod first_answer;

use std::io::IsTerminal;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::call::{Context, Exit};
use super::environment;
use super::output::DONE;
use crate::clients::Client;
use crate::contract::understood;
use crate::error::{Error, ErrorKind, Result};
use crate::project::verbs::{Session, is_to_be_reminded, note_failure, read_event};
use crate::text::{client_text, excerpt};
use first_answer::{first_answer, hook_output};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Name of the client
    client: Option<String>,
    /// Name of the event
    event: Option<String>,
}

/// The kinds of session start that do not have the printed context yet.
const SOURCES: [&str; 5] = ["startup", "resume", "clear", "compact", "new"];

const REMINDER: &str = "If this session brought what the next one must know (where the work stands, a \
    decision, a trap), propose it now, with the tool `memory_propose_update` or with `agent-memory propose`. \
    If not, end without a word about this.";

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let mut folder = context.session.folder.clone();
    let answer = answer(args, context, &mut folder).inspect_err(|error| {
        let words = [&args.client, &args.event].into_iter().flatten();
        let name = words.fold("hook".to_owned(), |name, word| name + " " + &excerpt(word));
        note_failure(&Session { folder, ..context.session.clone() }, &name, error);
    })?;
    if let Some(answer) = answer {
        context.output.print_json(&answer);
    }
    Ok(DONE)
}

/// Returns the answer to an event, if there is one; `folder` becomes the folder of the client's session.
fn answer(args: &Args, context: &Context, folder: &mut PathBuf) -> Result<Option<Value>> {
    let client = args.client.as_deref().unwrap_or_default();
    let parsed = Client::parse(&client.to_ascii_lowercase());
    let Some(client) = parsed.filter(|client| client.has_hooks()) else {
        let known = Client::ALL.iter().filter(|client| client.has_hooks());
        let known: Vec<&str> = known.map(|client| client.name()).collect();
        return Err(misuse("client with hooks", client, &known.join(", ")));
    };
    let event = args.event.as_deref().unwrap_or_default();
    let act = match event.replace(['-', '_'], "").to_ascii_lowercase().as_str() {
        "sessionstart" => begin,
        "stop" | "afteragent" | "agentstop" => stop,
        _ => {
            let known = client.hook_events().join(", ");
            return Err(misuse("event that is answered", event, &known));
        }
    };
    let input = input()?;
    let session = session(context, &input)?;
    folder.clone_from(&session.folder);
    act(client, context, &session, &input)
}

fn begin(
    client: Client,
    context: &Context,
    session: &Session,
    input: &Value,
) -> Result<Option<Value>> {
    if input["source"].as_str().is_some_and(|source| !SOURCES.contains(&source)) {
        return Ok(None);
    }
    first_answer(client, context, session)
}

/// Returns the reminder, unless the agent was reminded already or the session is unknown.
fn stop(client: Client, _: &Context, session: &Session, input: &Value) -> Result<Option<Value>> {
    let goes_on = input["stop_hook_active"] == true
        || input["loop_count"].as_u64().is_some_and(|count| count > 0);
    // The person stopped it, or it failed.
    let is_cut_off = input["status"].as_str().is_some_and(|status| status != "completed");
    let names = ["session_id", "conversation_id", "sessionId"];
    let session_id = names.iter().find_map(|name| input[*name].as_str());
    let Some(session_id) = session_id.filter(|_| !goes_on && !is_cut_off) else { return Ok(None) };
    if !is_to_be_reminded(session, session_id) {
        return Ok(None);
    }
    Ok(Some(match client {
        Client::Claude => hook_output("Stop", REMINDER),
        Client::Codex | Client::Gemini | Client::Copilot => {
            json!({ "decision": "block", "reason": REMINDER })
        }
        Client::Cursor => json!({ "followup_message": REMINDER }),
        Client::Opencode | Client::Vscode | Client::Zed | Client::Agents => return Ok(None),
    }))
}

/// [`super::run`] turns this error into exit code 1, because clients take 2 for "stop".
fn misuse(wanted: &str, found: &str, known: &str) -> Error {
    let message = match found {
        "" => format!("there is no {wanted}: none is named"),
        _ => format!("there is no {wanted}: `{found}`"),
    };
    Error::new(ErrorKind::Usage, message).hint(format!("give one of: {known}"))
}

/// Returns the JSON of the event; null where none comes, or what comes is no JSON.
fn input() -> Result<Value> {
    match std::io::stdin().is_terminal() {
        true => Ok(Value::Null),
        false => {
            let event = read_event()?.unwrap_or_default();
            let text = client_text(&event).map(|read| read.text).unwrap_or_default();
            Ok(understood(&event_schema(), serde_json::from_str(&text).unwrap_or_default()))
        }
    }
}

/// The fields of an event that are read.
fn event_schema() -> Value {
    json!({"type": "object", "properties": {
        "session_id": {"type": "string"},
        "conversation_id": {"type": "string"},
        "sessionId": {"type": "string"},
        "stop_hook_active": {"type": "boolean"},
        "loop_count": {"type": "integer"},
        "workspace_roots": {"type": "array", "items": {"type": "string"}},
    }})
}

/// The folder of the session may differ from the folder in which the client runs its hooks.
fn session(context: &Context, input: &Value) -> Result<Session> {
    let session = environment::session_of_client(context.root.clone(), context.wait)?;
    let named = input["cwd"].as_str().or_else(|| input["workspace_roots"][0].as_str());
    let named = named.map(PathBuf::from).filter(|folder| folder.is_absolute());
    Ok(Session { folder: named.unwrap_or(session.folder), ..session })
}
