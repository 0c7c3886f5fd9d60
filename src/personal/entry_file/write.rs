//! Writes the file of an entry: a new one, or one that stands, whose other bytes are kept.

use crate::contract::{Moment, words};
use crate::frontmatter::{FrontMatter, KeyPath, Spelling, Split, scalar, set, split};
use crate::markdown::LineEnding;

use super::body::trimmed;
use super::read::{EntryContent, EntryFile};

words! {
    /// The form of a new file.
    Dialect {
        /// All keys at the top level.
        Plain = "plain",
        /// As Claude Code writes its own: the type stands in `metadata`.
        Claude = "claude",
    }
}

/// What an upsert writes; the description is one line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EntryFields<'a> {
    pub(crate) name: &'a str,
    pub(crate) description: &'a str,
    pub(crate) kind: &'a str,
    pub(crate) body: &'a str,
}

pub(crate) fn new_file(fields: &EntryFields<'_>, dialect: Dialect) -> String {
    let [name, description, kind] = [fields.name, fields.description, fields.kind].map(scalar);
    let kind = match dialect {
        Dialect::Plain => format!("type: {kind}\n"),
        Dialect::Claude => format!("metadata:\n  node_type: memory\n  type: {kind}\n"),
    };
    let front = format!("---\nname: {name}\ndescription: {description}\n{kind}---\n");
    with_body(&front, fields.body)
}

/// Returns a file after an upsert; where that changes nothing, the same bytes.
///
/// The dialect is that of the folder: it is asked only for a file without front matter, which gets
/// a new one. The error says, as a short phrase, why the front matter cannot be read or edited.
pub(crate) fn changed_file(
    old: &str,
    fields: &EntryFields<'_>,
    dialect: Dialect,
    now: Moment,
) -> Result<String, String> {
    match EntryFile::read(old) {
        EntryFile::Unreadable(why) => return Err(why),
        EntryFile::Entry(content) if says(&content, fields) => return Ok(old.to_owned()),
        EntryFile::Entry(_) => {}
    }
    let Split::With { front, .. } = split(old) else {
        return Ok(LineEnding::of(old).apply(&new_file(fields, dialect)));
    };
    let front = FrontMatter::read(&old[front])?;
    let standing = |key| {
        let places = [KeyPath::Top(key), KeyPath::In("metadata", key)];
        places.into_iter().filter(|place| front.has(*place)).collect::<Vec<_>>()
    };
    let mut text = set(old, KeyPath::Top("name"), fields.name, Spelling::Safe)?;
    text = set(&text, KeyPath::Top("description"), fields.description, Spelling::Safe)?;
    let mut places = standing("type");
    if places.is_empty() {
        places.push(KeyPath::Top("type"));
    }
    // Where it stands twice, both change: another program may read the one that we do not.
    for place in places {
        text = set(&text, place, fields.kind, Spelling::Safe)?;
    }
    text = with_body(&text, fields.body);
    for place in standing("modified") {
        text = set(&text, place, &now.to_string(), Spelling::AsBefore)?;
    }
    Ok(text)
}

fn says(content: &EntryContent, fields: &EntryFields<'_>) -> bool {
    content.name.as_deref() == Some(fields.name)
        && content.description.as_deref() == Some(fields.description)
        && content.kind.as_deref() == Some(fields.kind)
        && content.body == trimmed(fields.body)
}

/// Puts a body behind the front matter; a body that differs in blank lines at its ends alone stays.
fn with_body(text: &str, body: &str) -> String {
    let Split::With { body: place, .. } = split(text) else { return text.to_owned() };
    let body = trimmed(body);
    if trimmed(&text[place.clone()]) == body {
        return text.to_owned();
    }
    let head = &text[..place.start];
    let end_of_fence = if head.ends_with('\n') { "" } else { "\n" };
    let gap = if body.is_empty() { "" } else { "\n" };
    let rest = format!("{end_of_fence}{gap}{body}");
    format!("{head}{}", LineEnding::of(text).apply(&rest))
}

#[cfg(test)]
mod tests;
