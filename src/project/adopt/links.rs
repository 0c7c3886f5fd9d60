//! Makes the links of notes lead where they led, also to notes that got other paths.

use std::collections::{BTreeMap, BTreeSet};

use super::anchors::NoteAnchors;
use super::file_links::{BrokenLink, LinkFolders, NewTarget, is_file_name};
use super::note_paths::stem_of;
use crate::contract::SectionId;
use crate::markdown::{
    LinkTarget, Outline, decoded, file_name, joined, relative, split_target, with_new_targets,
};
use crate::text::{composed, slug};

/// A note with its path before, in the folder of notes, and now, in the store.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MovedNote<'a> {
    pub from: &'a str,
    pub to: &'a str,
    pub text: &'a str,
}

/// Knows every note by the names that a link may call it.
#[derive(Debug)]
pub(crate) struct LinkRewriter<'a> {
    notes: Vec<(MovedNote<'a>, NoteAnchors)>,
    /// The ids in all of them.
    ids: BTreeSet<SectionId>,
    /// By the path before, composed; a log of decisions becomes several notes.
    by_path: BTreeMap<String, Vec<usize>>,
    /// By the file name without its ending, for `[[Name]]`; nothing where several have it.
    by_name: BTreeMap<String, Option<usize>>,
}

/// A note with its links rewritten.
#[derive(Debug, Default)]
pub(crate) struct LinkedNote {
    pub text: String,
    /// How many links were changed.
    pub links: usize,
    pub broken: Vec<BrokenLink>,
}

/// The note that a link leads to now.
struct NoteTarget {
    file: String,
    fragment: Option<String>,
}

