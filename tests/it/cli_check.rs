//! `check`: what is wrong with the files of a store, and nothing is written to find out.

use std::fs;

use serde_json::{Value, json};

use crate::requests::{convention, new_body, session, with_conventions, with_founded_conventions};
use crate::support::{Sandbox, replace_placeholders};

/// Returns what a check finds: rule, path below the store, line.
#[track_caller]
pub(crate) fn found(sandbox: &Sandbox, arguments: &[&str]) -> Vec<String> {
    let reply = sandbox.run(&[&["check", "--json"], arguments].concat());
    assert!((0..=1).contains(&reply.code), "{}{}", reply.stdout, reply.stderr);
    let findings = reply.json()["findings"].as_array().unwrap().clone();
    let place = |finding: &Value| {
        let path = finding["path"].as_str().unwrap().trim_start_matches(".agent-memory/");
        let line = finding["line"].as_u64().map(|line| format!(":{line}")).unwrap_or_default();
        format!("{} {path}{line}", finding["rule"].as_str().unwrap())
    };
    findings.iter().map(place).collect()
}

/// Checks what one file, in a store that is fine otherwise, brings.
#[track_caller]
fn check<const N: usize>(path: &str, text: impl AsRef<[u8]>, expected: [&str; N]) {
    let sandbox = Sandbox::new();
    sandbox.write(path, text);
    let mut findings = found(&sandbox, &[]);
    findings.retain(|finding| finding.contains(path));
    assert_eq!(findings, expected);
}

const GOOD: &str = "# Pitfalls\n\n## Cache\n<!-- @id: cache -->\n\nIt is warm.\n";

#[test]
fn a_new_store_is_clean() {
    let reply = Sandbox::new().run(&["check"]).expect_code(0);
    insta::assert_snapshot!(reply.stdout, @"clean; looked at 1 section in 14 files");
}

#[test]
fn a_store_in_use_is_clean() {
    let sandbox = Sandbox::new();
    sandbox.propose(session("Today", "Done.")).applied();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.apply(&id).applied();
    sandbox.commit("memory");
    assert_eq!(found(&sandbox, &[]), [""; 0]);
}

#[test]
fn markers_that_nothing_reads_are_found() {
    check("pitfalls.md", GOOD, []);
    check(
        "pitfalls.md",
        GOOD.replace("cache -->", "Ca_che -->"),
        ["id-missing pitfalls.md:3", "section-malformed pitfalls.md:4"],
    );
    check(
        "pitfalls.md",
        format!("{GOOD}\n<!-- @source: file a -->\n"),
        ["section-malformed pitfalls.md:8"],
    );
    check("pitfalls.md", format!("{GOOD}\n```\n<!-- @id: example -->\n```\n"), []);
    check(
        "local/shared.md",
        "# Shared\n\nTitle\n-----\n\ntext\n",
        ["section-malformed local/shared.md:3"],
    );
    check(
        "local/shared.md",
        "# Shared\n\n<!-- secret-allow: -->\n",
        ["section-malformed local/shared.md"],
    );
}

#[test]
fn ids_are_there_and_unique() {
    check("pitfalls.md", "# P\n\n## Cache\n\nwarm\n", ["id-missing pitfalls.md:3"]);
    check(
        "pitfalls.md",
        format!("{GOOD}\n## Twin\n<!-- @id: cache -->\n\nx\n"),
        ["id-duplicate pitfalls.md:8"],
    );
    check("local/shared.md", "# Shared\n\n## Without an id\n", []);
}

#[test]
fn entries_keep_the_rules_of_their_category() {
    let decision = "# Decisions\n\n## Tokens\n<!-- @id: tokens -->\n<!-- @source: user ada - confirmed 2026-11-20 -->\n\n- **Date:** tomorrow\n- **Status:** active\n";
    check("decisions.md", decision, ["schema decisions.md:3"]);
    check("decisions.md", decision.replace("tomorrow", "2026-11-20"), []);
    check(
        "pitfalls.md",
        format!("{GOOD}\n# Second\n<!-- @id: second -->\n"),
        ["schema pitfalls.md:8"],
    );
}

#[test]
fn a_secret_is_found_in_any_file_and_not_told() {
    let sandbox = Sandbox::new();
    let secret = replace_placeholders("{{AWS_KEY}}");
    sandbox.append("config.toml", &format!("# {secret}\n"));
    sandbox.write("pitfalls.md", GOOD.replace("warm", &secret));
    for format in ["human", "json", "github", "gitlab", "sarif", "junit", "markdown"] {
        let reply = sandbox.run(&["check", "--format", format]).expect_code(1);
        assert!(reply.stdout.contains("secret"), "{format}");
        assert!(!format!("{}{}", reply.stdout, reply.stderr).contains(&secret), "{format}");
    }
    let findings = found(&sandbox, &[]);
    assert_eq!(findings.len(), 2, "{findings:?}");
}

#[test]
fn secrets_have_no_off_switch() {
    for option in ["--allow", "--warn"] {
        let reply = Sandbox::new().run(&["check", option, "secret"]).expect_code(2);
        assert!(reply.stderr.contains("no off switch"), "{}", reply.stderr);
    }
}

#[test]
fn what_a_merge_leaves_behind_is_found_by_section() {
    let text = format!("{GOOD}<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n");
    check("pitfalls.md", text, ["conflict-marker pitfalls.md:7"]);
}

