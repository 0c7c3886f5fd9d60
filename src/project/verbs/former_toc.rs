//! Removes the table of contents that earlier versions kept in git.

use crate::contract::FileState;
use crate::error::Result;
use crate::project::store::{Step, Store};
use crate::project::toc::{FORMER_PATH, is_former};

const SCHEMA: &str = "schemas/index.toml";

/// The former text of the category; one that a person edited stays.
const SCHEMA_TEXT: &str = "\
# The table of contents. Written by agent-memory itself after every change.
category = \"index\"
title = \"Index\"
path = \"index.md\"
intents = []
generated = true

[approval]
default = \"deny\"
";

/// Returns the paths and the steps that move them to the trash. A file that a person wrote stays.
pub(super) fn removal(store: &Store) -> Result<(Vec<String>, Vec<Step>)> {
    let mut removed = (Vec::new(), Vec::new());
    let is_schema = |text: &str| text.replace("\r\n", "\n") == SCHEMA_TEXT;
    for (path, is_ours) in
        [(FORMER_PATH, &is_former as &dyn Fn(&str) -> bool), (SCHEMA, &is_schema)]
    {
        let FileState::Text(text) = store.read_any(path)? else { continue };
        if is_ours(&text) {
            removed.0.push(path.to_owned());
            removed.1.push(Step::move_to_trash(store.layout(), path, &text));
        }
    }
    Ok(removed)
}
