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
fn a_question_may_name_days() {
    let session = |day: &str| format!("# {day}\n\n## Work\n\nThe build was green on that day.\n");
    let sandbox = Sandbox::new(&[
        ("sessions/2026-11-17.md", &session("2026-11-17")),
        ("sessions/2026-11-18.md", &session("2026-11-18")),
        ("sessions/2026-10-01.md", &session("2026-10-01")),
    ]);
    let index = sandbox.refreshed().0;
    let now = Moment::parse("2026-11-18T10:00:00Z").expect("a moment");
    let first =
        |text| index.search(&Query::new(text, now), &|_| None).expect("it answers").remove(0);
    assert_eq!(first("what did we do yesterday").path, "sessions/2026-11-17.md");
    assert_eq!(first("what did we do a day ago").path, "sessions/2026-11-17.md");
    assert_eq!(first("build in Oct 2026").path, "sessions/2026-10-01.md");
    assert_eq!(first("build in October 2026").path, "sessions/2026-10-01.md");
    assert_eq!(first("2026-10").path, "sessions/2026-10-01.md");
    let green = Query::new("green", now);
    let since = Query { since: Some("2026-11"), order: Order::Time, ..green };
    assert_eq!(lines(&index, &since), ["sessions/2026-11-18.md:3", "sessions/2026-11-17.md:3"]);
    assert_eq!(
        lines(&index, &Query { until: Some("2026-10"), ..green }),
        ["sessions/2026-10-01.md:3"]
    );
    assert_eq!(lines(&index, &Query { since: Some("1d"), until: Some("1d"), ..green }).len(), 1);
    let error = index.search(&Query { since: Some("soon"), ..green }, &|_| None);
    assert_eq!(error.expect_err("it is no time").kind(), crate::error::ErrorKind::Usage);
}

#[test]
fn words_that_say_when_are_not_looked_for_where_there_is_something_of_that_time() {
    let cron =
        ("modules/cron.md", "# Cron\n\nThe job of last week runs every week, also this week.\n");
    let session = ("sessions/2026-11-17.md", "# 2026-11-17\n\n## Work\n\nThe build was green.\n");
    let now = Moment::parse("2026-11-25T10:00:00Z").expect("a moment");
    let found = |sandbox: &Sandbox| lines(&sandbox.refreshed().0, &Query::new("last week", now));
    assert_eq!(found(&Sandbox::new(&[cron])), ["modules/cron.md:1"]);
    let of_that_time = ["sessions/2026-11-17.md:3", "sessions/2026-11-17.md:1"];
    assert_eq!(found(&Sandbox::new(&[cron, session])), of_that_time);
}

#[test]
fn a_day_without_text_stands_behind_what_has_the_words() {
    let sandbox = Sandbox::new(&[
        ("modules/pipes.md", "# Pipes\n\nThe plumbing of the house is made of copper.\n"),
        ("sessions/2026-11-17.md", "# 2026-11-17\n\n## Work\n\nThe build was green.\n"),
    ]);
    let now = Moment::parse("2026-11-25T10:00:00Z").expect("a moment");
    let query = Query::new("plumbing last week", now);
    let found = lines(&sandbox.refreshed().0, &query);
    assert_eq!(
        found,
        ["sessions/2026-11-17.md:3", "modules/pipes.md:1", "sessions/2026-11-17.md:1"]
    );
}
