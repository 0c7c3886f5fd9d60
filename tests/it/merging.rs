//! Two branches that both changed the memory come together: with the driver, and with stock git and `resolve`.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::process::{Command, Output};

use crate::support::{Sandbox, files_in};

pub(crate) const BASE: &str = "# Decisions\n\n## One\n<!-- @id: one -->\n<!-- @source: user ada - confirmed 2026-11-20 -->\n\n- **Date:** 2026-11-01\n- **Status:** active\n\nThe first.\n\n## Two\n<!-- @id: two -->\n<!-- @source: user ada - confirmed 2026-11-20 -->\n\n- **Date:** 2026-11-02\n- **Status:** active\n\nThe second.\n";

fn section(id: &str, text: &str) -> String {
    format!(
        "\n## {id}\n<!-- @id: {id} -->\n<!-- @source: user ada - confirmed 2026-11-20 -->\n\n- **Date:** 2026-11-03\n- **Status:** active\n\n{text}\n"
    )
}

/// A repository with a store, and a branch that grew beside `main`: each changes the decisions its way.
pub(crate) fn branches(ours: &str, theirs: &str) -> Sandbox {
    let sandbox = Sandbox::given(&[("decisions.md", BASE)]);
    sandbox.run(&["reindex"]).expect_code(0);
    sandbox.commit("both begin here");
    sandbox.git(&["checkout", "--quiet", "-b", "other"]);
    sandbox.write("decisions.md", theirs);
    sandbox.run(&["reindex"]).expect_code(0);
    sandbox.commit("theirs");
    sandbox.git(&["checkout", "--quiet", "main"]);
    sandbox.write("decisions.md", ours);
    sandbox.run(&["reindex"]).expect_code(0);
    sandbox.commit("ours");
    sandbox
}

/// A repository in which git could not merge two branches that each recorded something.
pub(crate) fn in_conflict() -> Sandbox {
    let [ours, theirs] = [section("ours", "We do."), section("theirs", "They do.")];
    let sandbox = branches(&format!("{BASE}{ours}"), &format!("{BASE}{theirs}"));
    assert!(!merge(&sandbox, "other"));
    sandbox
}

/// Merges a branch; tells whether git was content.
pub(crate) fn merge(sandbox: &Sandbox, branch: &str) -> bool {
    merge_and_hear(sandbox, branch).status.success()
}

pub(crate) fn merge_and_hear(sandbox: &Sandbox, branch: &str) -> Output {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_agent-memory"));
    let path = std::env::join_paths(
        std::iter::once(program.parent().unwrap().to_path_buf())
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    );
    merge_with_path(sandbox, branch, &path.unwrap())
}

fn merge_with_path(sandbox: &Sandbox, branch: &str, path: &OsStr) -> Output {
    let mut command = Command::new("git");
    command.args(["merge", "--quiet", "--no-edit", branch]).current_dir(sandbox.project());
    command.env_clear().envs(sandbox.variables()).env("PATH", path);
    command.output().unwrap()
}

#[test]
fn two_that_each_recorded_something_merge_by_the_driver() {
    let (ours, theirs) = (
        format!("{BASE}{}", section("ours", "We do.")),
        format!("{BASE}{}", section("theirs", "They do.")),
    );
    let sandbox = branches(&ours, &theirs);
    let set = sandbox.run(&["install", "git"]).expect_code(0);
    assert!(set.stdout.contains("merge.agent-memory.driver"));
    assert_eq!(sandbox.run(&["install", "git"]).expect_code(0).stdout, "nothing to do\n");
    assert!(merge(&sandbox, "other"), "{}", sandbox.file("decisions.md"));
    let both = format!("{BASE}{}{}", section("ours", "We do."), section("theirs", "They do."));
    assert_eq!(sandbox.file("decisions.md"), both);
    sandbox.run(&["install", "git", "--uninstall"]).expect_code(0);
    assert!(!sandbox.git(&["config", "--list", "--local"]).contains("agent-memory"));
}