impl<'a> LinkRewriter<'a> {
    pub(crate) fn of(notes: &[MovedNote<'a>]) -> Self {
        let mut by_path: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut by_name = BTreeMap::new();
        for (index, note) in notes.iter().enumerate() {
            let of_file = by_path.entry(composed(note.from).into_owned()).or_default();
            of_file.push(index);
            if of_file.len() > 1 {
                continue;
            }
            let names = by_name.entry(name_of(note.from));
            names.and_modify(|only| *only = None).or_insert(Some(index));
        }
        let anchors = |note: &MovedNote<'a>| (*note, NoteAnchors::of(&Outline::read(note.text)));
        let notes: Vec<_> = notes.iter().map(anchors).collect();
        let ids = notes.iter().flat_map(|(_, anchors)| anchors.ids.iter().cloned()).collect();
        Self { notes, ids, by_path, by_name }
    }

    /// Rewrites the links of a note that would lead elsewhere; every other byte stays.
    pub(crate) fn apply(&self, note: &MovedNote<'_>, folders: &LinkFolders<'_>) -> LinkedNote {
        let mut broken = Vec::new();
        let new_target = |target: &LinkTarget, former: &str| {
            let new = match target.is_wiki {
                true if self.is_wiki_file(note, target) => {
                    folders.new_wiki_target(note.from, note.to, former)
                }
                true => return self.wiki(note, target),
                false => self
                    .to_note(note, former)
                    .unwrap_or_else(|| folders.new_target(note.from, note.to, former)),
            };
            match new {
                NewTarget::Stays => None,
                NewTarget::Changed(new) => Some(new),
                NewTarget::Broken(reason) => {
                    let (line, target) = (target.line, former.to_owned());
                    broken.push(BrokenLink { line, target, reason });
                    None
                }
            }
        };
        let (text, links) = with_new_targets(&Outline::read(note.text), new_target);
        LinkedNote { text, links, broken }
    }

    /// Decides on a link such as `file.md?query#fragment`; nothing if it leads to no note.
    fn to_note(&self, note: &MovedNote<'_>, target: &str) -> Option<NewTarget> {
        let (raw, rest) = split_target(target);
        let (query, fragment) = split(rest);
        let file = decoded(raw);
        if file.contains(':') {
            return None;
        }
        let (found, anchors) = &self.notes[self.at_path(note, &file, fragment)?];
        let still_leads = file.is_empty() || joined(note.to, &file).as_deref() == Some(found.to);
        let file = if still_leads { raw.to_owned() } else { relative(note.to, found.to) };
        let fragment = fragment.map(|it| anchors.id_for(it));
        let new = NoteTarget { file: file + query, fragment }.written();
        Some(if new == target { NewTarget::Stays } else { NewTarget::Changed(new) })
    }

    /// Returns the note that a path leads to; an empty one leads to the note that it stands in.
    fn at_path(&self, note: &MovedNote<'_>, path: &str, fragment: Option<&str>) -> Option<usize> {
        let path = match path {
            "" => note.from.to_owned(),
            path => joined(note.from, path)?,
        };
        let of_file = self.by_path.get(composed(&path).as_ref())?;
        let has_it = |&index: &usize| {
            let anchors = &self.notes[index].1;
            fragment.is_some_and(|it| anchors.has(&anchors.id_for(it)))
        };
        let is_itself = |&index: &usize| self.notes[index].0.to == note.to;
        let mut choices = of_file.iter().copied();
        let found = choices.clone().find(has_it).or_else(|| choices.clone().find(is_itself));
        found.or_else(|| choices.next())
    }

    /// Returns what stands for `[[Name#Heading]]`; nothing if it may stay. The words that a reader sees stay.
    fn wiki(&self, note: &MovedNote<'_>, target: &LinkTarget) -> Option<String> {
        let words = &note.text[target.bytes.clone()];
        let (name, fragment) = split(words);
        // What is an id already is one: it comes first where it is looked up.
        if fragment.is_none() && (name.is_empty() || self.is_id(name)) {
            return None;
        }
        let found =
            if name.is_empty() { self.at_path(note, "", fragment) } else { self.named(note, name) };
        let (found, anchors) = &self.notes[found?];
        let fragment = fragment.map(|it| anchors.id_for(it));
        let new = NoteTarget { file: stem_of(found.to)?.to_owned(), fragment };
        let short = if name.is_empty() { String::new() } else { name_of(found.to) };
        let plain = |text: &str| {
            let parts = stem_of(text).unwrap_or(text).split('/');
            parts.map(|part| slug(part, usize::MAX)).collect::<Vec<_>>().join("/")
        };
        let is_found = plain(name) == short || name.trim_end_matches(".md") == new.file;
        let has_id = match (split(words).1, &new.fragment) {
            (Some(before), Some(now)) => before == now || plain(before) == *now,
            (_, _) => true,
        };
        if is_found && has_id {
            return None;
        }
        let is_bare = note.text[target.bytes.end..].starts_with("]]");
        let shown = if is_bare { format!("|{words}") } else { String::new() };
        Some(NoteTarget { file: short, ..new }.written() + &shown)
    }

    /// Tells whether `[[name]]` leads to no note but to a file; what `![[name]]` shows is there, or it is broken.
    fn is_wiki_file(&self, note: &MovedNote<'_>, target: &LinkTarget) -> bool {
        let (name, _) = split(&note.text[target.bytes.clone()]);
        let is_shown = note.text[..target.bytes.start].ends_with("![[");
        let is_file = !name.is_empty() && (is_shown || is_file_name(name));
        is_file && !self.is_id(name) && self.named(note, name).is_none()
    }

    fn is_id(&self, name: &str) -> bool {
        SectionId::parse(name).is_some_and(|id| self.ids.contains(&id))
    }

    fn named(&self, note: &MovedNote<'_>, name: &str) -> Option<usize> {
        let name = composed(name);
        let paths = [joined(note.from, &name), Some(name.clone().into_owned())];
        let by_path = |path: String| {
            let with_ending = format!("{path}.md");
            let found = self.by_path.get(&path).or_else(|| self.by_path.get(&with_ending))?;
            found.first().copied()
        };
        let found = paths.into_iter().flatten().find_map(by_path);
        found.or_else(|| self.by_name.get(&name_of(&name)).copied().flatten())
    }
}

impl NoteTarget {
    fn written(&self) -> String {
        match &self.fragment {
            Some(fragment) => format!("{}#{fragment}", self.file),
            None => self.file.clone(),
        }
    }
}

fn split(target: &str) -> (&str, Option<&str>) {
    match target.split_once('#') {
        Some((file, fragment)) => (file, Some(fragment)),
        None => (target, None),
    }
}

/// Returns the file name without its ending, in the form in which `[[Name]]` is looked up.
fn name_of(path: &str) -> String {
    let name = file_name(path);
    composed(stem_of(name).unwrap_or(name)).to_lowercase()
}

#[cfg(test)]
mod tests;
