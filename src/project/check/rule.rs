//! The rules, their codes, and how much each of them matters.

use std::collections::{BTreeMap, BTreeSet};

use crate::contract::words;
use crate::text::one_line;

words! {
    /// What a check looks for; a code never changes its meaning.
    Rule {
        /// A marker or a heading that cannot be read.
        SectionMalformed = "section-malformed",
        /// A section that needs an id has none.
        IdMissing = "id-missing",
        /// Two sections of a file, or two entries of a category, have the same id.
        IdDuplicate = "id-duplicate",
        /// A section is not as its category wants it.
        Schema = "schema",
        /// A text looks like a secret.
        Secret = "secret",
        /// A character that a person does not see.
        HiddenCharacter = "hidden-character",
        /// Text that speaks to the agent that reads it.
        PromptInjection = "prompt-injection",
        /// A conflict that is not resolved.
        ConflictMarker = "conflict-marker",
        /// A section that would swallow what follows it.
        Containment = "containment",
        /// An entry rests on nothing that can be looked up.
        ProvenanceMissing = "provenance-missing",
        /// A cited file is gone.
        ProvenanceGone = "provenance-gone",
        /// A cited file, or the lines of it that were cited, have changed.
        ProvenanceStale = "provenance-stale",
        /// The cited lines stand elsewhere in their file.
        ProvenanceMoved = "provenance-moved",
        /// A file or an entry is too large.
        Budget = "budget",
        /// A write-once file is not as it was written.
        ArchiveChanged = "archive-changed",
        /// Settings or a schema cannot be used.
        Config = "config",
        /// A setting that changes nothing.
        SettingWithoutEffect = "setting-without-effect",
        /// `read.lock` pins another store than the settings name.
        ReadLock = "read-lock",
        /// A proposal has waited too long.
        ProposalExpired = "proposal-expired",
        /// A proposal can no longer be applied.
        ProposalInapplicable = "proposal-inapplicable",
        /// One branch applied what another rejected.
        DecisionDisputed = "decision-disputed",
        /// The table of contents is in git, as an earlier version kept it.
        IndexOutdated = "index-outdated",
        /// The log of decisions was touched.
        LogBroken = "log-broken",
        /// The last line of the log was not written to its end.
        LogTorn = "log-torn",
        /// Git keeps a file that it should ignore.
        IgnoredTracked = "ignored-tracked",
        /// Git ignores files that it should keep.
        TrackedIgnored = "tracked-ignored",
        /// A link leads nowhere.
        LinkBroken = "link-broken",
        /// A change takes the store away.
        StoreGone = "store-gone",
        /// A file cannot be read as what it should be.
        FileUnreadable = "file-unreadable",
        /// A memory file belongs to no category.
        FileUnowned = "file-unowned",
    }
}