#[test]
fn stock_git_and_resolve_come_to_the_same() {
    let sandbox = in_conflict();
    let reply = sandbox.run(&["resolve"]).expect_code(0);
    assert_eq!(reply.stdout, "resolved decisions.md\n");
    let both = format!("{BASE}{}{}", section("ours", "We do."), section("theirs", "They do."));
    assert_eq!(sandbox.file("decisions.md"), both);
    assert_eq!(sandbox.git(&["diff", "--name-only", "--diff-filter=U"]), "");
    sandbox.git(&["commit", "--quiet", "--no-edit"]);
    let log = sandbox.run(&["log", "--json"]).expect_code(0).json();
    assert_eq!(log["decisions"][0]["decision"], "resolved");
    assert!(
        sandbox.run(&["resolve"]).expect_code(0).stderr.contains("no memory file is in conflict")
    );
}

#[test]
fn a_contradiction_is_marked_in_its_section_alone() {
    let ours = BASE.replace("The second", "Our second") + &section("ours", "We do.");
    let theirs = BASE.replace("The second", "Their second").replace("The first", "Another first");
    let sandbox = branches(&ours, &theirs);
    assert!(!merge(&sandbox, "other"));
    let reply = sandbox.run(&["resolve", "decisions.md"]).expect_code(1);
    assert!(reply.stdout.contains("conflict decisions.md#two"), "{}", reply.stdout);
    let text = sandbox.file("decisions.md");
    assert!(
        text.contains("\n<<<<<<< ours\nOur second.\n=======\nTheir second.\n>>>>>>> theirs\n"),
        "{text}"
    );
    assert!(text.contains("Another first.") && text.contains("We do."));
    assert_eq!(
        sandbox.git(&["diff", "--name-only", "--diff-filter=U"]).trim(),
        ".agent-memory/decisions.md"
    );
    let log = sandbox.file("state/log.jsonl");
    sandbox.run(&["resolve", "decisions.md"]).expect_code(1);
    assert_eq!(sandbox.file("state/log.jsonl"), log, "nothing was decided the second time");
}

#[test]
fn a_section_that_one_side_deleted_keeps_what_the_other_put_below_it() {
    let (first, second) = BASE.split_at(BASE.find("## Two").unwrap());
    let kid = "\n### Kid\n<!-- @id: kid -->\n\nOf the second.\n";
    let sandbox = branches(first, &format!("{BASE}{kid}"));
    assert!(!merge(&sandbox, "other"));
    let reply = sandbox.run(&["resolve"]).expect_code(1);
    assert!(reply.stdout.contains("conflict decisions.md#two\n"), "{}", reply.stdout);
    let marked = format!("<<<<<<< ours: deleted\n=======\n{second}{kid}>>>>>>> theirs: changed\n");
    assert!(sandbox.file("decisions.md").ends_with(&marked), "{}", sandbox.file("decisions.md"));
}

#[test]
fn where_the_driver_cannot_be_run_git_merges_line_by_line() {
    let ours = BASE.replace("The second", "Our second");
    let theirs = BASE.replace("The second", "Their second");
    let sandbox = branches(&ours, &theirs);
    sandbox.run(&["install", "git"]).expect_code(0);
    let path = OsStr::new("/usr/local/bin:/usr/bin:/bin");
    assert!(!merge_with_path(&sandbox, "other", path).status.success());
    let text = sandbox.file("decisions.md");
    assert!(text.contains("<<<<<<< ours\nOur second.\n=======\nTheir second."), "{text}");
    sandbox.run(&["check", "decisions.md"]).expect_code(1);
}

/// Merges two branches that both changed two sections, as far as `resolve` can.
fn with_two_conflicts() -> Sandbox {
    let ours = BASE.replace("The second", "Our second").replace("The first", "Our first");
    let theirs = BASE.replace("The second", "Their second").replace("The first", "Their first");
    let sandbox = branches(&ours, &theirs);
    assert!(!merge(&sandbox, "other"));
    sandbox.run(&["resolve"]).expect_code(1);
    sandbox
}