#[test]
fn hidden_characters_are_found_in_every_section() {
    let text =
        "# P\n\n## A\n<!-- @id: a -->\n\nx\u{202e}y\n\n## B\n<!-- @id: b -->\n\nx\u{200b}y\n";
    check(
        "pitfalls.md",
        text,
        ["hidden-character pitfalls.md:6", "hidden-character pitfalls.md:11"],
    );
}

#[test]
fn a_section_that_swallows_the_next_one_is_found() {
    check("pitfalls.md", format!("{GOOD}\n```\ncode\n"), ["containment pitfalls.md:3"]);
    check("pitfalls.md", format!("{GOOD}\n<!-- open\n"), ["containment pitfalls.md:3"]);
    check("pitfalls.md", format!("{GOOD}\n```\ncode\n```\n"), []);
}

#[test]
fn evidence_is_held_against_the_repository() {
    let sandbox = Sandbox::new();
    let cited = |reference: &str, blob: &str| {
        format!(
            "# C\n\n## A\n<!-- @id: a -->\n<!-- @source: file {reference} {blob} confirmed 2026-11-20 -->\n\nx\n"
        )
    };
    let rules = ["--allow", "index-outdated"];
    sandbox.write("conventions.md", cited("src/auth/refresh.rs:1-2", "f06859e70b78"));
    assert_eq!(found(&sandbox, &rules), [""; 0]);
    sandbox.write_project("src/auth/refresh.rs", "fn other() {}\nfn more() {}\n");
    sandbox.commit("other");
    let reply = sandbox.run(&["check", "--json"]).expect_code(0);
    let message = reply.json()["findings"][0]["message"].to_string();
    let commit = sandbox.git(&["rev-parse", "--short", "HEAD"]);
    assert!(message.contains(&format!("has changed since, in {}", commit.trim())), "{message}");
    assert_eq!(found(&sandbox, &rules), ["provenance-stale conventions.md:5"]);
    sandbox.run(&["check", "--deny", "provenance-stale"]).expect_code(1);
    sandbox.write("conventions.md", cited("src/gone.rs", "f06859e70b78"));
    assert_eq!(found(&sandbox, &rules), ["provenance-gone conventions.md:5"]);
    sandbox.write("conventions.md", "# C\n\n## A\n<!-- @id: a -->\n\nx\n");
    assert_eq!(found(&sandbox, &rules), ["provenance-missing conventions.md:3"]);
}

#[test]
fn files_that_are_too_large_are_found() {
    let text = format!("{GOOD}{}", "word ".repeat(60_000));
    check("pitfalls.md", text, ["budget pitfalls.md", "budget pitfalls.md:3"]);
}

#[test]
fn an_archive_that_changed_after_it_was_written_is_found() {
    let sandbox = Sandbox::new();
    let archive = "## Old\n<!-- @id: old -->\n\nIt was so.\n";
    sandbox.write("archive/old.md", archive);
    let rules = ["--allow", "index-outdated"];
    assert_eq!(found(&sandbox, &rules), [""; 0]);
    sandbox.commit("archived");
    sandbox.write("archive/old.md", archive.replace("so", "not so"));
    assert_eq!(found(&sandbox, &rules), ["archive-changed archive/old.md"]);
    sandbox.commit("rewritten");
    assert_eq!(found(&sandbox, &rules), ["archive-changed archive/old.md"]);
    fs::remove_file(sandbox.store().join("archive/old.md")).unwrap();
    assert_eq!(found(&sandbox, &rules), ["archive-changed archive/old.md"]);
    sandbox.write("archive/old.md", archive);
    assert_eq!(found(&sandbox, &rules), [""; 0]);
}

#[test]
fn an_archival_that_was_taken_back_is_no_archive_that_changed() {
    let sandbox = with_founded_conventions();
    let archival = || {
        let request = json!({
            "intent": "archive_stale",
            "sources": [{ "type": "user", "ref": "ada" }],
            "operations": [{
                "operation": "archive_section", "path": "conventions.md", "section_id": "errors",
                "archive_path": "archive/errors.md",
            }],
        });
        let id = sandbox.propose(request).staged();
        sandbox.apply(&id).applied();
        id
    };
    sandbox.run(&["reindex"]).expect_code(0);
    sandbox.commit("base");
    let id = archival();
    sandbox.commit("archived");
    sandbox.run(&["undo", &id, "--approver", "Ada"]).expect_code(0);
    sandbox.commit("taken back");
    assert_eq!(found(&sandbox, &[]), [""; 0]);
    let text = sandbox.file("conventions.md").replace("They name a path", "They name a line");
    sandbox.write("conventions.md", text);
    archival();
    sandbox.commit("archived again");
    assert_eq!(found(&sandbox, &[]), [""; 0]);
    fs::remove_file(sandbox.store().join("archive/errors.md")).unwrap();
    sandbox.run(&["reindex"]).expect_code(0);
    sandbox.commit("gone");
    assert_eq!(found(&sandbox, &["--allow", "link-broken"]), ["archive-changed archive/errors.md"]);
}

