//! Finds what a rewrite takes out of a text: paragraphs, list items, ticks of tasks, code blocks, tables, their rows, and
//! links.

use std::cell::LazyCell;
use std::collections::{BTreeSet, HashMap};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::nesting;

/// What a part of a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PartKind {
    Bullet,
    Paragraph,
    Code,
    Table,
    Row,
    Link,
    Tick,
}

/// A part of a text, as a reader sees it.
struct TextPart {
    kind: PartKind,
    words: String,
    /// Whether it is a task, and done.
    is_done: Option<bool>,
}

/// The parts of one kind that are gone.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct LostParts {
    pub(crate) kind: PartKind,
    /// Their words.
    pub(crate) lost: Vec<String>,
    /// How many parts of that kind there were.
    pub(crate) of: usize,
}

/// A shorter text stands by chance in another one.
const TELLING: usize = 12;

impl PartKind {
    /// Those that are gone if their words are.
    const OF_WORDS: [Self; 6] =
        [Self::Bullet, Self::Paragraph, Self::Code, Self::Table, Self::Row, Self::Link];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Bullet => "bullet",
            Self::Paragraph => "paragraph",
            Self::Code => "code block",
            Self::Table => "table",
            Self::Row => "table row",
            Self::Link => "link",
            Self::Tick => "tick",
        }
    }
}

/// Compares a text before and after a rewrite. What stands anywhere in `around` is not lost, and a part that replaces
/// another is the same one in other words.
pub(crate) fn lost_parts(before: &str, after: &str, around: &str) -> Vec<LostParts> {
    let (old, new) = (parts_of(before), parts_of(after));
    // Most changes lose nothing, and around them may stand whole files.
    let beside = LazyCell::new(|| -> BTreeSet<String> {
        parts_of(around).iter().map(|part| plain(&part.words)).collect()
    });
    let around = LazyCell::new(|| plain(around));
    let stands = |text: &String| {
        beside.contains(text) || (text.chars().count() >= TELLING && around.contains(text))
    };
    let lost_of = |kind: PartKind| {
        let of_kind = |parts: &[TextPart]| -> Vec<String> {
            let own = parts.iter().filter(|part| part.kind == kind);
            own.map(|part| part.words.clone()).collect()
        };
        let (old, new) = (of_kind(&old), of_kind(&new));
        let said = |texts: &[String]| texts.iter().map(|text| plain(text)).collect::<BTreeSet<_>>();
        let (known, there) = (said(&old), said(&new));
        let is_gone = |text: &&String| {
            let text = plain(text);
            !text.is_empty() && !there.contains(&text)
        };
        let gone: Vec<String> = old.iter().filter(is_gone).cloned().collect();
        let others = new.iter().filter(|text| !known.contains(&plain(text)));
        let mut lost = without_likest(gone, others);
        // Not before: a longer part replaces the one that stands in it, and no other.
        lost.retain(|text| !stands(&plain(text)));
        (!lost.is_empty()).then_some(LostParts { kind, lost, of: old.len() })
    };
    let mut lost: Vec<LostParts> = PartKind::OF_WORDS.into_iter().filter_map(lost_of).collect();
    leave_out_rows_of_lost_tables(&mut lost);
    lost.extend(lost_ticks(&old, &new));
    lost
}

/// Leaves out the rows of tables that are gone as a whole.
fn leave_out_rows_of_lost_tables(lost: &mut Vec<LostParts>) {
    let tables = lost.iter().filter(|it| it.kind == PartKind::Table).flat_map(|it| &it.lost);
    let tables: Vec<String> = tables.map(|text| plain(text)).collect();
    for rows in lost.iter_mut().filter(|it| it.kind == PartKind::Row) {
        rows.lost.retain(|row| !tables.iter().any(|table| table.contains(&plain(row))));
    }
    lost.retain(|it| !it.lost.is_empty());
}

/// Finds the tasks that were done, and that stand there undone.
fn lost_ticks(old: &[TextPart], new: &[TextPart]) -> Option<LostParts> {
    let undone: BTreeSet<String> =
        new.iter().filter(|it| it.is_done == Some(false)).map(|it| plain(&it.words)).collect();
    let done: Vec<&TextPart> = old.iter().filter(|it| it.is_done == Some(true)).collect();
    let lost = done.iter().filter(|it| undone.contains(&plain(&it.words)));
    let lost: Vec<String> = lost.map(|it| it.words.clone()).collect();
    (!lost.is_empty()).then_some(LostParts { kind: PartKind::Tick, lost, of: done.len() })
}

/// Leaves the parts that no new one replaces: each replaces the one with the most words in common. The words are looked up,
/// as a list of thousands that is written anew would be compared for minutes else.
fn without_likest<'n>(gone: Vec<String>, new: impl Iterator<Item = &'n String>) -> Vec<String> {
    let words =
        |text: &str| text.split_whitespace().map(str::to_lowercase).collect::<BTreeSet<_>>();
    let mut holders: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, text) in gone.iter().enumerate() {
        words(text).into_iter().for_each(|word| holders.entry(word).or_default().push(at));
    }
    let mut left: BTreeSet<usize> = (0..gone.len()).collect();
    for text in new {
        let mut common = vec![0_usize; gone.len()];
        for at in words(text).iter().filter_map(|word| holders.get(word)).flatten() {
            common[*at] += 1;
        }
        let likest = left.iter().rev().max_by_key(|at| common[**at]);
        let Some(likest) = likest.copied() else { break };
        left.remove(&likest);
    }
    let numbered = gone.into_iter().enumerate();
    numbered.filter(|(at, _)| left.contains(at)).map(|(_, text)| text).collect()
}

