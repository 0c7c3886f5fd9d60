//! Takes a deleted memory out of the trash, under its number.

use super::limit::no_room;
use super::session::LongtermSession;
use crate::error::Result;
use crate::longterm::request::{MemoryNumber, RestoredMemory};
use crate::longterm::sqlite::ChangeNote;

/// Restores a memory, if it is in the trash.
pub fn restore(session: &LongtermSession, number: MemoryNumber) -> Result<RestoredMemory> {
    let (operator, now) = (session.operator.clone(), session.now);
    let rejected = move |error: String| RestoredMemory {
        status: "rejected",
        memory_id: number,
        error: Some(error),
        invalidated: Vec::new(),
    };
    session.write(move |view| {
        let Some(row) = view.in_trash(number)? else {
            let error = "no deleted memory has this number: it is erased already, or never was";
            return Ok(rejected(error.to_owned()));
        };
        if let Some(error) = no_room(view.count_of(&row.owner, row.lineage)?) {
            return Ok(rejected(error));
        }
        view.take_from_trash(&row)?;
        let noted = view.note(&ChangeNote {
            event: "memory_restored",
            id: number.to_string(),
            actor: &operator,
            now,
            keys: vec![row.owner.generation_key()],
            before: None,
            after: Some(&row.content),
        })?;
        let invalidated = noted.raised;
        Ok(RestoredMemory { status: "restored", memory_id: number, error: None, invalidated })
    })
}