#[test]
fn an_archive_that_is_gone_is_found_whoever_else_names_its_section() {
    let sandbox = Sandbox::new();
    sandbox.git(&["config", "color.ui", "always"]);
    sandbox.write("archive/old.md", "## Old\n<!-- @id: old -->\n\nIt was so.\n");
    sandbox.write_project("docs/x.md", "## Old\n<!-- @id: old -->\n\nAn example.\n");
    sandbox.run(&["reindex"]).expect_code(0);
    sandbox.commit("archived");
    fs::remove_file(sandbox.store().join("archive/old.md")).unwrap();
    sandbox.run(&["reindex"]).expect_code(0);
    sandbox.commit("gone");
    assert_eq!(found(&sandbox, &[]), ["archive-changed archive/old.md"]);
}

#[test]
fn an_archive_of_the_first_commit_is_known_whatever_git_log_shows() {
    let sandbox = Sandbox::new();
    sandbox.git(&["config", "log.showRoot", "false"]);
    sandbox.write("archive/old.md", "## Old\n<!-- @id: old -->\n\nIt was so.\n");
    sandbox.run(&["reindex"]).expect_code(0);
    sandbox.commit("archived");
    sandbox.append("archive/old.md", "Or not.\n");
    sandbox.run(&["reindex"]).expect_code(0);
    assert_eq!(found(&sandbox, &[]), ["archive-changed archive/old.md"]);
}

#[test]
fn how_paths_are_read_does_not_go_by_the_environment() {
    let sandbox = Sandbox::new();
    sandbox.commit("base");
    for name in ["GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS"] {
        sandbox.call(&["check"]).env(name, "1").run().expect_code(0);
    }
}

#[test]
fn a_shallow_clone_says_that_it_cannot_tell() {
    let sandbox = Sandbox::new();
    sandbox.commit("base");
    let warned = || {
        cut(&sandbox, &["HEAD"]);
        sandbox.run(&["check"]).expect_code(0).stderr
    };
    assert!(!warned().contains("shallow"), "nothing is archived");
    sandbox.write("archive/old.md", "## Old\n<!-- @id: old -->\n\nIt was so.\n");
    sandbox.run(&["reindex"]).expect_code(0);
    sandbox.commit("archived");
    assert!(warned().contains("warning: this clone is shallow"));
    let said = |format| sandbox.run(&["check", "--format", format]).expect_code(0).stdout;
    assert!(said("json").contains("this clone is shallow"));
    assert!(said("markdown").contains("> this clone is shallow"));
}

#[test]
fn a_shallow_clone_finds_an_archive_that_the_change_itself_changed() {
    let sandbox = Sandbox::new();
    sandbox.write("archive/old.md", "## Old\n<!-- @id: old -->\n\nIt was so.\n");
    sandbox.run(&["reindex"]).expect_code(0);
    sandbox.commit("archived");
    sandbox.append("archive/old.md", "Or not.\n");
    sandbox.run(&["reindex"]).expect_code(0);
    sandbox.commit("changed");
    let base = cut(&sandbox, &["HEAD", "HEAD~1"]);
    assert_eq!(found(&sandbox, &["--base", &base]), ["archive-changed archive/old.md"]);
    assert_eq!(found(&sandbox, &["--base", "HEAD"]), [""; 0]);
}

/// Cuts the history off at commits, the youngest first; returns the last of them.
fn cut(sandbox: &Sandbox, ends: &[&str]) -> String {
    let ends = sandbox.git(&[&["rev-parse"], ends].concat());
    fs::write(sandbox.project().join(".git/shallow"), &ends).unwrap();
    ends.lines().last().unwrap().to_owned()
}

#[test]
fn a_shallow_clone_finds_an_archive_that_the_change_itself_deleted_if_it_can_tell() {
    let sandbox = Sandbox::new();
    sandbox.write("archive/old.md", "## Old\n<!-- @id: old -->\n\nIt was so.\n");
    sandbox.run(&["reindex"]).expect_code(0);
    sandbox.commit("archived");
    fs::remove_file(sandbox.store().join("archive/old.md")).unwrap();
    sandbox.run(&["reindex"]).expect_code(0);
    sandbox.commit("deleted");
    let reply = sandbox.run(&["check", "--base", &cut(&sandbox, &["HEAD~1"])]).expect_code(1);
    assert!(reply.stdout.contains("`archive/old.md` was written once, and is gone"));
    // Without a common commit it may as well have been archived elsewhere since.
    let base = cut(&sandbox, &["HEAD", "HEAD~1"]);
    let reply = sandbox.run(&["check", "--base", &base]).expect_code(0);
    assert!(reply.stderr.contains("this clone is shallow"), "{}", reply.stderr);
}

#[test]
fn a_partial_clone_calls_nothing_gone_that_it_does_not_know() {
    let sandbox = Sandbox::new();
    let archive = "## Old\n<!-- @id: old -->\n\nIt was so.\n";
    sandbox.write("archive/old.md", archive);
    sandbox.commit("archived");
    fs::remove_file(sandbox.store().join("archive/old.md")).unwrap();
    sandbox.write("conventions.md", format!("# Conventions\n\n{archive}"));
    sandbox.commit("taken back");
    sandbox.write("archive/two.md", archive.replace("old", "two"));
    sandbox.commit("another");
    sandbox.git(&["config", "uploadpack.allowFilter", "true"]);
    let from = format!("file://{}", sandbox.project().display());
    sandbox.git(&["clone", "--quiet", "--filter=blob:none", &from, "../partial"]);
    let allowed = ["--allow", "index-outdated", "--allow", "provenance-missing"];
    let arguments = [&["check", "--root", "../partial"][..], &allowed].concat();
    let reply = sandbox.run(&arguments).expect_code(0);
    assert!(reply.stderr.contains("partial"), "{}", reply.stderr);
    let reply = sandbox.run(&[&arguments[..], &["--base", "HEAD~1"]].concat()).expect_code(2);
    assert!(reply.stderr.contains("clone without `--filter`"), "{}", reply.stderr);
}

