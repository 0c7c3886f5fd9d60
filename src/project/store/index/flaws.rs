//! Takes off the score of a section what speaks against it, whatever words it holds.

use crate::project::provenance::Freshness;

/// A part of a score, with the name of its signal.
pub(crate) type Part = (&'static str, f64);

#[derive(Debug)]
pub(super) struct Flaws<'t> {
    pub(super) body: &'t str,
    pub(super) archived: bool,
    pub(super) freshness: Option<Freshness>,
}

/// The share of its score that a section loses that was archived, or whose evidence has changed or is gone.
pub(super) const ARCHIVED: f64 = 0.5;
const STALE: f64 = 0.2;
const MISSING: f64 = 0.3;

/// The share that a heading without text loses: it says nothing, and as short as it is, it would be first.
const EMPTY: f64 = 0.7;

impl Flaws<'_> {
    pub(super) fn take_off(&self, parts: &mut Vec<Part>) {
        let worn = match self.freshness {
            Some(Freshness::Stale) => STALE,
            Some(Freshness::Missing) => MISSING,
            Some(Freshness::Fresh | Freshness::Unchecked) | None => 0.0,
        };
        let empty = if is_empty(self.body) { EMPTY } else { 0.0 };
        let archived = if self.archived { ARCHIVED } else { 0.0 };
        // The archive comes first, as it is known before the section is read.
        let shares = [("archived", archived), ("empty", empty), ("stale", worn)];
        let losses = shares.into_iter().filter(|(_, share)| *share > 0.0);
        for (name, share) in losses {
            let sum: f64 = parts.iter().map(|(_, value)| value).sum();
            parts.push((name, -share * sum));
        }
    }
}

/// Tells whether there is nothing but comments, and lines of one mark of Markdown, such as a rule or a fence.
fn is_empty(body: &str) -> bool {
    let mut rest = body.trim_start();
    while !rest.is_empty() {
        rest = if let Some(comment) = rest.strip_prefix("<!--") {
            comment.split_once("-->").map_or("", |(_, behind)| behind)
        } else {
            let (line, behind) = rest.split_once('\n').unwrap_or((rest, ""));
            let mut marks = line.chars().filter(|c| !c.is_whitespace());
            let mark = marks.next().filter(|mark| "-*_=#>+`~".contains(*mark));
            if mark.is_none_or(|mark| marks.any(|other| other != mark)) {
                return false;
            }
            behind
        };
        rest = rest.trim_start();
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_is_what_holds_marks_of_markdown_alone() {
        for body in
            ["", " \n\n", "---\n", "* * *", "<!-- @id: a -->\n\n---\n<!--\nx\n-->", "-", "```\n```"]
        {
            assert!(is_empty(body), "{body}");
        }
        for body in [
            "a",
            "✅",
            "```\n$ !!\n```",
            "| && |\n|----|\n| || |",
            "---\n🎉",
            "->",
            "<!-- a --> ?",
            "鍵",
        ] {
            assert!(!is_empty(body), "{body}");
        }
    }
}
