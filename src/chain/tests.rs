//! Logs that were hurt in every way, and what is found in them.

use super::*;

/// Returns the link of the last line.
fn end(log: &[u8]) -> ChainLink {
    read_lines(log, None, Later::Awaited, &|_| true).end
}

/// Stands for a code that needs a key.
fn sign(link: &str) -> String {
    ContentHash::of_section(link).to_string()
}

/// Looks while nobody is writing.
fn verify(log: &[u8], last: Option<&ChainLink>) -> ChainVerdict {
    super::verify(log, last, Later::Foreign, &|_| true)
}

/// Writes so many lines, after so many without a chain; returns them and the last link.
fn lines(old: usize, new: usize) -> (Vec<String>, ChainLink) {
    let mut lines: Vec<String> = (0..old).map(|n| format!("{{\"old\":{n}}}")).collect();
    for _ in 0..new {
        let ChainLink { number, hash } = end((lines.join("\n") + "\n").trim_start().as_bytes());
        lines.push(format!("{{\"number\":{},\"prev\":\"{hash}\"}}", number + 1));
    }
    let last = end((lines.join("\n") + "\n").as_bytes());
    (lines, last)
}

/// Hurts a log of five chained lines and expects findings: line and kind.
fn check<const N: usize>(hurt: impl Fn(&mut Vec<String>), expected: [(usize, &str); N]) {
    let (mut lines, last) = lines(0, 5);
    hurt(&mut lines);
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    expect(&verify(text.as_bytes(), Some(&last)), expected);
}

#[track_caller]
fn expect<const N: usize>(verdict: &ChainVerdict, expected: [(usize, &str); N]) {
    let found: Vec<_> = verdict.findings.iter().map(|each| (each.line, each.kind.name())).collect();
    assert_eq!(found, expected, "{verdict:?}");
    assert_eq!(verdict.unbroken, N == 0);
}

#[test]
fn an_untouched_log_holds() {
    check(|_| {}, []);
    expect(&verify(b"", None), []);
}

#[test]
fn a_changed_line_is_found_wherever_it_stands() {
    for at in 0..5 {
        check(|lines| lines[at] = lines[at].replace('}', ",\"x\":1}"), [(at + 1, "changed")]);
    }
    check(|lines| lines[3] = "no json".to_owned(), [(4, "changed")]);
    // In front of the chain it could as well be a line that was never ours.
    check(|lines| lines[0] = "no json".to_owned(), [(1, "changed"), (1, "foreign")]);
}

#[test]
fn a_changed_number_is_found() {
    check(|lines| lines[2] = lines[2].replace("\"number\":3", "\"number\":9"), [(3, "changed")]);
}

#[test]
fn missing_lines_are_found_and_counted() {
    check(|lines| drop(lines.remove(0)), [(1, "missing")]);
    check(|lines| drop(lines.drain(1..3)), [(2, "missing")]);
    let (mut lines, last) = lines(0, 5);
    lines.drain(1..3);
    let verdict = verify((lines.join("\n") + "\n").as_bytes(), Some(&last));
    assert_eq!(verdict.findings[0].message, "2 decisions before it are gone");
}

#[test]
fn lines_cut_off_at_the_end_are_found() {
    check(|lines| lines.truncate(3), [(3, "cut")]);
    check(Vec::clear, [(0, "cut")]);
}

#[test]
fn a_foreign_line_breaks_only_itself() {
    check(|lines| lines.insert(2, "{\"decision\":\"applied\"}".to_owned()), [(3, "foreign")]);
    check(|lines| lines.insert(4, lines[1].clone()), [(5, "foreign")]);
    check(|lines| lines.push("a note".to_owned()), [(6, "foreign")]);
}

#[test]
fn lines_that_changed_places_are_found() {
    check(|lines| lines.swap(2, 3), [(3, "missing"), (4, "foreign")]);
}

#[test]
fn a_torn_line_is_told_from_a_cut_one() {
    let (lines, last) = lines(0, 3);
    let whole = lines.join("\n") + "\n";
    expect(&verify((whole.clone() + "{\"ti").as_bytes(), Some(&last)), [(4, "torn")]);
    let cut = &whole[..whole.len() - 9];
    expect(&verify(cut.as_bytes(), Some(&last)), [(2, "cut"), (3, "torn")]);
}

#[test]
fn a_log_goes_on_after_a_cut_and_still_tells_of_it() {
    let (mut lines, last) = lines(0, 5);
    lines.truncate(3);
    lines.push(format!("{{\"number\":6,\"prev\":\"{}\"}}", last.hash));
    let text = lines.join("\n") + "\n";
    expect(&verify(text.as_bytes(), Some(&end(text.as_bytes()))), [(4, "missing")]);
}

#[test]
fn older_lines_without_a_chain_are_no_finding_but_the_last_of_them_is_held() {
    let (mut lines, last) = lines(3, 2);
    let verdict = verify((lines.join("\n") + "\n").as_bytes(), Some(&last));
    expect(&verdict, []);
    assert_eq!((verdict.decisions, verdict.unchained), (5, 3));
    lines[2] = "{\"old\":\"other\"}".to_owned();
    expect(&verify((lines.join("\n") + "\n").as_bytes(), Some(&last)), [(3, "changed")]);
    lines.remove(2);
    expect(&verify((lines.join("\n") + "\n").as_bytes(), Some(&last)), [(3, "missing")]);
}

