//! What was stored shortly before and after a memory in the same conversation.

use std::collections::HashMap;

use rusqlite::{OptionalExtension, params};

use super::view::TenantView;
use crate::error::Result;

/// How many memories on each side stand beside one.
const BESIDE: usize = 2;

/// Microseconds between two memories of which one still stands beside the other: an hour.
const LARGEST_GAP: i64 = 3_600 * 1_000_000;

/// The memories before and behind one, the nearest first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Beside {
    pub(super) before: Vec<i64>,
    pub(super) behind: Vec<i64>,
}

impl TenantView<'_> {
    /// Returns what stands beside some memories, and beside those that stand there; nothing beside one that is in no
    /// conversation.
    pub(super) fn beside(&self, rows: &[i64]) -> Result<HashMap<i64, Beside>> {
        let mut found: HashMap<i64, Beside> = HashMap::new();
        for row in rows {
            let line = self.line_around(*row)?;
            let Some(own) = line.iter().position(|other| other == row) else {
                found.entry(*row).or_default();
                continue;
            };
            for at in own.saturating_sub(BESIDE)..line.len().min(own + BESIDE + 1) {
                let (before, behind) = (&line[..at], &line[at + 1..]);
                found.entry(line[at]).or_insert_with(|| Beside {
                    before: before.iter().rev().take(BESIDE).copied().collect(),
                    behind: behind.iter().take(BESIDE).copied().collect(),
                });
            }
        }
        Ok(found)
    }

    /// Returns a memory among those of its conversation around it, in their order; nothing where it is in none.
    fn line_around(&self, row: i64) -> Result<Vec<i64>> {
        let sql = "SELECT conversation, timestamp FROM memories WHERE row = ?1 AND conversation IS NOT NULL";
        let mut statement = self.connection.prepare_cached(sql)?;
        let place = statement.query_row([row], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        let Some((conversation, time)) = place else { return Ok(Vec::new()) };
        let before = "SELECT row FROM memories WHERE tenant = ?1 AND conversation = ?2 AND deleted IS NULL
            AND (timestamp, row) < (?3, ?4) AND timestamp >= ?3 - ?5 ORDER BY timestamp DESC, row DESC LIMIT ?6";
        let behind = "SELECT row FROM memories WHERE tenant = ?1 AND conversation = ?2 AND deleted IS NULL
            AND (timestamp, row) > (?3, ?4) AND timestamp <= ?3 + ?5 ORDER BY timestamp, row LIMIT ?6";
        let find = |sql: &str| -> Result<Vec<i64>> {
            let (conversation, time): (i64, i64) = (conversation, time);
            let values = params![self.tenant, conversation, time, row, LARGEST_GAP, 2 * BESIDE];
            let mut statement = self.connection.prepare_cached(sql)?;
            let rows = statement.query_map(values, |row| row.get(0))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        };
        let mut line = find(before)?;
        line.reverse();
        line.push(row);
        line.extend(find(behind)?);
        Ok(line)
    }
}
