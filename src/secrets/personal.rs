//! Finds personal data of the kinds that a store has switched on.

use std::ops::Range;
use std::sync::LazyLock;

use regex::bytes::Regex;

use crate::contract::words;

words! {
    /// A kind of personal data.
    PersonalKind {
        /// A mail address, unless its host is reserved for documentation.
        Email = "email",
        /// A bank account whose check digits are right.
        Iban = "iban",
        /// A payment card whose check digit is right.
        Card = "card",
        /// A telephone number that begins with `+` and its country.
        Phone = "phone",
    }
}

impl PersonalKind {
    /// What to do about any of them.
    pub const REMEDY: &'static str = "leave it out, or name the role instead of the person";

    /// Returns what it is, to finish the sentence "this looks like …".
    pub fn description(self) -> &'static str {
        match self {
            Self::Email => "a mail address",
            Self::Iban => "a bank account",
            Self::Card => "a payment card",
            Self::Phone => "a telephone number",
        }
    }
}

pub(super) fn find(kind: PersonalKind, text: &str) -> Vec<Range<usize>> {
    let (pattern, is_real): (&Regex, fn(&str) -> bool) = match kind {
        PersonalKind::Email => (&EMAIL, is_a_mailbox),
        PersonalKind::Iban => (&IBAN, is_an_account),
        PersonalKind::Card => (&CARD, is_a_card),
        PersonalKind::Phone => (&PHONE, is_a_number),
    };
    let mut found = Vec::new();
    let mut start = 0;
    while let Some(captures) = pattern.captures_at(text.as_bytes(), start) {
        let range = captures.get(1).expect("each pattern has one group").range();
        // The end of one place may be the border that the next one begins with.
        start = range.end;
        if text.get(range.clone()).is_some_and(is_real) {
            found.push(range);
        }
    }
    found
}

static EMAIL: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"(?:^|[^A-Za-z0-9._%+/:-])([A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24})",
    )
});

static IBAN: LazyLock<Regex> = LazyLock::new(|| {
    compile(r"(?:^|[^A-Za-z0-9])([A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?)")
});

static CARD: LazyLock<Regex> = LazyLock::new(|| {
    compile(r"(?:^|[^A-Za-z0-9.,+-])([0-9](?:[ -]?[0-9]){12,18})(?:[^A-Za-z0-9]|$)")
});

static PHONE: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"(?:^|[^A-Za-z0-9+.])(\+[1-9][0-9]{0,2}(?:[ ./-]?\(?[0-9]{1,4}\)?){2,7})(?:[^A-Za-z0-9]|$)",
    )
});

fn compile(pattern: &str) -> Regex {
    Regex::new(&format!("(?-u){pattern}")).expect("the patterns of this file are tested")
}

/// Excludes addresses of documentation and of hosts' own clone URLs.
fn is_a_mailbox(address: &str) -> bool {
    let Some((user, host)) = address.split_once('@') else {
        return false;
    };
    let host = host.to_ascii_lowercase();
    let reserved = ["example.com", "example.org", "example.net"];
    let is_reserved =
        reserved.iter().any(|name| host == *name || host.ends_with(&format!(".{name}")));
    let ending = host.rsplit('.').next().unwrap_or_default();
    !is_reserved
        && user != "git"
        && !user.contains("noreply")
        && !["example", "test", "invalid", "localhost", "local", "png", "svg", "jpg", "webp"]
            .contains(&ending)
}

fn is_an_account(number: &str) -> bool {
    let digits: String = number.split(' ').collect();
    if !(15..=34).contains(&digits.len()) {
        return false;
    }
    let rotated = digits[4..].bytes().chain(digits[..4].bytes());
    let remainder = rotated.fold(0_u32, |rest, byte| match char::from(byte).to_digit(36) {
        Some(value @ 0..=9) => (rest * 10 + value) % 97,
        Some(value) => (rest * 100 + value) % 97,
        None => rest,
    });
    remainder == 1
}

fn is_a_card(number: &str) -> bool {
    let digits: Vec<u32> = number.chars().filter_map(|c| c.to_digit(10)).collect();
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(index, digit)| match (index % 2, digit * 2) {
            (0, _) => *digit,
            (_, doubled) if doubled > 9 => doubled - 9,
            (_, doubled) => doubled,
        })
        .sum();
    let has_an_issuer = matches!(digits.first(), Some(2..=6));
    has_an_issuer && sum.is_multiple_of(10) && digits.windows(2).any(|pair| pair[0] != pair[1])
}

fn is_a_number(number: &str) -> bool {
    let digits = number.bytes().filter(u8::is_ascii_digit).count();
    (8..=15).contains(&digits) && number.matches('(').count() == number.matches(')').count()
}

#[cfg(test)]
mod tests {
    use super::{PersonalKind, find};

    fn check(kind: PersonalKind, text: &str, expected: &[&str]) {
        let found: Vec<&str> = find(kind, text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn an_address_is_found_in_prose() {
        check(PersonalKind::Email, "ask (ada.l@lovelace.io).", &["ada.l@lovelace.io"]);
    }

    #[test]
    fn neighbouring_addresses_are_both_found() {
        check(PersonalKind::Email, "a1@b.de,c2@d.fr", &["a1@b.de", "c2@d.fr"]);
    }

    #[test]
    fn reserved_hosts_and_clone_urls_are_not_people() {
        check(PersonalKind::Email, "a@example.com git@github.com icon@2x.png", &[]);
    }

    #[test]
    fn an_account_must_have_its_check_digits() {
        check(PersonalKind::Iban, "GB82 WEST 1234 5698 7654 32", &["GB82 WEST 1234 5698 7654 32"]);
        check(PersonalKind::Iban, "GB83 WEST 1234 5698 7654 32", &[]);
    }

    #[test]
    fn an_account_may_be_written_without_spaces() {
        check(PersonalKind::Iban, "pay DE89370400440532013000.", &["DE89370400440532013000"]);
    }

    #[test]
    fn a_card_must_have_its_check_digit() {
        check(PersonalKind::Card, "4111 1111 1111 1111", &["4111 1111 1111 1111"]);
        check(PersonalKind::Card, "4111 1111 1111 1112", &[]);
    }

    #[test]
    fn a_timestamp_is_no_card() {
        check(PersonalKind::Card, "1700000000000000", &[]);
    }

    #[test]
    fn a_phone_number_has_its_country() {
        check(PersonalKind::Phone, "+49 30 901820", &["+49 30 901820"]);
        check(PersonalKind::Phone, "030 901820", &[]);
    }

    #[test]
    fn sums_and_versions_are_no_phone_numbers() {
        check(PersonalKind::Phone, "1.0+20240101 +12 x+12345678901", &[]);
    }

    #[test]
    fn each_kind_can_be_read_back() {
        for kind in PersonalKind::ALL {
            assert_eq!(PersonalKind::parse(kind.name()), Some(*kind));
        }
    }
}
