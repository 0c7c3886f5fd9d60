//! Formats answers for the terminal.

use anstyle::Style;

use super::columns::wrap;
use super::output::{BAD, CARE, FAINT, GOOD, Output, TITLE};
use crate::project::request::{AffectedSection, Applied, Outcome};
use crate::project::verbs::Reminder;
use crate::secrets::shown_name;
use crate::text::{count, span, visible};

/// Writes the remaining seconds, rounded up: seven days less a second are `7d`.
pub(super) fn span_left(seconds: i64) -> String {
    match seconds {
        ..60 => span(seconds),
        60..3_600 => format!("{}m", (seconds + 59) / 60),
        3_600..86_400 => format!("{}h", (seconds + 3_599) / 3_600),
        _ => format!("{}d", (seconds + 86_399) / 86_400),
    }
}

/// Writes `6d left` or `expired 2h ago`.
pub(super) fn remaining(seconds: i64) -> String {
    match seconds {
        ..0 => format!("expired {} ago", span(-seconds)),
        0.. => format!("{} left", span_left(seconds)),
    }
}

/// Says that proposals have been pending for long.
pub(super) fn reminded(reminder: &Reminder) -> String {
    let proposals = match reminder.ids.len() {
        1 => "a proposal has been pending".to_owned(),
        many => format!("{many} proposals have been pending"),
    };
    format!("{proposals} for up to {}", span(reminder.oldest_seconds))
}

/// Writes a named value, wrapped; `name_width` is the width of the column of names.
pub(super) fn field(
    name: &str,
    name_width: usize,
    value: &str,
    style: Style,
    columns: usize,
) -> String {
    let value = shown_name(&value.replace('\n', " ")).into_owned();
    let beside = name_width.saturating_sub(name.len());
    let wrapped = wrap(&format!("{name} {value}"), columns.saturating_sub(2 + beside));
    let mut text = String::new();
    for (number, part) in wrapped.lines().enumerate() {
        text += &match part.strip_prefix(name).filter(|_| number == 0) {
            Some(rest) => {
                format!(
                    "  {FAINT}{name:<name_width$}{FAINT:#} {style}{}{style:#}\n",
                    rest.trim_start()
                )
            }
            None => format!("  {style}{part}{style:#}\n"),
        };
    }
    text
}

/// Colours a unified diff.
pub(super) fn diff(text: &str) -> String {
    let lines = text.lines().enumerate().map(|(number, line)| {
        let shown = visible(line);
        let style = match line.as_bytes() {
            // Only the first two lines name files: a removed `-- x` looks like a file line.
            _ if number < 2 => FAINT,
            [b'@', ..] => TITLE,
            [b'+', ..] => GOOD,
            [b'-', ..] => BAD,
            _ => return format!("{shown}\n"),
        };
        format!("{style}{shown}{style:#}\n")
    });
    lines.collect()
}

pub(super) fn applied(applied: &Applied, output: Output) {
    let id = applied.proposal_id.as_ref().map(ToString::to_string).unwrap_or_default();
    let sections = applied.affected_sections.iter();
    let sections: String = sections.map(|section| format!("  {}\n", affected(section))).collect();
    let word = if applied.dry_run { "would be applied" } else { "applied" };
    output.data(&format!("{GOOD}{word}{GOOD:#} {id}\n{sections}"));
    output.warn_each(&applied.warnings);
}

pub(super) fn outcome(outcome: &Outcome, output: Output) {
    match outcome {
        Outcome::Applied(answer) => applied(answer, output),
        Outcome::Staged(staged) => {
            let id = staged.staging_id.as_ref().map(ToString::to_string).unwrap_or_default();
            output.data(&format!("{CARE}staged{CARE:#} {id}\n"));
        }
        Outcome::Rejected(refusal) => output.refusal(refusal),
    }
}

/// Tells a person what became of a request, and what comes next.
pub(super) fn told(outcome: &Outcome, output: Output) {
    let (style, what, sections, next, warnings) = match outcome {
        Outcome::Rejected(refusal) => return output.refusal(refusal),
        Outcome::Applied(applied) => {
            let next = applied
                .proposal_id
                .as_ref()
                .map(|id| format!("`agent-memory undo {id}` takes it back"));
            let word = if applied.dry_run { "would be applied" } else { "applied" };
            (GOOD, word, &applied.affected_sections, next, &applied.warnings)
        }
        Outcome::Staged(staged) => {
            let next = staged
                .staging_id
                .as_ref()
                .map(|id| format!("`agent-memory review {id}` decides it"));
            let word = if staged.dry_run { "would be pending" } else { "pending" };
            (CARE, word, &staged.affected_sections, next, &staged.warnings)
        }
    };
    let what = match sections.as_slice() {
        [] => format!("{style}{what}{style:#}: nothing changes\n"),
        [first, rest @ ..] => {
            let more = match rest.len() {
                0 => String::new(),
                more => format!(" and {}", count(more, "more section")),
            };
            format!("{style}{what}{style:#}: {}{more}\n", change(first))
        }
    };
    let next = next.map(|next| format!("{TITLE}next:{TITLE:#} {next}\n"));
    output.data(&(what + &next.unwrap_or_default()));
    output.warn_each(warnings);
}

fn change(section: &AffectedSection) -> String {
    let id = section.section_id.as_ref().map(|id| format!("#{id}")).unwrap_or_default();
    format!("{} {}{id}", section.change.name(), shown_name(&section.file))
}

/// Formats one affected section: the change, `file#section-id`, and the first 16 characters of the hash.
pub(super) fn affected(section: &AffectedSection) -> String {
    let id = section.section_id.as_ref().map(|id| format!("#{id}")).unwrap_or_default();
    let hash = section.hash.as_deref().map(|hash| &hash[..hash.len().min(16)]);
    let hash = hash.map(|hash| format!("  {FAINT}{hash}{FAINT:#}")).unwrap_or_default();
    format!("{:<8} {}{id}{hash}", section.change.name(), shown_name(&section.file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_written_in_its_largest_unit() {
        let spans = [0, 59, 60, 3_599, 3_600, 86_399, 86_400 * 9, -7_200].map(span);
        assert_eq!(spans, ["0s", "59s", "1m", "59m", "1h", "23h", "9d", "-2h"]);
    }

    #[test]
    fn a_diff_cannot_steer_the_terminal() {
        assert!(diff("a\nb\n+a\u{1b}[31m\n").contains("a<U+001B>[31m"));
    }
}