#[test]
fn a_lost_last_link_is_told() {
    let (lines, _) = lines(0, 3);
    let text = lines.join("\n") + "\n";
    expect(&verify(text.as_bytes(), None), [(3, "cut")]);
}

#[test]
fn lines_added_behind_the_last_one_are_found() {
    let (lines, _) = lines(0, 5);
    let text = lines.join("\n") + "\n";
    let last = end((lines[..3].join("\n") + "\n").as_bytes());
    expect(&verify(text.as_bytes(), Some(&last)), [(4, "foreign"), (5, "foreign")]);
    expect(&super::verify(text.as_bytes(), Some(&last), Later::Awaited, &|_| true), []);
}

#[test]
fn a_log_that_was_written_anew_and_made_longer_is_found() {
    let (_, last) = lines(0, 3);
    // The same number of lines, and one more; each fits the one before.
    for (old, expected) in
        [(3, [(3, "changed")].as_slice()), (4, &[(3, "changed"), (4, "foreign")])]
    {
        let (forged, _) = lines(1, old - 1);
        let verdict = verify((forged.join("\n") + "\n").as_bytes(), Some(&last));
        let found = verdict.findings.iter().map(|each| (each.line, each.kind.name()));
        assert_eq!(found.collect::<Vec<_>>(), expected, "{verdict:?}");
    }
}

#[test]
fn a_link_is_read_as_it_is_written() {
    let (lines, last) = lines(0, 12);
    assert_eq!(ChainLink::parse(&last.to_line(sign), sign).as_ref(), Some(&last));
    assert_eq!(ChainLink::of(&lines[11]), Some(last.clone()));
    for bad in ["", "1 ab\n", "x\n", last.to_line(sign).trim_end()] {
        assert_eq!(ChainLink::parse(bad, sign), None, "{bad:?}");
    }
}

#[test]
fn a_link_of_which_a_part_was_written_is_none() {
    let (_, last) = lines(0, 12);
    let earlier = ChainLink { number: 8, ..ChainLink::start() };
    let (old, new) = (earlier.to_line(sign), last.to_line(sign));
    for cut in 0..new.len() {
        let torn = format!("{}{}", &new[..cut], &old[cut..]);
        assert!(ChainLink::parse(&torn, sign).is_none() || torn == old || torn == new, "{torn}");
    }
}

#[test]
fn no_byte_can_be_changed_and_none_cut_off_unnoticed() {
    for old in [0, 2] {
        let (lines, last) = lines(old, 4);
        let whole = lines.join("\n") + "\n";
        // Of the older lines only the last one is held by the chain.
        let held = lines[..old].iter().map(|line| line.len() + 1).sum::<usize>();
        let held = held - lines[..old].last().map_or(0, |line| line.len() + 1);
        for at in held..whole.len() {
            let mut other = whole.clone().into_bytes();
            other[at] ^= 1;
            assert!(!verify(&other, Some(&last)).unbroken, "byte {at} is another");
            assert!(!verify(&whole.as_bytes()[..at], Some(&last)).unbroken, "cut at {at}");
        }
    }
}

#[test]
fn a_number_beyond_all_numbers_is_a_finding_like_any_other() {
    let huge = format!("{{\"number\":{},\"prev\":\"\"}}", u64::MAX);
    check(
        |lines| lines.insert(2, huge.clone()),
        [(3, "missing"), (3, "foreign"), (4, "foreign"), (5, "foreign"), (6, "foreign")],
    );
    check(|lines| lines.push(huge.clone()), [(6, "missing"), (6, "foreign")]);
    check(
        |lines| *lines = vec![huge.clone(), huge.clone()],
        [(1, "changed"), (1, "missing"), (1, "foreign"), (2, "foreign")],
    );
}

#[test]
fn a_first_line_that_names_one_before_it_is_changed() {
    let rename = |lines: &mut Vec<String>| lines[0] = lines[0].replace(&"0".repeat(64), "ab");
    check(rename, [(1, "changed")]);
}

#[test]
fn where_the_last_link_was_gone_nobody_says_that_a_line_is() {
    let (mut lines, _) = lines(0, 3);
    let ChainLink { number, hash } =
        end_without_link((lines.join("\n") + "\n").as_bytes(), &|_| true);
    lines.push(format!("{{\"number\":{},\"prev\":\"{hash}\"}}", number + 1));
    let text = lines.join("\n") + "\n";
    let verdict = verify(text.as_bytes(), Some(&end(text.as_bytes())));
    expect(&verdict, [(4, "missing")]);
    let message = &verdict.findings[0].message;
    assert!(message.ends_with("it is not known whether others stood before it"), "{message}");
}

#[test]
fn a_line_that_is_not_ours_is_none_of_the_chain() {
    let (lines, last) = lines(0, 5);
    let text = lines.join("\n") + "\n";
    for (at, other) in lines.iter().enumerate() {
        let is_ours = |line: &[u8]| line != other.as_bytes();
        let verdict = super::verify(text.as_bytes(), Some(&last), Later::Foreign, &is_ours);
        expect(&verdict, [(at + 1, "changed")]);
    }
    let verdict = super::verify(text.as_bytes(), None, Later::Foreign, &|_| false);
    assert_eq!((verdict.decisions, verdict.findings.len()), (0, 5), "{verdict:?}");
}
