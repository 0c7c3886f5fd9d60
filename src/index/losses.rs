//! Takes off the score of a document what speaks against it, whatever words it holds.

/// A part of a score, with the name of its signal.
pub(crate) type ScorePart = (&'static str, f64);

/// Takes shares off what the parts before come to, one after another.
pub(super) fn take_off(parts: &mut Vec<ScorePart>, shares: impl IntoIterator<Item = ScorePart>) {
    for (name, share) in shares {
        let sum: f64 = parts.iter().map(|(_, value)| value).sum();
        if share > 0.0 {
            parts.push((name, -share * sum));
        }
    }
}

/// Tells whether there is nothing but comments, and lines of one mark of Markdown, such as a rule or a fence.
pub(super) fn is_empty(body: &str) -> bool {
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
