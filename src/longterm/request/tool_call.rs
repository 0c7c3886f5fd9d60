//! What a host sends: the context of the call beside the arguments of the model.

use serde::Deserialize;
use serde_json::Value;

use super::arguments::GivenArguments;

/// What a host sends.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolCall {
    /// What the host says of the call; `null` where it says nothing.
    #[serde(default)]
    pub context: Value,
    /// What the model wants.
    #[serde(default = "GivenArguments::none")]
    pub arguments: GivenArguments,
}
