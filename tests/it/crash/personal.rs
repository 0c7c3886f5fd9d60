//! U35: commands that change a person's own memory are hurt at each call that changes something.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{Scene, View, call, ensure, has_strace, hurt, is_promised, said};
use crate::support::{Reply, Sandbox, files_in};

/// What stands before the words of each command; the folder of data is in the project, of which a scene makes copies.
pub(crate) const ADA: [&str; 5] = ["user", "--as", "ada", "--data", "data"];

/// The entry that is written after an accident.
const MARKER: &str = "marker";

/// What a person's folder holds, `state/` apart, and what the log says of each change.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Memory {
    files: BTreeMap<String, String>,
    log: Vec<String>,
}

impl Memory {
    pub(crate) fn of(folder: &Path) -> Self {
        let mut files = files_in(&folder.join("data/users/ada"));
        let log = files.remove("state/log.jsonl").unwrap_or_default();
        // An index without a line is as good as none.
        files.retain(|path, bytes| !path.starts_with("state/") && !bytes.is_empty());
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let change = |line: &str| {
            let line: Value = serde_json::from_str(line).unwrap();
            ["decision", "name", "before", "after"].map(|field| line[field].to_string()).join(" ")
        };
        Self {
            log: text(log).lines().map(change).collect(),
            files: files.into_iter().map(|(path, bytes)| (path, text(bytes))).collect(),
        }
    }

    /// Returns it in the form of what a project's store holds.
    pub(crate) fn view(self) -> View {
        let files = self.files.into_iter().map(|(path, text)| (path, text.into_bytes()));
        View { files: files.collect(), log: self.log.join("\n") }
    }

    /// Leaves out what a check added.
    fn without_marker(mut self) -> Self {
        self.files.remove(&format!("memory/{MARKER}.md"));
        if let Some(index) = self.files.get_mut("memory/MEMORY.md") {
            *index = index.replace(&format!("- [{MARKER}]({MARKER}.md) — {MARKER}\n"), "");
        }
        self.files.retain(|_, text| !text.is_empty());
        self.log.pop();
        self
    }
}

pub(crate) fn run(folder: &Path, words: &[&str], stdin: &str) -> Reply {
    call(folder, &[&ADA, words].concat(), stdin)
}

pub(crate) fn upsert(name: &str) -> String {
    let request = json!({
        "action": "upsert", "name": name, "type": "user", "description": name, "body": name,
    });
    request.to_string()
}

/// A person with three entries, one of which was replaced.
pub(crate) fn used() -> Sandbox {
    let sandbox = Sandbox::without_git();
    sandbox.write_project("body.md", "The new text.\n");
    for name in ["a", "x", "b"] {
        run(&sandbox.project(), &["call"], &upsert(name)).expect_code(0);
    }
    let other = upsert("a").replace("\"body\":\"a\"", "\"body\":\"Another.\"");
    run(&sandbox.project(), &["call"], &other).expect_code(0);
    sandbox
}

fn scene(sandbox: Sandbox, words: &[&str]) -> Scene {
    Scene::of(sandbox, &[&ADA, words, &["--json"]].concat())
}

fn writing(sandbox: Sandbox, name: &str) -> Scene {
    let words = ["upsert", name, "--type", "user", "--description", "new", "--file", "body.md"];
    scene(sandbox, &words)
}

/// Nothing of the person is stored, not even the folder.
pub(super) fn first_entry() -> Scene {
    let sandbox = Sandbox::without_git();
    sandbox.write_project("body.md", "The new text.\n");
    writing(sandbox, "x")
}

pub(super) fn new_entry() -> Scene {
    writing(used(), "new")
}

/// File and line are both replaced.
pub(super) fn replaced_entry() -> Scene {
    writing(used(), "x")
}

/// The old file goes to the trash beside that.
pub(super) fn unreadable_entry() -> Scene {
    let sandbox = used();
    sandbox.write_project("data/users/ada/memory/x.md", "---\nname: [\n---\n\nOld.\n");
    writing(sandbox, "x")
}

pub(super) fn deleted_entry() -> Scene {
    scene(used(), &["delete", "x"])
}

