//! Picks the lines of a text that answer best, as they stand.

use super::terms::words;
use super::wanted::WantedTerms;

/// Longest snippet in characters.
const LONGEST: usize = 240;

const MOST_LINES: usize = 3;

/// Bytes of a text that are read on where a line of it answers.
const READ_ON: usize = 64 * 1024;

/// Returns the best one to three lines, by how telling their words of the question are, and where these stand.
pub(super) fn snippet(body: &str, wanted: &WantedTerms) -> (String, Vec<(usize, usize)>) {
    let (mut lines, mut found) = (Vec::new(), Vec::new());
    let (mut answers, mut read) = (false, 0);
    for line in body.lines().filter_map(shown) {
        let terms = wanted.in_line(line);
        answers |= terms != 0;
        read += line.len();
        lines.push(line);
        found.push(terms);
        if answers && read > READ_ON {
            break;
        }
    }
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

/// Returns the first line of those whose words, with those of the lines behind, tell most.
fn best_start(found: &[u64], wanted: &WantedTerms) -> usize {
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
fn cut(line: &str, wanted: &WantedTerms) -> String {
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
    use crate::index::finder::KnownPhrase;
    use crate::index::forms::stem;
    use crate::index::phrases::phrases;

    fn check<const N: usize>(body: &str, question: &str, expected: &str, marked: [&str; N]) {
        let (text, matches) = snippet(body, &WantedTerms::of(&phrases(question, true), &[]));
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
        let known = known.map(|(word, weight)| KnownPhrase::new(vec![stem(word)], false, weight));
        let question = phrases("store a chrono date in sqlite", true);
        let filler = "Another line.\n".repeat(4);
        let body = format!("To store it in SQLite.\n{filler}A chrono one is text.\n");
        assert_eq!(snippet(&body, &WantedTerms::of(&question, &known)).0, "A chrono one is text.");
        let line = body.replace('\n', &" and so on".repeat(30));
        assert!(
            snippet(&line, &WantedTerms::of(&question, &known)).0.contains("A chrono one is text.")
        );
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
            let (text, matches) = snippet(&body, &WantedTerms::of(&phrases("needle", true), &[]));
            let [(start, end)] = matches[..] else { panic!("{filler}: {text}") };
            assert_eq!(&text[start..end], "needle");
        }
    }

    #[test]
    fn a_long_line_is_cut_between_words() {
        let body = format!("{}needle {}", "some hay ".repeat(100), "more hay ".repeat(100));
        let (text, matches) = snippet(&body, &WantedTerms::of(&phrases("needle", true), &[]));
        assert!(text.chars().count() <= LONGEST, "{text}");
        assert!(text.starts_with('…') && text.ends_with('…'), "{text}");
        assert_eq!(matches.len(), 1);
        let (text, _) = snippet(&"é".repeat(1000), &WantedTerms::of(&phrases("needle", true), &[]));
        assert!(text.chars().count() <= LONGEST, "{text}");
    }
}
