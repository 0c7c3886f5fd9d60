//! The fields of a memory as options of a command.

use serde_json::{Map, Value};

// No doc comment: clap would take it for the help of the command.
#[derive(Debug, clap::Args)]
pub(super) struct MemoryFields {
    /// What kind of knowledge it is, such as `Decision`
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// Its tags, with commas between them; `:` or `/` stands between the levels of one
    #[arg(long, value_name = "TAGS")]
    tags: Vec<String>,
    /// How important it is, 0 to 1
    #[arg(long, value_name = "NUMBER", value_parser = number)]
    importance: Option<f64>,
    /// How sure its type is, 0 to 1
    #[arg(long, value_name = "NUMBER", value_parser = number)]
    confidence: Option<f64>,
    /// What belongs to it besides, as a JSON object
    #[arg(long, value_name = "JSON", value_parser = json_value)]
    metadata: Option<Value>,
    /// When it was made, as ISO 8601
    #[arg(long, value_name = "TIME")]
    timestamp: Option<String>,
    /// From when on it holds
    #[arg(long, value_name = "TIME")]
    t_valid: Option<String>,
    /// From when on it does not hold any more
    #[arg(long, value_name = "TIME")]
    t_invalid: Option<String>,
}

impl MemoryFields {
    /// Returns the body of a request with the fields that are given.
    pub(super) fn body(&self) -> Map<String, Value> {
        let text = |text: &Option<String>| text.as_deref().map(Value::from);
        let fields = [
            ("type", text(&self.kind)),
            ("tags", (!self.tags.is_empty()).then(|| self.tags.join(",").into())),
            ("importance", self.importance.map(Value::from)),
            ("confidence", self.confidence.map(Value::from)),
            ("metadata", self.metadata.clone()),
            ("timestamp", text(&self.timestamp)),
            ("t_valid", text(&self.t_valid)),
            ("t_invalid", text(&self.t_invalid)),
        ];
        let given = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        given.collect()
    }
}

/// Reads a number; whether it is in its bounds, the service says.
pub(super) fn number(text: &str) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| "allowed are numbers such as `0.8`".to_owned())
}

fn json_value(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))
}
