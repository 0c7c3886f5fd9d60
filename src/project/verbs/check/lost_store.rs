//! What a guard says of a store that git has and the disk has not: with the store, every rule would go.

use super::options::CheckOptions;
use crate::error::{Error, ErrorKind, Result};
use crate::project::check::format::CheckReport;
use crate::project::check::{Remark, Rule, settle};
use crate::project::store::{Layout, StoreInGit, store_in_git};
use crate::project::verbs::session::Session;
use crate::secrets::Scanner;
use crate::text::visible;

/// Returns the report about a store that the change takes away; `None` where it takes none.
pub(super) fn report_lost_store(
    session: &Session,
    options: &CheckOptions,
    found: Option<&Layout>,
) -> Result<Option<CheckReport>> {
    let root = session.root.as_ref().map(|root| session.folder.join(root));
    let folder = root.as_ref().unwrap_or(&session.folder);
    let base = options.base.as_deref().unwrap_or("HEAD");
    Ok(match store_in_git(folder, root.is_some(), found, base, &session.git_time)? {
        None => None,
        Some(StoreInGit::Staged(store)) => {
            let store = visible(&store).into_owned();
            let message = format!(
                "git has a store in `{store}`, and it is not on the disk: it cannot be checked"
            );
            let hint = format!(
                "`git restore {store}` brings it back, or `git sparse-checkout add {store}`"
            );
            return Err(Error::new(ErrorKind::StoreNotFound, message).hint(hint));
        }
        Some(StoreInGit::Before(store)) => {
            let message = "the change takes the store away: none of its rules is checked any more";
            let gone = vec![Remark::new(Rule::StoreGone, "config.toml", message)];
            let findings =
                settle(gone, store.as_str().into(), &options.levels, &Scanner::default());
            Some(CheckReport::new(findings, Vec::new()))
        }
    })
}