pub(super) fn restored_entry() -> Scene {
    let sandbox = used();
    run(&sandbox.project(), &["delete", "x"], "").expect_code(0);
    scene(sandbox, &["restore", "x"])
}

/// Three files become entries, with and without front matter.
pub(super) fn imported_folder() -> Scene {
    let sandbox = used();
    sandbox.write_project("notes/MEMORY.md", "- [z](z.md) — the first\n");
    sandbox.write_project("notes/m.md", "Without front matter.\n");
    sandbox.write_project("notes/y.md", "---\ndescription: y\ntype: user\n---\n\nText of y.\n");
    sandbox.write_project("notes/z.md", "Text of z.\n");
    scene(sandbox, &["import", "notes"])
}

/// Looks whether each entry of an import is there in full or not at all, and whether a second run finishes it.
pub(super) fn survives_in_parts(scene: &Scene, injury: &str) {
    if !has_strace() {
        return;
    }
    let old = Memory::of(&scene.project());
    let new = Memory::of(&scene.run_whole("whole"));
    assert_eq!((old.log.len() + 3, old.files.len() + 3), (new.log.len(), new.files.len()));
    hurt(scene, injury, |folder, reply| check_parts(scene, folder, reply, (&old, &new)));
}

fn check_parts(
    scene: &Scene,
    folder: &Path,
    reply: &Reply,
    (old, new): (&Memory, &Memory),
) -> Result<(), String> {
    let said = said(reply);
    let left = go_on(folder)?;
    ensure(new.log.starts_with(&left.log), || format!("another log ({said}): {left:#?}"))?;
    let is_whole = |(path, text): (&String, &String)| {
        path == "memory/MEMORY.md" || new.files.get(path) == Some(text)
    };
    ensure(left.files.iter().all(is_whole), || format!("half an entry ({said}): {left:#?}"))?;
    let made = left.files.len().checked_sub(old.files.len());
    let logged = left.log.len().checked_sub(old.log.len());
    ensure(made == logged, || format!("log and entries disagree ({said}): {left:#?}"))?;
    ensure(left == *new || !is_promised(reply), || format!("promised and not kept: {said}"))?;
    ensure(left == *new || reply.code != 0, || format!("exit 0 and not all done: {said}"))?;
    let again = scene.call(folder);
    ensure(again.code == 0, || format!("the second attempt: {}", self::said(&again)))?;
    let mut memory = Memory::of(folder);
    memory.log.retain(|change| !change.contains(MARKER));
    memory.log.push(MARKER.to_owned());
    let memory = memory.without_marker();
    ensure(memory == *new, || format!("the second attempt left {memory:#?}"))?;
    let verdict = run(folder, &["log", "--verify"], "");
    ensure(verdict.code == 0, || format!("the log: {}", self::said(&verdict)))
}

/// File and line are both given back.
pub(super) fn undone_update() -> Scene {
    let sandbox = used();
    let words = ["upsert", "x", "--type", "user", "--description", "new", "--file", "body.md"];
    run(&sandbox.project(), &words, "").expect_code(0);
    scene(sandbox, &["undo", "x"])
}

/// The entry has the last line, where a second attempt puts it too: it finds another index.
pub(super) fn undone_delete() -> Scene {
    let sandbox = used();
    run(&sandbox.project(), &["delete", "b"], "").expect_code(0);
    scene(sandbox, &["undo", "b"])
}

pub(super) fn undone_restore() -> Scene {
    let sandbox = used();
    run(&sandbox.project(), &["delete", "x"], "").expect_code(0);
    run(&sandbox.project(), &["restore", "x"], "").expect_code(0);
    scene(sandbox, &["undo", "x"])
}

/// `restore` was killed between the entry and the index, and a reader finds what it left.
pub(super) fn recovered_restore() -> Scene {
    let list = [&ADA[..], &["list", "--json"]].concat();
    let scene = restored_entry().killed("renameat2:signal=KILL:when=2", &list);
    if has_strace() {
        let left = Memory::of(&scene.project()).files;
        assert!(left.contains_key("memory/x.md"), "{left:#?}");
        assert!(!left["memory/MEMORY.md"].contains("x.md"), "{left:#?}");
    }
    scene
}

