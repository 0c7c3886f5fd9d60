//! Who may approve: a person, and nothing that comes with a repository says otherwise.

use std::fs;
use std::path::{Path, PathBuf};

use crate::requests::convention;
use crate::support::{Answer, Sandbox, Terminal, write_user_config};

/// Settings that would let everything approve.
const ALL: &str = "[approval]\nallow_agents = true\nwithout_terminal = true\n";

fn pending(sandbox: &Sandbox) -> String {
    sandbox.propose(convention("Errors", "Name the path.")).staged()
}

/// Writes settings that would let everything approve, and returns the folder.
fn settings_at(sandbox: &Sandbox, folder: &str) -> PathBuf {
    let folder = sandbox.root().join(folder);
    write_user_config(&folder, ALL);
    folder
}

/// Approves with `XDG_CONFIG_HOME` at a folder, as an agent that is known or as one that is not.
fn apply_by(agent: &str, sandbox: &Sandbox, settings: &Path) -> Answer {
    let call = sandbox.call(&["apply", "--latest", "--approver", "Ada", "--json"]);
    let call = call.env("XDG_CONFIG_HOME", &settings.display().to_string());
    call.env("CLAUDECODE", agent).run().answer()
}

/// Expects that settings below a folder do not count, as they lie in another one.
#[track_caller]
fn expect_inside(sandbox: &Sandbox, settings: &Path, around: &Path) {
    let around = fs::canonicalize(around).unwrap();
    for agent in ["1", ""] {
        let answer = apply_by(agent, sandbox, settings).rejected("approval_refused");
        let hint = answer["hint"].as_str().unwrap();
        let file = settings.join("agent-memory/config.toml");
        let said = format!("`{}` is ignored", file.display());
        assert!(hint.contains(&said), "{hint}");
        assert!(hint.contains(&format!("it is inside `{}`,", around.display())), "{hint}");
        assert!(hint.contains("XDG_CONFIG_HOME"), "{hint}");
    }
}