#[test]
fn a_clone_without_the_trees_of_older_commits_is_checked() {
    let sandbox = Sandbox::new();
    sandbox.commit("base");
    sandbox.write("archive/old.md", "## Old\n<!-- @id: old -->\n\nIt was so.\n");
    sandbox.run(&["reindex"]).expect_code(0);
    sandbox.commit("archived");
    sandbox.git(&["config", "uploadpack.allowFilter", "true"]);
    let from = format!("file://{}", sandbox.project().display());
    sandbox.git(&["clone", "--quiet", "--filter=tree:0", &from, "../treeless"]);
    let reply = sandbox.run(&["check", "--root", "../treeless"]).expect_code(0);
    assert!(reply.stderr.contains("partial"), "{}", reply.stderr);
}

#[test]
fn settings_that_cannot_be_used_are_findings_and_the_rest_is_checked() {
    let sandbox = Sandbox::new();
    sandbox.write("config.toml", "[staging]\nttl_day = 3\n");
    sandbox.append("schemas/shared.toml", "\nx = = 1\n");
    sandbox.write("pitfalls.md", "# P\n\n## Cache\n\nwarm\n");
    let findings = found(&sandbox, &[]);
    assert_eq!(findings.len(), 3, "{findings:?}");
    assert_eq!(findings[0], "config config.toml");
    assert_eq!(findings[1], "id-missing pitfalls.md:3");
    assert!(findings[2].starts_with("config schemas/shared.toml:"), "{findings:?}");
}

#[test]
fn proposals_that_expired_or_cannot_land_are_warnings() {
    let mut sandbox = with_conventions();
    sandbox.propose(new_body("errors", "They say what to do next.")).staged();
    sandbox.append("conventions.md", "");
    let text = sandbox.file("conventions.md").replace("name a path", "name two paths");
    sandbox.write("conventions.md", text);
    let rules = ["--allow", "provenance-missing"];
    let findings = found(&sandbox, &rules);
    assert!(findings[0].starts_with("proposal-inapplicable staging/"), "{findings:?}");
    sandbox.advance(std::time::Duration::from_secs(8 * 86_400));
    let findings = found(&sandbox, &rules);
    assert!(findings[0].starts_with("proposal-expired staging/"), "{findings:?}");
}

#[test]
fn something_that_waits_has_an_exit_code_of_its_own() {
    let sandbox = Sandbox::new();
    sandbox.run(&["check", "--pending-exit-code", "3"]).expect_code(0);
    sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.run(&["check"]).expect_code(0);
    sandbox.run(&["check", "--pending-exit-code", "3"]).expect_code(3);
    sandbox.write("pitfalls.md", "# P\n\n## Cache\n\nwarm\n");
    sandbox.run(&["check", "--pending-exit-code", "3"]).expect_code(1);
}

#[test]
fn a_log_that_was_touched_is_found() {
    let sandbox = Sandbox::new();
    sandbox.propose(session("One", "a")).applied();
    sandbox.propose(session("Two", "b")).applied();
    let log = sandbox.file("state/log.jsonl").replace("session_log", "session_lag");
    sandbox.write("state/log.jsonl", log);
    assert!(found(&sandbox, &[])[0].starts_with("log-broken state/log.jsonl:"));
}

#[test]
fn a_file_that_git_should_ignore_is_found() {
    let sandbox = Sandbox::new();
    sandbox.write("local/shared.md", "# Shared\n");
    sandbox.git(&["add", "--force", ".agent-memory/local/shared.md"]);
    assert_eq!(found(&sandbox, &[]), ["ignored-tracked local/shared.md"]);
    sandbox.write("sessions/raw.txt", "x\n");
    sandbox.git(&["add", "--force", ".agent-memory/sessions/raw.txt"]);
    let expected = ["ignored-tracked local/shared.md", "ignored-tracked sessions/raw.txt"];
    assert_eq!(found(&sandbox, &[]), expected);
}

#[test]
fn links_lead_to_ids_and_files() {
    let links = |text: &str| format!("{GOOD}\n{text}\n");
    check("pitfalls.md", links("[[cache]] [[pitfalls#cache]] [[conventions.md]] [[#cache]]"), []);
    check("pitfalls.md", links("[a](pitfalls.md#cache) `[[gone]]`"), []);
    check("pitfalls.md", links("[[gone]]"), ["link-broken pitfalls.md:8"]);
    check("pitfalls.md", links("[[decisions#cache]]"), ["link-broken pitfalls.md:8"]);
    check("pitfalls.md", links("[a](pitfalls.md#gone)"), ["link-broken pitfalls.md:8"]);
    let good = "# M\n\n[[../conventions.md]] [[./m.md]] ![[../../docs/q.png]]\n";
    check("modules/m.md", good, []);
    let broken = "# M\n\n[[../gone.md]]\n[[../modules/gone.md#x]]\n![[../q.png]]\n".to_owned();
    let expected = [3, 4, 5].map(|line| format!("link-broken modules/m.md:{line}"));
    check("modules/m.md", broken, [&*expected[0], &expected[1], &expected[2]]);
}

