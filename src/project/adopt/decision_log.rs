//! Takes the decisions out of a log of many: sections, list items or rows of a table that begin with a day.

use super::adr::{
    DecisionRecord, DecisionStatus, HeadLines, Relations, day_of, joined, leveled, plain_title,
};
use crate::contract::is_date;
use crate::markdown::{LineEnding, Outline, Section};

/// One decision of a log.
#[derive(Debug, Clone)]
pub(crate) struct LogEntry {
    pub record: DecisionRecord,
    /// The first and the last of its lines, from 1.
    pub lines: (usize, usize),
}

/// What a log holds.
#[derive(Debug, Default)]
pub(crate) struct DecisionLog {
    pub entries: Vec<LogEntry>,
    /// How many lines with words are in no entry; headings do not count.
    pub other_lines: usize,
}

/// Longest title that is made of the words of an entry.
const TITLE: usize = 80;

/// Reads the decisions of a log, in the first of the three forms that it has.
pub(crate) fn read_log(text: &str) -> DecisionLog {
    let text = LineEnding::Lf.apply(text);
    let forms = [of_sections, of_items, of_rows];
    let entries = forms.iter().map(|read| read(&text)).find(|entries| !entries.is_empty());
    let entries = entries.unwrap_or_default();
    let is_told = |(line, number): &(&str, usize)| {
        let has_words = line.chars().any(char::is_alphanumeric) && !line.starts_with('#');
        let is_taken = entries.iter().any(|it| (it.lines.0..=it.lines.1).contains(number));
        has_words && !is_taken && !is_header(line)
    };
    let other_lines = text.lines().zip(1..).filter(is_told).count();
    DecisionLog { entries, other_lines }
}

fn record(title: &str, date: Option<String>, body: String, head: HeadLines) -> DecisionRecord {
    let status = head.status.as_deref().and_then(DecisionStatus::read);
    DecisionRecord {
        title: title.to_owned(),
        date: date.or_else(|| head.date.as_deref().and_then(day_of)),
        status: Some(status.unwrap_or(DecisionStatus::ACTIVE)),
        relations: Relations::default(),
        notes: head.notes,
        before: String::new(),
        body,
        ending: LineEnding::Lf,
    }
}

fn of_sections(text: &str) -> Vec<LogEntry> {
    let outline = Outline::read(text);
    let date = |section: &Section| {
        day_of(&section.heading.text)
            .or_else(|| day_of(&HeadLines::read(outline.body(section)).date?))
    };
    let dated =
        || outline.sections().iter().filter(|it| it.heading.level > 1 && date(it).is_some());
    let Some(level) = dated().map(|section| section.heading.level).min() else {
        return Vec::new();
    };
    let entry = |section: &Section| {
        let head = HeadLines::read(&text[section.body_start..section.own_end]);
        let title = words_of(&section.heading.text).to_owned();
        let rest = leveled(&text[section.own_end..section.end], level);
        let body = joined(&head.rest, &rest);
        let body = if body.is_empty() { body } else { format!("{}\n", body.trim_end()) };
        let last = section.line
            + text[section.heading_bytes.start..section.end].trim_end().lines().count()
            - 1;
        let title = if title.is_empty() { section.heading.text.clone() } else { title };
        LogEntry { record: record(&title, date(section), body, head), lines: (section.line, last) }
    };
    dated().filter(|section| section.heading.level == level).map(entry).collect()
}

/// Reads items such as `- [2025-01-02 10:00:00] - Use X. It is fast.`, also without a mark of a list.
fn of_items(text: &str) -> Vec<LogEntry> {
    let lines: Vec<&str> = text.lines().collect();
    let begins: Vec<usize> = (0..lines.len()).filter(|&at| item_day(lines[at]).is_some()).collect();
    let entry = |&at: &usize| {
        let more = lines[at + 1..].iter().take_while(|line| {
            let is_other = item_day(line).is_some() || line.starts_with('#');
            !is_other && (line.is_empty() || line.starts_with([' ', '\t']))
        });
        let mut last = at + more.count();
        while lines[last].trim().is_empty() {
            last -= 1;
        }
        let said = words_of(lines[at].trim_start_matches(['-', '*', '+', ' ']));
        let title = title_of(said);
        let rest = lines[at + 1..=last].iter().map(|line| line.strip_prefix("  ").unwrap_or(line));
        let first = (said != title).then_some(said);
        let body: String = first.into_iter().chain(rest).map(|line| format!("{line}\n")).collect();
        let record = record(title, item_day(lines[at]), body, HeadLines::default());
        LogEntry { record, lines: (at + 1, last + 1) }
    };
    begins.iter().map(entry).filter(|entry| !entry.record.title.is_empty()).collect()
}

fn item_day(line: &str) -> Option<String> {
    let plain = line.trim_start_matches(['-', '*', '+', ' ', '[', '(', '`']);
    let is_indented = line.starts_with([' ', '\t']);
    plain.get(..10).filter(|day| !is_indented && is_date(day)).map(str::to_owned)
}