#[test]
fn without_a_terminal_a_name_alone_is_not_believed() {
    let sandbox = Sandbox::new();
    let id = pending(&sandbox);
    sandbox.write_user_config("");
    let reply = sandbox.run(&["apply", &id, "--approver", "Ada"]).expect_code(1);
    insta::assert_snapshot!(reply.stderr, @r"
    refused: `apply` needs a person at a terminal [approval_refused]
    hint: ask the person to run it in a terminal of their own; elsewhere `--approver NAME` counts only if their own configuration outside of the repository says `without_terminal = true` under `[approval]`
    ");
    assert!(sandbox.has(&format!("staging/{id}")));
    let log = sandbox.run(&["log", "--json"]).expect_code(0).json();
    let line = &log["decisions"][0];
    assert_eq!((&line["decision"], &line["approver"]), (&"refused".into(), &().into()), "{line}");
}

#[test]
fn every_verb_that_approves_asks_for_the_terminal() {
    let sandbox = Sandbox::new();
    let id = pending(&sandbox);
    sandbox.apply(&id).applied();
    let other = sandbox.propose(convention("Paths", "Use forward slashes.")).staged();
    sandbox.run(&["reject", &other, "--approver", "Ada"]).expect_code(0);
    let third = sandbox.propose(convention("Dates", "They are ISO 8601.")).staged();
    sandbox.write_user_config("");
    sandbox.write_project("../notes/auth.md", "# Auth\n\n## Tokens\n\nx\n");
    let digest = "0".repeat(64);
    for command in [
        &["apply", &third][..],
        &["apply", "--all"],
        &["undo", &id],
        &["restore", &other],
        &["rebase", &third, "--digest", &digest],
        &["secrets", "allow", "0123456789abcdef", "--reason", "an example"],
        &["init", "--from", "../notes"],
    ] {
        let before = sandbox.tree();
        let command = [command, &["--approver", "Ada", "--json"]].concat();
        sandbox.run(&command).answer().rejected("approval_refused");
        assert!(sandbox.tree() == before, "{command:?}");
    }
}

#[test]
fn at_a_terminal_a_person_needs_no_settings() {
    let sandbox = Sandbox::new();
    pending(&sandbox);
    sandbox.write_user_config("");
    let (shown, code) = Terminal::run(&sandbox, "apply --latest --approver Grace", 80, &[]).end();
    assert_eq!(code, 0, "{shown}");
}

#[test]
fn the_word_for_commands_without_a_terminal_is_none_for_agents() {
    let sandbox = Sandbox::new();
    pending(&sandbox);
    for variable in [
        "AGENT",
        "CLINE_ACTIVE",
        "CODEX_CI",
        "GOOSE_TERMINAL",
        "KILO_PID",
        "QWEN_CODE",
        "TRAE_AI_SHELL_ID",
    ] {
        let call = sandbox.call(&["apply", "--latest", "--approver", "Ada", "--json"]);
        let answer = call.env(variable, "goose").run().answer().rejected("approval_refused");
        assert!(answer["message"].as_str().unwrap().contains(variable), "{}", answer.value);
        let at_terminal = "apply --latest --approver Ada";
        let (shown, code) = Terminal::run(&sandbox, at_terminal, 80, &[(variable, "1")]).end();
        assert!(code == 1 && shown.contains("approval_refused"), "{shown}");
    }
}

#[test]
fn settings_at_the_top_of_the_repository_do_not_count_for_a_store_below() {
    let mut sandbox = Sandbox::without_store();
    sandbox.run(&["init", "--root", "src"]).expect_code(0);
    sandbox.set_env("AGENT_MEMORY_ROOT", "src");
    pending(&sandbox);
    expect_inside(&sandbox, &settings_at(&sandbox, "project/.cfg"), &sandbox.project());
}

#[test]
fn settings_in_the_store_do_not_count_without_git_either() {
    let sandbox = Sandbox::without_git();
    sandbox.run(&["init"]).expect_code(0);
    pending(&sandbox);
    let settings = settings_at(&sandbox, "project/.agent-memory/local");
    expect_inside(&sandbox, &settings, &sandbox.project());
}

#[test]
fn settings_in_another_worktree_do_not_count() {
    let mut sandbox = Sandbox::new();
    sandbox.commit("the store");
    sandbox.git(&["worktree", "add", "--quiet", "-b", "topic", "../topic"]);
    sandbox.git(&["worktree", "add", "--quiet", "-b", "gone", "../gone"]);
    fs::remove_dir_all(sandbox.root().join("gone")).unwrap();
    let topic = sandbox.root().join("topic");
    pending(&sandbox);
    expect_inside(&sandbox, &settings_at(&sandbox, "topic/.cfg"), &topic);
    // As git writes it with `worktree.useRelativePaths`.
    let listed = sandbox.project().join(".git/worktrees/topic/gitdir");
    fs::write(listed, "../../../../topic/.git\n").unwrap();
    expect_inside(&sandbox, &sandbox.root().join("topic/.cfg"), &topic);
    sandbox.set_env("AGENT_MEMORY_ROOT", &topic.display().to_string());
    pending(&sandbox);
    expect_inside(&sandbox, &settings_at(&sandbox, "project/.cfg"), &sandbox.project());
    expect_inside(&sandbox, &settings_at(&sandbox, "project/.git/cfg"), &sandbox.project());
}

#[test]
fn a_home_in_another_worktree_of_a_bare_repository_is_nobodys_own() {
    let mut sandbox = Sandbox::new();
    sandbox.commit("the store");
    sandbox.git(&["clone", "--quiet", "--bare", ".", "../bare.git"]);
    for name in ["one", "two"] {
        let folder = format!("../{name}");
        let add = ["worktree", "add", "--quiet", "-b", name, &folder];
        sandbox.git(&[&["--git-dir=../bare.git"][..], &add].concat());
    }
    let home = sandbox.root().join("two");
    write_user_config(&home.join(".config"), ALL);
    sandbox.set_env("AGENT_MEMORY_ROOT", &sandbox.root().join("one").display().to_string());
    sandbox.set_env("HOME", &home.display().to_string());
    pending(&sandbox);
    let call = sandbox.call(&["apply", "--latest", "--approver", "Ada", "--json"]);
    let answer = call.env("XDG_CONFIG_HOME", "").run().answer().rejected("approval_refused");
    let hint = answer["hint"].as_str().unwrap();
    assert!(hint.contains("is ignored"), "{hint}");
}

#[test]
fn settings_of_a_superproject_do_not_count_in_its_submodule() {
    let mut sandbox = Sandbox::without_store();
    let library = Sandbox::new();
    library.commit("the store");
    let address = library.project().display().to_string();
    let add = ["submodule", "--quiet", "add", &address, "vendor/library"];
    sandbox.git(&[&["-c", "protocol.file.allow=always"][..], &add].concat());
    sandbox.commit("a submodule");
    sandbox.git(&["worktree", "add", "--quiet", "-b", "topic", "../topic"]);
    sandbox.set_env("AGENT_MEMORY_ROOT", "vendor/library");
    pending(&sandbox);
    expect_inside(&sandbox, &settings_at(&sandbox, "project/.cfg"), &sandbox.project());
    expect_inside(&sandbox, &settings_at(&sandbox, "topic/.cfg"), &sandbox.root().join("topic"));
}

#[test]
fn a_home_that_is_a_work_tree_needs_settings_elsewhere() {
    let sandbox = Sandbox::new();
    let id = pending(&sandbox);
    fs::create_dir(sandbox.root().join(".git")).unwrap();
    expect_inside(&sandbox, &settings_at(&sandbox, "config"), sandbox.root());
    let outside = tempfile::tempdir().unwrap();
    write_user_config(outside.path(), ALL);
    let applied = apply_by("", &sandbox, outside.path()).applied();
    assert_eq!(applied["proposal_id"], id.as_str());
}

#[test]
fn another_name_for_a_folder_of_the_repository_is_no_way_out_of_it() {
    let mut sandbox = Sandbox::new();
    pending(&sandbox);
    let inside = settings_at(&sandbox, "project/.cfg");
    let (project, root) = (sandbox.project(), sandbox.root().to_owned());
    expect_inside(&sandbox, &root.join("config/../project/.cfg"), &project);
    // `GIT_DIR` would have git speak of another repository.
    let other = Sandbox::without_store();
    sandbox.set_env("GIT_DIR", &other.project().join(".git").display().to_string());
    sandbox.set_env("GIT_WORK_TREE", &other.project().display().to_string());
    expect_inside(&sandbox, &inside, &project);
}

#[test]
#[cfg(unix)]
fn a_link_counts_where_it_stands_and_where_it_leads() {
    use std::os::unix::fs::symlink;
    let sandbox = Sandbox::new();
    pending(&sandbox);
    let (project, root) = (sandbox.project(), sandbox.root().to_owned());
    settings_at(&sandbox, "project/.cfg");
    symlink("project/.cfg", root.join("folder")).unwrap();
    expect_inside(&sandbox, &root.join("folder"), &project);
    fs::create_dir_all(root.join("file/agent-memory")).unwrap();
    let file = "../../project/.cfg/agent-memory/config.toml";
    symlink(file, root.join("file/agent-memory/config.toml")).unwrap();
    expect_inside(&sandbox, &root.join("file"), &project);
    // What the repository links to may be of another user.
    settings_at(&sandbox, "elsewhere");
    symlink("../elsewhere", project.join("out")).unwrap();
    expect_inside(&sandbox, &project.join("out"), &project);
    symlink("project/out", root.join("round")).unwrap();
    expect_inside(&sandbox, &root.join("round"), &project);
}

#[test]
#[cfg(unix)]
fn settings_kept_in_a_repository_of_their_own_count() {
    let sandbox = Sandbox::new();
    pending(&sandbox);
    let dotfiles = settings_at(&sandbox, "dotfiles");
    fs::create_dir(dotfiles.join(".git")).unwrap();
    std::os::unix::fs::symlink("dotfiles", sandbox.root().join("mine")).unwrap();
    apply_by("1", &sandbox, &sandbox.root().join("mine")).applied();
}

#[test]
fn a_home_that_is_relative_is_none() {
    let sandbox = Sandbox::new();
    pending(&sandbox);
    write_user_config(&sandbox.root().join(".config"), ALL);
    let call = sandbox.call(&["apply", "--latest", "--approver", "Ada", "--json"]);
    let call = call.env("XDG_CONFIG_HOME", "").env("HOME", "..");
    call.run().answer().rejected("approval_refused");
}

#[test]
fn every_variable_of_agents_is_explained() {
    let list = fs::read_to_string(crate::support::folder("src/cli/environment.rs")).unwrap();
    let clients = fs::read_to_string(crate::support::folder("docs/clients.md")).unwrap();
    let list = list.split("const AGENTS").nth(1).unwrap().split("];").next().unwrap();
    let names: Vec<&str> =
        list.split("(\"").skip(1).map(|row| row.split('"').next().unwrap()).collect();
    assert!(names.len() > 20 && names.is_sorted(), "{names:?}");
    for name in names {
        assert!(clients.contains(&format!("`{name}`")), "docs/clients.md lacks `{name}`");
    }
}

/// A folder of notes beside a store that has a decision already.
fn with_notes() -> Sandbox {
    let sandbox = Sandbox::new();
    let text = "# Decisions\n\n## Ship\n<!-- @id: ship -->\n\nOn Fridays.\n";
    sandbox.write_project("../notes/decisions.md", text);
    sandbox.write_project("../notes/modules/deploy.md", "# Deploy\n\n## Steps\n\nPush.\n");
    sandbox
}

#[test]
fn notes_come_into_a_store_by_a_person_only() {
    let sandbox = with_notes();
    let before = sandbox.tree();
    let adopt = ["init", "--from", "../notes", "--approver", "Ada", "--json"];
    for agent in ["CLAUDECODE", "AGENT"] {
        sandbox.call(&adopt).env(agent, "1").run().answer().rejected("approval_refused");
    }
    sandbox.run(&["init", "--from", "../notes", "--json"]).answer().rejected("approval_refused");
    // To look is free.
    let dry = sandbox.call(&["init", "--from", "../notes", "--dry-run"]).env("CLAUDECODE", "1");
    assert!(dry.run().expect_code(0).stdout.contains("would adopt decisions.md"));
    assert!(sandbox.tree() == before);
    let log = sandbox.run(&["log", "--json"]).expect_code(0).json();
    assert!(log.to_string().contains("`init --from` needs a person"), "{log}");
}

#[test]
fn a_store_without_its_settings_is_there_all_the_same() {
    let sandbox = with_notes();
    for path in ["config.toml", "conventions.md", ".gitignore"] {
        fs::remove_file(sandbox.store().join(path)).unwrap();
        let call = sandbox.call(&["init", "--from", "../notes", "--json"]).env("CLAUDECODE", "1");
        call.run().answer().rejected("approval_refused");
    }
    assert!(!sandbox.has("modules/deploy.md"));
}

#[test]
fn notes_that_come_into_a_store_are_one_logged_change() {
    let sandbox = with_notes();
    let before = sandbox.tree();
    let adopt = ["init", "--from", "../notes", "--approver", "Ada", "--json"];
    let answer = sandbox.run(&adopt).expect_code(0).json();
    let id = answer["proposal_id"].as_str().unwrap();
    let log = sandbox.run(&["log", "--json"]).expect_code(0).json();
    let line = &log["decisions"][0];
    assert_eq!((&line["decision"], &line["approver"]), (&"applied".into(), &"Ada".into()), "{log}");
    assert_eq!(line["reason"], "init --from ../notes");
    let sections: Vec<_> = line["sections"].as_array().unwrap().iter().collect();
    assert_eq!((sections.len(), &sections[0]["section_id"]), (2, &"ship".into()), "{log}");
    assert_eq!(sections[1]["file"], "modules/deploy.md");
    let blamed = sandbox.run(&["blame", "modules/deploy.md", "--json"]).expect_code(0).stdout;
    assert!(blamed.contains(r#""approver":"Ada""#) && blamed.contains(id), "{blamed}");
    let diff = sandbox.run(&["log", "-p"]).expect_code(0).stdout;
    assert!(diff.contains("+On Fridays.") && diff.contains("+Push."), "{diff}");
    sandbox.run(&["log", "--verify"]).expect_code(0);
    sandbox.run(&["check", "--allow", "provenance-missing"]);
    // A second run finds everything in its place, and logs nothing.
    let again = sandbox.run(&adopt).expect_code(0).json();
    assert_eq!(again.get("proposal_id"), None, "{again}");
    sandbox.run(&["undo", id, "--approver", "Ada"]).expect_code(0);
    let mut after = sandbox.tree();
    // The same notes get the same names when they come again.
    assert!(after.remove("adopted.jsonl").is_some());
    assert_eq!(before, after);
    sandbox.run(&["doctor"]).expect_code(0);
    let again = sandbox.run(&adopt).expect_code(0).json();
    assert_eq!(again["created"], serde_json::json!(["decisions.md", "modules/deploy.md"]));
}

#[test]
fn a_new_store_takes_notes_without_a_person() {
    let sandbox = Sandbox::without_store();
    sandbox.write_project("../notes/auth.md", "# Auth\n\n## Tokens\n\nx\n");
    let call = sandbox.call(&["init", "--from", "../notes", "--json"]).env("CLAUDECODE", "1");
    let answer = call.run().expect_code(0).json();
    assert_eq!(answer.get("proposal_id"), None);
    assert!(sandbox.has("modules/auth.md"));
}

#[test]
fn notes_of_the_store_itself_get_their_ids_by_a_person_too() {
    let sandbox = Sandbox::new();
    sandbox.write("decisions.md", "# Decisions\n\n## By hand\n\nx\n");
    let adopt = ["init", "--from", ".agent-memory", "--json"];
    sandbox.call(&adopt).env("AGENT", "goose").run().answer().rejected("approval_refused");
    let answer = sandbox.run(&[&adopt[..], &["--approver", "Ada"]].concat()).expect_code(0).json();
    assert!(sandbox.file("decisions.md").contains("<!-- @id: by-hand -->"), "{answer}");
    let id = answer["proposal_id"].as_str().unwrap();
    sandbox.run(&["undo", id, "--approver", "Ada"]).expect_code(0);
    assert!(!sandbox.file("decisions.md").contains("by-hand"));
}

#[test]
fn a_no_without_a_person_is_no_more_than_a_proposal_taken_back() {
    let sandbox = Sandbox::new();
    sandbox.git(&["config", "user.name", "Ada"]);
    let id = pending(&sandbox);
    sandbox.write_user_config("");
    let named = ["reject", &id, "--approver", "Ada", "--json"];
    sandbox.run(&named).answer().rejected("approval_refused");
    let said = sandbox.run(&["reject", &id]).expect_code(0).stdout;
    assert!(said.contains("its text may be proposed again"), "{said}");
    let log = sandbox.run(&["log", "--json"]).expect_code(0).json();
    assert_eq!(log["decisions"][0]["approver"], "unknown", "{log}");
    pending(&sandbox);
}
