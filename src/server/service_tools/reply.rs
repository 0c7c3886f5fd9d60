//! What a tool answers: a text for the agent, and the same as data.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value, json};

use crate::error::Error;
use crate::secrets::clean;
use crate::service::request::{FieldError, RefusalStatus, ServiceRefusal};
use crate::text::visible_lines;

/// What a tool answers.
#[derive(Debug)]
pub(in crate::server) struct ServiceReply {
    /// What an agent reads: the message, unless the tool says more.
    blocks: Vec<String>,
    data: Map<String, Value>,
    is_refused: bool,
}

impl ServiceReply {
    /// Makes an answer of data, whose `message` an agent reads.
    pub(super) fn said(data: Value) -> Self {
        let message = data["message"].as_str().unwrap_or_default().to_owned();
        Self::shown(data, vec![message])
    }

    /// Makes an answer of data with the texts that an agent reads.
    pub(super) fn shown(data: Value, blocks: Vec<String>) -> Self {
        let data = if let Value::Object(data) = data { data } else { Map::new() };
        Self { blocks, data, is_refused: false }
    }

    /// Makes the answer to what is refused: each field with what was found and what is allowed, and what to do.
    pub(super) fn refused(refusal: &ServiceRefusal) -> Self {
        let next = next_step(refusal);
        let mut text = format!("refused, nothing was changed: {}", reason(refusal));
        if let Some(field) = &refusal.field {
            text += &format!("\nfield: {field}");
        }
        for FieldError { field, message, detail } in &refusal.errors {
            let detail = if detail.is_empty() { String::new() } else { format!(": {detail}") };
            text += &format!("\n- {field}: {message}{detail}");
        }
        text += &format!("\nnext: {next}");
        let mut data = json!(refusal.body());
        data["next"] = next.into();
        Self { is_refused: true, ..Self::shown(cleaned(data), vec![clean(&text)]) }
    }

    /// Makes the answer to what this door refuses by itself, with a code for programs.
    pub(super) fn refused_as(error: &str, mut data: Value) -> Self {
        data["error"] = error.into();
        Self { is_refused: true, ..Self::said(data) }
    }

    /// Makes the answer to what could not be answered.
    pub(in crate::server) fn failed(error: &Error) -> Self {
        let message = clean(&error.to_string());
        let next = clean(error.next_step().unwrap_or("try again"));
        let text = format!("error: {message}\nnext: {next}");
        let data = json!({"message": message, "error": error.kind().code(), "next": next});
        Self { is_refused: true, ..Self::shown(data, vec![text]) }
    }

    /// Adds to a refusal what the schema of the tool requires: clients check it, and would show the agent their own complaint.
    pub(super) fn complete(mut self, schema: &Value) -> Self {
        let required =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        for name in required.filter(|_| self.is_refused) {
            let empty = match schema["properties"][name]["type"].as_str() {
                Some("array") => json!([]),
                Some("boolean") => json!(false),
                Some("integer" | "number") => json!(0),
                _ => json!(""),
            };
            self.data.entry(name).or_insert(empty);
        }
        self
    }

    /// Adds to the text, below what it says.
    pub(super) fn and(mut self, line: &str) -> Self {
        if let Some(last) = self.blocks.last_mut() {
            *last += &format!("\n{line}");
        }
        self
    }

    /// Adds warnings to the text and to the data.
    pub(super) fn warn(mut self, warnings: &[String]) -> Self {
        let known = self.data.remove("warnings");
        let known = known.as_ref().and_then(Value::as_array).into_iter().flatten();
        let known = known.filter_map(Value::as_str).map(str::to_owned);
        let all: Vec<String> = known.chain(warnings.iter().cloned()).map(|it| clean(&it)).collect();
        if all.is_empty() {
            return self;
        }
        let lines: Vec<String> = all.iter().map(|warning| format!("warning: {warning}")).collect();
        self.data.insert("warnings".to_owned(), json!(all));
        // A block of its own, as the one before may be JSON.
        self.blocks.push(lines.join("\n"));
        self
    }

    pub(in crate::server) fn into_result(self) -> CallToolResult {
        let shown = |text: String| ContentBlock::text(visible_lines(&text));
        let blocks = self.blocks.into_iter().map(shown).collect();
        let mut result = match self.is_refused {
            true => CallToolResult::error(blocks),
            false => CallToolResult::success(blocks),
        };
        result.structured_content = Some(Value::Object(self.data));
        result
    }
}

/// Says why; of what is about no field only that, as the next step is another in this door.
fn reason(refusal: &ServiceRefusal) -> &str {
    match refusal.status {
        RefusalStatus::NotFound | RefusalStatus::Conflict => &refusal.message,
        RefusalStatus::BadRequest | RefusalStatus::Unauthorized | RefusalStatus::Forbidden => {
            &refusal.error
        }
    }
}

fn next_step(refusal: &ServiceRefusal) -> &'static str {
    match refusal.status {
        RefusalStatus::BadRequest => "correct what is named, and call the tool again",
        RefusalStatus::NotFound => "find the id with recall_memory; it may be deleted",
        RefusalStatus::Conflict => "change it with update_memory, or store without `id`",
        RefusalStatus::Unauthorized | RefusalStatus::Forbidden => {
            "ask the user for access: the token of a server is `AUTOMEM_API_KEY`"
        }
    }
}

/// Withholds what looks like a secret from the texts of a refusal: they repeat what was found.
fn cleaned(data: Value) -> Value {
    match data {
        Value::String(text) => Value::String(clean(&text)),
        Value::Array(list) => list.into_iter().map(cleaned).collect(),
        Value::Object(object) => object.into_iter().map(|(name, it)| (name, cleaned(it))).collect(),
        value @ (Value::Null | Value::Bool(_) | Value::Number(_)) => value,
    }
}
