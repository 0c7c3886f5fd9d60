//! Which proposal ids are in use.

use super::decided;
use crate::disk::files;
use crate::error::Result;
use crate::project::request::ProposalId;
use crate::project::store::layout::{self, Layout};

/// The names in the queue and in `decided/`, each folder read once.
#[derive(Debug)]
pub(crate) struct Taken {
    /// Pending proposals, oldest first.
    pub(crate) waiting: Vec<String>,
    /// The files of decisions, and of kept proposals.
    decided: Vec<String>,
}

impl Taken {
    pub(crate) fn read(layout: &Layout) -> Result<Self> {
        let decided = files::list(&layout.decided())?;
        let mut waiting = files::list(&layout.staging())?;
        let known = decided::of_names(&decided);
        waiting.retain(|name| ProposalId::parse(name).is_none_or(|id| !known.contains_key(&id)));
        Ok(Self { waiting, decided })
    }

    /// Tells whether no proposal with this id is pending, decided or rejected.
    pub(crate) fn is_free(&self, layout: &Layout, id: &ProposalId) -> bool {
        let places = [layout::shown_path(id), layout::trash_path(id), layout::rejection_path(id)];
        let is_own = |file: &String| file.split('.').next() == Some(id.as_str());
        self.waiting.iter().all(|name| name != id.as_str())
            && !self.decided.iter().any(is_own)
            && !places.iter().any(|place| files::exists(&layout.inside(place)))
    }
}

/// Lists the pending proposals, oldest first.
pub(crate) fn names(layout: &Layout) -> Result<Vec<String>> {
    Ok(Taken::read(layout)?.waiting)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_free_until_something_has_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let layout = Layout::new_in(folder.path());
        let id = ProposalId::parse("20261120-100000-x-abcd").expect("an id");
        let is_free = || Taken::read(&layout).expect("it is read").is_free(&layout, &id);
        assert!(is_free());
        let decided = |end: &str| layout.decided().join(format!("{id}.{end}"));
        let places = [
            decided("applied"),
            decided("rejected"),
            decided("json"),
            layout.inside(&layout::rejection_path(&id)),
            layout.inside(&layout::shown_path(&id)),
            layout.inside(&layout::trash_path(&id)),
            layout.staging().join(id.as_str()),
        ];
        for place in places {
            files::write(&place, b"").expect("it is written");
            assert!(!is_free(), "{}", place.display());
            files::discard(&place).expect("it goes");
            assert!(is_free(), "{}", place.display());
        }
    }

    #[test]
    fn what_was_decided_on_another_branch_waits_no_more() {
        let folder = tempfile::tempdir().expect("a folder");
        let layout = Layout::new_in(folder.path());
        let [one, other] = ["20261120-100000-x-abcd", "20261120-100000-x-abce"];
        for id in [one, other] {
            files::write(&layout.staging().join(id).join("proposal.json"), b"").expect("it waits");
        }
        files::write(&layout.decided().join(format!("{one}.rejected")), b"").expect("a decision");
        assert_eq!(names(&layout).expect("they are read"), [other]);
    }
}
