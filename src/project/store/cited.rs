//! The files that sections and requests cite, as they are now.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::blob_texts::blob_texts;
use super::repository::{FileToday, Repository};
use super::stand_in::stand_in;
use super::tree::{Tree, WorkTree};
use crate::cores::side_by_side;
use crate::markdown::SourceNote;
use crate::project::provenance::{Cited, Evidence, Freshness, LinesToday, Pin, cited_file};

/// A cache of cited files: none is read twice, but for the lines in one that changed.
#[derive(Debug)]
pub(crate) struct CitedFiles<'w> {
    repository: &'w Repository,
    known: RefCell<HashMap<String, FileToday>>,
    /// Where cited lines are now, by the blob in which they were cited, and the reference.
    lines: RefCell<HashMap<(String, String), LinesToday>>,
    /// What git tracks, once a cited file is gone.
    tracked: OnceCell<Tree>,
}

/// The texts of a cited file; none where git does not have it here, where it is too large, or where git converts it.
pub(crate) struct CitedTexts {
    pub(crate) then: Option<Vec<u8>>,
    pub(crate) today: Option<Vec<u8>>,
}

/// References by the blob in which lines were cited, and the reference of that time.
pub(crate) type StandIns = BTreeMap<(String, String), String>;

impl<'w> CitedFiles<'w> {
    pub(crate) fn of(repository: &'w Repository) -> Self {
        let (known, lines) = (RefCell::default(), RefCell::default());
        Self { repository, known, lines, tracked: OnceCell::new() }
    }

    /// Returns the worst freshness of the files that a section cites; `None` if it cites none.
    pub(crate) fn freshness(&self, sources: &[SourceNote]) -> Option<Freshness> {
        self.compare(sources.iter().filter_map(pin));
        sources.iter().filter_map(|source| self.freshness_of(source)).max()
    }

    /// Returns under which reference the cited lines of a source stand now, if they moved.
    pub(crate) fn moved_to(&self, source: &SourceNote) -> Option<String> {
        self.compare(pin(source).into_iter());
        match self.freshness_of(source)? {
            Freshness::Moved => self.lines_of(pin(source)?).moved_to(&source.reference),
            Freshness::Fresh | Freshness::Unchecked | Freshness::Stale | Freshness::Missing => None,
        }
    }

    /// Returns under which reference the text of a source stands now, if it is not where it was: its lines moved, or its
    /// file is gone and one other has the same text.
    pub(crate) fn stands_at(&self, source: &SourceNote) -> Option<String> {
        match self.freshness_of(source)? {
            Freshness::Missing => self.in_other_file(pin(source)?),
            Freshness::Fresh | Freshness::Moved | Freshness::Unchecked | Freshness::Stale => {
                self.moved_to(source)
            }
        }
    }

