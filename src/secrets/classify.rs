//! Judges an assignment: does the name say secret, and is the value one?

use crate::secrets::assignment::Assignment;
use crate::secrets::entropy::{
    bits_per_character, is_a_mix_of_letters, is_hexadecimal, kinds_of_characters, looks_random,
};
use crate::secrets::names::{
    Promise, is_harmless, is_harmless_word, names_a_service, promise_of, words,
};
use crate::secrets::placeholder::is_placeholder;
use crate::secrets::rules::words::SERVICES;
use crate::secrets::separator::Separator::{Blank, Comma, Dash, Equals, Glued, Reversed};

/// Accepts random values under the name of a secret, and chosen ones under the name of a password.
pub(super) fn is_a_secret(assignment: &Assignment) -> bool {
    promise_of(assignment.name())
        .is_some_and(|promise| is_as_promised(assignment, promise) || is_a_wallet_key(assignment))
        && !is_excused(assignment)
}

/// True when the value stands for something else, or the name means something else.
fn is_excused(assignment: &Assignment) -> bool {
    let value = assignment.value();
    is_described_as_harmless(assignment.before())
        || is_a_digest_by_its_purpose(assignment)
        || is_code(assignment)
        || is_a_place(value)
        || is_an_option(value)
        || is_a_version(value)
        || is_placeholder(value)
}

/// True for `v1.4.2-20240501120000-0123456789ab`.
fn is_a_version(value: &str) -> bool {
    let mut parts = value.trim_start_matches('v').splitn(3, '.');
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let numbers = [parts.next(), parts.next()];
    let rest = parts.next().is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    rest && numbers.iter().all(|part| part.is_some_and(|part| part.len() < 4 && is_number(part)))
}

/// True for `-AsPlainText` and `--password-stdin`.
fn is_an_option(value: &str) -> bool {
    let name = value.trim_start_matches('-');
    name.len() < value.len() && name.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-')
}

/// True where no more of a word follows.
fn stands_alone(assignment: &Assignment) -> bool {
    let next = assignment.after().bytes().next();
    next.is_none_or(|byte| b"\r'\"` ,;".contains(&byte))
}

/// In a list of names each is quoted, but only in a call or a pair is the second one the value.
fn is_listed(assignment: &Assignment) -> bool {
    let before = assignment.before().trim_end_matches(['"', '\'', '`']);
    let is_first = before.ends_with(['(', '[', '{']);
    !is_first || assignment.value().bytes().all(|byte| byte.is_ascii_alphabetic())
}

fn is_as_promised(assignment: &Assignment, promise: Promise) -> bool {
    let value = assignment.value();
    if assignment.separator == Comma && is_listed(assignment) {
        return false;
    }
    if is_uuid(value) {
        return is_a_named_uuid(assignment, promise);
    }
    match (assignment.separator, promise) {
        (Equals | Comma | Dash, Promise::Password) => {
            is_a_chosen_password(assignment)
                || is_a_drawn_key(value, 12)
                || is_a_thicket(assignment)
                || ((assignment.separator == Equals || value.len() >= 12)
                    && is_a_mix_of_letters(value))
        }
        (Equals | Comma, Promise::Secret) => is_a_drawn_key(value, 12) || is_a_thicket(assignment),
        (Equals | Comma, Promise::Key) => is_a_drawn_key(value, 16),
        (Equals | Comma, Promise::Access) => is_a_drawn_key(value, 20),
        (Dash, Promise::Secret | Promise::Key) => is_a_drawn_key(value, 14),
        (Blank, Promise::Password) => {
            is_a_drawn_key(value, 12)
                || (value.len() >= 10 && stands_alone(assignment) && is_a_mix_of_letters(value))
                || (assignment.quoted && is_a_chosen_password(assignment))
        }
        (Blank, Promise::Secret) => stands_alone(assignment) && is_a_drawn_key(value, 14),
        (Glued, Promise::Secret) => {
            stands_alone(assignment) && is_a_drawn_key(value, 14) && !is_a_hash_in_prose(assignment)
        }
        (Blank | Glued, Promise::Key) => {
            stands_alone(assignment) && is_a_drawn_key(value, 18) && !is_a_hash_in_prose(assignment)
        }
        (Reversed, promise) => is_behind_its_value(value, promise),
        (Dash | Blank | Glued, Promise::Access) => {
            stands_alone(assignment) && is_a_drawn_key(value, 20) && follows_a_service(assignment)
        }
        (Glued, Promise::Password) => false,
    }
}

