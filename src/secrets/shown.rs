//! Shows what another person named: a file, a folder, a branch, an owner, a field.

use std::borrow::Cow;

use super::scan::Scanner;
use crate::text::{escape_json, visible, visible_name};

/// Returns a name as it may be printed anywhere: on one line, with nothing hidden in it, and without what looks like a
/// secret. A name that is clean stays as it is to the byte, so that it can be used as a name again.
pub(crate) fn shown_name(name: &str) -> Cow<'_, str> {
    let scanner = Scanner::default();
    // Some secrets end with a line, so that they are looked for before the line end is shown.
    match (scanner.redact(name), is_one_line(name)) {
        (Cow::Borrowed(clean), true) => Cow::Borrowed(clean),
        (Cow::Owned(redacted), true) => Cow::Owned(redacted),
        (redacted, false) => {
            Cow::Owned(scanner.redact(&in_parts(&redacted, &scanner)).into_owned())
        }
    }
}

/// Shows what is hidden in a name, and takes out the secrets between: behind a sequence that a terminal carries out a word
/// begins, though the sequence ends with a letter.
fn in_parts(name: &str, scanner: &Scanner) -> String {
    let mut shown = String::with_capacity(name.len() + 16);
    for part in name.split_inclusive(char::is_control) {
        let behind_escape = shown.ends_with("<U+001B>") || shown.ends_with("<U+009B>");
        let is_last = |c: char| !matches!(c, '[' | ';' | '?' | '0'..='9');
        let last = part.char_indices().find(|(_, c)| is_last(*c)).filter(|_| behind_escape);
        let (sequence, words) = part.split_at(last.map_or(0, |(at, c)| at + c.len_utf8()));
        shown += &visible_name(sequence);
        shown += &visible_name(&scanner.redact(words));
    }
    shown
}

fn is_one_line(name: &str) -> bool {
    !name.contains(['\n', '\r']) && matches!(visible(name), Cow::Borrowed(_))
}

/// What stands under these keys is said in words, which may have several lines.
const WORDS: [&str; 3] = ["description", "rationale", "reason"];

/// What stands under these keys is text of memory, of a request or of ours: what looks like a secret is out of it, by
/// the settings of its store, and it may have any number of lines.
const TEXTS: [&str; 16] = [
    "additionalContext",
    "additional_context",
    "body",
    "content",
    "content_deleted",
    "content_saved",
    "diff",
    "diffs",
    "followup_message",
    "heading",
    "operations",
    "preview",
    "script",
    "snippet",
    "text",
    "title",
];

/// Returns a JSON document in which every name is shown as [`shown_name`] shows it, and every other character that
/// no person sees is escaped. All that is no text is a name, so that nothing is forgotten.
pub(crate) fn shown_json(json: &str) -> String {
    let mut shown = String::with_capacity(json.len());
    let (mut rest, mut key, mut around) = (json, "", Vec::new());
    while let Some(at) = rest.find(['"', '{', '[', '}', ']']) {
        shown.push_str(&rest[..at]);
        let mark = rest.as_bytes()[at];
        let end = if mark == b'"' { at + end_of_string(&rest[at..]) } else { at + 1 };
        let token = &rest[at..end];
        rest = &rest[end..];
        match mark {
            b'{' | b'[' => around.push(key),
            b'}' | b']' => key = around.pop().unwrap_or_default(),
            _ => {
                let is_key = rest.trim_start().starts_with(':');
                let said_of = |key: &&str| TEXTS.contains(&key.trim_matches('"'));
                let is_text = around.iter().any(said_of) || (!is_key && said_of(&key));
                shown.push_str(&if is_text { token.into() } else { shown_string(token, key) });
                key = if is_key { token } else { key };
                continue;
            }
        }
        shown.push_str(token);
    }
    shown.push_str(rest);
    escape_json(&shown).into_owned()
}

