//! Reads the JSON that a host sends.

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use crate::cli::call::Context;
use crate::disk::outside;
use crate::error::{Error, ErrorKind, Result};
use crate::longterm::request::CallContext;

/// Bytes of a document at most: 8 MiB, as a server may have many members.
const DOCUMENT: u64 = 8 << 20;

/// Reads a JSON document from a file, or from stdin.
pub(in crate::cli) fn read_json<T: DeserializeOwned>(
    file: Option<&Path>,
    context: &Context,
) -> Result<T> {
    let file = file.filter(|file| *file != Path::new("-"));
    let file: Option<PathBuf> = file.map(|file| context.session.folder.join(file));
    let bytes = outside::read_up_to(file.as_deref(), DOCUMENT + 1)?;
    let source = file.map_or("stdin".to_owned(), |file| format!("`{}`", file.display()));
    if bytes.len() as u64 > DOCUMENT {
        let message = format!("{source} has more than {DOCUMENT} bytes");
        return Err(Error::new(ErrorKind::Usage, message).hint("send what the call needs alone"));
    }
    serde_json::from_slice(&bytes).map_err(|error| {
        let message = format!("{source} is not the JSON that is expected: {error}");
        let hint = "send one object; `agent-memory ltm update --help` shows its form";
        Error::new(ErrorKind::Usage, message).hint(hint)
    })
}

/// Refuses a context without which no rule can be asked.
pub(super) fn read_context(value: &serde_json::Value) -> Result<CallContext> {
    CallContext::read(value).map_err(|missing| {
        let message = format!("the context cannot be used: `{missing}` is missing or wrong");
        Error::new(ErrorKind::Usage, message).hint("docs/long-term-memories.md shows a whole one")
    })
}
