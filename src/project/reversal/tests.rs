//! Changes that are taken back, at once and after others came.

use proptest::prelude::*;

use super::*;

const A: &str = "## A\n<!-- @id: a -->\n\ntext of a\n";
const B: &str = "## B\n<!-- @id: b -->\n\ntext of b\n";
const C: &str = "## C\n<!-- @id: c -->\n\ntext of c\n";

fn reversal(before: Option<&str>, after: &str) -> Reversal {
    let hash = ContentHash::of(after.as_bytes());
    Reversal::of("x.md", before.map(Outline::read).as_ref(), &Outline::read(after), &hash)
}

/// Changes a file, then lets somebody else change it, then takes the first change back.
fn check(before: Option<&str>, after: &str, later: &str, expected: &str) {
    let undone = reversal(before, after).take_back(Some(later));
    assert_eq!(undone, Ok(Undone::Text(expected.to_owned())), "{before:?} {after:?} {later:?}");
}

fn drifted(before: &str, after: &str, later: &str, titles: &[&str]) {
    let titles = titles.iter().map(|title| (*title).to_owned()).collect();
    let obstacle = reversal(Some(before), after).take_back(Some(later)).expect_err("drift");
    assert_eq!(obstacle, Obstacle::Changed(titles));
}

#[test]
fn what_came_later_stays() {
    let (a, ab) = (format!("# T\n\n{A}"), format!("# T\n\n{A}\n{B}"));
    let abc = format!("# T\n\n{A}\n{B}\n{C}");
    check(Some(&a), &ab, &abc, &format!("# T\n\n{A}\n{C}"));
}

#[test]
fn a_section_that_is_gone_does_not_come_back_with_a_later_one() {
    let (t, a, ab) = ("# T\n", format!("# T\n\n{A}"), format!("# T\n\n{A}\n{B}"));
    let first = reversal(Some(t), &a).take_back(Some(&ab));
    let Ok(Undone::Text(without_first)) = first else { panic!("{first:?}") };
    assert_eq!(without_first, format!("# T\n\n{B}"));
    let second = reversal(Some(&a), &ab).take_back(Some(&without_first));
    assert_eq!(second, Ok(Undone::Text("# T\n\n".to_owned())));
}

#[test]
fn what_came_later_into_a_section_keeps_it() {
    let child = "### K\n<!-- @id: k -->\n\nlater\n";
    let (a, ab) = (format!("# T\n\n{A}"), format!("# T\n\n{A}\n{B}"));
    drifted(&a, &ab, &format!("{ab}\n{child}"), &["k"]);
    let (abc, ac) = (format!("{A}\n{B}\n{C}"), format!("{A}\n{C}"));
    drifted(&abc, &ac, &format!("{A}\n{child}\n{C}"), &["k"]);
}

#[test]
fn what_is_put_back_stands_on_lines_of_its_own() {
    let old = format!("{A}\n{}", B.trim_end());
    check(Some(&old), A, &format!("{A}\n{C}"), &format!("{A}\n{}\n{C}", B.trim_end()));
    check(Some(&format!("{A}\n{B}")), A, A.trim_end(), &format!("{A}{B}"));
}

#[test]
fn what_is_put_back_never_lands_in_a_fence() {
    let open = A.replace("text of a", "```\ntext of a");
    drifted(&format!("{A}\n{B}"), A, &open, &["b"]);
}

#[test]
fn a_heading_with_a_secret_is_not_kept() {
    let old = format!("## hunter2\n\nx\n\n{B}");
    let reversal = reversal(Some(&old), "## hunter2\n\nx\n");
    let kept = reversal.withheld_if(|text| text.contains("hunter2"));
    assert!(!serde_json::to_string(&kept).expect("plain data").contains("hunter2"));
}

#[test]
fn a_changed_section_gets_its_former_text() {
    let (old, new) = (format!("{A}\n{B}"), format!("{A}\n{B}").replace("of b", "of beta"));
    check(Some(&old), &new, &new, &old);
    check(Some(&old), &new, &format!("{new}\n{C}"), &format!("{old}\n{C}"));
}

#[test]
fn a_removed_section_stands_again_where_it_stood() {
    let (old, new) = (format!("{A}\n{B}\n{C}"), format!("{A}\n{C}"));
    check(Some(&old), &new, &new, &old);
    check(Some(&old), &new, &new.replace("of c", "of gamma"), &old.replace("of c", "of gamma"));
}

#[test]
fn a_section_that_changed_since_is_named() {
    let (old, new) = (format!("{A}\n{B}"), format!("{A}\n{B}").replace("of b", "of beta"));
    drifted(&old, &new, &new.replace("beta", "gamma"), &["b"]);
    drifted(&old, &new, A, &["b"]);
    drifted(A, &format!("{A}\n{B}"), A, &["b"]);
}

#[test]
fn a_file_that_the_change_made_goes_if_nothing_came_to_it() {
    let new = format!("# T\n\n{A}");
    assert_eq!(reversal(None, &new).take_back(Some(&new)), Ok(Undone::Gone));
    check(None, &new, &format!("{new}\n{B}"), &format!("# T\n\n{B}"));
}

#[test]
fn a_former_text_with_a_secret_is_not_kept() {
    let (old, new) = (A.replace("of a", "hunter2"), A);
    let reversal = reversal(Some(&old), new).withheld_if(|text| text.contains("hunter2"));
    assert!(!serde_json::to_string(&reversal).expect("plain data").contains("hunter2"));
    assert_eq!(reversal.take_back(Some(new)), Err(Obstacle::Withheld));
}

proptest! {
    #[test]
    fn a_change_taken_back_at_once_leaves_every_byte(
        before in proptest::collection::vec(0..8_usize, 0..6),
        after in proptest::collection::vec(0..8_usize, 0..6),
    ) {
        const PIECES: [&str; 8] = [
            "words\n", "\n", "# T\n\n", A, B, "## Plain\n\nx\n\n", "## Plain\n", "### C\ny",
        ];
        let text = |numbers: &[usize]| numbers.iter().map(|n| PIECES[*n]).collect::<String>();
        let (before, after) = (text(&before), text(&after));
        let undone = reversal(Some(&before), &after).take_back(Some(&after));
        prop_assert_eq!(undone, Ok(Undone::Text(before)));
    }
}
