//! Tells which sections still hold: not those that were archived, or superseded by others.

use std::collections::BTreeSet;

use crate::project::pack::PackPiece;
use crate::project::schema::read_fields;

/// What a record is called that does not hold any more, as the first word of its status.
const FINISHED: [&str; 7] =
    ["superseded", "deprecated", "obsolete", "rejected", "replaced", "retired", "archived"];

/// Removes what was archived, and what says of itself that it does not hold any more. A status above the sections, or in a
/// section of its own, is that of the whole file.
pub(super) fn without_finished(mut file: Vec<PackPiece>) -> Vec<PackPiece> {
    let is_above = |piece: &PackPiece| piece.hash.is_none();
    let is_status = |piece: &PackPiece| piece.heading.trim().eq_ignore_ascii_case("status");
    let is_finished = file.iter().any(|piece| {
        (is_above(piece) && has_finished_field(piece))
            || (is_status(piece) && begins_finished(piece.body()))
    });
    file.retain(|piece| !is_finished && !piece.archived && !has_finished_field(piece));
    file
}

/// Removes from files what does not hold any more, also where another section says so: `Supersedes: token-rotation`.
pub(super) fn files_that_hold(files: Vec<Vec<PackPiece>>) -> Vec<Vec<PackPiece>> {
    let mut files: Vec<Vec<PackPiece>> = files.into_iter().map(without_finished).collect();
    let superseded: BTreeSet<String> = files.iter().flatten().flat_map(superseded_by).collect();
    let holds = |piece: &PackPiece| {
        let names = piece.id.as_ref().map(|id| [id.clone(), format!("{}#{id}", piece.path)]);
        !names.iter().flatten().any(|name| superseded.contains(name))
    };
    files.iter_mut().for_each(|file| file.retain(holds));
    files.retain(|file| !file.is_empty());
    files
}

fn has_finished_field(piece: &PackPiece) -> bool {
    read_fields(piece.body()).iter().any(|field| {
        let is = |name: &str| field.name.replace('-', " ").eq_ignore_ascii_case(name);
        (is("status") && begins_finished(field.value))
            || (is("superseded by") && field.value.contains(char::is_alphanumeric))
    })
}

fn begins_finished(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let word = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    FINISHED.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Returns the sections that a section supersedes, as ids, or with their file before the `#`.
fn superseded_by(piece: &PackPiece) -> Vec<String> {
    let fields = read_fields(piece.body());
    let fields = fields.iter().filter(|field| field.name.eq_ignore_ascii_case("supersedes"));
    let names = fields.flat_map(|field| field.value.split([',', ' ', '`', '[', ']', '(', ')']));
    let own = piece.id.as_deref();
    let names = names.map(|name| name.trim_start_matches('#'));
    names.filter(|name| !name.is_empty() && Some(*name) != own).map(str::to_owned).collect()
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
        let held = files_that_hold(files.collect());
        let ids = held.iter().flatten().filter_map(|piece| piece.id.as_deref());
        assert_eq!(ids.collect::<Vec<_>>(), expected);
    }

    fn record(id: &str, body: &str) -> String {
        format!("## {id}\n<!-- @id: {id} -->\n\n{body}\n\n")
    }

    #[test]
    fn what_says_that_it_is_superseded_does_not_hold() {
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
    fn what_another_section_supersedes_does_not_hold() {
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
    fn what_was_archived_does_not_hold() {
        let moved = "## Old\n<!-- @id: old -->\n<!-- @archived: archive/old.md -->\n\nSee there.\n";
        check(&[moved, &record("new", "Text.")], &["new"]);
    }
}
