//! Names the stores below a folder that has none, as at the top of a repository of many projects.

use super::session::Session;
use crate::error::{Error, ErrorKind};
use crate::project::store::Repository;
use crate::secrets::shown_name;

/// How many stores are named.
const NAMED: usize = 5;

/// Adds the stores below the working directory to an error about a store that was not found.
pub(crate) fn with_stores_below(error: Error, session: &Session) -> Error {
    if error.kind() != ErrorKind::StoreNotFound {
        return error;
    }
    match stores_below(session) {
        Some(below) => error.hint(format!("{below}: name one with `--root`, or go there")),
        None => error,
    }
}

/// Names the stores below the working directory, if no root is given and git knows of any.
pub(super) fn stores_below(session: &Session) -> Option<String> {
    if session.root.is_some() {
        return None;
    }
    let repository = Repository::around(&session.folder, &session.git_time);
    let roots = repository.stores_below().unwrap_or_default();
    let below: Vec<String> = roots.iter().map(|root| format!("`{}`", shown_name(root))).collect();
    let more = match below.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let named = below[..below.len().min(NAMED)].join(", ");
    (!below.is_empty()).then(|| format!("there are stores in {named}{more}"))
}
