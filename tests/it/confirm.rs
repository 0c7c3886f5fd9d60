//! Evidence that changed, moved or was renamed: what `check` says of it, and whether the repair that it prints works.

use serde_json::Value;

use crate::requests::with_conventions;
use crate::support::{Reply, Sandbox, Terminal};

const CITED: &str = "src/cited.rs";

const THEN: &str = "one\ntwo\nthree\nfour\n";

/// A store of which a convention cites a file that git has, in the words of a machine.
fn citing(sources: &[&str]) -> Sandbox {
    let sandbox = with_conventions();
    sandbox.write_project(CITED, THEN);
    sandbox.commit("a file");
    cite(&sandbox, sources);
    sandbox.commit("a source");
    sandbox
}

fn cite(sandbox: &Sandbox, sources: &[&str]) {
    let rest = ["--confidence", "inferred", "--approver", "Ada"];
    sandbox.run(&[&["cite", "errors"], sources, &rest].concat()).expect_code(0);
}

fn confirm(sandbox: &Sandbox, more: &[&str]) -> Reply {
    sandbox.run(&[&["confirm", "conventions.md#errors", "--approver", "Ada"], more].concat())
}

/// What `check` says of evidence, on one side: the message, and the repair.
fn told(sandbox: &Sandbox, side: &[&str]) -> Vec<[String; 2]> {
    let words = [&["check", "--json", "--warn", "provenance-moved"], side].concat();
    let reply = sandbox.run(&words).json();
    let findings = reply["findings"].as_array().unwrap().iter();
    let of_evidence = |it: &&Value| {
        let rule = it["rule"].as_str().unwrap();
        rule.starts_with("provenance-") && rule != "provenance-missing"
    };
    let word = |it: &Value| it.as_str().unwrap_or_default().to_owned();
    let repair = |it: &Value| word(&it["repair"]["command"]) + &word(&it["repair"]["by_hand"]);
    findings.filter(of_evidence).map(|it| [word(&it["message"]), repair(it)]).collect()
}

/// Runs a printed command of ours in the name of a person, with the words that a person puts in.
fn run_printed(sandbox: &Sandbox, repair: &str, place: &str) -> Reply {
    let line = repair.split('`').find(|part| part.contains("agent-memory ")).unwrap_or(repair);
    let line = line.replace("FILE:LINES", place);
    let words: Vec<&str> = line.split(' ').skip(1).collect();
    sandbox.run(&[&words[..], &["--approver", "Ada"]].concat())
}

const CONFIRM: &str = "agent-memory confirm conventions.md#errors";

#[test]
fn changed_lines_are_shown_and_asked_about() {
    let sandbox = citing(&["src/cited.rs:2-3"]);
    sandbox.write_project(CITED, "zero\none\ntwo!\nand\nthree\nfour\n");
    let before = sandbox.file("conventions.md");
    let [message, repair] = &told(&sandbox, &[])[0];
    assert_eq!(
        (message.as_str(), repair.as_str()),
        ("`src/cited.rs:2-3` has changed since", CONFIRM)
    );
    let shown = "conventions.md#errors\n--- src/cited.rs:2-3 as cited\n+++ src/cited.rs:3-5 now\n\
                 -two\n+two!\n+and\n three\n";
    // Without a terminal nothing is said in the name of a person who saw nothing.
    let refused = confirm(&sandbox, &[]).expect_code(2);
    assert_eq!(refused.stdout, shown);
    assert!(refused.stderr.contains("give `--yes`"), "{}", refused.stderr);
    let error = confirm(&sandbox, &["--json"]).expect_code(2).json()["error"].clone();
    assert_eq!((&error["code"], &error["hint"]), (&"usage".into(), &"give `--yes`".into()));
    assert_eq!(sandbox.file("conventions.md"), before);
    let said = confirm(&sandbox, &["--yes"]).expect_code(0).stdout;
    assert!(said.starts_with(shown), "{said}");
    assert!(said.contains("  src/cited.rs:2-3 -> src/cited.rs:3-5\n"), "{said}");
    assert!(said.contains("  src/cited.rs:2-3 confidence: inferred -> confirmed\n"), "{said}");
    let blob = sandbox.git(&["hash-object", CITED]);
    let line = format!("<!-- @source: file src/cited.rs:3-5 {} confirmed ", &blob[..12]);
    let after = sandbox.file("conventions.md");
    assert!(after.contains(&line) && !after.contains("cited.rs:2-3"), "{after}");
    assert!(told(&sandbox, &[]).is_empty());
}

