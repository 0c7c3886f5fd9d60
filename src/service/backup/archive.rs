//! Writes a backup in the form of the observed server, which both can read.

use std::collections::HashMap;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use crate::contract::Timestamp;
use crate::error::{Error, ErrorKind, Result};
use crate::service::request::{MemoryId, SavedMemory, SavedRelation};

/// Returns an archive with the graph of the memories and their vectors.
pub(crate) fn archive_of(
    memories: &[SavedMemory],
    relations: &[SavedRelation],
    now: Timestamp,
) -> Result<Vec<u8>> {
    let stamp = now.moment().compact().replace('-', "_");
    let numbers: HashMap<MemoryId, usize> =
        memories.iter().enumerate().map(|(number, memory)| (memory.said.id, number)).collect();
    let nodes: Vec<Value> = memories.iter().enumerate().map(node).collect();
    let edges: Vec<Value> = relations.iter().filter_map(|saved| edge(saved, &numbers)).collect();
    let points: Vec<Value> = memories.iter().filter_map(point).collect();
    let graph = json!({
        "timestamp": now, "graph_name": "memories",
        "stats": { "node_count": nodes.len(), "relationship_count": edges.len() },
        "nodes": nodes, "relationships": edges,
    });
    let vectors = json!({
        "timestamp": now, "collection_name": "memories",
        "stats": { "vector_count": points.len() }, "points": points,
    });
    let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
    add(&mut archive, &format!("falkordb/falkordb_{stamp}.json.gz"), &graph, now)?;
    add(&mut archive, &format!("qdrant/qdrant_{stamp}.json.gz"), &vectors, now)?;
    let written = archive.into_inner().and_then(GzEncoder::finish);
    written.map_err(|cause| could_not(&cause))
}

fn node((number, memory): (usize, &SavedMemory)) -> Value {
    let said = &memory.said;
    let mut properties = said.to_value();
    properties["metadata"] = Value::Object(said.metadata.clone()).to_string().into();
    properties["last_accessed"] = json!(memory.last_accessed);
    json!({ "id": number, "labels": ["Memory"], "properties": properties })
}

fn edge(saved: &SavedRelation, numbers: &HashMap<MemoryId, usize>) -> Option<Value> {
    let relation = &saved.relation;
    let mut properties = relation.properties.clone();
    properties.insert("strength".to_owned(), relation.strength.into());
    properties.insert("updated_at".to_owned(), json!(saved.updated));
    Some(json!({
        "source_id": numbers.get(&relation.source)?, "type": relation.kind,
        "target_id": numbers.get(&relation.target)?, "properties": properties,
    }))
}

fn point(memory: &SavedMemory) -> Option<Value> {
    let vector = memory.embedding.as_ref()?;
    Some(json!({ "id": memory.said.id, "vector": vector, "payload": memory.said.to_value() }))
}

/// Adds a file, compressed as those of the observed server are.
fn add(
    archive: &mut tar::Builder<GzEncoder<Vec<u8>>>,
    name: &str,
    value: &Value,
    now: Timestamp,
) -> Result<()> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    let packed = packed.write_all(value.to_string().as_bytes()).and_then(|()| packed.finish());
    let packed = packed.map_err(|cause| could_not(&cause))?;
    let mut header = tar::Header::new_gnu();
    header.set_size(packed.len() as u64);
    header.set_mode(0o600);
    header.set_mtime(u64::try_from(now.moment().unix()).unwrap_or_default());
    let added = archive.append_data(&mut header, name, packed.as_slice());
    added.map_err(|cause| could_not(&cause))
}

fn could_not(cause: &std::io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("could not write the backup: {cause}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::backup::read_backup;
    use crate::service::request::SaidMemory;

    #[test]
    fn what_is_written_is_read_again() {
        let now = Timestamp::parse("2026-11-20T10:00:00Z").expect("a time");
        let id = MemoryId::parse("11111111-1111-4111-8111-111111111111").expect("an id");
        let said = SaidMemory {
            id,
            content: "a".to_owned(),
            kind: "Context".to_owned(),
            confidence: 0.3,
            importance: 0.5,
            tags: vec!["t".to_owned()],
            metadata: serde_json::Map::from_iter([("k".to_owned(), 1.into())]),
            timestamp: now,
            updated_at: now,
            t_valid: Some(now),
            t_invalid: None,
        };
        let memory = SavedMemory { said, last_accessed: now, embedding: Some(vec![1.0, 0.0]) };
        let archive = archive_of(std::slice::from_ref(&memory), &[], now).expect("it is written");
        let read = read_backup(&archive, 1 << 20, now).expect("it is read");
        assert_eq!(read.memories, [memory]);
    }
}
