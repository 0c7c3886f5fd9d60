//! Asks of a change what it rests on.

mod cited;
mod followed;
mod freshness;
mod lines;

use std::collections::BTreeMap;

use crate::contract::{Confidence, SourceType};
use crate::markdown::SourceNote;
use crate::project::request::Source;
use crate::project::schema::Category;

pub use cited::{Cited, cited_file};
pub(crate) use cited::{in_file, source_of};
pub(crate) use followed::FollowedLines;
pub use freshness::{Evidence, Freshness};
pub use lines::LinesToday;
pub(crate) use lines::Pin;

use cited::read_cited;

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
            was: None,
            note: None,
        };
        changed.map(|(key, _)| source(key)).collect()
    }

    fn of(&self, source: &Source) -> &Evidence {
        self.0.get(&(source.kind, source.reference.clone())).unwrap_or(&Evidence::Unchecked)
    }
}

/// Returns the source that another one replaces, if that is one of another file.
pub(crate) fn replaced_file(source: &Source) -> Option<Source> {
    let path = |reference| cited_file(reference).map(|cited| cited.path);
    let was = source.was.as_deref()?;
    let is_same = path(was).is_some() && path(was) == path(&source.reference);
    let replaced =
        || Source { kind: source.kind, reference: was.to_owned(), was: None, note: None };
    (!is_same).then(replaced)
}

/// Returns which sources are not there, in sentences.
pub(crate) fn missing(list: &SourceList<'_>, found: &FoundEvidence) -> Vec<String> {
    let mut violations = Vec::new();
    for (index, source) in list.sources.iter().enumerate() {
        if let Some(was) = replaced_file(source)
            && (!source.kind.is_file() || *found.of(&was) != Evidence::Missing)
        {
            let (pointer, was) = (&list.pointer, &was.reference);
            violations.push(format!(
                "{pointer}/{index}/was: `{was}` names neither lines of the same file nor a file that is gone"
            ));
        }
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