#[test]
fn what_a_person_has_resolved_is_left_alone() {
    let sandbox = with_two_conflicts();
    let marked = sandbox.file("decisions.md");
    let (first, rest) = marked.split_once("<<<<<<<").unwrap();
    let (_, rest) = rest.split_once(">>>>>>> theirs\n").unwrap();
    let begun = format!("{first}Both, by hand.\n{rest}");
    sandbox.write("decisions.md", &begun);
    let reply = sandbox.run(&["resolve"]).expect_code(1);
    assert!(reply.stdout.contains("conflict decisions.md\n"), "{}", reply.stdout);
    assert!(reply.stderr.contains("left as a person changed it"), "{}", reply.stderr);
    assert_eq!(sandbox.file("decisions.md"), begun);
    let (second, _) = rest.split_once("<<<<<<<").unwrap();
    let done = format!("{first}Both, by hand.\n{second}Ours and theirs.\n");
    sandbox.write("decisions.md", &done);
    let reply = sandbox.run(&["resolve"]).expect_code(0);
    assert!(reply.stdout.contains("resolved decisions.md\n"), "{}", reply.stdout);
    assert_eq!(sandbox.file("decisions.md"), done);
    assert_eq!(sandbox.git(&["diff", "--name-only", "--diff-filter=U"]), "");
}

#[test]
fn a_side_that_a_person_took_is_not_put_in_doubt_again() {
    let sandbox = with_two_conflicts();
    let marked = sandbox.file("decisions.md");
    let (first, rest) = marked.split_once("<<<<<<< ours\n").unwrap();
    let (_, rest) = rest.split_once("=======\n").unwrap();
    let taken = format!("{first}{}", rest.replacen(">>>>>>> theirs\n", "", 1));
    sandbox.write("decisions.md", &taken);
    sandbox.run(&["resolve"]).expect_code(1);
    assert_eq!(sandbox.file("decisions.md"), taken);
}

#[test]
fn a_conflict_under_a_name_that_is_none_of_memory_is_told() {
    let [ours, theirs] = ["first", "second"].map(|it| BASE.replace(it, "other"));
    let sandbox = branches(&ours, &theirs);
    let side = |branch: &str, text: &str| {
        sandbox.git(&["checkout", "-q", branch]);
        sandbox.write("modules/Auth.md", text);
        sandbox.commit(branch);
    };
    side("other", "# Auth\n\nTheirs.\n");
    side("main", "# Auth\n\nOurs.\n");
    assert!(!merge(&sandbox, "other"));
    let reply = sandbox.run(&["resolve"]).expect_code(1);
    assert!(reply.stdout.contains("conflict modules/Auth.md"), "{}", reply.stdout);
    assert!(reply.stderr.contains("rename it"), "{}", reply.stderr);
}

#[test]
fn a_driver_that_is_not_given_three_files_writes_none() {
    let sandbox = Sandbox::new();
    sandbox.write_project("a.md", BASE);
    let files = ["merge-driver", "a.md", "a.md", "typo.md", ".agent-memory/decisions.md"];
    let reply = sandbox.run(&files).expect_code(2);
    assert!(reply.stderr.contains("typo.md"), "{}", reply.stderr);
    assert_eq!(std::fs::read_to_string(sandbox.project().join("a.md")).unwrap(), BASE);
}

#[test]
fn what_is_not_in_conflict_is_not_resolved() {
    let sandbox = Sandbox::given(&[("decisions.md", BASE)]);
    let reply = sandbox.run(&["resolve", "decisions.md"]).expect_code(1);
    assert!(reply.stderr.contains("invalid_path"), "{}", reply.stderr);
    assert_eq!(sandbox.file("decisions.md"), BASE);
}

/// A small source of chance that is the same every time (xorshift64*).
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        usize::try_from(self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33).unwrap() % limit
    }
}

/// A file as its sections: what they are called, and what they say.
type Sections = Vec<(String, Vec<String>)>;

fn written(sections: &Sections) -> String {
    let body =
        |lines: &[String]| lines.iter().map(|line| format!("- {line}\n")).collect::<String>();
    let section = |(id, lines): &(String, Vec<String>)| {
        format!("\n## {id}\n<!-- @id: {id} -->\n\n{}", body(lines))
    };
    format!("# T\n{}", sections.iter().map(section).collect::<String>())
}

