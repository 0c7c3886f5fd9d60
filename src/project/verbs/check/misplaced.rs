//! Finds unexpected entries where a memory file or folder belongs.

use crate::project::check::{Remark, Rule};
use crate::project::store::{Layout, Seat, Tree, UnexpectedEntry, misplaced, unexpected_entries};

pub(super) fn on_disk(layout: &Layout) -> Vec<Remark> {
    let of = |UnexpectedEntry { path, kind, wanted, .. }| Some(remark(&path, kind, wanted?));
    unexpected_entries(layout).into_iter().filter_map(of).collect()
}

/// Finds submodules and entries of the wrong type in a commit, or among staged files.
pub(super) fn in_tree(tree: &Tree, seat: &Seat) -> Vec<Remark> {
    let submodules = tree.submodules().filter_map(|path| seat.inside(path)).map(|path| {
        let message = "it is a submodule, and memory in a repository of its own is not supported";
        Remark::new(Rule::FileUnreadable, path, message)
    });
    let files = tree.files().filter_map(|path| seat.inside(path));
    let others = misplaced(files);
    submodules.chain(others.iter().map(|(path, is, wanted)| remark(path, is, wanted))).collect()
}

fn remark(path: &str, is: &str, wanted: &str) -> Remark {
    Remark::new(Rule::FileUnreadable, path, format!("it is {is}, where {wanted} belongs"))
}
