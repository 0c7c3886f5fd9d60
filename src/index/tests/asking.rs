//! What is asked, and what comes back.

use super::*;

#[test]
fn a_hit_says_all_about_its_section() {
    let sandbox = Sandbox::new(&[(
        "modules/auth.md",
        "# Auth\n\n## Token rotation\n<!-- @id: token-rotation -->\n\
         <!-- @source: file src/a.rs 9f3c2e1a4b5c confirmed 2026-11-20 -->\n\nTokens rotate daily.\n",
    )]);
    let hits = sandbox.find("how do tokens rotate?");
    let hit = hits.first().expect("one is found");
    assert_eq!((hit.file.as_str(), hit.line), ("modules/auth.md", 3));
    assert_eq!(hit.name.as_deref(), Some("token-rotation"));
    assert_eq!(hit.titles, ["Auth", "Token rotation"]);
    assert_eq!(hit.kind.as_deref(), Some("modules"));
    assert_eq!((hit.snippet.as_str(), hit.archived), ("Tokens rotate daily.", false));
    assert_eq!(hit.matches, [(0, 6), (7, 13)]);
    let sources = read_sources(&hit.note);
    assert_eq!(sources[0].reference, "src/a.rs");
    assert_eq!(sources[0].blob.as_deref(), Some("9f3c2e1a4b5c"));
    assert!(hit.score > 0.0 && hit.modified > 0 && hit.hash.len() == 16);
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table has a row for each question")]
fn any_text_is_a_question() {
    let sandbox = Sandbox::new(&[("a.md", "# don't C++ foo::bar 認証方式 café\n")]);
    let index = sandbox.refreshed().0;
    let long = "word\" OR ".repeat(1 << 17);
    let questions = [
        "",
        " ",
        "\"",
        "'",
        "*",
        "-x",
        "AND",
        "OR NOT",
        "NEAR(a b)",
        "a AND",
        "don't",
        "C++",
        "foo::bar",
        "foo:",
        "^a",
        "(",
        ")",
        "{a b} : c",
        "a\0b",
        "\u{0}",
        "👩‍💻",
        "認証",
        "鍵",
        "%",
        "_",
        "--",
        ";",
        "\\",
        "SELECT * FROM files",
        "é",
        "e\u{301}",
        "\u{202e}x",
        "ไทย",
        "한국어",
        "x*",
        "\"\"\"",
        "\u{fffd}",
        "١٢٣",
        "ﬁ",
        "İ",
        "ß",
        "²",
        "Ⅷ",
        "नमस्ते",
        &long,
    ];
    for question in questions {
        ask(&index, question);
    }
    for question in ["don't", "C++", "foo::bar", "認証", "方式", "cafe", "CAFÉ", "bar"] {
        assert_eq!(ask(&index, question).len(), 1, "{question}");
    }
}

#[test]
fn equals_stand_in_the_order_of_path_and_line() {
    let files: Vec<(String, &str)> =
        (0..20).rev().map(|n| (format!("{n:02}.md"), "# cat\n\n# cat\n")).collect();
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let sandbox = Sandbox::new(&files[..10]);
    sandbox.refreshed();
    files.iter().for_each(|(path, text)| sandbox.write(path, text));
    let index = sandbox.refreshed().0;
    let page = |offset| {
        let hits = Query { offset, limit: 3, ..query("heading cat") }.ask(&index, &NOTHING_CITED);
        hits.expect("it answers").into_iter().map(|hit| (hit.file, hit.line)).collect::<Vec<_>>()
    };
    let all: Vec<_> = (0..14).flat_map(|number| page(number * 3)).collect();
    assert_eq!(all.len(), 40);
    assert!(all.is_sorted(), "{all:?}");
}

#[test]
fn filters_keep_what_they_name() {
    let sandbox = Sandbox::new(&[
        ("decisions.md", "# cat\n"),
        (
            "modules/a.md",
            "# cat\n## gone\n<!-- @id: gone -->\n<!-- @archived: archive/b.md -->\ncat\n",
        ),
        ("archive/b.md", "# cat\n"),
    ]);
    let index = sandbox.refreshed().0;
    let paths = |query: Query<'_>| -> Vec<String> {
        let mut hits = query.ask(&index, &NOTHING_CITED).expect("it answers");
        hits.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
        hits.into_iter().map(|hit| format!("{}:{}", hit.file, hit.line)).collect()
    };
    let cat = query("cat");
    assert_eq!(paths(cat), ["decisions.md:1", "modules/a.md:1"]);
    assert_eq!(paths(Query { category: Some("decisions"), ..cat }), ["decisions.md:1"]);
    assert_eq!(paths(Query { file: Some("modules/*"), ..cat }), ["modules/a.md:1"]);
    assert_eq!(paths(Query { file: Some("decisions.md"), ..cat }), ["decisions.md:1"]);
    let all = Query { include_archived: true, ..cat };
    assert_eq!(paths(all).len(), 4);
    let last = all.ask(&index, &NOTHING_CITED).expect("it answers").pop().expect("one is last");
    assert!(last.archived);
}

