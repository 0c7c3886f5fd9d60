//! Looks at the sections of a memory file: names, form, evidence, size, containment.

use super::finding::Remark;
use super::rule::Rule;
use super::settings::Rulebook;
use crate::contract::SourceType;
use crate::markdown::{DuplicateId, HeadingStyle, Outline, Section};
use crate::project::edit::closes_itself;
use crate::project::request::MemoryPath;
use crate::project::schema::{Category, Matching, SectionRules};
use crate::text::{Fences, contains, excerpt, fold_name};

/// Marks that only stand right below a heading.
const MARKS: [(&str, &str); 3] = [
    ("@id:", "`<!-- @id: lower-case-words -->` on the line below the heading"),
    (
        "@source:",
        "all five parts, as in `<!-- @source: user ada - user-provided 2026-11-20 -->`, below the id",
    ),
    ("@archived:", "`<!-- @archived: archive/old.md -->` below the id"),
];

/// The most findings for the entries of one file: a schema may require many things of each.
const MOST: usize = 10_000;

pub(super) fn check(path: &str, outline: &Outline<'_>, rulebook: &Rulebook) -> Vec<Remark> {
    let mut remarks = names(path, outline);
    for section in outline.sections() {
        remarks.extend(heading(path, section));
        remarks.extend(stray_marks(path, outline, section));
    }
    remarks.extend(left_open(path, outline));
    let owner = rulebook.catalog.owner_of(path);
    remarks.extend(size(path, outline, owner, rulebook));
    match owner {
        Some(owner) => {
            remarks.extend(entries(path, outline, owner, &rulebook.matching));
            if let Err(problem) = MemoryPath::parse(path) {
                remarks.push(Remark::new(Rule::FileUnowned, path, problem.message));
            }
        }
        // On a disk that ignores case it is that file, so proposals for that are refused.
        None if rulebook.catalog.owner_of(&fold_name(path)).is_some() => {
            let folded = fold_name(path);
            let message =
                format!("it is the same name as `{folded}` on some disks: rename it to that");
            remarks.push(Remark::new(Rule::FileUnreadable, path, message));
        }
        None => {
            let message = format!("no category has `{path}` among its files");
            remarks.push(Remark::new(Rule::FileUnowned, path, message));
        }
    }
    remarks
}

/// Returns the lines that a heading takes: an underlined one has two.
pub(super) fn lines_of_heading(outline: &Outline<'_>, section: &Section) -> usize {
    outline.text()[section.heading_bytes.clone()].lines().count()
}

fn names(path: &str, outline: &Outline<'_>) -> Vec<Remark> {
    let remark = |DuplicateId { id, first_line, section }: DuplicateId<'_>| {
        let message = format!("the id `{id}` is taken by the section on line {first_line}");
        about(Rule::IdDuplicate, path, section, message)
    };
    outline.duplicate_ids().map(remark).collect()
}

fn heading(path: &str, section: &Section) -> Option<Remark> {
    let text = &section.heading.text;
    let what = match section.heading.style {
        HeadingStyle::Setext => format!(
            "the heading `{}` is underlined, and no request can name it: write `{} {}`",
            excerpt(text),
            "#".repeat(section.heading.level.into()),
            excerpt(text)
        ),
        HeadingStyle::Atx if text.is_empty() => "a heading has no words".to_owned(),
        HeadingStyle::Atx => return None,
    };
    Some(about(Rule::SectionMalformed, path, section, what).about("heading"))
}

