//! What the section engine promises, over every file of `fixtures/markdown`.

use std::collections::BTreeMap;
use std::fs;

use agent_memory::contract::{ContentHash, SectionId};
use agent_memory::markdown::{HeadingStyle, Outline, Section};
use agent_memory::project::edit::{Edit, Edited, create, edit};
use agent_memory::project::request::{
    Action, IfExists, IfFileExists, IfMissing, MemoryPath, Selector, Target,
};
use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};
use proptest::sample::select;

use crate::hostile::config;
use crate::support::{cases, folder};

/// Runs of each property; each takes a fixture, a section, an operation and a text.
const RUNS: u32 = 500;

/// Texts that an agent might send, harmless and hostile.
const TEXTS: [&str; 26] = [
    "One line.",
    "",
    "\n\nBlank lines around.\n\n\n",
    "- a bullet\n- another",
    "- a bullet",
    "1. first\n2. second",
    "Windows\r\nlines\r\n",
    "```sh\n# in a fence\n```",
    "```\nnever closed",
    "~~~~\nnever closed\n~~~",
    "<!-- never closed",
    "<!--\n## hidden\n-->",
    "<div>\n## in a block",
    "<script>\nlet a = 1;",
    "> ## quoted",
    "- # in a list",
    "    # indented code",
    "### Deeper\n\ntext",
    "## Sibling\n\ntext",
    "# Higher\n\ntext",
    "Setext\n---\n",
    "Setext\n===",
    "---",
    "<!-- @id: stolen -->\n\ntext",
    "text\n\n<!-- @id: token-rotation -->",
    "[label]: https://example.org \"title",
];

/// Headings that an agent might send.
const HEADINGS: [&str; 8] =
    ["Plain", "C#", "`code` and *more*", "認証", "Closing #", "1. Numbered", "[label]", "-"];

fn fixtures() -> Vec<(String, String)> {
    let files = cases("fixtures/markdown").into_iter();
    let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    files
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect()
}

#[test]
fn the_headings_of_each_fixture_are_found() {
    let text = fs::read_to_string(folder("fixtures/markdown/headings.json")).unwrap();
    let mut expected: BTreeMap<String, Vec<(u8, String)>> = serde_json::from_str(&text).unwrap();
    for (name, text) in fixtures() {
        let outline = Outline::read(&text);
        let found: Vec<(u8, String)> = outline
            .sections()
            .iter()
            .map(|section| (section.heading.level, section.heading.text.clone()))
            .collect();
        let lines = |list: Vec<(u8, String)>| -> Vec<(u8, String)> {
            // A setext heading of several lines keeps the line ends of its file.
            list.into_iter().map(|(level, text)| (level, text.replace("\r\n", "\n"))).collect()
        };
        assert_eq!(Some(lines(found)), expected.remove(&name), "{name}");
    }
    assert!(expected.is_empty(), "no fixture for {:?}", expected.keys());
}

#[test]
fn sections_cover_every_byte_once() {
    for (name, text) in fixtures() {
        covers(&name, &text);
        covers(&name, &text.replace("\r\n", "\n").replace('\n', "\r\n"));
        covers(&name, text.trim_end());
    }
}

fn covers(name: &str, text: &str) {
    let outline = Outline::read(text);
    let mut covered = outline.preamble().len();
    for (index, section) in outline.sections().iter().enumerate() {
        assert_eq!(section.heading_bytes.start, covered, "{name}: {}", section.heading.text);
        assert!(section.heading_bytes.end <= section.body_start, "{name}");
        assert!(section.body_start <= section.own_end && section.own_end <= section.end, "{name}");
        let parent = section.parent.map(|parent| &outline.sections()[parent]);
        assert!(parent.is_none_or(|parent| parent.end >= section.end), "{name}");
        assert!(outline.family(index) >= 1, "{name}");
        covered = section.own_end;
    }
    assert_eq!(covered, text.len(), "{name}");
}

/// A file with one of its sections and an operation on it.
#[derive(Debug, Clone)]
struct Attempt {
    name: String,
    text: String,
    index: usize,
    action: Action,
}

