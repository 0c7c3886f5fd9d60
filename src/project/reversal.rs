//! Takes the change of a file back, part by part, as long as these parts have not changed since.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::contract::ContentHash;
use crate::markdown::{FilePart, Outline, part_title, parts};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reversal {
    /// The file, relative to the store.
    pub path: String,
    /// Hash of the file as the change left it.
    after: ContentHash,
    former: FormerText,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum FormerText {
    /// There was no file; these parts came with it.
    Absent(Vec<ChangedPart>),
    /// There was a file of which these parts were different.
    Parts(Vec<ChangedPart>),
    /// There was a file with the same parts in another order.
    Whole(String),
    /// It held what must not be copied.
    Withheld,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct ChangedPart {
    key: String,
    /// Hash of its text after, without what is blank at the end; none if it was removed.
    after: Option<ContentHash>,
    /// Its text before; none if it is new.
    before: Option<String>,
    /// The part that stood before it, for one that was removed.
    behind: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Undone {
    Text(String),
    /// It goes: the change had made it, and nothing came to it since.
    Gone,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Obstacle {
    Changed(Vec<String>),
    /// What it took away was not kept, as it held what looks like a secret.
    Withheld,
}

/// A section up to the next heading, as a reversal knows it again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mark {
    pub key: String,
    /// The hash of its text, without what is blank at the end.
    pub hash: ContentHash,
}

pub(crate) fn marks(outline: &Outline<'_>) -> Vec<Mark> {
    let parts = parts(outline);
    let first = parts.len() - outline.sections().len();
    let marks = parts.into_iter().skip(first);
    marks.map(|part| Mark { hash: trimmed_hash(part.text), key: part.key }).collect()
}

impl Reversal {
    pub fn of(
        path: &str,
        before: Option<&Outline<'_>>,
        after: &Outline<'_>,
        hash: &ContentHash,
    ) -> Self {
        let new = parts(after);
        // The title of a new file stays, as later changes may need it.
        let old = before.map_or_else(|| frame(after), parts);
        let changed = changed_parts(&old, &new);
        let old_text: String = old.iter().map(|part| part.text).collect();
        let exact = old_text == put_back(&new, &changed, true);
        let former = match before {
            None => FormerText::Absent(changed),
            Some(_) if exact => FormerText::Parts(changed),
            Some(before) => FormerText::Whole(before.text().to_owned()),
        };
        Self { path: path.to_owned(), after: hash.clone(), former }
    }

    /// Forgets the former text if it holds what must not be copied.
    #[must_use]
    pub fn withheld_if(mut self, is_secret: impl Fn(&str) -> bool) -> Self {
        let hit = match &self.former {
            FormerText::Absent(parts) | FormerText::Parts(parts) => {
                parts.iter().flat_map(ChangedPart::texts).any(is_secret)
            }
            FormerText::Whole(text) => is_secret(text),
            FormerText::Withheld => true,
        };
        if hit {
            self.former = FormerText::Withheld;
        }
        self
    }

    pub fn is_withheld(&self) -> bool {
        matches!(self.former, FormerText::Withheld)
    }

    pub fn take_back(&self, now: Option<&str>) -> Result<Undone, Obstacle> {
        let all = || Err(Obstacle::Changed(vec![String::new()]));
        // A file goes when nothing is left in it.
        let is_gone = now.is_none() && self.after == ContentHash::of(b"");
        let Some(now) = now.or(is_gone.then_some("")) else { return all() };
        let untouched = ContentHash::of(now.as_bytes()) == self.after;
        let changed = match &self.former {
            FormerText::Withheld => return Err(Obstacle::Withheld),
            FormerText::Absent(_) if untouched => return Ok(Undone::Gone),
            FormerText::Whole(text) if untouched => return Ok(Undone::Text(text.clone())),
            FormerText::Whole(_) => return all(),
            FormerText::Absent(changed) | FormerText::Parts(changed) => changed,
        };
        let outline = Outline::read(now);
        let parts = parts(&outline);
        let here: HashMap<&str, &str> = parts.iter().map(|it| (it.key.as_str(), it.text)).collect();
        let is_left = |part: &&ChangedPart| part.is_left_as(here.get(part.key.as_str()).copied());
        let drifted = changed.iter().filter(|part| !untouched && !is_left(part));
        let drifted: Vec<String> = drifted.map(|part| part_title(&part.key)).collect();
        if !drifted.is_empty() {
            return Err(Obstacle::Changed(drifted));
        }
        let text = put_back(&parts, changed, untouched);
        match disturbed(&outline, &Outline::read(&text), changed) {
            Some(title) if !untouched => Err(Obstacle::Changed(vec![title])),
            _ if text.is_empty() && matches!(self.former, FormerText::Absent(_)) => {
                Ok(Undone::Gone)
            }
            Some(_) | None => Ok(Undone::Text(text)),
        }
    }

    /// Returns the parts that the change touched, by their keys, each with the hash of its text after, if it is there;
    /// nothing where that is not known.
    pub fn touched(&self) -> Option<impl Iterator<Item = (&str, Option<&ContentHash>)>> {
        let (FormerText::Absent(changed) | FormerText::Parts(changed)) = &self.former else {
            return None;
        };
        let touched = changed.iter().filter(|part| !part.is_blank());
        Some(touched.map(|part| (part.key.as_str(), part.after.as_ref())))
    }

    /// Returns the parts that the change took out, by their keys, each with the hash of its text before.
    pub(crate) fn removed(&self) -> impl Iterator<Item = (&str, ContentHash)> {
        let changed = match &self.former {
            FormerText::Absent(changed) | FormerText::Parts(changed) => changed.as_slice(),
            FormerText::Whole(_) | FormerText::Withheld => &[],
        };
        let removed = changed.iter().filter(|part| part.after.is_none());
        removed.filter_map(|part| Some((&*part.key, trimmed_hash(part.before.as_deref()?))))
    }

    pub fn after(&self) -> &ContentHash {
        &self.after
    }
}

impl ChangedPart {
    /// Tells whether only blanks at its end changed, which belong to the next part.
    fn is_blank(&self) -> bool {
        self.before.as_deref().map(trimmed_hash) == self.after
    }

    /// Returns every piece of the file that is kept; a part without an id is known by its heading.
    fn texts(&self) -> impl Iterator<Item = &str> {
        [Some(&self.key), self.before.as_ref(), self.behind.as_ref()]
            .into_iter()
            .flatten()
            .map(String::as_str)
    }

    /// Returns the text that replaces the current one; nothing if the part was new.
    fn former_text<'t>(&'t self, now: &'t str, exact: bool) -> Option<Cow<'t, str>> {
        let before = self.before.as_deref()?;
        Some(match exact {
            true => before.into(),
            false if self.is_blank() => now.into(),
            false => format!("{}{}", before.trim_end(), &now[now.trim_end().len()..]).into(),
        })
    }

    /// Tells whether it holds what the change left there; none if it is gone.
    fn is_left_as(&self, now: Option<&str>) -> bool {
        self.is_blank() || now.map(trimmed_hash) == self.after
    }
}

/// Returns the parts that a new file has besides its sections: what stands first, and its title.
fn frame<'a>(outline: &Outline<'a>) -> Vec<FilePart<'a>> {
    parts(outline).into_iter().filter(|part| !part.key.starts_with('#')).collect()
}

fn changed_parts(old: &[FilePart<'_>], new: &[FilePart<'_>]) -> Vec<ChangedPart> {
    let old_texts: BTreeMap<&str, &str> = old.iter().map(|p| (p.key.as_str(), p.text)).collect();
    let new_texts: BTreeMap<&str, &str> = new.iter().map(|p| (p.key.as_str(), p.text)).collect();
    let written = new.iter().filter_map(|part| {
        let before = old_texts.get(part.key.as_str()).copied();
        (before != Some(part.text)).then(|| ChangedPart {
            key: part.key.clone(),
            after: Some(trimmed_hash(part.text)),
            before: before.map(str::to_owned),
            behind: None,
        })
    });
    let gone = old.iter().enumerate().filter(|(_, part)| !new_texts.contains_key(&*part.key));
    let gone = gone.map(|(number, part)| ChangedPart {
        key: part.key.clone(),
        after: None,
        before: Some(part.text.to_owned()),
        behind: number.checked_sub(1).map(|previous| old[previous].key.clone()),
    });
    written.chain(gone).collect()
}

/// Restores the former parts; what was removed goes behind the part that was before it, or to the end where that is
/// gone.
fn put_back(now: &[FilePart<'_>], changed: &[ChangedPart], exact: bool) -> String {
    let by_key: HashMap<&str, &ChangedPart> =
        changed.iter().map(|part| (part.key.as_str(), part)).collect();
    let here: HashSet<&str> = now.iter().map(|part| part.key.as_str()).collect();
    let is_removed =
        |part: &&ChangedPart| part.after.is_none() && !here.contains(part.key.as_str());
    let removed: Vec<&ChangedPart> = changed.iter().filter(is_removed).collect();
    let mut pending: HashMap<Option<&str>, &ChangedPart> =
        removed.iter().map(|part| (part.behind.as_deref(), *part)).collect();
    let mut texts: Vec<Cow<'_, str>> = Vec::new();
    put_behind(&mut texts, &mut pending, None);
    for part in now {
        let former = by_key.get(part.key.as_str());
        texts.extend(former.map_or(Some(part.text.into()), |it| it.former_text(part.text, exact)));
        put_behind(&mut texts, &mut pending, Some(&part.key));
    }
    for part in removed {
        put_behind(&mut texts, &mut pending, part.behind.as_deref());
    }
    let mut text = String::new();
    for part in texts {
        // A heading needs a line of its own, whatever an editor did to the end of the part before.
        if !exact && !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text += &part;
    }
    text
}

/// Puts what was removed behind a part, and what was behind that.
fn put_behind<'c>(
    texts: &mut Vec<Cow<'c, str>>,
    pending: &mut HashMap<Option<&'c str>, &'c ChangedPart>,
    mut key: Option<&'c str>,
) {
    while let Some(part) = pending.remove(&key) {
        texts.extend(part.before.as_deref().map(Cow::Borrowed));
        key = Some(&part.key);
    }
}

/// Names a part that would not be as it was, or as it should be, if a change was taken back so.
///
/// A section that came later may stand in one that goes, and what is put back may end in an open fence.
fn disturbed(now: &Outline<'_>, then: &Outline<'_>, changed: &[ChangedPart]) -> Option<String> {
    let (now, then) = (places(now), places(then));
    let expected: Vec<&ChangedPart> = changed.iter().filter(|part| !part.is_blank()).collect();
    let names: HashSet<&str> = expected.iter().map(|part| part.key.as_str()).collect();
    let is_changed = |key: &str| names.contains(key);
    let wrong = expected
        .into_iter()
        .map(|part| (&part.key, part.before.as_deref().map(str::trim_end)))
        .find(|(key, before)| then.get(*key).map(|(text, _)| *text) != *before);
    let kept = now.iter().filter(|(key, _)| !is_changed(key));
    let moved =
        kept.map(|(key, place)| (key, Some(place))).find(|(key, place)| then.get(*key) != *place);
    let extra = then.keys().find(|key| !now.contains_key(*key) && !is_changed(key));
    wrong.map(|(key, _)| key).or(moved.map(|(key, _)| key)).or(extra).map(|key| part_title(key))
}

/// Returns for each part its text, without what is blank at the end, and the part that it stands in.
fn places<'a>(outline: &Outline<'a>) -> BTreeMap<String, (&'a str, Option<String>)> {
    let parts = parts(outline).into_iter();
    let places = parts.map(|part| (part.key, (part.text.trim_end(), part.parent)));
    places.collect()
}

fn trimmed_hash(text: &str) -> ContentHash {
    ContentHash::of(text.trim_end().as_bytes())
}

#[cfg(test)]
mod tests;
