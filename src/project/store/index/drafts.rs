//! Works out what is to be written about a file, without the database.

use std::cell::OnceCell;
use std::collections::HashMap;

use super::dates::{day_in, in_words};
use super::entries::{Entry, HEADING_JOINT, entries};
use super::identifiers::parts;
use super::sources::write_sources;
use super::words::{head, terms};
use crate::contract::{ContentHash, Sha256Digest};
use crate::markdown::Outline;
use crate::project::schema::read_fields;
use crate::secrets::Scanner;

#[derive(Debug)]
pub(super) struct Known {
    pub(super) id: i64,
    pub(super) line: u32,
    pub(super) hash: String,
    pub(super) withheld: bool,
}

/// What the database knows of the sections of a file, by key; of equal ones the first is last.
pub(super) type KnownSections = HashMap<Sha256Digest, Vec<Known>>;

#[derive(Debug, Clone, Copy)]
pub(super) struct File<'a> {
    pub(super) path: &'a str,
    pub(super) outline: &'a Outline<'a>,
    /// Whether its sections follow one another in time.
    pub(super) is_log: bool,
}

#[derive(Debug, Default)]
pub(super) struct Drafts {
    pub(super) sections: Vec<Draft>,
    pub(super) gone: Vec<i64>,
    /// Whether a secret is found in what may have been written before it was one, as where a mark that allowed it went.
    pub(super) is_regretted: bool,
}

#[derive(Debug)]
pub(super) enum Draft {
    /// It may have moved.
    Kept {
        known: Known,
        line: u32,
        hash: String,
    },
    /// It holds a secret: that it is there is all that may be known.
    Withheld {
        key: Sha256Digest,
        line: u32,
    },
    New(Box<NewSection>),
}

#[derive(Debug)]
pub(super) struct NewSection {
    pub(super) key: Sha256Digest,
    pub(super) line: u32,
    pub(super) hash: String,
    pub(super) section_id: Option<String>,
    pub(super) heading: String,
    pub(super) archived: bool,
    pub(super) sources: String,
    pub(super) day: Option<String>,
    pub(super) body: String,
    /// What is found by its words, in the order of the columns of the database.
    pub(super) columns: [String; COLUMNS.len()],
}

/// The heading; the headings above, the names of file and section and, of a log, the date in words; the text; parts of
/// identifiers; of a log the two sections before, and the two behind.
pub(super) const COLUMNS: [&str; 6] = ["heading", "names", "body", "parts", "before", "after"];

const WITHHELD: &str = "[withheld]";

const NEIGHBOURS: [isize; 4] = [-2, -1, 1, 2];

const NEIGHBOUR_BYTES: usize = 2 * 1024;

/// The headings above a section, and its own, as they may be shown.
#[derive(Debug, Default)]
struct HeadingPath {
    text: String,
    /// Most sections have none below them that would ask for it.
    digest: OnceCell<Sha256Digest>,
}

impl HeadingPath {
    fn digest(&self) -> Sha256Digest {
        *self.digest.get_or_init(|| ContentHash::digest(self.text.as_bytes()))
    }

    fn with(&self, heading: &str) -> Self {
        let text = match self.text.as_str() {
            "" => heading.to_owned(),
            outer => format!("{outer}{HEADING_JOINT}{heading}"),
        };
        Self { text, digest: OnceCell::new() }
    }
}