    /// Does this for pins whose files are gone.
    pub(crate) fn stand_ins<'p>(&self, gone: impl Iterator<Item = Pin<'p>>) -> StandIns {
        gone.filter_map(|pin| Some((key(pin), self.in_other_file(pin)?))).collect()
    }

    fn in_other_file(&self, pin: Pin<'_>) -> Option<String> {
        let tracked = self.tracked.get_or_init(|| {
            // Where git does not answer no other file is known.
            let tree = WorkTree::of(self.repository.git().clone()).ok().flatten();
            tree.and_then(|tree| tree.tree_staged(&[]).ok()).unwrap_or_default()
        });
        let as_cited = Evidence::Present(Some(pin.blob.to_owned()));
        stand_in(tracked, pin, |path| self.look_up(path) == as_cited)
    }

    /// Returns the text that the file of a source had, and the one that it has.
    pub(crate) fn texts(&self, source: &SourceNote) -> CitedTexts {
        let blob: BTreeSet<&str> = source.blob.as_deref().into_iter().collect();
        let then = blob_texts(self.repository.git(), &blob).into_values().next();
        let today = cited_file(&source.reference);
        CitedTexts { then, today: today.and_then(|it| self.repository.text_today(it.path)) }
    }

    /// Reads what many sections cite at once: git is asked twice, however many changed.
    pub(crate) fn look_ahead<'s>(&self, sources: impl IntoIterator<Item = &'s SourceNote>) {
        let pins: BTreeSet<Pin<'_>> = sources.into_iter().filter_map(pin).collect();
        let references: Vec<String> = pins.iter().map(|pin| pin.reference.to_owned()).collect();
        self.read_ahead(&references);
        self.compare(pins.into_iter());
    }

    /// Reads the files of many references at once, on all cores.
    pub(crate) fn read_ahead(&self, references: &[String]) {
        let cited = references.iter().filter_map(|each| cited_file(each));
        let paths: BTreeSet<&str> = cited.map(|cited| cited.path).collect();
        let is_new = |path: &&str| !self.known.borrow().contains_key(*path);
        let paths: Vec<&str> = paths.into_iter().filter(is_new).collect();
        let repository = self.repository;
        let found = side_by_side(&paths, |path| repository.file_today(path));
        let paths = paths.into_iter().map(str::to_owned);
        self.known.borrow_mut().extend(paths.zip(found));
    }

    pub(crate) fn look_up(&self, reference: &str) -> Evidence {
        let Some(cited) = cited_file(reference) else { return Evidence::Missing };
        let mut known = self.known.borrow_mut();
        if !known.contains_key(cited.path) {
            known.insert(cited.path.to_owned(), self.repository.file_today(cited.path));
        }
        known[cited.path].evidence(cited.last_line)
    }

    /// Finds the cited lines of files that are not what they were.
    pub(crate) fn find_lines<'p>(
        &self,
        pins: impl Iterator<Item = Pin<'p>>,
    ) -> BTreeMap<(String, String), LinesToday> {
        let pins: BTreeSet<Pin<'p>> = pins.collect();
        self.compare(pins.iter().copied());
        let known = self.lines.borrow();
        let found = pins.into_iter().filter_map(|pin| known.get_key_value(&key(pin)));
        found.map(|(key, lines)| (key.clone(), *lines)).collect()
    }

    fn freshness_of(&self, source: &SourceNote) -> Option<Freshness> {
        let today = source.kind.is_file().then(|| self.look_up(&source.reference))?;
        let whole = Freshness::of(source.blob.as_deref(), &today);
        let lines = pin(source).map_or(LinesToday::NotKnown, |pin| self.lines_of(pin));
        Some(lines.freshness(whole))
    }

    fn lines_of(&self, pin: Pin<'_>) -> LinesToday {
        self.lines.borrow().get(&key(pin)).copied().unwrap_or(LinesToday::NotKnown)
    }

    /// Compares cited lines with those of today, where the file changed and they were not compared yet.
    fn compare<'p>(&self, pins: impl Iterator<Item = Pin<'p>>) {
        let is_open = |pin: &Pin<'_>| {
            let whole = || Freshness::of(Some(pin.blob), &self.look_up(pin.reference));
            pin.lines().is_some()
                && !self.lines.borrow().contains_key(&key(*pin))
                && whole() == Freshness::Stale
        };
        let pins: BTreeSet<Pin<'p>> = pins.filter(is_open).collect();
        if pins.is_empty() {
            return;
        }
        let blobs = pins.iter().map(|pin| pin.blob).collect();
        let then = blob_texts(self.repository.git(), &blobs);
        let mut by_path: BTreeMap<&str, Vec<(Pin<'p>, &[u8])>> = BTreeMap::new();
        for pin in &pins {
            if let Some((cited, then)) = pin.lines().zip(then.get(pin.blob)) {
                by_path.entry(cited.path).or_default().push((*pin, then));
            }
        }
        let by_path: Vec<_> = by_path.into_iter().collect();
        let repository = self.repository;
        let find = |today: &[u8], pin: Pin<'_>, then: &[u8]| {
            pin.lines().map_or(LinesToday::NotKnown, |cited| LinesToday::find(&cited, then, today))
        };
        let found = side_by_side(&by_path, |(path, pins)| {
            let Some(today) = repository.text_today(path) else { return Vec::new() };
            pins.iter().map(|(pin, then)| (key(*pin), find(&today, *pin, then))).collect()
        });
        let mut lines = self.lines.borrow_mut();
        lines.extend(pins.into_iter().map(|pin| (key(pin), LinesToday::NotKnown)));
        lines.extend(found.into_iter().flatten());
    }
}

/// Returns what a source of a file pins, if its blob is known.
fn pin(source: &SourceNote) -> Option<Pin<'_>> {
    let blob = source.blob.as_deref().filter(|_| source.kind.is_file())?;
    Some(Pin { blob, reference: &source.reference })
}

fn key(pin: Pin<'_>) -> (String, String) {
    (pin.blob.to_owned(), pin.reference.to_owned())
}

/// Finds the cited lines of pins in the blobs of today.
pub(crate) fn lines_between(
    repository: &Repository,
    pins: &BTreeMap<Pin<'_>, &str>,
) -> BTreeMap<(String, String), LinesToday> {
    let pins = pins.iter().filter_map(|(pin, today)| Some((*pin, pin.lines()?, *today)));
    let pins: Vec<_> = pins.collect();
    let texts = blob_texts(
        repository.git(),
        &pins.iter().flat_map(|(pin, _, today)| [pin.blob, *today]).collect(),
    );
    let find = |(pin, cited, today): &(Pin<'_>, Cited<'_>, &str)| {
        let (then, today) = (texts.get(pin.blob)?, texts.get(today)?);
        Some((key(*pin), LinesToday::find(cited, then, today)))
    };
    pins.iter().filter_map(find).collect()
}

/// Finds the files of a tree that have the text of cited files that are gone from it.
pub(crate) fn stand_ins_in<'p>(tree: &Tree, gone: impl Iterator<Item = Pin<'p>>) -> StandIns {
    gone.filter_map(|pin| Some((key(pin), stand_in(tree, pin, |_| true)?))).collect()
}
