//! Brings a store of an earlier layout up to the one that this version writes: a table of steps, each from a text to what
//! becomes of its file.

use crate::markdown::LineEnding;
use crate::project::config::FORMAT_VERSION;
use crate::project::toc::{FORMER_PATH, is_former};

/// One step; a store that has its layout already is not changed by it.
pub(crate) struct UpgradeStep {
    /// What it does, for people and for the log.
    pub(crate) about: &'static str,
    /// The files that it looks at, relative to the store.
    pub(crate) files: &'static [&'static str],
    /// Says what becomes of one of these files; none where it stays. A file that is missing has no text.
    pub(crate) change: fn(&str, Option<&str>) -> Option<FileUpgrade>,
}

/// What becomes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FileUpgrade {
    Write(String),
    ToTrash,
}

/// The steps, oldest layout first.
pub(crate) const STEPS: [UpgradeStep; 3] = [
    UpgradeStep {
        about: "takes the table of contents out of git: `toc` prints it",
        files: &[FORMER_PATH, TOC_SCHEMA],
        change: without_toc,
    },
    UpgradeStep {
        about: "renews the lines of `.gitattributes`",
        files: &[ATTRIBUTES],
        change: |_, text| text.and_then(renewed_attributes).map(FileUpgrade::Write),
    },
    UpgradeStep {
        about: "says the version of the format in `config.toml`",
        files: &[CONFIG],
        change: |_, text| with_version(text).map(FileUpgrade::Write),
    },
];

pub(crate) const ATTRIBUTES: &str = ".gitattributes";

const CONFIG: &str = "config.toml";

pub(crate) const TOC_SCHEMA: &str = "schemas/index.toml";

/// The former text of the category; one that a person edited stays.
const TOC_SCHEMA_TEXT: &str = "\
# The table of contents. Written by agent-memory itself after every change.
category = \"index\"
title = \"Index\"
path = \"index.md\"
intents = []
generated = true

[approval]
default = \"deny\"
";

/// What our lines ended in before diffs had a name of their own.
const FORMER_DRIVERS: &str = "diff=markdown merge=agent-memory";

const DRIVERS: &str = "diff=agent-memory merge=agent-memory";

const TOC_LINE: &str = "index.md linguist-generated gitlab-generated\n";

/// A file that a person wrote stays.
pub(crate) fn without_toc(path: &str, text: Option<&str>) -> Option<FileUpgrade> {
    let text = text?;
    let is_ours = match path {
        TOC_SCHEMA => LineEnding::Lf.apply(text) == TOC_SCHEMA_TEXT,
        _ => is_former(text),
    };
    is_ours.then_some(FileUpgrade::ToTrash)
}

pub(crate) fn renewed_attributes(text: &str) -> Option<String> {
    let renewed = text.replace(FORMER_DRIVERS, DRIVERS).replace(TOC_LINE, "");
    (renewed != text).then_some(renewed)
}

/// Adds the version above all tables; a comment at the top stays there.
fn with_version(text: Option<&str>) -> Option<String> {
    let text = text.unwrap_or_default();
    let is_version = |line: &str| {
        line.split('=').next().is_some_and(|key| key.trim().trim_matches(['"', '\'']) == "version")
    };
    let top = text.lines().take_while(|line| !line.trim_start().starts_with('['));
    if top.clone().any(is_version) {
        return None;
    }
    let is_comment = |line: &&str| line.starts_with('#');
    let comment: usize = text.split_inclusive('\n').take_while(is_comment).map(str::len).sum();
    let (before, after) = text.split_at(comment);
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let gap = if before.is_empty() || before.ends_with('\n') { "" } else { line_end };
    Some(format!("{before}{gap}version = {FORMAT_VERSION}{line_end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_version(text: &str, expected: Option<&str>) {
        let upgraded = with_version(Some(text));
        assert_eq!(upgraded.as_deref(), expected);
        assert_eq!(upgraded.and_then(|text| with_version(Some(&text))), None, "once is enough");
    }

    #[test]
    fn a_version_is_added_above_all_tables() {
        check_version("", Some("version = 1\n"));
        check_version("[staging]\nttl_days = 7\n", Some("version = 1\n[staging]\nttl_days = 7\n"));
        check_version("# Ours.\n\n[a]\n", Some("# Ours.\nversion = 1\n\n[a]\n"));
        check_version("# Ours.", Some("# Ours.\nversion = 1\n"));
        check_version("# a\r\n[a]\r\n", Some("# a\r\nversion = 1\r\n[a]\r\n"));
        check_version("version = 1\n", None);
        check_version("# a\n\"version\" = 1\n[a]\n", None);
        check_version("[a]\nversion = 1\n", Some("version = 1\n[a]\nversion = 1\n"));
    }

    #[test]
    fn what_a_person_wrote_stays() {
        assert_eq!(without_toc(TOC_SCHEMA, Some(TOC_SCHEMA_TEXT)), Some(FileUpgrade::ToTrash));
        assert_eq!(without_toc(TOC_SCHEMA, Some("category = \"index\"\n")), None);
        assert_eq!(without_toc(FORMER_PATH, Some("# Index\n")), None);
        assert_eq!(without_toc(FORMER_PATH, None), None);
    }

    #[test]
    fn attributes_lose_what_is_no_more_and_keep_the_rest() {
        let former = format!("*.md text {FORMER_DRIVERS}\n{TOC_LINE}*.png binary\n");
        let now = format!("*.md text {DRIVERS}\n*.png binary\n");
        assert_eq!(renewed_attributes(&former), Some(now.clone()));
        assert_eq!(renewed_attributes(&now), None);
    }
}
