//! Folders of a repository that look like another one, with programs in its settings.

use std::fs;

use serde_json::json;

use super::{marker, program, said, write};
use crate::requests::convention;
use crate::support::Sandbox;

/// Settings that run a program at every chance.
fn settings(sandbox: &Sandbox) -> String {
    let evil = program(sandbox).replace('"', "\\\"");
    format!(
        "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = \"{evil}\"\n\
         \thooksPath = hooks\n[filter \"evil\"]\n\tclean = \"{evil}\"\n\trequired = true\n\
         [diff \"evil\"]\n\ttextconv = \"{evil}\"\n\tcommand = \"{evil}\"\n"
    )
}

/// Makes another repository of what the folder holds, without a `.git`, in a folder of it.
fn plant(sandbox: &Sandbox, folder: &str) {
    let other = sandbox.root().join("other");
    let at = other.display().to_string();
    sandbox.git(&["init", "--quiet", "--bare", &at]);
    sandbox.git(&["--git-dir", &at, "--work-tree", ".", "add", "."]);
    sandbox.git(&["--git-dir", &at, "--work-tree", ".", "commit", "--quiet", "-m", "x"]);
    for part in ["HEAD", "objects", "refs", "index"] {
        let to = sandbox.project().join(folder).join(part);
        fs::rename(other.join(part), to).unwrap();
    }
    write(sandbox.project().join(folder).join("config"), &settings(sandbox));
}

const LOOKS: [&[&str]; 10] = [
    &["status"],
    &["status", "--worktrees"],
    &["review", "--worktrees"],
    &["check"],
    &["check", "--base", "HEAD"],
    &["blame", "decisions.md"],
    &["search", "x"],
    &["context", "--changed"],
    &["resolve"],
    &["doctor"],
];

#[test]
fn a_store_that_looks_like_a_repository_is_refused_by_every_command() {
    let sandbox = Sandbox::new();
    sandbox.write(".gitattributes", "*.md filter=evil diff=evil\n");
    sandbox.commit("base");
    plant(&sandbox, ".agent-memory");
    let before = sandbox.tree();
    for command in LOOKS {
        let reply = sandbox.run(command);
        assert_ne!(reply.code, 0, "{command:?}");
        let said = said(&reply);
        assert!(said.contains("looks like a repository of git"), "{command:?}: {said}");
        assert!(said.contains("`HEAD`, `objects`"), "{command:?}: {said}");
    }
    let request = convention("Keys", "Keys are rotated.").to_string();
    sandbox.call(&["propose"]).stdin(request).run().expect_code(2);
    assert_eq!(sandbox.tree(), before);
    assert!(!marker(&sandbox).exists());
}

#[test]
fn so_is_one_whose_objects_are_said_to_be_elsewhere() {
    let sandbox = Sandbox::new();
    sandbox.write("HEAD", "ref: refs/heads/main\n");
    sandbox.write("commondir", "../other\n");
    let reply = sandbox.run(&["blame", "decisions.md"]).expect_code(2);
    assert!(reply.stderr.contains("looks like a repository of git"), "{}", reply.stderr);
}

#[test]
fn a_store_that_is_a_repository_of_its_own_is_refused_with_the_reason() {
    for is_folder in [true, false] {
        let sandbox = Sandbox::new();
        match is_folder {
            true => fs::create_dir(sandbox.store().join(".git")).unwrap(),
            false => sandbox.write(".git", "gitdir: ../elsewhere\n"),
        }
        for command in [&["status"][..], &["blame", "decisions.md"], &["check"]] {
            let reply = sandbox.run(command).expect_code(2);
            let expected = "memory in a repository of its own is not supported";
            assert!(said(&reply).contains(expected), "{}", said(&reply));
        }
    }
}

#[test]
fn a_work_tree_whose_git_leads_into_the_store_is_refused() {
    let sandbox = Sandbox::new();
    fs::rename(sandbox.project().join(".git"), sandbox.store().join("modules-git")).unwrap();
    sandbox.write_project(".git", "gitdir: .agent-memory/modules-git\n");
    for command in [&["status"][..], &["blame", "decisions.md"], &["check"]] {
        let reply = sandbox.run(command).expect_code(2);
        assert!(said(&reply).contains("leads into the store"), "{}", said(&reply));
    }
}

