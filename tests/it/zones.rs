//! A day that people see is the day of their clock: in file names, in `--since`, in what is written beside a source.

use std::fs::File;
use std::time::{Duration, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::requests::{convention, session};
use crate::support::{Reply, Sandbox};

/// Zones as `TZ` names them, each with the day in it at 2026-11-20, 10:00 UTC.
const ZONES: [(&str, &str); 6] = [
    ("UTC", "2026-11-20"),
    ("", "2026-11-20"),
    ("UTC-14", "2026-11-21"),
    ("<-11>11", "2026-11-19"),
    ("Pacific/Kiritimati", "2026-11-21"),
    ("Pacific/Pago_Pago", "2026-11-19"),
];

/// Summer time from the last Sunday in March to the last one in October.
const BERLIN: &str = "CET-1CEST,M3.5.0,M10.5.0/3";

fn propose(sandbox: &Sandbox, zone: &str, request: &Value) -> Value {
    let call = sandbox.call(&["propose"]).env("TZ", zone);
    call.stdin(request.to_string()).run().expect_code(0).json()
}

fn run(sandbox: &Sandbox, zone: &str, arguments: &[&str]) -> Reply {
    sandbox.call(arguments).env("TZ", zone).run()
}

/// Sets when a memory file was written last.
fn written_at(sandbox: &Sandbox, path: &str, seconds: u64) {
    let file = File::options().append(true).open(sandbox.store().join(path)).unwrap();
    file.set_modified(UNIX_EPOCH + Duration::from_secs(seconds)).unwrap();
}

#[test]
fn a_session_is_logged_on_the_day_of_the_clock_and_found_on_that_day() {
    for (zone, day) in ZONES {
        let sandbox = Sandbox::new();
        let answer = propose(&sandbox, zone, &session("Work", "It works."));
        assert_eq!(answer["files"], json!([format!("sessions/{day}.md")]), "{zone}");
        assert!(sandbox.file(&format!("sessions/{day}.md")).starts_with(&format!("# {day}\n")));
        assert_eq!(answer["applied_at"], "2026-11-20T10:00:00Z");
        for since in ["today", day, "this week", &day[..7]] {
            let found = run(&sandbox, zone, &["search", "works", "--since", since]).expect_code(0);
            assert!(found.stdout.contains(day), "{zone} {since}: {}", found.stdout);
        }
        let yesterday = ["search", "works", "--until", "yesterday", "--exit-code"];
        run(&sandbox, zone, &yesterday).expect_code(1);
        let log = run(&sandbox, zone, &["log", "--since", "today", "--json"]).expect_code(0).json();
        assert_eq!(log["decisions"][0]["time"], "2026-11-20T10:00:00Z", "{zone}");
        assert_eq!(log["decisions"].as_array().unwrap().len(), 1, "{zone}");
    }
}

#[test]
fn a_day_of_the_past_begins_as_the_clock_stood_on_it() {
    let sandbox = Sandbox::new();
    for (time, heading) in [("2026-06-30T21:59:59Z", "June"), ("2026-06-30T22:00:00Z", "July")] {
        let call = sandbox.call(&["propose"]).env("TZ", BERLIN).env("AGENT_MEMORY_NOW", time);
        call.stdin(session(heading, "Text.").to_string()).run().expect_code(0);
    }
    assert!(sandbox.file("sessions/2026-06-30.md").contains("June"));
    assert!(sandbox.file("sessions/2026-07-01.md").contains("July"));
    let since = |zone: &str| {
        let log = run(&sandbox, zone, &["log", "--since", "2026-07-01", "--json"]).json();
        log["decisions"].as_array().unwrap().len()
    };
    assert_eq!(since(BERLIN), 1);
    assert_eq!(since("UTC"), 0);
    assert_eq!(since("UTC-14"), 2);
}

#[test]
fn a_file_without_a_day_is_of_the_day_on_which_it_was_written_by_the_clock() {
    let sandbox = Sandbox::given(&[("conventions.md", "# C\n\n## A\n<!-- @id: a -->\n\nNames.\n")]);
    // 2026-11-19, 23:30 UTC.
    written_at(&sandbox, "conventions.md", 1_795_131_000);
    for (zone, is_of_today) in
        [("UTC", false), ("UTC-1", true), ("UTC+1", false), ("UTC-14", false)]
    {
        let today = ["search", "names", "--since", "2026-11-20", "--until", "2026-11-20", "--json"];
        let found = run(&sandbox, zone, &today).expect_code(0).json();
        let is_found = !found["results"].as_array().unwrap().is_empty();
        // In the zone farthest to the east it is 13:30 of the 20th.
        assert_eq!(is_found, is_of_today || zone == "UTC-14", "{zone}");
    }
}

#[test]
fn what_is_pending_keeps_the_day_of_its_maker() {
    let sandbox = Sandbox::new();
    let staged = propose(&sandbox, "UTC-14", &convention("Errors", "They name a path."));
    let id = staged["staging_id"].as_str().unwrap();
    // The name sorts as time does, in every zone.
    assert!(id.starts_with("20261120-100000-"), "{id}");
    let shown = run(&sandbox, "<-11>11", &["show", id, "--json"]).expect_code(0).stdout;
    assert!(shown.contains("user ada - inferred 2026-11-21"), "{shown}");
    run(&sandbox, "<-11>11", &["apply", id, "--approver", "Ada"]).expect_code(0);
    let text = sandbox.file("conventions.md");
    assert!(text.contains("<!-- @source: user ada - inferred 2026-11-21 -->"), "{text}");
}

#[test]
fn a_rejection_and_an_archive_bear_the_day_of_who_decides() {
    let sandbox = Sandbox::new();
    let staged = propose(&sandbox, "UTC", &convention("Errors", "They name a path in each case."));
    let id = staged["staging_id"].as_str().unwrap();
    run(&sandbox, "UTC-14", &["reject", id, "--reason", "no"]).expect_code(0);
    let log = run(&sandbox, "UTC-14", &["log", "--rejected", "--since", "today", "--json"]).json();
    assert_eq!(log["decisions"].as_array().unwrap().len(), 1, "{log}");
    sandbox.write("pitfalls.md", "# P\n\n## Clocks\n<!-- @id: clocks -->\n\n- They differ.\n");
    let archive = json!({"intent": "archive_stale", "sources": [{"type": "user", "ref": "ada"}],
        "operations": [{"operation": "archive_section", "path": "pitfalls.md", "section_id": "clocks"}]});
    let staged = propose(&sandbox, "<-11>11", &archive);
    let files = staged["files"].to_string();
    assert!(files.contains("archive/pitfalls-clocks-2026-11-19.md"), "{staged}");
}

#[test]
fn a_zone_that_is_not_known_is_utc_and_that_is_said() {
    let sandbox = Sandbox::new();
    for zone in ["Nowhere/Atlantis", "no zone", "+25:99:99"] {
        let reply = run(&sandbox, zone, &["status"]).expect_code(0);
        assert!(reply.stderr.contains("days are those of UTC"), "{zone}: {}", reply.stderr);
        let answer = propose(&sandbox, zone, &session(zone, "Text."));
        assert_eq!(answer["files"], json!(["sessions/2026-11-20.md"]), "{zone}");
    }
    let reply = run(&sandbox, "UTC-14", &["--verbose", "search", "text"]).expect_code(0);
    assert!(reply.stderr.contains(", days of UTC+14:00\n"), "{}", reply.stderr);
    let reply = run(&sandbox, "Pacific/Pago_Pago", &["--verbose", "search", "text"]);
    assert!(reply.stderr.contains(", days of Pacific/Pago_Pago\n"), "{}", reply.stderr);
}

#[test]
#[cfg(target_os = "linux")]
fn a_zone_is_read_from_a_plain_small_file_alone() {
    let sandbox = Sandbox::new();
    let pipe = sandbox.project().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let large = sandbox.project().join("large");
    File::create(&large).unwrap().set_len(8 << 30).unwrap();
    let [pipe, large] = [pipe, large].map(|path| path.display().to_string());
    let through = format!("/usr/share/zoneinfo/../../../{pipe}");
    for zone in [
        "/dev/zero",
        ":/dev/zero",
        &pipe,
        &through,
        &large,
        "pipe",
        ":./pipe",
        "/etc/passwd",
        ":../..",
        "/",
        "/proc/self/status",
    ] {
        let reply = run(&sandbox, zone, &["status"]).expect_code(0);
        let said = reply.stderr.matches("days are those of UTC").count();
        assert_eq!(said, 1, "{zone}: {}", reply.stderr);
    }
    let in_folder = sandbox.call(&["status"]).env("TZ", "Mine/Zone").env("TZDIR", "/dev");
    assert!(in_folder.run().expect_code(0).stderr.contains("days are those of UTC"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_zone_is_known_by_its_file_too() {
    let sandbox = Sandbox::new();
    let own = sandbox.project().join("own");
    std::fs::copy("/usr/share/zoneinfo/Pacific/Kiritimati", &own).unwrap();
    let own = own.display().to_string();
    let named = "/usr/share/zoneinfo/Pacific/Kiritimati";
    let zones = [named, &format!(":{named}"), ":Pacific/Kiritimati", &own];
    for (number, zone) in zones.into_iter().enumerate() {
        let answer = propose(&sandbox, zone, &session(&format!("Work {number}"), "Text."));
        assert_eq!(answer["files"], json!(["sessions/2026-11-21.md"]), "{zone}");
    }
    let verbose = ["--verbose", "search", "text"];
    let said = run(&sandbox, named, &verbose).stderr;
    assert!(said.contains(", days of Pacific/Kiritimati\n"), "{said}");
    let in_folder = sandbox.call(&verbose).env("TZ", "Kiritimati");
    let said = in_folder.env("TZDIR", "/usr/share/zoneinfo/Pacific").run().stderr;
    assert!(said.contains(", days of Kiritimati\n"), "{said}");
}
