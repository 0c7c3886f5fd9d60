//! Erases what has been in the trash for long.

use super::session::LongtermSession;
use crate::error::Result;

/// Erases deleted memories after the days that are set; returns how many they were.
pub fn sweep(session: &LongtermSession) -> Result<usize> {
    let before = session.now.plus_seconds(-i64::from(session.trash_days()) * 24 * 3_600);
    session.write(move |view| view.sweep(before))
}