/// In front of "as the key" and of "# the token" a hash is as likely as a key.
fn is_behind_its_value(value: &str, promise: Promise) -> bool {
    let is_a_hash = is_hexadecimal(value) && matches!(value.len(), 40 | 64);
    match promise {
        Promise::Password => {
            is_a_drawn_key(value, 12) || (value.len() >= 10 && is_a_mix_of_letters(value))
        }
        Promise::Secret => is_a_drawn_key(value, 14) && !is_a_hash,
        Promise::Key => is_a_drawn_key(value, 18) && !is_a_hash,
        Promise::Access => false,
    }
}

/// Accepts random values right beside the name of a service whose keys look like nothing in particular.
pub(super) fn is_a_service_key(assignment: &Assignment) -> bool {
    let value = assignment.value();
    let is_assigned = matches!(assignment.separator, Equals | Comma) || assignment.quoted;
    !matches!(assignment.separator, Glued | Reversed)
        && stands_alone(assignment)
        && !is_harmless(assignment.name())
        && !is_uuid(value)
        && is_a_drawn_key(value, 20)
        // A commit of a project is named as often as its key.
        && (is_assigned || !is_hexadecimal(value))
        && words(assignment.name()).iter().any(|word| begins_with_a_service(word))
        && !is_excused(assignment)
}

/// True for `mixpanel` and `mixpaneltoken`, but not for `globl`, which has the letters of one inside.
fn begins_with_a_service(word: &str) -> bool {
    SERVICES.iter().any(|service| word.starts_with(service.trim_end_matches('_')))
}

/// What `openssl` and BSD write in front of the file: `SHA256(access-token.zip)= …`.
const DIGESTS: [&str; 6] = ["sha256(", "sha256 (", "sha512(", "sha512 (", "md5(", "md5 ("];

/// In prose the deciding word may stand apart: "public key: …".
fn is_described_as_harmless(before: &str) -> bool {
    let mut words = before.trim_end().rsplit([' ', '\t', '-']);
    let near = words.next().unwrap_or_default();
    let is_digest_of = DIGESTS.iter().any(|digest| before.to_ascii_lowercase().ends_with(digest));
    is_digest_of || (before.ends_with([' ', '-']) && is_harmless_word(&near.to_ascii_lowercase()))
}

/// True for a hash behind "the key of the cache entry": what a key is for may say as much as its name.
fn is_a_digest_by_its_purpose(assignment: &Assignment) -> bool {
    let value = assignment.value();
    is_hexadecimal(value)
        && matches!(value.len(), 32 | 40 | 64 | 128)
        && promise_of(assignment.name()) == Some(Promise::Key)
        && words(assignment.between()).iter().any(|word| is_harmless_word(word))
}

/// The private key of a wallet; under other names such a number is public.
fn is_a_wallet_key(assignment: &Assignment) -> bool {
    let digits = assignment.value().strip_prefix("0x");
    let is_key =
        |digits: &str| digits.len() == 64 && looks_random(digits) && is_hexadecimal(digits);
    digits.is_some_and(is_key)
        && matches!(assignment.separator, Equals | Comma | Blank)
        && words(assignment.name()).concat().contains("privatekey")
}

