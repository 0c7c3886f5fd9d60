//! Merges what two branches remember of a proposal that both refused: a refusal is a refusal, so nothing
//! contradicts.

use std::path::Path;

use super::Sides;
use crate::rejection::Rejection;

/// Stands between the reasons of several people.
const BETWEEN: &str = " | ";

/// Merges two files about the same rejection; nothing if one of them cannot be read.
///
/// What one side alone took out of what both began with goes. The text is the same whichever side is ours.
pub fn merge_rejections(Sides { base, ours, theirs }: Sides<'_>) -> Option<String> {
    if ours == theirs || theirs == base {
        return Some(ours.to_owned());
    }
    if ours == base {
        return Some(theirs.to_owned());
    }
    let read = |text| Rejection::parse(text, Path::new("")).ok();
    let mut sides = [read(ours)?, read(theirs)?];
    // Who said it first is heard first.
    sides.sort_by(|one, other| (&one.date, &one.reason).cmp(&(&other.date, &other.reason)));
    united(read(base).as_ref(), &sides).map(|merged| merged.to_toml())
}

/// Reads a file in which git left a conflict, as if it were merged; nothing if it holds none, or one side of
/// it cannot be read.
pub fn rejection_in_conflict(text: &str) -> Option<Rejection> {
    let [ours, theirs] = both_sides(text)?;
    let merged = merge_rejections(Sides { base: "", ours: &ours, theirs: &theirs })?;
    Rejection::parse(&merged, Path::new("")).ok()
}

fn united(base: Option<&Rejection>, [first, second]: &[Rejection; 2]) -> Option<Rejection> {
    if first.id != second.id {
        return None;
    }
    let said = |each: &Rejection| -> Vec<String> {
        each.reason.split(BETWEEN).map(|reason| reason.trim().to_owned()).collect()
    };
    let known = base.map(said).unwrap_or_default();
    let reasons = [said(first), said(second)];
    let mut kept = union(&known, [&reasons[0], &reasons[1]]);
    if kept.is_empty() {
        // Each took back what the other left; that the text is refused needs a reason all the same.
        kept = union(&[], [&reasons[0], &reasons[1]]);
    }
    let known = base.map(|base| base.fingerprints.as_slice()).unwrap_or_default();
    let mut fingerprints = union(known, [&first.fingerprints, &second.fingerprints]);
    fingerprints.sort();
    Some(Rejection {
        id: first.id.clone(),
        date: first.date.clone(),
        reason: kept.join(BETWEEN),
        fingerprints,
    })
}

/// Returns what either side has, each once, but for what the other took out of the base.
fn union(base: &[String], [first, second]: [&[String]; 2]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for each in first.iter().chain(second) {
        let was_taken_out = base.contains(each) && !(first.contains(each) && second.contains(each));
        if !was_taken_out && !all.contains(each) {
            all.push(each.clone());
        }
    }
    all
}

/// Where a line of a text with conflict markers stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Within {
    Neither,
    Ours,
    Base,
    Theirs,
}

