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
    if taken == 0 && has_tables(&change)? {
        let message = "it is the database of another program";
        let hint = "name another folder with `--data`";
        return Err(Error::new(ErrorKind::DatabaseFailed, message).hint(hint));
    }
    for step in &steps[taken..] {
        change.execute_batch(step)?;
    }
    change.pragma_update(None, "user_version", steps.len())?;
    Ok(change.commit()?)
}

fn has_tables(connection: &Connection) -> Result<bool> {
    let sql = "SELECT EXISTS(SELECT 1 FROM sqlite_schema)";
    Ok(connection.query_row(sql, [], |row| row.get(0))?)
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
    fn a_file_of_another_program_is_refused() {
        let connection = Connection::open_in_memory().expect("a database");
        connection.execute_batch("CREATE TABLE theirs(x)").expect("SQL");
        let error = migrate(&connection, &["CREATE TABLE ours(x)"]).expect_err("it is not ours");
        assert!(error.to_string().contains("another program"), "{error}");
    }

    #[test]
    fn a_step_that_fails_takes_back_the_others() {
        let connection = Connection::open_in_memory().expect("a database");
        migrate(&connection, &["CREATE TABLE a(x)", "CREATE TABLE a(x)"]).expect_err("it is there");
        assert_eq!(version(&connection).expect("it answers"), 0);
        migrate(&connection, &["CREATE TABLE a(x)"]).expect("nothing is left of it");
    }
}
