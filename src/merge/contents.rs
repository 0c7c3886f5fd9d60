//! Merges tables of contents, which never contradict: they say what files say.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::order::merge_order;
use super::{Sides, pick};
use crate::contents::{BETWEEN, Blocks, NOTHING};
use crate::markdown::{Keys, Part};

/// Merges the generated table of contents. What both sides say differently of a section is settled when it is
/// next written; until then one of them stands.
pub fn merge_contents(sides: Sides<'_>) -> String {
    let read = |side: &str| Blocks::read(&side.replace("\r\n", "\n"));
    let [mut base, mut ours, mut theirs] = [sides.base, sides.ours, sides.theirs].map(read);
    follow_renames(&mut base, &mut ours, &theirs);
    follow_renames(&mut base, &mut theirs, &ours);
    let paths: BTreeSet<&String> = ours.by_path().keys().chain(theirs.by_path().keys()).collect();
    let mut merged = Blocks::default();
    for path in paths {
        let lines = [&base, &ours, &theirs]
            .map(|blocks| blocks.by_path().get(path).map(String::as_str).unwrap_or_default());
        let is_there = |blocks: &Blocks| blocks.by_path().contains_key(path);
        let is_deleted = is_there(&base) && !(is_there(&ours) && is_there(&theirs));
        let block = merge_block(lines);
        let is_empty = block.is_empty() && !is_deleted;
        merged.put(path, if is_empty { NOTHING.to_owned() } else { block });
    }
    merged.to_string()
}

/// Gives the lines about a file, on the side that kept it, the name that the other side gave it. Git merges the
/// file itself under that name.
fn follow_renames(base: &mut Blocks, kept: &mut Blocks, renamed: &Blocks) {
    let is_new =
        |path: &&String| !base.by_path().contains_key(*path) && !kept.by_path().contains_key(*path);
    let mut places: BTreeMap<Vec<String>, VecDeque<&String>> = BTreeMap::new();
    for place in renamed.by_path().keys().filter(is_new) {
        places.entry(names(&renamed.by_path()[place])).or_default().push_back(place);
    }
    let is_gone = |path: &&String| !renamed.by_path().contains_key(*path);
    let gone: Vec<String> = base.by_path().keys().filter(is_gone).cloned().collect();
    for path in gone {
        let before = base.by_path()[&path].clone();
        let Some(now) = kept.by_path().get(&path).cloned() else { continue };
        let Some(place) = places.get_mut(&names(&before)).and_then(VecDeque::pop_front) else {
            continue;
        };
        let moved = |lines: &str| lines.replace(&format!("]({path})"), &format!("]({place})"));
        for (blocks, lines) in [(&mut *base, before), (&mut *kept, now)] {
            blocks.put(&path, String::new());
            blocks.put(place, moved(&lines));
        }
    }
}

/// Returns what the lines about a file name its sections.
fn names(lines: &str) -> Vec<String> {
    entries(lines).into_iter().map(|entry| entry.key).collect()
}

fn merge_block(lines: [&str; 3]) -> String {
    let [base, ours, theirs] = lines.map(entries);
    let index = |entries: &[Part<'_>]| -> BTreeMap<String, String> {
        entries.iter().map(|entry| (entry.key.clone(), entry.text.to_owned())).collect()
    };
    let (b, o, t) = (index(&base), index(&ours), index(&theirs));
    let merged = merge_order(&base, &ours, &theirs).into_iter().filter_map(|entry| {
        let key = &entry.key;
        match (b.get(key), o.get(key), t.get(key)) {
            (Some(base), Some(side), None) | (Some(base), None, Some(side)) if side == base => None,
            (Some(base), Some(ours), Some(theirs)) => Some(merge_entry([base, ours, theirs])),
            (_, ours, theirs) => ours.max(theirs).cloned(),
        }
    });
    merged.collect::<Vec<_>>().join(BETWEEN)
}

/// Merges what is said of a section: its level, its heading, what follows.
fn merge_entry(sides: [&str; 3]) -> String {
    let parts = sides.map(|entry| {
        let text = entry.trim_start();
        let (heading, below) = text.split_once('\n').unwrap_or((text, ""));
        let below: String = below.lines().map(|line| format!("\n  {}", line.trim())).collect();
        (entry.len() - text.len(), heading, below)
    });
    let [base, ours, theirs] = &parts;
    let indent = " ".repeat(*pick([&base.0, &ours.0, &theirs.0]));
    let heading = pick([&base.1, &ours.1, &theirs.1]);
    let below = pick([&base.2, &ours.2, &theirs.2]).replace('\n', &format!("\n{indent}"));
    format!("{indent}{heading}{below}")
}

/// Returns what is said of each section, keyed as the sections are in their file.
fn entries(lines: &str) -> Vec<Part<'_>> {
    let mut keys = Keys::default();
    let entries = split(lines).into_iter().map(|entry| {
        let indent = entry.len() - entry.trim_start().len();
        let level = u8::try_from(indent / 2 + 2).unwrap_or(6);
        let (id, heading) = name(entry);
        Part { key: keys.next(level, id, heading), level, parent: None, text: entry }
    });
    entries.collect()
}

