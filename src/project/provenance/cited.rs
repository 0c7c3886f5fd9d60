//! Reads the places that sources name.

use std::collections::BTreeSet;

use crate::contract::SourceType;

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

/// Names the same lines of another file; none where that name would be read as another place.
pub(crate) fn in_file(reference: &str, path: &str) -> Option<String> {
    let bare = reference.strip_prefix("./").unwrap_or(reference);
    let old = cited_file(reference)?;
    let named = format!("{path}{}", bare.strip_prefix(old.path)?);
    let is_meant = cited_file(&named)? == Cited { path, ..old };
    is_meant.then_some(named)
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
pub(super) fn read_cited(reference: &str) -> Result<Cited<'_>, &'static str> {
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
    fn the_same_lines_are_named_in_another_file() {
        let named = |reference| in_file(reference, "src/b.rs");
        assert_eq!(named("./src/a.rs:1-4").as_deref(), Some("src/b.rs:1-4"));
        assert_eq!(named("src/a.rs#L1-L4::name").as_deref(), Some("src/b.rs#L1-L4::name"));
        assert_eq!(named("src/a.rs").as_deref(), Some("src/b.rs"));
        assert_eq!(in_file("src/a.rs", "odd:3"), None);
        assert_eq!(in_file("src/a.rs:1", ".agent-memory/a.md"), None);
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
}