/// Returns a text without blanks and marks, in small letters: a reader sees the same.
fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns the parts of a text with their words. A list item is its own text, without the lists in it.
fn parts_of(text: &str) -> Vec<TextPart> {
    let bounded = nesting::bound(text);
    let (mut open, mut found): (Vec<TextPart>, Vec<TextPart>) = (Vec::new(), Vec::new());
    let mut row = 0;
    let begun = |kind| TextPart { kind, words: String::new(), is_done: None };
    for event in Parser::new_ext(&bounded, Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS) {
        match event {
            Event::Start(Tag::Item) => open.push(begun(PartKind::Bullet)),
            Event::Start(Tag::CodeBlock(_)) => open.push(begun(PartKind::Code)),
            Event::Start(Tag::Table(_)) => open.push(begun(PartKind::Table)),
            Event::Start(Tag::Paragraph) if !is_in_item(&open) => {
                open.push(begun(PartKind::Paragraph));
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                found.push(TextPart { words: dest_url.into_string(), ..begun(PartKind::Link) });
            }
            Event::Start(Tag::TableRow) => row = open.last().map_or(0, |it| it.words.len()),
            Event::End(TagEnd::TableRow) => {
                let words = open.last().and_then(|it| it.words.get(row..)).unwrap_or_default();
                found.push(TextPart { words: words.trim().to_owned(), ..begun(PartKind::Row) });
            }
            Event::TaskListMarker(is_done) => {
                open.iter_mut().last().into_iter().for_each(|it| it.is_done = Some(is_done));
            }
            Event::End(TagEnd::Item | TagEnd::CodeBlock | TagEnd::Table) => {
                found.extend(open.pop())
            }
            Event::End(TagEnd::Paragraph) if !is_in_item(&open) => found.extend(open.pop()),
            Event::Text(text) | Event::Code(text) => {
                if let Some(TextPart { words, .. }) = open.last_mut() {
                    words.push_str(&text);
                }
            }
            Event::SoftBreak | Event::HardBreak | Event::End(TagEnd::TableCell) => {
                open.iter_mut().for_each(|part| part.words.push(' '));
            }
            _ => {}
        }
    }
    found
}

fn is_in_item(open: &[TextPart]) -> bool {
    open.last().is_some_and(|part| part.kind == PartKind::Bullet)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: &str, after: &str, expected: &[&str]) {
        let told = lost_parts(before, after, after).into_iter().map(|it| {
            format!("{} of {} {}: {}", it.lost.len(), it.of, it.kind.name(), it.lost.join(" | "))
        });
        assert_eq!(told.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn each_kind_of_part_is_missed() {
        check(
            "One way.\n\nTwo *ways*.\n\n- a b\n- c\n\n```sh\nmake it\n```\n\n| h |\n|---|\n| x |\n\nSee [it](a.md).\n",
            "One way.\n",
            &[
                "2 of 2 bullet: a b | c",
                "2 of 3 paragraph: Two ways. | See it.",
                "1 of 1 code block: make it\n",
                "1 of 1 table: h x ",
                "1 of 1 link: a.md",
            ],
        );
    }

    #[test]
    fn other_words_or_another_form_are_no_loss() {
        check("- a\n- b", "- b\n- other words\n- c", &[]);
        check("* A  b\n* c", "- a b\n- C", &[]);
        check("- a\n- b", "All of it: a, b.", &["2 of 2 bullet: a | b"]);
        check("- It has a long name", "That it has a long name is known.", &[]);
        check("Old words here.", "New words here.", &[]);
        check(
            "- Wrap every error.\n- Never log it as well.",
            "- Wrap every error with its input.",
            &["1 of 2 bullet: Never log it as well."],
        );
        check("One.\n\nTwo ways.", "Two plain ways.", &["1 of 2 paragraph: One."]);
    }

    #[test]
    fn rows_of_a_table_that_stays_and_ticks_of_tasks_are_missed() {
        let table = "| code | what |\n|---|---|\n| 1 | no such way |\n| 2 | unable to say |\n";
        let shorter = table.replace("| 2 | unable to say |\n", "");
        check(table, &shorter, &["1 of 2 table row: 2 unable to say"]);
        check(table, &table.replace("unable", "not able"), &[]);
        check(table, &format!("{shorter}\n2: unable to say"), &[]);
        check(
            "- [x] Ship\n- [x] Test\n- [ ] Rest",
            "- [ ] Ship\n- [X] Test\n- [x] Rest",
            &["1 of 2 tick: Ship"],
        );
        check("- [x] Ship it today", "- [ ] Ship it tomorrow", &[]);
    }

    #[test]
    fn a_list_item_is_its_own_text_alone() {
        check("- a\n  - deep\n- b", "- a\n- b", &["1 of 3 bullet: deep"]);
    }

    #[test]
    fn a_long_list_that_is_written_anew_is_compared_in_no_time() {
        let list =
            |word: &str| (0..4_000).map(|at| format!("- it is {word} {at}\n")).collect::<String>();
        check(&list("a"), &list("b"), &[]);
    }
}
