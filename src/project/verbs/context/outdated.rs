//! Tells which sections are outdated: archived, or superseded by others.

use std::collections::BTreeSet;

use crate::project::pack::PackPiece;
use crate::project::standing::SaidStanding;

/// Removes from a file what was archived, and what says of itself that it is outdated. A status above the sections, or in a
/// section of its own, is that of the whole file.
pub(super) fn without_outdated(mut file: Vec<PackPiece>) -> Vec<PackPiece> {
    let is_outdated = file.iter().any(|piece| {
        let said = SaidStanding::of_file_in(piece.hash.is_none(), &piece.heading, piece.body());
        said.outdated.is_some()
    });
    file.retain(|piece| !is_outdated && !piece.archived && !has_outdated_field(piece));
    file
}

/// The sections that others name as what they supersede: `Supersedes: token-rotation`.
#[derive(Debug, Default)]
pub(super) struct SupersededIds {
    /// Ids, or a path with the id behind `#`.
    names: BTreeSet<String>,
}

impl SupersededIds {
    /// Reads the files that are not outdated: what is outdated supersedes nothing.
    pub(super) fn by<'f>(files: impl IntoIterator<Item = &'f Vec<PackPiece>>) -> Self {
        Self { names: files.into_iter().flatten().flat_map(named_as_superseded).collect() }
    }

    /// Removes the superseded sections from a file.
    pub(super) fn removed_from(&self, mut file: Vec<PackPiece>) -> Vec<PackPiece> {
        file.retain(|piece| {
            let names = piece.id.as_ref().map(|id| [id.clone(), format!("{}#{id}", piece.path)]);
            !names.iter().flatten().any(|name| self.names.contains(name))
        });
        file
    }
}

fn has_outdated_field(piece: &PackPiece) -> bool {
    SaidStanding::of_fields(piece.body()).outdated.is_some()
}

/// Returns what a section names as superseded by it.
fn named_as_superseded(piece: &PackPiece) -> Vec<String> {
    let mut names = SaidStanding::of_fields(piece.body()).superseded;
    names.retain(|name| piece.id.as_ref() != Some(name));
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::Outline;
    use crate::project::pack::pieces;

    #[track_caller]
    fn check(files: &[&str], expected: &[&str]) {
        let files = files.iter().enumerate();
        let files = files.map(|(at, text)| pieces(&format!("f{at}.md"), &Outline::read(text)));
        let files: Vec<_> = files.map(without_outdated).collect();
        let superseded = SupersededIds::by(&files);
        let current = files.into_iter().flat_map(|file| superseded.removed_from(file));
        let ids: Vec<_> = current.filter_map(|piece| piece.id).collect();
        assert_eq!(ids, expected);
    }

    fn record(id: &str, body: &str) -> String {
        format!("## {id}\n<!-- @id: {id} -->\n\n{body}\n\n")
    }

    #[test]
    fn what_says_that_it_is_superseded_is_outdated() {
        for status in [
            "- **Status:** superseded",
            "Status: Superseded by [new](new.md)",
            "* **Status**: deprecated",
            "Superseded-by: new",
        ] {
            check(&[&(record("old", status) + &record("new", "Status: active"))], &["new"]);
        }
        check(
            &[&record("a", "Status: active\n\nIt was superseded in May, then restored.")],
            &["a"],
        );
        check(&[&record("a", "```\nStatus: superseded\n```\nText.")], &["a"]);
        check(&[&record("a", "Superseded by: -\n\nText.")], &["a"]);
    }

    #[test]
    fn what_another_section_supersedes_is_left_out() {
        let new = record("new", "Status: active\nSupersedes: old");
        check(&[&(record("old", "Status: active") + &new)], &["new"]);
        check(&[&record("old", "Text."), &new], &["new"]);
        check(&[&record("old", "Text."), &new.replace(": old", ": `f0.md#old`")], &["new"]);
        check(&[&record("old", "Text."), &new.replace("active", "rejected")], &["old"]);
        check(&[&record("self", "Supersedes: self")], &["self"]);
    }

    #[test]
    fn a_status_of_a_file_is_that_of_all_its_sections() {
        let body = record("context", "Why.") + &record("decision", "How.");
        check(&[&format!("---\nstatus: superseded by 7\n---\n\n# 3. Old\n\n{body}")], &[]);
        check(&[&format!("# 3. Old\n\n## Status\n\nSuperseded by 7.\n\n{body}")], &[]);
        let accepted = format!("# 3. Old\n\n## Status\n\nAccepted\n\n{body}");
        check(&[&accepted], &["context", "decision"]);
    }

    #[test]
    fn what_was_archived_is_outdated() {
        let moved = "## Old\n<!-- @id: old -->\n<!-- @archived: archive/old.md -->\n\nSee there.\n";
        check(&[moved, &record("new", "Text.")], &["new"]);
    }
}