pub(super) fn draft(scanner: &Scanner, file: &File<'_>, mut known: KnownSections) -> Drafts {
    let entries = entries(file.outline);
    let neighbours = if file.is_log { siblings(&entries) } else { Vec::new() };
    let neighbours_of = |position: usize| neighbours.get(position).copied().unwrap_or_default();
    // The first has no heading: it stands above those that have none above them.
    let mut shown = vec![HeadingPath::default()];
    let above = |entry: &Entry<'_>| entry.parent.map_or(0, |parent| parent + 1);
    let mut found = Vec::with_capacity(entries.len());
    for (position, entry) in entries.iter().enumerate() {
        let outer = &shown[above(entry)];
        let near = neighbours_of(position).map(|other| other.map(|at| &entries[at]));
        let key = entry.key(outer.digest(), near);
        let row = known.get_mut(&key).and_then(Vec::pop);
        let withheld = match &row {
            Some(row) => row.withheld,
            None => !scanner.scan(entry.own).is_empty(),
        };
        shown.push(outer.with(if withheld { WITHHELD } else { entry.heading }));
        found.push((key, row, withheld));
    }
    let is_withheld: Vec<bool> = found.iter().map(|(_, _, withheld)| *withheld).collect();
    let write = |(position, (key, row, withheld)): (usize, (Sha256Digest, Option<Known>, bool))| {
        let entry = &entries[position];
        match row {
            Some(known) => {
                let hash = if withheld { String::new() } else { entry.hash.to_string() };
                Draft::Kept { known, line: entry.line, hash }
            }
            None if withheld => Draft::Withheld { key, line: entry.line },
            None => {
                let near = neighbours_of(position)
                    .map(|other| other.filter(|at| !is_withheld[*at]).map(|at| &entries[at]));
                let outer = &shown[above(entry)];
                Draft::New(Box::new(write_section(file, entry, outer, key, near)))
            }
        }
    };
    let sections: Vec<Draft> = found.into_iter().enumerate().map(write).collect();
    let gone: Vec<Known> = known.into_values().flatten().collect();
    let is_regretted = has_new_secret(&sections, &gone);
    Drafts { sections, gone: gone.iter().map(|row| row.id).collect(), is_regretted }
}

/// Tells whether more is withheld than was, and something went that may have held it.
fn has_new_secret(sections: &[Draft], gone: &[Known]) -> bool {
    let withheld = sections.iter().filter(|draft| matches!(draft, Draft::Withheld { .. })).count();
    let were = gone.iter().filter(|row| row.withheld).count();
    withheld > were && were < gone.len()
}

/// Returns the neighbours of each entry among those that stand in the same section.
fn siblings(entries: &[Entry<'_>]) -> Vec<[Option<usize>; NEIGHBOURS.len()]> {
    let mut families: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
    let mut place = Vec::with_capacity(entries.len());
    for (position, entry) in entries.iter().enumerate() {
        let family = families.entry(entry.parent).or_default();
        place.push(family.len());
        family.push(position);
    }
    let near = |(entry, place): (&Entry<'_>, &usize)| {
        NEIGHBOURS.map(|distance| {
            let other = place.checked_add_signed(distance)?;
            families[&entry.parent].get(other).copied()
        })
    };
    entries.iter().zip(&place).map(near).collect()
}

fn write_section(
    file: &File<'_>,
    entry: &Entry<'_>,
    outer: &HeadingPath,
    key: Sha256Digest,
    near: [Option<&Entry<'_>>; NEIGHBOURS.len()],
) -> NewSection {
    let section_id = entry.section_id.map(|id| id.as_str());
    let heading = outer.with(entry.heading).text;
    let names = format!("{} {}", file.path.trim_end_matches(".md"), section_id.unwrap_or_default());
    let day = day_of(file, entry, &outer.text);
    let date = day.as_deref().filter(|_| file.is_log).map(in_words).unwrap_or_default();
    let [first, second, third, fourth] = near.map(|other| other.map_or("", nearby));
    let columns = [
        terms(entry.heading),
        terms(&format!("{}\n{names}\n{date}", outer.text)),
        terms(entry.body),
        parts(&format!("{heading}\n{names}\n{}", entry.body)),
        format!("{first} {second}"),
        format!("{third} {fourth}"),
    ];
    NewSection {
        key,
        line: entry.line,
        hash: entry.hash.to_string(),
        section_id: section_id.map(str::to_owned),
        archived: entry.archived || file.path.starts_with("archive/"),
        sources: write_sources(entry.sources),
        day,
        columns,
        body: entry.body.to_owned(),
        heading,
    }
}

/// Returns the day that a section is about, or on which it was last written.
fn day_of(file: &File<'_>, entry: &Entry<'_>, outer: &str) -> Option<String> {
    let innermost_first = || outer.rsplit(HEADING_JOINT);
    let said = || read_fields(entry.body).into_iter().find(|field| field.name == "Date");
    day_in(entry.heading)
        .or_else(|| innermost_first().find_map(day_in))
        .or_else(|| day_in(file.path))
        .map(str::to_owned)
        .or_else(|| said().and_then(|field| day_in(field.value).map(str::to_owned)))
        .or_else(|| entry.sources.iter().map(|source| source.date.clone()).max())
}

fn nearby<'e>(entry: &'e Entry<'_>) -> &'e str {
    entry.nearby.get_or_init(|| {
        let body = head(entry.body, NEIGHBOUR_BYTES);
        terms(&format!("{}\n{body}", entry.heading))
    })
}
