//! Git ignores what the store wants in git: a part of it is an error, all of it a choice.

use serde_json::json;

use crate::cli_commit::{commit, expect_nothing, head, waiting};
use crate::requests::{
    TELLING, convention, new_body, session, two_files, with_founded_conventions,
};
use crate::support::Sandbox;

/// Expects that every verb names the rule by which git ignores modules.
#[track_caller]
fn expect_told(sandbox: &Sandbox, rule: &str) {
    let answer = sandbox.propose(two_files()).rejected("denied_by_policy");
    let message = answer["message"].to_string();
    assert!(message.contains(rule) && message.contains("modules/auth.md"), "{message}");
    assert!(!sandbox.has("modules/auth.md"));
    let init = sandbox.run(&["init"]).expect_code(2).stderr;
    assert!(init.contains(rule) && init.contains("hint:"), "{init}");
    let check = sandbox.run(&["check"]).expect_code(1).stdout;
    assert!(check.contains(rule) && check.contains("[tracked-ignored]"), "{check}");
    let doctor = sandbox.run(&["doctor"]).expect_code(1).stdout;
    assert!(doctor.contains(rule) && doctor.contains("hint:"), "{doctor}");
    // Other categories go on.
    let id = sandbox.propose(convention("Dates", "They are ISO 8601.")).staged();
    sandbox.apply(&id).applied();
}

#[test]
fn a_rule_is_named_whatever_file_it_is_in() {
    let sandbox = Sandbox::new();
    sandbox.write_project(".gitignore", "# built\nmodules/\n");
    expect_told(&sandbox, "`.gitignore` line 2 says `modules/`");
    let sandbox = Sandbox::new();
    sandbox.write_project(".git/info/exclude", "**/modules/*.md\n");
    expect_told(&sandbox, "`.git/info/exclude` line 1 says `**/modules/*.md`");
    let sandbox = Sandbox::new();
    sandbox.write_project("../ignore", "*.md\n!conventions.md\n!decisions.md\n");
    sandbox.git(&["config", "core.excludesFile", "../ignore"]);
    expect_told(&sandbox, "line 1 says `*.md`");
    let sandbox = Sandbox::new();
    sandbox.write(".gitignore", sandbox.file(".gitignore") + "/modules/a*\n/modules/net.md\n");
    sandbox.propose(two_files()).rejected("denied_by_policy");
}

#[test]
fn settings_and_refusals_that_git_ignores_are_told_too() {
    for (pattern, file) in [
        ("*.toml", "config.toml"),
        ("schemas/", "schemas/"),
        ("rejections/", "rejections/"),
        (".git*", ".gitignore"),
    ] {
        let sandbox = Sandbox::new();
        sandbox.write_project(".git/info/exclude", format!("{pattern}\n"));
        let check = sandbox.run(&["check"]).expect_code(1).stdout;
        assert!(check.contains(&format!("git ignores `{file}`")), "{pattern}: {check}");
        sandbox.run(&["doctor"]).expect_code(1);
        let init = sandbox.run(&["init"]).expect_code(2).stderr;
        assert!(init.contains(&format!("`{file}`: ")), "{pattern}: {init}");
    }
}

#[test]
fn a_store_below_the_top_is_asked_by_its_whole_path() {
    let sandbox = Sandbox::without_store();
    sandbox.write_project("web/keep", "");
    sandbox.write_project(".gitignore", "/web/.agent-memory/modules/\n");
    let init = sandbox.call(&["init", "--root", "."]).within("web").run().expect_code(2).stderr;
    assert!(init.contains("`.gitignore` line 1"), "{init}");
    assert!(!sandbox.project().join("web/.agent-memory").exists(), "nothing is left half made");
}

#[test]
fn a_file_that_git_keeps_already_or_a_rule_lets_through_is_not_ignored() {
    let (sandbox, _) = waiting();
    let id = sandbox.propose(two_files()).staged();
    commit(&sandbox, &id).applied();
    sandbox
        .write_project(".gitignore", ".agent-memory/modules/*\n!.agent-memory/modules/jobs.md\n");
    let more = |name: &str| {
        let mut request = two_files();
        request["operations"] = json!([{
            "operation": "append_section", "path": format!("modules/{name}.md"),
            "heading": "More", "content": "There is more to say about it.",
        }]);
        sandbox.propose(request)
    };
    more("auth").staged();
    more("jobs").staged();
    more("web").rejected("denied_by_policy");
}

