//! Imports memories and relations from a backup or an export.

mod batch;

use std::path::Path;

use serde_json::Value;

use super::session::ServiceSession;
use crate::disk::outside;
use crate::error::{Error, ErrorKind, Result};
use crate::service::backup::{SavedMemories, read_backup};
use crate::service::request::{
    MemoryImport, RefusedMemory, SaidMemory, SavedMemory, SavedRelation, ServiceRefusal,
    redact_texts, refuse_what_must_not_stay,
};
use batch::{ImportBatch, write_relation};

/// Memories or relations that are written in one change: others are not kept waiting for long.
const TOGETHER: usize = 500;

/// Bytes of a backup at most, as it is and unpacked: 1 GiB.
const LIMIT: u64 = 1 << 30;

/// Imports a file, or stdin. What is there stays as it is: an id that exists is passed over.
pub fn import(session: &ServiceSession, file: Option<&Path>) -> Result<MemoryImport> {
    let SavedMemories { memories, relations, refused, warnings } = read_file(session, file)?;
    let mut report = MemoryImport { status: "success", refused, warnings, ..Default::default() };
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
    let set = session.write(move |view| {
        let mut set = 0;
        for saved in accepted {
            set += usize::from(write_relation(view, saved, &actor, now)?);
        }
        Ok(Ok(set))
    })?;
    report.relations += set.unwrap_or_default();
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
    let scanner = &session.store.scanner;
    let mut value = memory.said.to_value();
    if session.store.settings.redacts {
        redact_texts(&mut value, scanner);
        let redacted = SaidMemory::from_value(&value).ok_or_else(|| {
            let detail = "a time, the type or the id holds what looks like a secret";
            ServiceRefusal::of_field("memory", "it cannot be redacted", detail)
        })?;
        memory.said = redacted;
    }
    refuse_what_must_not_stay(&value, scanner).map(|()| memory)
}

fn screened_relation(
    session: &ServiceSession,
    mut saved: SavedRelation,
) -> std::result::Result<SavedRelation, RefusedMemory> {
    let scanner = &session.store.scanner;
    let mut properties = Value::Object(std::mem::take(&mut saved.relation.properties));
    if session.store.settings.redacts {
        redact_texts(&mut properties, scanner);
    }
    let checked = refuse_what_must_not_stay(&properties, scanner);
    let relation = &mut saved.relation;
    if let Value::Object(properties) = properties {
        relation.properties = properties;
    }
    let (source, name) = (relation.source, format!("{} {}", relation.kind, relation.target));
    checked.map(|()| saved).map_err(|refusal| {
        let reason = format!("{name}: {}", refusal.reason());
        RefusedMemory { id: source.to_string(), reason }
    })
}
