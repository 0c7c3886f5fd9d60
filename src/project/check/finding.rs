//! Names what was found so that it is known again when lines move.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::repair::{Repair, RepairCase, RepairPlace};
use super::rule::{Level, Levels, Rule};
use crate::contract::ContentHash;
use crate::secrets::{Scanner, shown_name};
use crate::text::visible;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct CheckFinding {
    pub rule: Rule,
    pub level: Level,
    /// The file, relative to the root of the repository.
    pub path: String,
    /// The line, from 1; none where it is about the whole file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The column in characters, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// The id of the section, or its heading where it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    pub message: String,
    /// The command that repairs it, or what a person does.
    pub repair: Repair,
    /// What the finding is known by: rule, file, section and subject, never the line.
    pub fingerprint: String,
    /// Like the fingerprint, but another secret in the same place is another finding. Stays in here: the
    /// hash of a short secret tells it.
    #[serde(skip)]
    identity: String,
}

/// What a rule says before levels and names are settled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Remark {
    pub(super) rule: Rule,
    pub(super) path: String,
    pub(super) line: Option<usize>,
    pub(super) column: Option<usize>,
    pub(super) section: Option<String>,
    pub(super) message: String,
    /// What tells it from others of the same rule in the same section.
    pub(super) subject: String,
    /// What tells it from others and may not be told.
    pub(super) secret: String,
    pub(super) case: RepairCase,
}

impl Remark {
    /// Makes a remark about a whole file; the path is relative to the store.
    pub(crate) fn new(rule: Rule, path: &str, message: impl Into<String>) -> Self {
        Self {
            rule,
            path: path.to_owned(),
            line: None,
            column: None,
            section: None,
            message: message.into(),
            subject: String::new(),
            secret: String::new(),
            case: RepairCase::Usual,
        }
    }

    pub(crate) fn rule(&self) -> Rule {
        self.rule
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Says it of the file under another name.
    #[must_use]
    pub(crate) fn under(&self, path: &str) -> Self {
        Self { path: path.to_owned(), ..self.clone() }
    }

    #[must_use]
    pub(crate) fn at(self, line: usize) -> Self {
        Self { line: Some(line), ..self }
    }

    #[must_use]
    pub(crate) fn about(self, subject: impl Into<String>) -> Self {
        Self { subject: subject.into(), ..self }
    }

    #[must_use]
    pub(crate) fn in_case(self, case: RepairCase) -> Self {
        Self { case, ..self }
    }

    #[must_use]
    pub(crate) fn within(self, section: Option<String>) -> Self {
        Self { section, ..self }
    }
}

/// Where a store is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FindingPlace<'a> {
    /// The way into it from the top of the repository: empty, or with `/` at its end.
    pub(crate) prefix: &'a str,
    /// Its root from the working directory; empty where commands find it without.
    pub(crate) root: &'a str,
}

impl<'a> From<&'a str> for FindingPlace<'a> {
    /// Makes the place of the store of the working directory.
    fn from(prefix: &'a str) -> Self {
        Self { prefix, root: "" }
    }
}

/// Settles levels, names and order; `prefix` leads from the root of the repository to the store.
pub(crate) fn settle(
    mut remarks: Vec<Remark>,
    FindingPlace { prefix, root }: FindingPlace<'_>,
    levels: &Levels,
    scanner: &Scanner,
) -> Vec<CheckFinding> {
    remarks.sort_by(|a, b| order(a).cmp(&order(b)));
    let mut met = BTreeMap::new();
    let mut findings = Vec::with_capacity(remarks.len());
    for remark in remarks {
        let Remark { rule, line, column, section, message, subject, secret, case, .. } = remark;
        // Many messages name the file, too.
        let (path, named) = (from_top(prefix, &remark.path), remark.path);
        let place = [rule.name(), &path, section.as_deref().unwrap_or_default(), &subject];
        let fingerprint = name(&place.join("\0"), &mut met);
        let identity = name(&format!("{}\0\0{secret}", place.join("\0")), &mut met);
        let level = levels.of(rule);
        if level == Level::Allow {
            continue;
        }
        // Behind a sequence that a terminal carries out, a secret in a name is none to the scanner any more.
        let shown = |name: &str| shown_name(&scanner.redact(name)).into_owned();
        let (file, path) = (shown(&named), shown(&path));
        let place = RepairPlace {
            path: &file,
            from_top: &path,
            section: section.as_deref(),
            subject: &subject,
            case: &case,
            root,
        };
        let repair = Repair::of(rule, &place).map(|text| one_line(text, scanner));
        let message = message.replace(&named, &shown_name(&named));
        findings.push(CheckFinding {
            rule,
            level,
            path,
            line,
            column,
            section: section.map(|section| one_line(&section, scanner)),
            message: one_line(&message, scanner),
            repair,
            fingerprint,
            identity,
        });
    }
    findings
}

