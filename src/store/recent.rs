//! The names of changes that were decided in one second, so that no two of them get the same.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Deserialize;

use super::layout::Layout;
use super::{files, log};
use crate::contract::{Moment, ProposalId};
use crate::error::Result;

/// What the log says about a second. Each line is read once: a process that stays makes thousands of changes in one.
#[derive(Debug, Default)]
pub struct Recent {
    log: PathBuf,
    second: String,
    /// Bytes of the log that were read.
    end: u64,
    ids: HashSet<String>,
}

/// Bytes that are looked at first, some lines; where the last one is older they are all.
const TAIL: u64 = 4_096;

/// Bytes beyond which nothing is looked for, twice what a process can write in a second: where the clock was put back,
/// every line may be younger.
const MOST: u64 = 2 * 1024 * 1024;

#[derive(Deserialize)]
struct Line<'l> {
    #[serde(borrow)]
    time: Cow<'l, str>,
    #[serde(borrow)]
    id: Option<Cow<'l, str>>,
}

impl Recent {
    /// Reads what was decided in a second, up to the end of the log.
    pub fn catch_up(&mut self, layout: &Layout, now: Moment, tail: &log::Tail) -> Result<()> {
        let (log, second) = (layout.log(), now.to_string());
        let goes_on = *self.log == *log && self.second == second && self.end <= tail.offset;
        if goes_on {
            if self.end < tail.offset {
                let bytes = files::read_between(&log, self.end, tail.offset)?;
                self.take(&bytes);
                self.end = tail.offset;
            }
            return Ok(());
        }
        // Whoever fails on the way knows nothing yet, and the next one begins anew.
        let mut new =
            Self { log: log.to_path_buf(), second, end: tail.offset, ids: HashSet::new() };
        let mut length = TAIL;
        loop {
            let begin = tail.offset.saturating_sub(length);
            let bytes = files::read_between(&log, begin, tail.offset)?;
            // The first is a part of a line, or one more than is needed.
            let whole = bytes.iter().position(|byte| *byte == b'\n').filter(|_| begin > 0);
            if new.take(&bytes[whole.unwrap_or_default()..]) || begin == 0 || length >= MOST {
                *self = new;
                return Ok(());
            }
            length *= 8;
        }
    }

    /// Takes what every command of a process shares.
    pub fn lock(shared: &Mutex<Self>) -> MutexGuard<'_, Self> {
        // Who panicked on the way has at worst left out names, which the next one reads then.
        shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells whether a change of this name was decided then.
    pub fn has(&self, id: &ProposalId) -> bool {
        self.ids.contains(id.as_str())
    }

    /// Takes names out of lines; tells whether one is older than the second, or does not say when it was written.
    fn take(&mut self, bytes: &[u8]) -> bool {
        let mut is_older = false;
        for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            match serde_json::from_slice::<Line<'_>>(line) {
                Ok(Line { time, id }) if *time >= *self.second => {
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
        let layout = Layout::make_in(folder.path()).expect("a store");
        let [before, now] = ["2026-11-20T09:59:59Z", "2026-11-20T10:00:00Z"]
            .map(|time| Moment::parse(time).expect("a time"));
        let line = |time: Moment, tail: &str| {
            format!("{{\"time\":\"{time}\",\"id\":\"{}\",\"decision\":\"applied\"}}\n", id(tail))
        };
        let mut recent = Recent::default();
        let mut text = line(before, "0000").repeat(1_000);
        for round in ["a", "b"] {
            text += &line(now, &format!("{round}001"));
            text += &line(now, &format!("{round}002")).repeat(500);
            files::write(&layout.log(), text.as_bytes()).expect("it is written");
            let tail = log::Tail::read(&layout).expect("it is read");
            recent.catch_up(&layout, now, &tail).expect("it is read");
            assert!(recent.has(&id(&format!("{round}001"))) && recent.has(&id("a002")));
            assert!(!recent.has(&id("0000")) && !recent.has(&id("c001")));
        }
        // Another log has come in its place, or the clock has moved.
        files::write(&layout.log(), line(before, "d001").as_bytes()).expect("it is written");
        let tail = log::Tail::read(&layout).expect("it is read");
        recent.catch_up(&layout, now, &tail).expect("it is read");
        assert!(!recent.has(&id("a001")) && !recent.has(&id("d001")));
        recent.catch_up(&layout, before, &tail).expect("it is read");
        assert!(recent.has(&id("d001")));
    }
}
