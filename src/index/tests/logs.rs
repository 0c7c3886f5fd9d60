//! In a log the sections beside and the day count.

use super::*;

#[test]
fn in_a_log_neighbours_explain_each_other_and_in_a_document_they_do_not() {
    let sandbox = Sandbox::new(&[("sessions/a.md", TALK), ("modules/a.md", TALK)]);
    let found = sandbox.found("colour of the button");
    assert!(found.contains(&"sessions/a.md:7".to_owned()), "{found:?}");
    assert!(!found.contains(&"modules/a.md:7".to_owned()), "{found:?}");
}

#[test]
fn a_change_of_a_neighbour_is_noticed_in_a_log() {
    let sandbox = Sandbox::new(&[("sessions/a.md", TALK)]);
    assert_eq!(sandbox.found("colour").len(), 3);
    sandbox.write("sessions/a.md", &TALK.replace("colour", "shape"));
    assert_eq!((sandbox.found("colour").len(), sandbox.found("shape").len()), (0, 3));
}

#[test]
fn a_question_may_be_narrowed_to_days() {
    let session = |day: &str| format!("# {day}\n\n## Work\n\nThe build was green on that day.\n");
    let sandbox = Sandbox::new(&[
        ("sessions/2026-11-17.md", &session("2026-11-17")),
        ("sessions/2026-11-18.md", &session("2026-11-18")),
        ("sessions/2026-10-01.md", &session("2026-10-01")),
    ]);
    let index = sandbox.refreshed().0;
    let now = Moment::parse("2026-11-18T10:00:00Z").expect("a moment");
    let first = lines(&index, &Query::new("build in October 2026", now, &UTC)).remove(0);
    assert_eq!(first, "sessions/2026-10-01.md:3");
    let green = Query::new("green", now, &UTC);
    let since = Query { since: Some("2026-11"), order: Order::Time, ..green };
    assert_eq!(lines(&index, &since), ["sessions/2026-11-18.md:3", "sessions/2026-11-17.md:3"]);
    assert_eq!(
        lines(&index, &Query { until: Some("2026-10"), ..green }),
        ["sessions/2026-10-01.md:3"]
    );
    assert_eq!(lines(&index, &Query { since: Some("1d"), until: Some("1d"), ..green }).len(), 1);
    let error = Query { since: Some("soon"), ..green }.ask(&index, &NOTHING_CITED);
    assert_eq!(error.expect_err("it is no time").kind(), crate::error::ErrorKind::Usage);
}
