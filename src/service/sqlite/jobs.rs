//! What is to be done after an answer: rows, so that a restart loses none.

use rusqlite::{Connection, OptionalExtension, params};

use super::tenants::Tenant;
use super::view::TenantView;
use crate::contract::Timestamp;
use crate::error::Result;
use crate::service::request::MemoryId;

/// The kind of a job that makes the summary of a memory, and finds what it names and what is similar.
const ENRICH: &str = "enrich";

/// How many times a job is tried.
pub(crate) const ATTEMPTS: u32 = 5;

/// Seconds until a job is tried again after it failed for the first, second, … time.
const PAUSES: [i64; 4] = [5, 30, 300, 3_600];

/// A job that is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Job {
    pub(crate) id: i64,
    pub(crate) tenant: Tenant,
    pub(crate) row: i64,
    /// The memory; none where it was deleted since.
    pub(crate) memory: Option<MemoryId>,
}

/// How many jobs there are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct JobCounts {
    pub(crate) pending: u64,
    pub(crate) failed: u64,
    /// Memories that are enriched.
    pub(crate) done: u64,
    /// What was wrong with the last job that failed.
    pub(crate) last_problem: Option<String>,
    /// When that was.
    pub(crate) last_problem_at: Option<Timestamp>,
    /// When a memory was enriched last.
    pub(crate) last_done: Option<Timestamp>,
    /// Its id.
    pub(crate) last_done_id: Option<String>,
}

impl Job {
    /// Returns the jobs of all tenants that are due, the longest due first.
    pub(crate) fn due(connection: &Connection, now: Timestamp, limit: usize) -> Result<Vec<Self>> {
        let mut statement = connection.prepare_cached(&due_jobs())?;
        let jobs = statement.query_map(params![now.microseconds(), limit], |row| {
            let memory: Option<String> = row.get(3)?;
            let memory = memory.and_then(|id| MemoryId::parse(&id));
            Ok(Self { id: row.get(0)?, tenant: row.get(1)?, row: row.get(2)?, memory })
        })?;
        Ok(jobs.collect::<rusqlite::Result<_>>()?)
    }

    /// Removes a job that is done.
    pub(crate) fn finish(&self, connection: &Connection) -> Result<()> {
        connection.prepare_cached("DELETE FROM jobs WHERE id = ?1")?.execute([self.id])?;
        Ok(())
    }

    /// Notes that a job failed; it is tried again later, until it was tried often enough.
    pub(crate) fn fail(
        &self,
        connection: &Connection,
        problem: &str,
        now: Timestamp,
    ) -> Result<()> {
        let sql = "SELECT attempts FROM jobs WHERE id = ?1";
        let attempts: usize = connection.query_row(sql, [self.id], |row| row.get(0))?;
        let pause = PAUSES.get(attempts).copied().unwrap_or_default();
        connection.execute(
            "UPDATE jobs SET attempts = attempts + 1, due = ?2, problem = ?3 WHERE id = ?1",
            params![self.id, now.plus_seconds(pause).microseconds(), problem],
        )?;
        Ok(())
    }
}

impl TenantView<'_> {
    /// Asks for a memory to be enriched, again where it is already.
    pub(crate) fn ask_to_enrich(&self, row: i64, now: Timestamp) -> Result<()> {
        let sql = "INSERT INTO jobs(tenant, row, kind, attempts, due) VALUES (?1, ?2, ?3, 0, ?4)
            ON CONFLICT(row, kind) DO UPDATE SET attempts = 0, due = excluded.due, problem = NULL";
        let values = params![self.tenant, row, ENRICH, now.microseconds()];
        self.connection.prepare_cached(sql)?.execute(values)?;
        Ok(())
    }

    pub(crate) fn job_counts(&self) -> Result<JobCounts> {
        let sql = "SELECT
            (SELECT count(*) FROM jobs WHERE tenant = ?1 AND attempts < ?2),
            (SELECT count(*) FROM jobs WHERE tenant = ?1 AND attempts >= ?2),
            (SELECT count(*) FROM derived JOIN memories USING(row) WHERE derived.tenant = ?1 AND deleted IS NULL)";
        let mut statement = self.connection.prepare_cached(sql)?;
        let counts = statement.query_row(params![self.tenant, ATTEMPTS], |row| {
            Ok(JobCounts {
                pending: row.get(0)?,
                failed: row.get(1)?,
                done: row.get(2)?,
                ..JobCounts::default()
            })
        })?;
        self.with_last_done(self.with_last_problem(counts)?)
    }

    fn with_last_problem(&self, counts: JobCounts) -> Result<JobCounts> {
        let sql = "SELECT problem, due, attempts FROM jobs
            WHERE tenant = ?1 AND problem IS NOT NULL ORDER BY due DESC LIMIT 1";
        let found = self.connection.prepare_cached(sql)?.query_row([self.tenant], |row| {
            Ok((row.get(0)?, Timestamp::from_microseconds(row.get(1)?), row.get::<_, usize>(2)?))
        });
        let Some((problem, due, attempts)) = found.optional()? else { return Ok(counts) };
        // It is due again a pause after it failed.
        let pause = PAUSES.get(attempts.saturating_sub(1)).copied().unwrap_or_default();
        let last_problem_at = Some(due.plus_seconds(-pause));
        Ok(JobCounts { last_problem: problem, last_problem_at, ..counts })
    }

    fn with_last_done(&self, counts: JobCounts) -> Result<JobCounts> {
        let sql = "SELECT id, derived.at FROM derived JOIN memories USING(row)
            WHERE derived.tenant = ?1 AND deleted IS NULL ORDER BY derived.at DESC, row DESC LIMIT 1";
        let found = self.connection.prepare_cached(sql)?.query_row([self.tenant], |row| {
            Ok((row.get(0)?, Timestamp::from_microseconds(row.get(1)?)))
        });
        let Some((id, at)) = found.optional()? else { return Ok(counts) };
        Ok(JobCounts { last_done: Some(at), last_done_id: Some(id), ..counts })
    }
}

/// Returns the statement that finds due jobs. How many times one is tried stands in it as a number: with a parameter the
/// index of open jobs is not used, and each time all of them are read and sorted.
fn due_jobs() -> String {
    format!(
        "SELECT jobs.id, jobs.tenant, jobs.row, memories.id FROM jobs
        LEFT JOIN memories ON memories.row = jobs.row AND deleted IS NULL
        WHERE due <= ?1 AND attempts < {ATTEMPTS} ORDER BY due, jobs.id LIMIT ?2"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::distrust;
    use crate::service::sqlite::MIGRATIONS;

    #[test]
    fn due_jobs_are_found_by_their_index() {
        let connection = Connection::open_in_memory().expect("it opens");
        distrust(&connection).expect("it is set");
        MIGRATIONS.iter().for_each(|step| connection.execute_batch(step).expect("tables"));
        let sql = format!("EXPLAIN QUERY PLAN {}", due_jobs());
        let plan = connection.query_row(&sql, [0, 20], |row| row.get::<_, String>(3));
        let plan = plan.expect("a plan");
        assert!(plan.contains("jobs_by_time"), "{plan}");
    }
}
