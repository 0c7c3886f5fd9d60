//! Finds the regions of a text in which a person has allowed secrets, with the reason given.

use std::fmt;
use std::ops::Range;

use crate::text::contains;

pub(crate) const ALLOW: &str = "secret-allow";

/// A stretch of text, markers included, in which findings are not reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AllowRegion {
    pub line: usize,
    /// Bytes of the text, from the opening marker to the end of the closing one's line.
    pub range: Range<usize>,
    pub reason: String,
}

/// Why the markers of a text cannot be read. Such a text allows nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AllowRegionProblem {
    MissingReason { line: usize },
    Nested { line: usize },
    Unclosed { line: usize },
    StrayEnd { line: usize },
}

impl fmt::Display for AllowRegionProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mark, line, what) = match self {
            Self::MissingReason { line } => ("", line, "gives no reason"),
            Self::Nested { line } => ("", line, "stands inside another region"),
            Self::Unclosed { line } => ("", line, "is never closed"),
            Self::StrayEnd { line } => ("/", line, "closes no region"),
        };
        write!(f, "the `{mark}{ALLOW}` marker on line {line} {what}")
    }
}

/// Reads `<!-- secret-allow: reason -->` … `<!-- /secret-allow -->`, each marker alone on its line.
pub(crate) fn allow_regions(text: &str) -> Result<Vec<AllowRegion>, AllowRegionProblem> {
    let mut regions = Vec::new();
    if !contains(text, ALLOW) {
        return Ok(regions);
    }
    let mut open: Option<AllowRegion> = None;
    let mut start = 0;
    for (index, content) in text.split_inclusive('\n').enumerate() {
        let line = index + 1;
        let end = start + content.len();
        match (marker(content), open.take()) {
            (None, region) => open = region,
            (Some(Marker::Open(_)), Some(_)) => return Err(AllowRegionProblem::Nested { line }),
            (Some(Marker::Open("")), None) => {
                return Err(AllowRegionProblem::MissingReason { line });
            }
            (Some(Marker::Open(reason)), None) => {
                let reason = reason.to_owned();
                open = Some(AllowRegion { line, range: start..end, reason });
            }
            (Some(Marker::Close), None) => return Err(AllowRegionProblem::StrayEnd { line }),
            (Some(Marker::Close), Some(region)) => {
                regions.push(AllowRegion { range: region.range.start..end, ..region })
            }
        }
        start = end;
    }
    match open {
        Some(AllowRegion { line, .. }) => Err(AllowRegionProblem::Unclosed { line }),
        None => Ok(regions),
    }
}

enum Marker<'a> {
    Open(&'a str),
    Close,
}

fn marker(line: &str) -> Option<Marker<'_>> {
    let inside = line.trim().strip_prefix("<!--")?.strip_suffix("-->")?.trim();
    if inside.strip_prefix('/') == Some(ALLOW) {
        return Some(Marker::Close);
    }
    let rest = inside.strip_prefix(ALLOW)?;
    match rest.strip_prefix(':') {
        Some(reason) => Some(Marker::Open(reason.trim())),
        None if rest.is_empty() => Some(Marker::Open("")),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{AllowRegionProblem, allow_regions};

    const OPEN: &str = "<!-- secret-allow: a public test key -->\n";
    const CLOSE: &str = "<!-- /secret-allow -->\n";

    fn check(lines: &[&str], expected: Result<&[(usize, &str)], AllowRegionProblem>) {
        let text = lines.concat();
        let found = allow_regions(&text).map(|regions| {
            regions
                .iter()
                .map(|region| (region.line, text[region.range.clone()].to_owned()))
                .collect::<Vec<_>>()
        });
        let expected = expected.map(|regions| {
            regions.iter().map(|(line, part)| (*line, (*part).to_owned())).collect()
        });
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn a_region_reaches_from_marker_to_marker() {
        let whole = [OPEN, "x\n", CLOSE].concat();
        check(&["a\n", OPEN, "x\n", CLOSE, "b\n"], Ok(&[(2, &whole)]));
    }

    #[test]
    fn a_text_without_markers_has_no_regions() {
        check(&["plain\n"], Ok(&[]));
    }

    #[test]
    fn spaces_and_carriage_returns_around_a_marker_are_fine() {
        let region = "  <!--secret-allow:why-->\r\nx\r\n  <!-- /secret-allow -->\r\n";
        check(&[region], Ok(&[(1, region)]));
    }

    #[test]
    fn a_marker_inside_a_sentence_is_text() {
        check(&["see <!-- secret-allow: x -->\n"], Ok(&[]));
    }

    #[test]
    fn a_region_needs_a_reason() {
        let problem = AllowRegionProblem::MissingReason { line: 1 };
        check(&["<!-- secret-allow: -->\n", CLOSE], Err(problem));
    }

    #[test]
    fn a_marker_without_a_colon_lacks_its_reason() {
        let problem = AllowRegionProblem::MissingReason { line: 1 };
        check(&["<!-- secret-allow -->\n", CLOSE], Err(problem));
    }

    #[test]
    fn regions_do_not_nest() {
        let problem = AllowRegionProblem::Nested { line: 2 };
        check(&[OPEN, OPEN, CLOSE, CLOSE], Err(problem));
    }

    #[test]
    fn a_region_must_be_closed() {
        check(&["\n", OPEN], Err(AllowRegionProblem::Unclosed { line: 2 }));
    }

    #[test]
    fn an_end_needs_a_beginning() {
        check(&[CLOSE], Err(AllowRegionProblem::StrayEnd { line: 1 }));
    }

    #[test]
    fn a_problem_reads_as_a_sentence() {
        let problem = AllowRegionProblem::Unclosed { line: 3 };
        assert_eq!(problem.to_string(), "the `secret-allow` marker on line 3 is never closed");
    }
}
