//! Judges an assignment: does the name say secret, and is the value one?

use crate::secrets::assignment::{Assignment, Sign};
use crate::secrets::entropy::{
    bits_per_character, is_hexadecimal, kinds_of_characters, looks_random,
};
use crate::secrets::names::{
    Promise, is_harmless, is_harmless_word, names_a_service, promise_of, words,
};
use crate::secrets::placeholder::is_placeholder;
use crate::secrets::rules::words::SERVICES;

/// Accepts random values under the name of a secret, and chosen ones under the name of a password.
pub(super) fn is_a_secret(assignment: &Assignment) -> bool {
    promise_of(assignment.name()).is_some_and(|promise| is_as_promised(assignment, promise))
        && !is_excused(assignment)
}

/// True when the value stands for something else, or the name means something else.
fn is_excused(assignment: &Assignment) -> bool {
    let value = assignment.value();
    is_described_as_harmless(assignment.before())
        || is_code(assignment)
        || is_a_place(value)
        || is_placeholder(value)
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
    if assignment.sign == Sign::Comma && is_listed(assignment) {
        return false;
    }
    if is_uuid(value) {
        return is_a_named_uuid(assignment, promise);
    }
    match (assignment.sign, promise) {
        (Sign::Equals | Sign::Comma | Sign::Dash, Promise::Password) => {
            is_a_chosen_password(assignment)
                || is_a_drawn_key(value, 12)
                || is_a_thicket(assignment)
        }
        (Sign::Equals | Sign::Comma, Promise::Secret) => {
            is_a_drawn_key(value, 12) || is_a_thicket(assignment) || is_a_wallet_key(assignment)
        }
        (Sign::Equals | Sign::Comma, Promise::Key) => is_a_drawn_key(value, 16),
        (Sign::Equals | Sign::Comma, Promise::Access) => is_a_drawn_key(value, 20),
        (Sign::Dash, Promise::Secret | Promise::Key) => is_a_drawn_key(value, 14),
        (Sign::Blank, Promise::Password) => {
            is_a_drawn_key(value, 12) || (assignment.quoted && is_a_chosen_password(assignment))
        }
        (Sign::Blank | Sign::Glued, Promise::Secret) => {
            stands_alone(assignment) && is_a_drawn_key(value, 14)
        }
        (Sign::Blank | Sign::Glued, Promise::Key) => {
            stands_alone(assignment) && is_a_drawn_key(value, 18) && !is_a_hash_in_prose(assignment)
        }
        (Sign::Dash | Sign::Blank | Sign::Glued, Promise::Access) => {
            stands_alone(assignment) && is_a_drawn_key(value, 20) && follows_a_service(assignment)
        }
        (Sign::Glued, Promise::Password) => false,
    }
}