/// Does some of what people do to a file.
fn change(sections: &Sections, who: &str, chance: &mut Chance) -> Sections {
    let mut changed = sections.clone();
    for step in 0..=chance.below(3) {
        let at = chance.below(changed.len().max(1));
        let lines = vec![format!("{who} says {step}"), format!("and means {step}")];
        match chance.below(5) {
            0 | 1 => changed.push((format!("{who}-{step}"), lines)),
            2 if changed.len() > 1 => drop(changed.remove(at)),
            3 if changed.len() > 1 => {
                let moved = changed.remove(at);
                changed.push(moved);
            }
            _ => {
                if let Some((_, lines)) = changed.get_mut(at) {
                    let line = chance.below(lines.len());
                    lines[line] = format!("{who} has it otherwise {step}");
                }
            }
        }
    }
    changed
}

/// Returns the lines of each section that must be there, and whether sides contradict.
fn model(
    base: &Sections,
    ours: &Sections,
    theirs: &Sections,
) -> (BTreeMap<String, Vec<String>>, bool) {
    let index = |sections: &Sections| -> BTreeMap<String, Vec<String>> {
        sections.iter().cloned().collect()
    };
    let (b, o, t) = (index(base), index(ours), index(theirs));
    let mut merged = BTreeMap::new();
    let mut contradicts = false;
    for id in o.keys().chain(t.keys()) {
        let (base, ours, theirs) = (b.get(id), o.get(id), t.get(id));
        match (ours, theirs) {
            _ if ours == theirs || theirs == base => {
                drop(ours.map(|l| merged.insert(id.clone(), l.clone())))
            }
            _ if ours == base => drop(theirs.map(|l| merged.insert(id.clone(), l.clone()))),
            _ => contradicts = true,
        }
    }
    (merged, contradicts)
}

#[test]
fn two_hundred_histories_merge_as_a_model_says() {
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
    let folder = tempfile::tempdir().unwrap();
    let (mut by_driver, mut by_git) = (0, 0);
    for _ in 0..200 {
        let base: Sections = (0..5)
            .map(|n| (format!("s{n}"), (0..4).map(|l| format!("line {l} of {n}")).collect()))
            .collect();
        let (ours, theirs) =
            (change(&base, "ours", &mut chance), change(&base, "theirs", &mut chance));
        let texts = [&base, &ours, &theirs].map(written);
        let paths = ["base", "ours", "theirs"].map(|name| folder.path().join(name));
        paths.iter().zip(&texts).for_each(|(path, text)| std::fs::write(path, text).unwrap());
        let stock = Command::new("git")
            .args(["merge-file", "-p", "--quiet"])
            .args([&paths[1], &paths[0], &paths[2]])
            .output()
            .unwrap();
        by_git += usize::from(!stock.status.success());
        paths.iter().zip(&texts).for_each(|(path, text)| std::fs::write(path, text).unwrap());
        let status = Command::new(env!("CARGO_BIN_EXE_agent-memory"))
            .args(["merge-driver", "--quiet"])
            .args([&paths[0], &paths[1], &paths[2]])
            .args(["modules/x.md", "7"])
            .status()
            .unwrap();
        let merged = std::fs::read_to_string(&paths[1]).unwrap();
        by_driver += usize::from(!status.success());
        let (expected, contradicts) = model(&base, &ours, &theirs);
        assert!(status.success() || contradicts, "{texts:#?} {merged}");
        assert_eq!(status.success(), !merged.contains("<<<<<<<"), "{merged}");
        for (id, lines) in &expected {
            let body: String = lines.iter().map(|line| format!("- {line}\n")).collect();
            let whole = format!("\n## {id}\n<!-- @id: {id} -->\n\n{body}");
            assert_eq!(merged.matches(&whole).count(), 1, "{id} in {merged}\nof {texts:#?}");
        }
    }
    println!("200 histories: {by_driver} need a person with the driver, {by_git} with stock git");
    assert!(by_driver * 2 < by_git, "{by_driver} {by_git}");
    assert!(files_in(folder.path()).len() == 3);
}

/// What `git diff` prints behind `@@ … @@` for a change far below a heading, with a remark in code between.
fn hunk_header(sandbox: &Sandbox) -> String {
    let diff = sandbox.git(&["diff", "--", ".agent-memory/conventions.md"]);
    let hunk = diff.lines().find(|line| line.starts_with("@@")).unwrap().to_owned();
    hunk.rsplit("@@").next().unwrap().trim().to_owned()
}