/// Words that only the texts of a purged entry have.
const FORGOTTEN: &str = "To be forgotten";

/// The entry, a copy in the trash and old texts go at once.
pub(super) fn purged_entry() -> Scene {
    let sandbox = used();
    for number in 1..=3 {
        let body = format!("{FORGOTTEN}, {number}.");
        let request = json!({
            "action": "upsert", "name": "y", "type": "user", "description": "y", "body": body,
        });
        run(&sandbox.project(), &["call"], &request.to_string()).expect_code(0);
        if number == 1 {
            run(&sandbox.project(), &["delete", "y"], "").expect_code(0);
        }
    }
    scene(sandbox, &["purge", "y", "--yes"])
}

/// Looks beside that whether no byte of a purged entry is left, wherever it is gone.
pub(super) fn forgets(scene: &Scene, injury: &str) {
    if !has_strace() {
        return;
    }
    let old = Memory::of(&scene.project());
    let whole = scene.run_whole("whole");
    let new = Memory::of(&whole);
    assert!(is_remembered(&scene.project()) && !is_remembered(&whole));
    hurt(scene, injury, |folder, reply| {
        check(scene, folder, reply, (&old, &new))?;
        // The check does it again where nothing was done.
        ensure(!is_remembered(folder), || "a text of the purged entry is left".to_owned())
    });
}

fn is_remembered(folder: &Path) -> bool {
    let holds =
        |bytes: &Vec<u8>| bytes.windows(FORGOTTEN.len()).any(|part| part == FORGOTTEN.as_bytes());
    files_in(&folder.join("data")).values().any(holds)
}

/// Looks whether entry, index, trash and log are all old or all new, whatever happens to the command.
pub(super) fn survives(scene: &Scene, injury: &str) {
    if !has_strace() {
        return;
    }
    let old = Memory::of(&scene.project());
    let new = Memory::of(&scene.run_whole("whole"));
    assert!(old.files != new.files && old.log != new.log, "the command changes something");
    hurt(scene, injury, |folder, reply| check(scene, folder, reply, (&old, &new)));
}

fn check(
    scene: &Scene,
    folder: &Path,
    reply: &Reply,
    (old, new): (&Memory, &Memory),
) -> Result<(), String> {
    let said = said(reply);
    let left = go_on(folder)?;
    let (is_old, is_new) = (left == *old, left == *new);
    ensure(is_old || is_new, || format!("neither old nor new ({said}): {left:#?}"))?;
    ensure(is_new || !is_promised(reply), || format!("promised and not kept: {said}"))?;
    ensure(is_new || reply.code != 0, || format!("exit 0 and nothing done: {said}"))?;
    if is_old {
        let again = scene.call(folder);
        ensure(again.code == 0, || format!("the second attempt: {}", self::said(&again)))?;
        let mut memory = Memory::of(folder);
        memory.log.retain(|change| !change.contains(MARKER));
        memory.log.push(MARKER.to_owned());
        let memory = memory.without_marker();
        ensure(memory.files == new.files, || format!("the second attempt left {memory:#?}"))?;
    }
    let verdict = run(folder, &["log", "--verify"], "");
    ensure(verdict.code == 0, || format!("the log: {}", self::said(&verdict)))
}

/// Runs the next commands, a reading and a writing one; returns what is stored besides what they wrote.
pub(crate) fn go_on(folder: &Path) -> Result<Memory, String> {
    let list = run(folder, &["list", "--json"], "");
    ensure(list.code == 0, || format!("the next command: {}", said(&list)))?;
    let warnings = list.json()["warnings"].to_string();
    ensure(!warnings.contains("the index"), || format!("entries and index disagree: {warnings}"))?;
    let next = run(folder, &["call"], &upsert(MARKER));
    ensure(next.code == 0, || format!("the next write: {}", said(&next)))?;
    let tmp = fs::read_dir(folder.join("data/users/ada/state/tmp")).map_or(0, Iterator::count);
    ensure(tmp == 0, || format!("{tmp} temporary files are left"))?;
    let verdict = run(folder, &["log", "--verify"], "");
    ensure(verdict.code == 0, || format!("the log: {}", said(&verdict)))?;
    Ok(Memory::of(folder).without_marker())
}
