//! Splits a file into parts that keep their names when others come and go.

use std::collections::BTreeMap;

use super::Outline;

/// A section up to the next heading, or what stands before the first one: together they are every byte of
/// a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part<'a> {
    /// Its id, or else its heading, and which one of several of that name; empty before the first heading.
    pub key: String,
    /// Level of its heading, 0 before the first one.
    pub level: u8,
    /// The key of the part that it stands in.
    pub parent: Option<String>,
    /// Its bytes.
    pub text: &'a str,
}

/// Returns the parts of a file, in order.
pub fn parts<'a>(outline: &Outline<'a>) -> Vec<Part<'a>> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    // The nearest section above with an id, by section: under it a repeated heading is told from those elsewhere.
    let mut homes: Vec<String> = Vec::with_capacity(outline.sections().len());
    let preamble = outline.preamble();
    let mut parts: Vec<Part<'a>> = Vec::with_capacity(outline.sections().len() + 1);
    if !preamble.is_empty() {
        parts.push(Part { key: String::new(), level: 0, parent: None, text: preamble });
    }
    let first = parts.len();
    for section in outline.sections() {
        let level = section.heading.level;
        let home = section.parent.map(|parent| homes[parent].clone()).unwrap_or_default();
        let (name, home) = match &section.id {
            Some(id) => (format!("#{id}"), format!("#{id}")),
            None => (format!("{level} {}\n{home}", section.heading.text), home),
        };
        homes.push(home);
        let count = seen.entry(name.clone()).and_modify(|count| *count += 1).or_insert(1);
        let key = format!("{name}\n{count}");
        let text = &outline.text()[section.heading_bytes.start..section.own_end];
        let parent = section.parent.map(|parent| parts[first + parent].key.clone());
        parts.push(Part { key, level, parent, text });
    }
    parts
}

/// Returns how a person knows a part: by its id or its heading.
pub fn part_title(key: &str) -> String {
    let name = key.split_once('\n').map_or(key, |(name, _)| name);
    name.strip_prefix('#').or(name.split_once(' ').map(|(_, text)| text)).unwrap_or(name).to_owned()
}
