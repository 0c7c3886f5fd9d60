//! Takes a deleted memory out of the trash, under its number.

use super::session::LongtermSession;
use crate::error::Result;
use crate::longterm::request::{MemoryNumber, RaisedGeneration, RestoredMemory};
use crate::longterm::sqlite::LoggedChange;

/// Restores a memory, if it is in the trash.
pub fn restore(session: &LongtermSession, number: MemoryNumber) -> Result<RestoredMemory> {
    let (operator, now) = (session.operator.clone(), session.now);
    session.write(move |view| {
        let Some(row) = view.take_from_trash(number)? else {
            let error =
                Some("no deleted memory has this number: it is erased already, or never was");
            return Ok(RestoredMemory {
                status: "rejected",
                memory_id: number,
                error,
                invalidated: Vec::new(),
            });
        };
        let raised = view.note(&LoggedChange {
            event: "memory_restored",
            id: number.to_string(),
            actor: &operator,
            now,
            keys: vec![row.owner.generation_key()],
            before: None,
            after: Some(&row.content),
        })?;
        let raised =
            raised.into_iter().map(|(key, generation)| RaisedGeneration { key, generation });
        let invalidated = raised.collect();
        Ok(RestoredMemory { status: "restored", memory_id: number, error: None, invalidated })
    })
}
