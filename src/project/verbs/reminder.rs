//! Reminds people of what waits: what nobody is told of, nobody reviews.

use std::cell::RefCell;
use std::rc::Rc;

use crate::contract::{Moment, ProposalId};
use crate::error::Result;
use crate::project::config::Config;
use crate::project::store::{Layout, Store, staging};

/// Who has waited for less is not worth a line.
const DAY: i64 = 86_400;

/// What has waited for more than a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reminder {
    /// How many proposals.
    pub count: usize,
    /// How long the oldest of them has waited, in seconds.
    pub oldest_seconds: i64,
}

/// Looks at the end of a command at what waits.
///
/// The names of the folders say it: a name begins with the time. A verb that has listed them anyway lets
/// nobody list them again.
#[derive(Debug, Clone)]
pub struct Watch {
    layout: Layout,
    now: Moment,
    is_wanted: bool,
    seen: Rc<RefCell<Option<Vec<String>>>>,
}

impl Watch {
    pub(super) fn over(store: &Store, config: &Config, now: Moment) -> Self {
        let is_wanted = config.staging.remind;
        Self { layout: store.layout().clone(), now, is_wanted, seen: Rc::default() }
    }

    /// Takes the names that wait, from a verb that takes none of them out of the queue.
    pub(super) fn note(&self, names: Vec<String>) {
        self.seen.replace(Some(names));
    }

    /// Returns what has waited for more than a day, if the settings want it told.
    pub fn reminder(&self) -> Result<Option<Reminder>> {
        if !self.is_wanted {
            return Ok(None);
        }
        let names = match self.seen.take() {
            Some(names) => names,
            None => staging::names(&self.layout)?,
        };
        let ages = names.iter().filter_map(|name| {
            let made = ProposalId::parse(name)?.submitted_at()?;
            Some(self.now.seconds_since(made)).filter(|age| *age > DAY)
        });
        let ages: Vec<i64> = ages.collect();
        let oldest = ages.iter().copied().max();
        Ok(oldest.map(|oldest_seconds| Reminder { count: ages.len(), oldest_seconds }))
    }
}
