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
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reminder {
    /// Their ids, oldest first.
    pub ids: Vec<String>,
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
        let old = names.into_iter().filter_map(|name| {
            let made = ProposalId::parse(&name)?.submitted_at()?;
            let age = self.now.seconds_since(made);
            (age > DAY).then_some((age, name))
        });
        let mut old: Vec<(i64, String)> = old.collect();
        old.sort_by(|(one, _), (other, _)| other.cmp(one));
        let oldest = old.first().map(|(age, _)| *age);
        let ids = old.into_iter().map(|(_, name)| name).collect();
        Ok(oldest.map(|oldest_seconds| Reminder { ids, oldest_seconds }))
    }
}
