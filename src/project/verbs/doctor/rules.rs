//! Reports the findings of `check` by the parts of a store.

use super::diagnosis::DoctorFinding;
use super::report::DoctorReport;
use crate::error::Result;
use crate::project::check::{CheckFinding, Rule};
use crate::project::verbs::check::{CheckOptions, check_in_shared_time};
use crate::project::verbs::session::Session;

/// The parts of a store that have rules, in the order of a diagnosis.
const PARTS: [&str; 5] = ["settings", "files", "queue", "rejections", "log"];

/// The settings say how files are merged, so they cannot be merged by it.
const BY_HAND: &str = "take out the markers and the side that does not hold, then `git add` it";

pub(super) fn check_rules(session: &Session, report: &mut DoctorReport) -> Result<()> {
    PARTS[1..].iter().for_each(|part| report.begin(part));
    let found = check_in_shared_time(session, &CheckOptions::default())?.findings;
    for part in PARTS {
        let own = found.iter().filter(|finding| part_of(finding) == part);
        for finding in own {
            // A wrong file type is already reported.
            let is_told = finding.rule == Rule::FileUnreadable && report.has_named(&finding.path);
            if !is_told {
                report.add(translate(finding, part));
            }
        }
    }
    Ok(())
}

fn translate(finding: &CheckFinding, part: &'static str) -> DoctorFinding {
    let line = finding.line.map(|line| format!(" line {line}")).unwrap_or_default();
    DoctorFinding {
        level: finding.level,
        check: part,
        rule: Some(finding.rule),
        message: format!("`{}`{line}: {}", finding.path, finding.message),
        hint: match finding.rule {
            Rule::ConflictMarker if finding.path.ends_with(".toml") => BY_HAND.to_owned(),
            Rule::DecisionDisputed | Rule::ArchiveChanged => finding.repair.line(),
            rule => rule.next_step(),
        },
    }
}

fn part_of(finding: &CheckFinding) -> &'static str {
    match finding.rule {
        Rule::Config | Rule::ConflictMarker if finding.path.contains("/rejections/") => {
            "rejections"
        }
        Rule::ConflictMarker if finding.path.ends_with(".toml") => "settings",
        Rule::Config
        | Rule::SettingWithoutEffect
        | Rule::ReadLock
        | Rule::StoreGone
        | Rule::TrackedIgnored => "settings",
        Rule::ProposalExpired | Rule::ProposalInapplicable | Rule::DecisionDisputed => "queue",
        Rule::LogBroken | Rule::LogTorn => "log",
        Rule::SectionMalformed
        | Rule::IdMissing
        | Rule::IdDuplicate
        | Rule::Schema
        | Rule::Secret
        | Rule::HiddenCharacter
        | Rule::PromptInjection
        | Rule::ConflictMarker
        | Rule::Containment
        | Rule::IndexOutdated
        | Rule::ProvenanceMissing
        | Rule::ProvenanceGone
        | Rule::ProvenanceStale
        | Rule::ProvenanceMoved
        | Rule::Budget
        | Rule::ArchiveChanged
        | Rule::IgnoredTracked
        | Rule::LinkBroken
        | Rule::FileUnreadable
        | Rule::FileUnowned => "files",
    }
}