#[test]
fn a_person_at_a_terminal_says_yes_or_no() {
    let sandbox = citing(&["src/cited.rs:2-3"]);
    sandbox.write_project(CITED, "one\n2\nthree\n");
    let before = sandbox.file("conventions.md");
    sandbox.git(&["config", "user.name", "Ada"]);
    let ask = |key: &str| {
        let mut terminal = Terminal::run(&sandbox, "confirm errors", 80, &[]);
        let shown = terminal.answer("Is it still true? [y,n]", key);
        assert!(shown.replace('\r', "").contains("-two\n+2\n three\n"), "{shown}");
        terminal.end()
    };
    let (shown, code) = ask("n");
    assert!(shown.contains("nothing was confirmed") && code == 1, "{shown}");
    assert_eq!(sandbox.file("conventions.md"), before);
    let (shown, code) = ask("y");
    assert!(shown.contains("confidence: inferred -> confirmed") && code == 0, "{shown}");
    assert!(told(&sandbox, &[]).is_empty());
}

#[test]
fn a_yes_is_to_the_lines_that_were_shown() {
    let sandbox = citing(&["src/cited.rs:2-3"]);
    sandbox.write_project(CITED, "one\n2\nthree\n");
    let before = sandbox.file("conventions.md");
    sandbox.git(&["config", "user.name", "Ada"]);
    let mut terminal = Terminal::run(&sandbox, "confirm errors", 80, &[]);
    terminal.wait_for("Is it still true? [y,n]");
    sandbox.write_project(CITED, "one\n2\nTHREE\n");
    terminal.press("y");
    let (shown, code) = terminal.end();
    assert!(shown.contains("approval_stale") && code == 1, "{shown}");
    assert_eq!(sandbox.file("conventions.md"), before);
}

#[test]
fn what_did_not_change_is_confirmed_without_a_question() {
    let sandbox = citing(&["src/cited.rs:2-3", "user:grace"]);
    let said = confirm(&sandbox, &[]).expect_code(0).stdout;
    assert!(
        !said.contains("---") && said.contains("grace confidence: inferred -> confirmed"),
        "{said}"
    );
    sandbox.write_project(CITED, format!("zero\n{THEN}"));
    let reply = confirm(&sandbox, &["--json"]).expect_code(0).json();
    let source = &reply["evidence"][0]["sources"][0];
    let words =
        ["ref", "freshness", "now", "confidence"].map(|name| source[name].as_str().unwrap());
    assert_eq!(words, ["src/cited.rs:2-3", "moved", "src/cited.rs:3-4", "confirmed"]);
    assert!(told(&sandbox, &[]).is_empty());
}

#[test]
fn a_request_to_confirm_is_shown_and_asks_nothing() {
    let sandbox = citing(&["src/cited.rs:2-3"]);
    sandbox.write_project(CITED, "one\n2\nthree\n");
    let said = sandbox.run(&["confirm", "errors", "--stage"]).expect_code(0).stdout;
    assert!(said.contains("-two\n+2\n three\n") && said.contains("pending"), "{said}");
}

#[test]
fn a_file_that_is_cited_as_a_whole_is_compared_as_a_whole_and_cut() {
    let sandbox = citing(&[CITED]);
    sandbox.write_project(CITED, "one\r\ntwo\r\nthree\r\nfour\r\nfive\r\n");
    let shown = confirm(&sandbox, &[]).expect_code(2).stdout;
    assert!(shown.contains("now\n two\n three\n four\n+five\n"), "{shown}");
    sandbox.write_project(CITED, "other\n".repeat(300));
    let shown = confirm(&sandbox, &[]).expect_code(2).stdout;
    assert!(shown.ends_with("+other\n… 267 more lines\n"), "{shown}");
    // A file that is no text is not shown; nor is one that git does not have.
    sandbox.write_project(CITED, b"\x00\xff\n");
    let shown = confirm(&sandbox, &[]).expect_code(2).stdout;
    assert!(shown.contains("src/cited.rs: it changed, and is not shown"), "{shown}");
    cite(&sandbox, &[CITED]);
    sandbox.write_project(CITED, "new\n");
    let shown = confirm(&sandbox, &["--yes"]).expect_code(0).stdout;
    assert!(shown.contains("src/cited.rs: it changed; as it was cited it is not known"), "{shown}");
    assert!(told(&sandbox, &[]).is_empty());
}

