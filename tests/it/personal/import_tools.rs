//! `user import --from claude|gemini`: where other tools keep what they know.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::Person;
use crate::support::Reply;

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn slug(folder: &Path) -> String {
    let real = folder.canonicalize().unwrap().display().to_string();
    real.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}

/// Writes a memory of Claude Code about a folder, with one note.
fn remember(person: &Person, settings: &str, folder: &Path, note: &str) {
    let memory = person.sandbox.root().join(settings).join("projects").join(slug(folder));
    write(&memory.join("memory/note.md"), note);
}

fn claude(person: &Person, more: &[&str]) -> Reply {
    person.run(&[&["import", "--from", "claude", "--json"], more].concat())
}

#[test]
fn the_memory_of_claude_code_is_found_by_the_path_of_the_project() {
    let person = Person::new();
    let other = person.sandbox.root().join("other_project.x");
    fs::create_dir(&other).unwrap();
    remember(&person, "home/.claude", &person.sandbox.project(), "Of this project.\n");
    remember(&person, "home/.claude", &other, "Of another one.\n");
    let report = claude(&person, &["--dry-run"]).expect_code(0).json();
    assert!(report["source"].as_str().unwrap().ends_with("-project/memory"), "{report}");
    claude(&person, &[]).expect_code(0);
    assert_eq!(person.body("note"), "Of this project.\n");
    let report = claude(&person, &["--project", other.to_str().unwrap(), "--dry-run"]);
    let source = report.expect_code(1).json()["source"].as_str().unwrap().to_owned();
    assert!(source.ends_with("-other-project-x/memory"), "{source}");
}

#[test]
fn another_folder_of_settings_is_named_by_the_variable_of_claude_code() {
    let person = Person::new();
    remember(&person, "elsewhere", &person.sandbox.project(), "Of this project.\n");
    claude(&person, &[]).expect_code(1);
    let settings = person.sandbox.root().join("elsewhere").display().to_string();
    let call = person.prepare(&["import", "--from", "claude"]).env("AGENT_MEMORY_USER", "ada");
    call.env("CLAUDE_CONFIG_DIR", &settings).run().expect_code(0);
    assert_eq!(person.body("note"), "Of this project.\n");
}

#[test]
fn a_folder_in_a_repository_and_a_linked_work_tree_share_the_memory_of_the_main_one() {
    let person = Person::new();
    let project = person.sandbox.project();
    person.sandbox.git(&["init", "--quiet", "--template=", "--initial-branch=main"]);
    person.sandbox.write_project("src/inner/x.txt", "x");
    person.sandbox.commit("a commit");
    let linked = person.sandbox.root().join("linked");
    person.sandbox.git(&["worktree", "add", "--quiet", linked.to_str().unwrap()]);
    remember(&person, "home/.claude", &project, "Of the repository.\n");
    for folder in [project.join("src/inner"), linked.clone()] {
        let report = claude(&person, &["--dry-run", "--project", folder.to_str().unwrap()]);
        assert_eq!(report.expect_code(0).json()["created"], 1);
    }
    // Older versions gave each work tree a memory of its own.
    fs::remove_dir_all(person.sandbox.root().join("home/.claude")).unwrap();
    remember(&person, "home/.claude", &linked, "Of the work tree.\n");
    claude(&person, &["--project", linked.to_str().unwrap()]).expect_code(0);
    assert_eq!(person.body("note"), "Of the work tree.\n");
}

#[test]
fn the_memory_of_a_long_path_has_a_hash_behind_its_name() {
    let person = Person::new();
    let long = person.sandbox.root().join("x".repeat(120)).join("y".repeat(120));
    fs::create_dir_all(&long).unwrap();
    let slug = slug(&long);
    let projects = person.sandbox.root().join("home/.claude/projects");
    write(&projects.join(format!("{}-1a2b3c/memory/note.md", &slug[..200])), "Of a long path.\n");
    claude(&person, &["--project", long.to_str().unwrap()]).expect_code(0);
    assert_eq!(person.body("note"), "Of a long path.\n");
}

#[test]
fn a_project_without_a_memory_is_refused_with_the_path_and_those_that_have_one() {
    let person = Person::new();
    let refusal = claude(&person, &[]).expect_code(1).json();
    assert_eq!(
        (&refusal["status"], &refusal["reason"]),
        (&json!("rejected"), &json!("entry_not_found"))
    );
    let path = format!("home/.claude/projects/{}/memory", slug(&person.sandbox.project()));
    assert!(refusal["message"].as_str().unwrap().contains(&path), "{refusal}");
    for number in 10..23 {
        let folder = person.sandbox.root().join(format!("project-{number}"));
        fs::create_dir(&folder).unwrap();
        remember(&person, "home/.claude", &folder, "Text.\n");
    }
    let hint = claude(&person, &[]).expect_code(1).json()["hint"].as_str().unwrap().to_owned();
    assert_eq!(hint.matches("-project-").count(), 10, "{hint}");
    assert!(hint.contains("-project-10`") && hint.contains('…'), "{hint}");
    assert!(hint.starts_with("give the folder of the project with `--project DIR`"), "{hint}");
    assert!(
        hint.contains("`agent-memory user import ") && hint.contains("/<name>/memory`"),
        "{hint}"
    );
    assert!(!person.data().exists());
}

