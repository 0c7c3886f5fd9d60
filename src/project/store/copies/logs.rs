//! Copies of the log.

use super::folder::{CopiedFrom, Copies, known_name, read_about};
use crate::disk::files;
use crate::disk::folder::StorePath;
use crate::disk::key::Purpose;
use crate::disk::log::is_chained;
use crate::error::Result;

/// Lists the copies of logs in a folder, oldest first.
fn logs_in(folder: &StorePath) -> Result<Vec<StorePath>> {
    // `log.jsonl` is the newest.
    let number = |name: &str| match name.strip_prefix("log.")?.strip_suffix("jsonl")? {
        "" => Some(u32::MAX),
        number => number.strip_suffix('.')?.parse().ok(),
    };
    let names = files::list(folder)?.into_iter();
    let mut names: Vec<_> = names.filter_map(|name| Some((number(&name)?, name))).collect();
    names.sort_unstable();
    Ok(names.into_iter().map(|(_, name)| folder.join(name)).collect())
}

/// Moves a copy to the kept ones, unless one of these is the same.
fn keep(copy: &StorePath, own: &StorePath) -> Result<()> {
    let text = files::read(copy)?;
    for kept in logs_in(own)?.iter().filter(|kept| kept.relative() != copy.relative()) {
        if files::length(kept) == files::length(copy) && files::read(kept)? == text {
            return files::discard(copy);
        }
    }
    let mut names = (2_u32..).map(|number| own.join(format!("log.{number}.jsonl")));
    let free = names.find(|path| !files::exists(path));
    files::rename_beside(copy, &free.expect("a folder has fewer entries than there are numbers"))
}

impl Copies<'_> {
    /// Reads the copies of the logs of all stores that were at this path, oldest first.
    pub(in crate::project::store) fn logs(&self) -> Result<Vec<Vec<u8>>> {
        let logs = self.log_paths()?.iter().map(files::read).collect::<Result<Vec<_>>>()?;
        Ok(logs.into_iter().flatten().collect())
    }

    pub(in crate::project::store) fn all_logs(&self) -> Result<Vec<StorePath>> {
        let mut paths = Vec::new();
        for state in files::list(&self.folder.inside(""))? {
            paths.extend(logs_in(&self.folder.inside(&state))?);
        }
        Ok(paths)
    }

    fn log_paths(&self) -> Result<Vec<StorePath>> {
        let (own, about) = (known_name(self.layout)?, self.about());
        let mut paths = Vec::new();
        for state in files::list(&self.folder.inside(""))? {
            let folder = self.folder.inside(&state);
            let is_here = |from: CopiedFrom| {
                (from.worktree.as_str(), from.store.as_str())
                    == (about.worktree.as_str(), about.store.as_str())
            };
            if own.as_ref() == Some(&state) || read_about(&folder).is_some_and(is_here) {
                paths.extend(logs_in(&folder)?);
            }
        }
        Ok(paths)
    }

    /// Returns what the log has behind the copy; `None` if it does not go on from there: a commit may have brought another
    /// log. Lines are chained, so the last one of the copy tells where to go on.
    fn lines_behind(&self, copy: &StorePath) -> Result<Option<Vec<u8>>> {
        let (log, length, last) =
            (self.layout.log(), files::length(copy), files::read_last_line(copy)?);
        let whole = files::whole_length(&log)?;
        if length == 0 {
            return files::read_between(&log, 0, whole).map(Some);
        }
        let begin = length.saturating_sub(last.len() as u64 + 1);
        // A power cut may leave a copy of zeros, which has no last line.
        if last.is_empty()
            || files::read_between(&log, begin, length)? != [&last[..], b"\n"].concat()
        {
            return Ok(None);
        }
        let behind = files::read_between(&log, length, whole)?;
        let (mut above, mut goes_on) = (&last[..], true);
        for line in behind.split_inclusive(|byte| *byte == b'\n') {
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            goes_on = goes_on && is_chained(above, line) && self.is_ours(line);
            above = line;
        }
        Ok(goes_on.then_some(behind))
    }

    fn is_ours(&self, line: &[u8]) -> bool {
        self.layout.key().signed_line(Purpose::LOG, line)
    }

    /// Appends missing lines to the copy. If the log does not go on from it, the copy is kept and a new one begun.
    pub(super) fn renew_log(&self, own: &StorePath) -> Result<()> {
        let (log, copy) = (self.layout.log(), own.join("log.jsonl"));
        if !self.is_ours(&files::read_last_line(&log)?) {
            return Ok(());
        }
        let known = files::length(&copy);
        if let Some(lines) = self.lines_behind(&copy)? {
            return if lines.is_empty() { Ok(()) } else { files::write_at(&copy, known, &lines) };
        }
        keep(&copy, own)?;
        if files::exists(&copy) {
            // Another process was faster.
            return Ok(());
        }
        files::write_at(&copy, 0, &files::read_between(&log, 0, files::whole_length(&log)?)?)
    }
}
