//! Masks what looks like a secret in a value of JSON.

use serde_json::Value;

use super::project::Project;

impl Project {
    pub(super) fn clean_value(&self, value: &Value) -> Value {
        self.clean_field(value, None)
    }

    /// Masks the strings in the value of a field: some secrets are only recognised beside a name.
    fn clean_field(&self, value: &Value, name: Option<&str>) -> Value {
        match value {
            Value::String(text) => Value::String(self.clean_text(text, name)),
            Value::Array(list) => {
                let list = list.iter().map(|each| self.clean_field(each, name)).collect();
                self.clean_whole(list, name)
            }
            Value::Object(fields) => {
                let field = |(name, each): (&String, &Value)| {
                    (self.clean(name), self.clean_field(each, Some(name)))
                };
                self.clean_whole(fields.iter().map(field).collect(), name)
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        }
    }

    /// Masks what only the parts of a field show together, as in `{"name": "password", "value": "…"}`.
    fn clean_whole(&self, value: Value, name: Option<&str>) -> Value {
        let text = value.to_string();
        match self.clean(&text) {
            masked if name.is_some() && masked != text => Value::String(masked),
            _ => value,
        }
    }

    fn clean_text(&self, text: &str, name: Option<&str>) -> String {
        // Markers that allow an example need lines of their own, so only the first line is scanned beside the name.
        let alone = self.clean(text);
        let head = alone.trim_start().lines().next().unwrap_or_default();
        let Some(name) = name.filter(|_| !head.is_empty()) else { return alone };
        let both = self.clean(&format!("{name}: {head}"));
        let behind = both.strip_prefix(&format!("{}: ", self.clean(name)));
        alone.replacen(head, behind.unwrap_or(&both), 1)
    }
}
