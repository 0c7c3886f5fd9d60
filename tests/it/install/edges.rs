//! What `install` says without writing, what it refuses, and what it leaves to others.

use serde_json::json;

use super::{Where, install, read, tree, write};
use crate::support::{Sandbox, files_in};

/// Expects a no that names the file and changes none.
fn refuses(path: &str, text: &str, code: &str, line: u64) {
    let sandbox = Sandbox::new();
    write(&sandbox, Where::Project, path, text);
    let before = tree(&sandbox, Where::Project);
    let client = if path.starts_with(".codex") { "codex" } else { "claude" };
    let reply = install(&sandbox, client, Where::Project, &["--hooks"]).expect_code(1);
    let place = format!("refused: {path}:{line}: ");
    assert!(reply.stderr.contains(&place) && reply.stderr.contains("hint: "), "{}", reply.stderr);
    assert!(
        reply.stderr.contains("nothing was written") && reply.stdout.is_empty(),
        "{}",
        reply.stdout
    );
    assert_eq!(tree(&sandbox, Where::Project), before);
    let said =
        install(&sandbox, client, Where::Project, &["--hooks", "--json"]).expect_code(1).json();
    assert_eq!(said["status"], "refused");
    let files = said["files"].as_array().unwrap();
    let fault = &files.iter().find(|file| file["path"] == path).unwrap()["fault"];
    assert_eq!((&fault["code"], &fault["line"]), (&json!(code), &json!(line)));
}

#[test]
fn what_a_person_broke_is_refused_with_its_place_and_nothing_is_written() {
    refuses(".mcp.json", "{\n  \"mcpServers\": {\n    \"a\": {},,\n  }\n}\n", "malformed", 3);
    refuses(".claude/settings.json", "{\n\"hooks\": {\"Stop\": {}}}", "wrong_shape", 2);
    refuses(
        ".mcp.json",
        "{\"mcpServers\":\n{\"agent-memory\": {\"command\": \"x\"}}}",
        "foreign_entry",
        2,
    );
    refuses(".codex/config.toml", "a = 1\nb = [\n", "malformed", 2);
    refuses("AGENTS.md", "# A\n<!-- BEGIN agent-memory v1 -->\n", "unbalanced_markers", 2);
}

#[test]
fn a_file_that_is_no_text_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.write_project("AGENTS.md", b"# caf\xe9\n");
    let reply = install(&sandbox, "agents", Where::Project, &[]).expect_code(1);
    assert!(reply.stderr.contains("not UTF-8 at byte 5"), "{}", reply.stderr);
}

#[test]
fn a_dry_run_shows_the_difference_and_a_check_what_is_missing() {
    let sandbox = Sandbox::new();
    sandbox.write_project("AGENTS.md", "# Rules\n");
    let before = files_in(&sandbox.project());
    let shown = install(&sandbox, "claude", Where::Project, &["--dry-run"]).expect_code(0);
    assert!(shown.stdout.contains("--- /dev/null\n+++ b/.mcp.json\n"), "{}", shown.stdout);
    assert!(
        shown.stdout.contains(" # Rules\n+\n+<!-- BEGIN agent-memory v1 -->"),
        "{}",
        shown.stdout
    );
    assert!(shown.stdout.starts_with("would be changed AGENTS.md\n"), "{}", shown.stdout);
    assert!(shown.stdout.contains("\nwould be created .mcp.json\n"), "{}", shown.stdout);
    let checked = install(&sandbox, "claude", Where::Project, &["--check"]).expect_code(1);
    assert!(checked.stdout.starts_with("outdated AGENTS.md\nmissing "), "{}", checked.stdout);
    assert_eq!(files_in(&sandbox.project()), before);
    install(&sandbox, "claude", Where::Project, &[]).expect_code(0);
    let old =
        read(&sandbox, Where::Project, "AGENTS.md").replace("What agents", "What some agents");
    sandbox.write_project("AGENTS.md", &old);
    let checked =
        install(&sandbox, "claude", Where::Project, &["--check", "--json"]).expect_code(1).json();
    assert_eq!(
        (&checked["status"], &checked["files"][0]["state"]),
        (&json!("drift"), &json!("changed"))
    );
    let shown =
        install(&sandbox, "claude", Where::Project, &["--uninstall", "--dry-run"]).expect_code(0);
    assert!(shown.stdout.contains("removed .mcp.json"), "{}", shown.stdout);
    assert_eq!(read(&sandbox, Where::Project, "AGENTS.md"), old);
}