fn is_a_drawn_key(value: &str, shortest: usize) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=_.~:@!#$%^&*|-".contains(&byte);
    let hexadecimal_number = value.starts_with("0x") || value.starts_with("0X");
    value.len() >= shortest
        && !hexadecimal_number
        && looks_random(value)
        && value.bytes().all(is_plain)
        && !is_integrity(value)
}

fn is_a_chosen_password(assignment: &Assignment) -> bool {
    let value = assignment.value();
    if !(8..=128).contains(&value.len()) {
        return false;
    }
    let word_or_sentence =
        value.contains(' ') || value.bytes().all(|byte| byte.is_ascii_alphabetic());
    let signs = value.bytes().filter(u8::is_ascii_punctuation).count();
    let is_assigned = assignment.separator == Equals;
    let lower = value.to_ascii_lowercase();
    let calls_itself_one = ["passw", "secret"].iter().any(|name| lower.contains(name));
    // `hunter22` is as poor as it is common; in a sentence it could be anything.
    let is_plain = !calls_itself_one
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && value.bytes().any(|byte| byte.is_ascii_alphabetic());
    !word_or_sentence
        // In quotes `Sommer2024Berlin` is no name of anything else.
        && ((assignment.quoted && is_assigned && is_plain && is_one_word(value)) || !is_an_identifier(value))
        && (kinds_of_characters(value) >= 3 || signs >= 5 || (is_assigned && is_plain))
        && bits_per_character(value) >= 2.5
}

