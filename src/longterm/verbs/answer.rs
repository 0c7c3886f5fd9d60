//! Answers the tools, whatever the door.

use std::time::Duration;

use super::create::create;
use super::session::{Decided, LongtermSession};
use super::update::update;
use crate::contract::Timestamp;
use crate::error::{Error, ErrorKind, Result};
use crate::longterm::request::{
    ArgumentFault, CallContext, CreateArguments, Denial, FailedStatus, GivenArguments,
    LongtermAnswer, LongtermCall, LongtermTool, MemoryEvent, ToolData, UpdateArguments,
};
use crate::longterm::sqlite::LongtermView;
use crate::longterm::verdict::VerdictRules;
use crate::programs::tell;

/// How long the program that is told of a change may take.
const NOTIFY_LIMIT: Duration = Duration::from_secs(5);

/// Answers a call of a tool. That it cannot be answered is an answer too.
pub fn answer(
    session: &LongtermSession,
    tool: LongtermTool,
    call: &LongtermCall,
) -> LongtermAnswer {
    let decided = match tool {
        LongtermTool::Update => decide(session, call, UpdateArguments::read, update),
        LongtermTool::Create => decide(session, call, CreateArguments::read, create),
    };
    match decided {
        Ok((event, data)) => {
            let answer = LongtermAnswer::done(event, in_words(event, &data), data);
            told(session, answer)
        }
        Err(denial) => LongtermAnswer::denied(tool, denial),
    }
}

/// Reads a call, then decides and does it in one transaction.
fn decide<A: Send + 'static>(
    session: &LongtermSession,
    call: &LongtermCall,
    read: fn(&GivenArguments) -> std::result::Result<A, ArgumentFault>,
    verb: fn(&LongtermView<'_>, &CallContext, &A, VerdictRules<'_>, Timestamp) -> Result<Decided>,
) -> Decided {
    let context = CallContext::read(&call.context).map_err(no_context)?;
    let arguments =
        read(&call.arguments).map_err(|fault| Denial::new(FailedStatus::InvalidArgs, fault))?;
    let now = session.now;
    let decided = session.decide(move |view, rules| verb(view, &context, &arguments, rules, now));
    decided.unwrap_or_else(|error| Err(failed(&error)))
}

fn in_words(event: MemoryEvent, data: &ToolData) -> String {
    let number = data.memory_id.map(|number| number.to_string()).unwrap_or_default();
    match event {
        MemoryEvent::Deleted => format!("memory {number} is deleted"),
        MemoryEvent::Updated => format!("memory {number} is updated"),
        MemoryEvent::Saved if data.duplicate => format!("memory {number} says this already"),
        MemoryEvent::Saved => format!("memory {number} is saved"),
    }
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

fn no_context(missing: &str) -> Denial {
    let message =
        format!("the host sent no context that can be used: `{missing}` is missing or wrong");
    Denial::new(FailedStatus::InternalError, message)
}

/// Says that a call could not be answered: by a fault of the database or its disk, else by one that no caller foresaw.
fn failed(error: &Error) -> Denial {
    let status = match error.kind() {
        ErrorKind::DatabaseFailed
        | ErrorKind::Io
        | ErrorKind::LockHeld
        | ErrorKind::StoreDamaged => FailedStatus::DbError,
        ErrorKind::Usage
        | ErrorKind::StoreNotFound
        | ErrorKind::ConfigInvalid
        | ErrorKind::StoreNewer
        | ErrorKind::IndexFailed
        | ErrorKind::Git
        | ErrorKind::ServerFailed
        | ErrorKind::Bug => FailedStatus::InternalError,
    };
    Denial::new(status, format!("nothing was changed: {error}"))
}