#[test]
fn a_secret_of_another_server_is_not_shown() {
    let sandbox = Sandbox::new();
    let token = ["ghp_", "A9dK2mQ7xV4tB8nW1cR6yH3jL5pS0fGzE2uT"].concat();
    let text = format!(
        "{{\n  \"mcpServers\": {{\n    \"g\": {{\"env\": {{\"TOKEN\": \"{token}\"}}}}\n  }}\n}}\n"
    );
    sandbox.write_project(".mcp.json", text);
    for options in [&["--dry-run"][..], &["--dry-run", "--json"], &["--json"]] {
        let reply = install(&sandbox, "claude", Where::Project, options).expect_code(0);
        assert!(
            !format!("{}{}", reply.stdout, reply.stderr).contains(&token[..12]),
            "{}",
            reply.stdout
        );
    }
    assert!(read(&sandbox, Where::Project, ".mcp.json").contains(&token));
}

#[test]
fn a_key_that_begins_above_the_lines_shown_is_not_shown() {
    let sandbox = Sandbox::new();
    let lines: Vec<String> =
        (0..8).map(|n| format!("MIIEpAIBAAKCAQEA3Tz8kQm2Vb7Lw9Pc{n}")).collect();
    let (begin, end) = ("-----BEGIN RSA ", "-----END RSA ");
    let text = format!("{begin}PRIVATE KEY-----\n{}\n{end}PRIVATE KEY-----\n", lines.join("\n"));
    sandbox.write_project("AGENTS.md", &text);
    for options in [&["--dry-run"][..], &["--dry-run", "--json"]] {
        let reply = install(&sandbox, "agents", Where::Project, options).expect_code(0);
        assert!(!reply.stdout.contains("MIIEpAIB"), "{}", reply.stdout);
        assert!(reply.stdout.contains("BEGIN agent-memory"), "{}", reply.stdout);
    }
}

#[test]
fn what_others_need_stays_until_the_last_goes() {
    let sandbox = Sandbox::new();
    let before = tree(&sandbox, Where::Project);
    install(&sandbox, "cursor", Where::Project, &[]).expect_code(0);
    let cursor = tree(&sandbox, Where::Project);
    install(&sandbox, "codex", Where::Project, &["--hooks"]).expect_code(0);
    let reply = install(&sandbox, "codex", Where::Project, &["--uninstall"]).expect_code(0);
    assert!(reply.stdout.contains("kept AGENTS.md, needed by Cursor\n"), "{}", reply.stdout);
    assert_eq!(tree(&sandbox, Where::Project), cursor);
    install(&sandbox, "cursor", Where::Project, &["--uninstall"]).expect_code(0);
    assert_eq!(tree(&sandbox, Where::Project), before);
}

#[test]
fn a_client_takes_no_server_from_another() {
    let sandbox = Sandbox::new();
    install(&sandbox, "copilot", Where::Project, &["--hooks"]).expect_code(0);
    let copilot = tree(&sandbox, Where::Project);
    install(&sandbox, "claude", Where::Project, &["--hooks"]).expect_code(0);
    let both = tree(&sandbox, Where::Project);
    let reply = install(&sandbox, "claude", Where::Project, &["--uninstall"]).expect_code(0);
    assert!(reply.stdout.contains("kept AGENTS.md, needed by Copilot\n"), "{}", reply.stdout);
    assert_eq!(tree(&sandbox, Where::Project), copilot);
    install(&sandbox, "claude", Where::Project, &["--hooks"]).expect_code(0);
    assert_eq!(tree(&sandbox, Where::Project), both);
    install(&sandbox, "copilot", Where::Project, &["--uninstall"]).expect_code(0);
    install(&sandbox, "claude", Where::Project, &["--check", "--hooks"]).expect_code(0);
}

