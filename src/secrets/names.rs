//! Reads what the name of a value promises about it.

/// What a name promises about its value.
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
    if is_harmless(name) {
        return None;
    }
    let last = words.iter().rev().find(|word| !is_a_number(word))?.as_str();
    let joined = words.concat();
    let says = |parts: &[&str]| parts.iter().any(|part| joined.contains(part));
    let is = |whole: &[&str]| words.iter().any(|word| whole.contains(&word.as_str()));
    if says(&["passw", "passphrase", "pwd"]) || is(&["pass", "pw"]) {
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

/// True for words that make the whole name harmless.
pub(super) fn is_harmless_word(word: &str) -> bool {
    HARMLESS_WORDS.contains(&word)
}

/// True for names of harmless things, or of things that only describe a secret.
pub(super) fn is_harmless(name: &str) -> bool {
    let words = words(name);
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

/// Parts of words that say that something is secret, and not whose it is.
const PLAIN_PARTS: &[&str] = &[
    "password",
    "secret",
    "token",
    "apikey",
    "access",
    "private",
    "public",
    "credential",
    "auth",
    "key",
    "api",
];

/// Words that any program has a token or a key for.
const COMMON_WORDS: &[&str] = &[
    "the",
    "this",
    "that",
    "our",
    "your",
    "his",
    "her",
    "its",
    "and",
    "for",
    "with",
    "new",
    "old",
    "one",
    "set",
    "get",
    "use",
    "uses",
    "has",
    "have",
    "from",
    "into",
    "each",
    "every",
    "any",
    "some",
    "same",
    "such",
    "user",
    "users",
    "session",
    "client",
    "server",
    "request",
    "response",
    "device",
    "row",
    "record",
    "entity",
    "object",
    "item",
    "node",
    "trace",
    "span",
    "correlation",
    "tenant",
    "account",
    "customer",
    "order",
    "event",
    "message",
    "job",
    "task",
    "run",
    "lock",
    "lease",
    "batch",
    "group",
    "parent",
    "child",
    "root",
    "master",
    "main",
    "default",
    "current",
    "previous",
    "last",
    "first",
    "unique",
    "action",
    "lifecycle",
    "caller",
    "refresh",
    "bearer",
    "reset",
    "invite",
    "confirmation",
    "csrf",
    "sync",
    "push",
    "data",
    "table",
    "column",
    "index",
    "map",
    "dict",
    "config",
    "setting",
    "settings",
    "env",
    "var",
    "const",
    "let",
    "val",
    "final",
    "static",
    "string",
    "str",
    "self",
    "value",
    "type",
    "kind",
    "name",
    "base",
    "test",
    "oauth",
    "oidc",
    "sso",
    "jwt",
    "uuid",
    "guid",
    "id",
    "app",
    "service",
    "project",
    "team",
    "org",
    "export",
    "system",
    "setproperty",
    "signing",
    "encryption",
    "metadata",
    "resource",
    "aws",
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
    "contract",
    "address",
    "storage",
    "verifying",
    "verification",
    "resume",
];

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
