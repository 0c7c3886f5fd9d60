//! Writes the sources of a section into the `note` field of its document, and reads them back.

use crate::contract::{Confidence, SourceType};
use crate::markdown::SourceNote;

/// The flag of a section with any source; its other flags are the confidences of its sources.
pub(super) const SOURCED: &str = "sourced";

const VALUE_SEPARATOR: char = '\t';

/// Writes the sources of a section, one a line.
pub(super) fn write_sources(sources: &[SourceNote]) -> String {
    let line = |note: &SourceNote| {
        let blob = note.blob.as_deref().unwrap_or_default();
        let SourceNote { kind, reference, confidence, date, .. } = note;
        [&kind.to_string(), blob, &confidence.to_string(), date, reference]
            .join(&VALUE_SEPARATOR.to_string())
    };
    sources.iter().map(line).collect::<Vec<_>>().join("\n")
}

pub(crate) fn read_sources(text: &str) -> Vec<SourceNote> {
    text.lines().filter_map(read_source).collect()
}

fn read_source(line: &str) -> Option<SourceNote> {
    let mut values = line.splitn(5, VALUE_SEPARATOR);
    Some(SourceNote {
        kind: SourceType::parse(values.next()?)?,
        blob: values.next().filter(|blob| !blob.is_empty()).map(str::to_owned),
        confidence: Confidence::parse(values.next()?)?,
        date: values.next()?.to_owned(),
        reference: values.next()?.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::Outline;

    #[test]
    fn sources_are_read_back_as_they_were() {
        let text = "# a\n<!-- @id: a -->\n\
            <!-- @source: file src/a.rs 9f3c2e1a4b5c confirmed 2026-11-20 -->\n\
            <!-- @source: user Ada Lovelace - user-provided 2026-11-20 -->\n";
        let outline = Outline::read(text);
        let sources = &outline.sections()[0].sources;
        assert_eq!((sources.len(), read_sources(&write_sources(sources))), (2, sources.clone()));
    }
}