#[test]
fn a_file_named_by_the_settings_takes_the_place_of_the_usual_one() {
    let sandbox = Sandbox::new();
    sandbox.write_project(
        ".gemini/settings.json",
        "{\n  \"context\": {\"fileName\": [\"A.md\", \"AGENTS.md\"]}\n}\n",
    );
    sandbox.write_project("opencode.jsonc", "{ // mine\n}");
    sandbox.write_project("CLAUDE.md", "# Rules\n");
    let before = tree(&sandbox, Where::Project);
    for client in ["gemini", "opencode", "claude"] {
        install(&sandbox, client, Where::Project, &[]).expect_code(0);
    }
    let files = tree(&sandbox, Where::Project);
    assert!(files.contains_key("AGENTS.md") && !files.contains_key("GEMINI.md"));
    assert!(!files.contains_key("opencode.json"));
    assert!(read(&sandbox, Where::Project, "CLAUDE.md").contains("\n@AGENTS.md\n"));
    for client in ["claude", "opencode", "gemini"] {
        install(&sandbox, client, Where::Project, &["--uninstall"]).expect_code(0);
    }
    assert_eq!(tree(&sandbox, Where::Project), before);
}

#[test]
fn a_project_without_a_store_can_be_prepared() {
    let sandbox = Sandbox::without_store();
    let within = sandbox.call(&["install", "agents"]).within("src/auth").run().expect_code(0);
    assert!(within.stderr.contains("agent-memory init"), "{}", within.stderr);
    assert!(sandbox.project().join("AGENTS.md").exists(), "at the root of the repository");
    let nobody =
        sandbox.call(&["install", "agents", "--user"]).env("HOME", "").run().expect_code(2);
    assert!(nobody.stderr.contains("HOME"), "{}", nobody.stderr);
}

#[test]
fn git_is_set_up_for_a_repository_or_for_all() {
    let mut sandbox = Sandbox::new();
    let global = sandbox.root().join("home/.gitconfig");
    std::fs::write(&global, "[user]\n\tname = Ada\n").unwrap();
    sandbox.set_env("GIT_CONFIG_GLOBAL", global.to_str().unwrap());
    let config = sandbox.project().join(".git/config");
    for (options, path) in [(vec![], &config), (vec!["--user"], &global)] {
        let before = std::fs::read(path).unwrap();
        let git = |more: &[&str]| sandbox.run(&[&["install", "git"], &options[..], more].concat());
        assert!(
            git(&["--check"]).expect_code(1).stdout.starts_with("missing merge.agent-memory.name")
        );
        git(&["--dry-run"]).expect_code(0);
        assert_eq!(std::fs::read(path).unwrap(), before);
        git(&[]).expect_code(0);
        assert_eq!(git(&["--check"]).expect_code(0).stdout, "nothing to do\n");
        git(&["--uninstall"]).expect_code(0);
        assert_eq!(std::fs::read(path).unwrap(), before);
        assert_eq!(git(&["--uninstall"]).expect_code(0).stdout, "nothing to do\n");
    }
}

