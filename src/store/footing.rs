//! What a change stands on beside the files that it changes.

use super::background::{self, Awaited};
use super::layout::Layout;
use super::{Locked, log, staging, undo};
use crate::error::Result;

/// Where that ends what only grows, and which names are taken; true as long as the lock is held.
#[derive(Debug)]
pub struct Footing {
    /// Where the next decision goes.
    pub log: log::Tail,
    /// Where goes what it takes to take the change back.
    pub undo: undo::Tail,
    /// The names of other proposals.
    pub taken: staging::Taken,
}

/// A footing that is looked for, in the background where a thread is awake for it.
#[derive(Debug)]
pub struct Sought<'l> {
    layout: &'l Layout,
    found: Option<Awaited<Result<Option<Footing>>>>,
}

impl Locked<'_> {
    /// Begins to look for what a change will stand on.
    pub fn seek_footing(&self) -> Sought<'_> {
        let layout = self.layout();
        let look = || {
            let layout = layout.clone();
            move || Footing::look(&layout)
        };
        Sought { layout, found: background::begin(look) }
    }
}

impl Sought<'_> {
    /// Returns what was found; ends a last line of the log that lacks nothing else.
    pub fn find(self) -> Result<Footing> {
        let found = self.found.map_or(Ok(None), Awaited::wait)?;
        found.map_or_else(|| Footing::read(self.layout), Ok)
    }
}

impl Footing {
    fn read(layout: &Layout) -> Result<Self> {
        Self::with(log::Tail::read(layout)?, layout)
    }

    /// Does the same and writes nothing, as the change may be refused yet; nothing where it would have to.
    fn look(layout: &Layout) -> Result<Option<Self>> {
        log::Tail::look(layout)?.map(|log| Self::with(log, layout)).transpose()
    }

    fn with(log: log::Tail, layout: &Layout) -> Result<Self> {
        Ok(Self { log, undo: undo::Tail::read(layout)?, taken: staging::Taken::read(layout)? })
    }
}