/// Splits the lines about a file before each link, as earlier versions left no blank line there.
fn split(lines: &str) -> Vec<&str> {
    let ends = lines.match_indices('\n').map(|(at, _)| at + 1).chain([lines.len()]);
    let (mut entries, mut start) = (Vec::new(), 0);
    for end in ends {
        let is_last = end == lines.len();
        if is_last || lines[end..].trim_start_matches(' ').starts_with("- [") {
            entries.push(lines[start..end].trim_end());
            start = end;
        }
    }
    entries.retain(|entry| !entry.is_empty() && *entry != NOTHING);
    entries
}

/// Returns the id that is given below a link, or behind it as earlier versions did, and the heading.
fn name(entry: &str) -> (Option<&str>, &str) {
    let (heading, rest) =
        entry.trim_start_matches([' ', '-', '[']).split_once("](").unwrap_or((entry, ""));
    let behind = rest.split_once(')').map(|(_, behind)| behind.trim_start());
    let behind = behind.map(|text| text.strip_prefix("(archived)").unwrap_or(text).trim_start());
    let id = behind.and_then(|text| text.strip_prefix('`')?.split_once('`'));
    (id.map(|(id, _)| id), heading)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOP: &str =
        "# Index\n\nWritten by agent-memory after every change; edits here do not last.\n";

    fn listed(entries: &[&str]) -> String {
        format!("{TOP}\n## a.md\n\n{}\n\n---\n", entries.join(BETWEEN))
    }

    fn check(sides: [&str; 3], expected: &str) {
        let [base, ours, theirs] = sides;
        assert_eq!(merge_contents(Sides { base, ours, theirs }), expected, "{sides:#?}");
    }

    const ONE: &str = "- [One](a.md)\n  `one`\n  The first.";
    const OURS: &str = "- [Ours](a.md)\n  `ours`\n  We do.";
    const THEIRS: &str = "  - [Theirs](a.md) (archived)\n    `theirs`";

    #[test]
    fn what_each_side_added_is_listed_once() {
        let [base, ours, theirs] = [&[ONE][..], &[ONE, OURS], &[ONE, THEIRS]].map(listed);
        let both = listed(&[ONE, THEIRS, OURS]);
        check([&base, &ours, &theirs], &both);
        let [base, ours, theirs] = [base, ours, theirs].map(|text| text.replace('\n', "\r\n"));
        check([&base, &ours, &theirs], &both);
    }

    #[test]
    fn a_section_is_known_again_in_the_layout_of_an_earlier_version() {
        let old = |entries: &[&str]| format!("{TOP}\n## a.md\n\n{}\n", entries.join("\n"));
        let one = "- [One](a.md) `one`: The first.";
        let (ours, theirs) = ("- [Ours](a.md) `ours`", "  - [Theirs](a.md) `theirs` (archived)");
        let (base, other) = (old(&[one]), old(&[one, theirs]));
        check([&base, &old(&[one, ours]), &other], &listed(&[one, theirs, ours]));
        check([&base, &listed(&[ONE, OURS]), &other], &listed(&[ONE, theirs, OURS]));
    }

    #[test]
    fn a_name_and_a_first_line_that_two_sides_changed_are_both_taken() {
        let renamed = ONE.replace("[One]", "[First]");
        let edited = ONE.replace("The first.", "It begins.");
        let deeper = "  - [One](a.md)\n    `one`\n    The first.";
        let base = listed(&[ONE]);
        let both = "- [First](a.md)\n  `one`\n  It begins.";
        check([&base, &listed(&[&renamed]), &listed(&[&edited])], &listed(&[both]));
        let both = "  - [One](a.md)\n    `one`\n    It begins.";
        check([&base, &listed(&[&edited]), &listed(&[deeper])], &listed(&[both]));
    }

    #[test]
    fn a_file_that_has_lost_its_sections_keeps_its_place() {
        let (one, nothing) = (listed(&[ONE]), listed(&[NOTHING]));
        check([&one, &nothing, &listed(&[ONE, OURS])], &listed(&[OURS]));
        let both = listed(&[ONE, OURS]);
        check([&both, &listed(&[OURS]), &one], &nothing);
        check([&one, TOP, &one], TOP);
        check([TOP, &nothing, TOP], &nothing);
    }

    #[test]
    fn a_repeated_heading_is_told_by_the_section_that_it_stands_in() {
        let notes = |of: &str| format!("  - [Notes](a.md)\n    Of {of}.");
        let [of_one, of_ours, of_all] = ["one", "ours", "all"].map(notes);
        let base = listed(&[ONE, &of_one, OURS, &of_ours]);
        let (first, second) = (listed(&[ONE, OURS, &of_ours]), listed(&[ONE, &of_one, OURS]));
        check([&base, &first, &second], &listed(&[ONE, OURS]));
        let edited = listed(&[ONE, &of_one, OURS, &of_all]);
        check([&base, &first, &edited], &listed(&[ONE, OURS, &of_all]));
    }

    #[test]
    fn the_first_sections_of_a_file_take_the_place_of_nothing() {
        let base = listed(&["No sections yet."]);
        check([&base, &listed(&[OURS]), &base], &listed(&[OURS]));
        check([&base, &listed(&[OURS]), &listed(&[ONE])], &listed(&[ONE, OURS]));
    }
}