fn is_one_word(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// True for a quoted value full of different signs, which no word and no expression has.
fn is_a_thicket(assignment: &Assignment) -> bool {
    const TELLS: [&str; 8] = ["\\", "(?", ".*", ".+", "[a-", "[A-", "[0-", "[^"];
    let value = assignment.value();
    if !assignment.quoted || value.len() < 16 {
        return false;
    }
    let mut signs: Vec<u8> = value.bytes().filter(u8::is_ascii_punctuation).collect();
    let count = signs.len();
    signs.sort_unstable();
    signs.dedup();
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    count >= 8
        && signs.len() >= 6
        && letters >= 8
        && !value.contains(' ')
        && !value.starts_with(['^', '/', '.', '#'])
        && !TELLS.iter().any(|tell| value.contains(tell))
}

/// True for `kebab-case-2`, `snake_case` and `CamelCase1`: descriptions and types, not choices.
fn is_an_identifier(value: &str) -> bool {
    let bytes = value.as_bytes();
    let humps = bytes
        .windows(2)
        .filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
        .count();
    let words: Vec<&str> = value.split(['-', '_', '.']).collect();
    let plain = value.starts_with(|c: char| c.is_ascii_alphabetic())
        && words.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    let is_drawn =
        |word: &&str| looks_random(word) || is_a_mix_of_letters(word) || has_short_humps(word);
    plain && (humps > 0 || words.len() > 1) && !words.iter().any(is_drawn)
}

/// True for letters and digits whose capitals stand closer than the words of a name would let them.
fn has_short_humps(word: &str) -> bool {
    let bytes = word.as_bytes();
    let begins = |pair: &&[u8]| !pair[0].is_ascii_uppercase() && pair[1].is_ascii_uppercase();
    let humps = 1 + bytes.windows(2).filter(begins).count();
    bytes.iter().any(u8::is_ascii_digit) && bytes.len() >= 10 && bytes.len() * 10 < humps * 32
}

/// True for paths, addresses and data, which are named but not secret.
fn is_a_place(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let segments = value.split(['/', '\\']).filter(|part| !part.is_empty());
    let worded = segments.clone().all(|part| !looks_random(part));
    lower.contains("://")
        || lower.starts_with("data:")
        || lower.starts_with("www.")
        || ["/", "./", "../", "~/", "c:\\"].iter().any(|root| value.starts_with(root)) && worded
        || (segments.count() > 1 && worded)
}

fn is_uuid(value: &str) -> bool {
    let lengths = value.split('-').map(str::len);
    lengths.eq([8, 4, 4, 4, 12]) && value.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

/// Most UUIDs name something. One is a key where the name says whose key it is, or can mean nothing but a key.
fn is_a_named_uuid(assignment: &Assignment, promise: Promise) -> bool {
    let digits = assignment.value().replace('-', "");
    let owner = names_a_service(assignment.name())
        || (!assignment.name().contains(['_', '-', '.']) && follows_a_service(assignment));
    let is_named = owner && !matches!(promise, Promise::Password);
    (is_named || is_unmistakable(assignment)) && bits_per_character(&digits) >= 2.5
}

/// Two words that only a key is called: "api token", `client_secret`.
fn is_unmistakable(assignment: &Assignment) -> bool {
    const NAMES: [&str; 14] = [
        "apikey",
        "apitoken",
        "apisecret",
        "accesstoken",
        "authtoken",
        "clientsecret",
        "secretkey",
        "privatekey",
        "bearertoken",
        "appsecret",
        "webhooksecret",
        "signingsecret",
        "licensekey",
        "password",
    ];
    let last =
        assignment.before().trim_end().rsplit([' ', '"', '\'', '`']).next().unwrap_or_default();
    let is_apart = assignment.before().ends_with(' ');
    let before = if is_apart { words(last) } else { Vec::new() };
    let name = [before, words(assignment.name())].concat().concat();
    matches!(assignment.separator, Equals | Comma | Dash)
        && NAMES.iter().any(|known| name.ends_with(known))
}

/// In "acme token …" the word before the name says whose token it is.
fn follows_a_service(assignment: &Assignment) -> bool {
    let line = [assignment.before(), assignment.name()].concat();
    let near =
        line.rsplit(['"', '\'', ';', ',', '(', ')', '=', ':', '|']).next().unwrap_or_default();
    words(near).len() <= 5 && names_a_service(near)
}

/// Subresource integrity, as lock files write it.
fn is_integrity(value: &str) -> bool {
    ["sha1-", "sha256-", "sha384-", "sha512-", "sha1:", "sha256:", "sha512:", "md5:"]
        .iter()
        .any(|kind| value.starts_with(kind))
}

/// True for expressions: calls, member access, conditions, other variables.
fn is_code(assignment: &Assignment) -> bool {
    const ESCAPES: [&str; 7] = ["%7B", "%22", "%20", "%3C", "%3E", "&quot;", "&lt;"];
    let value = assignment.value();
    let calls = matches!(assignment.after().chars().next(), Some('(' | '[' | '{' | '<'))
        && !assignment.after().starts_with("</");
    let operators = ["::", "->", "||", "&&", "=>"];
    let written = operators.iter().any(|sign| value.contains(sign))
        || value.starts_with(['&', '*', '@', '!'])
        || (assignment.separator == Comma);
    is_member_access(value)
        || ESCAPES.iter().any(|escape| value.contains(escape))
        || (!assignment.quoted && (calls || written))
}

/// `request.headers.auth` is code; `part1.q7Xr2ZpLw9Tk` is not.
fn is_member_access(value: &str) -> bool {
    let is_identifier = |part: &str| {
        part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
            && part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
    };
    let mut parts = value.split('.');
    let object = parts.next().unwrap_or_default();
    let members: Vec<&str> = parts.collect();
    // Of a plain object even the oddest member is code: `self.EVP_PKEY_X25519`.
    let plain = object.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    !members.is_empty()
        && is_identifier(object)
        && !looks_random(object)
        && members.iter().all(|part| {
            is_identifier(part) && ((plain && part.contains('_')) || !looks_random(part))
        })
}

/// A bare hexadecimal number of the length of a hash is more often a hash, unless a service is named.
fn is_a_hash_in_prose(assignment: &Assignment) -> bool {
    is_hexadecimal(assignment.value()) && !follows_a_service(assignment)
}

#[cfg(test)]
mod tests;
