//! The database of a system, behind one name.

use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::connection::open;
use super::migrations::{Migrations, migrate};
use super::readers::Readers;
use super::writer::Writer;
use crate::disk::outside;
use crate::error::Result;

/// The database of a system in one file, which only its owner may read.
#[derive(Debug)]
pub(crate) struct DurableDatabase {
    path: PathBuf,
    readers: Readers,
    writer: Writer,
}

/// Returns the path of a file without links in its folders: SQLite follows none, so that the file cannot be one.
fn in_real_folder(path: &Path) -> PathBuf {
    let folder = path.parent().and_then(outside::real_path);
    let real = folder.zip(path.file_name()).map(|(folder, name)| folder.join(name));
    real.unwrap_or_else(|| path.to_owned())
}

impl DurableDatabase {
    /// Opens the file and brings its tables up to date; makes it, and its folder, if there is none.
    pub(crate) fn open(path: &Path, migrations: Migrations) -> Result<Self> {
        let at = |error: crate::error::Error| error.at(path);
        outside::make_private_file(path)?;
        let path = &in_real_folder(path);
        let connection = open(path).map_err(|cause| at(cause.into()))?;
        migrate(&connection, migrations).map_err(at)?;
        let writer = Writer::start(path).map_err(at)?;
        Ok(Self { path: path.to_owned(), readers: Readers::new(path.to_owned()), writer })
    }

    /// Reads in one view of the database, whatever is written in the meantime.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        self.readers.read(read).map_err(|error| self.located(error))
    }

    /// Makes a change, all of it or nothing, and returns when it is durable.
    pub(crate) fn write<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.writer.write(change, |_| true).map_err(|error| self.located(error))
    }

    /// Makes a change as `write` does, unless its answer is a refusal: then nothing of it stays.
    pub(crate) fn write_unless_refused<T: Send + 'static, R: Send + 'static>(
        &self,
        change: impl FnOnce(&Connection) -> Result<std::result::Result<T, R>> + Send + 'static,
    ) -> Result<std::result::Result<T, R>> {
        let answer = self.writer.write(change, std::result::Result::is_ok);
        answer.map_err(|error| self.located(error))
    }

    /// Copies the write-ahead log into the file and empties it: until then it has what was erased. Tells whether it is empty:
    /// a reader that takes long keeps it.
    pub(crate) fn empty_write_ahead_log(&self) -> Result<bool> {
        self.writer.empty_log().map_err(|error| self.located(error))
    }

    /// Writes the file again with what is in it alone.
    pub(crate) fn vacuum(&self) -> Result<()> {
        let write = || -> Result<()> { Ok(open(&self.path)?.execute_batch("VACUUM")?) };
        write().map_err(|error| self.located(error))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn located(&self, error: crate::error::Error) -> crate::error::Error {
        match error.path() {
            Some(_) => error,
            None => error.at(&self.path),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;

    use super::*;
    use crate::error::{Error, ErrorKind};

    const TABLES: Migrations = &["CREATE TABLE numbers(number INTEGER NOT NULL UNIQUE)"];

    fn open(path: &Path) -> DurableDatabase {
        DurableDatabase::open(path, TABLES).expect("it opens")
    }

    fn count(database: &DurableDatabase) -> i64 {
        let sql = "SELECT count(*) FROM numbers";
        database.read(|view| Ok(view.query_row(sql, [], |row| row.get(0))?)).expect("it answers")
    }

    #[test]
    fn changes_of_many_threads_stay_and_one_that_fails_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("data").join("numbers.sqlite");
        let database = Arc::new(open(&path));
        let insert = |database: &DurableDatabase, number: i64, fails: bool| {
            database.write(move |change| {
                change.execute("INSERT INTO numbers VALUES (?1)", [number])?;
                match fails {
                    true => Err(Error::new(ErrorKind::Usage, "no")),
                    false => Ok(number),
                }
            })
        };
        thread::scope(|scope| {
            for each in 0..8 {
                let database = &database;
                scope.spawn(move || {
                    for number in 0..25 {
                        let number = each * 25 + number;
                        let written = insert(database, number, number % 5 == 0);
                        assert_eq!(written.is_ok(), number % 5 != 0);
                    }
                });
            }
        });
        assert_eq!(count(&database), 160);
        insert(&database, 1, false).expect_err("it is there");
        assert_eq!(count(&database), 160);
        drop(database);
        assert_eq!(count(&open(&path)), 160);
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_may_read_the_file() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("numbers.sqlite");
        let database = open(&path);
        assert_eq!(count(&database), 0);
        let mode = path.metadata().expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
