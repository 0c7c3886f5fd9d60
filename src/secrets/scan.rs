//! Reports and withholds the secrets of a text.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use crate::secrets::allow::allow_regions;
use crate::secrets::assignment::floor;
use crate::secrets::finding::{Class, Length, Salt, SecretFinding, fingerprint, foreign_marker};
use crate::secrets::personal::{self, PersonalKind};
use crate::secrets::reading;
use crate::secrets::rule::SecretRule;
use crate::secrets::rules::RULES;
use crate::secrets::search::RuleMatch;

use crate::secrets::text_position::TextPosition;

#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub personal: BTreeSet<PersonalKind>,
    pub allowed: BTreeSet<String>,
    pub salt: Option<Salt>,
}

impl Settings {
    fn fingerprint(&self, value: &str) -> String {
        fingerprint(value, self.salt.as_ref())
    }

    /// Tells whether a value passes. What was allowed before the store had a salt still does.
    fn allows(&self, value: &str) -> bool {
        let is_allowed = |fingerprint: &String| self.allowed.contains(fingerprint);
        !self.allowed.is_empty()
            && (is_allowed(&self.fingerprint(value)) || is_allowed(&fingerprint(value, None)))
    }
}

/// Finds secrets. Cheap to make: patterns are compiled when a text first needs them.
#[derive(Clone, Debug, Default)]
pub struct Scanner {
    settings: Settings,
}

/// Withholds what looks like a secret in a text, without the settings of a store.
pub(crate) fn clean(text: &str) -> String {
    Scanner::default().redact(text).into_owned()
}

impl Scanner {
    /// Makes a scanner for one store.
    pub fn new(settings: Settings) -> Self {
        Self { settings }
    }

    /// Reports what is neither inside a valid allow region nor allowed by fingerprint, in order.
    pub fn scan(&self, text: &str) -> Vec<SecretFinding> {
        let hits = merged(self.hits(text));
        if hits.is_empty() {
            return Vec::new();
        }
        let regions = allow_regions(text).unwrap_or_default();
        let is_allowed = |range: &Range<usize>| {
            let next = regions.partition_point(|region| region.range.end < range.end);
            regions.get(next).is_some_and(|region| region.range.start <= range.start)
        };
        let mut place = TextPosition::default();
        hits.into_iter()
            .filter(|hit| !is_allowed(&hit.range))
            .filter(|hit| !self.settings.allows(&text[hit.range.clone()]))
            .map(|hit| {
                let (line, column) = place.advance(text, hit.range.start);
                SecretFinding {
                    rule: hit.rule,
                    class: hit.class,
                    line,
                    column,
                    fingerprint: self.settings.fingerprint(&text[hit.range.clone()]),
                    length: Length::of(hit.range.len()),
                    remedy: hit.remedy,
                    foreign_marker: foreign_marker(line_behind(text, hit.range.end)),
                    range: hit.range,
                }
            })
            .collect()
    }

    /// Replaces every finding by `[withheld: <rule>]`.
    pub fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.replace(text, |_, mask| mask)
    }

    /// Does the same, but every line stays a line.
    pub fn redact_lines<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.replace(text, |value, mask| vec![mask; value.split('\n').count()].join("\n"))
    }

    fn replace<'a>(&self, text: &'a str, with: impl Fn(&str, String) -> String) -> Cow<'a, str> {
        let findings = self.scan(text);
        if findings.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut redacted = String::with_capacity(text.len());
        let mut copied = 0;
        for SecretFinding { rule, range, .. } in findings {
            redacted.push_str(&text[copied..range.start]);
            redacted.push_str(&with(&text[range.clone()], format!("[withheld: {rule}]")));
            copied = range.end;
        }
        redacted.push_str(&text[copied..]);
        Cow::Owned(redacted)
    }

    fn hits(&self, text: &str) -> Vec<RuleHit> {
        let mut hits: Vec<RuleHit> = reading::find(text)
            .into_iter()
            .map(|RuleMatch { row, range }| {
                let SecretRule { id: rule, remedy, .. } = RULES[row];
                RuleHit { rank: row, rule, remedy, class: Class::Secret, range }
            })
            .collect();
        for kind in &self.settings.personal {
            hits.extend(personal::find(*kind, text).into_iter().map(|range| RuleHit {
                rank: usize::MAX,
                rule: kind.name(),
                remedy: PersonalKind::REMEDY,
                class: Class::Personal,
                range,
            }));
        }
        hits
    }
}

struct RuleHit {
    /// The row of the table: earlier rows are more specific.
    rank: usize,
    rule: &'static str,
    remedy: &'static str,
    class: Class,
    range: Range<usize>,
}

/// The rest of the line behind a value, as far as a comment may begin.
fn line_behind(text: &str, end: usize) -> &str {
    const FAR: usize = 200;
    let rest = &text[end..floor(text, text.len().min(end + FAR))];
    rest.split('\n').next().unwrap_or(rest)
}

