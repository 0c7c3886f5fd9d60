//! The front matter of a record: what has a meaning becomes fields, the rest stays.

use serde_json::Value;

use crate::frontmatter::{Split, split, yaml};

#[derive(Debug, Default)]
pub(super) struct RecordFront {
    pub(super) title: Option<String>,
    pub(super) status: Option<String>,
    pub(super) date: Option<String>,
    /// What it says of other records.
    pub(super) related: Vec<String>,
    pub(super) notes: Vec<(String, String)>,
}

/// Keys that become facts below the title.
const NOTES: [(&str, &str); 5] = [
    ("deciders", "Deciders"),
    ("decision-makers", "Decision makers"),
    ("consulted", "Consulted"),
    ("informed", "Informed"),
    ("tags", "Tags"),
];

/// Keys that name other records.
const RELATED: [&str; 5] =
    ["supersedes", "supercedes", "superseded-by", "superseded_by", "superceded-by"];

/// Returns what the front matter says, what is left of it, and the text below.
pub(super) fn read_front(text: &str) -> (RecordFront, String, &str) {
    let (front, body) = match split(text) {
        Split::With { front, body } => (&text[front], &text[body]),
        Split::Without { body } => return (RecordFront::default(), String::new(), &text[body]),
        Split::Unclosed => return (RecordFront::default(), String::new(), text),
    };
    let Ok(Value::Object(values)) = yaml::read(front) else {
        return (RecordFront::default(), format!("---\n{front}---\n"), body);
    };
    let mut read = RecordFront::default();
    let mut taken = Vec::new();
    for (key, value) in &values {
        let Some(value) = shown(value) else { continue };
        match key.to_lowercase().as_str() {
            "title" => read.title = Some(value),
            "status" => read.status = Some(value),
            "date" => read.date = Some(value),
            key if RELATED.contains(&key) => {
                read.related.push(format!("{}: {value}", key.replace(['-', '_'], " ")));
                read.notes.push((format!("ADR {}", key.replace(['-', '_'], " ")), value));
            }
            key => match NOTES.iter().find(|(known, _)| *known == key) {
                Some((_, name)) => read.notes.push(((*name).to_owned(), value)),
                None => continue,
            },
        }
        taken.push(key.as_str());
    }
    read.notes.retain(|(_, value)| !value.is_empty());
    read.notes.sort_by_key(|(name, _)| NOTES.iter().position(|(_, known)| known == name));
    let left = without_keys(front, &taken);
    let left = if left.trim().is_empty() { String::new() } else { format!("---\n{left}---\n") };
    let body = if left.is_empty() { body.trim_start_matches('\n') } else { body };
    (read, left, body)
}

/// Returns a value as one line; nothing for what has parts of its own.
fn shown(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some(String::new()),
        Value::String(text) => Some(text.split_whitespace().collect::<Vec<_>>().join(" ")),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(is) => Some(is.to_string()),
        Value::Array(items) => {
            let items: Option<Vec<String>> = items.iter().map(shown).collect();
            items.map(|items| items.join(", "))
        }
        Value::Object(_) => None,
    }
}

/// Removes the lines of keys, with the indented lines below them; comments go with the key before them.
fn without_keys(front: &str, keys: &[&str]) -> String {
    let mut is_left = true;
    let mut left = String::new();
    for line in front.split_inclusive('\n') {
        let begins = !line.starts_with([' ', '\t', '#', '-', '\n']);
        if begins {
            let key = line.split(':').next().unwrap_or_default().trim().trim_matches(['"', '\'']);
            is_left = !keys.contains(&key);
        }
        if is_left && !line.starts_with('#') {
            left += line;
        }
    }
    left
}
