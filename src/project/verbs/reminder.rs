//! Reminds people of pending proposals.

use std::cell::RefCell;
use std::rc::Rc;

use crate::contract::Moment;
use crate::error::Result;
use crate::project::config::Config;
use crate::project::request::ProposalId;
use crate::project::store::{Layout, Store, staging};

/// Younger proposals are not reported.
const DAY: i64 = 86_400;

/// The proposals that are pending for more than a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reminder {
    pub count: usize,
    pub oldest_seconds: i64,
}

/// Finds old proposals at the end of a command, by the date at the start of their ids. A verb that has listed the ids
/// anyway notes them here.
#[derive(Debug, Clone)]
pub(crate) struct Watch {
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

    /// Notes the pending ids, from a verb that removes none.
    pub(super) fn note(&self, names: Vec<String>) {
        self.seen.replace(Some(names));
    }

    /// Returns what is pending for more than a day, unless the settings turn that off.
    pub(crate) fn reminder(&self) -> Result<Option<Reminder>> {
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