/// Writes a text as a finding has it: without secrets and characters that steer a terminal, which a heading or a setting
/// may hold.
fn one_line(text: &str, scanner: &Scanner) -> String {
    // An underlined heading may have several lines. Some secrets end with a line, so they are looked for before, too.
    let redacted = scanner.redact(text);
    let joined = redacted.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    visible(&scanner.redact(&joined)).into_owned()
}

/// Leaves only what an earlier check does not have.
pub(crate) fn brought_in(now: Vec<CheckFinding>, before: &[CheckFinding]) -> Vec<CheckFinding> {
    filter(now, before, false)
}

/// Leaves only what an earlier check has too.
pub(super) fn still_there(now: Vec<CheckFinding>, before: &[CheckFinding]) -> Vec<CheckFinding> {
    filter(now, before, true)
}

fn filter(now: Vec<CheckFinding>, before: &[CheckFinding], is_known: bool) -> Vec<CheckFinding> {
    let known: BTreeSet<&str> = before.iter().map(|finding| finding.identity.as_str()).collect();
    now.into_iter().filter(|found| known.contains(found.identity.as_str()) == is_known).collect()
}

fn order(remark: &Remark) -> (&str, Option<usize>, Option<usize>, Rule, &str) {
    (&remark.path, remark.line, remark.column, remark.rule, &remark.subject)
}

/// Hashes a key; the second of its kind gets another name than the first.
fn name(key: &str, met: &mut BTreeMap<ContentHash, usize>) -> String {
    let times = met.entry(ContentHash::of(key.as_bytes())).or_insert(0);
    *times += 1;
    ContentHash::of(format!("agent-memory/check/v1\0{key}\0{times}").as_bytes()).to_string()
}

/// Returns a path from the top of the repository; `../` leads out of the store, to a file that is read where it is.
fn from_top(prefix: &str, path: &str) -> String {
    match path.strip_prefix("../") {
        Some(beside) => {
            let folder = prefix.trim_end_matches('/').rsplit_once('/');
            folder.map_or_else(|| beside.to_owned(), |(above, _)| format!("{above}/{beside}"))
        }
        None => format!("{prefix}{path}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(remarks: Vec<Remark>) -> Vec<CheckFinding> {
        settle(
            remarks,
            FindingPlace::from(".agent-memory/"),
            &Levels::default(),
            &Scanner::default(),
        )
    }

    fn schema(line: usize, section: &str) -> Remark {
        let remark = Remark::new(Rule::Schema, "a.md", "x").at(line).about("fields.Date");
        remark.within(Some(section.to_owned()))
    }

    #[test]
    fn a_fingerprint_does_not_move_with_lines() {
        let (early, late) = (settled(vec![schema(3, "a")]), settled(vec![schema(9, "a")]));
        assert_eq!(early[0].fingerprint, late[0].fingerprint);
        assert_eq!(brought_in(late, &early), []);
    }

    #[test]
    fn two_of_a_kind_have_two_fingerprints() {
        let duplicates = settled(vec![schema(3, "a"), schema(4, "a"), schema(5, "b")]);
        let names: BTreeSet<&String> = duplicates.iter().map(|each| &each.fingerprint).collect();
        assert_eq!(names.len(), 3);
        assert_eq!(brought_in(duplicates.clone(), &duplicates[..2]).len(), 1);
    }

    #[test]
    fn another_secret_in_the_same_place_is_brought_in_under_the_same_fingerprint() {
        let secret = |value: &str| Remark {
            secret: value.to_owned(),
            ..Remark::new(Rule::Secret, "a.md", "x").at(1).about("aws")
        };
        let (one, other) = (settled(vec![secret("1")]), settled(vec![secret("2")]));
        assert_eq!(one[0].fingerprint, other[0].fingerprint);
        assert_eq!(brought_in(other, &one).len(), 1);
    }

    #[test]
    fn what_is_allowed_is_not_reported() {
        let mut levels = Levels::default();
        levels.set(Rule::Schema, Level::Allow).expect("it may be");
        assert_eq!(
            settle(vec![schema(3, "a")], FindingPlace::from(""), &levels, &Scanner::default()),
            []
        );
    }
}
