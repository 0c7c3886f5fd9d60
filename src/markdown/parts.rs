//! Splits a file into parts that keep their names when others come and go.

use std::collections::BTreeMap;

use super::outline::Outline;

/// A section up to the next heading, or what stands before the first one: together they are every byte of
/// a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FilePart<'a> {
    /// Its id, or else its heading, and which one of several of that name; empty before the first heading.
    pub key: String,
    /// Level of its heading, 0 before the first one.
    pub level: u8,
    /// The key of the part that it stands in.
    pub parent: Option<String>,
    pub text: &'a str,
}

/// Names sections in the order of their file, so that they keep their names when others come and go.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    seen: BTreeMap<String, usize>,
    /// The sections above that have an id, outermost first: a repeated heading is counted below each of them.
    homes: Vec<(u8, String)>,
}

impl Keys {
    pub(crate) fn next(&mut self, level: u8, id: Option<&str>, heading: &str) -> String {
        self.homes.retain(|(above, _)| *above < level);
        let name = match (id, self.homes.last()) {
            (Some(id), _) => format!("#{id}"),
            (None, Some((_, home))) => format!("{level} {heading}\n{home}"),
            (None, None) => format!("{level} {heading}"),
        };
        if id.is_some() {
            self.homes.push((level, name.clone()));
        }
        let count = self.seen.entry(name.clone()).and_modify(|count| *count += 1).or_insert(1);
        format!("{name}\n{count}")
    }
}

pub(crate) fn parts<'a>(outline: &Outline<'a>) -> Vec<FilePart<'a>> {
    let mut keys = Keys::default();
    let preamble = outline.preamble();
    let mut parts: Vec<FilePart<'a>> = Vec::with_capacity(outline.sections().len() + 1);
    if !preamble.is_empty() {
        parts.push(FilePart { key: String::new(), level: 0, parent: None, text: preamble });
    }
    let first = parts.len();
    for section in outline.sections() {
        let level = section.heading.level;
        let id = section.id.as_ref().map(|id| id.as_str());
        let key = keys.next(level, id, &section.heading.text);
        let text = &outline.text()[section.heading_bytes.start..section.own_end];
        let parent = section.parent.map(|parent| parts[first + parent].key.clone());
        parts.push(FilePart { key, level, parent, text });
    }
    parts
}

/// Returns how a person knows a part: by its id or its heading.
pub(crate) fn part_title(key: &str) -> String {
    let name = key.split_once('\n').map_or(key, |(name, _)| name);
    name.strip_prefix('#').or(name.split_once(' ').map(|(_, text)| text)).unwrap_or(name).to_owned()
}
