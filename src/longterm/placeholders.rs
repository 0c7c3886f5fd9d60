//! Keeps the placeholders that a prompt fills, and takes the braces from every other word.

/// The words that a prompt fills, in any case.
const KEPT: [&str; 3] = ["user", "bot", "char"];

/// Takes the braces from every word that no prompt fills. The word stays, so that a text never becomes empty by it.
pub(crate) fn sanitized(text: &str) -> String {
    let known = |word: &str, whole: &str| {
        let is_kept = KEPT.iter().any(|kept| kept.eq_ignore_ascii_case(word));
        if is_kept { whole.to_owned() } else { word.to_owned() }
    };
    replaced(&replaced(text, ["{{", "}}"], known), ["{", "}"], known)
}

/// Puts a name in the place of `{user}` and `{{user}}`.
pub(crate) fn with_user(text: &str, name: &str) -> String {
    let filled = |word: &str, whole: &str| match word.eq_ignore_ascii_case("user") {
        true => name.to_owned(),
        false => whole.to_owned(),
    };
    replaced(&replaced(text, ["{{", "}}"], filled), ["{", "}"], filled)
}

/// Fills all placeholders, as a prompt does; those of the person only where one is meant.
pub(crate) fn filled(text: &str, user: Option<&str>, bot: &str) -> String {
    let fill = |word: &str, whole: &str| match (word.to_ascii_lowercase().as_str(), user) {
        ("user", Some(user)) => user.to_owned(),
        ("bot" | "char", _) => bot.to_owned(),
        _ => whole.to_owned(),
    };
    replaced(&replaced(text, ["{{", "}}"], fill), ["{", "}"], fill)
}

/// Replaces each word between two marks; `new` gets the word, and the word with the marks.
fn replaced(text: &str, [open, close]: [&str; 2], new: impl Fn(&str, &str) -> String) -> String {
    let mut made = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(open) {
        let behind = &rest[at + open.len()..];
        let word = word_at(behind);
        let (taken, replacement) = match behind[word.len()..].starts_with(close) {
            true if !word.is_empty() => {
                let whole = &rest[at..at + open.len() + word.len() + close.len()];
                (whole.len(), new(word, whole))
            }
            // The mark may begin one character later.
            true | false => (1, rest[at..=at].to_owned()),
        };
        made += &rest[..at];
        made += &replacement;
        rest = &rest[at + taken..];
    }
    made + rest
}

/// Returns the word that a text begins with: a letter, then letters, digits and `_`; empty if there is none.
fn word_at(text: &str) -> &str {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    if text.starts_with(|c: char| c.is_ascii_alphabetic()) { &text[..end] } else { "" }
}

#[cfg(test)]
mod tests {
    use super::{sanitized, with_user};

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
}
