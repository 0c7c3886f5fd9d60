//! One call of a tool, as JSON on stdin or over a protocol.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::read::{ReadAnswer, read};
use super::session::{EntryAnswer, PersonalSession};
use super::stop::answered;
use super::update::update;
use crate::contract::understood;
use crate::error::Result;
use crate::personal::request::{EntryChange, EntryReason, EntryRefusal};
use crate::text::{client_text, did_you_mean, excerpt, read_json};

/// The tools of personal memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ToolCall {
    Update,
    Read,
}

/// The answer of a tool.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
#[serde(untagged)]
pub(crate) enum ToolAnswer {
    Changed(EntryChange),
    Read(ReadAnswer),
    Rejected(EntryRefusal),
}

/// Bytes of a request at most: the largest body with every character escaped, and its envelope.
pub(crate) const CALL_BYTES: usize = 1_048_576;

/// The listed names, and those of the tools that this memory comes from.
const NAMES: [(&str, ToolCall); 4] = [
    ("update_user_memory", ToolCall::Update),
    ("read_user_memory", ToolCall::Read),
    ("UpdateUserMemory", ToolCall::Update),
    ("ReadUserMemory", ToolCall::Read),
];

impl ToolCall {
    pub(crate) fn parse(name: &str) -> Option<Self> {
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, tool)| *tool)
    }

    /// Carries out a call; a refusal is an answer.
    pub(crate) fn run(self, session: &PersonalSession, arguments: &Value) -> Result<ToolAnswer> {
        let answer = match self {
            Self::Update => update(session, arguments)?.map(ToolAnswer::Changed),
            Self::Read => read(session, arguments)?.map(ToolAnswer::Read),
        };
        Ok(answer.unwrap_or_else(|refusal| ToolAnswer::Rejected(*refusal)))
    }
}

/// Carries out a request `{"tool": …, "arguments": {…}}`, or bare arguments of `update_user_memory`.
pub(crate) fn call(session: &PersonalSession, bytes: &[u8]) -> Result<ToolAnswer> {
    let parsed: EntryAnswer<(ToolCall, Value)> = answered(|| {
        session.user()?;
        Ok(parse(bytes)?)
    });
    match parsed? {
        Ok((tool, arguments)) => tool.run(session, &arguments),
        Err(refusal) => Ok(ToolAnswer::Rejected(*refusal)),
    }
}

const HINT: &str = "send one object, e.g. {\"tool\": \"read_user_memory\", \"arguments\": {}}";

fn refuse<T>(message: String, hint: &str) -> std::result::Result<T, Box<EntryRefusal>> {
    Err(EntryRefusal::new(EntryReason::InvalidRequest, message, hint))
}

fn read_object(bytes: &[u8]) -> std::result::Result<Map<String, Value>, Box<EntryRefusal>> {
    if bytes.len() > CALL_BYTES {
        let message = format!("the request is larger than {CALL_BYTES} bytes");
        return Err(EntryRefusal::new(
            EntryReason::TooLarge,
            message,
            "make several entries of it",
        ));
    }
    let text = match client_text(bytes) {
        Ok(read) => read.text,
        Err(what) => return refuse(format!("the request {what}"), HINT),
    };
    let value = match read_json(&text) {
        Ok(value) => value,
        Err(problem) => return refuse(format!("the request is not JSON: {problem}"), HINT),
    };
    let shape = json!({"type": "object", "properties": {"arguments": {"type": "object"}}});
    match understood(&shape, value) {
        Value::Object(request) => Ok(request),
        _ => refuse("the request is not an object".to_owned(), HINT),
    }
}

fn parse(bytes: &[u8]) -> std::result::Result<(ToolCall, Value), Box<EntryRefusal>> {
    let mut request = read_object(bytes)?;
    // Here too, null is absent.
    request.retain(|field, value| {
        !["tool", "arguments"].contains(&field.as_str()) || !value.is_null()
    });
    let Some(tool) = request.remove("tool") else {
        return Ok((ToolCall::Update, Value::Object(request)));
    };
    let name = tool.as_str().unwrap_or_default();
    let Some(tool) = ToolCall::parse(name) else {
        let guess = did_you_mean(name, NAMES.iter().map(|(known, _)| *known));
        let message = format!("there is no tool `{}`{guess}", excerpt(name));
        return refuse(message, "`tool` is `update_user_memory` or `read_user_memory`");
    };
    let arguments = request.remove("arguments").unwrap_or_else(|| Map::new().into());
    match request.keys().next() {
        Some(other) => refuse(format!("unknown field `{}` beside `tool`", excerpt(other)), HINT),
        None => Ok((tool, arguments)),
    }
}
