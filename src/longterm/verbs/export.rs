//! Writes all memories as JSON Lines.

use serde_json::json;

use super::list::PAGE;
use super::session::LongtermSession;
use crate::error::Result;
use crate::longterm::request::MemoryLine;

/// Gives each line to `write`, in the order of the numbers; returns how many they are.
pub fn export(session: &LongtermSession, write: &mut dyn FnMut(&str)) -> Result<usize> {
    session.read(|view| {
        let (mut behind, mut count) = (0, 0);
        loop {
            let page = view.memories_behind(behind, PAGE)?;
            let Some(last) = page.last() else { return Ok(count) };
            behind = last.number.get();
            count += page.len();
            page.into_iter().for_each(|row| write(&format!("{}\n", json!(MemoryLine::from(row)))));
        }
    })
}