/// Takes a text with git's conflict markers apart; nothing if they do not stand as git leaves them.
fn both_sides(text: &str) -> Option<[String; 2]> {
    let mut sides = [String::new(), String::new()];
    let (mut within, mut conflicts) = (Within::Neither, 0);
    for line in text.lines() {
        let is = |sign: &str| {
            line.strip_prefix(&sign.repeat(7))
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        within = match within {
            Within::Neither if is("<") => {
                conflicts += 1;
                Within::Ours
            }
            Within::Ours if is("|") => Within::Base,
            Within::Ours | Within::Base if is("=") => Within::Theirs,
            Within::Theirs if is(">") => Within::Neither,
            Within::Neither | Within::Ours | Within::Base | Within::Theirs => {
                let heard = [
                    matches!(within, Within::Neither | Within::Ours),
                    matches!(within, Within::Neither | Within::Theirs),
                ];
                for (side, _) in sides.iter_mut().zip(heard).filter(|(_, heard)| *heard) {
                    *side += line;
                    side.push('\n');
                }
                within
            }
        };
    }
    (conflicts > 0 && within == Within::Neither).then_some(sides)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn file(day: &str, reason: &str, fingerprints: &[&str]) -> String {
        let rejection = Rejection {
            id: "20261120-101112-x-abcd".to_owned(),
            date: format!("2026-11-{day}"),
            reason: reason.to_owned(),
            fingerprints: fingerprints.iter().map(|each| (*each).to_owned()).collect(),
        };
        rejection.to_toml()
    }

    fn check(base: &str, [one, other]: [&str; 2], expected: &str) {
        for (ours, theirs) in [(one, other), (other, one)] {
            let merged = merge_rejections(Sides { base, ours, theirs });
            assert_eq!(merged.as_deref(), Some(expected));
        }
    }

    #[test]
    fn both_reasons_are_kept_from_the_first_day_on() {
        let sides = [file("21", "too \"vague\"", &["b"]), file("20", "untrue", &["b"])];
        check(
            "",
            sides.each_ref().map(String::as_str),
            &file("20", "untrue | too \"vague\"", &["b"]),
        );
    }

    #[test]
    fn what_either_side_refused_stays_refused() {
        let sides = [file("20", "no", &["a", "c"]), file("20", "no", &["b", "a"])];
        check("", sides.each_ref().map(String::as_str), &file("20", "no", &["a", "b", "c"]));
    }

    #[test]
    fn what_was_merged_before_is_not_said_twice() {
        let base = file("20", "untrue", &["a"]);
        let sides = [file("20", "untrue | vague", &["a"]), file("20", "untrue | long", &["a"])];
        let expected = file("20", "untrue | long | vague", &["a"]);
        check(&base, sides.each_ref().map(String::as_str), &expected);
    }

    #[test]
    fn a_reason_that_one_side_corrected_is_not_kept() {
        let base = file("20", "untru", &["a"]);
        let sides = [file("20", "untrue", &["a"]), file("20", "untru | vague", &["a"])];
        check(&base, sides.each_ref().map(String::as_str), &file("20", "vague | untrue", &["a"]));
    }

    #[test]
    fn there_is_always_a_reason() {
        let base = file("20", "untrue | vague", &["a"]);
        let sides = [file("20", "untrue", &["a"]), file("20", "vague", &["a"])];
        check(&base, sides.each_ref().map(String::as_str), &file("20", "untrue | vague", &["a"]));
    }

    #[test]
    fn who_changed_nothing_is_not_heard() {
        let (base, other) = (file("20", "untrue", &["a"]), file("20", "corrected", &["a"]));
        check(&base, [&base, &other], &other);
    }

    #[test]
    fn what_is_no_rejection_is_left_to_the_merge_of_lines() {
        let good = file("20", "untrue", &["a"]);
        let other = good.replace("abcd", "0000");
        for bad in ["id = ", &other] {
            assert_eq!(merge_rejections(Sides { base: "", ours: &good, theirs: bad }), None);
        }
    }

    #[test]
    fn a_file_with_markers_is_read_as_both_sides() {
        let (head, tail) = ("id = \"x\"\ndate = \"2026-11-20\"\n", "fingerprints = [\"a\"]\n");
        let (ours, theirs) = ("reason = \"untrue\"\n", "reason = \"vague\"\n");
        for base in ["", "||||||| 4f00\nreason = \"?\"\n"] {
            let text =
                format!("{head}<<<<<<< HEAD\n{ours}{base}=======\n{theirs}>>>>>>> other\n{tail}");
            let read = rejection_in_conflict(&text).expect("two good sides");
            assert_eq!(read.reason, "untrue | vague");
        }
        let open = format!("{head}<<<<<<< HEAD\n{ours}=======\n{theirs}{tail}");
        for text in [format!("{head}{ours}{tail}"), open] {
            assert_eq!(rejection_in_conflict(&text), None, "{text}");
        }
    }

    fn side() -> impl Strategy<Value = String> {
        let reasons = proptest::collection::vec("[a-d]", 1..4);
        let prints = proptest::collection::btree_set("[w-z]", 0..4);
        (20..23_u8, reasons, prints).prop_map(|(day, reasons, prints)| {
            let prints: Vec<&str> = prints.iter().map(String::as_str).collect();
            file(&day.to_string(), &reasons.join(BETWEEN), &prints)
        })
    }

    proptest! {
        #[test]
        fn it_does_not_matter_who_merges_whom(base in side(), ours in side(), theirs in side()) {
            let merge = |ours: &str, theirs: &str| merge_rejections(Sides { base: &base, ours, theirs });
            let merged = merge(&ours, &theirs).expect("good files");
            prop_assert_eq!(merge(&theirs, &ours), Some(merged.clone()));
            let read = Rejection::parse(&merged, Path::new("x.toml")).expect("a good file");
            prop_assert!(!read.reason.is_empty());
        }

        #[test]
        fn nothing_new_is_lost(ours in side(), theirs in side()) {
            let merged = merge_rejections(Sides { base: "", ours: &ours, theirs: &theirs });
            let read = |text: &str| Rejection::parse(text, Path::new("x.toml")).expect("a good file");
            let merged = read(&merged.expect("good files"));
            for side in [read(&ours), read(&theirs)] {
                prop_assert!(side.reason.split(BETWEEN).all(|reason| merged.reason.contains(reason)));
                prop_assert!(side.fingerprints.iter().all(|print| merged.fingerprints.contains(print)));
                prop_assert!(merged.date <= side.date);
            }
        }
    }
}