#[test]
fn a_diff_names_the_section_once_git_is_set_up() {
    let sandbox = Sandbox::new();
    let code = "```sh\n# fetch first\nfetch all of it\n```\n";
    let text = format!("# C\n\n## Errors\n<!-- @id: errors -->\n\n{code}\n- a\n- b\n- c\n- d\n");
    sandbox.write("conventions.md", &text);
    sandbox.commit("a section");
    sandbox.append("conventions.md", "- e\n");
    // Git looks for something like the head of a function, and finds a line of text.
    assert_eq!(hunk_header(&sandbox), "fetch all of it");
    sandbox.run(&["install", "git"]).expect_code(0);
    assert_eq!(hunk_header(&sandbox), "## Errors");
    sandbox.run(&["install", "git", "--uninstall"]).expect_code(0);
    assert_eq!(hunk_header(&sandbox), "fetch all of it");
}

#[test]
fn diffs_of_an_older_store_get_their_name() {
    let sandbox = Sandbox::new();
    let now = sandbox.file(".gitattributes");
    assert!(now.starts_with("*.md text eol=lf diff=agent-memory merge=agent-memory\n"));
    let own = "*.png binary\nnotes/*.md diff=markdown\n";
    let former = now.replace("diff=agent-memory", "diff=markdown") + own;
    sandbox.write(".gitattributes", former);
    let said = sandbox.run(&["init", "--json"]).expect_code(0).stdout;
    assert!(said.contains(".gitattributes"), "{said}");
    assert_eq!(sandbox.file(".gitattributes"), format!("{now}{own}"));
    let said = sandbox.run(&["init", "--json"]).expect_code(0).stdout;
    assert!(!said.contains(".gitattributes"), "{said}");
}

/// A repository in which the branch `other` and `main` begin with the same module.
pub(crate) fn with_module() -> Sandbox {
    let module = format!(
        "# Web\n{}{}",
        section("tables", "Tables are generated."),
        section("end", "It ends.")
    );
    let sandbox = Sandbox::given(&[("modules/web.md", &module)]);
    sandbox.run(&["reindex"]).expect_code(0);
    sandbox.commit("both begin here");
    sandbox.git(&["checkout", "--quiet", "-b", "other"]);
    sandbox
}

pub(crate) fn rename(sandbox: &Sandbox, name: &str) {
    let [from, to] = ["web", name].map(|name| format!(".agent-memory/modules/{name}.md"));
    sandbox.git(&["mv", &from, &to]);
    sandbox.run(&["reindex"]).expect_code(0);
    sandbox.commit("renamed");
}

#[test]
fn a_file_that_one_side_renamed_and_the_other_changed_is_listed_under_its_new_name() {
    for driven in [true, false] {
        let sandbox = with_module();
        rename(&sandbox, "pages");
        sandbox.git(&["checkout", "--quiet", "main"]);
        let text = sandbox.file("modules/web.md").replace("are generated", "are made");
        sandbox.write("modules/web.md", text);
        sandbox.run(&["reindex"]).expect_code(0);
        sandbox.commit("changed");
        if driven {
            sandbox.run(&["install", "git"]).expect_code(0);
        }
        if !merge(&sandbox, "other") {
            sandbox.run(&["resolve"]).expect_code(0);
        }
        assert!(sandbox.file("modules/pages.md").contains("are made"));
    }
}

#[test]
fn which_name_a_file_keeps_that_both_sides_renamed_is_for_a_person() {
    for change in ["", "changed"] {
        let sandbox = with_module();
        let both = |sandbox: &Sandbox, name: &str| {
            rename(sandbox, name);
            let path = format!("modules/{name}.md");
            let text = sandbox.file(&path).replace("It ends.", &format!("It ends{change} {name}."));
            if !change.is_empty() {
                sandbox.write(&path, text);
                sandbox.commit("changed");
            }
        };
        both(&sandbox, "theirs");
        sandbox.git(&["checkout", "--quiet", "main"]);
        both(&sandbox, "ours");
        assert!(!merge(&sandbox, "other"));
        let before = ["ours", "theirs"].map(|name| sandbox.file(&format!("modules/{name}.md")));
        let reply = sandbox.run(&["resolve"]).expect_code(1);
        assert!(reply.stderr.contains("each side gave it another name"), "{}", reply.stderr);
        let after = ["ours", "theirs"].map(|name| sandbox.file(&format!("modules/{name}.md")));
        assert_eq!(before, after);
        assert!(!sandbox.git(&["ls-files"]).contains("modules/web.md"));
        let left = sandbox.git(&["diff", "--name-only", "--diff-filter=U"]);
        assert_eq!(left.lines().count(), 2, "{left}");
        assert!(!sandbox.has("modules/web.md"));
    }
}

