//! The table of tools of long-term memories: names, arguments and answers.

use rmcp::model::{Tool as Listed, ToolAnnotations};
use serde_json::{Value, json};

use super::schemas::{object, output_of};
use crate::longterm::request::{LongtermAnswer, LongtermTool};

/// A tool of long-term memories.
pub(super) struct LtmTool {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    input: fn() -> Value,
    /// Whether a call may delete.
    deletes: bool,
    pub(super) tool: LongtermTool,
}

const TOOLS: [LtmTool; 2] = [
    LtmTool {
        name: "update_long_term_memory",
        title: "Update Long-Term Memory",
        description: "Corrects or deletes a memory that stands in your context as `ID:N text`. Give the whole new \
            content; an empty one deletes. Leave `target_user` out for a memory of the server, and name the person for a \
            personal one.",
        input: update_input,
        deletes: true,
        tool: LongtermTool::Update,
    },
    LtmTool {
        name: "create_long_term_memory",
        title: "Create Long-Term Memory",
        description: "Remembers something that lasts: about the server (`server_wide`) or about one person \
            (`target_user`). One short fact a call, in the third person; `{user}` stands for the person. Never a secret.",
        input: create_input,
        deletes: false,
        tool: LongtermTool::Create,
    },
];

fn update_input() -> Value {
    json!({
        "type": "object",
        "properties": {
            "memory_id": {"type": "number", "description": "The N of `ID:N`"},
            "memory_content": {"type": "string", "description": "The whole new content; empty to delete the memory"},
            "target_user": {"type": "string", "description": "Name of the person whose memory it is; absent for one of the server"},
        },
        "required": ["memory_id", "memory_content"],
        "additionalProperties": false,
    })
}

fn create_input() -> Value {
    json!({
        "type": "object",
        "properties": {
            "memory_content": {"type": "string", "description": "What is to be remembered, at most 1000 characters"},
            "memory_scope": {"type": "string", "enum": ["server_wide", "target_user"], "description": "Whose memory it is"},
            "target_user": {"type": "string", "description": "Name of the person, where the scope is `target_user`"},
        },
        "required": ["memory_content", "memory_scope"],
        "additionalProperties": false,
    })
}

pub(super) fn listed() -> Vec<Listed> {
    TOOLS.iter().map(LtmTool::listed).collect()
}

pub(super) fn find(name: &str) -> Option<&'static LtmTool> {
    const { &TOOLS }.iter().find(|tool| tool.name == name)
}

impl LtmTool {
    fn listed(&self) -> Listed {
        let hints = ToolAnnotations::with_title(self.title)
            .open_world(false)
            .read_only(false)
            .destructive(self.deletes)
            // The same content again is the memory that is there.
            .idempotent(true);
        Listed::new(self.name, self.description, object((self.input)()))
            .with_title(self.title)
            .with_raw_output_schema(output_of::<LongtermAnswer>())
            .with_annotations(hints)
    }
}