/// Reads a table with a column of decisions; the other columns become facts.
fn of_rows(text: &str) -> Vec<LogEntry> {
    let mut rows = text.lines().zip(1..).filter(|(line, _)| line.trim_start().starts_with('|'));
    let Some((header, _)) = rows.find(|(line, _)| is_header(line)) else { return Vec::new() };
    let names = cells(header);
    let entry = |(line, number): (&str, usize)| {
        let cells = cells(line);
        let column = names.iter().position(|name| is_decision(name))?;
        let said = cells.get(column).filter(|said| said.chars().any(char::is_alphanumeric))?;
        let title = title_of(said);
        let mut head = HeadLines::default();
        for (name, cell) in names.iter().zip(&cells).filter(|(name, _)| !is_decision(name)) {
            match name.to_lowercase().as_str() {
                "date" | "when" | "day" => head.date = Some((*cell).to_owned()),
                "status" | "state" => head.status = Some((*cell).to_owned()),
                _ if cell.is_empty() || name.is_empty() => {}
                _ => head.notes.push(((*name).to_owned(), (*cell).to_owned())),
            }
        }
        let body = if title == *said { String::new() } else { format!("{said}\n") };
        Some(LogEntry { record: record(title, None, body, head), lines: (number, number) })
    };
    rows.filter_map(entry).collect()
}

fn is_header(line: &str) -> bool {
    line.trim_start().starts_with('|') && cells(line).iter().any(|name| is_decision(name))
}

fn is_decision(name: &str) -> bool {
    ["decision", "decisions", "what"].contains(&name.to_lowercase().as_str())
}

fn cells(line: &str) -> Vec<&str> {
    line.trim().trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('*')).collect()
}

/// Returns the words of an entry behind its day and signs, without `Decision:`.
fn words_of(said: &str) -> &str {
    let is_of_day = |c: char| c.is_ascii_digit() || "-/:[]()*` –—T".contains(c);
    let signs = |c: char| "-:[]()*` –—.".contains(c);
    let start = said.find(|c: char| !is_of_day(c)).unwrap_or(said.len());
    let begins = day_of(&said[..start]).is_some();
    let said = if begins { said[start..].trim_start_matches(signs) } else { said };
    // A day may stand behind the words, too: `Use X (2025-01-02)`.
    let end = said.rfind(['(', '[', '-', '–', '—']).filter(|&at| {
        let behind = &said[at..];
        day_of(behind).is_some() && !behind.contains(char::is_alphabetic)
    });
    let cut = end.map_or(said, |_| said.trim_end_matches(|c: char| is_of_day(c)));
    let plain = cut.trim();
    let named = plain.get(..9).filter(|word| word.eq_ignore_ascii_case("decision:"));
    let plain = if named.is_some() { plain[9..].trim_start_matches(['*', ' ']) } else { plain };
    plain_title(plain).unwrap_or(plain)
}

/// Returns the first sentence of an entry, as far as a title may go.
fn title_of(said: &str) -> &str {
    let ends = [". ", ": ", "; ", " – ", " — ", " - "];
    let end = ends.iter().filter_map(|end| said.find(end)).min().unwrap_or(said.len());
    let sentence = said[..end].trim_end_matches(['.', ' ']);
    match sentence.char_indices().nth(TITLE) {
        None => sentence,
        Some((cut, _)) => {
            let end = sentence[..cut].rfind(' ').unwrap_or(cut);
            &sentence[..end]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str, (usize, usize))], other_lines: usize) {
        let log = read_log(text);
        let found = log.entries.iter().map(|it| (it.record.written(None, &[]), it.lines));
        let expected = expected.iter().map(|(title, rest, lines)| {
            let fields = "- **Date:** 2025-01-02\n- **Status:** active\n";
            (format!("# {title}\n\n{fields}{rest}"), *lines)
        });
        assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
        assert_eq!(log.other_lines, other_lines);
    }

    #[test]
    fn sections_with_a_day_are_decisions() {
        check(
            "# Log\n\nIntro words.\n\n## [2025-01-02] Use X\n\n**Why**: fast.\n\n### More\n\ny\n\n## Notes\n\nz\n",
            &[("Use X", "\n**Why**: fast.\n\n## More\n\ny\n", (5, 11))],
            2,
        );
        check(
            "# Log\n\n## Decision: Use X\n- Date: 2025-01-02\n- Status: done\n\nw\n",
            &[("Use X", "\nw\n", (3, 7))],
            0,
        );
    }

    #[test]
    fn items_that_begin_with_a_day_are_decisions() {
        check(
            "# Log\n\n- [2025-01-02 10:00:00] - Use X. It is fast.\n  - and small\n\n[2025-01-02] Use Y\n",
            &[("Use X", "\nUse X. It is fast.\n- and small\n", (3, 4)), ("Use Y", "", (6, 6))],
            0,
        );
        check("* **2025-01-02**: Use X\n", &[("Use X", "", (1, 1))], 0);
    }

    #[test]
    fn rows_of_a_table_are_decisions() {
        check(
            "| Date | Decision | Rationale |\n|---|---|---|\n| 2025-01-02 | Use X | fast |\n",
            &[("Use X", "- **Rationale:** fast\n", (3, 3))],
            0,
        );
    }

    #[test]
    fn a_file_without_days_is_no_log() {
        check("# Log\n\n## Decision\n\nUse X\n\n## Rationale\n\nFast\n", &[], 2);
    }
}