/// Finds comments that look like ours and are not read as such.
fn stray_marks(path: &str, outline: &Outline<'_>, section: &Section) -> Vec<Remark> {
    let body = &outline.text()[section.body_start..section.own_end];
    if !contains(body, "<!--") {
        return Vec::new();
    }
    let head = &outline.text()[section.heading_bytes.start..section.body_start];
    let start = section.line + head.matches('\n').count();
    let mut fences = Fences::default();
    let mut remarks = Vec::new();
    for (line, number) in body.lines().zip(start..) {
        let is_code = fences.covers(line);
        let comment = line.trim().strip_prefix("<!--").map(str::trim_start);
        let mark = MARKS.iter().find(|(mark, _)| comment.is_some_and(|c| c.starts_with(mark)));
        if let Some((mark, form)) = mark.filter(|_| !is_code) {
            let message = format!("`{}` is not read: write {form}", excerpt(line.trim()));
            let remark = about(Rule::SectionMalformed, path, section, message);
            remarks.push(remark.at(number).about(*mark));
        }
    }
    remarks
}

/// Finds a last section that would swallow one more.
fn left_open(path: &str, outline: &Outline<'_>) -> Option<Remark> {
    let last = outline.sections().last().filter(|last| !closes_itself(outline.own(last)))?;
    let message = format!(
        "the section `{}` leaves a code fence or a comment open, which swallows what follows",
        last.title()
    );
    Some(about(Rule::Containment, path, last, message))
}

fn size(
    path: &str,
    outline: &Outline<'_>,
    owner: Option<&Category>,
    rulebook: &Rulebook,
) -> Option<Remark> {
    let own = owner.and_then(|category| category.file_bytes).unwrap_or(u64::MAX);
    let limit = own.min(rulebook.config.file_bytes);
    let bytes = outline.text().len() as u64;
    let message = format!("`{path}` has {bytes} bytes, allowed are {limit}");
    (bytes > limit).then(|| Remark::new(Rule::Budget, path, message))
}

fn entries(
    path: &str,
    outline: &Outline<'_>,
    category: &Category,
    matching: &Matching,
) -> Vec<Remark> {
    let level = category.entry_level(path);
    let is_record = category.paths.is_record(path);
    let (mut found, mut remarks) = (0, Vec::new());
    for (index, section) in outline.sections().iter().enumerate() {
        if section.heading.level != level {
            let stands_alone = index > 0 && section.heading.level < level;
            if category.section.is_some() && stands_alone {
                let message = SectionRules::wrong_level(section, level);
                remarks.push(about(Rule::Schema, path, section, message).about("level"));
            }
            continue;
        }
        found += 1;
        remarks.extend((is_record && found == 2).then(|| second_entry(path, section)));
        if remarks.len() > MOST {
            remarks.push(too_many(path, section));
            break;
        }
        let rules = category.section.iter();
        let breaches = rules.flat_map(|rules| rules.check(outline, index, matching));
        remarks.extend(breaches.map(|breach| {
            let rule = match breach.rule.as_str() {
                "id" => Rule::IdMissing,
                "max_bytes" => Rule::Budget,
                _ => Rule::Schema,
            };
            about(rule, path, section, breach.message).about(breach.rule)
        }));
        if category.needs_evidence && !section.archived && !is_founded(outline, index) {
            let message = format!("the section `{}` names no source", section.title());
            remarks.push(about(Rule::ProvenanceMissing, path, section, message));
        }
    }
    remarks
}

fn too_many(path: &str, section: &Section) -> Remark {
    let message = format!("more than {MOST} things are wrong here: what follows is not told");
    about(Rule::Schema, path, section, message).about("more")
}

fn second_entry(path: &str, section: &Section) -> Remark {
    let title = section.title();
    let message = format!(
        "`{path}` holds one entry, and `{title}` is a second one: give it a file of its own"
    );
    about(Rule::Schema, path, section, message).about("level")
}

/// Tells whether an entry, or a section in it, names evidence that a person can look up.
fn is_founded(outline: &Outline<'_>, index: usize) -> bool {
    let family = &outline.sections()[index..index + outline.family(index)];
    let mut sources = family.iter().flat_map(|section| &section.sources);
    sources.any(|note| !matches!(note.kind, SourceType::Inference | SourceType::External))
}

fn about(rule: Rule, path: &str, section: &Section, message: String) -> Remark {
    Remark::new(rule, path, message).at(section.line).within(Some(section.title().to_owned()))
}
