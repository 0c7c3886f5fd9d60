//! Picks the lines of a section that answer best, as they stand.

use std::ops::Range;

use super::candidates::Known;
use super::forms::stem;
use super::identifiers::identifier_parts;
use super::words::{Phrase, fold, head, is_mixed, words};

/// Longest snippet in characters.
const LONGEST: usize = 240;

const MOST_LINES: usize = 3;

/// The weight of a word for which the number of sections is not known.
const LEAST: f64 = 1e-9;

/// Bytes of a section whose lines are compared with one another.
const LOOKED_AT: usize = 64 * 1024;

/// Lines that stand near one another, and which stems of the question each holds.
#[derive(Default)]
struct Piece<'a> {
    lines: Vec<&'a str>,
    found: Vec<u64>,
}

/// Returns the best one to three lines, by how telling their words of the question are, and where these stand.
pub(super) fn snippet(body: &str, wanted: &Wanted) -> (String, Vec<(usize, usize)>) {
    let Piece { lines, found } = first_that_answers(body, wanted);
    let start = best_start(&found, wanted);
    let mut text = String::new();
    for (line, found) in lines.iter().zip(&found).skip(start).take(MOST_LINES) {
        let is_welcome = text.is_empty() || *found != 0;
        if !is_welcome || text.chars().count() + line.chars().count() >= LONGEST {
            break;
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(line);
    }
    if text.is_empty() && !lines.is_empty() {
        text = cut(lines[start], wanted);
    }
    let matches = words(&text).flat_map(|word| wanted.places(&text, word)).collect();
    (text, matches)
}

/// Returns the first piece that holds a word of the question; the beginning if none does.
fn first_that_answers<'a>(body: &'a str, wanted: &Wanted) -> Piece<'a> {
    let mut all = pieces(body).map(|piece| {
        let lines: Vec<&str> = piece.lines().filter_map(shown).collect();
        let found = lines.iter().map(|line| wanted.in_line(line)).collect();
        Piece { lines, found }
    });
    let answers = |piece: &Piece<'_>| piece.found.iter().any(|found| *found != 0);
    let first = all.next().unwrap_or_default();
    if answers(&first) { first } else { all.find(answers).unwrap_or(first) }
}

/// Cuts a text behind a line, or behind a blank of a line that is too long.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let piece = head(rest, LOOKED_AT);
        let end = match piece.rfind('\n').or_else(|| piece.rfind(' ')) {
            Some(last) if piece.len() < rest.len() => last + 1,
            Some(_) | None => piece.len(),
        };
        let (piece, behind) = rest.split_at(end);
        rest = behind;
        (!piece.is_empty()).then_some(piece)
    })
}

/// Returns the first line of those whose words, with those of the lines behind, tell most.
fn best_start(found: &[u64], wanted: &Wanted) -> usize {
    let worth = |start: usize| {
        let window = &found[start..found.len().min(start + MOST_LINES)];
        let distinct = window.iter().fold(0, |all, line| all | line);
        (wanted.worth(distinct), wanted.worth(found[start]))
    };
    let mut best = (0, (0.0, 0.0));
    for start in (0..found.len()).filter(|start| found[*start] != 0) {
        let worth = worth(start);
        if worth > best.1 {
            best = (start, worth);
        }
    }
    best.0
}

/// Cuts a line that is too long around the most telling word of the question, between words.
fn cut(line: &str, wanted: &Wanted) -> String {
    let first = wanted.most_telling(line);
    let before =
        line[..first].char_indices().rev().take(LONGEST / 4).last().map_or(0, |(at, _)| at);
    let start = match line[before..first].find(' ') {
        Some(blank) if before > 0 => before + blank + 1,
        Some(_) | None => before,
    };
    let length =
        line[start..].char_indices().nth(LONGEST - 2).map_or(line.len() - start, |(at, _)| at);
    let mut end = start + length;
    if end < line.len() {
        end = line[start..end].rfind(' ').map_or(end, |blank| start + blank);
    }
    let (opening, closing) =
        (if start > 0 { "…" } else { "" }, if end < line.len() { "…" } else { "" });
    format!("{opening}{}{closing}", line[start..end].trim())
}

/// The terms of a question; a set of them is a number with a bit for each.
pub(super) struct Wanted {
    terms: Vec<String>,
    /// Which of them may go on.
    unfinished: Option<usize>,
    weights: Vec<f64>,
}

