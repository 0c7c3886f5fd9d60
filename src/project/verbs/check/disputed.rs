//! Finds proposals that were applied on one branch and rejected on another, once both are merged.

use crate::project::check::{Remark, Rule};
use crate::project::store::Seat;
use crate::project::store::staging::disputed_among;

use super::side::Side;

pub(super) fn disputed(side: &Side<'_>, seat: &Seat) -> Vec<Remark> {
    let tracked = side.kept().into_iter().flat_map(|tree| tree.paths());
    let names = tracked.filter_map(|path| seat.inside(path)?.strip_prefix("decided/"));
    let names: Vec<String> = names.map(str::to_owned).collect();
    let remark = |id| {
        let message = format!("`{id}` was applied on one branch and rejected on another");
        Remark::new(Rule::DecisionDisputed, &format!("decided/{id}.rejected"), message)
    };
    disputed_among(&names).into_iter().map(remark).collect()
}
