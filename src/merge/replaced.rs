//! Knows a section again of which both sides changed the heading, where no id tells that it is the same.

use std::cell::Cell;
use std::collections::BTreeSet;

use similar::{Algorithm, capture_diff_slices, diff_ratio};

use crate::markdown::Part;

/// Of so many words the same, two sections are one with another heading.
const ALIKE: f32 = 0.75;

/// How much is compared word by word in one merge: so many pairs of words take a second. A pull request may bring any number.
const MOST_WORK: usize = 20_000_000;

/// How much may still be compared in a merge.
#[derive(Debug)]
pub(super) struct Work(Cell<usize>);

impl Default for Work {
    fn default() -> Self {
        Self(Cell::new(MOST_WORK))
    }
}

impl Work {
    /// Tells whether there was too much to compare, so that what took the place of what is not known.
    pub(super) fn is_used_up(&self) -> bool {
        self.0.get() == 0
    }

    /// Takes some of it; tells whether there was enough.
    fn take(&self, amount: usize) -> bool {
        let left = self.0.get().checked_sub(amount);
        self.0.set(left.unwrap_or_default());
        left.is_some()
    }
}

/// Gives what took the place of a section on both sides, under headings that differ, the key of that section.
pub(super) fn follow_headings(base: &[Part<'_>], sides: [&mut Vec<Part<'_>>; 2], work: &Work) {
    let [ours, theirs] = sides;
    let kept: BTreeSet<String> =
        ours.iter().chain(theirs.iter()).map(|part| part.key.clone()).collect();
    let has_no_id = |part: &&Part<'_>| part.level > 0 && !part.key.starts_with('#');
    let is_gone = |part: &&Part<'_>| !kept.contains(&part.key);
    let [mut our_new, mut their_new] =
        [&*ours, &*theirs].map(|side| NewParts::of(base, side, work));
    let mut found = Vec::new();
    for part in base.iter().filter(has_no_id).filter(is_gone) {
        if let (Some(our), Some(their)) = (our_new.replacement(part), their_new.replacement(part))
            && ours[our].key != theirs[their].key
        {
            // One section takes the place of one.
            our_new.parts.retain(|new| new.index != our);
            their_new.parts.retain(|new| new.index != their);
            found.push((&part.key, our, their));
        }
    }
    for (key, our, their) in found {
        ours[our].key.clone_from(key);
        theirs[their].key.clone_from(key);
    }
}

/// What is new on a side, to find there what took the place of a section that is gone.
pub(super) struct NewParts<'p> {
    /// The key of the title of the file before. A file has one title.
    title: Option<&'p str>,
    parts: Vec<NewPart<'p>>,
    work: &'p Work,
}

struct NewPart<'p> {
    index: usize,
    level: u8,
    is_title: bool,
    words: Vec<&'p str>,
}

impl<'p> NewParts<'p> {
    pub(super) fn of(base: &'p [Part<'_>], side: &'p [Part<'_>], work: &'p Work) -> Self {
        let known: BTreeSet<&str> = base.iter().map(|part| part.key.as_str()).collect();
        let title = |parts: &'p [Part<'_>]| parts.iter().position(|part| part.level > 0);
        let title_here = title(side);
        let new = side.iter().enumerate().filter(|(_, part)| !known.contains(part.key.as_str()));
        let parts = new.map(|(index, part)| NewPart {
            index,
            level: part.level,
            is_title: title_here == Some(index),
            words: words(part.text),
        });
        let title = title(base).map(|at| base[at].key.as_str());
        Self { title, parts: parts.collect(), work }
    }

    /// Finds what took the place of a section that is gone: what says the same, or is the title as that was.
    pub(super) fn replacement(&self, gone: &Part<'_>) -> Option<usize> {
        let is_title = gone.level == 1 && self.title == Some(gone.key.as_str());
        let before = words(gone.text);
        let is_same = |new: &&NewPart<'_>| {
            new.level == gone.level
                && ((is_title && new.is_title) || is_alike(&before, &new.words, self.work))
        };
        self.parts.iter().find(is_same).map(|new| new.index)
    }
}

fn is_alike(one: &[&str], other: &[&str], work: &Work) -> bool {
    let (short, long) = (one.len().min(other.len()), one.len().max(other.len()));
    #[expect(clippy::cast_precision_loss, reason = "a share of words need not be exact")]
    let may_be = short > 0 && 2.0 * short as f32 >= ALIKE * (short + long) as f32;
    if !work.take(1) || !may_be {
        return false;
    }
    one == other
        || (work.take(short * long) && {
            let changes = capture_diff_slices(Algorithm::Myers, one, other);
            diff_ratio(&changes, one.len(), other.len()) >= ALIKE
        })
}

/// Returns the words below a heading and its anchors.
fn words(text: &str) -> Vec<&str> {
    let below = text.lines().skip(1).filter(|line| !line.starts_with("<!-- @"));
    below.flat_map(str::split_whitespace).collect()
}
