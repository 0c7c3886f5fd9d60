//! Answers the tools, whatever the door.

use std::time::Duration;

use super::create::create;
use super::session::LongtermSession;
use super::update::{failed, update};
use crate::error::Error;
use crate::longterm::request::{LongtermAnswer, LongtermCall, LongtermTool};
use crate::programs::tell;

/// How long the program that is told of a change may take.
const NOTIFY_LIMIT: Duration = Duration::from_secs(5);

/// Answers a call of a tool. That it cannot be answered is an answer too.
pub fn answer(
    session: &LongtermSession,
    tool: LongtermTool,
    call: &LongtermCall,
) -> LongtermAnswer {
    let answer = match tool {
        LongtermTool::Update => update(session, call),
        LongtermTool::Create => create(session, call),
    };
    told(session, answer)
}

/// Tells the program that the person named of a change. Its failure fails nothing, as the change is durable.
fn told(session: &LongtermSession, mut answer: LongtermAnswer) -> LongtermAnswer {
    let Some(event) = answer.data.change.take() else { return answer };
    let told = tell(&session.settings().notify, &format!("{event}\n"), NOTIFY_LIMIT);
    answer.warnings.extend(told.err().map(|why| format!("the notify command failed: {why}")));
    answer
}

/// Makes the answer to a call for which the settings cannot be read, or the database cannot be opened.
pub fn unanswered(tool: LongtermTool, error: &Error) -> LongtermAnswer {
    LongtermAnswer::denied(tool, failed(error))
}
