//! A memory as it is stored, and as a client reads it.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::memory_id::MemoryId;
use crate::contract::Timestamp;

/// A memory as it is stored: what was said, and beside it what the service derived.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Memory {
    /// Its number in the database.
    pub(crate) row: i64,
    pub(crate) said: SaidMemory,
    pub(crate) last_accessed: Timestamp,
    pub(crate) derived: Option<DerivedMemory>,
    /// How many relations people and agents set.
    pub(crate) edges: u32,
}

/// What was said about a memory: all that a change of it can take back.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SaidMemory {
    pub(crate) id: MemoryId,
    pub(crate) content: String,
    /// One of `MemoryType`, unless it was imported.
    pub(crate) kind: String,
    pub(crate) confidence: f64,
    pub(crate) importance: f64,
    pub(crate) tags: Vec<String>,
    pub(crate) metadata: Map<String, Value>,
    pub(crate) timestamp: Timestamp,
    pub(crate) updated_at: Timestamp,
    pub(crate) t_valid: Option<Timestamp>,
    pub(crate) t_invalid: Option<Timestamp>,
}

/// What the service derived from a memory; it can be rebuilt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DerivedMemory {
    pub(crate) summary: String,
    pub(crate) entities: Vec<Entity>,
    pub(crate) at: Timestamp,
}

/// Something that a memory names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entity {
    /// `people`, `organizations`, `tools`, `projects` or `concepts`.
    pub(crate) category: String,
    pub(crate) name: String,
    pub(crate) slug: String,
}

impl Entity {
    /// Returns the tag by which memories that name it are found.
    pub(crate) fn tag(&self) -> String {
        format!("entity:{}:{}", self.category, self.slug)
    }
}

impl SaidMemory {
    /// Returns it as JSON, as a history shows it.
    pub(crate) fn to_value(&self) -> Value {
        json!({
            "id": self.id, "content": self.content, "type": self.kind, "confidence": self.confidence,
            "importance": self.importance, "tags": self.tags, "metadata": self.metadata,
            "timestamp": self.timestamp, "updated_at": self.updated_at,
            "t_valid": self.t_valid, "t_invalid": self.t_invalid,
        })
    }

    /// Reads what `to_value` returns.
    pub(crate) fn from_value(value: &Value) -> Option<Self> {
        let text = |name: &str| value[name].as_str().map(str::to_owned);
        let time = |name: &str| value[name].as_str().and_then(Timestamp::parse);
        let tags = value["tags"].as_array()?.iter().filter_map(Value::as_str);
        Some(Self {
            id: MemoryId::parse(value["id"].as_str()?)?,
            content: text("content")?,
            kind: text("type")?,
            confidence: value["confidence"].as_f64()?,
            importance: value["importance"].as_f64()?,
            tags: tags.map(str::to_owned).collect(),
            metadata: value["metadata"].as_object()?.clone(),
            timestamp: time("timestamp")?,
            updated_at: time("updated_at")?,
            t_valid: time("t_valid"),
            t_invalid: time("t_invalid"),
        })
    }
}

/// A memory as a client reads it.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct MemoryDocument {
    /// Its id.
    pub id: MemoryId,
    /// The text.
    pub content: String,
    /// The kind of knowledge.
    #[serde(rename = "type")]
    pub kind: String,
    /// How sure its type is, 0 to 1.
    pub confidence: f64,
    /// 0 to 1.
    pub importance: f64,
    /// As they were sent.
    pub tags: Vec<String>,
    /// All beginnings of its tags, by which a filter finds it.
    pub tag_prefixes: Vec<String>,
    /// When it was made.
    pub timestamp: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// When it was last read.
    pub last_accessed: Timestamp,
    /// From when on it holds.
    pub t_valid: Option<Timestamp>,
    /// From when on it does not hold any more.
    pub t_invalid: Option<Timestamp>,
    /// As it was sent.
    pub metadata: Map<String, Value>,
    /// The first sentence; absent until it is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// Names found in the text, by category; absent until they are looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entities: Option<Map<String, Value>>,
    /// Tags that the service made of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub derived_tags: Vec<String>,
    /// Whether summary and entities are made.
    pub enriched: bool,
    /// When they were made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enriched_at: Option<Timestamp>,
    /// The same as `enriched`.
    pub processed: bool,
    /// How relevant it is now, by age, use, relations and importance.
    pub relevance_score: f64,
}

/// A memory in a few words, as others name it.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct MemorySummary {
    /// Its id.
    pub id: MemoryId,
    /// The kind of knowledge.
    #[serde(rename = "type")]
    pub kind: String,
    /// When it was made.
    pub timestamp: Timestamp,
    /// The first sentence, else the first 160 characters.
    pub summary: String,
    /// 0 to 1.
    pub importance: f64,
    /// 0 to 1.
    pub confidence: f64,
    /// At most five.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
}

/// Characters of a content that stand for a summary.
const EXCERPT: usize = 160;

/// Tags of a summary at most.
const TAGS: usize = 5;

impl Memory {
    pub(crate) fn summary(&self) -> MemorySummary {
        let first = || self.said.content.chars().take(EXCERPT).collect();
        MemorySummary {
            id: self.said.id,
            kind: self.said.kind.clone(),
            timestamp: self.said.timestamp,
            summary: self.derived.as_ref().map_or_else(first, |derived| derived.summary.clone()),
            importance: self.said.importance,
            confidence: self.said.confidence,
            tags: self.said.tags.iter().take(TAGS).cloned().collect(),
        }
    }

    /// Returns the names by category.
    pub(crate) fn entities(&self) -> Option<Map<String, Value>> {
        let derived = self.derived.as_ref()?;
        let mut found: Map<String, Value> = Map::new();
        for Entity { category, name, .. } in &derived.entities {
            let names = found.entry(category.clone()).or_insert_with(|| Value::Array(Vec::new()));
            names.as_array_mut().into_iter().for_each(|names| names.push(name.clone().into()));
        }
        Some(found)
    }

    pub(crate) fn derived_tags(&self) -> Vec<String> {
        let entities = self.derived.iter().flat_map(|derived| &derived.entities);
        entities.map(Entity::tag).collect()
    }

    /// Tells whether it holds at a time.
    pub(crate) fn holds_at(&self, now: Timestamp) -> bool {
        self.said.t_valid.is_none_or(|from| from <= now)
            && self.said.t_invalid.is_none_or(|until| until > now)
    }
}
