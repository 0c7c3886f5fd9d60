//! What stands before what.

use std::collections::HashSet;

use super::*;

#[test]
fn a_heading_without_text_stands_behind_what_has_some() {
    let filler = "Whoever is on duty looks at the board and at the mail of the night. ".repeat(9);
    let sandbox = Sandbox::new(&[
        ("modules/a.md", "# Deployment\n\n## Steps\n\nRun the script and wait.\n"),
        ("modules/b.md", &format!("# Duty\n\n{filler}A deployment waits for the tests.\n")),
    ]);
    assert_eq!(sandbox.found("deployment").pop().as_deref(), Some("modules/a.md:1"));
    assert_eq!(
        sandbox.found("how does deployment work")[1..],
        ["modules/b.md:1", "modules/a.md:1"]
    );
}

#[test]
fn what_is_archived_or_stale_stands_behind_on_any_page() {
    let source = "<!-- @source: file old 9f3c2e1a4b5c confirmed 2026-11-20 -->\n";
    let text = |n: usize, sources: &str, more: &str| {
        format!(
            "# N {n} {more}\n<!-- @id: n -->\n{sources}\nA token {more} {n}{}.\n",
            " and".repeat(n % 2)
        )
    };
    let mut files = Vec::new();
    for n in 0..150 {
        files.push((format!("archive/{n}.md"), text(n, "", "gone")));
        files.push((format!("modules/{n}.md"), text(n, source, "old and more")));
        files.push((format!("pitfalls/{n}.md"), text(n, "", "new and more")));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let sandbox = Sandbox::new(&files);
    let index = sandbox.refreshed().0;
    let judge = |sources: &[SourceNote]| sources.first().map(|_| Freshness::Missing);
    let page = |offset: usize| {
        let query = Query { include_archived: true, offset, ..query("token") };
        query.ask(&index, &CitedToday { freshness: &judge, ..NOTHING_CITED }).expect("it answers")
    };
    let all: Vec<SearchHit> = (0..45).flat_map(|number| page(number * 10)).collect();
    assert_eq!(places(&all).len(), 450);
    let kinds: Vec<&str> = all.iter().filter_map(|hit| hit.file.split('/').next()).collect();
    let is_all = |part: &[&str], kind: &str| part.iter().all(|each| *each == kind);
    assert!(is_all(&kinds[..150], "pitfalls"), "{kinds:?}");
    assert!(is_all(&kinds[150..300], "modules"), "{kinds:?}");
    assert!(all.iter().all(|hit| hit.score > 0.0 && !hit.parts.is_empty()));
    assert!(kinds.chunk_by(|one, next| one == next).count() == 3 && all[0].score > all[149].score);
}

/// Returns the distinct places.
fn places(hits: &[SearchHit]) -> HashSet<(&str, usize)> {
    hits.iter().map(|hit| (hit.file.as_str(), hit.line)).collect()
}

#[test]
fn the_pages_of_a_question_are_parts_of_one_list() {
    let mut last = 7_u32;
    let mut next = |below: u32| {
        last = last.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (last >> 16) % below
    };
    let words = "token rotation pool worker queue build cache index branch merge".split(' ');
    let words: Vec<&str> = words.collect();
    let mut text = String::new();
    for n in 0..1_200 {
        let some: Vec<&str> = (0..2 + next(6)).map(|_| words[next(10) as usize]).collect();
        let more = "and so on ".repeat(next(20) as usize);
        text += &format!("## Note {n}\n\n{} {more}{n}.\n\n", some.join(" "));
    }
    let sandbox = Sandbox::new(&[("modules/a.md", &text)]);
    let index = sandbox.refreshed().0;
    for order in [Order::Score, Order::Time] {
        let page = |offset, limit| {
            let query = Query { offset, limit, order, ..query("token rotation pool") };
            query.ask(&index, &NOTHING_CITED).expect("it answers")
        };
        let pages: Vec<SearchHit> = (0..120).flat_map(|number| page(number * 10, 10)).collect();
        assert_eq!(places(&pages).len(), pages.len());
        if order == Order::Time {
            assert_eq!(pages.len(), RECENT);
            continue;
        }
        assert_eq!(pages, page(0, 1_200));
        assert!(pages.len() > 900, "{}", pages.len());
        assert!(pages.is_sorted_by(|one, next| one.score >= next.score));
    }
}

#[test]
fn where_all_lose_the_same_little_more_is_read_than_is_shown() {
    let source = "<!-- @source: file old 9f3c2e1a4b5c confirmed 2026-11-20 -->\n";
    let text: String = (0..900)
        .map(|n| {
            format!("# N{n}\n<!-- @id: n{n} -->\n{source}\nA token{}\n", " more".repeat(n / 9))
        })
        .collect();
    let sandbox = Sandbox::new(&[("archive/a.md", &text), ("modules/a.md", &text)]);
    let index = sandbox.refreshed().0;
    let read = std::cell::Cell::new(0);
    let token = Query { include_archived: true, ..query("token") };
    let stale = Query { freshness: Some(Freshness::Stale), ..token };
    for query in [
        Query { category: Some("archive"), ..token },
        Query { include_archived: false, ..stale },
        stale,
    ] {
        read.set(0);
        let judge = |_: &[SourceNote]| {
            read.set(read.get() + 1);
            query.freshness
        };
        let hits = query
            .ask(&index, &CitedToday { freshness: &judge, ..NOTHING_CITED })
            .expect("it answers");
        assert_eq!(hits.len(), 10);
        for hit in &hits {
            let sum: f64 = hit.parts.iter().map(|(_, value)| value).sum();
            assert!((sum - hit.score).abs() < 1e-9, "{hit:?}");
        }
        assert!(read.get() < 200, "{} times", read.get());
    }
    let judge = |_: &[SourceNote]| Some(Freshness::Stale);
    let page = |offset, limit| -> Vec<(String, usize)> {
        let hits = Query { offset, limit, ..stale }
            .ask(&index, &CitedToday { freshness: &judge, ..NOTHING_CITED })
            .expect("it answers");
        hits.into_iter().map(|hit| (hit.file, hit.line)).collect()
    };
    let pages: Vec<_> = (0..10).flat_map(|number| page(number * 21, 21)).collect();
    assert_eq!(pages, page(0, 210));
}

#[test]
fn in_the_order_of_time_no_archived_copy_stands_for_one_that_is_not() {
    let text = "## Pool\n\nThe pool is drained before the workers stop, and nothing is lost of the queue.\n";
    let sandbox = Sandbox::new(&[("archive/2026-11-20.md", text), ("modules/a.md", text)]);
    sandbox.write("sessions/2026-11-19.md", &format!("# 2026-11-19\n\n{text}"));
    let query = Query { include_archived: true, order: Order::Time, ..query("pool workers") };
    assert_eq!(lines(&sandbox.refreshed().0, &query), ["modules/a.md:1"]);
    let query = Query { file: Some("[as]*/*"), ..query };
    assert_eq!(lines(&sandbox.refreshed().0, &query), ["sessions/2026-11-19.md:3"]);
}

/// Notes about cats, the shorter the better; some cite a file.
fn cats(citing: &[usize]) -> String {
    let source = "<!-- @source: file src/cat.rs 9f3c2e1a4b5c confirmed 2026-11-20 -->\n";
    let note = |n: usize| {
        let source = if citing.contains(&n) { source } else { "" };
        format!("## Note {n}\n<!-- @id: n{n} -->\n{source}\nA cat{}.\n\n", " and more".repeat(n))
    };
    (0..60).map(note).collect()
}

const CHANGED: CitedToday<'static> =
    CitedToday { is_changed: &|sources| !sources.is_empty(), ..NOTHING_CITED };

#[test]
fn what_rests_on_a_changed_file_passes_others_among_the_first() {
    let sandbox = Sandbox::new(&[("modules/a.md", &cats(&[1, 50]))]);
    let index = sandbox.refreshed().0;
    let found = |cited: &CitedToday<'_>, offset| {
        let hits = Query { offset, ..query("cat") }.ask(&index, cited).expect("it answers");
        hits.into_iter().filter_map(|hit| hit.name).collect::<Vec<_>>()
    };
    assert_eq!(found(&NOTHING_CITED, 0)[..2], ["n0", "n1"]);
    assert_eq!(found(&CHANGED, 0)[..2], ["n1", "n0"]);
    let pages = |cited| (0..6).flat_map(|page| found(cited, page * 10)).collect::<Vec<_>>();
    let (mut before, mut after) = (pages(&NOTHING_CITED), pages(&CHANGED));
    assert_eq!(after.iter().position(|name| name == "n50"), Some(50), "it is not made an answer");
    before.sort();
    after.sort();
    assert_eq!(after, before, "no page repeats another");
}

#[test]
fn what_rests_on_a_changed_file_stands_for_what_says_the_same() {
    let body = "A cat is fed twice a day, and never after midnight in the winter.\n";
    let source = "<!-- @source: file src/cat.rs 9f3c2e1a4b5c confirmed 2026-11-20 -->\n";
    let sandbox = Sandbox::new(&[
        ("modules/a.md", &format!("## Food\n<!-- @id: food -->\n\n{body}")),
        ("modules/b.md", &format!("## Food\n<!-- @id: feeding -->\n{source}\n{body}")),
    ]);
    let index = sandbox.refreshed().0;
    let ask = |cited: &CitedToday<'_>| query("cat food").ask(&index, cited).expect("it answers");
    let [kept] = ask(&CHANGED).try_into().expect("one is left");
    assert_eq!(kept.file, "modules/b.md");
    assert_eq!(kept.duplicates, [("modules/a.md".to_owned(), 1)]);
}
