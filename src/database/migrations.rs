//! Brings the tables of an older version up to date.

use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::error::{Error, ErrorKind, Result};

/// The steps from an empty file to the present tables, in their order. A step that was released is never changed; the
/// number of steps that were taken is the version of a file.
pub(crate) type Migrations = &'static [&'static str];

/// Takes the steps that a file lacks, all or none.
pub(super) fn migrate(connection: &Connection, steps: Migrations) -> Result<()> {
    if version(connection)? == steps.len() {
        return Ok(());
    }
    let change = Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
    // Another process may have taken them in the meantime.
    let taken = version(&change)?;
    if taken > steps.len() {
        let message = "a newer version of agent-memory made the database";
        return Err(Error::new(ErrorKind::DatabaseFailed, message).hint("update this program"));
    }
    for step in &steps[taken..] {
        change.execute_batch(step)?;
    }
    change.pragma_update(None, "user_version", steps.len())?;
    Ok(change.commit()?)
}

fn version(connection: &Connection) -> Result<usize> {
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    // No version of ours is negative.
    Ok(usize::try_from(version).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_is_taken_once_and_a_newer_file_is_refused() {
        let connection = Connection::open_in_memory().expect("a database");
        let (first, both): (Migrations, Migrations) =
            (&["CREATE TABLE a(x)"], &["CREATE TABLE a(x)", "CREATE TABLE b(x)"]);
        migrate(&connection, first).expect("it is new");
        migrate(&connection, both).expect("it is older");
        migrate(&connection, both).expect("it is up to date");
        let error = migrate(&connection, first).expect_err("it is newer");
        assert!(error.to_string().contains("newer version"), "{error}");
    }

    #[test]
    fn a_step_that_fails_takes_back_the_others() {
        let connection = Connection::open_in_memory().expect("a database");
        migrate(&connection, &["CREATE TABLE a(x)", "CREATE TABLE a(x)"]).expect_err("it is there");
        assert_eq!(version(&connection).expect("it answers"), 0);
        migrate(&connection, &["CREATE TABLE a(x)"]).expect("nothing is left of it");
    }
}
