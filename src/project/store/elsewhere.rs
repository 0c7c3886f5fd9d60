//! Files of other programs below a root: reached through a held folder, never outside of it.

mod aside;
mod other_file;
mod replace;

pub(crate) use other_file::{Elsewhere, LeadsAway, OtherFile};
pub(crate) use replace::{Change, lay_aside};
