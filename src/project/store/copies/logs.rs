//! Copies of the log.

use super::folder::{CopiedFrom, Copies, known_name, read_about};
use crate::disk::files;
use crate::disk::folder::StorePath;
use crate::disk::key::Purpose;
use crate::error::Result;
use crate::project::store::log::is_chained;

/// Lists the copies of logs in a folder, oldest first.
fn places_in(folder: &StorePath) -> Result<Vec<StorePath>> {
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
    for kept in places_in(own)?.iter().filter(|kept| kept.relative() != copy.relative()) {
        if files::length(kept) == files::length(copy) && files::read(kept)? == text {
            return files::discard(copy);
        }
    }
    let mut names = (2_u32..).map(|number| own.join(format!("log.{number}.jsonl")));
    let free = names.find(|place| !files::exists(place));
    files::rename_beside(copy, &free.expect("a folder has fewer entries than there are numbers"))
}

impl Copies<'_> {
    /// Reads the copies of the logs of all stores that were at this path, oldest first.
    pub(in crate::project::store) fn logs(&self) -> Result<Vec<Vec<u8>>> {
        let logs = self.places()?.iter().map(files::read).collect::<Result<Vec<_>>>()?;
        Ok(logs.into_iter().flatten().collect())
    }

    pub(in crate::project::store) fn all_logs(&self) -> Result<Vec<StorePath>> {
        let mut places = Vec::new();
        for state in files::list(&self.folder.inside(""))? {
            places.extend(places_in(&self.folder.inside(&state))?);
        }
        Ok(places)
    }

    fn places(&self) -> Result<Vec<StorePath>> {
        let (own, about) = (known_name(self.layout)?, self.about());
        let mut places = Vec::new();
        for state in files::list(&self.folder.inside(""))? {
            let folder = self.folder.inside(&state);
            let is_here = |from: CopiedFrom| {
                (from.worktree.as_str(), from.store.as_str())
                    == (about.worktree.as_str(), about.store.as_str())
            };
            if own.as_ref() == Some(&state) || read_about(&folder).is_some_and(is_here) {
                places.extend(places_in(&folder)?);
            }
        }
        Ok(places)
    }

    /// Tells whether the log begins with the copy: lines are chained, so the last one is enough.
    fn is_begin_of_log(&self, copy: &StorePath) -> Result<bool> {
        let (length, last) = (files::length(copy), files::read_last_line(copy)?);
        let begin = length.saturating_sub(last.len() as u64 + 1);
        let there = files::read_between(&self.layout.log(), begin, length)?;
        // A power cut may leave a copy of zeros.
        Ok(length == 0 || (!last.is_empty() && there == [&last[..], b"\n"].concat()))
    }

    /// Tells whether lines of the log are signed, and each is chained to the one above.
    fn go_on(&self, last: &[u8], lines: &[u8]) -> bool {
        let is_ours = |line: &[u8]| self.layout.key().signed_line(Purpose::LOG, line);
        let lines = lines.strip_suffix(b"\n").unwrap_or(lines);
        let mut above = last;
        last.is_empty()
            || lines.split(|byte| *byte == b'\n').all(|line| {
                let is_next = is_chained(above, line) && is_ours(line);
                above = line;
                is_next
            })
    }

    /// Appends missing lines to the copy. If the log does not begin with the copy, or goes on with lines that do not
    /// follow it, the copy is kept and a new one begun: a commit may have brought another log.
    pub(super) fn renew_log(&self, own: &StorePath) -> Result<()> {
        let (log, copy) = (self.layout.log(), own.join("log.jsonl"));
        let is_ours = |line: &[u8]| self.layout.key().signed_line(Purpose::LOG, line);
        if !is_ours(&files::read_last_line(&log)?) {
            return Ok(());
        }
        let (whole, mut known) = (files::whole_length(&log)?, files::length(&copy));
        let is_begin = self.is_begin_of_log(&copy)?;
        if is_begin && whole == known {
            return Ok(());
        }
        let mut lines = files::read_between(&log, known, whole)?;
        if !is_begin || !self.go_on(&files::read_last_line(&copy)?, &lines) {
            keep(&copy, own)?;
            if files::exists(&copy) {
                // Another process was faster.
                return Ok(());
            }
            known = 0;
            lines = files::read_between(&log, known, whole)?;
        }
        match lines.is_empty() {
            true => Ok(()),
            false => files::write_at(&copy, known, &lines),
        }
    }
}
