//! What the sources of another store are worth here.

use crate::contract::SourceType;
use crate::markdown::SourceNote;

/// Returns sources as they count outside of their repository: a file, a test or a commit that is named there cannot be
/// looked up here, where a file of the same name is another one.
pub(crate) fn sources_seen_from_here(sources: &[SourceNote]) -> Vec<SourceNote> {
    let seen = sources.iter().map(|source| match source.kind {
        SourceType::File | SourceType::Test | SourceType::Commit => {
            SourceNote { kind: SourceType::External, blob: None, ..source.clone() }
        }
        SourceType::User
        | SourceType::Session
        | SourceType::Url
        | SourceType::External
        | SourceType::Inference => source.clone(),
    });
    seen.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_another_repository_is_no_file_of_this_one() {
        let line = "<!-- @source: file src/a.rs:1-4 9f3c2e1a4b5c confirmed 2026-11-20 -->";
        let source = SourceNote::read(line).expect("a source");
        let seen = sources_seen_from_here(std::slice::from_ref(&source)).remove(0);
        assert_eq!((seen.kind, seen.blob), (SourceType::External, None));
        assert_eq!((seen.reference, seen.confidence), (source.reference, source.confidence));
    }
}
