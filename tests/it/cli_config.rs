//! `config`: the settings of a store, read and written by name.

use serde_json::json;

use crate::support::{Reply, Sandbox};

fn set(sandbox: &Sandbox, key: &str, value: &str) -> Reply {
    sandbox.run(&["config", "set", key, value, "--approver", "Ada", "--json"])
}

#[test]
fn a_setting_is_the_default_until_it_is_set() {
    let sandbox = Sandbox::new();
    let get = |key: &str| sandbox.run(&["config", "get", key]).expect_code(0).stdout;
    assert_eq!(get("staging.max_open"), "50\n");
    let answer = set(&sandbox, "staging.max_open", "7").expect_code(0).json();
    let expected = (json!("set"), json!(7), json!(true));
    let found = (answer["status"].clone(), answer["value"].clone(), answer["changed"].clone());
    assert_eq!(found, expected);
    assert_eq!(get("staging.max_open"), "7\n");
    // The comment behind it stays.
    let text = sandbox.file("config.toml");
    assert!(text.contains("max_open = 7     # how many may be pending at once"), "{text}");
    let all = sandbox.run(&["config", "get"]).expect_code(0).stdout;
    assert!(all.contains("staging.max_open = 7\n"), "{all}");
    assert!(all.contains("staging.ttl_days = 7  default\n"), "{all}");
    assert!(!all.contains("salt"), "{all}");
    let log = sandbox.run(&["log"]).expect_code(0).stdout;
    assert!(log.contains("setting staging.max_open: 7") && log.contains("Ada"), "{log}");
}

#[test]
fn a_setting_without_effect_is_told_where_it_is_written_and_by_every_check() {
    let sandbox = Sandbox::new();
    for key in ["routing.categories.decisions", "routing.intents.record_decision"] {
        let answer = set(&sandbox, key, "apply").expect_code(0).json();
        let expected = format!(
            "`{key} = \"apply\"` has no effect: `decisions.approval.default = \"stage\"` is stricter, and the strictest counts"
        );
        assert_eq!(answer["warnings"], json!([expected]));
        for command in ["check", "doctor"] {
            let said = sandbox.run(&[command]).expect_code(0).stdout;
            assert!(said.contains(&expected), "{command}: {said}");
        }
        // It may become an error.
        let deny = ["check", "--deny", "setting-without-effect"];
        assert!(sandbox.run(&deny).expect_code(1).stdout.contains("config.toml"));
    }
}

#[test]
fn a_setting_that_decides_or_says_what_holds_is_set_without_a_word() {
    let sandbox = Sandbox::new();
    for (key, value) in [
        ("routing.intents.session_log", "stage"),
        ("routing.categories.pitfalls", "stage"),
        ("routing.operations.remove_section", "deny"),
    ] {
        let answer = set(&sandbox, key, value).expect_code(0).json();
        assert_eq!(answer["warnings"], json!([]), "{key}");
    }
    let said = sandbox.run(&["check"]).expect_code(0).stdout;
    assert!(!said.contains("setting-without-effect"), "{said}");
}

#[test]
fn what_is_set_already_changes_no_byte() {
    let sandbox = Sandbox::new();
    let before = sandbox.tree();
    let answer = set(&sandbox, "staging.track", "false").expect_code(0).json();
    assert_eq!(answer["changed"], false);
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn a_queue_in_git_is_no_longer_ignored_and_back() {
    let sandbox = Sandbox::new();
    let is_ignored = || sandbox.file(".gitignore").contains("/staging/");
    assert!(is_ignored());
    set(&sandbox, "staging.track", "true").expect_code(0);
    assert!(!is_ignored() && sandbox.has("decided/.keep"));
    set(&sandbox, "staging.track", "false").expect_code(0);
    assert!(is_ignored());
}

#[test]
fn what_is_no_setting_or_no_value_is_refused() {
    let sandbox = Sandbox::new();
    let before = sandbox.file("config.toml");
    for (key, value, expected) in [
        ("staging.trak", "true", "did you mean `staging.track`?"),
        ("staging.track", "often", "expected true or false"),
        ("staging.max_open", "0", "from 1 to 10000"),
        ("routing.intents.sesion_log", "stage", "did you mean `session_log`?"),
        ("routing.intents.session_log", "never", "allowed are `apply`, `stage`, `deny`"),
        ("secrets.salt", "0", "there is no setting `secrets.salt`"),
        ("secrets.allow", "0", "secrets allow"),
        ("staging", "5", "there is no setting `staging`"),
        ("routing.categories.pitfals", "stage", "there is no category `pitfals`"),
        ("check.deny", "prov-missing", "no rule `prov-missing`"),
        ("routing.", "5", "known are `categories`"),
    ] {
        let answer = set(&sandbox, key, value).expect_code(1).json();
        assert!(answer["error"].to_string().contains(expected), "{key}: {answer}");
    }
    sandbox.run(&["config", "get", "staging.trak"]).expect_code(1);
    assert_eq!(sandbox.file("config.toml"), before);
}

#[test]
fn a_list_and_a_rule_can_be_set() {
    let sandbox = Sandbox::new();
    set(&sandbox, "secrets.pii", "email,phone").expect_code(0);
    set(&sandbox, "routing.intents.session_log", "stage").expect_code(0);
    let config = sandbox.file("config.toml");
    assert!(config.contains("pii = [\"email\", \"phone\"]          # personal data"), "{config}");
    sandbox.propose(crate::requests::session("Today", "Done.")).staged();
}

#[test]
fn an_agent_changes_no_setting() {
    let sandbox = Sandbox::new();
    let before = sandbox.file("config.toml");
    let call = sandbox.call(&["config", "set", "staging.track", "true", "--approver", "Ada"]);
    let reply = call.env("CLAUDECODE", "1").run().expect_code(1);
    assert!(reply.stderr.contains("approval_refused"), "{}", reply.stderr);
    assert_eq!(sandbox.file("config.toml"), before);
}
