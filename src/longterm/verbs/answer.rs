//! Answers the tools, whatever the door.

use super::create::create;
use super::session::LongtermSession;
use super::update::{failed, update};
use crate::error::Error;
use crate::longterm::request::{LongtermTool, ToolAnswer, ToolCall};

/// Answers a call of a tool. That it cannot be answered is an answer too.
pub fn answer(session: &LongtermSession, tool: LongtermTool, call: &ToolCall) -> ToolAnswer {
    match tool {
        LongtermTool::Update => update(session, call),
        LongtermTool::Create => create(session, call),
    }
}

/// Makes the answer to a call for which the database cannot be opened.
pub fn unanswered(tool: LongtermTool, error: &Error) -> ToolAnswer {
    ToolAnswer::denied(tool, failed(error))
}