#[test]
fn a_secret_is_found_in_what_is_no_text_too() {
    let sandbox = Sandbox::new();
    let token = ["ghp_", "x9KfQ2mVb7Tz4LwPc8Rj1NsYd6GhAe3BuXo0"].concat();
    let secret = format!("# x\n\n{token}\n");
    let wide: Vec<u8> = secret.encode_utf16().flat_map(u16::to_le_bytes).collect();
    sandbox.write("modules/wide.md", [&[0xff, 0xfe], &*wide].concat());
    sandbox.write("modules/zeros.md", wide);
    sandbox.write("modules/latin.md", [b"\xe9 ", secret.as_bytes()].concat());
    let mut findings =
        found(&sandbox, &["--allow", "index-outdated", "--allow", "file-unreadable"]);
    findings.retain(|finding| finding.starts_with("secret "));
    let expected = ["modules/latin.md:3", "modules/wide.md:3", "modules/zeros.md:3"];
    assert_eq!(findings, expected.map(|place| format!("secret {place}")));
}

#[test]
fn what_is_outside_of_the_store_is_not_called_clean() {
    let sandbox = Sandbox::new();
    std::fs::write(sandbox.project().join("outside.md"), "text").unwrap();
    for path in ["/etc/passwd", "/etc", "../outside.md", "outside.md"] {
        let reply = sandbox.run(&["check", path]).expect_code(2);
        assert!(reply.stderr.contains("no file or folder"), "{path}: {}", reply.stderr);
    }
}

#[test]
fn a_file_of_any_kind_is_a_finding_and_the_rest_is_checked() {
    let sandbox = Sandbox::new();
    sandbox.write("modules/binary.md", [b'#', 0, 0xff]);
    sandbox.write("modules/latin.md", [b'#', b'\n', 0xff]);
    let mut huge = vec![b'x'; 24 * 1024 * 1024];
    let token = ["ghp_", "x9KfQ2mVb7Tz4LwPc8Rj1NsYd6GhAe3BuXo0"].concat();
    huge.extend(format!("\ntoken {token}\n").bytes());
    sandbox.write("modules/huge.md", huge);
    fs::create_dir_all(sandbox.store().join("modules/folder.md")).unwrap();
    sandbox.write(
        "modules/mixed.md",
        "# M\r\n\n## A\r\n<!-- @id: a -->\r\n<!-- @source: user ada - confirmed 2026-11-20 -->\r\n",
    );
    sandbox.write("pitfalls.md", "# P\n\n## Cache\n\nwarm\n");
    #[cfg(unix)]
    std::os::unix::fs::symlink("/etc/passwd", sandbox.store().join("modules/link.md")).unwrap();
    let mut findings = found(&sandbox, &[]);
    findings.retain(|finding| !finding.contains("link.md"));
    assert_eq!(
        findings,
        [
            "file-unreadable modules/binary.md",
            "file-unreadable modules/folder.md",
            "file-unreadable modules/huge.md",
            "secret modules/huge.md:2",
            "file-unreadable modules/latin.md:2",
            "section-malformed modules/mixed.md:2",
            "id-missing pitfalls.md:3",
        ]
    );
}

#[test]
fn a_check_writes_nothing() {
    let sandbox = with_conventions();
    sandbox.propose(convention("Other", "Name the path.")).staged();
    let all = || crate::support::files_in(&sandbox.project());
    let before = all();
    sandbox.run(&["check"]);
    sandbox.run(&["check", "--staged", "--base", "HEAD", "--format", "markdown"]);
    assert!(before == all());
}

#[test]
fn some_files_can_be_checked_alone() {
    let sandbox = Sandbox::new();
    sandbox.write("pitfalls.md", "# P\n\n## Cache\n\nwarm\n");
    sandbox.write("modules/auth.md", "# A\n\n## Login\n<!-- @id: login -->\n\nx\n");
    let only = |arguments: &[&str]| found(&sandbox, arguments);
    assert_eq!(only(&[".agent-memory/pitfalls.md"]), ["id-missing pitfalls.md:3"]);
    assert_eq!(only(&["pitfalls.md"]), ["id-missing pitfalls.md:3"]);
    assert_eq!(only(&["modules"]), ["provenance-missing modules/auth.md:3"]);
    assert_eq!(only(&["."]).len(), 2);
    sandbox.run(&["check", "nothing.md"]).expect_code(2);
}

