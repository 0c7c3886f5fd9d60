//! The lines below the title of a record, such as `Date: 2020-01-02` or `- Status: accepted`.

use crate::project::schema::read_fields;
use crate::text::Fences;

/// What the lines between a title and the next heading say.
#[derive(Debug, Default)]
pub(crate) struct HeadLines {
    pub(crate) status: Option<String>,
    pub(crate) date: Option<String>,
    pub(crate) related: Vec<String>,
    /// Facts whose names the schema has for something else.
    pub(crate) notes: Vec<(String, String)>,
    /// The other lines, as they are.
    pub(crate) rest: String,
}

impl HeadLines {
    pub(crate) fn read(own: &str) -> Self {
        let (mut head, mut fences) = (Self::default(), Fences::default());
        for line in own.split_inclusive('\n') {
            let is_code = fences.covers(line.trim_end_matches('\n'));
            if is_code || !head.takes(line) {
                head.rest += line;
            }
        }
        head
    }

    /// Takes a line that is a field; tells whether it did.
    fn takes(&mut self, line: &str) -> bool {
        let fields = read_fields(line);
        let Some(field) = fields.first() else { return false };
        let value = without_comment(field.value).to_owned();
        let name = field.name.to_lowercase();
        match name.as_str() {
            "status" if self.status.is_none() => self.status = Some(value),
            "date" if self.date.is_none() => self.date = Some(value),
            // The schema would read them as its own.
            "status" | "date" | "confidence" => self.notes.push((format!("ADR {name}"), value)),
            "supersedes" | "supercedes" | "superseded by" | "superceded by" => {
                self.related.push(format!("{name}: {value}"));
                self.notes.push((format!("ADR {name}"), value));
            }
            _ => return false,
        }
        true
    }
}

fn without_comment(value: &str) -> &str {
    value.split("<!--").next().unwrap_or_default().trim()
}
