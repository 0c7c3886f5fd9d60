//! The hooks of clients: a row each of what runs when.

use super::Client;
use super::json::{Entry, Item};

/// The hooks, the last of a client first in its file; the timeouts of Gemini CLI are milliseconds.
const HOOKS: [(Client, Entry); 10] = [
    (
        Client::Claude,
        hook(
            &["hooks", "Stop"],
            r#"{"hooks": [{"type": "command", "command": "agent-memory", "args": ["hook", "claude", "stop"], "timeout": 10}]}"#,
            &["agent-memory", "hook", "claude", "stop"],
        ),
    ),
    (
        Client::Claude,
        hook(
            &["hooks", "SessionStart"],
            r#"{"matcher": "startup|resume|clear|compact", "hooks": [{"type": "command", "command": "agent-memory", "args": ["hook", "claude", "session-start"], "timeout": 10}]}"#,
            &["agent-memory", "hook", "claude", "session-start"],
        ),
    ),
    (
        Client::Codex,
        hook(
            &["hooks", "Stop"],
            r#"{"hooks": [{"type": "command", "command": "agent-memory hook codex stop", "timeout": 10}]}"#,
            &["agent-memory", "hook", "codex", "stop"],
        ),
    ),
    (
        Client::Codex,
        hook(
            &["hooks", "SessionStart"],
            r#"{"matcher": "startup|resume|clear|compact", "hooks": [{"type": "command", "command": "agent-memory hook codex session-start", "timeout": 10}]}"#,
            &["agent-memory", "hook", "codex", "session-start"],
        ),
    ),
    (
        Client::Gemini,
        hook(
            &["hooks", "AfterAgent"],
            r#"{"hooks": [{"type": "command", "command": "agent-memory hook gemini after-agent", "timeout": 10000}]}"#,
            &["agent-memory", "hook", "gemini", "after-agent"],
        ),
    ),
    (
        Client::Gemini,
        hook(
            &["hooks", "SessionStart"],
            r#"{"hooks": [{"type": "command", "command": "agent-memory hook gemini session-start", "timeout": 10000}]}"#,
            &["agent-memory", "hook", "gemini", "session-start"],
        ),
    ),
    (
        Client::Cursor,
        Entry {
            first: Some(r#""version": 1"#),
            ..hook(
                &["hooks", "stop"],
                r#"{"command": "agent-memory hook cursor stop"}"#,
                &["agent-memory", "hook", "cursor", "stop"],
            )
        },
    ),
    (
        Client::Cursor,
        hook(
            &["hooks", "sessionStart"],
            r#"{"command": "agent-memory hook cursor session-start"}"#,
            &["agent-memory", "hook", "cursor", "session-start"],
        ),
    ),
    (
        Client::Copilot,
        Entry {
            first: Some(r#""version": 1"#),
            ..hook(
                &["hooks", "agentStop"],
                r#"{"type": "command", "command": "agent-memory hook copilot agent-stop", "timeoutSec": 10}"#,
                &["agent-memory", "hook", "copilot", "agent-stop"],
            )
        },
    ),
    (
        Client::Copilot,
        hook(
            &["hooks", "sessionStart"],
            r#"{"type": "command", "command": "agent-memory hook copilot session-start", "timeoutSec": 10}"#,
            &["agent-memory", "hook", "copilot", "session-start"],
        ),
    ),
];

const fn hook(
    path: &'static [&'static str],
    value: &'static str,
    words: &'static [&'static str],
) -> Entry {
    Entry { path, item: Item::Element(value), words, first: None }
}

/// Returns the hooks of a client; none if it has none that take a text.
pub(super) fn of(client: Client) -> Vec<Entry> {
    let rows = HOOKS.iter().filter(|(each, _)| *each == client);
    rows.map(|(_, entry)| entry.clone()).collect()
}