#[test]
fn a_change_answers_only_for_what_it_brought_in() {
    let sandbox = Sandbox::new();
    sandbox.write("pitfalls.md", "# P\n\n## Cache\n\nwarm\n");
    sandbox.commit("an old mistake");
    let since = ["--base", "HEAD", "--allow", "index-outdated"];
    assert_eq!(found(&sandbox, &since), [""; 0]);
    sandbox.write("pitfalls.md", "# P\n\nMore words.\n\n## Cache\n\nwarm\n\n## Queue\n\nlong\n");
    assert_eq!(found(&sandbox, &since), ["id-missing pitfalls.md:9"]);
    sandbox.write("modules/new.md", "# N\n\n## A\n<!-- @id: a -->\n\nx\n");
    assert_eq!(
        found(&sandbox, &since),
        ["provenance-missing modules/new.md:3", "id-missing pitfalls.md:9",]
    );
    sandbox.commit("new mistakes");
    assert_eq!(found(&sandbox, &since), [""; 0]);
    let since = ["--base", "HEAD~1", "--allow", "index-outdated"];
    assert_eq!(found(&sandbox, &since).len(), 2);
    assert_eq!(found(&sandbox, &[]).len(), 3);
}

#[test]
fn what_came_along_with_a_file_that_was_renamed_is_not_brought_in() {
    let sandbox = Sandbox::new();
    let many: String = (1..20).map(|number| format!("Line {number} of what is known.\n")).collect();
    sandbox.write("modules/cache.md", format!("# C\n\n## Cache\n\n{many}"));
    sandbox.commit("an old mistake");
    sandbox.git(&["mv", ".agent-memory/modules/cache.md", ".agent-memory/modules/store.md"]);
    let since = ["--base", "HEAD", "--allow", "index-outdated"];
    assert_eq!(found(&sandbox, &since), [""; 0]);
    assert_eq!(found(&sandbox, &[&since[..], &["--staged"]].concat()), [""; 0]);
    sandbox.append("modules/store.md", "\n## Queue\n\nlong\n");
    let new = found(&sandbox, &since);
    assert!(!new.is_empty() && new.iter().all(|it| it.ends_with("store.md:25")), "{new:?}");
}

#[test]
fn what_came_along_with_files_that_changed_names_is_not_brought_in() {
    let sandbox = Sandbox::new();
    let text = |name: &str| {
        let line = |n: u8| format!("What {n} is to the {name} stands here.\n");
        format!("# {name}\n\n## {name}\n\n{}", (0..20).map(line).collect::<String>())
    };
    let [cache, queue] = ["cache", "queue"].map(text);
    let write = |one: &str, other: &str| {
        sandbox.write("modules/one.md", one);
        sandbox.write("modules/other.md", other);
    };
    write(&cache, &queue);
    sandbox.commit("old mistakes");
    write(&queue, &cache);
    assert_eq!(found(&sandbox, &["--base", "HEAD", "--allow", "index-outdated"]), [""; 0]);
}

#[test]
fn what_the_target_branch_repaired_meanwhile_is_not_brought_in() {
    let sandbox = Sandbox::new();
    sandbox.write("pitfalls.md", "# P\n\n## Cache\n\nwarm\n");
    sandbox.commit("an old mistake");
    sandbox.git(&["switch", "--quiet", "--create", "work"]);
    sandbox.write_project("code.rs", "");
    sandbox.commit("work");
    sandbox.git(&["switch", "--quiet", "main"]);
    sandbox.write("pitfalls.md", GOOD);
    sandbox.commit("repaired");
    sandbox.git(&["switch", "--quiet", "work"]);
    assert_eq!(found(&sandbox, &["--base", "main"]), [""; 0]);
}

#[test]
fn evidence_that_a_change_makes_stale_is_brought_in() {
    let sandbox = Sandbox::new();
    sandbox.write("conventions.md", "# C\n\n## A\n<!-- @id: a -->\n<!-- @source: file src/auth/refresh.rs f06859e70b78 confirmed 2026-11-20 -->\n\nx\n");
    sandbox.run(&["reindex"]);
    sandbox.commit("cited");
    let since = ["--base", "HEAD~1"];
    assert_eq!(found(&sandbox, &since), [""; 0]);
    sandbox.write_project("src/auth/refresh.rs", "fn other() {}\n");
    assert_eq!(found(&sandbox, &["--base", "HEAD"]), ["provenance-stale conventions.md:5"]);
    assert_eq!(found(&sandbox, &["--base", "HEAD", "--staged"]), [""; 0]);
    sandbox.commit("changed");
    assert_eq!(found(&sandbox, &["--base", "HEAD"]), [""; 0]);
    assert_eq!(found(&sandbox, &["--base", "HEAD~1"]), ["provenance-stale conventions.md:5"]);
}

#[test]
fn a_stricter_rule_is_held_against_every_file() {
    let sandbox = Sandbox::new();
    sandbox.write("local/shared.md", "# Shared\n");
    sandbox.write("pitfalls.md", GOOD);
    sandbox.run(&["reindex"]);
    sandbox.commit("memory");
    sandbox.append("schemas/pitfalls.toml", "subsections = [\"What to do\"]\n");
    assert_eq!(found(&sandbox, &["--base", "HEAD"]), ["schema pitfalls.md:3"]);
}

#[test]
fn what_is_staged_is_checked_as_it_is_staged() {
    let sandbox = Sandbox::new();
    sandbox.commit("a store");
    let rules = ["--staged", "--allow", "index-outdated"];
    sandbox.write("pitfalls.md", "# P\n\n## Cache\n\nwarm\n");
    assert_eq!(found(&sandbox, &rules), [""; 0]);
    sandbox.git(&["add", ".agent-memory/pitfalls.md"]);
    sandbox.write("pitfalls.md", GOOD);
    assert_eq!(found(&sandbox, &rules), ["id-missing pitfalls.md:3"]);
    sandbox.git(&["add", ".agent-memory/pitfalls.md"]);
    sandbox.write("pitfalls.md", "# P\n\n## Cache\n\nwarm\n");
    assert_eq!(found(&sandbox, &rules), [""; 0]);
}

