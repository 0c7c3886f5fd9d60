//! `install` is hurt between the files of other programs, which have no journal.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::{Scene, call, ensure, has_strace, hurt, is_promised, said, used_store};
use crate::support::{Reply, Sandbox};

const INSTALL: &[&str] = &["install", "claude", "--hooks", "--json"];
const UNINSTALL: &[&str] = &["install", "claude", "--uninstall", "--json"];

/// What lies beside a file while it is replaced.
const ASIDE: &str = ".agent-memory-new";

/// Everything in a project but its store: files with their bytes, folders with none.
type Tree = BTreeMap<String, Option<Vec<u8>>>;

/// A project whose files say something already.
fn project() -> Sandbox {
    let sandbox = used_store();
    let server = "{\n  \"mcpServers\": {\n    \"other\": {\"command\": \"other\"}\n  }\n}\n";
    let hook = "{\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"npm test\"}]}\n    ]\n  }\n}\n";
    sandbox.write_project("AGENTS.md", "# Rules\n\nBe kind.\n");
    sandbox.write_project("CLAUDE.md", "# Rules for Claude\n");
    sandbox.write_project(".mcp.json", server);
    sandbox.write_project(".claude/settings.json", hook);
    sandbox
}

/// Nothing of ours is there.
pub(super) fn before_install() -> Scene {
    Scene::of(project(), INSTALL)
}

/// All of ours is there.
pub(super) fn before_uninstall() -> Scene {
    let sandbox = project();
    sandbox.run(INSTALL).expect_code(0);
    Scene::of(sandbox, UNINSTALL)
}

/// Looks whether each file is whole, and whether the next command brings the rest, whatever happens to this one.
pub(super) fn survives(scene: &Scene, injury: &str) {
    if !has_strace() {
        return;
    }
    let old = tree(&scene.project());
    let new = tree(&scene.run_whole("whole"));
    hurt(scene, injury, |folder, reply| check(scene, folder, reply, (&old, &new)));
}

fn check(
    scene: &Scene,
    folder: &Path,
    reply: &Reply,
    (old, new): (&Tree, &Tree),
) -> Result<(), String> {
    let said = said(reply);
    let left = tree(folder);
    let is_whole = |(path, bytes): &(&String, &Option<Vec<u8>>)| {
        let is_ours = bytes.is_none() || path.ends_with(ASIDE);
        is_ours || [old, new].iter().any(|tree| tree.get(*path) == Some(bytes))
    };
    let torn = left.iter().find(|each| !is_whole(each));
    ensure(torn.is_none(), || format!("neither old nor new ({said}): {torn:?}"))?;
    let both = old.keys().filter(|path| new.contains_key(*path));
    let lost: Vec<&String> = both.filter(|path| !left.contains_key(*path)).collect();
    ensure(lost.is_empty(), || format!("lost ({said}): {lost:?}"))?;
    let is_done = reply.code == 0 || is_promised(reply);
    ensure(!is_done || files(&left) == files(new), || format!("promised and not kept: {said}"))?;
    let is_unchanged = || {
        let mut files = files(&left);
        files.retain(|path, _| !path.ends_with(ASIDE));
        files == self::files(old)
    };
    let nothing = said.contains("nothing was written");
    ensure(!nothing || is_unchanged(), || format!("something was written: {said}"))?;

    comes_to(&scene.call(folder), folder, new)?;
    let back = if scene.words() == INSTALL { UNINSTALL } else { INSTALL };
    comes_to(&call(folder, back, ""), folder, old)
}

/// Looks whether a command left this and nothing else.
fn comes_to(reply: &Reply, folder: &Path, expected: &Tree) -> Result<(), String> {
    ensure(reply.code == 0, || format!("the next command: {}", said(reply)))?;
    let found = tree(folder);
    let differ = |path: &&String| found.get(*path) != expected.get(*path);
    let mut others: Vec<&String> = found.keys().chain(expected.keys()).filter(differ).collect();
    others.dedup();
    ensure(others.is_empty(), || format!("after the next command: {others:?}"))
}

/// Leaves out the folders: one that is empty harms nobody.
fn files(tree: &Tree) -> BTreeMap<&String, &Option<Vec<u8>>> {
    tree.iter().filter(|(_, bytes)| bytes.is_some()).collect()
}

fn tree(project: &Path) -> Tree {
    let mut tree = Tree::new();
    add(project, "", &mut tree);
    tree
}

fn add(folder: &Path, above: &str, tree: &mut Tree) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{above}{}", entry.file_name().display());
        match entry.file_type().unwrap().is_dir() {
            true if path == ".agent-memory" => {}
            true => {
                add(&entry.path(), &format!("{path}/"), tree);
                tree.insert(path, None);
            }
            false => {
                tree.insert(path, Some(fs::read(entry.path()).unwrap()));
            }
        }
    }
}