#[test]
fn pages_by_time_are_parts_of_one_list() {
    let day = |number: usize| format!("2025-{:02}-{:02}", 1 + number / 28, 1 + number % 28);
    let days: Vec<String> = (0..130).map(day).collect();
    let files: Vec<(String, String)> = days
        .iter()
        .map(|day| {
            (
                format!("sessions/{day}.md"),
                format!(
                    "# {day}\n\nbob{day} deploys {}a{day}\n",
                    "and more ".repeat(day.len() * 3 + usize::from(day.as_bytes()[9]) % 7)
                ),
            )
        })
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let sandbox = Sandbox::new(&files);
    let index = sandbox.refreshed().0;
    let page = |offset: usize| {
        let deploys = Query::new("deploys", Moment::from_unix(1_795_000_000), &UTC);
        lines(&index, &Query { order: Order::Time, limit: 10, offset, ..deploys })
    };
    let mut all: Vec<String> = (0..20).flat_map(|number| page(number * 10)).collect();
    assert_eq!(all.len(), 100);
    assert!(all.is_sorted_by(|one, next| one > next), "{all:?}");
    all.dedup();
    assert_eq!(all.len(), 100);
}

#[test]
fn what_says_the_same_is_shown_once() {
    let text = "# Rotation\n\nTokens rotate every day and the old ones stay valid for an hour.\n";
    let sandbox =
        Sandbox::new(&[("a.md", text), ("b.md", text), ("c.md", &text.replace('R', "C"))]);
    let hits = sandbox.find("token rotation");
    assert_eq!(hits.len(), 2, "{hits:?}");
    assert_eq!(hits[0].duplicates, [("b.md".to_owned(), 1)]);
}

#[test]
fn what_contradicts_is_shown_and_the_youngest_of_what_does_not() {
    let note = |how: &str| {
        format!("# Build\n\nThe nightly build of the importer {how} on all platforms at last.\n")
    };
    let files = [("20", "failed"), ("21", "passed"), ("22", "passed")];
    let files = files.map(|(day, how)| (format!("sessions/2026-11-{day}.md"), note(how)));
    let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let sandbox = Sandbox::new(&files);
    let index = sandbox.refreshed().0;
    let recent = Query { order: Order::Time, ..query("nightly build") };
    assert_eq!(lines(&index, &recent), ["sessions/2026-11-22.md:1", "sessions/2026-11-20.md:1"]);
    assert_eq!(ask(&index, "nightly build").len(), 2);
}

#[test]
fn evidence_narrows_and_ranks() {
    let cited = |file: &str, confidence: &str| {
        format!(
            "# cat\n<!-- @id: cat -->\n<!-- @source: file {file} 9f3c2e1a4b5c {confidence} 2026-11-20 -->\n\ncat\n"
        )
    };
    let sandbox = Sandbox::new(&[
        ("a.md", &cited("old", "confirmed")),
        ("b.md", &cited("new", "inferred")),
        ("c.md", "# cat\n<!-- @id: cat -->\n\ncat\n"),
    ]);
    let index = sandbox.refreshed().0;
    let judge = |sources: &[SourceNote]| match sources.first()?.reference.as_str() {
        "old" => Some(Freshness::Stale),
        _ => Some(Freshness::Fresh),
    };
    let found = |query: Query<'_>| -> Vec<String> {
        let hits = query
            .ask(&index, &CitedToday { freshness: &judge, ..NOTHING_CITED })
            .expect("it answers");
        hits.into_iter().map(|hit| hit.file).collect()
    };
    let cat = query("cat");
    assert_eq!(found(cat), ["b.md", "c.md", "a.md"]);
    assert_eq!(found(Query { freshness: Some(Freshness::Stale), ..cat }), ["a.md"]);
    assert_eq!(found(Query { freshness: Some(Freshness::Missing), ..cat }), [""; 0]);
    assert_eq!(found(Query { confidence: Some(Confidence::Inferred), ..cat }), ["b.md"]);
}

