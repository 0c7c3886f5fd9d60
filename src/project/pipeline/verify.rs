//! Checks the sections that a change writes, as they would stand.

use std::collections::{BTreeSet, HashMap};

use super::inspect::{CONFLICT_EXAMPLE, refuse_findings, told};
use super::planned_file::PlannedFile;
use super::screen::Screened;
use super::snapshot::Snapshot;
use super::writers::Writers;
use crate::contract::{LISTED_PROBLEMS, Violation};
use crate::markdown::{Outline, find_conflict, reaching};
use crate::project::edit::SectionChange;
use crate::project::request::{
    Answer, Change, MemoryPath, OperationKind, Reason, Refusal, Refusals,
};
use crate::project::schema::SectionRules;
use crate::secrets;

/// Checks schema, budgets and secrets; all violations of the schema, up to a limit, come in one answer, with the
/// operations that failed.
pub(super) fn check(
    screened: &Screened<'_>,
    files: &mut [PlannedFile],
    writers: &Writers,
    mut refused: Refusals,
) -> Answer<()> {
    let mut violations = Vec::new();
    for file in &*files {
        violations.extend(schema_violations(screened, file, writers));
    }
    if let Some(first) = violations.first() {
        let hint = "correct every entry of `violations` and send the request again";
        let refusal = Refusal::new(Reason::ValidationFailed, first.message.clone(), hint)
            .at(first.pointer.clone());
        refused.add_list(refusal, violations);
    }
    refused.answer()?;
    for file in &*files {
        check_budget(screened, &file.path, file.before.as_deref(), &file.after)?;
    }
    check_secrets(screened, files, writers)
}

/// Tells whether a change brings a region whose text is allowed to look like a secret.
///
/// Looks at each section by itself, as the scanner does: a stray marker elsewhere in the file must not
/// hide a new region.
pub(super) fn brings_allow_region(files: &[PlannedFile]) -> bool {
    files.iter().any(|file| brings_more(file, allowed))
}

/// Tells whether a change brings into a tracked file what changes how its other sections are read: a definition of a
/// link or footnote, or HTML that is not plain.
pub(super) fn reaches_out(screened: &Screened<'_>, file: &PlannedFile) -> bool {
    let owner = screened.rules.catalog.owner_of(file.path.as_str());
    owner.is_some_and(|owner| owner.tracked) && brings_more(file, reaching)
}

/// Tells whether the sections that a change writes bring something that the file had not, or had less often. The same a
/// second time is one more, whichever section has the first.
fn brings_more(file: &PlannedFile, find: fn(&str) -> Vec<String>) -> bool {
    let after = file.outline();
    let mut written = file.changes.iter().filter_map(|change| change.index);
    if !written.any(|index| !find(after.own(&after.sections()[index])).is_empty()) {
        return false;
    }
    let known = count(&file.former(), find);
    count(&after, find).iter().any(|(each, count)| known.get(each) < Some(count))
}

fn count(outline: &Outline<'_>, find: fn(&str) -> Vec<String>) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for each in outline.sections().iter().flat_map(|section| find(outline.own(section))) {
        *counts.entry(each).or_insert(0) += 1;
    }
    counts
}

/// Returns the regions of a section whose text is allowed to look like a secret.
fn allowed(own: &str) -> Vec<String> {
    let regions = secrets::allow_regions(own).unwrap_or_default();
    // At the end of a section its last line has no end.
    regions.into_iter().map(|region| own[region.range].trim_end().to_owned()).collect()
}

fn schema_violations(
    screened: &Screened<'_>,
    file: &PlannedFile,
    writers: &Writers,
) -> Vec<Violation> {
    let Some(owner) = screened.rules.catalog.owner_of(file.path.as_str()) else {
        return Vec::new();
    };
    let (level, Some(rules)) = (owner.entry_level(file.path.as_str()), &owner.section) else {
        return Vec::new();
    };
    let after = file.outline();
    let mut entries = BTreeSet::new();
    let mut violations = Vec::new();
    let written = file.changes.iter().filter_map(|change| Some((change.index?, Some(change))));
    let around = writers.around(&file.path, &after).into_iter().map(|index| (index, None));
    for (index, change) in written.chain(around) {
        // One more than anyone is told of says that there are more.
        if violations.len() > LISTED_PROBLEMS {
            break;
        }
        let violation = |rule: String, message: String| {
            let section = &after.sections()[index];
            let writer = writers.of(&file.path, section);
            let pointer = writer.map_or(String::new(), |it| pointer_of(screened, it, &rule));
            let section_id = section.id.clone();
            Violation { pointer, file: Some(file.path.to_string()), section_id, rule, message }
        };
        let breaches = match entry_of(&after, index, level) {
            // Its entry was looked at already.
            Some(entry) if !entries.insert(entry) => continue,
            Some(entry) if writers.is_unsure(&file.path, &after, entry) => continue,
            Some(entry) => rules.check(&after, entry, &screened.matching),
            None if change.is_some_and(|change| leaves_entries(file, change, level))
                && !is_title(&after, index) =>
            {
                violations.push(violation(
                    "level".to_owned(),
                    SectionRules::wrong_level(&after.sections()[index], level),
                ));
                rules.check(&after, index, &screened.matching)
            }
            None => continue,
        };
        violations.extend(breaches.into_iter().map(|b| violation(b.rule, b.message)));
    }
    violations
}

