//! The files of the observed server's backup: its graph with memories and relations, and its vectors.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::saved_memories::SavedMemories;
use crate::contract::Timestamp;
use crate::service::request::{MemoryId, RelationType};
use crate::text::excerpt;

/// A file of the backup, with a graph or with vectors.
#[derive(Debug, Deserialize)]
pub(super) struct ServerFile {
    nodes: Option<Vec<BackupNode>>,
    #[serde(default)]
    relationships: Vec<GraphRelationship>,
    points: Option<Vec<VectorPoint>>,
}

#[derive(Debug, Deserialize)]
struct BackupNode {
    id: i64,
    #[serde(default)]
    labels: Vec<String>,
    #[serde(default)]
    properties: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
struct GraphRelationship {
    source_id: i64,
    #[serde(rename = "type")]
    kind: String,
    target_id: i64,
    #[serde(default)]
    properties: Option<Map<String, Value>>,
}

#[derive(Debug, Deserialize)]
struct VectorPoint {
    id: Value,
    #[serde(default)]
    vector: Option<PointVector>,
    #[serde(default)]
    payload: Option<Map<String, Value>>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum PointVector {
    Numbers(Vec<f32>),
    /// A point may have several vectors with names.
    Other(IgnoredAny),
}

/// The types of relations that machines made: they are found again.
const MADE_BY_MACHINE: [&str; 8] = [
    "SIMILAR_TO",
    "PRECEDED_BY",
    "DISCOVERED",
    "EXPLAINS",
    "SHARES_THEME",
    "PARALLEL_CONTEXT",
    "SUMMARIZES",
    "REFERENCED_IN",
];

impl ServerFile {
    pub(super) fn is_backup(&self) -> bool {
        self.nodes.is_some() || self.points.is_some()
    }
}

/// Returns what the files of one backup hold. The graph says which memories there are; without one, the vectors do.
pub(super) fn saved_of(files: Vec<ServerFile>, now: Timestamp) -> SavedMemories {
    let mut saved = SavedMemories::default();
    let has_graph = files.iter().any(|file| file.nodes.is_some());
    let mut vectors = HashMap::new();
    for ServerFile { nodes, relationships, points } in files {
        read_graph(nodes.unwrap_or_default(), relationships, now, &mut saved);
        for VectorPoint { id, vector, payload } in points.unwrap_or_default() {
            let name = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
            if !has_graph {
                let mut payload = payload.unwrap_or_default();
                payload.insert("id".to_owned(), name.clone().into());
                let payload = as_said(payload, &mut saved.warnings);
                saved.add_memory(&payload, &name, now);
            }
            if let (Some(id), Some(PointVector::Numbers(numbers))) =
                (MemoryId::parse(&name), vector)
            {
                vectors.insert(id, numbers);
            }
        }
    }
    for memory in &mut saved.memories {
        memory.embedding = vectors.remove(&memory.said.id).filter(|numbers| !numbers.is_empty());
    }
    saved
}

fn read_graph(
    nodes: Vec<BackupNode>,
    relationships: Vec<GraphRelationship>,
    now: Timestamp,
    saved: &mut SavedMemories,
) {
    let mut ends: BTreeMap<i64, GraphEnd> = BTreeMap::new();
    for BackupNode { id, labels, properties } in nodes {
        if !labels.iter().any(|label| label == "Memory") {
            ends.insert(id, GraphEnd::Other);
            continue;
        }
        if let Some(uuid) = properties.get("id").and_then(Value::as_str) {
            ends.insert(id, GraphEnd::Memory(uuid.to_owned()));
        }
        let properties = as_said(properties, &mut saved.warnings);
        saved.add_memory(&properties, &format!("node {id}"), now);
    }
    for relationship in relationships {
        read_relationship(relationship, &ends, saved);
    }
}

/// What a relation of the graph joins.
enum GraphEnd {
    /// A memory, by its id.
    Memory(String),
    /// An entity or a pattern, which the server made.
    Other,
}

fn read_relationship(
    relationship: GraphRelationship,
    ends: &BTreeMap<i64, GraphEnd>,
    saved: &mut SavedMemories,
) {
    let GraphRelationship { source_id, kind, target_id, properties } = relationship;
    if MADE_BY_MACHINE.contains(&kind.as_str()) {
        return;
    }
    let (source, target) = match (ends.get(&source_id), ends.get(&target_id)) {
        (Some(GraphEnd::Other), _) | (_, Some(GraphEnd::Other)) => return,
        (Some(GraphEnd::Memory(source)), Some(GraphEnd::Memory(target))) => (source, target),
        (None, _) | (_, None) => {
            let name = format!("node {source_id} {} node {target_id}", excerpt(&kind));
            return saved.dropped.add(&name, "an end is missing");
        }
    };
    let name = [source, &kind, target].map(|part| excerpt(part)).join(" ");
    if !RelationType::authorable_names().contains(&kind.as_str()) {
        return saved.dropped.add(&name, "its type is unknown");
    }
    if source == target {
        return saved.dropped.add(&name, "both ends are one memory");
    }
    let mut object = properties.unwrap_or_default();
    object.insert("memory1_id".to_owned(), source.as_str().into());
    object.insert("memory2_id".to_owned(), target.as_str().into());
    object.insert("type".to_owned(), kind.into());
    saved.add_relation(&object, &name);
}

/// Returns what was said of a memory, without what the server derived from it.
fn as_said(mut memory: Map<String, Value>, warnings: &mut Vec<String>) -> Map<String, Value> {
    if let Some(Value::String(text)) = memory.get("metadata")
        && let Ok(metadata) = serde_json::from_str::<Value>(text)
    {
        memory.insert("metadata".to_owned(), metadata);
    }
    if let Some(Value::Object(metadata)) = memory.get_mut("metadata") {
        metadata.retain(|name, value| !value.is_null() && !is_derived(name, value));
    }
    if let Some(Value::Array(tags)) = memory.get_mut("tags") {
        tags.retain(|tag| !tag.as_str().is_some_and(|tag| tag.starts_with("entity:")));
    }
    memory.remove("embedding");
    limit_shares(&mut memory, warnings);
    // What is archived is no answer any more.
    let is_archived = memory.get("archived").and_then(Value::as_bool) == Some(true);
    let ends = |name: &&str| memory.get(*name).is_some_and(Value::is_string);
    let end = ["t_invalid", "archived_at", "updated_at", "timestamp"].into_iter().find(ends);
    if let Some(end) = end.filter(|_| is_archived).and_then(|name| memory.get(name)).cloned() {
        memory.insert("t_invalid".to_owned(), end);
    }
    memory
}

/// Tells what the server wrote into the metadata: how it enriched a memory, and the names that it found, by category.
fn is_derived(name: &str, value: &Value) -> bool {
    match (name, value) {
        ("enrichment", Value::Object(_)) => true,
        ("entities", Value::Object(entities)) => entities.values().all(Value::is_array),
        _ => false,
    }
}

/// Moves numbers into 0 to 1: a change of a memory was not checked there.
fn limit_shares(memory: &mut Map<String, Value>, warnings: &mut Vec<String>) {
    for name in ["importance", "confidence"] {
        let Some(number) = memory.get(name).and_then(Value::as_f64) else { continue };
        let limited = number.clamp(0.0, 1.0);
        if limited != number {
            let id = memory.get("id").and_then(Value::as_str).unwrap_or_default();
            warnings.push(format!("`{name}` of {id} was {number} and is {limited} now"));
            memory.insert(name.to_owned(), limited.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const A: &str = "11111111-1111-4111-8111-111111111111";
    const B: &str = "22222222-2222-4222-8222-222222222222";

    fn graph() -> Value {
        let metadata = json!({
            "repo": "x", "entities": {"tools": ["SQLite"]}, "enrichment": {"last_run": "now"},
        });
        let a = json!({
            "id": A, "content": "We chose SQLite.", "type": "MetaPattern", "importance": 7,
            "tags": ["db", "entity:tools:sqlite"], "metadata": metadata.to_string(),
            "timestamp": "2026-01-01T00:00:00.000001+00:00", "archived": true,
            "updated_at": "2026-01-02T00:00:00+00:00", "summary": "We chose SQLite.",
        });
        let b = json!({"id": B, "content": "It is one file.", "metadata": "{\"entities\": \"x\"}"});
        let relation = |kind: &str, target: i64| json!({"source_id": 0, "type": kind, "target_id": target, "properties": {"strength": 0.8}});
        json!({
            "nodes": [
                {"id": 0, "labels": ["Memory", "Decision"], "properties": a},
                {"id": 1, "labels": ["Memory"], "properties": b},
                {"id": 2, "labels": ["Entity"], "properties": {"slug": "sqlite"}},
            ],
            "relationships": [
                relation("LEADS_TO", 1), relation("SIMILAR_TO", 1), relation("REFERENCED_IN", 2),
            ],
        })
    }

    fn saved(files: &[Value]) -> SavedMemories {
        let read = |file: &Value| serde_json::from_value(file.clone()).expect("a file");
        saved_of(files.iter().map(read).collect(), Timestamp::from_microseconds(0))
    }

    #[test]
    fn what_was_said_is_kept_and_what_was_derived_is_not() {
        let saved = saved(&[graph()]);
        assert!(saved.refused.is_empty(), "{:?}", saved.refused);
        let [a, b] = &saved.memories[..] else { panic!("two memories: {:?}", saved.memories) };
        assert_eq!((a.said.kind.as_str(), a.said.importance), ("MetaPattern", 1.0));
        assert_eq!((&a.said.tags[..], a.said.metadata.len()), (&["db".to_owned()][..], 1));
        assert_eq!(a.said.t_invalid, Some(a.said.updated_at));
        assert_eq!(b.said.metadata["entities"], "x");
        assert_eq!(saved.warnings.len(), 1);
        assert_eq!(saved.dropped.count, 0);
        let kinds: Vec<_> = saved.relations.iter().map(|it| it.relation.kind).collect();
        assert_eq!(kinds, [RelationType::LeadsTo]);
    }

    #[test]
    fn a_relation_that_cannot_be_kept_is_named() {
        let mut graph = graph();
        let relation = |source: i64, kind: &str, target: i64| json!({"source_id": source, "type": kind, "target_id": target});
        // An example of a pattern was made by the server too.
        graph["relationships"] = json!([
            relation(0, "LEADS_TO", 9),
            relation(0, "ODD", 1),
            relation(0, "EXEMPLIFIES", 2),
            relation(1, "PART_OF", 1),
            relation(0, "SHARES_THEME", 1),
        ]);
        let dropped = saved(&[graph]).dropped;
        assert_eq!(dropped.count, 3);
        assert_eq!(dropped.first[0], "node 0 LEADS_TO node 9: an end is missing");
        assert_eq!(dropped.first[1], format!("{A} ODD {B}: its type is unknown"));
        assert_eq!(dropped.first[2], format!("{B} PART_OF {B}: both ends are one memory"));
    }

    #[test]
    fn vectors_belong_to_the_memories_of_the_graph_and_stand_alone_without_it() {
        let points = json!({"points": [
            {"id": A, "vector": [1.0, 0.0], "payload": {"content": "We chose SQLite."}},
            {"id": "orphan", "vector": {"named": [1.0]}, "payload": {"content": "Old."}},
        ]});
        let both = saved(&[points.clone(), graph()]);
        assert_eq!(both.memories.len(), 2);
        assert_eq!(both.memories[0].embedding.as_deref(), Some(&[1.0, 0.0][..]));
        let alone = saved(&[points]);
        assert_eq!((alone.memories.len(), alone.refused[0].id.as_str()), (1, "orphan"));
    }
}
