//! Writes a JSON value over several lines, as people write settings.

use jsonc_parser::ast::Value;

/// How a file is laid out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style<'a> {
    /// How lines end.
    pub(super) eol: &'a str,
    /// What a line begins with for each level.
    pub(super) unit: &'a str,
}

impl Style<'_> {
    /// Writes a value whose first line begins with `indent`; lists of plain values stay in one line.
    pub(super) fn lay_out(self, value: &Value<'_>, source: &str, indent: &str) -> String {
        let deeper = format!("{indent}{}", self.unit);
        let (items, brackets): (Vec<String>, _) = match value {
            Value::Object(object) => {
                let member = |member: &jsonc_parser::ast::ObjectProp<'_>| {
                    let name = member.name.as_str();
                    format!("\"{name}\": {}", self.lay_out(&member.value, source, &deeper))
                };
                (object.properties.iter().map(member).collect(), ('{', '}'))
            }
            Value::Array(array) if array.elements.iter().any(is_nested) => {
                let element = |element| self.lay_out(element, source, &deeper);
                (array.elements.iter().map(element).collect(), ('[', ']'))
            }
            Value::Array(_)
            | Value::StringLit(_)
            | Value::NumberLit(_)
            | Value::BooleanLit(_)
            | Value::NullKeyword(_) => return super::text_of(value, source).to_owned(),
        };
        let eol = self.eol;
        let lines = items.join(&format!(",{eol}{deeper}"));
        format!("{}{eol}{deeper}{lines}{eol}{indent}{}", brackets.0, brackets.1)
    }
}

fn is_nested(value: &Value<'_>) -> bool {
    matches!(value, Value::Object(_) | Value::Array(_))
}
