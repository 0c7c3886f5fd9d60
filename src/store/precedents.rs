//! What was proposed and decided before a change.

use std::sync::{Arc, Mutex};

use super::background::{self, Awaited};
use super::layout::Layout;
use super::{Locked, Recent, log, staging, undo};
use crate::contract::Moment;
use crate::error::Result;

/// Where the lists end that a change adds to, and which names are taken; true while the lock is held.
#[derive(Debug)]
pub struct Precedents {
    /// The end of the log.
    pub log: log::Tail,
    /// The end of what it takes to take changes back; one that waits does without.
    pub undo: Result<undo::Tail>,
    /// The names of other proposals.
    pub taken: staging::Taken,
}

/// Precedents that are being looked up, by another thread where one is free; to be finished, or dropped, before the lock
/// is let go.
#[derive(Debug)]
#[must_use = "call `finish` for what was found"]
pub struct PrecedentsLookup<'a> {
    layout: &'a Layout,
    found: Option<Awaited<Result<Option<Precedents>>>>,
}

impl<'a> Locked<'a> {
    /// Begins to look up what was before a change that is still to be planned.
    /// `recent` is told of the names that the log gives to changes of a second.
    pub fn look_up_precedents(
        &mut self,
        (recent, second): (&Arc<Mutex<Recent>>, Moment),
    ) -> PrecedentsLookup<'a> {
        let layout = self.layout;
        let look = || {
            let (layout, recent) = (layout.clone(), Arc::clone(recent));
            move || {
                let found = Precedents::look(&layout)?;
                if let Some(Precedents { log, .. }) = &found {
                    Recent::lock(&recent).catch_up(&layout, second, log)?;
                }
                Ok(found)
            }
        };
        let found = background::begin(look);
        self.is_helped = found.is_some();
        PrecedentsLookup { layout, found }
    }
}

impl PrecedentsLookup<'_> {
    /// Returns what was found; ends a last line of the log that lacks nothing else.
    pub fn finish(self) -> Result<Precedents> {
        let found = self.found.map_or(Ok(None), Awaited::wait)?;
        found.map_or_else(|| Precedents::read(self.layout), Ok)
    }
}

impl Precedents {
    fn read(layout: &Layout) -> Result<Self> {
        Self::behind(log::Tail::read(layout)?, layout)
    }

    /// Does the same as long as nothing has to be written, as the change may still be refused.
    fn look(layout: &Layout) -> Result<Option<Self>> {
        let Some(log) = log::Tail::look(layout)? else { return Ok(None) };
        Self::behind(log, layout).map(Some)
    }

    fn behind(log: log::Tail, layout: &Layout) -> Result<Self> {
        let (undo, taken) = (undo::Tail::read(layout), staging::Taken::read(layout)?);
        Ok(Self { log, undo, taken })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::store::{Store, files};

    #[test]
    fn a_look_ends_no_line_of_the_log() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::at(Layout::make_in(folder.path()).expect("a store"));
        let mut locked = store.lock(Duration::from_secs(60), "a test").expect("it is free");
        let tail = log::Tail::read(store.layout()).expect("it is read");
        let entry = log::Entry::new(crate::contract::Moment::from_unix(0), "refused");
        let crate::store::Step::Append { line, .. } = tail.append(&entry) else { panic!() };
        let log = store.layout().log();
        let unended = line.trim_end().as_bytes();
        files::write(&log, unended).expect("it is written");
        log::renew_end(store.layout(), &line).expect("it is remembered");

        let found = Precedents::look(store.layout()).expect("it is looked at");
        assert!(found.is_none());
        assert_eq!(files::read(&log).expect("it is read").as_deref(), Some(unended));
        let lookup = locked.look_up_precedents((&Arc::default(), Moment::from_unix(0)));
        lookup.finish().expect("it is read");
        assert_eq!(files::read(&log).expect("it is read").as_deref(), Some(line.as_bytes()));
        assert!(Precedents::look(store.layout()).expect("it is looked at").is_some());
    }
}