/// Accepts random values right beside the name of a service whose keys look like nothing in particular.
pub(super) fn is_a_service_key(assignment: &Assignment) -> bool {
    let value = assignment.value();
    let is_assigned = matches!(assignment.sign, Sign::Equals | Sign::Comma) || assignment.quoted;
    assignment.sign != Sign::Glued
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

/// In prose the deciding word may stand apart: "public key: …".
fn is_described_as_harmless(before: &str) -> bool {
    let mut words = before.trim_end().rsplit([' ', '\t', '-']);
    let near = words.next().unwrap_or_default();
    before.ends_with([' ', '-']) && is_harmless_word(&near.to_ascii_lowercase())
}

/// The private key of a wallet; under other names such a number is public.
fn is_a_wallet_key(assignment: &Assignment) -> bool {
    let digits = assignment.value().strip_prefix("0x");
    let is_key =
        |digits: &str| digits.len() == 64 && looks_random(digits) && is_hexadecimal(digits);
    digits.is_some_and(is_key) && words(assignment.name()).concat().contains("privatekey")
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
    let is_assigned = assignment.sign == Sign::Equals;
    let lower = value.to_ascii_lowercase();
    let calls_itself_one = ["passw", "secret"].iter().any(|name| lower.contains(name));
    // `hunter22` is as poor as it is common; in a sentence it could be anything.
    let is_plain = !calls_itself_one
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && value.bytes().any(|byte| byte.is_ascii_alphabetic());
    !word_or_sentence
        && !is_an_identifier(value)
        && (kinds_of_characters(value) >= 3 || signs >= 5 || (is_assigned && is_plain))
        && bits_per_character(value) >= 2.5
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
    plain && (humps > 0 || words.len() > 1) && !words.iter().any(|word| looks_random(word))
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

/// Most UUIDs name something. One is a key where the name says whose key it is.
fn is_a_named_uuid(assignment: &Assignment, promise: Promise) -> bool {
    let digits = assignment.value().replace('-', "");
    let owner = names_a_service(assignment.name())
        || (!assignment.name().contains(['_', '-', '.']) && follows_a_service(assignment));
    !matches!(promise, Promise::Password) && owner && bits_per_character(&digits) >= 2.5
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
        || (assignment.sign == Sign::Comma);
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
mod tests {
    use crate::secrets::{Scanner, Settings};

    fn check(text: &str, expected: bool) {
        let findings = Scanner::new(Settings::default()).scan(text);
        assert_eq!(!findings.is_empty(), expected, "{text}");
    }

    #[test]
    fn a_chosen_password_is_a_secret() {
        check("password: Winter-Is-2-Cold!", true);
        check("password=hunter22", true);
        check("MYSQL_PWD='aB3$kk91'", true);
    }

    #[test]
    fn a_description_of_a_password_is_none() {
        check("password: at-least-8-characters", false);
        check("password: UserSchemaV2", false);
        check("password: secret123", false);
        check("password = \"correct horse battery staple\"", false);
    }

    #[test]
    fn an_expression_is_no_secret() {
        check("token = req.headers.authorization", false);
        check("api_key = os.environ[\"KEY\"]", false);
        check("let token = next_token_from_stream2(&mut s);", false);
        check("key = self._lib.NID_aes_256_cbc_x2", false);
        check("sign(name, sign_password, keystore=None)", false);
        check("all: t.ctrlKey||t.metaKey||t.x27", false);
        check("secret: crate::vault::Secret2048,", false);
    }

    #[test]
    fn a_comma_assigns_between_quoted_strings() {
        check("setProperty(\"API_TOKEN\", \"k8Jq2mXw7TzP4vRb\")", true);
        check("f(API_TOKEN, \"k8Jq2mXw7TzP4vRb\")", false);
    }

    #[test]
    fn no_letter_of_a_value_is_taken_for_a_string_prefix() {
        let redact = |text: &str| Scanner::new(Settings::default()).redact(text).into_owned();
        let expected = "token=[withheld: secret-assignment]";
        assert_eq!(redact("token=b8Jq2mXw7TzP4vRb"), expected);
        assert_eq!(redact("token=f'k8Jq2mXw7TzP4vRb'"), "token=f'[withheld: secret-assignment]'");
    }

    #[test]
    fn a_declaration_assigns() {
        check("var apiToken string = \"k8Jq2mXw7TzP4vRb\"", true);
        check("const API_TOKEN: &str = \"k8Jq2mXw7TzP4vRb\";", true);
    }

    #[test]
    fn the_key_of_a_wallet_is_told_from_other_numbers() {
        let number = "0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318";
        check(&format!("private_key = \"{number}\""), true);
        check(&format!("key = \"{number}\""), false);
    }

    #[test]
    fn a_list_of_variables_names_its_values() {
        check(r#"{"name":"DB_PASSWORD","value":"k8Jq2mXw7TzP"}"#, true);
        check("- name: DB_PASSWORD\n  value: k8Jq2mXw7TzP\n", true);
        check("- name: DB_PASSWORD\n  valueFrom: { secretKeyRef: db2Access9Name }\n", false);
    }

    #[test]
    fn a_sentence_may_say_what_for() {
        check("The API token for staging: k8Jq2mXw7TzP4vRb", true);
        check("the password of the old box is: Winter-2024!x", true);
        check("a token for everyone: UserSchemaV2Provider", false);
    }

    #[test]
    fn a_place_is_no_secret() {
        check("secret: https://vault.internal/v1/app/a8Kx0Qz71LmPq", false);
        check("private_key: ~/.ssh/id_ed25519_work_2024", false);
        check("token: /run/secrets/app_token_v2", false);
    }

    #[test]
    fn a_hash_or_number_is_no_secret() {
        check("key: 0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b", false);
        check("cache_key = \"9f86d081884c7d659a2feaa0c55ad015\"", false);
        check("token_id: 7f3b2c1d-9e8f-4a6b-8c7d-1e2f3a4b5c6d", false);
        check("secret: 7f3b2c1d-9e8f-4a6b-8c7d-1e2f3a4b5c6d", false);
    }

    #[test]
    fn a_refused_value_does_not_hide_the_next_one() {
        check("token: password: k8Jq2mXw7TzP4vRb", true);
    }
}
