//! Markdown for a comment on a pull request, with pending proposals as collapsed diffs.
//!
//! Words from memory stand in a comment that others read, so they are escaped: no link, no image, no
//! HTML, and no user is mentioned.

use super::report::{CheckReport, PendingReport};
use crate::project::check::finding::CheckFinding;
use crate::project::check::repair::Repair;
use crate::project::check::rule::Level;
use crate::text::{beginning, count, visible, visible_lines};

/// Bytes of a comment at most, and of its findings: one of GitHub holds 65,536 characters. What is cut off is counted.
const COMMENT: usize = 60_000;
const FINDINGS: usize = 20_000;
const DECIDED: usize = 25_000;

const LONGEST: usize = 400;

/// Writes a comment; nothing where there is nothing to say, as a comment reaches all who follow the pull request.
pub(super) fn write(report: &CheckReport) -> String {
    let is_quiet = report.pending.is_empty() && report.decided.is_empty();
    if is_quiet && report.findings.is_empty() && report.notes.is_empty() {
        return String::new();
    }
    let mut text = format!("### agent-memory: {}\n\n", report.summary());
    text += &format!("Looked at {}.\n", report.extent());
    // Words of ours, with code of ours.
    report.notes.iter().for_each(|note| text += &format!("\n> {note}\n"));
    if !report.findings.is_empty() {
        text.push('\n');
        let more = add_while_there_is_room(&mut text, FINDINGS, &report.findings, |_, it| line(it));
        if more > 0 {
            text += &format!("- and {} more\n", count(more, "finding"));
        }
    }
    if !report.decided.is_empty() {
        let all = count(report.decided.len(), "proposal");
        text += &format!("\n#### Decided: {all}\n\n");
        let more = add_while_there_is_room(&mut text, DECIDED, &report.decided, |_, decided| {
            format!("- {} {}\n", decided.decision, code(&decided.id))
        });
        if more > 0 {
            text += &format!("- and {} more\n", count(more, "proposal"));
        }
    }
    if !report.pending.is_empty() {
        let all = count(report.pending.len(), "proposal");
        text += &format!("\n#### Waiting for review: {all}\n");
        let more = add_while_there_is_room(&mut text, COMMENT, &report.pending, fold);
        if more > 0 {
            text += &format!("\nand {} more: `agent-memory status`\n", count(more, "proposal"));
        }
    }
    text
}

/// Adds what there is room for, each told its share of that; returns how many there are besides.
fn add_while_there_is_room<T>(
    text: &mut String,
    room: usize,
    all: &[T],
    write: impl Fn(usize, &T) -> String,
) -> usize {
    for (done, each) in all.iter().enumerate() {
        let left = room.saturating_sub(text.len());
        let next = write(left / (all.len() - done), each);
        if next.len() > left {
            return all.len() - done;
        }
        text.push_str(&next);
    }
    0
}

fn line(finding: &CheckFinding) -> String {
    let mark = match finding.level {
        Level::Error => "**error**",
        Level::Warning | Level::Allow => "warning",
    };
    let place = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
    let place = code(&format!("{}{place}", finding.path));
    let repair = match &finding.repair {
        Repair::Command(command) => format!("repair: {}", code(command)),
        Repair::ByHand(why) => format!("by hand: {}", plain(why)),
    };
    format!(
        "- {mark} {place} {}: {}  \n  {repair}\n",
        code(finding.rule.name()),
        plain(&beginning(&finding.message, LONGEST))
    )
}

