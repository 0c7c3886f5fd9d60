//! The hooks of clients: what runs when a session begins, and when it ends.

use jsonc_parser::cst::CstInputValue;
use jsonc_parser::json;

use super::client::Client;
use super::json::JsonEntry;

/// Returns no hook for a client whose hooks cannot print a text.
pub(super) fn of(client: Client) -> Vec<JsonEntry> {
    let events = match client {
        Client::Claude | Client::Codex => [("SessionStart", "session-start"), ("Stop", "stop")],
        Client::Gemini => [("SessionStart", "session-start"), ("AfterAgent", "after-agent")],
        Client::Cursor => [("sessionStart", "session-start"), ("stop", "stop")],
        Client::Copilot => [("sessionStart", "session-start"), ("agentStop", "agent-stop")],
        Client::Opencode | Client::Vscode | Client::Zed | Client::Agents => return Vec::new(),
    };
    let needs_version = matches!(client, Client::Cursor | Client::Copilot);
    let first = needs_version.then(|| ("version", json!(1)));
    let entry = |(name, event)| JsonEntry {
        section: "hooks",
        name,
        is_in_list: true,
        value: value(client, event),
        words: vec!["hook", client.name(), event],
        first: first.clone(),
    };
    events.map(entry).into()
}

/// The timeouts of Gemini CLI are milliseconds.
fn value(client: Client, event: &str) -> CstInputValue {
    let line = format!("agent-memory hook {client} {event}");
    let hook = match client {
        Client::Claude => {
            let args = json!(["hook", "claude", event]);
            json!({"type": "command", "command": "agent-memory", "args": args, "timeout": 10})
        }
        Client::Gemini => json!({"type": "command", "command": line, "timeout": 10000}),
        Client::Cursor => return json!({"command": line}),
        Client::Copilot => return json!({"type": "command", "command": line, "timeoutSec": 10}),
        Client::Codex | Client::Opencode | Client::Vscode | Client::Zed | Client::Agents => {
            json!({"type": "command", "command": line, "timeout": 10})
        }
    };
    let begins = event == "session-start" && client != Client::Gemini;
    match begins {
        true => json!({"matcher": "startup|resume|clear|compact", "hooks": [hook]}),
        false => json!({"hooks": [hook]}),
    }
}