/// Tells whether a section is no entry, nor a part of one, that was not there before or was one.
fn leaves_entries(file: &PlannedFile, change: &SectionChange, level: u8) -> bool {
    match change.change {
        Change::Added => true,
        Change::Renamed | Change::Changed => {
            let was_entry = |index| entry_of(&file.former(), index, level).is_some();
            change.former.is_some_and(was_entry)
        }
        Change::Archived | Change::Removed => false,
    }
}

/// Tells whether a change rewrites what stands in a tracked file outside of its entries, such as the text below its
/// title. Rules about entries do not hold there.
pub(super) fn changes_frame(screened: &Screened<'_>, file: &PlannedFile) -> bool {
    let owner = screened.rules.catalog.owner_of(file.path.as_str());
    let owner = owner.filter(|owner| owner.tracked && owner.section.is_some());
    let Some(owner) = owner.filter(|_| file.before.is_some()) else { return false };
    let level = owner.entry_level(file.path.as_str());
    let after = file.outline();
    let mut written = file.changes.iter().filter_map(|change| change.index);
    written.any(|index| entry_of(&after, index, level).is_none())
}

/// Returns the place of an operation where it says what breaks a rule.
fn pointer_of(screened: &Screened<'_>, number: usize, rule: &str) -> String {
    let action = &screened.request().operations[number].action;
    let field = match (rule, action.kind()) {
        ("level", OperationKind::AppendSection) => "heading_level",
        ("level", OperationKind::RenameHeading) => "new_heading_level",
        (_, OperationKind::RemoveSection) => return format!("/operations/{number}"),
        _ => action.content_field(),
    };
    format!("/operations/{number}/{field}")
}

/// Returns the section of the entry level that a section is or stands in.
fn entry_of(outline: &Outline<'_>, index: usize, level: u8) -> Option<usize> {
    std::iter::successors(Some(index), |number| outline.sections()[*number].parent)
        .find(|number| outline.sections()[*number].heading.level == level)
}

fn is_title(outline: &Outline<'_>, index: usize) -> bool {
    index == 0 && outline.sections()[index].heading.level == 1
}

/// Refuses a file that grows beyond its budget; one that is too large already may still shrink.
pub(super) fn check_budget(
    screened: &Screened<'_>,
    path: &MemoryPath,
    before: Option<&str>,
    after: &str,
) -> Answer<()> {
    let own = screened.rules.catalog.owner_of(path.as_str()).and_then(|c| c.file_bytes);
    let limit = own.unwrap_or(u64::MAX).min(screened.rules.config.file_bytes);
    let bytes = after.len() as u64;
    let grows = before.is_none_or(|before| before.len() < after.len());
    if bytes <= limit || !grows {
        return Ok(());
    }
    Err(Refusal::new(
        Reason::BudgetExceeded,
        format!("`{path}` would have {bytes} bytes, allowed are {limit}"),
        "archive what no longer holds, or say it in fewer words",
    )
    .at("/operations"))
}

/// Scans the sections as they would stand: a secret may come in pieces. One in a section that the change leaves alone
/// was there before.
fn check_secrets(
    screened: &Screened<'_>,
    files: &mut [PlannedFile],
    writers: &Writers,
) -> Answer<()> {
    let mut found = Vec::new();
    for file in files {
        let after = file.outline();
        let changed: BTreeSet<usize> =
            file.changes.iter().filter_map(|change| change.index).collect();
        let mut holds_secret = false;
        for (number, section) in after.sections().iter().enumerate() {
            let findings = screened.rules.scanner.scan(after.own(section));
            holds_secret |= !findings.is_empty();
            if changed.contains(&number) {
                let place = format!("{}#{}", file.path, section.title());
                let operation = writers.of(&file.path, section);
                let at = |finding| told(finding, operation, place.clone(), section.line - 1);
                found.extend(findings.into_iter().map(at));
            }
        }
        file.holds_secret = holds_secret;
    }
    refuse_findings(found)
}

/// Refuses a file with an unresolved conflict: new text would be written between its two sides.
pub(super) fn refuse_unresolved(
    path: &MemoryPath,
    text: &str,
    snapshot: &Snapshot,
    pointer: &str,
) -> Answer<()> {
    let found = find_conflict(text).or(snapshot.conflicts.get(path).copied());
    let Some(line) = found else { return Ok(()) };
    Err(Refusal::new(
        Reason::InvalidMarkdown,
        format!("`{path}` holds a git conflict on line {line} that is not resolved"),
        format!("resolve it (`agent-memory resolve`, or by hand) and send the request again; {CONFLICT_EXAMPLE}"),
    )
    .at(format!("{pointer}/path")))
}
