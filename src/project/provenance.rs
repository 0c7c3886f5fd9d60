//! Asks of a change what it rests on.

use std::collections::{BTreeMap, BTreeSet};

use crate::contract::{Confidence, SourceType};
use crate::markdown::SourceNote;
use crate::project::request::Source;
use crate::project::schema::Category;

/// What a look at the repository says of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    /// It is there; a file has a git blob id, of which the first 12 hex digits are kept.
    Present(Option<String>),
    /// It is there, and is no longer what it was when the request was made: this is the blob id of that time.
    Changed(String),
    /// It is there, but has only so many lines.
    Shorter(usize),
    /// It is not there.
    Missing,
    /// It is not of a kind that can be looked up here.
    Unchecked,
    /// It cannot be told here, and why.
    NotKnown(&'static str),
}

/// What a cited file has become since it was cited, the worst last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Freshness {
    /// It is the same.
    Fresh,
    /// It cannot be told here.
    Unchecked,
    /// It is another.
    Stale,
    /// It is gone.
    Missing,
}

impl Freshness {
    /// Compares the blob that was cited, if it was known, with the one of today.
    pub fn of(cited: Option<&str>, today: &Evidence) -> Self {
        match (today, cited) {
            (Evidence::Missing, _) => Self::Missing,
            (Evidence::Unchecked | Evidence::NotKnown(_), _) | (_, None) => Self::Unchecked,
            (Evidence::Present(Some(blob)), Some(cited)) if blob == cited => Self::Fresh,
            (Evidence::Present(_) | Evidence::Changed(_) | Evidence::Shorter(_), Some(_)) => {
                Self::Stale
            }
        }
    }

    /// Returns the word for people and the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fresh => "fresh",
            Self::Unchecked => "unchecked",
            Self::Stale => "stale",
            Self::Missing => "missing",
        }
    }
}

/// Sources, and where they stand in the request.
#[derive(Debug, Clone)]
pub(crate) struct SourceList<'a> {
    /// JSON pointer of the list.
    pub(crate) pointer: String,
    pub(crate) sources: &'a [Source],
}

/// What was found for each source of a request, by kind and reference.
#[derive(Debug)]
pub(crate) struct FoundEvidence(BTreeMap<(SourceType, String), Evidence>);

impl FoundEvidence {
    /// Takes the evidence of some sources, one for each.
    pub(crate) fn new(sources: Vec<Source>, evidence: Vec<Evidence>) -> Self {
        let keys = sources.into_iter().map(|source| (source.kind, source.reference));
        Self(keys.zip(evidence).collect())
    }

    /// Returns the sources that changed since the request was made.
    pub(crate) fn changed(&self) -> Vec<Source> {
        let changed = self.0.iter().filter(|(_, found)| matches!(found, Evidence::Changed(_)));
        let source = |(kind, reference): &(SourceType, String)| Source {
            kind: *kind,
            reference: reference.clone(),
            note: None,
        };
        changed.map(|(key, _)| source(key)).collect()
    }

    fn of(&self, source: &Source) -> &Evidence {
        self.0.get(&(source.kind, source.reference.clone())).unwrap_or(&Evidence::Unchecked)
    }
}

/// Returns which sources are not there, in sentences.
pub(crate) fn missing(list: &SourceList<'_>, found: &FoundEvidence) -> Vec<String> {
    let mut violations = Vec::new();
    for (index, source) in list.sources.iter().enumerate() {
        let what = match found.of(source) {
            Evidence::Present(_)
            | Evidence::Changed(_)
            | Evidence::Unchecked
            | Evidence::NotKnown(_) => continue,
            Evidence::Shorter(lines) => {
                format!("reaches beyond the end of a file of {lines} lines")
            }
            Evidence::Missing => why_missing(source).to_owned(),
        };
        let (Source { kind, reference, .. }, pointer) = (source, &list.pointer);
        violations.push(format!("{pointer}/{index}/ref: the {kind} `{reference}` {what}"));
    }
    violations
}

/// Says which of some categories need better evidence than these sources, in sentences.
pub(crate) fn lacking(list: &SourceList<'_>, categories: &[&Category]) -> Vec<String> {
    let solid =
        |source: &Source| !matches!(source.kind, SourceType::Inference | SourceType::External);
    let is_met = list.sources.iter().any(solid);
    let open = categories.iter().filter(|category| category.needs_evidence && !is_met);
    let say = |category: &&Category| {
        format!(
            "{}: a change of `{}` needs at least one source that is not `inference` or `external`",
            list.pointer, category.name
        )
    };
    open.map(say).collect()
}

