//! What was put into files of ours, to be led out of the store by it.

use std::fs;

use serde_json::{Value, json};

use super::Stage;
use crate::requests::session;
use crate::support::{ProjectKey, files_in, journal_line};

/// Commits steps in the name of a process that died.
fn plant(stage: &Stage, step: &Value) {
    let record = json!({
        "version": 1, "verb": "apply", "number": 7, "boot": "another", "steps": [step],
    });
    let line = journal_line(&stage.sandbox.project(), &record.to_string());
    fs::write(stage.inside("state/journal"), line).unwrap();
}

#[test]
fn a_planted_journal_writes_nothing_outside() {
    let stage = Stage::new();
    let absolute = stage.outside("file").display().to_string();
    let write = |path: &str| json!({ "step": "write", "path": path, "before": null, "after": "x" });
    let steps = [
        write("../x.md"),
        write("../../outside/new"),
        write(&absolute),
        write("modules/../../x.md"),
        json!({ "step": "append", "path": "../../outside/file", "offset": 0, "line": "x\n" }),
        json!({ "step": "append", "path": absolute, "offset": 0, "line": "x\n" }),
        json!({ "step": "folder", "path": "../../outside/new", "files": [["a", "x"]] }),
        json!({ "step": "folder", "path": "staging/a", "files": [["../../../../outside/new", "x"]] }),
        json!({ "step": "folder", "path": "staging/b", "files": [[absolute, "x"]] }),
        json!({ "step": "move", "from": "conventions.md", "to": "../../outside/new" }),
        json!({ "step": "move", "from": "../../outside/file", "to": "taken.md" }),
    ];
    let cited = fs::read(stage.sandbox.project().join("src/auth/refresh.rs")).unwrap();
    for step in steps {
        plant(&stage, &step);
        let reply = stage.sandbox.run(&["status"]);
        let said = format!("{step} exit {}: {}{}", reply.code, reply.stdout, reply.stderr);
        assert!([0, 2].contains(&reply.code) && !said.contains("a bug in"), "{said}");
        assert!(reply.code == 0 || reply.stderr.contains("leads out of the store"), "{said}");
        stage.expect_untouched_outside();
        assert!(!stage.inside("taken.md").exists() && stage.inside("conventions.md").exists());
        let around = files_in(&stage.sandbox.project());
        assert!(!around.contains_key("x.md") && around["src/auth/refresh.rs"] == cited, "{said}");
    }
    fs::remove_file(stage.inside("state/journal")).unwrap();
    stage.sandbox.run(&["status"]).expect_code(0);
}

#[test]
fn a_planted_journal_writes_through_no_link() {
    let links = [("modules", "folder"), ("linked.md", "file"), ("staging", "folder")];
    for (path, to) in links {
        let stage = Stage::new();
        stage.link(path, to);
        let inner = if to == "file" { path.to_owned() } else { format!("{path}/auth.md") };
        for step in [
            json!({ "step": "write", "path": inner, "before": null, "after": "x" }),
            json!({ "step": "append", "path": inner, "offset": 0, "line": "x\n" }),
            json!({ "step": "move", "from": "conventions.md", "to": format!("{path}/new") }),
        ] {
            plant(&stage, &step);
            let reply = stage.sandbox.run(&["status"]);
            assert!([0, 2].contains(&reply.code), "{step} {}{}", reply.stdout, reply.stderr);
            stage.expect_untouched_outside();
        }
    }
}

#[test]
fn a_planted_undo_leads_nowhere() {
    for path in ["../../outside/file", "config.toml", "state/lock", "modules/Auth.md"] {
        let stage = Stage::new();
        let lines = stage.sandbox.file("state/undo.jsonl").replace("modules/auth.md", path);
        assert!(lines.contains(path));
        let key = ProjectKey::of(&stage.sandbox.project());
        let lines = lines.lines().map(|line| key.signed_again("undo", line) + "\n");
        stage.sandbox.write("state/undo.jsonl", lines.collect::<String>());
        let before = stage.sandbox.tree();
        let undo = stage.sandbox.run(&["undo", "tokens", "--approver", "Ada", "--json"]);
        undo.answer().rejected("invalid_path");
        assert_eq!(stage.sandbox.tree(), before);
        stage.expect_untouched_outside();
    }
}

#[test]
fn a_planted_proposal_leads_nowhere() {
    let paths = ["../../outside/file", "../../outside/x.md", "/tmp/x.md", "modules/con.md", "A.md"];
    for path in paths {
        let stage = Stage::new();
        let name = format!("staging/{}/proposal.json", stage.id);
        let mut proposal: Value = serde_json::from_str(&stage.sandbox.file(&name)).unwrap();
        proposal["request"]["operations"][0]["path"] = json!(path);
        proposal["touched"] = json!([]);
        stage.sandbox.write(&name, proposal.to_string());
        stage.sandbox.apply(&stage.id).rejected("invalid_path");
        stage.expect_untouched_outside();
        stage.sandbox.propose(session("Today", "Done.")).applied();
    }
}

#[test]
fn the_copies_in_a_proposal_are_never_followed_or_applied() {
    let stage = Stage::new();
    let folder = format!("staging/{}", stage.id);
    stage.link(&format!("{folder}/files"), "folder");
    stage.sandbox.write(&format!("{folder}/base/../../../../escaped.md"), "x");
    stage.sandbox.apply(&stage.id).applied();
    stage.expect_untouched_outside();
    assert!(!stage.sandbox.has("auth.md"));
}

#[test]
fn a_schema_that_owns_what_is_outside_is_refused() {
    for path in ["../*.md", "/etc/*.md", "modules/../*.md", "c:*.md", "*", "nul/*.md", "A/*.md"] {
        let stage = Stage::new();
        let schema = stage.sandbox.file("schemas/modules.toml").replace("modules/*.md", path);
        assert!(schema.contains(path));
        stage.sandbox.write("schemas/modules.toml", schema);
        let reply = stage.sandbox.run(&["search", "x", "--json"]).expect_code(2);
        assert_eq!(reply.json()["error"]["code"], "config_invalid");
    }
}
