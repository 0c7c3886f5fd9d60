//! Writes an entry of ours, with what leads to it.

use super::render::Style;
use super::{Entry, Item, parse};

impl Entry {
    /// Returns the text of a new file.
    pub(super) fn new_file(&self) -> String {
        let rest = self.in_one_line(0, "");
        let text = match self.first {
            Some(first) => format!("{{{first}, {rest}}}"),
            None => format!("{{{rest}}}"),
        };
        let value = parse(&text).expect("an entry of the table is JSON");
        Style { eol: "\n", unit: "  " }.lay_out(&value, &text, "") + "\n"
    }

    /// Returns what is put into an object or list that so many names lead to.
    pub(super) fn in_one_line(&self, depth: usize, pad: &str) -> String {
        let (Some(name), item) = (self.path.get(depth), self.item) else {
            return match self.item {
                Item::Member(name, value) => format!("\"{name}\": {value}"),
                Item::Element(value) => value.to_owned(),
            };
        };
        let is_list = depth + 1 == self.path.len() && matches!(item, Item::Element(_));
        let (open, close) = if is_list { ('[', ']') } else { ('{', '}') };
        format!("\"{name}\": {open}{pad}{}{pad}{close}", self.in_one_line(depth + 1, pad))
    }

    /// Returns the same over several lines.
    pub(super) fn laid_out(&self, depth: usize, style: Style<'_>, indent: &str) -> String {
        let line = self.in_one_line(depth, "");
        let is_member = self.path.get(depth).is_some() || matches!(self.item, Item::Member(..));
        let text = if is_member { format!("{{{line}}}") } else { line };
        let value = parse(&text).expect("an entry of the table is JSON");
        match value.as_object().filter(|_| is_member).and_then(|object| object.properties.first()) {
            Some(member) => {
                let value = style.lay_out(&member.value, &text, indent);
                format!("\"{}\": {value}", member.name.as_str())
            }
            None => style.lay_out(&value, &text, indent),
        }
    }
}
