//! `init --from` keeps relative links of notes to files that are no notes, or names those that lead nowhere.

use serde_json::{Value, json};

use crate::support::Sandbox;

fn adopt(sandbox: &Sandbox, from: &str, more: &[&str]) -> Value {
    let arguments = ["init", "--from", from, "--approver", "Ada", "--json"];
    sandbox.run(&[&arguments[..], more].concat()).json()
}

/// A repository with a few files besides one note of `docs/notes/`.
fn with_note(text: &str) -> Sandbox {
    let sandbox = Sandbox::without_store();
    for path in ["README.md", "docs/notes/img/x y.png", "docs/plan (1).txt", "src/a.rs"] {
        sandbox.write_project(path, "x\n");
    }
    sandbox.write_project("docs/notes/team/n.md", format!("# N\n\n## Links\n\n{text}").as_bytes());
    sandbox
}

/// Checks the links of a note after its adoption; those to files lead to a file.
fn check(text: &str, expected: &str, files: &[&str]) {
    let sandbox = with_note(text);
    let answer = adopt(&sandbox, "docs/notes", &[]);
    let adopted = sandbox.file("modules/team-n.md");
    assert!(adopted.ends_with(&format!("\n\n{expected}")), "{adopted}");
    for file in files {
        assert!(sandbox.store().join("modules").join(file).exists(), "{file}");
    }
    assert_eq!(answer["from"]["adopted"][0]["broken_links"], 0, "{answer}");
    let tree = sandbox.tree();
    let again = adopt(&sandbox, "docs/notes", &[]);
    assert_eq!((&again["from"]["adopted"], &again["from"]["kept"]), (&json!([]), &json!([])));
    assert!(sandbox.tree() == tree, "a second run changes nothing");
}

#[test]
fn a_link_to_a_file_of_the_repository_leads_where_it_led() {
    check(
        "[a](../../../src/a.rs#L1), ![x](../img/x%20y.png \"t\") and <../../../src/a.rs>\n",
        "[a](../../src/a.rs#L1), ![x](../../docs/notes/img/x%20y.png \"t\") and <../../../src/a.rs>\n",
        &["../../src/a.rs", "../../docs/notes/img/x y.png"],
    );
    check(
        "<img src=\"../img/x%20y.png\"> [r] [p](<../../plan (1).txt>)\n\n[r]: ../../../README.md?plain=1#x\n",
        "<img src=\"../../docs/notes/img/x%20y.png\"> [r] [p](<../../docs/plan %281%29.txt>)\n\n[r]: ../../README.md?plain=1#x\n",
        &["../../docs/plan (1).txt", "../../README.md"],
    );
    check(
        "[top](../../../) [docs](../..) [store](../../../.agent-memory/conventions.md#links)\n",
        "[top](../../) [docs](../../docs) [store](../conventions.md#links)\n",
        &["../../", "../../docs", "../conventions.md"],
    );
    let untouched = "`[a](../../../src/a.rs)` [b](https://x.org/../a.rs) [c](/src/a.rs) [d](#links)\n\n~~~\n[a](../../../src/a.rs)\n~~~\n";
    check(untouched, untouched, &[]);
}

#[test]
fn a_picture_in_the_form_of_a_wiki_leads_where_it_led_or_is_named() {
    check(
        "![[x y.png]] ![[img/x y.png|300]] ![[../img/x y.png|alt]]\n",
        "![[../../docs/notes/img/x y.png]] ![[../../docs/notes/img/x y.png|300]] ![[../../docs/notes/img/x y.png|alt]]\n",
        &["../../docs/notes/img/x y.png"],
    );
    let sandbox = with_note("![[x y.png]] [[gone.pdf]]\n");
    let answer = adopt(&sandbox, "docs/notes", &[]);
    let broken = &answer["from"]["adopted"][0]["first_broken_links"];
    assert_eq!(*broken, json!([{ "line": 7, "target": "gone.pdf", "reason": "missing" }]));
    let checked = sandbox.run(&["check", "--json"]).json();
    let findings = checked["findings"].as_array().unwrap().iter();
    let broken: Vec<_> = findings.filter(|each| each["rule"] == "link-broken").collect();
    assert!(broken.len() == 1 && broken[0].to_string().contains("gone.pdf"), "{checked}");
    // A picture that goes, and a file that comes, are no work of a person in the store.
    std::fs::remove_file(sandbox.project().join("docs/notes/img/x y.png")).unwrap();
    sandbox.write_project("docs/notes/gone.pdf", "x\n");
    let answer = adopt(&sandbox, "docs/notes", &[]);
    assert_eq!(answer["from"]["kept"], json!([]), "{answer}");
    let text = sandbox.file("modules/team-n.md");
    let expected = "![[../../docs/notes/img/x y.png]] [[../../docs/notes/gone.pdf]]\n";
    assert!(text.ends_with(expected), "{text}");
}

#[test]
fn a_link_that_leads_nowhere_stays_and_is_named_with_its_line() {
    let text = "[a](../gone.rs)\n\n[b](../../../../other/b.rs#x) [c](../../../src/a.rs)\n";
    let sandbox = with_note(text);
    let dry = adopt(&sandbox, "docs/notes", &["--dry-run"]);
    let said = sandbox.run(&["init", "--from", "docs/notes"]).expect_code(0);
    assert!(sandbox.file("modules/team-n.md").ends_with("#x) [c](../../src/a.rs)\n"));
    let lines = [
        "broken link modules/team-n.md:7 `../gone.rs`: there is no such file\n",
        "broken link modules/team-n.md:9 `../../../../other/b.rs#x`: it is outside of the repository\n",
    ];
    assert!(said.stdout.contains(&lines.concat()), "{}", said.stdout);
    assert!(said.stderr.contains("correct them in the store\n"), "{}", said.stderr);
    let file = &dry["from"]["adopted"][0];
    assert_eq!((&file["renamed_links"], &file["broken_links"]), (&json!(1), &json!(2)));
    let first = json!({ "line": 7, "target": "../gone.rs", "reason": "missing" });
    assert_eq!(file["first_broken_links"][0], first);
    let tree = sandbox.tree();
    assert_eq!(adopt(&sandbox, "docs/notes", &[])["from"]["adopted"], json!([]));
    assert!(sandbox.tree() == tree, "a second run changes nothing");
}

