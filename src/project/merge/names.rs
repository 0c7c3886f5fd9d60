//! Counts how many sections have a name, to tell where names do not say which section became which.

use std::collections::BTreeMap;

use super::part_text::split;
use crate::markdown::FilePart;

/// The parts of each name, which is an id, or a level and a heading.
pub(super) struct PartNames<'a>(BTreeMap<String, Vec<&'a str>>);

impl<'a> PartNames<'a> {
    pub(super) fn of(parts: &[FilePart<'a>]) -> Self {
        let mut names: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for part in parts {
            let name = part.key.rsplit_once('\n').map_or("", |(name, _)| name);
            names.entry(name.to_owned()).or_default().push(split(part).0);
        }
        Self(names)
    }

    fn texts(&self, name: &str) -> &[&'a str] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }

    fn without(&self, other: &Self) -> Vec<&str> {
        self.0.keys().map(String::as_str).filter(|name| !other.0.contains_key(*name)).collect()
    }
}

/// Tells whether a side may have given a section another name, or it is not known which of several of a name came or
/// went: their numbers tell that only where one side left them, and the other added or took off the last ones.
pub(super) fn is_unclear([base, ours, theirs]: &[PartNames<'_>; 3]) -> bool {
    let is_uneven = |name: &String| {
        let [b, o, t] = [base, ours, theirs].map(|names| names.texts(name));
        let keeps_numbers = |side: &[&str]| side.starts_with(b) || b.starts_with(side);
        let is_told = (o == b && keeps_numbers(t)) || (t == b && keeps_numbers(o));
        let has_other_count = |side: &[&str]| ![0, b.len()].contains(&side.len());
        !is_told && (has_other_count(o) || has_other_count(t))
    };
    base.0.keys().any(is_uneven)
        || [ours, theirs]
            .into_iter()
            .any(|side| may_be_renamed(&base.without(side), &side.without(base)))
}

/// Tells whether one of some sections that are gone may be one of some new ones: ids tell where both have one.
fn may_be_renamed(gone: &[&str], new: &[&str]) -> bool {
    let has_plain = |names: &[&str]| names.iter().any(|name| !name.starts_with('#'));
    (has_plain(gone) && !new.is_empty()) || (!gone.is_empty() && has_plain(new))
}
