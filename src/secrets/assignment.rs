//! Judges `name = value`: does the name say secret, and is the value one?

use crate::secrets::checks::Candidate;
use crate::secrets::entropy::{
    bits_per_character, is_hexadecimal, kinds_of_characters, looks_drawn,
};
use crate::secrets::names::{Promise, promise_of};
use crate::secrets::placeholder::is_placeholder;

/// Accepts drawn values under the name of a secret, and chosen ones under the name of a password.
pub(super) fn is_a_secret_assignment(candidate: &Candidate) -> bool {
    let value = first_parameter(candidate.value).trim_end_matches(['.', ':', ')']);
    let name = full_name(candidate);
    let Some(promise) = promise_of(&name) else {
        return false;
    };
    if is_placeholder(value) || is_a_place(value) || is_code(candidate, value) || is_uuid(value) {
        return false;
    }
    match promise {
        Promise::Password => is_a_chosen_password(candidate, value) || is_a_drawn_key(value, 12),
        Promise::Secret => is_a_drawn_key(value, 14),
        Promise::Key => is_a_drawn_key(value, 18) && !is_a_hash_in_prose(candidate, value),
    }
}

/// In an address the next parameter follows: `token=…&page=2`.
fn first_parameter(value: &str) -> &str {
    match value.split_once('&') {
        Some((first, rest)) if rest.contains('=') => first,
        _ => value,
    }
}

/// The whole identifier around the keyword.
fn full_name(candidate: &Candidate) -> String {
    let belongs = |c: char| c.is_ascii_alphanumeric() || "_-.$".contains(c);
    let before = candidate.before.trim_end_matches(belongs);
    // In prose the deciding word may stand apart: "public key: …".
    let front = ["public ", "Public ", "PUBLIC "]
        .iter()
        .find_map(|word| before.strip_suffix(word))
        .unwrap_or(before)
        .len();
    let back: &str = candidate.lead.trim_start_matches(|c: char| belongs(c) || c == ' ');
    let back = candidate.lead.len() - back.len();
    [&candidate.before[front..], candidate.lead[..back].trim_end()].concat()
}

fn is_a_drawn_key(value: &str, shortest: usize) -> bool {
    let plain = value
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"+/=_.~:@!#$%^&*|-".contains(&byte));
    let hexadecimal_number = value.starts_with("0x") || value.starts_with("0X");
    value.len() >= shortest
        && plain
        && !hexadecimal_number
        && looks_drawn(value)
        && !is_integrity(value)
}

fn is_a_chosen_password(candidate: &Candidate, value: &str) -> bool {
    let word_or_sentence =
        value.contains(' ') || value.bytes().all(|byte| byte.is_ascii_alphabetic());
    let signs = value.bytes().filter(u8::is_ascii_punctuation).count();
    let is_assigned = candidate.lead.contains(['=', ':']);
    let lower = value.to_ascii_lowercase();
    let calls_itself_one = ["passw", "secret"].iter().any(|name| lower.contains(name));
    // `hunter22` is as poor as it is common; in a sentence it could be anything.
    let is_plain = !calls_itself_one
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && value.bytes().any(|byte| byte.is_ascii_alphabetic());
    (8..=128).contains(&value.len())
        && !word_or_sentence
        && !is_an_identifier(value)
        && (kinds_of_characters(value) >= 3 || signs >= 5 || (is_assigned && is_plain))
        && bits_per_character(value) >= 2.5
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
    plain && (humps > 0 || words.len() > 1) && !words.iter().any(|word| looks_drawn(word))
}

/// True for paths, addresses and data, which are named but not secret.
fn is_a_place(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let segments = value.split(['/', '\\']).filter(|part| !part.is_empty());
    let worded = segments.clone().all(|part| !looks_drawn(part));
    lower.contains("://")
        || lower.starts_with("data:")
        || lower.starts_with("www.")
        || ["/", "./", "../", "~/", "c:\\"].iter().any(|root| value.starts_with(root)) && worded
        || (segments.count() > 1 && worded)
}

fn is_uuid(value: &str) -> bool {
    let lengths = value.split('-').map(str::len);
    lengths.eq([8, 4, 4, 4, 12]) && value.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-')
}

/// Subresource integrity, as lock files write it.
fn is_integrity(value: &str) -> bool {
    ["sha1-", "sha256-", "sha384-", "sha512-", "sha1:", "sha256:", "sha512:", "md5:"]
        .iter()
        .any(|kind| value.starts_with(kind))
}

/// True for expressions: calls, member access, conditions, other variables.
fn is_code(candidate: &Candidate, value: &str) -> bool {
    const ESCAPES: [&str; 4] = ["%7B", "%22", "%20", "&quot;"];
    let quoted = candidate.lead.ends_with(['"', '\'', '`']);
    let calls = matches!(candidate.after.chars().next(), Some('(' | '[' | '{' | '<'));
    let operators = ["::", "->", "||", "&&", "=>"];
    let written = operators.iter().any(|sign| value.contains(sign))
        || value.starts_with(['&', '*', '@', '!'])
        || is_an_argument_list(candidate.lead);
    is_member_access(value)
        || ESCAPES.iter().any(|escape| value.contains(escape))
        || (!quoted && (calls || written))
        || (quoted && is_an_argument_list(candidate.lead) && !closes_a_quote(candidate.lead))
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
        && !looks_drawn(object)
        && members.iter().all(|part| {
            is_identifier(part) && ((plain && part.contains('_')) || !looks_drawn(part))
        })
}

/// In `set("TOKEN", "…")` a comma assigns, but in `f(token, limit)` it does not.
fn is_an_argument_list(lead: &str) -> bool {
    lead.contains(',') && !lead.contains(['=', ':'])
}

fn closes_a_quote(lead: &str) -> bool {
    ["\",", "',", "`,"].iter().any(|end| lead.contains(end))
}

/// A bare hexadecimal number of the length of a hash is more often a hash, unless it was assigned.
fn is_a_hash_in_prose(candidate: &Candidate, value: &str) -> bool {
    is_hexadecimal(value) && !candidate.lead.contains(['=', ':', '>'])
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