#[test]
fn a_revision_that_is_not_there_could_not_be_checked() {
    let sandbox = Sandbox::new();
    sandbox.run(&["check", "--base", "nowhere"]).expect_code(2);
    sandbox.run(&["check", "--base", "--all"]).expect_code(2);
}

#[test]
fn a_rule_explains_itself() {
    let sandbox = Sandbox::new();
    let page = sandbox.run(&["check", "--explain", "budget"]).expect_code(0).stdout;
    assert!(page.starts_with("# budget\n"), "{page}");
    let reply = sandbox.run(&["check", "--explain", "bugdet"]).expect_code(2);
    assert!(reply.stderr.contains("did you mean `budget`?"), "{}", reply.stderr);
}

#[test]
fn a_store_in_a_folder_of_the_repository_is_named_from_its_root() {
    let sandbox = Sandbox::new();
    let inner = sandbox.project().join("services/api");
    fs::create_dir_all(&inner).unwrap();
    let root = inner.display().to_string();
    sandbox.run(&["init", "--root", &root]).expect_code(0);
    fs::write(inner.join(".agent-memory/pitfalls.md"), "# P\n\n## Cache\n\nwarm\n").unwrap();
    let reply = sandbox.run(&["check", "--root", &root, "--format", "github"]).expect_code(1);
    let line =
        "::error file=services/api/.agent-memory/pitfalls.md,line=3,endLine=3,title=id-missing::";
    assert!(reply.stdout.contains(line), "{}", reply.stdout);
    sandbox.commit("memory");
    sandbox.run(&["check", "--root", &root, "--base", "HEAD"]).expect_code(0);
    sandbox.run(&["check", "--root", &root, "--staged"]).expect_code(1);
}

#[test]
fn the_example_store_is_clean() {
    let reply = Sandbox::new().run(&[
        "check",
        "--json",
        "--root",
        &crate::support::folder(".agent-memory.example").display().to_string(),
    ]);
    assert_eq!(reply.expect_code(0).json()["findings"], serde_json::json!([]));
}

#[test]
fn a_store_without_a_category_has_no_rule_and_is_no_good() {
    let sandbox = Sandbox::new();
    sandbox.commit("a store");
    std::fs::remove_dir_all(sandbox.store().join("schemas")).unwrap();
    sandbox.commit("no rules");
    for arguments in [&["check"][..], &["check", "--base", "HEAD~1"]] {
        let reply = sandbox.run(arguments).expect_code(1);
        assert!(reply.stdout.contains("there is no category"), "{}", reply.stdout);
    }
    sandbox.run(&["init"]).expect_code(0);
    sandbox.run(&["check"]).expect_code(0);
}

#[test]
fn a_guard_has_nothing_to_say_where_there_is_no_store() {
    let sandbox = Sandbox::new();
    std::fs::remove_dir_all(sandbox.store()).unwrap();
    sandbox.write_project("a.rs", "a\n");
    sandbox.commit("before the store");
    for arguments in [
        &["check", "--staged", "--base", "HEAD"][..],
        &["check", "--base", "HEAD"],
        &["check", "--staged"],
    ] {
        let reply = sandbox.run(arguments).expect_code(0);
        assert!(reply.stderr.contains("nothing was checked"), "{reply:?}");
    }
    let report = sandbox.run(&["check", "--base", "HEAD", "--json"]).expect_code(0).json();
    assert_eq!((&report["errors"], report["notes"].as_array().unwrap().len()), (&json!(0), 1));
    sandbox.run(&["check"]).expect_code(2);
    // As the hook of a part of a repository names it.
    sandbox.run(&["check", "--staged", "--root", "."]).expect_code(0);
    sandbox.run(&["check", "--base", "HEAD", "--root", "services/mail"]).expect_code(0);
}

#[test]
fn a_guard_has_nothing_to_say_of_a_store_that_git_ignores_as_a_whole() {
    let sandbox = Sandbox::without_store();
    sandbox.write_project(".gitignore", ".agent-memory/\n");
    sandbox.commit("ignored");
    sandbox.run(&["init"]).expect_code(0);
    for arguments in [&["check", "--staged", "--base", "HEAD"][..], &["check", "--base", "HEAD"]] {
        let reply = sandbox.run(arguments).expect_code(0);
        assert!(reply.stderr.contains("git ignores the whole store"), "{}", reply.stderr);
    }
}

#[test]
fn a_change_that_hides_the_store_from_git_takes_it_away() {
    let sandbox = with_conventions();
    sandbox.commit("the store");
    sandbox.write_project(".gitignore", ".agent-memory/\n");
    sandbox.git(&["add", ".gitignore"]);
    sandbox.git(&["rm", "-rq", "--cached", ".agent-memory"]);
    sandbox.run(&["check", "--staged", "--base", "HEAD"]).expect_code(1);
}