fn fold(room: usize, waiting: &PendingReport) -> String {
    let why = waiting.rationale.as_deref().unwrap_or(&waiting.intent);
    let by = waiting.owner.as_ref().map(|owner| format!(" by {}", html(owner)));
    let mut text = format!(
        "\n<details><summary><code>{}</code> {}{}</summary>\n",
        html(&waiting.id),
        html(&beginning(why, LONGEST)),
        by.unwrap_or_default()
    );
    if let Some(message) = &waiting.message {
        text += &format!("\nCannot be applied: {}\n", plain(&beginning(message, LONGEST)));
    }
    let end = format!("\n{}\n\n</details>\n", code(&format!("agent-memory show {}", waiting.id)));
    for diff in &waiting.diffs {
        let (diff, fence) = (visible_lines(diff), fence(diff, 3));
        let shown = format!("\n{fence}diff\n{}\n{fence}\n", diff.trim_end_matches('\n'));
        let is_short = text.len() + shown.len() + end.len() <= room;
        text += &match is_short {
            true => shown,
            false => format!("\nToo long to show: {}\n", count(diff.lines().count(), "line")),
        };
    }
    text + &end
}

/// Returns more back-ticks in a row than a text has, and so many at least.
fn fence(text: &str, least: usize) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    "`".repeat(least.max(longest + 1))
}

fn code(text: &str) -> String {
    let text = visible(text);
    let fence = fence(&text, 1);
    let blank = if text.contains('`') { " " } else { "" };
    format!("{fence}{blank}{}{blank}{fence}", text.replace(['\n', '\r'], " "))
}

/// Writes a text so that it is read as it stands; what was in back-ticks is code.
fn plain(text: &str) -> String {
    // With an odd number of back-ticks it is not clear which text is inside.
    if text.matches('`').count() % 2 == 1 {
        return code(text);
    }
    let parts = text.split('`').enumerate();
    let written = parts.map(|(index, part)| match index % 2 {
        0 => escaped(part),
        _ if part.is_empty() => String::new(),
        _ => code(part),
    });
    written.collect()
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in visible(text).chars() {
        match character {
            '\n' | '\r' => safe.push(' '),
            // An entity would be turned back before people are looked for.
            '@' => safe.push_str("@&#8203;"),
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '\\' | '*' | '_' | '[' | ']' | '#' | '|' | '~' | '!' | '>' => {
                safe.push('\\');
                safe.push(character);
            }
            other => safe.push(other),
        }
    }
    // What looks like an address becomes a link without any mark.
    safe.replace("://", ":&#8203;//").replace("www.", "www&#8203;.")
}

fn html(text: &str) -> String {
    let safe = visible(text).replace(['\n', '\r'], " ").replace('&', "&amp;").replace('<', "&lt;");
    let safe = safe.replace('>', "&gt;").replace('`', "&#96;").replace('@', "@&#8203;");
    safe.replace("://", ":&#8203;//")
        .replace('*', "&#42;")
        .replace('_', "&#95;")
        .replace('[', "&#91;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::find_hidden;

    fn check(text: &str, expected: &str) {
        assert_eq!(plain(text), expected);
    }

    #[test]
    fn words_from_memory_are_only_words() {
        check("the id `a` is taken", "the id `a` is taken");
        check("![x](https://x.org) @ada", "\\!\\[x\\](https:&#8203;//x.org) @&#8203;ada");
        check("<img src=x>\n# b", "&lt;img src=x\\> \\# b");
        check("odd ` <b>", "`` odd ` <b> ``");
    }

    #[test]
    fn nothing_that_nobody_sees_is_sent() {
        let evil = "a\u{1b}]0;x\u{7}\u{202e}b";
        let shown = [plain(evil), code(evil), html(evil)].concat();
        assert!(find_hidden(&shown.replace("&#8203;", "")).is_none(), "{shown:?}");
        let waiting = PendingReport {
            id: "x".into(),
            intent: "add_pitfall".into(),
            rationale: Some(evil.into()),
            owner: Some(evil.into()),
            expires_at: String::new(),
            can_apply: false,
            message: Some(evil.into()),
            diffs: vec![format!("+{evil}\r\n {evil}\n")],
        };
        let shown = fold(10_000, &waiting);
        assert!(find_hidden(&shown).is_none() && shown.contains("+a<U+001B>"), "{shown:?}");
    }

    #[test]
    fn a_diff_cannot_close_its_fence() {
        assert_eq!(fence("a\n````\n", 3), "`````");
        assert_eq!(fence("a", 3), "```");
    }
}
