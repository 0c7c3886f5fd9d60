//! Which texts are known again, and which are other texts.

use super::*;
use crate::contract::SectionId;
use crate::project::request::{IfExists, Target};
use crate::project::schema::DEFAULTS;

fn is_same(one: (&str, &Action), other: (&str, &Action)) -> bool {
    let rejected = input_of(one.0, one.1).fingerprints("salt");
    let rejection =
        Rejection { id: "salt".to_owned(), fingerprints: rejected, ..Rejection::default() };
    rejection.covers(&input_of(other.0, other.1))
}

/// A text that was rejected, and others: which of them are known again.
#[track_caller]
fn check(rejected: &str, same: &[&str], other: &[&str]) {
    for text in same {
        let texts = [(rejected, *text), (*text, rejected)];
        for (one, other) in texts.map(|(one, other)| (append("A", one), append("B", other))) {
            assert!(is_same(("pitfalls.md", &one), ("modules/net.md", &other)), "{text}");
        }
    }
    for text in other {
        let (one, other) = (append("A", rejected), append("B", text));
        assert!(!is_same(("pitfalls.md", &one), ("pitfalls.md", &other)), "{text}");
    }
}

fn input_of(path: &str, action: &Action) -> FingerprintInput {
    let path = MemoryPath::parse(path).expect("a good path");
    let (name, text) = DEFAULTS[3];
    let file = format!("{name}.toml");
    let catalog = Catalog::parse([(Path::new(&file), text)]).expect("a good schema");
    FingerprintInput::of(&path, &catalog, action)
}

fn append(heading: &str, content: &str) -> Action {
    Action::AppendSection {
        heading: heading.to_owned(),
        heading_level: 2,
        content: content.to_owned(),
        parent_section_id: None,
        section_id: None,
        if_exists: IfExists::Reject,
    }
}

#[test]
fn the_same_text_is_known_under_another_heading_and_in_another_file() {
    check(
        "- Retry every request forever\n- Never log the reason",
        &[
            "* never  LOG the reason.\n* retry every request\u{200b} forever",
            "## R\n\n- Retry every request forever\n- Never log the reason",
        ],
        &[],
    );
}

#[test]
fn the_same_decision_of_another_day_is_the_same() {
    check(
        "- **Date:** 2026-11-20\nStatus: active\n\nWe stop verifying webhook signatures.",
        &["Status: proposed\n- Date: 2026-11-21\n\nWe stop verifying webhook signatures."],
        &[],
    );
}

#[test]
fn another_text_is_another() {
    check(
        "Use the second host, not the first one.",
        &[],
        &["Use the first host, not the second one.", "Use the second host.", "Use -x."],
    );
}

#[test]
fn a_decision_that_has_only_fields_is_known_by_its_heading() {
    let fields = "- **Date:** 2026-11-20\n- **Status:** active";
    let one = append("We retry every request forever", fields);
    let later = append("We retry every request forever", "- **Status:** proposed");
    let other = append("We never retry any request at all", fields);
    assert!(is_same(("decisions.md", &one), ("decisions.md", &later)));
    assert!(!is_same(("decisions.md", &one), ("decisions.md", &other)));
    let (one, two) = (append("Use A", fields), append("Use B", fields));
    assert!(!is_same(("decisions.md", &one), ("decisions.md", &two)));
}

#[test]
fn a_removal_counts_by_its_section() {
    let remove = |id: &str| Action::RemoveSection {
        target: Target {
            selector: Selector::Id(SectionId::parse(id).expect("an id")),
            if_hash: None,
        },
        archive_path: None,
        reason: "old".to_owned(),
    };
    let [a, b] = ["a", "b"].map(remove);
    assert!(is_same(("pitfalls.md", &a), ("pitfalls.md", &a)));
    assert!(!is_same(("pitfalls.md", &a), ("pitfalls.md", &b)));
}

#[test]
fn a_rejection_covers_its_text_under_its_own_salt() {
    let input = input_of("pitfalls.md", &append("A", "retry every request forever"));
    let rejection = |fingerprints: Vec<String>| Rejection {
        id: "20261120-101112-x-abcd".to_owned(),
        fingerprints,
        ..Rejection::default()
    };
    assert!(rejection(input.fingerprints("20261120-101112-x-abcd")).covers(&input));
    assert!(!rejection(input.fingerprints("20261120-101112-y-abcd")).covers(&input));
}