#[test]
fn a_secret_in_cited_lines_is_not_shown() {
    let sandbox = citing(&["src/cited.rs:2"]);
    let token = ["ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].concat();
    sandbox.write_project(CITED, format!("one\nlet token = \"{token}\";\nthree\nfour\n"));
    let shown = confirm(&sandbox, &[]).expect_code(2).stdout;
    assert!(shown.contains("+let token = \"[withheld: ") && !shown.contains(&token), "{shown}");
}

#[test]
fn a_renamed_file_is_named_and_confirmed() {
    for (cited, now) in [
        ("src/cited.rs:2-3", "src/new place/a.rs:2-3"),
        ("src/cited.rs#L2-L3::name", "src/new place/a.rs#L2-L3::name"),
        ("src/cited.rs", "src/new place/a.rs"),
    ] {
        let sandbox = citing(&[cited, "src/auth/refresh.rs:1"]);
        std::fs::create_dir(sandbox.project().join("src/new place")).unwrap();
        sandbox.git(&["mv", CITED, "src/new place/a.rs"]);
        let message =
            format!("`{cited}` is not in the repository; the same text stands in `{now}`");
        for side in [&[][..], &["--staged"], &["--base", "HEAD"]] {
            assert_eq!(told(&sandbox, side), [[message.clone(), CONFIRM.to_owned()]], "{side:?}");
        }
        let said = run_printed(&sandbox, CONFIRM, "").expect_code(0).stdout;
        assert!(said.contains(&format!("  {cited} -> {now}\n")), "{said}");
        let text = sandbox.file("conventions.md");
        assert!(text.contains(now) && !text.contains(CITED), "{text}");
        assert!(told(&sandbox, &[]).is_empty());
        sandbox.run(&["undo", "--latest", "--approver", "Ada"]).expect_code(0);
        // A file that comes back is what it was.
        sandbox.git(&["mv", "src/new place/a.rs", CITED]);
        assert!(told(&sandbox, &[]).is_empty());
    }
}

#[test]
fn a_renamed_file_is_no_guess() {
    let gone = |sandbox: &Sandbox| {
        let [message, repair] = told(sandbox, &[]).remove(0);
        assert!(!message.contains("same text"), "{message}");
        assert!(repair.contains("--was src/cited.rs:2-3`; or archive"), "{repair}");
        repair
    };
    // Two have the text; none has it; git does not track it; it is empty.
    let sandbox = citing(&["src/cited.rs:2-3"]);
    sandbox.write_project("src/b.rs", THEN);
    sandbox.git(&["add", "--all"]);
    sandbox.git(&["mv", CITED, "src/a.rs"]);
    gone(&sandbox);
    sandbox.write_project("src/a.rs", "other\n");
    let [message, _] = told(&sandbox, &[]).remove(0);
    assert!(message.ends_with("stands in `src/b.rs:2-3`"), "{message}");
    sandbox.git(&["rm", "--quiet", "--force", "src/b.rs"]);
    let repair = gone(&sandbox);
    sandbox.write_project("src/c.rs", THEN);
    gone(&sandbox);
    // A person names where it stands.
    run_printed(&sandbox, &repair, "src/c.rs:2-3").expect_code(0);
    let text = sandbox.file("conventions.md");
    assert!(text.contains("file src/c.rs:2-3 ") && !text.contains(CITED), "{text}");
    assert!(told(&sandbox, &[]).is_empty());
    let sandbox = citing(&[CITED]);
    sandbox.write_project(CITED, "");
    sandbox.write_project("src/other.rs", "");
    sandbox.git(&["add", "--all"]);
    confirm(&sandbox, &["--yes"]).expect_code(0);
    sandbox.git(&["rm", "--quiet", "--force", CITED]);
    assert!(!told(&sandbox, &[])[0][0].contains("same text"));
}

#[test]
fn a_source_that_is_gone_keeps_no_other_from_being_confirmed() {
    let sandbox = citing(&["src/cited.rs:2-3", "src/auth/refresh.rs:1"]);
    sandbox.git(&["rm", "--quiet", CITED]);
    sandbox.write_project("src/auth/refresh.rs", "// other\n");
    let said = confirm(&sandbox, &["--yes"]).expect_code(0);
    assert!(
        said.stderr.contains("`src/cited.rs:2-3` stays as it is: its file is gone"),
        "{}",
        said.stderr
    );
    let text = sandbox.file("conventions.md");
    assert!(text.contains("file src/auth/refresh.rs:1 ") && text.contains(" inferred "), "{text}");
    let found = told(&sandbox, &[]);
    assert_eq!(found.len(), 1, "{found:?}");
    run_printed(&sandbox, &found[0][1], "src/auth/refresh.rs:1").expect_code(0);
    assert!(told(&sandbox, &[]).is_empty());
}

#[test]
fn what_no_place_can_be_is_replaced_too() {
    let sandbox = with_conventions();
    for was in ["../x.rs:1", "src/cited.rs:0", "src/no.rs"] {
        let source = format!("<!-- @source: file {was} 0123456789ab confirmed 2026-11-20 -->");
        let text = format!("# C\n\n## Errors\n<!-- @id: errors -->\n{source}\n\nx\n");
        sandbox.write("conventions.md", text);
        let repair = told(&sandbox, &[]).remove(0)[1].clone();
        run_printed(&sandbox, &repair, "src/auth/refresh.rs:1").expect_code(0);
        assert!(told(&sandbox, &[]).is_empty(), "{was}");
    }
}

#[test]
fn only_a_source_of_the_section_is_replaced_and_only_if_it_is_gone() {
    let sandbox = citing(&["src/cited.rs:2-3"]);
    let cite = |more: &[&str]| {
        sandbox.run(&[&["cite", "errors", "--approver", "Ada", "--json"], more].concat())
    };
    let reason = |reply: Reply| {
        let reply = reply.expect_code(1).json();
        assert!(reply.to_string().contains("\"provenance_violation\""), "{reply}");
        reply.to_string()
    };
    let message = reason(cite(&["src/auth/refresh.rs:1", "--was", "src/other.rs:1"]));
    assert!(message.contains("is no file that `errors` cites"), "{message}");
    let message = reason(cite(&["src/auth/refresh.rs:1", "--was", "src/cited.rs:2-3"]));
    assert!(
        message.contains("neither lines of the same file nor a file that is gone"),
        "{message}"
    );
    reason(cite(&["user:ada", "--was", "src/cited.rs:2-3"]));
    cite(&["user:ada", CITED, "--was", "src/cited.rs:2-3"]).expect_code(2);
    cite(&["src/cited.rs:1", "--was", "src/cited.rs:2-3"]).expect_code(0);
    assert!(!sandbox.file("conventions.md").contains("cited.rs:2-3"));
}

#[test]
fn lines_that_were_taken_out_are_not_confirmed_as_others() {
    let sandbox = citing(&["src/cited.rs:2-3"]);
    sandbox.write_project(CITED, "one\nfour\nfive\n");
    let before = sandbox.file("conventions.md");
    let said = confirm(&sandbox, &["--yes"]).expect_code(1).stderr;
    assert!(said.contains("its lines were taken out of the file"), "{said}");
    assert_eq!(sandbox.file("conventions.md"), before);
    let hint = said.lines().find(|line| line.starts_with("hint: ")).unwrap();
    run_printed(&sandbox, hint, "src/cited.rs:1").expect_code(0);
    assert!(told(&sandbox, &[]).is_empty());
}

/// Git has no text of a file that was cited before it was added.
#[test]
fn what_was_cited_before_its_first_commit_is_told_as_far_as_it_is_known() {
    let fresh = with_conventions();
    fresh.write_project(CITED, THEN);
    cite(&fresh, &["src/cited.rs:2-3"]);
    fresh.commit("as it was cited");
    fresh.write_project(CITED, format!("{THEN}five\n"));
    fresh.commit("a line below");
    assert!(told(&fresh, &[]).is_empty());

    let sandbox = with_conventions();
    sandbox.write_project(CITED, THEN);
    cite(&sandbox, &["src/cited.rs:2-3"]);
    sandbox.write_project(CITED, format!("{THEN}five\n"));
    sandbox.commit("another text");
    let not_known =
        "the file of `src/cited.rs:2-3` has changed since; whether these lines did is not known";
    for side in [&[][..], &["--staged"]] {
        assert_eq!(told(&sandbox, side), [[not_known, CONFIRM]], "{side:?}");
    }
    let shown = confirm(&sandbox, &["--yes"]).expect_code(0).stdout;
    assert!(
        shown.contains("as cited: not known\n+++ src/cited.rs:2-3 now\n+two\n+three\n"),
        "{shown}"
    );
    assert!(told(&sandbox, &[]).is_empty());
    // From here on git has the text.
    sandbox.write_project(CITED, format!("{THEN}five\nsix\n"));
    assert!(told(&sandbox, &[]).is_empty());
    // Too few lines are left to confirm any.
    cite(&sandbox, &["src/cited.rs:5-6"]);
    sandbox.write_project(CITED, "two\nthree\n");
    let said = confirm(&sandbox, &["--yes"]).expect_code(0).stderr;
    assert!(said.contains("`src/cited.rs:5-6` stays as it is: its file ends before"), "{said}");
}

#[test]
fn a_section_that_is_edited_cites_the_renamed_file() {
    let sandbox = citing(&["src/cited.rs:2-3"]);
    sandbox.git(&["mv", CITED, "src/new.rs"]);
    let edit = sandbox.call(&["edit", "conventions.md#errors", "--approver", "Ada"]);
    edit.env("GIT_EDITOR", "printf 'More.\\n' >>").run().expect_code(0);
    assert!(sandbox.file("conventions.md").contains("file src/new.rs:2-3 "));
}
