//! What a client is answered as a session begins: memory within the budget, in JSON within the bound of the clients.

use serde_json::{Value, json};

use crate::cli::call::Context;
use crate::cli::output::one_line_of_json;
use crate::cli::render::reminded;
use crate::cli::user::session_index::session_index;
use crate::clients::Client;
use crate::error::{ErrorKind, Result};
use crate::personal::verbs::Injected;
use crate::project::verbs::{self, Project, Session, Task};
use crate::secrets::shown_name;
use crate::text::{count, tokens};

/// Tokens of all that the agent reads at most.
const TOKENS: usize = 2_000;

/// UTF-16 units of the whole answer at most, JSON and line end included: clients cut off what is longer.
const UNITS: usize = 10_000;

/// How many pending proposals are named.
const NAMED: usize = 3;

/// Bytes of all warnings at most.
const WARNINGS: usize = 1_000;

const NO_ROOM: &str =
    "the user's own memory is left out, as it is too long; `agent-memory user read` prints it";

/// Returns the answer; none where there is nothing to say.
pub(super) fn first_answer(
    client: Client,
    context: &Context,
    session: &Session,
) -> Result<Option<Value>> {
    let beginning = Beginning::read(client, context, session)?;
    let mut budget = TOKENS;
    loop {
        let text = beginning.text(budget)?;
        let Some(answer) = answer(client, &text).filter(|_| !text.is_empty()) else {
            return Ok(None);
        };
        let units = one_line_of_json(&answer).encode_utf16().count() + 1;
        let too_many = tokens(&text).saturating_sub(TOKENS);
        // With a budget of 0 only the warnings and the frame of a pack are left, and they are short.
        if (units <= UNITS && too_many == 0) || budget == 0 {
            return Ok(Some(answer));
        }
        // What is escaped in JSON is longer there than in the text, and so are long words.
        budget = (budget * UNITS / units).min(budget.saturating_sub(too_many.max(50)));
    }
}

fn answer(client: Client, text: &str) -> Option<Value> {
    match client {
        Client::Claude | Client::Codex | Client::Gemini => Some(hook_output("SessionStart", text)),
        Client::Cursor => Some(json!({ "additional_context": text })),
        Client::Copilot => Some(json!({ "additionalContext": text })),
        Client::Opencode | Client::Vscode | Client::Zed | Client::Agents => None,
    }
}

/// Writes what an event adds, in the form that several clients share.
pub(super) fn hook_output(event: &str, text: &str) -> Value {
    json!({ "hookSpecificOutput": { "hookEventName": event, "additionalContext": text } })
}

/// What is read once, whatever finds room of it.
struct Beginning {
    projects: Vec<Project>,
    /// The person's own memory.
    index: String,
    warnings: Vec<String>,
}

impl Beginning {
    fn read(client: Client, context: &Context, session: &Session) -> Result<Self> {
        let named = context.roots.iter().skip(1).cloned().map(Some);
        let more = named.map(|root| Session { root, ..session.clone() });
        let mut projects = Vec::new();
        for session in std::iter::once(session.clone()).chain(more) {
            match Project::open(&session) {
                Err(error) if error.kind() == ErrorKind::StoreNotFound => {}
                opened => projects.push(opened?),
            }
        }
        let is_wanted = projects.iter().all(Project::injects_user_memory);
        let Injected { text: index, mut warnings, .. } = match is_wanted {
            true => session_index(context, session, TOKENS, Some(client)),
            false => Injected::default(),
        };
        warnings.extend(projects.iter().flat_map(Project::take_warnings));
        warnings.extend(projects.iter().filter_map(long_pending));
        Ok(Self { projects, index, warnings })
    }

    /// Returns the warnings, the person's own memory, and that of the project within a budget; the person's own goes last.
    fn text(&self, budget: usize) -> Result<String> {
        let mut warnings = self.warnings.clone();
        let is_too_long = budget == 0 && !self.index.is_empty();
        let before = if is_too_long { "" } else { self.index.as_str() };
        warnings.extend(is_too_long.then(|| NO_ROOM.to_owned()));
        if self.projects.is_empty() {
            return Ok(told(&warnings) + before);
        }
        let task = Task { question: None, budget, before, ..Task::default() };
        let projects: Vec<&Project> = self.projects.iter().collect();
        let pack = verbs::context_of_all(&projects, &task)?;
        warnings.extend_from_slice(&pack.receipt.warnings);
        let text = if pack.is_empty() { before.to_owned() + verbs::EMPTY } else { pack.text };
        Ok(told(&warnings) + &text)
    }
}

/// Names what has been pending for more than a day, so that the agent tells the person. A reminder that fails is none.
fn long_pending(project: &Project) -> Option<String> {
    let reminder = project.watch().reminder().ok()??;
    let ids: Vec<&str> = reminder.ids.iter().take(NAMED).map(String::as_str).collect();
    let more = if reminder.ids.len() > NAMED { ", …" } else { "" };
    let (told, ids) = (reminded(&reminder), ids.join(", "));
    Some(format!("{told} ({ids}{more}): tell the user that `agent-memory review` shows them"))
}

/// Writes warnings as far as there is room. No person reads stderr of a hook, but the agent reads the answer and can pass
/// it on.
fn told(warnings: &[String]) -> String {
    let mut text = String::new();
    for (number, said) in warnings.iter().enumerate() {
        let line = format!("warning: {}\n\n", shown_name(said));
        if text.len() + line.len() > WARNINGS {
            let more = count(warnings.len() - number, "warning");
            return text + &format!("warning: {more} more; `agent-memory context` tells them\n\n");
        }
        text += &line;
    }
    text
}
