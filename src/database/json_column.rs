//! Reads a column that holds JSON.

use rusqlite::types::Type;
use rusqlite::{Error, Result, Row};
use serde::de::DeserializeOwned;

/// Reads a column that holds JSON; what cannot be read is an error, as only damage makes it so.
pub(crate) fn json_column<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> Result<T> {
    serde_json::from_str(row.get_ref(column)?.as_str()?)
        .map_err(|error| Error::FromSqlConversionFailure(column, Type::Text, error.into()))
}
