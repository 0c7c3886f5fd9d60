//! Knows a section again of which both sides changed the heading, where no id tells that it is the same.

use std::collections::BTreeSet;

use similar::{Algorithm, capture_diff_slices, diff_ratio};

use crate::markdown::Part;

/// Of so many words the same, two sections are one with another heading.
const ALIKE: f32 = 0.75;

/// So many pairs of sections are compared word by word; where there are more, only a title is known again. Each pair takes
/// some microseconds, and a pull request may bring any number.
const MOST_PAIRS: usize = 20_000;

/// Gives what took the place of a section on both sides, under headings that differ, the key of that section.
pub(super) fn follow_headings(base: &[Part<'_>], sides: [&mut Vec<Part<'_>>; 2]) {
    let [ours, theirs] = sides;
    let kept: BTreeSet<String> =
        ours.iter().chain(theirs.iter()).map(|part| part.key.clone()).collect();
    let has_no_id = |part: &&Part<'_>| part.level > 0 && !part.key.starts_with('#');
    let is_gone = |part: &&Part<'_>| !kept.contains(&part.key);
    let gone: Vec<&Part<'_>> = base.iter().filter(has_no_id).filter(is_gone).collect();
    let [mut our_news, mut their_news] =
        [&*ours, &*theirs].map(|side| News::of(base, side, gone.len()));
    let mut found = Vec::new();
    for part in gone {
        if let (Some(our), Some(their)) = (our_news.replacement(part), their_news.replacement(part))
            && ours[our].key != theirs[their].key
        {
            // One section takes the place of one.
            our_news.parts.retain(|(at, ..)| *at != our);
            their_news.parts.retain(|(at, ..)| *at != their);
            found.push((&part.key, our, their));
        }
    }
    for (key, our, their) in found {
        ours[our].key.clone_from(key);
        theirs[their].key.clone_from(key);
    }
}

/// What is new on a side, to find there what took the place of a section that is gone.
pub(super) struct News<'p> {
    /// The key of the title of the file before. A file has one title.
    title: Option<&'p str>,
    /// Their numbers on the side, their levels, whether they are its title, and their words.
    parts: Vec<(usize, u8, bool, Vec<&'p str>)>,
    /// Whether there are few enough to compare.
    are_few: bool,
}

impl<'p> News<'p> {
    /// Lists what is new on a side, of which so many sections are to be looked for.
    pub(super) fn of(base: &'p [Part<'_>], side: &'p [Part<'_>], gone: usize) -> Self {
        let known: BTreeSet<&str> = base.iter().map(|part| part.key.as_str()).collect();
        let title = |parts: &'p [Part<'_>]| parts.iter().position(|part| part.level > 0);
        let title_here = title(side);
        let new = side.iter().enumerate().filter(|(_, part)| !known.contains(part.key.as_str()));
        let new = new.map(|(at, part)| (at, part.level, title_here == Some(at), words(part.text)));
        let parts: Vec<_> = new.collect();
        let are_few = parts.len().saturating_mul(gone) <= MOST_PAIRS;
        Self { title: title(base).map(|at| base[at].key.as_str()), parts, are_few }
    }

    /// Finds what took the place of a section that is gone: what says the same, or is the title as that was.
    pub(super) fn replacement(&self, gone: &Part<'_>) -> Option<usize> {
        let is_title = gone.level == 1 && self.title == Some(gone.key.as_str());
        let before = words(gone.text);
        let is_same = |(_, level, is_title_here, now): &&(usize, u8, bool, Vec<&str>)| {
            *level == gone.level
                && ((is_title && *is_title_here) || (self.are_few && is_alike(&before, now)))
        };
        self.parts.iter().find(is_same).map(|(at, ..)| *at)
    }
}

fn is_alike(one: &[&str], other: &[&str]) -> bool {
    let ratio = || {
        let changes = capture_diff_slices(Algorithm::Myers, one, other);
        diff_ratio(&changes, one.len(), other.len())
    };
    !one.is_empty() && !other.is_empty() && ratio() >= ALIKE
}

/// Returns the words below a heading and its anchors.
fn words(text: &str) -> Vec<&str> {
    let below = text.lines().skip(1).filter(|line| !line.starts_with("<!-- @"));
    below.flat_map(str::split_whitespace).collect()
}
