//! Renews the copies of a store.

use super::folder::{ABOUT, Copies, FORMER, renew_file};
use crate::error::Result;

impl Copies<'_> {
    /// Copies what changed in this store, and removes the copies of decided proposals.
    pub(crate) fn renew(&self, is_queue_in_git: bool) -> Result<()> {
        let own = self.folder.inside(self.own_name()?);
        let about = serde_json::to_string(&self.about()).expect("plain data") + "\n";
        renew_file(&own.join(ABOUT), about.as_bytes())?;
        self.renew_log(&own)?;
        // A branch without a proposal that another branch has is no loss.
        if !is_queue_in_git {
            self.renew_proposals(&own.join("staging"), &own.join(FORMER))?;
        }
        self.renew_notes(&own.join("local"), &own.join(FORMER))
    }
}
