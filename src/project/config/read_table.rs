//! Reads `[[read]]` in `config.toml`: files of the repository, and other stores.

use serde_json::Value;

use super::read_rule::{ReadRule, read_rule};
use super::store_rule::{StoreRule, store_rule};
use crate::contract::{Fields, Problems};

/// What is read besides the store.
#[derive(Debug, Default)]
pub(super) struct ReadTables {
    pub(super) files: Vec<ReadRule>,
    pub(super) stores: Vec<StoreRule>,
}

/// Each asks git once.
const MOST: usize = 20;

/// Reads all tables: one with a `name` is another store, one with `as` names files.
pub(super) fn read_tables(fields: &mut Fields<'_>, problems: &Problems) -> ReadTables {
    let entries: &[Value] = fields.list("read").unwrap_or_default();
    if entries.len() > MOST {
        fields.problem("read", format!("{} are given, at most {MOST} are allowed", entries.len()));
    }
    let mut tables = ReadTables::default();
    for (index, entry) in entries.iter().take(MOST).enumerate() {
        let pointer = format!("{}/{index}", fields.at("read"));
        let is_store = entry.get("name").is_some() || entry.get("git").is_some();
        let Some(mut entry) = Fields::of(entry, pointer, problems) else { continue };
        if is_store {
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