#[test]
fn a_text_that_renders_alike_is_the_same() {
    check(
        "Retry each request forever; see [the guide](https://a.example/retries).",
        &[
            "Retry e&#97;ch request\nforever; see [the guide](https://a.example/retries)",
            "*Retry* each&nbsp;request\\\nforever\\; see [the guide][1].\n\n[1]: https://a.example/retries",
            "Re<!-- x -->try each <b>request</b> forever; see [the guide]\n\n[the guide]: <https://a.example/retries> 'x'",
            "> + Retry each `request` forever; see [the guide](https://a.example/retries).",
            "<p>Retry each <b>request</b> forever; see <a href='https://a.example/retries'>the guide</a>",
            "R\u{435}try \u{435}ach request forever; see [the guide](https://a.example/retries).",
        ],
        &[
            "Retry each request forever; see [the guide](https://b.example/retries).",
            "Retry no request forever; see [the guide](https://a.example/retries).",
        ],
    );
}

#[test]
fn a_text_in_another_dress_is_the_same() {
    let text = "Retry each request forever without any backoff, see the guide.";
    let letters = [("a", "\u{251}"), ("g", "\u{261}"), ("h", "\u{570}"), ("n", "\u{578}")]
        .into_iter()
        .chain([("y", "\u{4af}"), ("R", "\u{280}"), ("i", "\u{26a}"), ("o", "0")])
        .map(|(plain, other)| text.replace(plain, other));
    let dressed = [
        format!("{text} [](https://a.example) <a href='https://b.example'></a>"),
        format!("{text} ![](data:,)"),
        text.replace("any", "any<span hidden> kind of</span>"),
        text.replace("any", "any<span style=\"display:none\"> kind of</span>"),
        format!("<div hidden>\n\nNot so.\n\n</div>\n\n{text}"),
        format!("<b data-href=\"x1\">{text}</b>"),
        format!("<div title=\"a > b\">{text}</div>"),
        format!("{text}\n\n<?php echo \"zzz > yyy\"; ?>"),
        format!("<!DOCTYPE html>\n\n{text}"),
        format!("#### {text}"),
        format!("## R\n\n#### {text}\n\n<!-- -->"),
        format!("{text}\n==="),
        text.replace(" without", "\n\nwithout"),
        text.replace(" without", "\n>> without").replace("Retry", "> Retry"),
        text.replace(" without", "\n- without"),
        text.replace("backoff", "`back`off"),
        format!("<!-- {text} -->"),
        format!("<div hidden>{text}</div>"),
        format!("{text}\n\n[^9]: Only on Sundays."),
    ];
    for same in letters.chain(dressed) {
        check(text, &[&same], &[]);
    }
    let in_heading = append(text, "&nbsp;");
    assert!(is_same(("pitfalls.md", &append("A", text)), ("pitfalls.md", &in_heading)));
}

#[test]
fn a_fresh_text_is_not_taken_for_a_rejected_one() {
    check(
        "The job runs at 11 o'clock on host l10, never on host 20.",
        &[],
        &[
            "The job runs at 12 o'clock on host l10, never on host 20.",
            "The job runs at 11 o'clock on host l10, ever on host 20.",
            "The job runs at 11 o'clock on host l10, [never](https://a.example) on host 20.",
            "The job runs at 11 o'clock on host 20, never on host l10.",
        ],
    );
}

#[test]
fn a_corrected_text_is_another_one() {
    for (rejected, corrected) in [
        ("- 1.4.2 breaks the retry of uploads", "- 2.4.2 breaks the retry of uploads"),
        ("3.5 seconds is the limit of the gateway", "8.5 seconds is the limit of the gateway"),
        ("1.5 replicas are kept by the scheduler", "5 replicas are kept by the scheduler"),
        ("-1 means no limit for the number of jobs", "1 means no limit for the number of jobs"),
        ("2\\. is the second line of each journal", "3\\. is the second line of each journal"),
        ("The id of a run \u{2260} the id of its job", "The id of a run = the id of its job"),
        ("Admins \u{2209} the group that deploys", "Admins \u{2208} the group that deploys"),
        ("A cache miss \u{219b} a read of the disk", "A cache miss \u{2192} a read of the disk"),
        ("Groups \u{2288} the groups of the server", "Groups \u{2286} the groups of the server"),
        ("Keep at most 10\u{b2} rows in the queue", "Keep at most 102 rows in the queue"),
        ("Keep at most 10<sup>2</sup> rows in the queue", "Keep at most 102 rows in the queue"),
        ("Keep 5 % of the jobs in the archive", "Keep 5 of the jobs in the archive"),
        (
            "Deploys follow [the rule of this file](#old)",
            "Deploys follow [the rule of this file](#new)",
        ),
        (
            "See [the list of all hosts](https://a.example/l1)",
            "See [the list of all hosts](https://a.example/11)",
        ),
        (
            "1. Stop the server\n2. Migrate the database\n3. Start it",
            "1. Migrate the database\n2. Stop the server\n3. Start it",
        ),
    ] {
        check(rejected, &[], &[corrected]);
        check(corrected, &[], &[rejected]);
    }
    let text = "Deploy the server on each day of the week.";
    for style in
        ["opacity:0.9", "font-size:0.9em", "opacity: .5", "fill-opacity:0", "display:block"]
    {
        check(text, &[], &[&format!("{text} <span style='{style}'>But only on Sundays.</span>")]);
    }
}

