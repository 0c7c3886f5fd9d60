//! Reads `--since` of the commands that count in moments; `search` counts in days.

use crate::contract::{Moment, Stretch};
use crate::error::{Error, ErrorKind, Result};
use crate::text::excerpt;

/// Reads when something begins.
pub(super) fn since(text: &str, now: Moment) -> Result<Moment> {
    Stretch::read(text, now).map(|stretch| stretch.first).ok_or_else(|| {
        let message = format!("`{}` is no time for `--since`", excerpt(text));
        Error::new(ErrorKind::Usage, message).hint(Stretch::ALLOWED)
    })
}
