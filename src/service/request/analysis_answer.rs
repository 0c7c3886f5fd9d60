//! What the service answers when it is asked what all memories say together.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

/// The answer to `GET /analyze`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct AnalyzeAnswer {
    /// Always `success`.
    pub status: &'static str,
    /// What all memories say together.
    pub analytics: Analytics,
    /// How long it took, in whole milliseconds.
    pub elapsed_ms: u64,
}

/// What all memories say together.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Analytics {
    /// How many memories there are of each type.
    pub memory_types: BTreeMap<String, TypeStatistics>,
    /// The surest memories of the type `Pattern`; at most ten.
    pub patterns: Vec<PatternDocument>,
    /// What is preferred over what, the strongest first; at most ten.
    pub preferences: Vec<PreferenceDocument>,
    /// When memories are made, by the hour of the day in UTC: `hour_09`.
    pub temporal_insights: BTreeMap<String, HourStatistics>,
    /// How many times memories name something, by category.
    pub entity_frequency: BTreeMap<String, u64>,
    /// How sure types are: `high` from 0.7 on, `medium` from 0.4 on.
    pub confidence_distribution: LevelCounts<u64>,
}

/// The memories of one type.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct TypeStatistics {
    /// How many there are.
    pub count: u64,
    /// How sure their type is.
    pub average_confidence: f64,
}

/// Something that is done again and again.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct PatternDocument {
    /// Always `Pattern`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The text of the memory.
    pub description: String,
    /// How sure its type is.
    pub confidence: f64,
    /// How many memories are an example of it or support it.
    pub observations: u64,
}

/// Something that is preferred over something else.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct PreferenceDocument {
    /// The text of the memory that is preferred.
    pub prefers: String,
    /// The text of the other.
    pub over: String,
    /// In which context; null where none was sent.
    pub context: Value,
    /// 0 to 1.
    pub strength: f64,
}

/// The memories of one hour of the day.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct HourStatistics {
    /// How many there are.
    pub count: u64,
    /// How important they are.
    pub avg_importance: f64,
}

/// How many memories are on which level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct LevelCounts<N> {
    /// On the highest.
    pub high: N,
    /// Between the two.
    pub medium: N,
    /// On the lowest.
    pub low: N,
}