#[test]
fn a_text_with_more_marks_is_the_same() {
    let text = "Retry each request forever without any backoff, see the guide";
    for (plain, marked) in [
        ("forever", "forever,"),
        ("backoff,", "backoff;"),
        ("backoff,", "backoff \u{2014}"),
        ("backoff", "back-off"),
        ("each", "(each)"),
        ("forever", "\"forever\""),
        ("guide", "guide?"),
        ("guide", "guide:"),
        ("Retry", "\u{26a0}\u{fe0f} Retry"),
        ("Retry", "1. Retry"),
        ("Retry", "- [x] Retry"),
        ("without any", "without<wbr>any"),
    ] {
        check(text, &[&text.replace(plain, marked)], &[]);
    }
}

#[test]
fn a_text_in_the_dress_of_a_browser_is_the_same() {
    let text = "Retry each request forever without any backoff, see the guide.";
    for dressed in [
        format!("<area href=q>{text}"),
        format!("<p hidden>junk<section>{text}</section>"),
        format!("<p hidden>junk<menu><li>{text}</menu>"),
        format!("<p hidden>junk<hgroup>{text}</hgroup>"),
        format!("<p>{}", text.replace("Retry", "Ret&shyry")),
        format!("<p>{}", text.replace("each request", "&eacuteach&nbsprequest")),
        format!("{text} <iframe>junk</iframe>"),
        format!("{text} <dialog>junk</dialog>"),
        format!("{text}<noscript>junk</noscript>"),
        format!("{text} <video src=a>junk</video>"),
        format!("{text} <span style='opacity: 0.0 !important'>junk</span>"),
        format!("{text} <span style='color:red; FONT-SIZE : 0px'>junk</span>"),
        text.replace(" without", "<ul></ul>without"),
        text.replace(" without", "<menu></menu>without"),
        format!("<select><option>{}</select>", text.replace(" without", "<option>without")),
        format!("<ol>{text}</ol>"),
    ] {
        check(text, &[&dressed], &[]);
    }
    for shown in ["<dialog open>", "<object>", "<section>"] {
        check(text, &[], &[&format!("{text} {shown}But only on Sundays.")]);
    }
}

#[test]
fn a_short_text_is_known_where_it_was_rejected() {
    for text in [
        "[guide](https://a.example/a/very/long/path/to/it)",
        "![](https://a.example/a/very/long/path/to/it)",
        "Use -x.",
        "\u{2014}",
        "<!-- the template of a team: what breaks, and why -->\n\nIt leaks.",
    ] {
        let (one, other) = (append("A", text), append("A", "Use another one."));
        assert!(!input_of("pitfalls.md", &one).fingerprints("salt").is_empty(), "{text}");
        assert!(is_same(("pitfalls.md", &one), ("pitfalls.md", &one)), "{text}");
        assert!(!is_same(("pitfalls.md", &one), ("pitfalls.md", &other)), "{text}");
    }
    let [one, other] = ["a/very/long/path/to/it", "another/very/long/path/to/it"]
        .map(|path| append("A", &format!("[guide](https://a.example/{path})")));
    assert!(!is_same(("pitfalls.md", &one), ("modules/net.md", &one)));
    assert!(!is_same(("pitfalls.md", &one), ("pitfalls.md", &other)));
}

#[test]
fn what_is_written_is_read_back() {
    let rejection = Rejection {
        id: "20261120-101112-x-abcd".to_owned(),
        date: "2026-11-20".to_owned(),
        reason: "said \"no\"\nand meant it".to_owned(),
        fingerprints: vec!["ab".to_owned()],
    };
    let read = Rejection::parse(&rejection.to_toml(), Path::new("x.toml"));
    assert_eq!(read.expect("a good file"), rejection);
}
