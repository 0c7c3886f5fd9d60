//! Each form of a record, and what is none.

use super::*;

#[track_caller]
fn check(path: &str, text: &str, expected: &str) -> DecisionRecord {
    let record = read_record(path, text).expect("a record");
    assert_eq!(record.written(None, &[]), expected);
    record
}

#[test]
fn madr_has_its_fields_in_front_matter() {
    let record = check(
        "0003-use-queues.md",
        "---\nstatus: superseded by [ADR-0005](0005-use-streams.md)\ndate: 2023-04-05\ndeciders: Ada, Bo\nconsulted:\n  - Cy\n---\n# Use queues\n\n## Context and Problem Statement\n\nSlow.\n\n## Decision Outcome\n\nQueues.\n\n### Consequences\n\n* Good\n",
        "# Use queues\n\n- **Date:** 2023-04-05\n- **Status:** superseded\n- **ADR status:** superseded by [ADR-0005](0005-use-streams.md)\n- **Deciders:** Ada, Bo\n- **Consulted:** Cy\n\n## Context and Problem Statement\n\nSlow.\n\n## Decision Outcome\n\nQueues.\n\n### Consequences\n\n* Good\n",
    );
    let newer = vec![OtherRecord::File("0005-use-streams.md".to_owned())];
    assert_eq!(record.relations.superseded_by, newer);
}

#[test]
fn front_matter_that_means_nothing_here_stays() {
    check(
        "0001-a.md",
        "---\nnav_order: 3\n# a comment\nstatus: proposed\ndate: 2023-04-05\n---\n\n# A\n\n## Context\n\nx\n\n## Decision\n\ny\n",
        "---\nnav_order: 3\n---\n\n# A\n\n- **Date:** 2023-04-05\n- **Status:** proposed\n\n## Context\n\nx\n\n## Decision\n\ny\n",
    );
}

#[test]
fn nygard_has_a_number_and_a_section_for_the_status() {
    let record = check(
        "0003-use-x.md",
        "# 3. Use X\n\nDate: 2020-01-02\n\n## Status\n\nAccepted\n\n## Context\n\nc\n\n## Decision\n\nd\n\n## Consequences\n\ne\n",
        "# Use X\n\n- **Date:** 2020-01-02\n- **Status:** active\n\n## Status\n\nAccepted\n\n## Context\n\nc\n\n## Decision\n\nd\n\n## Consequences\n\ne\n",
    );
    assert_eq!(record.relations, Relations::default());
}

#[test]
fn adr_tools_links_what_is_superseded() {
    let text = |status: &str| {
        format!(
            "# 9. Y\n\nDate: 2020-01-02\n\n## Status\n\n{status}\n\n## Context\n\nc\n\n## Decision\n\nd\n"
        )
    };
    let by = read_record("0009-y.md", &text("Superseded by [10. Z](0010-z.md)")).expect("one");
    assert_eq!(by.relations.superseded_by, [OtherRecord::File("0010-z.md".to_owned())]);
    assert!(by.written(None, &[]).contains("- **Status:** superseded\n"));
    let of = text("Accepted\n\nSupercedes [3. Use X](0003-use-x.md)\n\nAmends [1. A](0001-a.md)");
    let of = read_record("0009-y.md", &of).expect("one");
    assert_eq!(of.relations.supersedes, [OtherRecord::File("0003-use-x.md".to_owned())]);
    let id = SectionId::parse("use-x").expect("an id");
    let written = of.written(None, &[id]);
    assert!(written.contains("- **Status:** active\n- **Supersedes:** use-x\n"), "{written}");
    let by_number = read_record("9.md", &text("Supersedes ADR-0003")).expect("one");
    assert_eq!(by_number.relations.supersedes, [OtherRecord::Number(3)]);
}

#[test]
fn log4brains_has_a_list_and_a_day_in_the_name() {
    check(
        "20200102-use-x.md",
        "# Use X\r\n\r\n- Status: accepted\r\n- Deciders: Ada\r\n- Tags: db\r\n\r\n## Context and Problem Statement\r\n\r\nc\r\n\r\n## Decision Outcome\r\n\r\nd\r\n",
        "# Use X\r\n\r\n- **Date:** 2020-01-02\r\n- **Status:** active\r\n- **ADR status:** accepted\r\n\r\n- Deciders: Ada\r\n- Tags: db\r\n\r\n## Context and Problem Statement\r\n\r\nc\r\n\r\n## Decision Outcome\r\n\r\nd\r\n",
    );
    let day = "# Use X\n\n* Status: rejected <!-- optional -->\n* Date: 2020-03-04\n\n## Context\n\nc\n\n## Decision\n\nd\n";
    let record = read_record("20200102-use-x.md", day).expect("one");
    assert_eq!(record.date.as_deref(), Some("2020-03-04"));
    assert!(
        record
            .written(None, &[])
            .contains("- **Status:** deprecated\n- **ADR status:** rejected\n")
    );
}

#[test]
fn headings_are_shifted_only_where_they_have_to_be() {
    check(
        "0001-a.md",
        "# 1. A\n\n# Status\n\nAccepted 2020-01-02\n\n# Context\n\n## Deep\n\n# Decision\n\nd\n",
        "# A\n\n- **Date:** 2020-01-02\n- **Status:** active\n\n## Status\n\nAccepted 2020-01-02\n\n## Context\n\n### Deep\n\n## Decision\n\nd\n",
    );
    check(
        "0001-a.md",
        "## 1. A\n\nDate: 2020-01-02\n\n### Status\n\nAccepted\n\n### Decision\n\nd\n",
        "# A\n\n- **Date:** 2020-01-02\n- **Status:** active\n\n## Status\n\nAccepted\n\n## Decision\n\nd\n",
    );
}

#[test]
fn a_date_that_is_no_day_is_kept_and_named_otherwise() {
    let text = "# 1. A\n\nDate: last spring\n\n## Status\n\nAccepted\n\n## Decision\n\nd\n";
    let record = read_record("0001-a.md", text).expect("one");
    assert_eq!(record.date, None);
    let written = record.written(Some("2021-02-03"), &[]);
    assert!(written.starts_with("# A\n\n- **Date:** 2021-02-03\n- **Status:** active\n- **ADR date:** last spring\n\n## Status"), "{written}");
}

#[test]
fn titles_lose_their_number_and_nothing_else() {
    for (heading, title) in [
        ("3. Use X", Some("Use X")),
        ("ADR-0003: Use X", Some("Use X")),
        ("ADR 3 - Use X", Some("Use X")),
        ("[ADR-3] Use X", Some("Use X")),
        ("0003 Use X", Some("Use X")),
        ("3 reasons for X", Some("3 reasons for X")),
        ("Adrenaline", Some("Adrenaline")),
        ("2FA for all", Some("2FA for all")),
        ("{short title, representative of solved problem}", None),
        ("NUMBER. TITLE", None),
    ] {
        assert_eq!(plain_title(heading), title, "{heading}");
    }
}

#[test]
fn other_notes_are_no_records() {
    for text in [
        "# A\n\n## Context\n\nx\n",
        "# How we decide\n\n## Context\n\nx\n\n## Decision\n\ny\n",
        "# 1. A\n<!-- @id: a -->\n\n## Status\n\nAccepted\n\n## Decision\n\ny\n",
        "text alone\n",
        "",
    ] {
        assert!(read_record("notes.md", text).is_none(), "{text}");
    }
}
