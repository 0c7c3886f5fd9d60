//! Names that lead elsewhere, or that some disk cannot keep or tell apart.

use serde_json::{Value, json};

use crate::requests::convention;
use crate::support::{Answer, Sandbox};

fn create(sandbox: &Sandbox, path: &str) -> Answer {
    sandbox.propose(module(path, "Text."))
}

fn module(path: &str, content: &str) -> Value {
    json!({ "intent": "refresh_module", "confidence": "user-provided",
        "sources": [{ "type": "user", "ref": "ada" }], "operations": [
        { "operation": "append_section", "path": path, "heading": "Tokens", "content": content },
    ]})
}

#[test]
fn a_path_that_is_not_safe_everywhere_is_refused() {
    let paths = [
        "../auth.md",
        "modules/../../auth.md",
        "modules/./auth.md",
        "modules//auth.md",
        "/etc/auth.md",
        "//server/share/auth.md",
        "c:/auth.md",
        "c:auth.md",
        "modules\\auth.md",
        "..\\auth.md",
        "modules/auth.md:stream",
        "modules/auth:x.md",
        "modules/Auth.md",
        "modules/über.md",
        "modules/u\u{308}ber.md",
        "modules/con.md",
        "modules/nul.md",
        "modules/aux.md",
        "modules/com1.md",
        "modules/lpt9.notes.md",
        "nul/auth.md",
        "modules/prn",
        "modules/auth.md.",
        "modules/auth.md ",
        "modules/auth .md",
        "modules./auth.md",
        "modules/.auth.md",
        "modules/auth.md\u{0}",
        "modules/auth\n.md",
        "state/lock",
        "config.toml",
    ];
    let sandbox = Sandbox::new();
    let before = sandbox.tree();
    for path in paths {
        let answer = create(&sandbox, path);
        let reason = answer["reason"].as_str().unwrap_or_default();
        assert!(
            ["invalid_path", "hidden_characters"].contains(&reason),
            "{path:?} {}",
            answer.value
        );
        let archive = json!({ "intent": "archive_stale", "operations": [
            { "operation": "archive_section", "path": "conventions.md", "section_id": "a",
              "archive_path": path }]});
        let answer = sandbox.propose(archive);
        let reason = answer["reason"].as_str().unwrap_or_default();
        assert!(
            ["invalid_path", "hidden_characters"].contains(&reason),
            "{path:?} {}",
            answer.value
        );
    }
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn a_name_that_is_too_long_is_refused_with_the_limit() {
    let sandbox = Sandbox::new();
    for length in [201, 255, 256, 4096, 70_000] {
        let path = format!("modules/{}.md", "a".repeat(length - 11));
        let answer = create(&sandbox, &path).rejected("invalid_path");
        assert!(answer["message"].to_string().contains("200 bytes"), "{}", answer.value);
    }
    let path = format!("modules/{}.md", "a".repeat(300));
    assert!(sandbox.run(&["show", &path]).expect_code(1).stderr.contains("200 bytes"));
}

#[test]
fn the_longest_name_goes_all_the_way() {
    let sandbox = Sandbox::new();
    let path = format!("modules/{}.md", "a".repeat(189));
    assert_eq!(path.len(), 200);
    let id = create(&sandbox, &path).staged();
    sandbox.apply(&id).applied();
    sandbox.run(&["show", &path]).expect_code(0);
    sandbox.run(&["undo", &id, "--approver", "Ada"]).expect_code(0);
    assert!(sandbox.has(&format!("state/trash/undone-{id}/{path}")));
    let id = create(&sandbox, &path).staged();
    sandbox.run(&["reject", &id, "--reason", "too long to read"]).expect_code(0);
}

#[test]
fn a_long_name_that_a_person_gave_is_read_and_keeps_nobody_from_working() {
    let sandbox = Sandbox::new();
    let name = format!("modules/{}.md", "a".repeat(252));
    sandbox.write(&name, "# Long\n\n## Zebra\n<!-- @id: zebra -->\n<!-- @source: user ada - confirmed 2026-11-20 -->\n\nStripes.\n");
    sandbox.run(&["search", "stripes", "--exit-code"]).expect_code(0);
    sandbox.run(&["doctor"]).expect_code(0);
    sandbox.propose(convention("Errors", "Name it.")).staged();
}

#[test]
fn a_name_that_differs_only_in_case_is_refused_with_both_names() {
    let twins = [
        ("modules/Auth.md", "modules/auth.md"),
        ("modules/AUTH.MD", "modules/auth.md"),
        ("Modules/other.md", "modules/auth.md"),
        ("modules/auth.md.", "modules/auth.md"),
        ("modules/au\u{200d}th.md", "modules/auth.md"),
        ("modules/tas\u{212a}.md", "modules/task.md"),
    ];
    for (there, wanted) in twins {
        let sandbox = Sandbox::given(&[(there, "# By hand\n")]);
        let before = sandbox.tree();
        let answer = create(&sandbox, wanted).rejected("invalid_path");
        let said = answer["message"].as_str().unwrap();
        let name = there.split(['/', '\u{200d}']).next().unwrap();
        assert!(said.contains(wanted) && said.contains(name), "{said}");
        assert_eq!(sandbox.tree(), before);
    }
}

#[test]
fn a_twin_that_comes_while_a_proposal_waits_is_noticed() {
    let sandbox = Sandbox::new();
    let id = create(&sandbox, "modules/auth.md").staged();
    sandbox.write("modules/Auth.md", "# By hand\n");
    let status = sandbox.run(&["status", "--json"]).expect_code(0);
    assert!(status.stdout.contains("modules/Auth.md"), "{}", status.stdout);
    sandbox.apply(&id).rejected("invalid_path");
    assert!(!sandbox.has("modules/auth.md"));
}

#[test]
fn names_that_are_only_alike_are_no_twins() {
    let sandbox = Sandbox::given(&[("modules/auth-x.md", "# X\n"), ("modules/über.md", "# U\n")]);
    create(&sandbox, "modules/auth.md").staged();
    create(&sandbox, "modules/uber.md").staged();
}