words! {
    /// How much a finding matters.
    Level {
        /// It is not reported.
        Allow = "allow",
        /// It is reported, and the check passes.
        Warning = "warning",
        /// The check fails.
        Error = "error",
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct About {
    pub level: Level,
    pub title: &'static str,
    pub page: &'static str,
}

impl Rule {
    #[expect(clippy::too_many_lines, reason = "a table has a row for each rule")]
    pub(crate) fn about(self) -> About {
        /// A row of the table; the page has the name of the code.
        macro_rules! row {
            ($level:ident, $code:literal, $title:literal) => {
                About {
                    level: Level::$level,
                    title: $title,
                    page: include_str!(concat!("pages/", $code, ".md")),
                }
            };
        }
        match self {
            Self::SectionMalformed => {
                row!(Error, "section-malformed", "a marker or heading cannot be read")
            }
            Self::IdMissing => row!(Error, "id-missing", "a section has no id"),
            Self::IdDuplicate => row!(Error, "id-duplicate", "two sections have the same id"),
            Self::Schema => row!(Error, "schema", "a section breaks the rules of its category"),
            Self::Secret => row!(Error, "secret", "a text looks like a secret"),
            Self::HiddenCharacter => {
                row!(Error, "hidden-character", "a character that is not visible")
            }
            Self::PromptInjection => {
                row!(Warning, "prompt-injection", "text that gives orders to the agent")
            }
            Self::ConflictMarker => row!(Error, "conflict-marker", "a conflict is not resolved"),
            Self::Containment => row!(Error, "containment", "a section swallows what follows it"),
            Self::ProvenanceMissing => {
                row!(Warning, "provenance-missing", "an entry names no evidence")
            }
            Self::ProvenanceGone => row!(Error, "provenance-gone", "a cited file is gone"),
            Self::ProvenanceStale => row!(Warning, "provenance-stale", "cited lines have changed"),
            Self::ProvenanceMoved => {
                row!(Allow, "provenance-moved", "cited lines stand elsewhere in their file")
            }
            Self::Budget => row!(Error, "budget", "a file or an entry is too large"),
            Self::ArchiveChanged => {
                row!(Error, "archive-changed", "a write-once file was changed")
            }
            Self::Config => row!(Error, "config", "settings or a schema cannot be used"),
            Self::SettingWithoutEffect => {
                row!(Warning, "setting-without-effect", "a setting changes no decision")
            }
            Self::ReadLock => {
                row!(Warning, "read-lock", "`read.lock` does not fit `config.toml`")
            }
            Self::ProposalExpired => {
                row!(Warning, "proposal-expired", "a proposal has expired")
            }
            Self::ProposalInapplicable => {
                row!(Warning, "proposal-inapplicable", "a proposal can no longer be applied")
            }
            Self::DecisionDisputed => {
                row!(Error, "decision-disputed", "one branch applied what another rejected")
            }
            Self::IndexOutdated => {
                row!(
                    Warning,
                    "index-outdated",
                    "a table of contents of an earlier version is in git"
                )
            }
            Self::LogBroken => row!(Error, "log-broken", "the log of decisions was touched"),
            Self::LogTorn => row!(Warning, "log-torn", "the last line of the log is unfinished"),
            Self::IgnoredTracked => {
                row!(Error, "ignored-tracked", "git keeps a file that it should ignore")
            }
            Self::TrackedIgnored => {
                row!(Error, "tracked-ignored", "git ignores files that it should keep")
            }
            Self::LinkBroken => row!(Warning, "link-broken", "a link leads nowhere"),
            Self::StoreGone => row!(Error, "store-gone", "a change takes the store away"),
            Self::FileUnreadable => row!(Error, "file-unreadable", "a file cannot be read"),
            Self::FileUnowned => row!(Warning, "file-unowned", "a file belongs to no category"),
        }
    }

    /// Returns what its page says first of what to do, on one line.
    pub fn next_step(self) -> String {
        let (_, steps) = self.about().page.split_once(STEPS).expect("every page says what to do");
        let first = steps.split("\n\n").next().unwrap_or(steps);
        one_line(first)
    }
}

const STEPS: &str = "\n## What to do\n\n";

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Levels(BTreeMap<Rule, Level>);

impl Levels {
    /// Sets the level of a rule; refused for secrets, which have no off switch.
    pub(crate) fn set(&mut self, rule: Rule, level: Level) -> Result<(), &'static str> {
        if rule == Rule::Secret && level != Level::Error {
            return Err("secrets have no off switch");
        }
        self.0.insert(rule, level);
        Ok(())
    }

    /// Makes rules errors for which no level was set.
    pub(crate) fn or_denied(&self, rules: &BTreeSet<Rule>) -> Self {
        let mut levels = self.0.clone();
        for rule in rules {
            levels.entry(*rule).or_insert(Level::Error);
        }
        Self(levels)
    }

    pub(crate) fn of(&self, rule: Rule) -> Level {
        self.0.get(&rule).copied().unwrap_or(rule.about().level)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_a_page_that_names_it_and_says_what_to_do() {
        for rule in Rule::ALL {
            let page = rule.about().page;
            assert!(page.starts_with(&format!("# {rule}\n")), "{rule}");
            assert!(rule.next_step().len() > 20, "{rule}");
            assert!(page.lines().count() > 8, "{rule}");
            assert!(page.lines().all(|line| line.chars().count() <= 80), "{rule}");
        }
    }

    #[test]
    fn secrets_have_no_off_switch() {
        let mut levels = Levels::default();
        assert!(levels.set(Rule::Secret, Level::Allow).is_err());
        assert!(levels.set(Rule::Secret, Level::Warning).is_err());
        assert_eq!(levels.set(Rule::LinkBroken, Level::Error), Ok(()));
        assert_eq!(levels.of(Rule::LinkBroken), Level::Error);
        assert_eq!(levels.of(Rule::ProvenanceStale), Level::Warning);
    }
}