fn attempt() -> impl Strategy<Value = Attempt> {
    let files: Vec<(String, String)> = fixtures()
        .into_iter()
        .filter(|(_, text)| !Outline::read(text).sections().is_empty())
        .collect();
    let ends =
        prop_oneof![3 => Just(Ends::AsTheyAre), 1 => Just(Ends::Windows), 1 => Just(Ends::Missing)];
    let words = (select(&TEXTS[..]), select(&HEADINGS[..]), 1..=6_u8, 0..10_usize);
    (select(files), ends, any::<proptest::sample::Index>(), words).prop_map(
        |((name, text), ends, index, (content, heading, level, kind))| {
            let text = ends.apply(&text);
            let outline = Outline::read(&text);
            let index = index.index(outline.sections().len());
            let action = action_on(&outline, index, kind, (content, heading, level));
            Attempt { name, text, index, action }
        },
    )
}

/// How the lines of a fixture end.
#[derive(Debug, Clone, Copy)]
enum Ends {
    AsTheyAre,
    Windows,
    Missing,
}

impl Ends {
    fn apply(self, text: &str) -> String {
        match self {
            Self::AsTheyAre => text.to_owned(),
            Self::Windows => text.replace("\r\n", "\n").replace('\n', "\r\n"),
            Self::Missing => text.trim_end().to_owned(),
        }
    }
}

/// Returns how to name a section so that no other is meant.
fn name(outline: &Outline<'_>, index: usize) -> Target {
    let section = &outline.sections()[index];
    let same = |other: &&Section| {
        other.heading.text == section.heading.text && other.heading.style == HeadingStyle::Atx
    };
    let selector = match &section.id {
        Some(id) => Selector::Id(id.clone()),
        None => Selector::Heading {
            text: section.heading.text.clone(),
            level: None,
            occurrence: Some(outline.sections()[..=index].iter().filter(same).count().max(1)),
        },
    };
    Target { selector, if_hash: Some(outline.hash(section)) }
}

fn action_on(
    outline: &Outline<'_>,
    index: usize,
    kind: usize,
    (content, heading, level): (&str, &str, u8),
) -> Action {
    let section = &outline.sections()[index];
    let (target, content) = (name(outline, index), content.to_owned());
    let append = |parent_section_id, if_exists| Action::AppendSection {
        heading: heading.to_owned(),
        heading_level: level,
        content: content.clone(),
        parent_section_id,
        section_id: None,
        if_exists,
    };
    match kind {
        0 => append(None, IfExists::Suffix),
        1 => append(section.id.clone(), IfExists::Reject),
        2 | 3 => {
            let marks = "#".repeat(section.heading.level.into());
            let content = format!("{marks} {heading}\n\n{content}");
            Action::ReplaceSection { target, content, if_missing: IfMissing::Reject }
        }
        4 => Action::ReplaceSectionContent { target, content },
        5 => Action::AppendToSection { target, content },
        6 => Action::RenameHeading {
            target,
            new_heading: heading.to_owned(),
            new_heading_level: Some(level),
        },
        7 => Action::ArchiveSection { target, archive_path: None, replacement: None },
        8 => Action::ArchiveSection { target, archive_path: None, replacement: Some(content) },
        _ => Action::RemoveSection { target, archive_path: None, reason: "gone".to_owned() },
    }
}

fn perform(text: &str, action: &Action) -> Option<Edited> {
    let [path, archive] = ["modules/a.md", "archive/a.md"].map(|p| MemoryPath::parse(p).unwrap());
    let order = Edit {
        action,
        path: &path,
        archive: &archive,
        notes: &[],
        sources: &[],
        then: None,
        changed: &[],
        pointer: "",
    };
    edit(Outline::read(text), &order).ok()
}

/// The sections that an operation may change, by number before it; a new one may stand anywhere.
fn named(outline: &Outline<'_>, attempt: &Attempt) -> std::ops::Range<usize> {
    let index = attempt.index;
    match attempt.action {
        Action::CreateFile { .. } => 0..outline.sections().len(),
        Action::AppendSection { .. } => 0..0,
        Action::ReplaceSection { .. }
        | Action::ArchiveSection { .. }
        | Action::RemoveSection { .. } => index..index + outline.family(index),
        Action::ReplaceSectionContent { .. }
        | Action::AppendToSection { .. }
        | Action::RenameHeading { .. } => index..index + 1,
    }
}