#[test]
fn what_became_ignored_while_it_was_pending_is_not_applied() {
    let (sandbox, _) = waiting();
    let id = sandbox.propose(two_files()).staged();
    sandbox.write_project(".gitignore", "modules/\n");
    let before = sandbox.tree();
    for more in [&[][..], &["--commit"]] {
        let apply = [&["apply", &id, "--approver", "Ada", "--json"][..], more].concat();
        sandbox.run(&apply).answer().rejected("denied_by_policy");
    }
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn a_change_that_brings_such_a_rule_does_not_pass_the_check() {
    let sandbox = with_founded_conventions();
    sandbox.write("pitfalls.md", "# Pitfalls\n");
    sandbox.commit("the store");
    sandbox.git(&["checkout", "--quiet", "-b", "topic"]);
    sandbox.write_project(".gitignore", "pitfalls.md\n");
    sandbox.git(&["rm", "--cached", "--quiet", ".agent-memory/pitfalls.md"]);
    sandbox.commit("ignore");
    let said = sandbox.run(&["check", "--base", "main"]).expect_code(1).stdout;
    assert!(said.contains("schemas/pitfalls.toml") && said.contains("tracked-ignored"), "{said}");
}

#[test]
fn what_the_schemas_leave_to_one_machine_may_be_ignored() {
    let sandbox = Sandbox::new();
    sandbox.write_project(".gitignore", "sessions/\nlocal/\n");
    sandbox.propose(session("Today", "Done.")).applied();
    sandbox.run(&["check"]).expect_code(0);
    // A schema that wants them in git makes it an error.
    let schema = sandbox.file("schemas/sessions.toml").replace("tracked = false", "tracked = true");
    sandbox.write("schemas/sessions.toml", schema);
    let said = sandbox.run(&["check"]).expect_code(1).stdout;
    assert!(said.contains("schemas/sessions.toml") && said.contains("tracked-ignored"), "{said}");
}

#[test]
fn a_store_that_is_ignored_as_a_whole_is_noted_once_and_never_committed() {
    let sandbox = Sandbox::without_store();
    sandbox.write_project(".gitignore", ".agent-memory/\n");
    let init = sandbox.run(&["init"]).expect_code(0).stderr;
    assert!(init.contains("git ignores all memory of the store: `.gitignore` line 1"), "{init}");
    let doctor = sandbox.run(&["doctor"]).expect_code(0).stdout;
    assert_eq!(doctor.matches("git ignores").count(), 1, "{doctor}");
    sandbox.run(&["check"]).expect_code(0);
    sandbox.write_project("src/a.rs", "// a\n");
    sandbox.commit("the rest");
    let id = sandbox.propose(convention("Errors", TELLING)).staged();
    expect_nothing(&sandbox, &id, "git ignores all memory of the store");
    let before = head(&sandbox);
    assert_eq!(sandbox.apply(&id).applied()["warnings"], json!([]));
    assert_eq!(head(&sandbox), before);
}

#[test]
fn all_categories_ignored_one_by_one_are_the_whole_store() {
    let sandbox = with_founded_conventions();
    sandbox.write_project(".git/info/exclude", "*.md\n");
    sandbox.git(&["rm", "-r", "--cached", "--quiet", "--ignore-unmatch", ".agent-memory"]);
    sandbox.propose(new_body("errors", "They name a line.")).staged();
    let doctor = sandbox.run(&["doctor"]).expect_code(0).stdout;
    assert!(doctor.contains("git ignores all memory of the store"), "{doctor}");
}

#[test]
fn without_a_repository_nothing_is_said_and_without_git_that_it_is_not_known() {
    let sandbox = Sandbox::without_git();
    sandbox.write_project(".gitignore", "modules/\n");
    let init = sandbox.run(&["init"]).expect_code(0).stderr;
    assert!(!init.contains("ignores"), "{init}");
    let answer = sandbox.propose(two_files());
    assert_eq!(answer["warnings"], json!([]));
    let sandbox = Sandbox::new();
    sandbox.write_project(".gitignore", "modules/\n");
    let propose = sandbox.call(&["propose"]).env("PATH", "/nowhere").stdin(two_files().to_string());
    let warnings = propose.run().answer()["warnings"].to_string();
    assert!(warnings.contains("whether git ignores it is not known"), "{warnings}");
}
