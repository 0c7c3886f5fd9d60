//! Knows the forms of values that everyone may read: public keys, what is encrypted for git, digests, names of hosts and of
//! build outputs, and the examples of standards and of well-known pages.

use std::ops::Range;

use crate::secrets::assignment::{line_after, line_before};
use crate::secrets::base64::decode;
use crate::secrets::entropy::is_hexadecimal;
use crate::secrets::finding::fingerprint;
use crate::secrets::placeholder::is_placeholder;
use crate::secrets::rule::Shape;
use crate::secrets::rules::RULES;
use crate::secrets::rules::examples::EXAMPLES;

/// True for a value whose own form, or the word that it is a part of, says that it is no secret.
pub(super) fn is_harmless(text: &str, row: usize, range: &Range<usize>) -> bool {
    let value = &text[range.clone()];
    let is_named = matches!(RULES[row].shape, Shape::Assignment(_));
    // What a token is known by is in the token: a word before it excuses nothing.
    let word = if is_named { word_around(text, range) } else { value };
    is_public(word)
        || (!is_named && is_in_public_key(text, range.start))
        || is_encrypted(word)
        || is_an_example(value)
        || is_an_example_token(value)
        || (is_named && (is_a_host(value) || is_an_artifact(word) || is_a_test_vector(text, range)))
}

/// True within `pk_live_…`, which holds the form of another provider's key.
fn is_in_public_key(text: &str, start: usize) -> bool {
    let word = start.checked_sub("pk_".len()).and_then(|start| text.get(start..));
    word.is_some_and(|word| ["pk_live_", "pk_test_"].iter().any(|it| word.starts_with(it)))
}

/// The whole word that a value is a part of: up to a blank, a quote or an operator.
fn word_around<'a>(text: &'a str, range: &Range<usize>) -> &'a str {
    const FAR: usize = 96;
    let belongs = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_-.:/@+[({".contains(byte);
    let bytes = text.as_bytes();
    let before = bytes[..range.start].iter().rev().take(FAR).take_while(belongs).count();
    let after = bytes[range.end..].iter().take(FAR).take_while(belongs).count();
    text.get(range.start - before..range.end + after).unwrap_or(&text[range.clone()])
}

/// Keys that are made to be published.
fn is_public(word: &str) -> bool {
    const BEGINNINGS: [&str; 15] = [
        "pk_live_",
        "pk_test_",
        "pk-lf-",
        "pk.eyJ",
        "sb_publishable_",
        "public-",
        "AAAAB3NzaC1",
        "AAAAC3NzaC1",
        "AAAAE2VjZHNh",
        "AAAAGnNrLXNzaC1",
        "AAAAInNrLWVjZHNh",
        "ssh-",
        "FLWPUBK",
        "ca-pub-",
        "pub_",
    ];
    let word = word.trim_start_matches(['(', '[', '{', '/', '.', ':']);
    // To encrypt with `age`, https://age-encryption.org/v1.
    let is_recipient = word.strip_prefix("age1").is_some_and(|key| key.len() == 58);
    // To verify with `minisign` or `signify`.
    let is_verifier =
        word.len() == 56 && ["RWQ", "RWR", "RWS", "RWT"].iter().any(|b| word.starts_with(b));
    // The client token of Paddle, which stands in the pages of a shop.
    let client = word.strip_prefix("live_").or(word.strip_prefix("test_"));
    let is_client = client.is_some_and(|token| token.len() == 27 && is_hexadecimal(token));
    is_recipient
        || is_verifier
        || is_client
        || BEGINNINGS.iter().any(|beginning| word.starts_with(beginning))
}

/// What was encrypted to be kept in git.
fn is_encrypted(word: &str) -> bool {
    const BEGINNINGS: [&str; 7] =
        ["ENC[", "ENC(", "encrypted:", "vault:v", "{cipher}", "AQICAH", "$ANSIBLE_VAULT"];
    // A sealed secret begins with the version of its form, and holds a whole RSA block.
    let is_sealed = word.len() >= 200
        && word.starts_with("Ag")
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte));
    is_sealed || BEGINNINGS.iter().any(|beginning| word.contains(beginning))
}

/// A value that a standard or a well-known page uses, or base64 of words that say so.
fn is_an_example(value: &str) -> bool {
    let bare = value.strip_prefix("0x").unwrap_or(value);
    let print = fingerprint(bare, None);
    let says_so = |bytes: Vec<u8>| {
        String::from_utf8(bytes).is_ok_and(|text| {
            text.len() >= 8
                && text.chars().all(|c| c.is_alphanumeric() || " _.:-".contains(c))
                && is_placeholder(&text)
        })
    };
    EXAMPLES.binary_search(&print.as_str()).is_ok() || decode(value).is_some_and(says_so)
}

/// A JSON web token about a person of the well-known examples: those of jwt.io and of RFC 7519.
fn is_an_example_token(value: &str) -> bool {
    const PERSONS: [[&str; 2]; 2] =
        [["1234567890", "John Doe"], ["\"joe\"", "example.com/is_root"]];
    let Some(payload) = value.split('.').nth(1).filter(|_| value.starts_with("ey")) else {
        return false;
    };
    decode(payload).is_some_and(|bytes| {
        let text = String::from_utf8_lossy(&bytes);
        PERSONS.iter().any(|claims| claims.iter().all(|claim| text.contains(claim)))
    })
}

