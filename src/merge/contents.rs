//! Merges tables of contents, which never contradict: they say what files say.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::Sides;
use super::order::merge_order;
use crate::contents::{BETWEEN, Blocks};
use crate::markdown::Part;

/// Merges the generated table of contents. What both sides say differently of a section is settled when it is
/// next written; until then one of them stands.
pub fn merge_contents(sides: Sides<'_>) -> String {
    let [mut base, mut ours, mut theirs] = [sides.base, sides.ours, sides.theirs].map(Blocks::read);
    follow_renames(&mut base, &mut ours, &theirs);
    follow_renames(&mut base, &mut theirs, &ours);
    let paths: BTreeSet<&String> = ours.by_path().keys().chain(theirs.by_path().keys()).collect();
    let mut merged = Blocks::default();
    for path in paths {
        let lines = [&base, &ours, &theirs]
            .map(|blocks| blocks.by_path().get(path).map(String::as_str).unwrap_or_default());
        merged.put(path, merge_block(lines));
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
            (base, Some(ours), Some(theirs)) if Some(ours) == base => Some(theirs.clone()),
            (base, Some(ours), Some(theirs)) if Some(theirs) == base => Some(ours.clone()),
            (_, ours, theirs) => ours.max(theirs).cloned(),
        }
    });
    merged.collect::<Vec<_>>().join(BETWEEN)
}

/// Returns the lines about sections, keyed as the sections are in their file.
fn entries(lines: &str) -> Vec<Part<'_>> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let entries = lines.split(BETWEEN).filter(|entry| !entry.is_empty()).map(|entry| {
        let indent = entry.len() - entry.trim_start().len();
        let level = u8::try_from(indent / 2 + 2).unwrap_or(6);
        let name = name(entry, level);
        let count = seen.entry(name.clone()).and_modify(|count| *count += 1).or_insert(1);
        Part { key: format!("{name}\n{count}"), level, parent: None, text: entry }
    });
    entries.collect()
}

/// Returns the id that an entry gives below its link, or else the heading.
fn name(entry: &str, level: u8) -> String {
    let (heading, rest) =
        entry.trim_start_matches([' ', '-', '[']).split_once("](").unwrap_or((entry, ""));
    let below = rest.split_once('\n').and_then(|(_, below)| below.trim_start().strip_prefix('`'));
    let id = below.and_then(|below| below.split_once('`'));
    id.map_or_else(|| format!("{level} {heading}"), |(id, _)| format!("#{id}"))
}
