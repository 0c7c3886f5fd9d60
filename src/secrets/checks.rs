//! Looks at one candidate of one rule more closely than a pattern can.

use std::collections::BTreeSet;

use crate::secrets::base64::decode;
use crate::secrets::checksum::ends_with_its_checksum;
use crate::secrets::entropy::{
    is_a_mix_of_letters, is_hexadecimal, kinds_of_characters, looks_random,
};
use crate::secrets::names::{is_harmless_word, words};
use crate::secrets::placeholder::is_placeholder;
use crate::secrets::redacted::Redacted;

/// What a pattern has caught, and what stands around it.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    /// The text that would be withheld.
    pub value: Redacted<'a>,
    /// What the pattern matched before the value.
    pub lead: Redacted<'a>,
    /// The line up to the match, cut to its last bytes.
    pub before: Redacted<'a>,
}

/// For values that a prefix already gives away: only documentation is let through.
pub(super) fn is_not_a_placeholder(candidate: &Candidate) -> bool {
    !is_placeholder(candidate.value.expose())
}

/// For shapes that words and identifiers may have too.
pub(super) fn is_drawn(candidate: &Candidate) -> bool {
    looks_random(candidate.value.expose())
        && !is_placeholder(candidate.value.expose())
        && !is_called_a_digest(candidate)
}

/// What stands before the digest of a file: in `go.sum` (`h1:`), in a lock file or a page (`sha256-`), in an image.
const DIGESTS: [&str; 5] = ["h1", "sha1", "sha256", "sha384", "sha512"];

/// Tells whether a value is called a digest, which everyone may read.
fn is_called_a_digest(candidate: &Candidate) -> bool {
    let lead = candidate.lead.expose().to_ascii_lowercase();
    let called = lead.strip_suffix([':', '-', '=']).unwrap_or_default();
    let word = called.rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    DIGESTS.contains(&word)
}

/// For a UUID that stands beside the name of a service which uses UUIDs as keys.
pub(super) fn is_varied_uuid(candidate: &Candidate) -> bool {
    let digits = candidate.value.expose().replace('-', "");
    is_not_a_placeholder(candidate) && !is_placeholder(&digits)
}

/// For a UUID whose name must say that it is a key, and not what it is the key of.
pub(super) fn is_a_named_uuid(candidate: &Candidate) -> bool {
    let lead = candidate.lead.expose().to_ascii_lowercase();
    let says_key = ["key", "token", "secret", "password"].iter().any(|word| lead.contains(word));
    says_key && !lead.contains("id\"") && is_varied_uuid(candidate)
}

/// For 40 characters of base64, which a commit hash is too.
pub(super) fn is_an_aws_secret(candidate: &Candidate) -> bool {
    is_drawn(candidate) && !is_hexadecimal(candidate.value.expose())
}

/// For capitals and digits, which a page address may end with and base64 may hold.
pub(super) fn is_drawn_and_not_in_an_address(candidate: &Candidate) -> bool {
    is_drawn(candidate) && !candidate.before.expose().ends_with(['/', '+'])
}

/// For an `Authorization` header: what `Basic` carries has to be decoded first.
pub(super) fn is_drawn_and_not_basic(candidate: &Candidate) -> bool {
    let lead = candidate.lead.expose().trim_end().to_ascii_lowercase();
    !lead.ends_with("basic") && is_drawn(candidate)
}

/// For tokens that end with a checksum: where it is right, the token is real.
pub(super) fn is_checked_or_no_placeholder(candidate: &Candidate) -> bool {
    ends_with_its_checksum(candidate.value.expose()) || is_not_a_placeholder(candidate)
}

/// For PEM: something must stand between the dashes, and be long enough to hold part of a key.
pub(super) fn holds_key_material(candidate: &Candidate) -> bool {
    candidate.value.expose().split(|c: char| !(c.is_ascii_alphanumeric() || "+/=".contains(c))).any(
        |line| {
            // The first line of an OpenSSH key says what it is, with many zeros.
            let is_first = line.starts_with("b3BlbnNzaC1rZXktdjE");
            line.len() >= 20 && looks_random(line) && (is_first || !is_placeholder(line))
        },
    )
}

/// For a JWT: the first part must decode to a JSON object that names its algorithm.
pub(super) fn has_a_token_header(candidate: &Candidate) -> bool {
    let header = candidate.value.expose().split('.').next().and_then(decode);
    header.is_some_and(|bytes| {
        let text = String::from_utf8_lossy(&bytes);
        text.trim_start().starts_with('{')
            && ["\"alg\"", "\"enc\""].iter().any(|key| text.contains(key))
    })
}

/// For a JWT that was encoded once more, as Kubernetes does with its secrets.
pub(super) fn decodes_to_a_token(candidate: &Candidate) -> bool {
    decode(candidate.value.expose())
        .is_some_and(|bytes| bytes.starts_with(b"eyJ") && bytes.contains(&b'.'))
}

/// For the data of a Kubernetes secret: base64 of at least eight bytes.
pub(super) fn decodes_to_text_or_key(candidate: &Candidate) -> bool {
    decode(candidate.value.expose()).is_some_and(|bytes| bytes.len() >= 8)
}

