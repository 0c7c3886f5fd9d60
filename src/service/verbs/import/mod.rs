//! Imports memories and relations from a backup or an export.

mod batch;

use std::path::Path;

use serde_json::Value;

use super::session::ServiceSession;
use crate::disk::outside;
use crate::error::{Error, ErrorKind, Result};
use crate::service::backup::{SavedMemories, read_backup};
use crate::service::request::{
    DroppedRelations, MemoryImport, NewRelation, RefusedMemory, SaidMemory, SavedMemory,
    SavedRelation, ServiceRefusal,
};
use batch::{ImportBatch, WrittenRelation, write_relation};

/// Memories or relations that are written in one change: others are not kept waiting for long.
const TOGETHER: usize = 500;

/// Bytes of a backup at most, as it is and unpacked: 1 GiB.
const LIMIT: u64 = 1 << 30;

/// Imports a file, or stdin. What is there stays as it is: an id that exists is passed over.
pub fn import(session: &ServiceSession, file: Option<&Path>) -> Result<MemoryImport> {
    let SavedMemories { memories, relations, refused, dropped, warnings } =
        read_file(session, file)?;
    let mut report = MemoryImport {
        status: "success",
        refused,
        dropped_relations: dropped,
        warnings,
        ..Default::default()
    };
    for batch in batches(memories) {
        import_memories(session, batch, &mut report)?;
    }
    for batch in batches(relations) {
        import_relations(session, batch, &mut report)?;
    }
    Ok(report)
}

fn read_file(session: &ServiceSession, file: Option<&Path>) -> Result<SavedMemories> {
    let bytes = outside::read_up_to(file, LIMIT + 1)?;
    if bytes.len() as u64 > LIMIT {
        let message = format!("the backup has more than {LIMIT} bytes");
        return Err(Error::new(ErrorKind::Usage, message).hint("import its files one by one"));
    }
    read_backup(&bytes, LIMIT, session.now).map_err(|error| match file {
        Some(file) => error.at(file),
        None => error,
    })
}

fn import_memories(
    session: &ServiceSession,
    batch: Vec<SavedMemory>,
    report: &mut MemoryImport,
) -> Result<()> {
    let mut accepted = Vec::with_capacity(batch.len());
    for memory in batch {
        let id = memory.said.id.to_string();
        match screened(session, memory) {
            Ok(memory) => accepted.push(memory),
            Err(refusal) => {
                report.refused.push(RefusedMemory { id, reason: refusal.reason() });
            }
        }
    }
    let mut import = ImportBatch::new(session, accepted);
    let done = session.write(move |view| {
        import.write(view)?;
        Ok(Ok(import.report))
    })?;
    let part = done.unwrap_or_default();
    report.imported += part.imported;
    report.skipped += part.skipped;
    report.vectors += part.vectors;
    report.refused.extend(part.refused);
    report.warnings.extend(part.warnings);
    Ok(())
}

fn import_relations(
    session: &ServiceSession,
    batch: Vec<SavedRelation>,
    report: &mut MemoryImport,
) -> Result<()> {
    let mut accepted = Vec::with_capacity(batch.len());
    for saved in batch {
        match screened_relation(session, saved) {
            Ok(saved) => accepted.push(saved),
            Err(refused) => report.refused.push(refused),
        }
    }
    let (actor, now) = (session.actor.clone(), session.now);
    let written = session.write(move |view| {
        let (mut set, mut dropped) = (0, DroppedRelations::default());
        for saved in &accepted {
            match write_relation(view, saved, &actor, now)? {
                WrittenRelation::Set => set += 1,
                WrittenRelation::WasThere => {}
                WrittenRelation::EndMissing => {
                    let NewRelation { source, kind, target, .. } = &saved.relation;
                    dropped.add(&format!("{source} {kind} {target}"), "an end is missing");
                }
            }
        }
        Ok(Ok((set, dropped)))
    })?;
    let (set, dropped) = written.unwrap_or_default();
    report.relations += set;
    report.dropped_relations.extend(dropped);
    Ok(())
}

/// Cuts a list into parts that are written together.
fn batches<T>(list: Vec<T>) -> impl Iterator<Item = Vec<T>> {
    let mut rest = list.into_iter();
    std::iter::from_fn(move || {
        let batch: Vec<T> = rest.by_ref().take(TOGETHER).collect();
        (!batch.is_empty()).then_some(batch)
    })
}

/// Refuses a memory with a secret, or takes the secret out where the settings say so.
fn screened(
    session: &ServiceSession,
    mut memory: SavedMemory,
) -> std::result::Result<SavedMemory, Box<ServiceRefusal>> {
    memory.said = session.screened(memory.said.to_value(), |value| {
        SaidMemory::from_value(value).ok_or_else(|| {
            let detail = "a time, the type or the id holds what looks like a secret";
            ServiceRefusal::of_field("memory", "it cannot be redacted", detail)
        })
    })?;
    Ok(memory)
}

fn screened_relation(
    session: &ServiceSession,
    mut saved: SavedRelation,
) -> std::result::Result<SavedRelation, RefusedMemory> {
    let relation = &mut saved.relation;
    let properties = Value::Object(std::mem::take(&mut relation.properties));
    let read = |properties: &Value| Ok(properties.as_object().cloned().unwrap_or_default());
    match session.screened(properties, read) {
        Ok(properties) => relation.properties = properties,
        Err(refusal) => {
            let reason = format!("{} {}: {}", relation.kind, relation.target, refusal.reason());
            return Err(RefusedMemory { id: relation.source.to_string(), reason });
        }
    }
    Ok(saved)
}
