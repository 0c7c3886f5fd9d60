//! Reads the field lines of a section: `Name: value`, `**Name:** value`, `**Name**: value`, or a bullet of these.

use crate::text::Fences;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field<'a> {
    pub name: &'a str,
    pub value: &'a str,
}

/// Returns the field lines of a body that a reader sees as such, in order: not those in code or comments.
pub(crate) fn read_fields(body: &str) -> Vec<Field<'_>> {
    visible_lines(body).filter_map(read_field).collect()
}

/// Returns the bullets of a body that a reader sees as such, without what they are indented by.
pub(super) fn read_bullets(body: &str) -> impl Iterator<Item = &str> {
    let lines = visible_lines(body).map(str::trim_start);
    lines.filter(|line| BULLETS.iter().any(|mark| line.starts_with(mark)))
}

fn visible_lines(body: &str) -> impl Iterator<Item = &str> {
    let mut fences = Fences::default();
    let mut comment = false;
    body.lines().filter(move |line| {
        let hidden = comment || line.trim_start().starts_with("<!--");
        comment = hidden && !line.contains("-->");
        let code = fences.covers(line) || line.starts_with("    ") || line.starts_with('\t');
        !hidden && !code
    })
}

const BULLETS: [&str; 3] = ["- ", "* ", "+ "];

fn read_field(line: &str) -> Option<Field<'_>> {
    let line = line.trim();
    let line = BULLETS.iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line);
    let line = line.trim_start();
    let (name, value) = match line.strip_prefix("**") {
        None => line.split_once(':')?,
        Some(bold) => match bold.split_once(":**") {
            Some(parts) => parts,
            None => bold.split_once("**:")?,
        },
    };
    let name = name.trim();
    let plain = !name.is_empty() && !name.contains(['*', '`', '[', '<', '/']);
    plain.then(|| Field { name, value: value.trim() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Option<(&str, &str)>) {
        assert_eq!(read_field(line).map(|field| (field.name, field.value)), expected, "{line:?}");
    }

    #[test]
    fn every_spelling_of_a_field_is_read() {
        let date = Some(("Date", "2026-11-20"));
        check("Date: 2026-11-20", date);
        check("**Date:** 2026-11-20", date);
        check("**Date**: 2026-11-20", date);
        check("- Date: 2026-11-20", date);
        check("* **Date:** 2026-11-20  ", date);
        check("+ **Date**:2026-11-20", date);
    }

    #[test]
    fn prose_is_no_field() {
        check("no field here", None);
        check("see `a: b`", None);
        check("<!-- @id: x -->", None);
    }

    #[test]
    fn a_field_inside_a_fence_is_text() {
        assert_eq!(read_fields("```\nDate: x\n```\nStatus: active\n").len(), 1);
        assert_eq!(read_fields("    Date: x\n<!--\nDate: y\n-->\nStatus: active\n").len(), 1);
    }

    #[test]
    fn bullets_are_of_any_mark_and_not_in_code() {
        let body = "- one\n  * two\n+ three\n```diff\n- removed\n```\n<!--\n- hidden\n-->\n-no\n1. first\n";
        assert_eq!(read_bullets(body).collect::<Vec<_>>(), ["- one", "* two", "+ three"]);
    }
}
