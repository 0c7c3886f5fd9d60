//! Nodes and edges as they are drawn.

use serde_json::{Map, Value};

use super::colors_table::{relation_color, type_color};
use crate::service::request::{GraphEdge, GraphNode, Memory, MemoryId, RelationType};

/// Returns a memory as it is drawn: the more important the larger, the surer the more opaque.
pub(crate) fn node(memory: &Memory) -> GraphNode {
    let said = &memory.said;
    GraphNode {
        id: said.id,
        content: said.content.clone(),
        color: type_color(&said.kind),
        kind: said.kind.clone(),
        importance: said.importance,
        confidence: said.confidence,
        tags: said.tags.clone(),
        timestamp: said.timestamp,
        updated_at: said.updated_at,
        metadata: said.metadata.clone(),
        radius: 0.5 + said.importance * 1.5,
        opacity: 0.4 + said.confidence * 0.6,
        similarity: None,
    }
}

/// Returns a relation as it is drawn.
pub(crate) fn edge(
    ends: (MemoryId, MemoryId),
    kind: RelationType,
    strength: f64,
    properties: Map<String, Value>,
) -> GraphEdge {
    let (source, target) = ends;
    GraphEdge {
        id: format!("{source}-{kind}-{target}"),
        source,
        target,
        kind,
        strength,
        color: relation_color(kind),
        properties,
    }
}