/// Joins overlapping hits under the most specific rule.
fn merged(mut hits: Vec<RuleHit>) -> Vec<RuleHit> {
    hits.sort_by_key(|hit| (hit.range.start, hit.rank));
    let mut merged: Vec<RuleHit> = Vec::with_capacity(hits.len());
    for hit in hits {
        match merged.last_mut() {
            Some(last) if hit.range.start < last.range.end => {
                let range = last.range.start..last.range.end.max(hit.range.end);
                if hit.rank < last.rank {
                    *last = hit;
                }
                last.range = range;
            }
            _ => merged.push(hit),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::{Scanner, Settings};
    use crate::secrets::{PersonalKind, Salt};

    /// Drawn for this test.
    const KEY: &str = "k8Jq2mXw7TzP4vRb9LsD";

    fn check(text: &str, expected: &[(&str, usize, usize)]) {
        let findings = Scanner::default().scan(text);
        let found: Vec<_> =
            findings.iter().map(|finding| (finding.rule, finding.line, finding.column)).collect();
        assert_eq!(found, expected, "{text}");
    }

    fn check_redacted(text: &str, expected: &str) {
        assert_eq!(Scanner::default().redact(text), expected);
    }

    #[test]
    fn a_column_counts_characters() {
        check(&format!("a\nñü token={KEY}"), &[("secret-assignment", 2, 10)]);
    }

    #[test]
    fn findings_come_in_order() {
        let text = format!("token={KEY}\npassword=Xy7$kd0Wq\n");
        check(&text, &[("secret-assignment", 1, 7), ("secret-assignment", 2, 10)]);
    }

    #[test]
    fn the_most_specific_rule_has_the_last_word() {
        let text = format!("GITHUB_TOKEN=ghp_{KEY}{}", &KEY[..16]);
        check(&text, &[("github-token", 1, 14)]);
    }

    #[test]
    fn a_key_after_a_written_line_break_is_found() {
        let text = format!(r#"{{"env": "A=1\nghp_{KEY}{}"}}"#, &KEY[..16]);
        check(&text, &[("github-token", 1, 15)]);
    }

    #[test]
    fn a_region_with_a_reason_allows_what_it_holds() {
        let text = format!("<!-- secret-allow: test -->\ntoken={KEY}\n<!-- /secret-allow -->\n");
        check(&text, &[]);
        check_redacted(&text, &text);
    }

    #[test]
    fn a_broken_region_allows_nothing() {
        let text = format!("<!-- secret-allow: test -->\ntoken={KEY}\n");
        check(&text, &[("secret-assignment", 2, 7)]);
    }

    #[test]
    fn a_value_may_be_allowed_by_its_fingerprint() {
        let text = format!("token={KEY}");
        let fingerprint = Scanner::default().scan(&text)[0].fingerprint.clone();
        let settings = Settings { allowed: [fingerprint].into(), ..Settings::default() };
        assert!(Scanner::new(settings).scan(&text).is_empty());
    }

    #[test]
    fn a_salt_gives_other_fingerprints_and_keeps_what_was_allowed_without() {
        let text = format!("token={KEY}");
        let print = |settings: &Settings| {
            let findings = Scanner::new(settings.clone()).scan(&text);
            findings.first().map(|finding| finding.fingerprint.clone())
        };
        let of = |byte: u8| Settings { salt: Some(Salt::new([byte; 16])), ..Settings::default() };
        let prints = [print(&Settings::default()), print(&of(1)), print(&of(2))];
        assert!(prints[0] != prints[1] && prints[1] != prints[2]);
        let allowed = |index: usize| prints[index].iter().cloned().collect();
        assert_eq!(print(&Settings { allowed: allowed(0), ..of(1) }), None);
        assert_eq!(print(&Settings { allowed: allowed(1), ..of(1) }), None);
        assert_eq!(print(&Settings { allowed: allowed(1), ..of(2) }), prints[2]);
    }

    #[test]
    fn a_finding_is_replaced_by_its_rule() {
        check_redacted(&format!("a token={KEY}, b"), "a token=[withheld: secret-assignment], b");
    }

    #[test]
    fn a_secret_of_many_lines_may_leave_as_many() {
        let key =
            format!("-----BEGIN RSA PRIVATE KEY-----\n{KEY}{KEY}\n-----END RSA PRIVATE KEY-----");
        let redacted = Scanner::default().redact_lines(&format!("a\n{key}\nb")).into_owned();
        let mask = "[withheld: private-key]";
        assert_eq!(redacted, format!("a\n{mask}\n{mask}\n{mask}\nb"));
    }

    #[test]
    fn a_redacted_text_is_clean() {
        let redacted = Scanner::default().redact(&format!("token = \"{KEY}\"")).into_owned();
        check(&redacted, &[]);
    }

    #[test]
    fn a_clean_text_is_not_copied() {
        assert!(matches!(Scanner::default().redact("plain"), Cow::Borrowed("plain")));
    }

    #[test]
    fn personal_data_is_found_only_when_asked_for() {
        let text = "write to ada@lovelace.io";
        check(text, &[]);
        let settings = Settings { personal: [PersonalKind::Email].into(), ..Settings::default() };
        let redacted = Scanner::new(settings).redact(text).into_owned();
        assert_eq!(redacted, "write to [withheld: email]");
    }

    #[test]
    fn a_marker_of_another_scanner_is_named_and_not_honoured() {
        let marked = |text: String| Scanner::default().scan(&text)[0].foreign_marker;
        assert_eq!(marked(format!("token={KEY} # gitleaks:allow\n")), Some("gitleaks:allow"));
        assert_eq!(marked(format!("token={KEY}\n# gitleaks:allow\n")), None);
    }

    #[test]
    fn debug_shows_no_value() {
        let findings = Scanner::default().scan(&format!("token={KEY}"));
        assert!(!format!("{findings:?}").contains(KEY));
    }
}
