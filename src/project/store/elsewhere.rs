//! Files of other programs below a root: reached through a held folder, never outside of it.

mod aside;
mod landing;
mod other_file;

pub(crate) use landing::{Change, lay_aside};
pub(crate) use other_file::{Elsewhere, LeadsAway, OtherFile};
