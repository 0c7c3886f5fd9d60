//! What a section says of how it stands: that it does not hold any more, what came in its place, and what it replaces.

use crate::project::schema::{Field, read_fields};
use crate::secrets::shown_name;

/// The first word of the status of what does not hold any more.
const OUTDATED: [&str; 7] =
    ["superseded", "deprecated", "obsolete", "rejected", "replaced", "retired", "archived"];

/// What the fields of a section say of how it stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SaidStanding {
    /// The word for why it does not hold any more.
    pub(crate) outdated: Option<&'static str>,
    /// What came in its place: an id, a path, or a path with the id behind `#`.
    pub(crate) successors: Vec<String>,
    /// What it came in the place of.
    pub(crate) superseded: Vec<String>,
}

impl SaidStanding {
    /// Reads the fields of a section; of what is outdated it does not matter what it superseded.
    pub(crate) fn of_fields(body: &str) -> Self {
        let fields = read_fields(body);
        let named = |name: &str| {
            let name = name.to_owned();
            fields.iter().filter(move |field| is_called(field, &name))
        };
        let by = named("superseded by").find(|field| field.value.contains(char::is_alphanumeric));
        let status = named("status").map(|field| Self::of_status(field.value));
        let mut said = status.fold(Self::default(), Self::or);
        if let Some(by) = by {
            said = said.or(Self { outdated: Some(OUTDATED[0]), ..Self::default() });
            said.successors.extend(names_in(by.value));
        }
        if said.outdated.is_none() {
            said.superseded = named("supersedes").flat_map(|field| names_in(field.value)).collect();
        }
        said
    }

    /// Reads the value of a status, such as ``superseded by `short-tokens` ``, also from below a heading.
    pub(crate) fn of_status(text: &str) -> Self {
        let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
        let end = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        let known = OUTDATED.into_iter().find(|known| known.eq_ignore_ascii_case(word));
        let line = rest.lines().next().unwrap_or_default().trim();
        let by = line.strip_prefix("by ").filter(|_| known.is_some());
        let successors = by.map(names_in).unwrap_or_default();
        Self { outdated: known, successors, ..Self::default() }
    }

    /// Reads what a part of a file says of the whole file: its fields, if it stands above the sections, or its text, if it is a
    /// section called `Status`.
    pub(crate) fn of_file_in(is_above: bool, heading: &str, body: &str) -> Self {
        let said = if is_above { Self::of_fields(body) } else { Self::default() };
        match heading.trim().eq_ignore_ascii_case("status") {
            true => said.or(Self::of_status(body)),
            false => said,
        }
    }

    /// Takes what another says where this one says nothing: a part of an outdated section is outdated.
    pub(crate) fn or(self, other: Self) -> Self {
        match self.outdated {
            Some(_) => self,
            None => Self { superseded: self.superseded, ..other },
        }
    }
}

/// Says why a section does not hold any more, and where to read on.
pub(crate) fn told_outdated(word: &str, successor: Option<&str>) -> String {
    match successor.map(shown_name) {
        None => word.to_owned(),
        Some(place) if matches!(word, "superseded" | "replaced") => format!("{word} by {place}"),
        Some(place) => format!("{word}, see {place}"),
    }
}

fn is_called(field: &Field<'_>, name: &str) -> bool {
    field.name.replace('-', " ").eq_ignore_ascii_case(name)
}

/// Returns the words of a value without the marks of Markdown: of a link its text and its target.
fn names_in(value: &str) -> Vec<String> {
    let is_joint = |c: char| c.is_whitespace() || ",;`[]()<>".contains(c);
    let names = value.split(is_joint).map(|name| name.trim_start_matches('#'));
    names.filter(|name| name.contains(char::is_alphanumeric)).map(str::to_owned).collect()
}

/// Ranks sections that say the same, of which the first stands for all: ours that is about the work, ours, one of another store.
pub(crate) fn precedence(is_own: bool, is_in_scope: bool) -> u8 {
    match (is_own, is_in_scope) {
        (false, _) => 0,
        (true, false) => 1,
        (true, true) => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(body: &str, outdated: Option<&str>, successors: &[&str], superseded: &[&str]) {
        let said = SaidStanding::of_fields(body);
        assert_eq!(said.outdated, outdated, "{body}");
        assert_eq!(said.successors, successors, "{body}");
        assert_eq!(said.superseded, superseded, "{body}");
    }

    #[test]
    fn a_status_says_that_a_section_is_outdated_and_by_what() {
        check("- **Status:** superseded", Some("superseded"), &[], &[]);
        check("* **Status**: deprecated, since May", Some("deprecated"), &[], &[]);
        check(
            "Status: Superseded by [ADR 7](0007-new.md)",
            Some("superseded"),
            &["ADR", "7", "0007-new.md"],
            &[],
        );
        check("- **Status:** superseded by `new`", Some("superseded"), &["new"], &[]);
        check("Superseded-by: new", Some("superseded"), &["new"], &[]);
        check("Status: rejected\nSuperseded by: new", Some("rejected"), &["new"], &[]);
        check("Status: active\nSuperseded by: new", Some("superseded"), &["new"], &[]);
    }

    #[test]
    fn what_only_mentions_it_says_nothing() {
        check("Status: active\n\nIt was superseded in May, then restored.", None, &[], &[]);
        check("```\nStatus: superseded\n```\nText.", None, &[], &[]);
        check("Superseded by: -\n\nText.", None, &[], &[]);
    }

    #[test]
    fn what_is_outdated_supersedes_nothing() {
        check("Supersedes: old, `decisions.md#older`", None, &[], &["old", "decisions.md#older"]);
        check("Status: rejected\nSupersedes: old", Some("rejected"), &[], &[]);
        check("Supersedes: -", None, &[], &[]);
    }
}