/// For `user:password@host`: a password that a person could have chosen for real use.
pub(super) fn is_a_real_password(candidate: &Candidate) -> bool {
    let value = candidate.value.expose();
    let lead = candidate.lead.expose().trim_end_matches(':').to_ascii_lowercase();
    let user = lead.rsplit("//").next().unwrap_or_default();
    let lower = value.to_ascii_lowercase();
    let talks_of_itself =
        ["pass", "secret", "token", "user", "pwd", "key"].iter().any(|name| lower.contains(name));
    !is_placeholder(value)
        && lower != user
        && !value.starts_with(['$', '{', '<', '*', '%'])
        && (looks_random(value) || (value.len() >= 5 && !talks_of_itself))
}

/// For `identified by …`, which is also said of things: what has no quotes needs a digit.
pub(super) fn is_a_set_password(candidate: &Candidate) -> bool {
    let is_quoted = candidate.lead.expose().ends_with(['"', '\'']);
    let has_digit = candidate.value.expose().bytes().any(|byte| byte.is_ascii_digit());
    (is_quoted || has_digit) && is_a_real_password(candidate)
}

/// For a value that any name may have: a word for a person or a machine is none.
pub(super) fn is_a_chosen_value(candidate: &Candidate) -> bool {
    let value = candidate.value.expose();
    is_not_a_placeholder(candidate)
        && (looks_random(value) || is_a_mix_of_letters(value) || kinds_of_characters(value) >= 4)
}

/// For a key behind a mark that many names have too: its last part has letters of both cases and digits.
pub(super) fn is_a_mixed_key(candidate: &Candidate) -> bool {
    let value = candidate.value.expose();
    let body = value.rsplit(['_', '-']).next().unwrap_or_default();
    kinds_of_characters(body) == 3 && looks_random(body) && is_not_a_placeholder(candidate)
}

/// For a seed phrase: one word again and again is the example of the standard, and some words stand in no list of words.
pub(super) fn is_a_phrase(candidate: &Candidate) -> bool {
    const OF_PROSE: [&str; 12] =
        ["the", "and", "for", "are", "was", "not", "with", "from", "but", "has", "its", "your"];
    let words: Vec<&str> = candidate.value.expose().split(' ').collect();
    let most = words.iter().map(|word| words.iter().filter(|other| *other == word).count()).max();
    most.unwrap_or(0) * 2 <= words.len()
        && !words.iter().any(|word| OF_PROSE.contains(word))
        && is_not_a_placeholder(candidate)
}

/// For a key that is written as a list of numbers: bytes in no order, which are not called a signature or an address.
pub(super) fn is_a_row_of_key_bytes(candidate: &Candidate) -> bool {
    let numbers = candidate.value.expose().split(',').map(|number| number.trim().parse::<u8>());
    let Ok(bytes) = numbers.collect::<Result<Vec<u8>, _>>() else { return false };
    let context = [candidate.before.expose(), candidate.lead.expose()].concat();
    let different = bytes.iter().collect::<BTreeSet<_>>().len();
    different * 2 > bytes.len()
        && !bytes.is_sorted()
        && !words(&context).iter().any(|word| is_harmless_word(word))
}

/// For `Authorization: Basic …`: the credentials must decode to `user:password`.
pub(super) fn is_basic_credentials(candidate: &Candidate) -> bool {
    let decoded = decode(candidate.value.expose()).and_then(|bytes| String::from_utf8(bytes).ok());
    let Some((user, password)) = decoded.as_deref().and_then(|text| text.split_once(':')) else {
        return false;
    };
    let stands_for = |part: &str| !part.is_empty() && is_placeholder(part);
    !(stands_for(user) || stands_for(password) || (user.is_empty() && password.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::{
        Candidate, Redacted, has_a_token_header, holds_key_material, is_a_real_password,
        is_basic_credentials,
    };

    fn check(check: fn(&Candidate) -> bool, value: &str, expected: bool) {
        let [value, lead, before] = [value, "", ""].map(Redacted::new);
        let candidate = Candidate { value, lead, before };
        assert_eq!(check(&candidate), expected, "{}", value.expose());
    }

    #[test]
    fn a_pem_block_without_a_body_holds_nothing() {
        check(holds_key_material, "-----BEGIN-----\n***\n-----END-----", false);
    }

    #[test]
    fn a_header_must_name_its_algorithm() {
        check(has_a_token_header, "eyJhbGciOiJIUzI1NiJ9.x", true);
        check(has_a_token_header, "eyJuYW1lIjoiSm9uIn0.x", false);
    }

    #[test]
    fn a_password_that_calls_itself_one_is_documentation() {
        check(is_a_real_password, "mypassword1", false);
        check(is_a_real_password, "hunter22", true);
    }

    #[test]
    fn basic_credentials_are_a_pair() {
        check(is_basic_credentials, "YWxhZGRpbjpvcGVuc2VzYW1l", true);
        check(is_basic_credentials, "aGVsbG8gd29ybGQ", false);
    }
}
