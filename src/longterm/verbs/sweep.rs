//! Erases what has been in the trash for long.

use super::session::LongtermSession;
use crate::error::Result;

/// Erases deleted memories after the days that are set; returns how many they were. It writes only where there is one.
pub fn sweep(session: &LongtermSession) -> Result<usize> {
    let before = session.now.plus_seconds(-i64::from(session.settings().trash_days) * 24 * 3_600);
    match session.read(|view| view.has_older_trash(before))? {
        true => session.write(move |view| view.sweep(before)),
        false => Ok(0),
    }
}
