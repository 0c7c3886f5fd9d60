//! Reads one memory.

use super::path_id::path_id;
use super::session::{ServiceAnswer, ServiceSession};
use crate::service::request::{GotMemory, ServiceRefusal};

/// Answers `GET /memory/<id>`.
pub fn get(session: &ServiceSession, id: &str) -> ServiceAnswer<GotMemory> {
    let id = match path_id(id) {
        Ok(id) => id,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let Some(memory) = session.read(|view| view.memory(id))? else {
        return Ok(Err(ServiceRefusal::not_found()));
    };
    session.note_accesses(&[memory.row]);
    Ok(Ok(GotMemory { status: "success", memory: session.document(&memory) }))
}
