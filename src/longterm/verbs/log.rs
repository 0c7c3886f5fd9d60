//! Shows the log, and checks it.

use super::session::LongtermSession;
use crate::chain::ChainVerdict;
use crate::error::Result;
use crate::longterm::request::LongtermLog;

/// Returns the lines of the log, oldest first.
pub fn log(session: &LongtermSession) -> Result<LongtermLog> {
    session.read(|view| Ok(LongtermLog { lines: view.log_lines()? }))
}

/// Compares each line of the log with the next.
pub fn verify_log(session: &LongtermSession) -> Result<ChainVerdict> {
    session.read(|view| view.verify_log())
}