#[test]
fn notes_from_outside_of_the_repository_keep_links_into_it_alone() {
    let sandbox = Sandbox::without_store();
    sandbox.write_project("../notes/img.png", "x\n");
    let text = "# N\n\n## L\n\n![i](img.png) [a](../project/src/auth/refresh.rs)\n";
    sandbox.write_project("../notes/n.md", text);
    let answer = adopt(&sandbox, "../notes", &[]);
    let adopted = sandbox.file("modules/n.md");
    assert!(adopted.ends_with("![i](img.png) [a](../../src/auth/refresh.rs)\n"), "{adopted}");
    let links = &answer["from"]["adopted"][0]["first_broken_links"];
    assert_eq!(*links, json!([{ "line": 6, "target": "img.png", "reason": "outside" }]));
}

#[test]
fn many_links_that_lead_nowhere_are_counted_and_the_first_are_named() {
    let sandbox = with_note(&"[a](gone.rs)\n".repeat(40));
    let answer = adopt(&sandbox, "docs/notes", &["--dry-run"]);
    let file = &answer["from"]["adopted"][0];
    assert_eq!(file["broken_links"], 40);
    assert_eq!(file["first_broken_links"].as_array().unwrap().len(), 20);
    let said = sandbox.run(&["init", "--from", "docs/notes"]).stdout;
    assert_eq!(said.matches("broken link ").count(), 10, "{said}");
    assert!(said.contains("\nand 30 more; `--json` counts them by file\n"), "{said}");
}

#[test]
fn a_link_to_a_note_that_was_refused_follows_it_once_it_comes_in() {
    let sandbox = with_note("[k](../Key%20Note.md)\n");
    sandbox.write_project("docs/notes/Key Note.md", "# K\n\n## A\n\nx\u{202e}y\n");
    let answer = adopt(&sandbox, "docs/notes", &[]);
    assert_eq!(answer["from"]["adopted"][0]["broken_links"], 1, "{answer}");
    assert!(sandbox.file("modules/team-n.md").ends_with("[k](../Key%20Note.md)\n"));
    sandbox.write_project("docs/notes/Key Note.md", "# K\n\n## A\n\nxy\n");
    let answer = adopt(&sandbox, "docs/notes", &[]);
    assert_eq!(answer["renewed"], json!(["adopted.jsonl", "modules/team-n.md"]));
    assert!(sandbox.file("modules/team-n.md").ends_with("[k](key-note.md)\n"));
}

#[test]
fn a_note_that_is_new_since_gets_its_links() {
    let sandbox = with_note("[o](../Other.md) [a](../../../src/a.rs)\n");
    adopt(&sandbox, "docs/notes", &[]);
    sandbox.write_project("docs/notes/Other.md", "# O\n\n## P\n\nx\n");
    assert_eq!(adopt(&sandbox, "docs/notes", &[])["from"]["kept"], json!([]));
    assert!(sandbox.file("modules/team-n.md").ends_with("[o](other.md) [a](../../src/a.rs)\n"));
}

#[test]
fn a_store_below_the_top_leads_to_files_of_the_whole_repository() {
    let sandbox = with_note("[a](../../../src/a.rs)\n");
    sandbox.write_project("services/mail/main.rs", "x\n");
    let more = ["--root", "services/mail"];
    adopt(&sandbox, "docs/notes", &more);
    let path = sandbox.project().join("services/mail/.agent-memory/modules/team-n.md");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.ends_with("[a](../../../../src/a.rs)\n"), "{text}");
    assert!(path.with_file_name("../../../../src/a.rs").exists());
}

#[test]
fn a_store_that_is_taken_over_where_it_is_keeps_its_links() {
    let sandbox = Sandbox::without_store();
    let text = "# M\n\n## A\n<!-- @id: a -->\n\n[a](../../src/auth/refresh.rs) [b](gone.rs)\n";
    sandbox.write_project(".agent-memory/modules/m.md", text);
    sandbox.write_project(".agent-memory/meta/manifest.yaml", "version: 0.4.1\n");
    adopt(&sandbox, ".agent-memory", &[]);
    assert_eq!(sandbox.file("modules/m.md"), text);
}

#[test]
fn a_file_that_goes_or_comes_after_the_adoption_leaves_no_note_in_conflict() {
    let sandbox = with_note("[a](../../../src/a.rs) [b](../../../src/b.rs)\n");
    adopt(&sandbox, "docs/notes", &[]);
    std::fs::remove_file(sandbox.project().join("src/a.rs")).unwrap();
    let tree = sandbox.tree();
    let answer = adopt(&sandbox, "docs/notes", &[]);
    assert_eq!((&answer["from"]["adopted"], &answer["from"]["kept"]), (&json!([]), &json!([])));
    assert!(sandbox.tree() == tree, "nothing changes");
    sandbox.write_project("src/b.rs", "x\n");
    let answer = adopt(&sandbox, "docs/notes", &[]);
    assert_eq!(answer["renewed"], json!(["modules/team-n.md"]));
    let text = sandbox.file("modules/team-n.md");
    assert!(text.ends_with("[a](../../src/a.rs) [b](../../src/b.rs)\n"), "{text}");
}