impl Wanted {
    pub(super) fn of(phrases: &[Phrase], known: &[Known]) -> Self {
        let mut terms: Vec<String> = Vec::new();
        // First those that some section holds: there may be more terms than bits.
        let all = known.iter().map(|known| &known.terms);
        for term in all.chain(phrases.iter().map(|phrase| &phrase.terms)).flatten() {
            if terms.len() < u64::BITS as usize && !terms.contains(term) {
                terms.push(term.clone());
            }
        }
        let single = |term: &String| known.iter().find(|known| known.terms == [term.as_str()]);
        let weights = terms.iter().map(|term| single(term).map_or(LEAST, |known| known.weight));
        let weights = weights.collect();
        let is_unfinished = |term| single(term).is_some_and(|known| known.is_beginning);
        Self { unfinished: terms.iter().position(is_unfinished), weights, terms }
    }

    fn worth(&self, found: u64) -> f64 {
        let is_found = |at: &usize| found >> at & 1 == 1;
        (0..self.weights.len()).filter(is_found).map(|at| self.weights[at]).sum()
    }

    /// Returns where the first of the most telling words begins; 0 if there is none.
    fn most_telling(&self, line: &str) -> usize {
        let mut best = (0, 0.0);
        for word in words(line) {
            let here = &line[word.clone()];
            let inside = || if self.places_inside(here).is_empty() { 0.0 } else { LEAST };
            let worth = self.position(here).map_or_else(inside, |at| self.weights[at]);
            if worth > best.1 {
                best = (word.start, worth);
            }
        }
        best.0
    }

    fn in_line(&self, line: &str) -> u64 {
        let bits = |word: &str| match self.position(word) {
            Some(at) => 1 << at,
            None => self.short_in(word).fold(0, |found, (at, _)| found | 1 << at),
        };
        words(line).fold(0, |found, word| found | bits(&line[word]))
    }

    /// Returns which terms stand within a word of a script without blanks.
    fn short_in<'w>(&'w self, word: &'w str) -> impl Iterator<Item = (usize, &'w str)> {
        let terms = if word.is_ascii() { &[] } else { self.terms.as_slice() };
        let terms = terms.iter().map(String::as_str).enumerate();
        terms.filter(move |(_, term)| is_mixed(term) && word.contains(term))
    }

    fn position(&self, word: &str) -> Option<usize> {
        let position = |word: &str| {
            let term = stem(word);
            let begun = self.unfinished.filter(|at| term.starts_with(&self.terms[*at]));
            self.terms.iter().position(|wanted| *wanted == term).or(begun)
        };
        position(&fold(word))
            .or_else(|| identifier_parts(word).iter().find_map(|part| position(part)))
    }

    /// Returns what of a word of a text is to be marked, as start and end.
    fn places(&self, text: &str, word: Range<usize>) -> Vec<(usize, usize)> {
        let here = &text[word.clone()];
        if self.position(here).is_some() {
            return vec![(word.start, word.end)];
        }
        let places = self.places_inside(here).into_iter();
        places.map(|(start, end)| (word.start + start, word.start + end)).collect()
    }

    /// A word of a script without blanks is a whole clause, while the question was split into pairs.
    fn places_inside(&self, word: &str) -> Vec<(usize, usize)> {
        let mut found: Vec<(usize, usize)> = self
            .short_in(word)
            .flat_map(|(_, term)| word.match_indices(term))
            .map(|(at, term)| (at, at + term.len()))
            .collect();
        found.sort_unstable();
        found.dedup_by(|next, last| {
            let meets = next.0 <= last.1;
            if meets {
                last.1 = last.1.max(next.1);
            }
            meets
        });
        found
    }
}