#[test]
fn a_change_that_takes_the_store_away_is_found() {
    for (harm, root) in [
        (&["rm", "-rq", ".agent-memory"][..], None),
        (&["rm", "-rq", ".agent-memory/config.toml", ".agent-memory/schemas"], None),
        (&["rm", "-rq", ".agent-memory"], Some(".")),
        (&["mv", ".agent-memory", "elsewhere"], None),
    ] {
        let sandbox = with_conventions();
        sandbox.commit("the store");
        sandbox.git(&["branch", "before"]);
        sandbox.git(harm);
        let root = root.iter().flat_map(|root| ["--root", root]).collect::<Vec<_>>();
        let guard = |arguments: &[&str]| {
            let report =
                sandbox.run(&[arguments, &["--json"], &root].concat()).expect_code(1).json();
            let finding = &report["findings"][0];
            assert_eq!(finding["rule"], "store-gone", "{harm:?}: {report}");
            assert_eq!(finding["path"], ".agent-memory/config.toml");
        };
        guard(&["check", "--staged", "--base", "HEAD"]);
        guard(&["check", "--staged"]);
        sandbox.git(&["commit", "--quiet", "-m", "it is gone"]);
        guard(&["check", "--base", "before"]);
        let allowed = ["check", "--base", "before", "--allow", "store-gone"];
        sandbox.run(&[&allowed[..], &root].concat()).expect_code(0);
        sandbox.run(&[&["check", "--staged"][..], &root].concat()).expect_code(0);
    }
}

#[test]
fn a_store_that_is_nearer_than_the_one_on_the_disk_is_not_lost_in_silence() {
    let sandbox = with_founded_conventions();
    sandbox.write_project("services/mail/a.rs", "a\n");
    sandbox.run(&["init", "--root", "services/mail"]).expect_code(0);
    sandbox.commit("two stores");
    sandbox.git(&["rm", "-rq", "services/mail/.agent-memory"]);
    let guard = |words: &[&str]| sandbox.call(words).within("services/mail").run();
    let said = guard(&["check", "--staged"]).expect_code(1).stdout;
    assert!(said.contains("services/mail/.agent-memory/config.toml error"), "{said}");
    sandbox.run(&["check", "--staged"]).expect_code(0);
}

#[test]
fn a_store_that_is_staged_and_not_on_the_disk_is_no_clean_one() {
    let sandbox = with_conventions();
    sandbox.commit("the store");
    let guards = [&["check", "--staged"][..], &["check", "--base", "HEAD"]];
    sandbox.write("pitfalls.md", "# Pitfalls\n\n## A\n\n- b\n");
    sandbox.git(&["add", "--all"]);
    std::fs::remove_dir_all(sandbox.store()).unwrap();
    for arguments in guards {
        let reply = sandbox.run(arguments).expect_code(2);
        assert!(reply.stderr.contains("`git restore .agent-memory/`"), "{}", reply.stderr);
    }
    // As in a sparse checkout.
    sandbox.git(&["reset", "--quiet"]);
    for arguments in guards {
        let reply = sandbox.run(arguments).expect_code(0);
        assert!(reply.stderr.contains("nothing was checked"), "{}", reply.stderr);
    }
}

#[test]
fn a_change_that_takes_the_rule_of_the_archive_away_frees_no_archived_file() {
    for harm in ["remove", "free"] {
        let sandbox = with_founded_conventions();
        sandbox.write("archive/old.md", "## Old\n<!-- @id: old -->\n\nAs it was.\n");
        sandbox.commit("archived");
        sandbox.append("archive/old.md", "And more.\n");
        let schema = sandbox.file("schemas/archive.toml");
        match harm {
            "remove" => std::fs::remove_file(sandbox.store().join("schemas/archive.toml")).unwrap(),
            _ => sandbox.write(
                "schemas/archive.toml",
                schema.replace("write_once = true", "write_once = false"),
            ),
        }
        sandbox.git(&["add", "--all"]);
        for side in [&["check", "--staged", "--base", "HEAD"][..], &["check", "--base", "HEAD"]] {
            let said = sandbox.run(side).expect_code(1).stdout;
            assert!(said.contains("[archive-changed]"), "{harm}: {said}");
        }
    }
}

/// `undo` takes the copy out of the archive and puts the section back.
#[test]
fn an_archived_section_that_is_back_in_the_memory_is_not_lost() {
    let sandbox = with_conventions();
    sandbox.commit("the store");
    let old = sandbox.file("conventions.md");
    let (kept, archived) = old.split_once("\n## Names").unwrap();
    sandbox.write("archive/names.md", format!("## Names{archived}"));
    sandbox.write("conventions.md", kept);
    sandbox.commit("archived");
    sandbox.git(&["mv", ".agent-memory/archive/names.md", ".agent-memory/archive/naming.md"]);
    sandbox.run(&["check", "--staged", "--allow", "provenance-missing"]).expect_code(0);
    sandbox.git(&["rm", "-q", "-f", ".agent-memory/archive/naming.md"]);
    sandbox.run(&["check", "--staged", "--allow", "provenance-missing,link-broken"]).expect_code(1);
    sandbox.write("conventions.md", old);
    sandbox.git(&["add", "--all"]);
    sandbox.run(&["check", "--staged", "--allow", "provenance-missing"]).expect_code(0);
    sandbox.run(&["check", "--allow", "provenance-missing"]).expect_code(0);
}
