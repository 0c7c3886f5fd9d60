//! Keeps the placeholders that a prompt fills, and takes the braces from every other word.

use crate::text::one_line;

/// The words that a prompt fills, in any case.
const KEPT: [&str; 3] = ["user", "bot", "char"];

/// The marks before and after a word.
type Marks = [&'static str; 2];

const DOUBLE: Marks = ["{{", "}}"];
const SINGLE: Marks = ["{", "}"];

/// Takes the braces from every word that no prompt fills, and from those that stand in braces afterwards. The word stays, so
/// that a text never becomes empty by it.
pub(crate) fn sanitized(text: &str) -> String {
    let mut text = text.to_owned();
    loop {
        let next = sanitized_once(&text);
        if next == text {
            return text;
        }
        text = next;
    }
}

fn sanitized_once(text: &str) -> String {
    let known = |word: &str, whole: &str| {
        let is_kept = KEPT.iter().any(|kept| kept.eq_ignore_ascii_case(word));
        if is_kept { whole.to_owned() } else { word.to_owned() }
    };
    replaced(&replaced(text, &[DOUBLE], known), &[SINGLE], known)
}

/// Puts a name in the place of `{user}` and `{{user}}`; its own braces go, as a name is no placeholder.
pub(crate) fn with_user(text: &str, name: &str) -> String {
    let name = one_line(&name.replace(['{', '}'], ""));
    let filled = |word: &str, whole: &str| match word.eq_ignore_ascii_case("user") {
        true => name.clone(),
        false => whole.to_owned(),
    };
    replaced(text, &[DOUBLE, SINGLE], filled)
}

/// Fills all placeholders with names of one line, as a prompt does; those of the person only where one is meant.
pub(crate) fn filled(text: &str, user: Option<&str>, bot: &str) -> String {
    let (user, bot) = (user.map(one_line), one_line(bot));
    let fill = |word: &str, whole: &str| match (word.to_ascii_lowercase().as_str(), &user) {
        ("user", Some(user)) => user.clone(),
        ("bot" | "char", _) => bot.clone(),
        _ => whole.to_owned(),
    };
    replaced(text, &[DOUBLE, SINGLE], fill)
}

/// Replaces each word between marks; `new` gets the word, and the word with its marks. What it returns is not read again, as
/// a name may have the form of a placeholder.
fn replaced(text: &str, marks: &[Marks], new: impl Fn(&str, &str) -> String) -> String {
    let mut made = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        made += &rest[..at];
        rest = &rest[at..];
        match marks.iter().find_map(|marks| marked_word(rest, *marks)) {
            Some((word, whole)) => {
                made += &new(word, whole);
                rest = &rest[whole.len()..];
            }
            // The mark may begin one character later.
            None => {
                made.push('{');
                rest = &rest[1..];
            }
        }
    }
    made + rest
}

/// Returns the word between two marks with which a text begins, and the word with its marks.
fn marked_word(text: &str, [open, close]: Marks) -> Option<(&str, &str)> {
    let word = word_at(text.strip_prefix(open)?);
    let end = open.len() + word.len();
    let is_word = !word.is_empty() && text[end..].starts_with(close);
    is_word.then(|| (word, &text[..end + close.len()]))
}

/// Returns the word that a text begins with: a letter, then letters, digits and `_`; empty if there is none.
fn word_at(text: &str) -> &str {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    if text.starts_with(|c: char| c.is_ascii_alphabetic()) { &text[..end] } else { "" }
}

#[cfg(test)]
mod tests {
    use super::{filled, sanitized, with_user};

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(sanitized(text), expected, "{text}");
    }

    #[test]
    fn a_word_that_no_prompt_fills_loses_its_braces() {
        check("{obonya} met {user} and {{BOT}}", "obonya met {user} and {{BOT}}");
        check("{{date}} {Char}", "date {Char}");
        check("{{{name}}}", "name");
        check("{a_1}{B2}", "a_1B2");
        check("{{s}ystem}", "system");
        check("{us{x}er} {{{a}b}}", "usxer ab");
        check("{{x}", "{x");
        check("{x", "{x");
    }

    #[test]
    fn what_is_no_word_stays() {
        let same = "{ name } {1a} {a-b} {\"k\":1} {名} {} {{}} { {{";
        check(same, same);
    }

    #[test]
    fn sanitising_never_empties_a_text() {
        check("{x}", "x");
        check("{{x}}", "x");
    }

    #[test]
    fn a_name_replaces_the_placeholder_of_a_person() {
        assert_eq!(
            with_user("{user} and {{User}} sing with {bot}", "Eve"),
            "Eve and Eve sing with {bot}"
        );
    }

    #[test]
    fn a_name_is_no_placeholder() {
        assert_eq!(filled("{{user}} and {user}", Some("{bot}"), "Tomo"), "{bot} and {bot}");
        assert_eq!(with_user("{{user}} sings", "{system}"), "system sings");
    }
}
