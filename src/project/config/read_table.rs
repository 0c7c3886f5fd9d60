//! Reads `[[read]]` in `config.toml`: files of the repository, and other stores.

use super::read_rule::{ReadRule, read_rule};
use super::store_rule::{StoreRule, store_rule};
use crate::contract::Fields;

/// What is read besides the store.
#[derive(Debug, Default)]
pub(super) struct ReadTables {
    pub(super) files: Vec<ReadRule>,
    pub(super) stores: Vec<StoreRule>,
}

/// Each asks git once.
const MOST: usize = 20;

/// Reads all tables: one with a `name` is another store, one with `as` names files.
pub(super) fn read_tables(fields: &mut Fields<'_>) -> ReadTables {
    let given = fields.list("read").map_or(0, <[_]>::len);
    if given > MOST {
        fields.problem("read", format!("{given} are given, at most {MOST} are allowed"));
    }
    let mut tables = ReadTables::default();
    for mut entry in fields.tables("read").take(MOST) {
        if entry.has("name") || entry.has("git") {
            let rule = store_rule(&mut entry);
            let is_taken = |rule: &StoreRule| tables.stores.iter().any(|it| it.name == rule.name);
            if rule.as_ref().is_some_and(is_taken) {
                entry.problem("name", "another table has this name");
            }
            tables.stores.extend(rule);
        } else {
            tables.files.extend(read_rule(&mut entry));
        }
        entry.finish();
    }
    tables
}