/// Returns a line as it stands, without blanks around it; nothing for an anchor of ours, or if it only has marks.
fn shown(line: &str) -> Option<&str> {
    let line = line.trim();
    let is_anchor = line.starts_with("<!-- @") && line.ends_with("-->");
    let is_fence = line.starts_with("```") || line.starts_with("~~~");
    (!is_anchor && !is_fence && line.contains(char::is_alphanumeric)).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::store::index::words::phrases;

    fn check<const N: usize>(body: &str, question: &str, expected: &str, marked: [&str; N]) {
        let (text, matches) = snippet(body, &Wanted::of(&phrases(question, true), &[]));
        assert_eq!(text, expected, "{body:?}");
        let found: Vec<&str> = matches.iter().map(|(start, end)| &text[*start..*end]).collect();
        assert_eq!(found, marked, "{body:?}");
    }

    #[test]
    fn the_line_with_most_words_of_the_question_is_shown() {
        check(
            "One.\n\nTokens rotate daily.\n\nThree.",
            "token rotation",
            "Tokens rotate daily.",
            ["Tokens", "rotate"],
        );
    }

    #[test]
    fn a_rare_word_is_shown_before_two_that_stand_everywhere() {
        let known = [("store", 0.5), ("sqlite", 0.4), ("chrono", 5.0)];
        let known = known.map(|(word, weight)| Known::new(vec![stem(word)], false, weight));
        let question = phrases("store a chrono date in sqlite", true);
        let filler = "Another line.\n".repeat(4);
        let body = format!("To store it in SQLite.\n{filler}A chrono one is text.\n");
        assert_eq!(snippet(&body, &Wanted::of(&question, &known)).0, "A chrono one is text.");
        let line = body.replace('\n', &" and so on".repeat(30));
        assert!(snippet(&line, &Wanted::of(&question, &known)).0.contains("A chrono one is text."));
    }

    #[test]
    fn the_first_line_is_shown_if_none_answers() {
        check("```\nOne.\n```\nTwo.", "token", "One.", []);
        check("", "token", "", []);
    }

    #[test]
    fn a_line_is_shown_as_it_stands() {
        for line in [
            "- [ ] see **the** [docs](http://x/y) in `a_b`",
            "> `docs/__init__.py` takes **kwargs",
            "src/**/*.rs || docs/*",
            "| a  | docs | <!-- why -->",
            "jq '.items[] | .docs'",
            "docs[name](event)",
            "# docs in a shell",
        ] {
            check(&format!("\n  {line} \n"), "docs", line, ["docs"]);
        }
    }

    #[test]
    fn lines_that_only_have_marks_are_left_out() {
        let body = "<!-- @note: docs -->\n| a | docs |\n|---|---|\n| b | docs |";
        check(body, "docs", "| a | docs |\n| b | docs |", ["docs", "docs"]);
    }

    #[test]
    fn accents_and_unsegmented_scripts_are_marked() {
        check("Le café est là", "cafe", "Le café est là", ["café"]);
        check("新しい認証方式", "認証", "新しい認証方式", ["認証"]);
        check("新しい認証方式", "認証方式", "新しい認証方式", ["認証方式"]);
        check("一。\n\n\n\n新しい認証方式", "認証", "新しい認証方式", ["認証"]);
        check("он звонит в телефон", "он", "он звонит в телефон", ["он"]);
        check("Η Άλφα και η ΟΔΟΣ", "αλφα οδός", "Η Άλφα και η ΟΔΟΣ", ["Άλφα", "ΟΔΟΣ"]);
    }

    #[test]
    fn what_the_index_finds_is_marked() {
        for (question, form) in [
            ("retry", "retries"),
            ("queries", "Query"),
            ("policy", "policies"),
            ("stops", "stopping"),
            ("commit", "committed"),
            ("remove", "removal"),
            ("paid", "payment"),
        ] {
            check(
                &format!("One.\n\n\n\nIts {form} is it."),
                question,
                &format!("Its {form} is it."),
                [form],
            );
        }
    }

    #[test]
    fn an_identifier_is_marked_for_a_part_of_it() {
        check("calls getUserByID here", "user", "calls getUserByID here", ["getUserByID"]);
    }

    #[test]
    fn a_word_is_shown_however_far_behind_it_stands() {
        for filler in ["More hay.\n", "more hay ", "hay", "é\n"] {
            let body =
                format!("One.\n{} The needle.\nMore.", filler.repeat(400_000 / filler.len()));
            let (text, matches) = snippet(&body, &Wanted::of(&phrases("needle", true), &[]));
            let [(start, end)] = matches[..] else { panic!("{filler}: {text}") };
            assert_eq!(&text[start..end], "needle");
        }
    }

    #[test]
    fn a_long_line_is_cut_between_words() {
        let body = format!("{}needle {}", "some hay ".repeat(100), "more hay ".repeat(100));
        let (text, matches) = snippet(&body, &Wanted::of(&phrases("needle", true), &[]));
        assert!(text.chars().count() <= LONGEST, "{text}");
        assert!(text.starts_with('…') && text.ends_with('…'), "{text}");
        assert_eq!(matches.len(), 1);
        let (text, _) = snippet(&"é".repeat(1000), &Wanted::of(&phrases("needle", true), &[]));
        assert!(text.chars().count() <= LONGEST, "{text}");
    }
}