/// A section by level, id and own bytes, with the blank lines behind it.
fn facts<'t>(outline: &Outline<'t>, section: &Section) -> (u8, Option<SectionId>, &'t str) {
    (section.heading.level, section.id.clone(), outline.own(section))
}

fn contained(attempt: &Attempt) {
    let Some(edited) = perform(&attempt.text, &attempt.action) else { return };
    let (before, after) = (Outline::read(&attempt.text), Outline::read(&edited.text));
    covers(&attempt.name, &edited.text);
    let span = named(&before, attempt);
    let old: Vec<_> = before.sections().iter().map(|section| facts(&before, section)).collect();
    assert_eq!(after.sections(), edited.sections, "what the edit knows: {attempt:?}");
    let new: Vec<_> = after.sections().iter().map(|section| facts(&after, section)).collect();
    let (start, end) = match attempt.action {
        // What stands before and after the new section is what stood before and after its place.
        Action::AppendSection { .. } => {
            let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
            (same, same)
        }
        _ => (span.start, span.end),
    };
    let tail = old.len() - end;
    assert!(new.len() >= start + tail, "a section is gone: {attempt:?}\n{}", edited.text);
    assert_eq!(&new[..start], &old[..start], "sections before it: {attempt:?}");
    assert_eq!(&new[new.len() - tail..], &old[end..], "sections behind it: {attempt:?}");
    let (head, rest) = match span.is_empty() {
        true => (0, 0),
        false => {
            let first = &before.sections()[span.start];
            let last = before.sections()[span.clone()].iter().map(|s| s.own_end).max();
            (first.heading_bytes.start, attempt.text.len() - last.unwrap())
        }
    };
    assert_eq!(attempt.text[..head], edited.text[..head], "bytes before it: {attempt:?}");
    let (old_rest, new_rest) = (attempt.text.len() - rest, edited.text.len() - rest);
    assert!(edited.text.is_char_boundary(new_rest), "bytes behind it: {attempt:?}");
    assert_eq!(attempt.text[old_rest..], edited.text[new_rest..], "bytes behind it: {attempt:?}");
    if span.is_empty() {
        let same = |(a, b): &(u8, u8)| a == b;
        let (old, new) = (attempt.text.bytes(), edited.text.bytes());
        let prefix = old.clone().zip(new.clone()).take_while(same).count();
        let suffix = old.rev().zip(new.rev()).take_while(same).count();
        assert!(prefix + suffix >= attempt.text.len(), "bytes around it: {attempt:?}");
    }
    let windows = |text: &str| {
        text.contains('\n') && text.matches('\n').count() == text.matches("\r\n").count()
    };
    if windows(&attempt.text) {
        assert!(
            !edited.text.contains('\n') || windows(&edited.text),
            "line ends: {attempt:?}\n{:?}",
            edited.text
        );
    }
    ids_stay_unique(attempt, &before, &after);
    if let Some(archived) = edited.archived {
        let whole = before.whole(&before.sections()[attempt.index]);
        assert_eq!(without_links(&archived), without_links(whole), "the archive: {attempt:?}");
    }
}

/// Returns the lines of a text; those that may hold a link, whose target moves along, count as empty.
fn without_links(text: &str) -> Vec<&str> {
    let lines = text.trim_end_matches(['\r', '\n']).split('\n');
    lines.map(|line| if line.contains(['[', '<']) { "" } else { line }).collect()
}

fn ids_stay_unique(attempt: &Attempt, before: &Outline<'_>, after: &Outline<'_>) {
    let twins = |outline: &Outline<'_>| {
        let mut ids: Vec<_> = outline.sections().iter().filter_map(|s| s.id.clone()).collect();
        let all = ids.len();
        ids.sort();
        ids.dedup();
        all - ids.len()
    };
    assert!(twins(after) <= twins(before), "an id stands twice: {attempt:?}");
}

