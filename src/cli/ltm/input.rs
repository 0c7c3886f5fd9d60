//! Reads the JSON that a host sends.

use std::path::Path;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::cli::call::Context;
use crate::disk::read_document;
use crate::error::{Error, ErrorKind, Result};
use crate::longterm::request::CallContext;
use crate::text::client_text;

/// Bytes of a document at most: 8 MiB, as a server may have many members.
const DOCUMENT: u64 = 8 << 20;

/// Reads a JSON document from a file, or from stdin.
pub(in crate::cli) fn read_json<T: DeserializeOwned>(
    file: Option<&Path>,
    context: &Context,
) -> Result<T> {
    let file = context.file_or_stdin(file, "a JSON object");
    let bytes = read_document(file.as_deref(), DOCUMENT + 1)?;
    let source = file.map_or("stdin".to_owned(), |file| format!("`{}`", file.display()));
    if bytes.len() as u64 > DOCUMENT {
        let message = format!("{source} has more than {DOCUMENT} bytes");
        return Err(Error::new(ErrorKind::Usage, message).hint("send what the call needs alone"));
    }
    let refused = |why: String| {
        let hint = "send one JSON object; the help of the command shows its form";
        Error::new(ErrorKind::Usage, format!("{source} {why}")).hint(hint)
    };
    let text = client_text(&bytes).map_err(refused)?.text;
    serde_json::from_str(&text)
        .map_err(|error| refused(format!("is not the JSON that is expected: {error}")))
}

/// Reads the context of a call from a file of its own, or from a whole call as it is sent on stdin.
pub(in crate::cli) fn read_context_file(file: &Path, context: &Context) -> Result<Value> {
    let mut said: Value = read_json(Some(file), context)?;
    let is_call = said.get("server").is_none() && said["context"].is_object();
    Ok(if is_call { said["context"].take() } else { said })
}

/// Refuses a context without which no rule can be asked.
pub(super) fn read_context(value: &Value) -> Result<CallContext> {
    CallContext::read(value).map_err(|missing| {
        let message = format!("the context cannot be used: `{missing}` is missing or wrong");
        let hint = "it needs `server` with `id` and `kind` (`guild` or `dm`), `caller` and `bot` with `id`, `persona` with `id` \
            and a `lineage` above 0; `flags` and `users` are objects, `members` and `participants` lists, the latter of at most 1,000";
        Error::new(ErrorKind::Usage, message).hint(hint)
    })
}
