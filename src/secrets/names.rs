//! Reads what the name of a value promises about it.

/// What a name promises about its value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Promise {
    Password,
    Secret,
    /// Only "key" or "auth", which many harmless things are called too.
    Key,
}

/// `None` for names of harmless things, or of things that only describe a secret.
pub(super) fn promise_of(name: &str) -> Option<Promise> {
    let words = words(name);
    let joined = words.concat();
    let last = words.iter().rev().find(|word| !is_a_number(word));
    let harmless_end = last.is_some_and(|word| HARMLESS_ENDS.contains(&word.as_str()));
    if harmless_end || words.iter().any(|word| HARMLESS_WORDS.contains(&word.as_str())) {
        return None;
    }
    let says = |parts: &[&str]| parts.iter().any(|part| joined.contains(part));
    if says(&["passw", "passphrase", "pwd"]) {
        return Some(Promise::Password);
    }
    if says(&["secret", "token", "apikey", "accesskey", "privatekey", "authkey", "credential"]) {
        return Some(Promise::Secret);
    }
    let key = last.is_some_and(|word| word.ends_with("key") && !word.ends_with("monkey"));
    key.then_some(Promise::Key)
}

/// Splits `fooBar_baz-Qux` into `foo bar baz qux`.
fn words(name: &str) -> Vec<String> {
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

/// Last words of names whose value describes a secret instead of being one.
const HARMLESS_ENDS: &[&str] = &[
    "id",
    "ids",
    "name",
    "names",
    "file",
    "filename",
    "path",
    "dir",
    "directory",
    "url",
    "uri",
    "endpoint",
    "host",
    "type",
    "kind",
    "count",
    "counts",
    "limit",
    "length",
    "len",
    "size",
    "max",
    "min",
    "ttl",
    "expiry",
    "expires",
    "expiration",
    "age",
    "at",
    "date",
    "time",
    "timeout",
    "regex",
    "pattern",
    "prefix",
    "suffix",
    "header",
    "label",
    "field",
    "column",
    "env",
    "var",
    "variable",
    "arn",
    "ref",
    "version",
    "format",
    "algorithm",
    "alg",
    "hint",
    "policy",
    "rotation",
    "scope",
    "scopes",
    "usage",
    "tokens",
    "tokenizer",
    "secrets",
    "fingerprint",
    "ring",
    "hash",
    "digest",
    "checksum",
    "index",
    "code",
    "codes",
    "map",
    "list",
    "provider",
    "manager",
    "service",
];

/// Words that make the whole name harmless.
const HARMLESS_WORDS: &[&str] = &[
    "public",
    "pub",
    "pubkey",
    "publickey",
    "primary",
    "foreign",
    "sort",
    "partition",
    "cache",
    "hash",
    "sha",
    "sha1",
    "sha256",
    "sha512",
    "md5",
    "checksum",
    "digest",
    "integrity",
    "fingerprint",
    "csrf",
    "xsrf",
    "authenticity",
    "page",
    "next",
    "cursor",
    "continuation",
    "pagination",
    "idempotency",
    "keyboard",
    "keyword",
    "keywords",
    "commit",
    "revision",
    "tokenizer",
    "signature",
    "etag",
    "nonce",
    "hotkey",
    "shortcut",
    "license",
    "contract",
    "address",
    "storage",
    "verifying",
    "verification",
    "resume",
];

#[cfg(test)]
mod tests {
    use super::{Promise, promise_of, words};

    fn check(name: &str, expected: &str) {
        let promise = match promise_of(name) {
            Some(Promise::Password) => "password",
            Some(Promise::Secret) => "secret",
            Some(Promise::Key) => "key",
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