const GEMINI: &str = "# Ada\n\n- not a memory\n\n## Gemini Added Memories\n- Prefers tabs over spaces, in all languages but Python and in all editors.\n- Prefers tabs over spaces, in all languages but Go: there is no choice.\n- 日本語で返信する\n- Deploys with\n  `make deploy`\n- Prefers tabs over spaces, in all languages but Python and in all editors.\n\n## More\n- nor this\n";

fn gemini(person: &Person, more: &[&str]) -> Reply {
    person.run(&[&["import", "--from", "gemini", "--json"], more].concat())
}

fn names(report: &Value) -> Vec<&str> {
    report["entries"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect()
}

#[test]
fn each_bullet_of_gemini_is_an_entry_of_the_user_and_once() {
    let person = Person::new();
    write(&person.sandbox.root().join("home/.gemini/GEMINI.md"), GEMINI);
    let dry = gemini(&person, &["--dry-run"]).expect_code(0).json();
    assert!(!person.data().exists());
    let report = gemini(&person, &[]).expect_code(0).json();
    assert_eq!(dry["entries"], report["entries"]);
    let expected = [
        "prefers-tabs-over-spaces-in-all",
        "prefers-tabs-over-spaces-in-all-2",
        "ri-ben-yu-de-fan-xin-suru",
        "deploys-with",
    ];
    assert_eq!(names(&report), expected);
    assert_eq!(report["entries"][3]["from"], "GEMINI.md:9");
    assert_eq!(
        person.file("memory/deploys-with.md"),
        "---\nname: deploys-with\ndescription: Deploys with `make deploy`\ntype: user\n---\n\nDeploys with\n`make deploy`\n"
    );
    let tree = person.tree();
    assert_eq!(gemini(&person, &[]).expect_code(0).json()["unchanged"], 4);
    assert!(person.tree() == tree);
    // The text decides, and not the place in the list.
    let moved = GEMINI
        .replace("Memories\n", "Memories\n- Prefers tabs over spaces, in all languages of all.\n");
    write(&person.sandbox.root().join("home/.gemini/GEMINI.md"), &moved);
    let report = gemini(&person, &[]).expect_code(0).json();
    assert_eq!((&report["created"], &report["unchanged"]), (&json!(1), &json!(4)));
    assert_eq!(names(&report)[0], "prefers-tabs-over-spaces-in-all-3");
    person.log_is_whole();
}

#[test]
fn a_bullet_of_gemini_gets_no_name_of_an_entry_that_cannot_be_read() {
    let person = Person::new();
    write(&person.sandbox.root().join("home/.gemini/GEMINI.md"), GEMINI);
    person.write("memory/deploys-with.md", b"caf\xe9");
    let report = gemini(&person, &[]).expect_code(0).json();
    assert_eq!(names(&report)[3], "deploys-with-2");
}

#[test]
fn a_bullet_of_gemini_that_an_entry_has_indented_is_told_of_no_file() {
    let person = Person::new();
    let text = "## Gemini Added Memories\n- Deploys with make\n";
    write(&person.sandbox.root().join("home/.gemini/GEMINI.md"), text);
    person.write("memory/x.md", "    Deploys with make\n");
    let report = gemini(&person, &[]).json();
    assert_eq!(report["entries"][0]["hint"], "delete it first: `agent-memory user delete x`");
}

#[test]
fn a_bullet_of_gemini_with_a_secret_is_refused_and_a_missing_file_too() {
    let person = Person::new();
    let refusal = gemini(&person, &[]).expect_code(1).json();
    assert_eq!(refusal["reason"], "entry_not_found");
    assert!(refusal["message"].as_str().unwrap().contains(".gemini/GEMINI.md"), "{refusal}");
    let token = ["ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].concat();
    let long = "many words ".repeat(60);
    let text = format!("## Gemini Added Memories\n- The token is {token}\n- {long}\n");
    write(&person.sandbox.root().join("home/.gemini/GEMINI.md"), &text);
    let reply = gemini(&person, &[]).expect_code(1);
    assert!(!reply.stdout.contains(&token), "{}", reply.stdout);
    let report = reply.json();
    assert_eq!(report["entries"][0]["reason"], "secret_detected");
    assert_eq!((&report["created"], &report["rejected"]), (&json!(1), &json!(1)));
    let read = person.read(names(&report)[1]);
    assert_eq!(read["body"], long.trim());
    let description = read["description"].as_str().unwrap();
    assert!(description.chars().count() <= 300 && description.ends_with("words…"), "{description}");
}