#[test]
fn what_a_person_set_in_git_is_left_alone() {
    let sandbox = Sandbox::new();
    let config = |name: &str| sandbox.git(&["config", "--default", "none", name]);
    sandbox.git(&["config", "merge.agent-memory.recursive", "text"]);
    sandbox.git(&["config", "diff.agent-memory.xfuncname", "^own"]);
    sandbox.run(&["install", "git"]).expect_code(0);
    assert!(config("merge.agent-memory.driver").starts_with("agent-memory merge-driver"));
    sandbox.run(&["install", "git", "--uninstall"]).expect_code(0);
    assert_eq!(config("merge.agent-memory.driver").trim(), "none");
    assert_eq!(config("merge.agent-memory.recursive").trim(), "text");
    assert_eq!(config("diff.agent-memory.xfuncname").trim(), "^own");
    sandbox.git(&["config", "merge.agent-memory.driver", "mine %A"]);
    let refused = sandbox.run(&["install", "git"]).expect_code(2).stderr;
    assert!(refused.contains("another merge driver") && refused.contains("--unset"), "{refused}");
    sandbox.run(&["install", "git", "--uninstall"]).expect_code(0);
    assert_eq!(config("merge.agent-memory.driver").trim(), "mine %A");
}

#[cfg(unix)]
mod links {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn a_link_out_of_the_root_is_refused_and_one_inside_is_followed() {
        let sandbox = Sandbox::new();
        let outside = sandbox.root().join("outside.md");
        std::fs::write(&outside, "# Theirs\n").unwrap();
        symlink(&outside, sandbox.project().join("AGENTS.md")).unwrap();
        let reply = install(&sandbox, "claude", Where::Project, &[]).expect_code(1);
        assert!(reply.stderr.contains("AGENTS.md: a symbolic link leads out"), "{}", reply.stderr);
        assert_eq!(std::fs::read_to_string(&outside).unwrap(), "# Theirs\n");
        assert!(!sandbox.project().join(".mcp.json").exists());
        std::fs::remove_file(sandbox.project().join("AGENTS.md")).unwrap();
        symlink(sandbox.root(), sandbox.project().join(".claude")).unwrap();
        install(&sandbox, "claude", Where::Project, &[]).expect_code(1);
        std::fs::remove_file(sandbox.project().join(".claude")).unwrap();
        symlink("nothing", sandbox.project().join(".mcp.json")).unwrap();
        let reply = install(&sandbox, "claude", Where::Project, &[]).expect_code(1);
        assert!(reply.stderr.contains("leads nowhere"), "{}", reply.stderr);
        std::fs::remove_file(sandbox.project().join(".mcp.json")).unwrap();
        sandbox.write_project("AGENTS.md", "# Ours\n");
        symlink("AGENTS.md", sandbox.project().join("CLAUDE.md")).unwrap();
        let before = tree(&sandbox, Where::Project);
        install(&sandbox, "claude", Where::Project, &[]).expect_code(0);
        install(&sandbox, "claude", Where::Project, &["--check"]).expect_code(0);
        assert!(!read(&sandbox, Where::Project, "AGENTS.md").contains("@AGENTS.md"));
        install(&sandbox, "claude", Where::Project, &["--uninstall"]).expect_code(0);
        assert_eq!(tree(&sandbox, Where::Project), before);
    }

    #[test]
    fn folders_that_are_one_hold_one_skill() {
        let sandbox = Sandbox::new();
        sandbox.write_project(".agents/skills/other/SKILL.md", "theirs\n");
        std::fs::create_dir(sandbox.project().join(".claude")).unwrap();
        symlink("../.agents/skills", sandbox.project().join(".claude/skills")).unwrap();
        let before = tree(&sandbox, Where::Project);
        let reply = install(&sandbox, "claude", Where::Project, &[]).expect_code(0);
        assert_eq!(reply.stdout.matches("SKILL.md").count(), 1, "{}", reply.stdout);
        install(&sandbox, "claude", Where::Project, &["--uninstall"]).expect_code(0);
        assert_eq!(tree(&sandbox, Where::Project), before);
    }

    #[test]
    fn a_private_file_stays_private() {
        let sandbox = Sandbox::new();
        write(&sandbox, Where::User, ".claude.json", "{\"oauth\": {}}\n");
        let path = sandbox.root().join("home/.claude.json");
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).unwrap();
        install(&sandbox, "claude", Where::User, &[]).expect_code(0);
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
