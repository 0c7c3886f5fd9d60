//! One call of a tool, as JSON on stdin or over a protocol.

use serde::Serialize;
use serde_json::{Map, Value};

use super::read::{ReadAnswer, read};
use super::session::{EntryAnswer, PersonalSession};
use super::stop::answered;
use super::update::update;
use crate::error::Result;
use crate::personal::request::{EntryChange, EntryReason, EntryRefusal, IndexRead, ReadEntry};
use crate::text::{did_you_mean, excerpt, read_json};

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
    Update(UpdateAnswer),
    Read(ReadToolAnswer),
    /// It was not known which tool is meant.
    Rejected(EntryRefusal),
}

/// The answer of `update_user_memory`.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
#[serde(untagged)]
pub(crate) enum UpdateAnswer {
    Changed(EntryChange),
    Rejected(EntryRefusal),
}

/// The answer of `read_user_memory`.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
#[serde(untagged)]
pub(crate) enum ReadToolAnswer {
    Entry(ReadEntry),
    Index(IndexRead),
    Rejected(EntryRefusal),
}

impl ToolAnswer {
    pub(crate) fn is_rejected(&self) -> bool {
        matches!(
            self,
            Self::Rejected(_)
                | Self::Update(UpdateAnswer::Rejected(_))
                | Self::Read(ReadToolAnswer::Rejected(_))
        )
    }

    /// Returns the text that an agent reads in place of the JSON, where there is one.
    #[cfg(feature = "mcp")]
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Read(ReadToolAnswer::Entry(entry)) => Some(&entry.text),
            Self::Read(ReadToolAnswer::Index(index)) => Some(&index.text),
            Self::Read(ReadToolAnswer::Rejected(_)) | Self::Update(_) | Self::Rejected(_) => None,
        }
    }
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
    /// Carries out a call; a refusal is an answer.
    pub(crate) fn run(self, session: &PersonalSession, arguments: &Value) -> Result<ToolAnswer> {
        Ok(match self {
            Self::Update => ToolAnswer::Update(match update(session, arguments)? {
                Ok(change) => UpdateAnswer::Changed(change),
                Err(refusal) => UpdateAnswer::Rejected(*refusal),
            }),
            Self::Read => ToolAnswer::Read(match read(session, arguments)? {
                Ok(ReadAnswer::Entry(entry)) => ReadToolAnswer::Entry(entry),
                Ok(ReadAnswer::Index(index)) => ReadToolAnswer::Index(index),
                Err(refusal) => ReadToolAnswer::Rejected(*refusal),
            }),
        })
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

fn parse(bytes: &[u8]) -> std::result::Result<(ToolCall, Value), Box<EntryRefusal>> {
    let refuse = |message: String, hint: &str| {
        Err(EntryRefusal::new(EntryReason::InvalidRequest, message, hint))
    };
    let hint = "send one object, e.g. {\"tool\": \"read_user_memory\", \"arguments\": {}}";
    if bytes.len() > CALL_BYTES {
        let message = format!("the request is larger than {CALL_BYTES} bytes");
        return Err(EntryRefusal::new(
            EntryReason::TooLarge,
            message,
            "make several entries of it",
        ));
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return refuse("the request is not UTF-8".to_owned(), hint);
    };
    let value = match read_json(text.trim_start_matches('\u{feff}')) {
        Ok(value) => value,
        Err(problem) => return refuse(format!("the request is not JSON: {problem}"), hint),
    };
    let Value::Object(mut request) = value else {
        return refuse("the request is not an object".to_owned(), hint);
    };
    // Here too, null is absent.
    request.retain(|field, value| {
        !["tool", "arguments"].contains(&field.as_str()) || !value.is_null()
    });
    let Some(tool) = request.remove("tool") else {
        return Ok((ToolCall::Update, Value::Object(request)));
    };
    let name = tool.as_str().unwrap_or_default();
    let Some((_, tool)) = NAMES.iter().find(|(known, _)| *known == name) else {
        let guess = did_you_mean(name, NAMES.iter().map(|(known, _)| *known));
        let message = format!("there is no tool `{}`{guess}", excerpt(name));
        return refuse(message, "`tool` is `update_user_memory` or `read_user_memory`");
    };
    let arguments = request.remove("arguments").unwrap_or_else(|| Map::new().into());
    match request.keys().next() {
        Some(other) => refuse(format!("unknown field `{}` beside `tool`", excerpt(other)), hint),
        None => Ok((*tool, arguments)),
    }
}