/// Git merges the renamed file first, and then what that left with the other file of the same name.
#[test]
fn what_the_driver_left_in_conflict_is_one_when_git_merges_it_again() {
    let sandbox = with_module();
    let edit = |name: &str, text: &str| {
        let path = format!("modules/{name}.md");
        sandbox.write(&path, sandbox.file(&path).replace("are generated", text));
    };
    rename(&sandbox, "pages");
    edit("pages", "are made");
    sandbox.commit("changed");
    sandbox.git(&["checkout", "--quiet", "main"]);
    edit("web", "are gone");
    sandbox.write("modules/pages.md", format!("# Pages\n{}", section("pages", "There are some.")));
    sandbox.run(&["reindex"]).expect_code(0);
    sandbox.commit("another of that name");
    sandbox.run(&["install", "git"]).expect_code(0);
    let said = merge_and_hear(&sandbox, "other");
    assert!(!said.status.success(), "{}", sandbox.file("modules/pages.md"));
    let warning = "`.agent-memory/modules/pages.md` is not merged: git left markers";
    let talk = String::from_utf8(said.stderr).unwrap();
    assert!(talk.contains(warning), "{talk}");
    let text = sandbox.file("modules/pages.md");
    for line in ["Tables are made.", "Tables are gone.", "There are some."] {
        assert_eq!(text.matches(line).count(), 1, "{text}");
    }
}

#[test]
fn a_driver_takes_no_markers_for_text() {
    let sandbox = Sandbox::new();
    for length in [7, 8, 9] {
        let mark = |sign: &str| format!("{} x", sign.repeat(length));
        let marked = format!("{BASE}{}\na\n{}\nb\n{}\n", mark("<"), mark("="), mark(">"));
        let edited = |text: &str| text.replace("The first.", "Another first.");
        for [base, ours, theirs] in [
            [BASE, &marked, &edited(BASE)],
            [BASE, &edited(BASE), &marked],
            [BASE, &marked, BASE],
            ["", &marked, &marked],
            [&marked, &marked, &edited(&marked)],
        ] {
            let files = [("base", base), ("ours", ours), ("theirs", theirs)];
            files.iter().for_each(|(name, text)| sandbox.write_project(name, text));
            let driver = ["merge-driver", "base", "ours", "theirs", "x.md"];
            let said = sandbox.run(&driver).expect_code(1).stderr;
            assert!(said.contains("`x.md` is not merged: git left markers"), "{said}");
            let left = std::fs::read_to_string(sandbox.project().join("ours")).unwrap();
            assert!(left.contains(&marked[BASE.len()..]), "{left}");
        }
        // One side has taken them out again.
        let files = [("base", &marked), ("ours", &edited(&marked)), ("theirs", &BASE.to_owned())];
        files.iter().for_each(|(name, text)| sandbox.write_project(name, text));
        sandbox.run(&["merge-driver", "base", "ours", "theirs", "x.md"]).expect_code(0);
        let left = std::fs::read_to_string(sandbox.project().join("ours")).unwrap();
        assert_eq!(left, edited(BASE));
    }
}

/// `other` deletes the module, `main` does something else with it, and git cannot merge the two.
fn deleted_beside(change: impl Fn(&Sandbox)) -> Sandbox {
    let sandbox = with_module();
    sandbox.git(&["rm", "--quiet", ".agent-memory/modules/web.md"]);
    sandbox.run(&["reindex"]).expect_code(0);
    sandbox.commit("deleted");
    sandbox.git(&["checkout", "--quiet", "main"]);
    change(&sandbox);
    assert!(!merge(&sandbox, "other"));
    sandbox
}

