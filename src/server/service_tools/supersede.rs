//! Reads which memory a new one supersedes.

use serde_json::Value;

use super::arguments::Arguments;
use crate::service::request::{RelationType, ServiceRefusal, Supersession};
use crate::service::verbs::path_id;

/// The arguments that are not part of the new memory.
pub(super) const SUPERSEDE: [&str; 3] =
    ["supersedes_memory_id", "supersede_relation", "supersede_reason"];

/// Returns what supersedes, where an old memory is named.
pub(super) fn supersession(
    arguments: &Arguments,
    memory: &Value,
) -> Result<Option<Supersession>, Box<ServiceRefusal>> {
    let Some(old) = arguments.text("supersedes_memory_id") else { return Ok(None) };
    let relation = arguments.text("supersede_relation").and_then(RelationType::parse);
    Ok(Some(Supersession {
        old: path_id(old).map_err(|refusal| refusal.at("supersedes_memory_id".to_owned()))?,
        memory: memory.clone(),
        relation: relation.unwrap_or(RelationType::InvalidatedBy),
        reason: arguments.text("supersede_reason").map(str::to_owned),
    }))
}
