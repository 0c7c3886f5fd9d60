//! Tells which entries start us, by the words of their command lines.

use jsonc_parser::ast::{Array, Object, Value};

use super::Entry;
use super::splice::Items;

impl Entry {
    /// Tells whether a value starts us, itself or by a hook in it; what else is set is the person's choice.
    pub(super) fn is_ours(&self, value: &Value<'_>) -> bool {
        let Some(object) = value.as_object() else { return false };
        let hooks = object.get_array("hooks");
        self.starts_us(object)
            || hooks.is_some_and(|hooks| hooks.elements.iter().any(|hook| self.is_ours(hook)))
    }

    fn starts_us(&self, object: &Object<'_>) -> bool {
        let words: Vec<String> =
            ["command", "args"].iter().flat_map(|key| words(object, key)).collect();
        words.len() >= self.words.len() && words.iter().zip(self.words).all(|(a, b)| a == b)
    }

    /// Tells whether we are started by anything where the entry belongs, whatever its shape.
    pub(super) fn is_started_by(&self, top: &Value<'_>) -> bool {
        let first = self.path.first().copied().unwrap_or_default();
        top.as_object()
            .and_then(|top| top.get(first))
            .is_some_and(|it| self.starts_within(&it.value))
    }

    fn starts_within(&self, value: &Value<'_>) -> bool {
        match value {
            Value::Object(object) => {
                let mut members = object.properties.iter();
                self.starts_us(object) || members.any(|member| self.starts_within(&member.value))
            }
            Value::Array(array) => array.elements.iter().any(|each| self.starts_within(each)),
            Value::StringLit(_)
            | Value::NumberLit(_)
            | Value::BooleanLit(_)
            | Value::NullKeyword(_) => false,
        }
    }

    /// Returns the hooks of a group of ours, and which of them is ours, if it has others too.
    pub(super) fn beside(&self, group: &Value<'_>) -> Option<(Items, usize)> {
        let group = group.as_object().filter(|group| !self.starts_us(group))?;
        let hooks = group.get_array("hooks").filter(|hooks| hooks.elements.len() > 1)?;
        let at = hooks.elements.iter().position(|hook| self.is_ours(hook))?;
        Some((Items::of(hooks, &hooks.elements), at))
    }
}

/// Returns the words of a command line, be it a string or a list of strings.
fn words(object: &Object<'_>, key: &str) -> Vec<String> {
    let split = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    match object.get(key).map(|member| &member.value) {
        Some(Value::StringLit(text)) => split(&text.value),
        Some(Value::Array(Array { elements, .. })) => {
            let texts = elements.iter().filter_map(Value::as_string_lit);
            texts.map(|text| text.value.to_string()).collect()
        }
        Some(_) | None => Vec::new(),
    }
}
