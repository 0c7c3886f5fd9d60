//! `install claude --user --memory`: Claude Code keeps its own memory where the person's agents keep theirs.

use serde_json::{Value, json};

use super::{Where, read, tree, write};
use crate::support::{Reply, Sandbox};

const SETTINGS: &str = ".claude/settings.json";

fn install(sandbox: &Sandbox, client: &str, options: &[&str]) -> Reply {
    let arguments = [&["install", client, "--user"], options].concat();
    sandbox.call(&arguments).env("AGENT_MEMORY_USER", "ada").run()
}

fn folder(sandbox: &Sandbox) -> String {
    let data = sandbox.root().join("home/.local/share/agent-memory");
    data.join("users/ada/memory").display().to_string()
}

#[test]
fn claude_code_is_led_to_the_entries_and_back() {
    for hooks in [&["--memory"] as &[&str], &["--memory", "--hooks"]] {
        let sandbox = Sandbox::new();
        let own = "{\n  \"model\": \"opus\" // mine\n}\n";
        write(&sandbox, Where::User, SETTINGS, own);
        let before = tree(&sandbox, Where::User);
        let reply = install(&sandbox, "claude", hooks).expect_code(0);
        assert!(reply.stderr.contains("one for all projects"), "{}", reply.stderr);
        let text = read(&sandbox, Where::User, SETTINGS).replace(" // mine", "");
        let settings: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(settings["autoMemoryDirectory"], json!(folder(&sandbox)));
        assert_eq!(settings["hooks"].is_object(), hooks.len() == 2);
        let installed = tree(&sandbox, Where::User);
        install(&sandbox, "claude", hooks).expect_code(0);
        install(&sandbox, "claude", &[hooks, &["--check"]].concat()).expect_code(0);
        assert!(tree(&sandbox, Where::User) == installed);
        install(&sandbox, "claude", &["--uninstall"]).expect_code(0);
        assert!(tree(&sandbox, Where::User) == before);
    }
}

#[test]
fn a_folder_that_a_person_chose_stays() {
    let sandbox = Sandbox::new();
    let own = "{\n  \"autoMemoryDirectory\": \"~/notes\"\n}\n";
    write(&sandbox, Where::User, SETTINGS, own);
    let before = tree(&sandbox, Where::User);
    let reply = install(&sandbox, "claude", &["--memory"]).expect_code(1);
    let said = format!(
        "`autoMemoryDirectory` is `~/notes` [foreign_entry]\nhint: take it out, or set it to `{}`",
        folder(&sandbox)
    );
    assert!(reply.stderr.contains(&said), "{}", reply.stderr);
    assert!(tree(&sandbox, Where::User) == before);
    install(&sandbox, "claude", &[]).expect_code(0);
    let reply = install(&sandbox, "claude", &["--uninstall"]).expect_code(0);
    assert!(
        reply.stderr.contains("`autoMemoryDirectory` in .claude/settings.json stays `~/notes`")
    );
    assert_eq!(read(&sandbox, Where::User, SETTINGS), own);
}

#[test]
fn it_is_asked_for_and_for_claude_code_and_a_person_alone() {
    let sandbox = Sandbox::new();
    install(&sandbox, "claude", &["--hooks"]).expect_code(0);
    assert!(!read(&sandbox, Where::User, SETTINGS).contains("autoMemoryDirectory"));
    let codex = install(&sandbox, "codex", &["--memory"]).expect_code(2);
    assert!(codex.stderr.contains("give `--memory` to `install claude` alone"), "{codex:?}");
    let project = sandbox.run(&["install", "claude", "--memory"]).expect_code(2);
    assert!(project.stderr.contains("--user"), "{project:?}");
    let git = install(&sandbox, "git", &["--memory"]).expect_code(2);
    assert!(git.stderr.contains("give `--memory` to `install claude` alone"), "{git:?}");
    let elsewhere = sandbox.call(&["install", "claude", "--user", "--memory"]);
    let elsewhere = elsewhere.env("AGENT_MEMORY_USER", "ada").env("CLAUDE_CONFIG_DIR", "/x").run();
    assert!(elsewhere.expect_code(2).stderr.contains("by hand"));
    let nobody = sandbox.call(&["install", "claude", "--user", "--memory"]);
    let nobody = nobody.env("AGENT_MEMORY_USER", "").run().expect_code(2);
    assert!(nobody.stderr.contains("no user is signed in"), "{nobody:?}");
}