fn stable(attempt: &Attempt) {
    let says_it_all = matches!(
        attempt.action,
        Action::ReplaceSection { .. }
            | Action::ReplaceSectionContent { .. }
            | Action::RenameHeading { .. }
    );
    if !says_it_all {
        return;
    }
    let Some(once) = perform(&attempt.text, &attempt.action) else { return };
    let outline = Outline::read(&once.text);
    let mut again = attempt.action.clone();
    match &mut again {
        Action::ReplaceSection { target, .. }
        | Action::ReplaceSectionContent { target, .. }
        | Action::RenameHeading { target, .. } => *target = name(&outline, attempt.index),
        _ => unreachable!("the others are left out above"),
    }
    let twice = perform(&once.text, &again);
    assert_eq!(twice.map(|edited| edited.text), Some(once.text), "{attempt:?}");
}

proptest! {
    #![proptest_config(config(RUNS))]

    #[test]
    fn an_operation_leaves_every_other_section_alone(attempt in attempt()) {
        contained(&attempt);
    }

    #[test]
    fn an_operation_on_its_own_result_changes_nothing(attempt in attempt()) {
        stable(&attempt);
    }
}

#[test]
fn every_operation_on_every_section_is_contained() {
    let (mut tried, mut done) = (0, 0);
    for (name, text) in fixtures() {
        let outline = Outline::read(&text);
        for index in 0..outline.sections().len() {
            for kind in 0..10 {
                let action = action_on(&outline, index, kind, ("Plain text.", "Plain", 2));
                tried += 1;
                done += usize::from(perform(&text, &action).is_some());
                contained(&Attempt { name: name.clone(), text: text.clone(), index, action });
            }
        }
    }
    assert!(done * 2 > tried, "only {done} of {tried} operations were not refused");
}

#[test]
fn a_bullet_that_is_there_is_not_added_again() {
    for (name, text) in fixtures() {
        let outline = Outline::read(&text);
        for index in 0..outline.sections().len() {
            let add =
                |target| Action::AppendToSection { target, content: "- once\n- only".to_owned() };
            let Some(once) = perform(&text, &add(self::name(&outline, index))) else { continue };
            let target = self::name(&Outline::read(&once.text), index);
            let twice = perform(&once.text, &add(target)).unwrap();
            assert_eq!((twice.text, twice.warnings.len()), (once.text, 2), "{name}");
        }
    }
}

#[test]
fn a_section_that_is_another_by_now_is_left_alone() {
    let text = "# A\n\n## B\n<!-- @id: b -->\n\ntext\n";
    let outline = Outline::read(text);
    let mut target = name(&outline, 1);
    target.if_hash = ContentHash::parse("0123456789abcdef");
    let action = Action::RemoveSection { target, archive_path: None, reason: "gone".to_owned() };
    assert!(perform(text, &action).is_none());
}

#[test]
fn a_created_file_reads_back_with_an_id_for_each_heading() {
    for (name, text) in fixtures() {
        let action = Action::CreateFile { content: text.clone(), if_exists: IfFileExists::Reject };
        let path = MemoryPath::parse("modules/a.md").unwrap();
        let order = Edit {
            action: &action,
            path: &path,
            archive: &path,
            notes: &[],
            sources: &[],
            then: None,
            changed: &[],
            pointer: "",
        };
        let Ok(made) = create(None, &text, IfFileExists::Reject, &order) else { continue };
        let (before, after) = (Outline::read(&text), Outline::read(&made.text));
        assert_eq!(before.sections().len(), after.sections().len(), "{name}");
        for (old, new) in before.sections().iter().zip(after.sections()) {
            let lines = |text: &str| text.replace("\r\n", "\n");
            assert_eq!(lines(&old.heading.text), lines(&new.heading.text), "{name}");
            assert_eq!(lines(before.body(old)), lines(after.body(new)), "{name}");
            assert!(new.id.is_some() || new.heading.style == HeadingStyle::Setext, "{name}");
        }
    }
}