#[test]
fn a_store_in_a_folder_that_looks_like_a_repository_belongs_to_the_one_around() {
    let sandbox = Sandbox::without_store();
    fs::create_dir(sandbox.project().join("web")).unwrap();
    sandbox.run(&["init", "--root", "web"]).expect_code(0);
    sandbox.write_project("web/a.rs", "one\r\ntwo\r\n");
    sandbox.write_project("web/.gitattributes", "* filter=evil diff=evil\n");
    sandbox.commit("base");
    plant(&sandbox, "web");
    for path in ["refs/heads/.keep", "objects/info/.keep"] {
        write(sandbox.project().join("web").join(path), "");
    }
    let mut request = convention("Keys", "Keys are rotated.");
    request["sources"] = json!([{ "type": "file", "ref": "a.rs" }]);
    let reply = sandbox.call(&["propose"]).within("web").stdin(request.to_string()).run();
    let id = reply.answer().staged();
    let apply = ["apply", &id, "--approver", "Ada", "--commit"];
    for command in LOOKS.into_iter().chain([&apply[..]]) {
        let reply = sandbox.call(command).within("web").run();
        assert!(!said(&reply).contains("could not run git"), "{command:?}: {}", said(&reply));
        assert!(!marker(&sandbox).exists(), "{command:?}");
    }
    // The commit is one of the repository around.
    assert!(sandbox.git(&["log", "-1", "--format=%B"]).contains(&id));
    let status = sandbox.call(&["status", "--worktrees", "--json"]).within("web").run().json();
    assert_eq!(status["worktrees"].as_array().map(Vec::len), Some(1), "{status}");
}

/// Adds a submodule whose settings run a program at every chance.
fn add_submodule(sandbox: &Sandbox, at: &str) {
    let other = Sandbox::without_store();
    other.write_project("notes.md", "# Notes\n\n## Sub\n<!-- @id: sub -->\n\nOf the submodule.\n");
    other.write_project(".gitattributes", "* filter=evil diff=evil\n");
    other.commit("module");
    let address = other.project().display().to_string();
    let add = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "--force"];
    sandbox.git(&[&add[..], &[&address, at]].concat());
    for (name, value) in [
        ("filter.evil.clean", program(sandbox)),
        ("filter.evil.required", "true".to_owned()),
        ("core.fsmonitor", program(sandbox)),
        ("diff.evil.command", program(sandbox)),
        ("diff.evil.textconv", program(sandbox)),
    ] {
        sandbox.git(&["-C", at, "config", name, &value]);
    }
}

#[test]
fn no_program_of_a_submodule_runs() {
    let sandbox = Sandbox::new();
    add_submodule(&sandbox, "lib");
    sandbox.commit("a module");
    sandbox.git(&["config", "diff.ignoreSubmodules", "none"]);
    // Bytes of another time are looked at again.
    let notes = sandbox.project().join("lib/notes.md");
    fs::write(&notes, fs::read_to_string(&notes).unwrap() + "x\n").unwrap();
    let _ = fs::remove_file(marker(&sandbox));
    for command in LOOKS {
        sandbox.run(command);
        assert!(!marker(&sandbox).exists(), "{command:?}");
    }
}

#[test]
fn a_submodule_in_the_store_is_no_memory_and_no_state() {
    let sandbox = Sandbox::new();
    add_submodule(&sandbox, ".agent-memory/modules");
    sandbox.commit("a module");
    for side in [&["check"][..], &["check", "--staged"], &["check", "--base", "HEAD~1"]] {
        let told = sandbox.run(side).expect_code(1).stdout;
        assert!(told.contains(".agent-memory/modules error"), "{side:?}: {told}");
        assert!(told.contains("a submodule"), "{side:?}: {told}");
    }
    let request = convention("Errors", "Name the path.").to_string();
    let refused = sandbox.call(&["propose"]).stdin(request).run().expect_code(2).stdout;
    assert!(refused.contains("repository of its own is not supported"), "{refused}");
    sandbox.run(&["search", "path"]).expect_code(0);
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.apply(&id).applied();
    fs::remove_dir_all(sandbox.store().join("state")).unwrap();
    add_submodule(&sandbox, ".agent-memory/state");
    let adopt = sandbox.run(&["doctor", "--adopt-state", "--approver", "Ada"]).expect_code(1);
    assert!(said(&adopt).contains("git tracks"), "{}", said(&adopt));
}

#[test]
fn a_file_in_the_place_of_a_folder_is_named_by_the_check() {
    for folder in ["staging", "rejections", "decided"] {
        let sandbox = Sandbox::new();
        let _ = fs::remove_dir_all(sandbox.store().join(folder));
        sandbox.write(folder, "a file\n");
        let told = sandbox.run(&["check"]).expect_code(1).stdout;
        assert!(told.contains(folder) && told.contains("it is a file"), "{told}");
    }
    let sandbox = Sandbox::new();
    sandbox.write("Decisions.md", "# Other\n");
    let told = sandbox.run(&["check"]).expect_code(1).stdout;
    assert!(told.contains("the same name as `decisions.md` on some disks"), "{told}");
}