#[test]
fn a_file_that_one_side_deleted_and_the_other_changed_or_renamed_is_for_a_person() {
    let append = |sandbox: &Sandbox, name: &str| {
        sandbox.append(&format!("modules/{name}.md"), &section("more", "More."));
        sandbox.run(&["reindex"]).expect_code(0);
        sandbox.commit("changed");
    };
    let renamed = deleted_beside(|sandbox| rename(sandbox, "ours"));
    let changed = deleted_beside(|sandbox| append(sandbox, "web"));
    let both = deleted_beside(|sandbox| {
        rename(sandbox, "ours");
        append(sandbox, "ours");
    });
    for (sandbox, name) in [(renamed, "ours"), (changed, "web"), (both, "ours")] {
        let path = format!("modules/{name}.md");
        let before = sandbox.file(&path);
        assert!(before.contains("Tables are generated."));
        let reply = sandbox.run(&["resolve"]).expect_code(1);
        assert!(reply.stderr.contains("one side deleted it"), "{}", reply.stderr);
        assert_eq!(sandbox.file(&path), before);
        sandbox.git(&["add", &format!(".agent-memory/{path}")]);
        sandbox.run(&["resolve"]).expect_code(0);
        assert_eq!(sandbox.git(&["ls-files", "--unmerged"]), "");
    }
}

#[test]
fn what_a_person_put_back_after_both_took_it_away_stays() {
    let sandbox = with_module();
    let text = sandbox.file("modules/web.md");
    rename(&sandbox, "theirs");
    sandbox.git(&["checkout", "--quiet", "main"]);
    rename(&sandbox, "ours");
    assert!(!merge(&sandbox, "other"));
    sandbox.write("modules/web.md", &text);
    // The other two names are still for the person to take out.
    sandbox.run(&["resolve"]).expect_code(1);
    assert_eq!(sandbox.file("modules/web.md"), text);
    let left = sandbox.git(&["diff", "--name-only", "--diff-filter=U"]);
    assert!(left.lines().count() == 2 && !left.contains("web.md"), "{left}");
}

#[test]
fn a_side_that_is_no_text_is_not_one_that_deleted_the_file() {
    let sandbox = with_module();
    let text = sandbox.file("modules/web.md");
    sandbox.write(
        "modules/web.md",
        [text.replace("It ends.", "It goes on.").as_bytes(), b"\xe9\n"].concat(),
    );
    sandbox.commit("latin");
    sandbox.git(&["checkout", "--quiet", "main"]);
    sandbox.write("modules/web.md", text.replace("It ends.", "It stops."));
    sandbox.commit("changed");
    assert!(!merge(&sandbox, "other"));
    let before = sandbox.bytes("modules/web.md");
    let reply = sandbox.run(&["resolve"]).expect_code(1);
    assert!(reply.stderr.contains("no UTF-8"), "{}", reply.stderr);
    assert_eq!(sandbox.bytes("modules/web.md"), before);
}

#[test]
fn what_a_person_resolved_is_listed_as_it_is() {
    let [ours, theirs] = ["We do.", "They do."].map(|text| BASE.replace("The first.", text));
    let sandbox = branches(&ours, &theirs);
    assert!(!merge(&sandbox, "other"));
    sandbox.run(&["resolve"]).expect_code(1);
    sandbox.write("decisions.md", BASE.replace("The first.", "Both do."));
    sandbox.run(&["resolve"]).expect_code(0);
}

#[test]
fn what_check_will_say_of_a_merged_file_is_told() {
    let long = |id: &str| -> String {
        let text = format!("{}\n", "word ".repeat(200)).repeat(11);
        (0..12).map(|number| section(&format!("{id}-{number}"), &text)).collect()
    };
    for driven in [true, false] {
        let sandbox =
            branches(&format!("{BASE}{}", long("ours")), &format!("{BASE}{}", long("theirs")));
        let said = if driven {
            sandbox.run(&["install", "git"]).expect_code(0);
            String::from_utf8(merge_and_hear(&sandbox, "other").stderr).unwrap()
        } else {
            assert!(!merge(&sandbox, "other"));
            sandbox.run(&["resolve"]).expect_code(0).stderr
        };
        assert!(said.contains("`decisions.md` is merged, and `check` will fail: "), "{said}");
    }
}