/// Says which sources could not be looked up here, and why.
pub(crate) fn not_known(sources: &[Source], found: &FoundEvidence) -> Vec<String> {
    let say = |source: &Source| match found.of(source) {
        Evidence::NotKnown(why) => {
            Some(format!("the {} `{}` is not known: {why}", source.kind, source.reference))
        }
        Evidence::Present(_)
        | Evidence::Changed(_)
        | Evidence::Shorter(_)
        | Evidence::Missing
        | Evidence::Unchecked => None,
    };
    sources.iter().filter_map(say).collect()
}

/// Says why what a source names is not there, or never could be.
fn why_missing(Source { kind, reference, .. }: &Source) -> &'static str {
    match (kind, read_cited(reference)) {
        (SourceType::File | SourceType::Test, Err(unfit)) => unfit,
        (SourceType::File | SourceType::Test, Ok(_)) => {
            "cannot be found among the files of the repository"
        }
        _ => "cannot be found in the repository",
    }
}

/// Returns the notes that the written sections carry.
pub(crate) fn notes(
    sources: &[Source],
    found: &FoundEvidence,
    confidence: Confidence,
    date: &str,
) -> Vec<SourceNote> {
    let note = |source: &Source| SourceNote {
        kind: source.kind,
        reference: source.reference.clone(),
        blob: match found.of(source) {
            Evidence::Present(blob) => blob.clone(),
            Evidence::Changed(blob) => Some(blob.clone()),
            Evidence::Shorter(_)
            | Evidence::Missing
            | Evidence::Unchecked
            | Evidence::NotKnown(_) => None,
        },
        confidence,
        date: date.to_owned(),
    };
    sources.iter().map(note).collect()
}

/// A place in the repository that a source of type `file` or `test` names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cited<'a> {
    /// The file, relative to the root of the repository.
    pub path: &'a str,
    /// The first line that is named, from 1; 0 where none is.
    pub first_line: usize,
    /// The last line that is named, from 1; 0 where none is.
    pub last_line: usize,
}

impl Cited<'_> {
    pub(crate) fn is_among(&self, paths: &BTreeSet<String>) -> bool {
        paths.contains(self.path)
    }
}

/// Reads `path`, `path::name`, `path:10`, `path:10-20` or `path#L10-L20`; `None` if it does not stay inside the
/// repository, its lines run backwards, or it is memory itself: what an agent wrote proves nothing.
pub fn cited_file(reference: &str) -> Option<Cited<'_>> {
    read_cited(reference).ok()
}

/// Returns what a source in one string is: `user: ada`, an address, a commit, a test, or a path.
pub(crate) fn source_of(text: &str) -> Option<(SourceType, &str)> {
    if text.starts_with("https://") || text.starts_with("http://") {
        return Some((SourceType::Url, text));
    }
    if let Some((word, rest)) = text.split_once(':')
        && let Some(kind) = SourceType::parse(word)
        && !rest.trim().is_empty()
    {
        return Some((kind, rest.trim()));
    }
    let is_hash = (7..=40).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_hexdigit());
    let is_path = text.contains(['/', '.']) && !text.contains(char::is_whitespace);
    match (is_hash, is_path) {
        (true, _) => Some((SourceType::Commit, text)),
        (false, true) if text.contains("::") => Some((SourceType::Test, text)),
        (false, true) => Some((SourceType::File, text)),
        (false, false) => None,
    }
}

