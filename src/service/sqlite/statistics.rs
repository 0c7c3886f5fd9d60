//! What all memories of a tenant say together, in numbers.

use std::collections::BTreeMap;

use rusqlite::params;

use super::view::TenantView;
use crate::contract::Timestamp;
use crate::error::Result;
use crate::service::classify::SENT;
use crate::service::request::{DayActivity, HourStatistics, LevelCounts, TypeStatistics};

/// A number of a memory from 0 to 1, and where its levels begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MemoryLevel {
    /// High from 0.8 on, medium from 0.5 on.
    Importance,
    /// High from 0.7 on, medium from 0.4 on.
    Confidence,
}

/// How types were found, read off how sure they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClassificationCounts {
    /// Memories as sure of their type as a pattern is.
    pub(crate) by_pattern: u64,
    /// Memories that fit no pattern.
    pub(crate) by_default: u64,
    /// When the last of these was made.
    pub(crate) last_default: Option<Timestamp>,
}

impl MemoryLevel {
    fn column_and_bounds(self) -> (&'static str, f64, f64) {
        match self {
            Self::Importance => ("importance", 0.5, 0.8),
            Self::Confidence => ("confidence", 0.4, 0.7),
        }
    }
}

impl TenantView<'_> {
    pub(crate) fn type_statistics(&self) -> Result<BTreeMap<String, TypeStatistics>> {
        let sql = "SELECT type, count(*), round(avg(confidence), 3) FROM memories
            WHERE tenant = ?1 AND deleted IS NULL GROUP BY type";
        let mut statement = self.connection.prepare_cached(sql)?;
        let types = statement.query_map([self.tenant], |row| {
            let statistics = TypeStatistics { count: row.get(1)?, average_confidence: row.get(2)? };
            Ok((row.get(0)?, statistics))
        })?;
        Ok(types.collect::<rusqlite::Result<_>>()?)
    }

    /// Returns how many memories are on which level.
    pub(crate) fn count_levels(&self, level: MemoryLevel) -> Result<LevelCounts<u64>> {
        let (column, medium, high) = level.column_and_bounds();
        let sql = format!(
            "SELECT count(*) FILTER (WHERE {column} >= ?3),
              count(*) FILTER (WHERE {column} >= ?2 AND {column} < ?3),
              count(*) FILTER (WHERE {column} < ?2)
            FROM memories WHERE tenant = ?1 AND deleted IS NULL"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_row(params![self.tenant, medium, high], |row| {
            Ok(LevelCounts { high: row.get(0)?, medium: row.get(1)?, low: row.get(2)? })
        })?)
    }

    /// Returns the memories by the hour of the day in UTC: `09`.
    pub(crate) fn hour_statistics(&self) -> Result<BTreeMap<String, HourStatistics>> {
        let sql = "SELECT strftime('%H', timestamp / 1000000, 'unixepoch') AS hour,
              count(*), round(avg(importance), 3)
            FROM memories WHERE tenant = ?1 AND deleted IS NULL GROUP BY hour";
        let mut statement = self.connection.prepare_cached(sql)?;
        let hours = statement.query_map([self.tenant], |row| {
            Ok((row.get(0)?, HourStatistics { count: row.get(1)?, avg_importance: row.get(2)? }))
        })?;
        Ok(hours.collect::<rusqlite::Result<_>>()?)
    }

    /// Returns how many memories were made on each day in a stretch of time, the last day first.
    pub(crate) fn day_counts(&self, from: Timestamp, to: Timestamp) -> Result<Vec<DayActivity>> {
        let sql = "SELECT date(timestamp / 1000000, 'unixepoch') AS day, count(*) FROM memories
            WHERE tenant = ?1 AND deleted IS NULL AND timestamp BETWEEN ?2 AND ?3
            GROUP BY day ORDER BY day DESC";
        let mut statement = self.connection.prepare_cached(sql)?;
        let values = params![self.tenant, from.microseconds(), to.microseconds()];
        let days = statement
            .query_map(values, |row| Ok(DayActivity { date: row.get(0)?, count: row.get(1)? }))?;
        Ok(days.collect::<rusqlite::Result<_>>()?)
    }

    /// Returns how many times memories name something, by category.
    pub(crate) fn category_counts(&self) -> Result<BTreeMap<String, u64>> {
        let sql = "SELECT category, count(*) FROM entities
            JOIN memories ON memories.row = entities.row AND deleted IS NULL
            WHERE entities.tenant = ?1 GROUP BY category";
        let mut statement = self.connection.prepare_cached(sql)?;
        let counts = statement.query_map([self.tenant], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(counts.collect::<rusqlite::Result<_>>()?)
    }

    /// Returns how types were found.
    pub(crate) fn classification_counts(&self) -> Result<ClassificationCounts> {
        let sql =
            "SELECT count(*) FILTER (WHERE confidence BETWEEN 0.6 AND 0.95 AND confidence <> ?2),
              count(*) FILTER (WHERE type = 'Context' AND confidence = 0.3),
              max(timestamp) FILTER (WHERE type = 'Context' AND confidence = 0.3)
            FROM memories WHERE tenant = ?1 AND deleted IS NULL";
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_row(params![self.tenant, SENT], |row| {
            Ok(ClassificationCounts {
                by_pattern: row.get(0)?,
                by_default: row.get(1)?,
                last_default: row.get::<_, Option<i64>>(2)?.map(Timestamp::from_microseconds),
            })
        })?)
    }
}
