//! Cleans up after an `install` that was killed: its own temp files are removed, texts of people are kept.

use super::planning::FilePlan;
use crate::clients::ClientEdit;
use crate::error::Result;

impl FilePlan {
    /// Removes what a killed run left beside the file; keeps what may be the work of a person, and reports it.
    pub(super) fn tidy(&self) -> Result<Option<String>> {
        let Some(place) = &self.place else { return Ok(None) };
        match place.read_aside()? {
            Some(left) if self.is_known(&left) => place.clear_aside().map(|()| None),
            Some(_) => {
                let kept = place.keep_aside()?;
                let why =
                    "lay there after an `install` that was killed: look at it, then remove it";
                Ok(Some(format!("`{}` {why}", kept.display())))
            }
            // Only its folders may be left.
            None if self.after.is_none() => place.clear_aside().map(|()| None),
            None => Ok(None),
        }
    }

    /// Tells whether a text is the file without our part, or the beginning of its new text.
    fn is_known(&self, text: &[u8]) -> bool {
        let after = self.after.as_deref().unwrap_or_default().as_bytes();
        let bare = str::from_utf8(text).ok().and_then(|text| self.bare(Some(text)));
        after.starts_with(text) || (bare.is_some() && bare == self.bare(self.before.as_deref()))
    }

    /// Returns a text without our part; none where that is unknown.
    fn bare(&self, text: Option<&str>) -> Option<Option<String>> {
        let take = |text: Option<String>, edit: &ClientEdit| match text {
            Some(text) => edit.remove(&text).ok(),
            None => Some(None),
        };
        self.edits.iter().rev().try_fold(text.map(str::to_owned), take)
    }
}