/// Reads a place as [`cited_file`] does, or says why it can be none, in words that follow its name.
fn read_cited(reference: &str) -> Result<Cited<'_>, &'static str> {
    let path = reference.split_once("::").map_or(reference, |(path, _)| path);
    // The name of a file may have a colon, too.
    let is_lines =
        |lines: &str| !lines.is_empty() && lines.chars().all(|c| c == '-' || c.is_ascii_digit());
    let by_colon = path.rsplit_once(':').filter(|(_, lines)| is_lines(lines));
    let by_colon = by_colon.map(|(path, lines)| (path, lines.to_owned()));
    let by_anchor = path.rsplit_once("#L").map(|(path, lines)| (path, lines.replace("-L", "-")));
    let by_anchor = by_anchor.filter(|(_, lines)| is_lines(lines));
    let (path, (first_line, last_line)) = match by_colon.or(by_anchor) {
        Some((path, lines)) => {
            let unfit = "names lines that no file has: they count from 1, as `10` or `10-20`";
            (path, lines_of(&lines).ok_or(unfit)?)
        }
        None => (path, (0, 0)),
    };
    let is_drive =
        path.get(1..2) == Some(":") && path.starts_with(|c: char| c.is_ascii_alphabetic());
    let path = path.strip_prefix("./").unwrap_or(path);
    // Some disks find `.git` under the name `.Git`.
    let has = |wanted: &[&str]| {
        path.split('/').any(|part| wanted.iter().any(|it| it.eq_ignore_ascii_case(part)))
    };
    if path.contains('\\') {
        Err("is not written with `/` between folders")
    } else if path.starts_with(['/', '~']) || has(&[".."]) {
        Err("leads out of the repository, or round about: write its path from the root")
    } else if has(&[".git", ".agent-memory"]) {
        Err("is no evidence: it is memory, or git's own")
    } else if is_drive || path.contains('\0') || has(&["", "."]) {
        Err("is not the path of a file")
    } else {
        Ok(Cited { path, first_line, last_line })
    }
}

fn lines_of(lines: &str) -> Option<(usize, usize)> {
    let number = |part: &str| part.parse::<usize>().ok().filter(|line| *line > 0);
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    Some((number(first)?, number(last)?)).filter(|(first, last)| first <= last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_file(reference: &str, expected: Option<&str>) {
        assert_eq!(cited_file(reference).map(|cited| cited.path), expected, "{reference}");
    }

    #[test]
    fn lines_and_names_are_told_from_the_path() {
        check_file("src/auth.rs", Some("src/auth.rs"));
        check_file("src/auth.rs:10-20", Some("src/auth.rs"));
        check_file("src/auth.rs:10", Some("src/auth.rs"));
        check_file("tests/auth.rs::rotates", Some("tests/auth.rs"));
        check_file("./src/auth.rs", Some("src/auth.rs"));
        check_file("we:ird.txt", Some("we:ird.txt"));
        check_file("we:ird.txt:3", Some("we:ird.txt"));
        check_file("src/auth.rs#Language", Some("src/auth.rs#Language"));
        for lines in ["src/auth.rs#L10-L20", "src/auth.rs#L10-20", "src/auth.rs:10-20"] {
            let cited = cited_file(lines).expect("it is a file");
            let found = (cited.path, cited.first_line, cited.last_line);
            assert_eq!(found, ("src/auth.rs", 10, 20), "{lines}");
        }
    }

    #[test]
    fn a_path_outside_of_the_repository_is_no_evidence() {
        check_file("../other/a.rs", None);
        check_file("/etc/passwd", None);
        check_file("src//a.rs", None);
        check_file("C:/a.rs", None);
        check_file("", None);
        check_file(".git/config", None);
        check_file(".agent-memory/sessions/2026-11-20.md", None);
        check_file("src/auth.rs:0", None);
        check_file("src/auth.rs#L0", None);
        check_file("https://example.org/a.rs", None);
        check_file("src/auth.rs:20-10", None);
    }

    #[test]
    fn a_file_that_changed_since_is_stale() {
        let today = Evidence::Present(Some("aaaa".to_owned()));
        assert_eq!(Freshness::of(Some("aaaa"), &today), Freshness::Fresh);
        assert_eq!(Freshness::of(Some("bbbb"), &today), Freshness::Stale);
        assert_eq!(Freshness::of(Some("aaaa"), &Evidence::Missing), Freshness::Missing);
    }

    #[test]
    fn what_was_not_known_when_it_was_cited_is_unchecked_unless_it_is_gone() {
        let today = Evidence::Present(Some("aaaa".to_owned()));
        assert_eq!(Freshness::of(None, &today), Freshness::Unchecked);
        assert_eq!(Freshness::of(None, &Evidence::Unchecked), Freshness::Unchecked);
        assert_eq!(Freshness::of(None, &Evidence::Missing), Freshness::Missing);
    }
}