#[test]
fn a_score_is_the_sum_of_its_parts() {
    let sandbox = Sandbox::new(&[("sessions/a.md", TALK), ("modules/a.md", TALK)]);
    for hit in sandbox.find("When did Ada choose the colour of the button?") {
        let sum: f64 = hit.parts.iter().map(|(_, value)| value).sum();
        assert!((sum - hit.score).abs() < 1e-9, "{hit:?}");
    }
}

#[test]
fn a_raw_question_is_an_expression() {
    let sandbox = Sandbox::new(&[("a.md", "# cat\n\ndog\n"), ("b.md", "# cat\n\nwent\n")]);
    let index = sandbox.refreshed().0;
    let raw = |text| Query { raw: true, ..query(text) };
    assert_eq!(lines(&index, &raw("cat AND dog")), ["a.md:1"]);
    assert_eq!(lines(&index, &raw("cat NOT dog")), ["b.md:1"]);
    assert_eq!(lines(&index, &raw("heading : cat AND body : went")), ["b.md:1"]);
    for text in ["\"", "cat AND", "(", "nowhere : cat", "*", "", "NEAR("] {
        let error = raw(text).ask(&index, &NOTHING_CITED).expect_err("it is no expression");
        assert_eq!(error.kind(), crate::error::ErrorKind::Usage, "{text:?} {error}");
    }
}

#[test]
fn the_best_is_found_among_very_many_that_answer_a_little() {
    let mut text = String::new();
    for number in 0..3_000 {
        let word = ["token", "rotation", "service", "daily"][number % 4];
        text += &format!("## Note {number}\n\nA {word} of number {number}.\n\n");
    }
    text += "## Last\n\nDaily rotation of every token in the service.\n";
    let sandbox = Sandbox::new(&[("modules/a.md", &text)]);
    let hits = sandbox.find("daily token rotation of the service");
    assert_eq!((hits[0].titles.join(" "), hits.len()), ("Last".to_owned(), 10));
    let index = sandbox.refreshed().0;
    let all = Query { limit: 5_000, ..query("token") };
    assert_eq!(lines(&index, &all).len(), 751);
}

#[test]
fn a_question_keeps_its_telling_words_however_long_it_is() {
    let text = "# Pool\n\nA KaboomError of the pool is harmless.\n\n# Frames\n\nIn frame lines.\n";
    let sandbox = Sandbox::new(&[("pitfalls.md", text)]);
    let index = sandbox.refreshed().0;
    let frame = |n: usize| format!("File \"/usr/lib/x{n}.py\", line {n}, in handle_it_{n}\n");
    let trace: String = (0..60).map(frame).collect();
    for (before, error) in [(&*trace, "KaboomError"), (&"what is the ".repeat(40), "kaboomerror")] {
        let hits = ask(&index, &format!("{before}{error}: at last"));
        let hit = hits.first().expect("one is found");
        assert_eq!(hit.titles, ["Pool"]);
        let marked: Vec<&str> =
            hit.matches.iter().map(|(from, to)| &hit.snippet[*from..*to]).collect();
        assert_eq!(marked, ["KaboomError"]);
    }
}

#[test]
fn a_section_rests_on_each_of_its_sources() {
    let sandbox = Sandbox::new(&[(
        "a.md",
        "# cat\n<!-- @id: cat -->\n<!-- @source: file a 9f3c2e1a4b5c confirmed 2026-11-20 -->\n\
         <!-- @source: user inferred - user-provided 2026-11-20 -->\n\ncat\n",
    )]);
    let index = sandbox.refreshed().0;
    let found = |confidence| lines(&index, &Query { confidence: Some(confidence), ..query("cat") });
    assert_eq!(found(Confidence::Confirmed), ["a.md:1"]);
    assert_eq!(found(Confidence::UserProvided), ["a.md:1"]);
    assert_eq!(found(Confidence::Inferred), [""; 0]);
}