fn end_of_string(text: &str) -> usize {
    let mut bytes = text.bytes().enumerate().skip(1);
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'"' => return at + 1,
            b'\\' => drop(bytes.next()),
            _ => {}
        }
    }
    text.len()
}

/// Shows the name, or the words, in a string that stands under a key of a JSON document.
fn shown_string<'a>(token: &'a str, key: &str) -> Cow<'a, str> {
    let Ok(name) = serde_json::from_str::<String>(token) else { return Cow::Borrowed(token) };
    let shown = match WORDS.contains(&key.trim_matches('"')) {
        true => shown_words(&name),
        false => shown_name(&name),
    };
    match shown {
        Cow::Borrowed(_) => Cow::Borrowed(token),
        Cow::Owned(shown) => Cow::Owned(serde_json::Value::String(shown).to_string()),
    }
}

/// Shows each line as a name is shown; a secret may have several lines.
fn shown_words(text: &str) -> Cow<'_, str> {
    if !text.contains('\n') {
        return shown_name(text);
    }
    let redacted = Scanner::default().redact(text);
    let is_clean =
        matches!(redacted, Cow::Borrowed(_)) && matches!(visible(text), Cow::Borrowed(_));
    if is_clean {
        return Cow::Borrowed(text);
    }
    Cow::Owned(redacted.lines().map(shown_name).collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn key() -> String {
        ["ghp_", "x9KfQ2mVb7Tz4LwPc8Rj1NsYd6GhAe3BuXo0"].concat()
    }

    fn shown(document: &Value) -> Value {
        serde_json::from_str(&shown_json(&document.to_string())).expect("it is JSON")
    }

    #[test]
    fn a_clean_name_stays_as_it_is() {
        for name in ["modules/auth.md", "ü b/認証.md", "topic/a-b", "", "👩\u{200d}💻", "C:\\a"]
        {
            assert!(matches!(shown_name(name), Cow::Borrowed(same) if same == name), "{name}");
        }
    }

    #[test]
    fn a_name_has_one_line_and_hides_nothing() {
        assert_eq!(shown_name("a\nerror: b"), "a<U+000A>error: b");
        assert_eq!(shown_name("a\r\n\u{1b}[2J\u{202e}"), "a<U+000D><U+000A><U+001B>[2J<U+202E>");
    }

    #[test]
    fn a_secret_is_in_no_name() {
        let key = key();
        for name in [format!("modules/a-{key}.md"), format!("{key}\n"), format!("b/\u{1b}[0m{key}")]
        {
            let shown = shown_name(&name);
            assert!(!shown.contains(&key) && shown.contains("withheld"), "{shown}");
        }
    }

    #[test]
    fn every_string_of_a_document_is_a_name_unless_it_is_a_text() {
        let document = json!({
            "path": "a\n\u{1b}", "text": "b\n\u{1b}", "list": [{"branch": "c\nd", "diff": "e\n"}, "f\ng"],
            "reason": "k\nl", "rationale": "m\n\u{1b}n", "h\ni": 1, "number": 2.5, "quoted": "say \"x\", {y: [z]} \\", "operations": [{"any": "j\n"}],
        });
        assert_eq!(
            shown(&document),
            json!({
                "path": "a<U+000A><U+001B>", "text": "b\n\u{1b}",
                "list": [{"branch": "c<U+000A>d", "diff": "e\n"}, "f<U+000A>g"],
                "reason": "k\nl", "rationale": "m\n<U+001B>n", "h<U+000A>i": 1, "number": 2.5, "quoted": "say \"x\", {y: [z]} \\",
                "operations": [{"any": "j\n"}],
            })
        );
        assert!(!shown_json(&document.to_string()).contains('\u{1b}'));
    }

    #[test]
    fn a_document_without_anything_hidden_stays_as_it_is() {
        let text = "{\n  \"a\": [\"b\\\"c\", {}, []],\n  \"d\": {\"e\": \"\\u00e9\"}\n}";
        assert_eq!(shown_json(text), text);
    }
}
