//! Writes memories as JSON Lines.

use serde_json::json;

use super::list::{MemoryFilter, each_memory};
use super::session::LongtermSession;
use crate::error::Result;
use crate::longterm::request::MemoryLine;

/// Gives the line of each memory that a filter lets through to `write`, in the order of the numbers; returns how many they are.
pub fn export(
    session: &LongtermSession,
    filter: &MemoryFilter,
    write: &mut dyn FnMut(&str),
) -> Result<usize> {
    session.read(|view| {
        let mut count = 0;
        each_memory(view, filter, |row| {
            count += 1;
            write(&format!("{}\n", json!(MemoryLine::from(row))));
        })?;
        Ok(count)
    })
}