/// `prod-a1b2c3.eu-west-1.rds.amazonaws.com`, with a port or a path or without.
fn is_a_host(value: &str) -> bool {
    const LAST: [&str; 26] = [
        "com", "net", "org", "io", "dev", "app", "cloud", "internal", "local", "lan", "corp", "co",
        "ai", "us", "eu", "de", "uk", "fr", "ch", "nl", "tech", "sh", "me", "info", "svc", "home",
    ];
    let host = value.split([':', '/']).next().unwrap_or_default();
    let labels: Vec<&str> = host.split('.').collect();
    let is_label = |label: &&str| {
        !label.is_empty()
            && label.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
    };
    labels.len() >= 2
        && labels.iter().all(is_label)
        && labels.last().is_some_and(|last| LAST.contains(last))
}

/// The name of a built file, of a cluster's object, or of an image with its digest.
fn is_an_artifact(word: &str) -> bool {
    const ENDINGS: [&str; 34] = [
        "js", "mjs", "cjs", "css", "map", "html", "json", "png", "svg", "wasm", "zip", "gz", "tgz",
        "tar", "jar", "whl", "deb", "rpm", "so", "dll", "exe", "log", "txt", "md", "yaml", "yml",
        "ts", "woff2", "xz", "br", "webp", "jpg", "ico", "pdf",
    ];
    let word = word.trim_end_matches(['.', ':', '-', '/', '(']);
    let ending = word.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| ENDINGS.contains(&ending))
        || word.contains("@sha256:")
        || is_an_object(word.rsplit('/').next().unwrap_or(word))
}

/// `token-controller-7d9f8b6c5d-x2x8z` and `token-service:4c91e315…`: words in small letters, then what a controller or a build
/// has added. A value such as `token-7d9f8b6c5d` or `service-key-<digest>` is no such name: the last word calls it a secret.
fn is_an_object(name: &str) -> bool {
    const SECRETS: [&str; 9] =
        ["key", "token", "secret", "password", "apikey", "access", "live", "test", "prod"];
    let parts: Vec<&str> = name.split(['-', ':', '@']).collect();
    let is_plain = |part: &&str| part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    let is_word = |part: &&&str| part.len() >= 2 && part.bytes().all(|b| b.is_ascii_lowercase());
    let words = parts.iter().take_while(is_word).count();
    let added = &parts[words..];
    let lengths: Vec<usize> = added.iter().map(|part| part.len()).collect();
    let Some(last_word) = words.checked_sub(1).map(|last| parts[last]) else { return false };
    let is_a_build = words >= 2
        && matches!(added, [hash] if matches!(hash.len(), 40 | 64) && is_hexadecimal(hash));
    let is_named = !SECRETS.contains(&last_word);
    parts.iter().all(is_plain)
        && (matches!(lengths[..], [8..=10, 5])
            || (is_named && (is_a_build || matches!(lengths[..], [5..=10]))))
}

/// A number in a line that names its standard.
fn is_a_test_vector(text: &str, range: &Range<usize>) -> bool {
    const STANDARDS: [&str; 7] =
        ["test vector", "RFC ", "FIPS", "NIST", "test case", "known answer", "BIP-"];
    let value = &text[range.clone()];
    let digits = value.strip_prefix("0x").unwrap_or(value);
    let after = line_after(text, range.end);
    let before = line_before(text, range.start);
    let is_named = |line: &str| STANDARDS.iter().any(|standard| line.contains(standard));
    is_hexadecimal(digits) && (is_named(before) || is_named(after))
}

#[cfg(test)]
mod tests {
    use super::{EXAMPLES, is_a_host, is_an_artifact, is_an_example, is_encrypted, is_public};

    #[test]
    fn the_table_of_examples_is_in_order() {
        assert!(EXAMPLES.is_sorted());
        assert!(is_an_example(&["2b7e151628aed2a6", "abf7158809cf4f3c"].concat()));
        assert!(!is_an_example("q7Xr2ZpLw9Tk4VbN"));
    }

    #[test]
    fn published_keys_are_known_by_their_beginning() {
        assert!(is_public("pk_live_51Xq7Lr0Zk9Tw4") && is_public("(pk_test_Xq7Lr0Zk9Tw4"));
        assert!(!is_public("sk_live_51Xq7Lr0Zk9Tw4") && !is_public("age1short"));
    }

    #[test]
    fn encrypted_values_are_known_by_their_form() {
        assert!(is_encrypted("ENC[AES256_GCM") && is_encrypted("vault:v1:Xq7Lr0"));
        assert!(!is_encrypted("AgXq7Lr0Zk9Tw4"));
    }

    #[test]
    fn hosts_and_builds_have_names() {
        assert!(is_a_host("prod-a1b2c3.eu-west-1.rds.amazonaws.com:5432"));
        assert!(!is_a_host("part1.q7Xr2ZpLw9Tk") && !is_a_host("Xq7Lr0Zk9Tw4"));
        assert!(
            is_an_artifact("token-controller-7d9f8b6c5d-x2x8z")
                && is_an_artifact("token.4f9a8b7c.js")
        );
        assert!(!is_an_artifact("service-key-9f2c4d5e6f7a8b9c0d1e2f3a4b5c6d7e"));
        assert!(!is_an_artifact("token-7d9f8b6c5d"));
    }
}
