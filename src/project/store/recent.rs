//! The ids of changes in one second, so that no two are equal.

use std::borrow::Cow;
use std::collections::HashSet;

use serde::Deserialize;

use super::layout::Layout;
use crate::contract::Moment;
use crate::disk::files;
use crate::disk::log::LogTail;
use crate::error::Result;
use crate::project::request::ProposalId;

/// The ids that the log has for one second.
#[derive(Debug)]
pub(crate) struct Recent {
    second: String,
    ids: HashSet<String>,
}

/// Bytes to read first, some lines: mostly the last one is older.
const TAIL: u64 = 4_096;

/// Bytes to read at most, twice what a process can write in a second: if the clock was set back, every line may be
/// newer.
const MOST: u64 = 2 * 1024 * 1024;

#[derive(Deserialize)]
struct RecentLine<'l> {
    #[serde(borrow)]
    time: Cow<'l, str>,
    #[serde(borrow)]
    id: Option<Cow<'l, str>>,
}

impl Recent {
    /// Reads the log backwards to the first older line.
    pub(crate) fn read(layout: &Layout, now: Moment, tail: &LogTail) -> Result<Self> {
        let log = layout.log();
        let mut recent = Self { second: now.to_string(), ids: HashSet::new() };
        let mut length = TAIL;
        loop {
            let begin = tail.offset.saturating_sub(length);
            let bytes = files::read_between(&log, begin, tail.offset)?;
            // The first line is cut, or not needed.
            let whole = bytes.iter().position(|byte| *byte == b'\n').filter(|_| begin > 0);
            let is_older_met = recent.collect(&bytes[whole.unwrap_or_default()..]);
            if is_older_met || begin == 0 || length >= MOST {
                return Ok(recent);
            }
            length *= 8;
        }
    }

    pub(crate) fn has(&self, id: &ProposalId) -> bool {
        self.ids.contains(id.as_str())
    }

    /// Collects ids; tells whether a line is older, or has no time.
    fn collect(&mut self, bytes: &[u8]) -> bool {
        let mut is_older = false;
        for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            match serde_json::from_slice::<RecentLine<'_>>(line) {
                Ok(RecentLine { time, id }) if *time >= *self.second => {
                    self.ids.extend(id.map(Cow::into_owned));
                }
                Ok(_) | Err(_) => is_older = true,
            }
        }
        is_older
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(tail: &str) -> ProposalId {
        ProposalId::parse(&format!("20261120-100000-x-{tail}")).expect("an id")
    }

    #[test]
    fn names_of_a_second_are_known_however_many_came_before_and_since() {
        let folder = tempfile::tempdir().expect("a folder");
        let layout = Layout::new_in(folder.path());
        let [before, now] = ["2026-11-20T09:59:59Z", "2026-11-20T10:00:00Z"]
            .map(|time| Moment::parse(time).expect("a time"));
        let line = |time: Moment, tail: &str| {
            format!("{{\"time\":\"{time}\",\"id\":\"{}\",\"decision\":\"applied\"}}\n", id(tail))
        };
        let mut text = line(before, "0000").repeat(1_000);
        for round in ["a", "b"] {
            text += &line(now, &format!("{round}001"));
            text += &line(now, &format!("{round}002")).repeat(500);
            files::write(&layout.log(), text.as_bytes()).expect("it is written");
            let tail = layout.signed_log().tail().expect("it is read");
            let recent = Recent::read(&layout, now, &tail).expect("it is read");
            assert!(recent.has(&id(&format!("{round}001"))) && recent.has(&id("a002")));
            assert!(!recent.has(&id("0000")) && !recent.has(&id("c001")));
        }
    }
}
