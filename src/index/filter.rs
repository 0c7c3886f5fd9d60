//! Narrows the documents that a statement finds.

use rusqlite::types::Value;

use super::patterns;
use super::question::Question;
use crate::contract::Stretch;

/// Returns the day that a document is about, or on which its file was last written: the index has that in UTC, and the
/// clock of the zone is so many seconds ahead.
pub(super) fn day_of_document(seconds_ahead: i32) -> String {
    format!("coalesce(day, date(modified / 1000000000 + {seconds_ahead}, 'unixepoch'))")
}

#[derive(Debug, Default)]
pub(super) struct Filter {
    /// Begins with `AND`, if there is anything.
    pub(super) sql: String,
    /// For the `?`, which are numbered from 2 on.
    pub(super) values: Vec<Value>,
}

impl Filter {
    /// Narrows the documents whose number is `id`, an expression of SQL.
    pub(super) fn of(question: &Question<'_>, id: &str) -> Self {
        let mut filter = Self::default();
        filter.add("kind = ?", question.kind);
        filter.add(patterns::FITS, question.file.map(patterns::list).as_deref());
        let limit = |text: Option<&str>| Stretch::read(text?, question.now, question.zone);
        let since = limit(question.since).map(|time| question.zone.day(time.first));
        let until = limit(question.until).map(|time| question.zone.day(time.last));
        let day = day_of_document(question.zone.seconds_ahead(question.now));
        filter.add(&format!("{day} >= ?"), since.as_deref());
        filter.add(&format!("{day} <= ?"), until.as_deref());
        let flag = question.flag.map(|flag| format!(" {flag} "));
        filter.add("instr(flags, ?) > 0", flag.as_deref());
        if !filter.sql.is_empty() {
            // One look-up for each document that holds a word, and not one for each that there is.
            filter.sql = format!(
                " AND EXISTS (SELECT 1 FROM documents JOIN files ON files.id = documents.file
                WHERE documents.id = {id}{})",
                filter.sql
            );
        }
        if !question.include_archived {
            filter.sql += &format!(" AND +{id} NOT IN (SELECT id FROM documents WHERE archived)");
        }
        filter
    }

    fn add(&mut self, condition: &str, value: Option<&str>) {
        let Some(value) = value else { return };
        self.values.push(Value::Text(value.to_owned()));
        let place = format!("?{}", self.values.len() + 1);
        self.sql += &format!(" AND {}", condition.replace('?', &place));
    }
}
