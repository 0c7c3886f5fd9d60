//! Removes the table of contents that earlier versions kept in git.

use crate::contract::FileState;
use crate::error::Result;
use crate::project::store::{Step, Store};
use crate::project::toc::FORMER_PATH;
use crate::project::upgrade::{TOC_SCHEMA, without_toc};

/// Returns the paths and the steps that move them to the trash. A file that a person wrote stays.
pub(super) fn removal(store: &Store) -> Result<(Vec<String>, Vec<Step>)> {
    let mut removed = (Vec::new(), Vec::new());
    for path in [FORMER_PATH, TOC_SCHEMA] {
        let FileState::Text(text) = store.read_any(path)? else { continue };
        if without_toc(path, Some(&text)).is_some() {
            removed.0.push(path.to_owned());
            removed.1.push(Step::move_to_trash(store.layout(), path, &text));
        }
    }
    Ok(removed)
}
