//! Writes what an import accepted: memories together, relations one by one.

use crate::contract::Timestamp;
use crate::error::Result;
use crate::service::request::{
    ChangeKind, MemoryId, MemoryImport, RefusedMemory, SavedMemory, SavedRelation,
};
use crate::service::sqlite::{MemoryChange, TenantView};
use crate::service::verbs::relation_ends::RelationEnds;
use crate::service::verbs::replace_said::ChangeHead;
use crate::service::verbs::session::ServiceSession;
use crate::service::verbs::set_relation::set_relation;
use crate::service::verbs::vector_size::VectorSize;

/// Memories that are written in one change.
pub(super) struct ImportBatch {
    memories: Vec<SavedMemory>,
    actor: String,
    now: Timestamp,
    vector_size: VectorSize,
    pub(super) report: MemoryImport,
}

impl ImportBatch {
    pub(super) fn new(session: &ServiceSession, memories: Vec<SavedMemory>) -> Self {
        Self {
            memories,
            actor: session.actor.clone(),
            now: session.now,
            vector_size: VectorSize::set_to(session.store.settings.vector_size),
            report: MemoryImport::default(),
        }
    }

    pub(super) fn write(&mut self, view: &TenantView<'_>) -> Result<()> {
        self.vector_size = self.vector_size.in_view(view)?;
        for memory in std::mem::take(&mut self.memories) {
            let id = memory.said.id;
            match (view.content_of(id)?, view.live_row(id)?) {
                (None, _) => self.insert(view, &memory)?,
                (Some(content), _) if content != memory.said.content => {
                    self.refuse(id, "another memory with other content has this id");
                }
                (Some(_), None) => {
                    self.refuse(id, "it is in the trash: restore it, or delete it for good");
                }
                (Some(_), Some(row)) => {
                    self.report.skipped += 1;
                    // The vectors of a backup may come after its memories.
                    if view.vector_of(row)?.is_none() && self.keep_vector(view, row, &memory)? {
                        view.ask_to_enrich(row, self.now)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn refuse(&mut self, id: MemoryId, reason: &str) {
        let reason = reason.to_owned();
        self.report.refused.push(RefusedMemory { id: id.to_string(), reason });
    }

    fn insert(&mut self, view: &TenantView<'_>, memory: &SavedMemory) -> Result<()> {
        let row = view.insert(&memory.said, memory.last_accessed)?;
        self.keep_vector(view, row, memory)?;
        view.ask_to_enrich(row, self.now)?;
        self.report.imported += 1;
        view.log(&MemoryChange {
            kind: ChangeKind::Stored,
            id: memory.said.id,
            row,
            other: None,
            actor: &self.actor,
            now: self.now,
            before: None,
            after: Some(memory.said.to_value()),
        })
    }

    /// Keeps a vector of the right size; tells whether it did.
    fn keep_vector(
        &mut self,
        view: &TenantView<'_>,
        row: i64,
        memory: &SavedMemory,
    ) -> Result<bool> {
        let Some(vector) = &memory.embedding else { return Ok(false) };
        if self.vector_size.check("embedding", vector).is_err() {
            let id = memory.said.id;
            self.report
                .warnings
                .push(format!("the vector of {id} is not of the size of the others"));
            return Ok(false);
        }
        view.keep_vector(row, vector)?;
        self.report.vectors += 1;
        Ok(true)
    }
}

/// What became of a relation.
pub(super) enum WrittenRelation {
    Set,
    /// One that is set already stays.
    WasThere,
    EndMissing,
}

/// Sets a relation between memories that are there.
pub(super) fn write_relation(
    view: &TenantView<'_>,
    saved: &SavedRelation,
    actor: &str,
    now: Timestamp,
) -> Result<WrittenRelation> {
    let SavedRelation { relation, updated } = saved;
    let Some(ends) = RelationEnds::find(view, relation)? else {
        return Ok(WrittenRelation::EndMissing);
    };
    if view.relation(ends.source, relation.kind, ends.target)?.is_some() {
        return Ok(WrittenRelation::WasThere);
    }
    let head = ChangeHead { kind: ChangeKind::Related, actor, now };
    set_relation(view, (ends, relation), updated.unwrap_or(now), head)?;
    Ok(WrittenRelation::Set)
}
