//! Reads what the name of a value promises about it.

use crate::secrets::rules::words::{
    COMMON_WORDS, FOREIGN_PASSWORDS, FOREIGN_SECRETS, HARMLESS_ENDS, HARMLESS_WORDS, PLAIN_PARTS,
};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Promise {
    Password,
    Secret,
    /// Only "key", which many harmless things are called too.
    Key,
    /// Only "access", "private" or "auth".
    Access,
}

/// `None` for names of harmless things, or of things that only describe a secret.
pub(super) fn promise_of(name: &str) -> Option<Promise> {
    let words = words(name);
    if let Some(promise) = foreign_promise(name) {
        return Some(promise).filter(|_| !words.iter().any(|word| is_harmless_word(word)));
    }
    if are_harmless(&words) {
        return None;
    }
    let last = words.iter().rev().find(|word| !is_a_number(word))?.as_str();
    let joined = words.concat();
    let says = |parts: &[&str]| parts.iter().any(|part| joined.contains(part));
    let is = |whole: &[&str]| words.iter().any(|word| whole.contains(&word.as_str()));
    let ends_with_pass = last.ends_with("pass") && last.len() <= 12 && !is_another_pass(last);
    if says(&["passw", "passphrase", "pwd"]) || is(&["pass", "pw", "psk"]) || ends_with_pass {
        return Some(Promise::Password);
    }
    if says(&[
        "secret",
        "token",
        "apikey",
        "accesskey",
        "privatekey",
        "authkey",
        "credential",
        "unseal",
    ]) || is(&["pat"])
    {
        return Some(Promise::Secret);
    }
    if last.ends_with("key") && !last.ends_with("monkey") {
        return Some(Promise::Key);
    }
    let access = ["access", "private", "auth", "bearer"].iter().any(|word| last.ends_with(word));
    access.then_some(Promise::Access)
}

fn foreign_promise(name: &str) -> Option<Promise> {
    let lower = name.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(*word));
    match (says(FOREIGN_PASSWORDS), says(FOREIGN_SECRETS)) {
        (true, _) => Some(Promise::Password),
        (false, true) => Some(Promise::Secret),
        (false, false) => None,
    }
}

/// True for words that end as `SMTPPASS` does and mean something else.
fn is_another_pass(word: &str) -> bool {
    ["by", "com", "tres", "sur", "over", "under", "encom", "multi", "sub"]
        .iter()
        .any(|beginning| word.strip_suffix("pass") == Some(*beginning))
}

/// True for a name in words, a head or a label, that promises a secret.
pub(super) fn promises(name: &str) -> bool {
    // Most names end here.
    let has_a_sign = name.len() >= 2 && name.len() <= 80;
    has_a_sign && promise_of(name).is_some_and(|promise| promise != Promise::Access)
}

/// True for words that make the whole name harmless.
pub(super) fn is_harmless_word(word: &str) -> bool {
    HARMLESS_WORDS.contains(&word)
}

pub(super) fn is_harmless(name: &str) -> bool {
    are_harmless(&words(name))
}

fn are_harmless(words: &[String]) -> bool {
    let last = words.iter().rev().find(|word| !is_a_number(word));
    last.is_none_or(|last| HARMLESS_ENDS.contains(&last.as_str()))
        || words.iter().any(|word| is_harmless_word(word))
}

/// True when a name says whose secret it is: a word besides those that any program uses.
pub(super) fn names_a_service(name: &str) -> bool {
    let own = |word: &String| {
        let rest = PLAIN_PARTS.iter().fold(word.clone(), |word, part| word.replace(part, ""));
        rest.len() >= 3 && !is_a_number(word) && !COMMON_WORDS.contains(&rest.as_str())
    };
    words(name).iter().any(own)
}

/// Splits `fooBar_baz-Qux` into `foo bar baz qux`.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut previous = ' ';
    for character in name.chars() {
        let border = character.is_ascii_uppercase() && previous.is_ascii_lowercase();
        if border || !character.is_ascii_alphanumeric() {
            words.push(String::new());
        }
        if character.is_ascii_alphanumeric() {
            let word = words.last_mut().expect("there is always a word being read");
            word.push(character.to_ascii_lowercase());
        }
        previous = character;
    }
    words.retain(|word| !word.is_empty());
    words
}

fn is_a_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::{Promise, names_a_service, promise_of, words};

    fn check(name: &str, expected: &str) {
        let promise = match promise_of(name) {
            Some(Promise::Password) => "password",
            Some(Promise::Secret) => "secret",
            Some(Promise::Key) => "key",
            Some(Promise::Access) => "access",
            None => "nothing",
        };
        assert_eq!(promise, expected, "{name}");
    }

    #[test]
    fn names_are_read_by_their_words() {
        assert_eq!(words("fooBar_BAZ-quxQuux2"), ["foo", "bar", "baz", "qux", "quux2"]);
    }

    #[test]
    fn a_name_promises_what_it_says() {
        check("DB_PASSWORD", "password");
        check("clientSecret", "secret");
        check("x-api-key", "secret");
        check("fulcrumKey", "key");
        check("db_pass", "password");
        check("acmeACCESS", "access");
    }

    #[test]
    fn a_name_may_say_whose_secret_it_is() {
        assert!(names_a_service("ACME_API_TOKEN") && names_a_service("acme token"));
        assert!(!names_a_service("session_token") && !names_a_service("api_key"));
    }

    #[test]
    fn a_name_about_a_secret_promises_nothing() {
        check("secretName", "nothing");
        check("max_tokens", "nothing");
        check("nextPageToken", "nothing");
        check("PUBLIC_KEY", "nothing");
        check("password_hash", "nothing");
    }
}
