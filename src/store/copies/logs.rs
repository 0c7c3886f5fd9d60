//! Copies of the log.

use super::Copies;
use crate::error::Result;
use crate::store::files;
use crate::store::folder::Spot;
use crate::store::key::Purpose;

/// Reads the copies of logs in a folder, the oldest first.
pub(super) fn logs_in(folder: &Spot) -> Result<Vec<String>> {
    // `log.jsonl` is the youngest.
    let number = |name: &str| match name.strip_prefix("log.")?.strip_suffix("jsonl")? {
        "" => Some(u32::MAX),
        number => number.strip_suffix('.')?.parse().ok(),
    };
    let names = files::list(folder)?.into_iter();
    let mut names: Vec<_> = names.filter_map(|name| Some((number(&name)?, name))).collect();
    names.sort_unstable();
    let texts = names.iter().map(|(_, name)| files::read_text(&folder.join(name)));
    Ok(texts.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
}

impl Copies<'_> {
    /// Adds the lines that the copy lacks. A copy that the log does not begin with has lines that the log lost, and is
    /// kept beside the new one.
    pub(super) fn renew_log(&self, own: &Spot) -> Result<()> {
        let (log, copy) = (self.layout.log(), own.join("log.jsonl"));
        let is_ours = |line: &[u8]| self.layout.key().signed_line(Purpose::Log, line);
        if !is_ours(&files::read_last_line(&log)?) {
            return Ok(());
        }
        let (whole, mut known) = (files::whole_length(&log)?, files::length(&copy));
        if whole == known {
            return Ok(());
        }
        let last = files::read_last_line(&copy)?;
        let begin = known.saturating_sub(last.len() as u64 + 1);
        if known > 0 && files::read_between(&log, begin, known)? != [&last[..], b"\n"].concat() {
            let name = (2_u32..).map(|number| own.join(format!("log.{number}.jsonl")));
            let free = name.into_iter().find(|place| !files::exists(place));
            files::rename(
                &copy,
                &free.expect("a folder has fewer entries than there are numbers"),
            )?;
            known = 0;
        }
        let lines = files::read_between(&log, known, whole)?;
        match lines.is_empty() {
            true => Ok(()),
            false => files::write_at(&copy, known, &String::from_utf8_lossy(&lines)),
        }
    }
}
