//! `init --from`: a folder of notes, and a store of another tool, become a store.

use serde_json::{Value, json};

use crate::support::{Sandbox, files_in, replace_placeholders};

/// A repository without a store, beside it a folder with these files.
fn beside(files: &[(&str, &str)]) -> Sandbox {
    let sandbox = Sandbox::without_store();
    for (path, text) in files {
        sandbox.write_project(&format!("../notes/{path}"), text);
    }
    sandbox
}

fn adopt(sandbox: &Sandbox, more: &[&str]) -> Value {
    let arguments = ["init", "--from", "../notes", "--approver", "Ada", "--json"];
    sandbox.run(&[&arguments[..], more].concat()).json()
}

fn pairs(answer: &Value) -> Vec<String> {
    let files = answer["from"]["adopted"].as_array().unwrap().iter();
    files
        .map(|file| format!("{} {}", file["from"].as_str().unwrap(), file["to"].as_str().unwrap()))
        .collect()
}

#[test]
fn a_folder_of_notes_becomes_modules_with_ids() {
    let sandbox = beside(&[
        ("Auth Flow.md", "# Auth\r\n\r\n## Tokens\r\n\r\nThey live for 15 minutes.\r\n"),
        (
            "team/conventions.md",
            "---\ntags: [x]\n---\n# C\n\n## Errors\n<!-- @id: err -->\n\nName it.\n",
        ),
        ("decisions.md", "# Decisions\n\n## Use SQLite\n\nIt is enough.\n"),
        ("logo.png", "no Markdown"),
        (".obsidian/x.md", "# hidden\n"),
    ]);
    let before = files_in(&sandbox.root().join("notes"));
    let answer = adopt(&sandbox, &[]);
    assert_eq!(
        pairs(&answer),
        [
            "Auth Flow.md modules/auth-flow.md",
            "decisions.md decisions.md",
            "team/conventions.md modules/team-conventions.md",
        ]
    );
    assert_eq!(
        answer["from"]["not_understood"],
        json!([".obsidian/ (hidden, 1 file)", "logo.png (not Markdown)"])
    );
    let text =
        "# Auth\r\n\r\n## Tokens\r\n<!-- @id: tokens -->\r\n\r\nThey live for 15 minutes.\r\n";
    assert_eq!(sandbox.file("modules/auth-flow.md"), text);
    assert!(sandbox.file("modules/team-conventions.md").starts_with("---\ntags: [x]\n---\n# C\n"));
    assert!(sandbox.file("modules/team-conventions.md").contains("<!-- @id: err -->"));
    assert!(sandbox.file("conventions.md").starts_with("# Conventions\n"));
    assert!(files_in(&sandbox.root().join("notes")) == before, "the notes are not as they were");
    let found = sandbox.run(&["search", "sqlite", "--json"]).expect_code(0).json();
    assert_eq!(found["results"][0]["id"], "use-sqlite");
}

#[test]
fn a_second_run_changes_nothing_and_a_dry_run_nothing_at_all() {
    let sandbox = beside(&[("a.md", "# A\n\n## B\n\nx\n"), ("decisions.md", "# D\n\n## E\n\ny\n")]);
    let dry = adopt(&sandbox, &["--dry-run"]);
    assert!(!sandbox.store().exists());
    let made = adopt(&sandbox, &[]);
    assert_eq!((&dry["created"], pairs(&dry)), (&made["created"], pairs(&made)));
    let before = sandbox.tree();
    let again = adopt(&sandbox, &[]);
    assert_eq!((&again["created"], &again["from"]["adopted"]), (&json!([]), &json!([])));
    assert_eq!(again["from"]["kept"], json!([]));
    assert_eq!(sandbox.tree(), before);
    sandbox.append("modules/a.md", "\nBy hand.\n");
    assert_eq!(adopt(&sandbox, &[])["from"]["kept"], json!(["modules/a.md"]));
    assert!(sandbox.file("modules/a.md").ends_with("By hand.\n"));
}

#[test]
fn an_id_that_cannot_stay_is_told_and_links_to_it_follow() {
    let note = "# A\n\n## Use PG\n<!-- @id: use_PG.v2 -->\n<!-- @source: user ada - confirmed 2026-11-20 -->\n\n[[b#kept]]\n";
    let sandbox = beside(&[
        ("a.md", note),
        (
            "b.md",
            "# B\n\n## Kept\n<!-- @id: kept -->\n\n[[use_PG.v2]], [[a#use_PG.v2]], `[[use_PG.v2]]`\n\n## Twin\n<!-- @id: use-pg-v2 -->\n\nx\n",
        ),
    ]);
    let answer = adopt(&sandbox, &["--dry-run"]);
    let files = &answer["from"]["adopted"];
    let renamed = json!([{ "from": "use_PG.v2", "to": "use-pg-v2-2" }]);
    assert_eq!((&files[0]["renamed_ids"], &files[0]["new_ids"]), (&renamed, &json!(0)));
    assert_eq!((&files[1]["renamed_ids"], &files[1]["renamed_links"]), (&json!([]), &json!(2)));
    let said = sandbox.run(&["init", "--from", "../notes"]).expect_code(0).stdout;
    let lines = "adopted a.md as modules/a.md\n  the id `use_PG.v2` is `use-pg-v2-2` here\n";
    assert!(said.starts_with(lines), "{said}");
    assert_eq!(sandbox.file("modules/a.md"), note.replace("use_PG.v2", "use-pg-v2-2"));
    let links = "[[use-pg-v2-2]], [[a#use-pg-v2-2]], `[[use_PG.v2]]`\n";
    assert!(sandbox.file("modules/b.md").contains(links));
    let checked = sandbox.run(&["check", "--warn", "provenance-missing", "--json"]).json();
    let findings = checked["findings"].as_array().unwrap();
    assert!(findings.iter().all(|each| each["rule"] == "provenance-missing"), "{checked}");
    let before = sandbox.tree();
    assert_eq!(adopt(&sandbox, &[])["from"]["adopted"], json!([]));
    assert!(sandbox.tree() == before, "a second run changes nothing");
}

#[test]
fn an_id_that_cannot_stay_becomes_one_that_nothing_else_has() {
    let sandbox = beside(&[
        ("a.md", "# A\n\n## Use pg\n\nx\n"),
        ("o.md", "# O\n\n## P\n<!-- @id: use_pg -->\n\n[[use_pg]]\n"),
    ]);
    sandbox.run(&["init"]).expect_code(0);
    sandbox.write("modules/own.md", "# Own\n\n## Q\n<!-- @id: use-pg-2 -->\n\nx\n");
    adopt(&sandbox, &[]);
    assert!(sandbox.file("modules/a.md").contains("<!-- @id: use-pg -->"));
    let taken = "# O\n\n## P\n<!-- @id: use-pg-3 -->\n\n[[use-pg-3]]\n";
    assert_eq!(sandbox.file("modules/o.md"), taken);
    let again = adopt(&sandbox, &[]);
    assert_eq!((&again["created"], &again["from"]["kept"]), (&json!([]), &json!([])));
}

#[test]
fn what_is_hidden_is_not_taken_and_told() {
    let sandbox = beside(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        (".gitignore", "*.tmp\n"),
        (".notes.md", "# N\n\n## A\n\nx\n"),
        (".trash/x.md", "# X\n"),
        (".trash/deep/.y.md", "# Y\n"),
        ("team/.git", "gitdir: elsewhere\n"),
        ("team/.drafts/z.md", "# Z\n"),
        ("team/good.md", "# Good\n\n## A\n\nx\n"),
    ]);
    for more in [&["--dry-run"][..], &[], &[]] {
        let answer = adopt(&sandbox, more);
        assert_eq!(
            answer["from"]["not_understood"],
            json!([
                ".gitignore (hidden)",
                ".notes.md (hidden)",
                ".trash/ (hidden, 2 files)",
                "team/.drafts/ (hidden, 1 file)",
            ])
        );
    }
    let said = sandbox.run(&["init", "--from", "../notes", "--approver", "Ada"]).stdout;
    assert!(said.contains("not understood .trash/ (hidden, 2 files)\n"), "{said}");
}

#[test]
fn a_store_in_the_folder_of_its_notes_is_none_of_them() {
    let sandbox = Sandbox::without_store();
    sandbox.write_project("notes/a.md", "# A\n\n## B\n\nx\n");
    for _ in 0..2 {
        let arguments = ["init", "--root", "notes", "--from", "notes", "--json"];
        let arguments = [&arguments[..], &["--approver", "Ada"]].concat();
        let answer = sandbox.run(&arguments).expect_code(0).json();
        assert_eq!(answer["from"]["not_understood"], json!([]));
    }
}

#[test]
fn a_store_that_holds_nothing_yet_takes_notes_too() {
    let sandbox = beside(&[(
        "conventions.md",
        "# Conventions\n\n## Cache\n<!-- @id: cache -->\n<!-- @source: user ada - user-provided 2026-11-20 -->\n\nwarm\n",
    )]);
    sandbox.run(&["init"]).expect_code(0);
    let answer = adopt(&sandbox, &[]);
    assert_eq!(answer["renewed"], json!(["conventions.md"]));
    assert!(sandbox.file("conventions.md").contains("warm"));
    let checked = sandbox.run(&["check", "--json"]).expect_code(0).json();
    assert_eq!(checked["findings"], json!([]));
}

#[test]
fn any_name_of_markdown_is_taken_and_what_is_left_is_told_with_the_reason() {
    let sandbox = beside(&[
        ("index.md", "# Index\n\n## Where\n\nhere\n"),
        ("Guide.markdown", "# Guide\n\n## First\n\nx\n"),
        ("OLD.MD", "# Old\n\n## Second\n\ny\n"),
        ("state/x.md", "# X\n"),
        ("notes.txt", "text\n"),
    ]);
    let answer = adopt(&sandbox, &[]);
    assert_eq!(
        pairs(&answer),
        ["Guide.markdown modules/guide.md", "OLD.MD modules/old.md", "index.md modules/index.md",]
    );
    assert_eq!(answer["from"]["not_understood"], json!(["notes.txt (not Markdown)"]));
    let generated = beside(&[("index.md", "# Index\n<!-- @generated -->\n\n- a.md\n")]);
    let left = adopt(&generated, &[])["from"]["not_understood"].clone();
    assert_eq!(left, json!(["index.md (a table of contents, which `toc` prints)"]));
}

#[test]
fn links_follow_a_note_that_got_another_name() {
    let sandbox = beside(&[
        ("Alpha.md", "# Alpha\n\n## Next steps\n\nx\n\n## Größe\n\ny\n"),
        (
            "team/Beta_Plan.md",
            "# Beta\n\n## Plan\n\n[a](../Alpha.md#next-steps) [s](../Alpha.md#größe) [[Alpha#Größe]] <a href=\"../Alpha.md#next-steps\">a</a>\n\n[r]: ../Alpha.md#next-steps \"t\"\n",
        ),
        ("decisions.md", "# D\n\n## E\n\n[b](team/Beta_Plan.md#plan) [c](<./team/Beta_Plan.md>)\n"),
    ]);
    let answer = adopt(&sandbox, &[]);
    let links = |number: usize| answer["from"]["adopted"][number]["renamed_links"].clone();
    assert_eq!([links(0), links(1), links(2)], [json!(0), json!(2), json!(4)], "{answer}");
    let beta = sandbox.file("modules/team-beta-plan.md");
    let expected = "[a](alpha.md#next-steps) [s](alpha.md#grosse) [[Alpha#Größe]] <a href=\"alpha.md#next-steps\">a</a>\n\n[r]: alpha.md#next-steps \"t\"\n";
    assert!(beta.ends_with(expected), "{beta}");
    let decisions = sandbox.file("decisions.md");
    let expected = "[b](modules/team-beta-plan.md#plan) [c](<modules/team-beta-plan.md>)\n";
    assert!(decisions.ends_with(expected), "{decisions}");
    let checked = sandbox.run(&["check", "--json"]).json();
    let findings = checked["findings"].as_array().unwrap();
    assert!(findings.iter().all(|each| each["rule"] != "link-broken"), "{checked}");
    let tree = sandbox.tree();
    adopt(&sandbox, &[]);
    assert!(sandbox.tree() == tree, "a second run changes nothing");
}

#[test]
fn the_day_of_a_heading_becomes_a_field_and_one_command_writes_the_rest() {
    let note = "# Decisions\n\n## 2026-05-06 - Use queues\n\nThey hold.\n\n## 2026-05-07: Use SQLite\n\nEnough.\n";
    let sandbox = beside(&[("decisions.md", note)]);
    let schema = |sandbox: &Sandbox| {
        let checked = sandbox.run(&["check", "--json"]).json();
        let findings = checked["findings"].as_array().unwrap().clone();
        findings.into_iter().filter(|each| each["rule"] == "schema").count()
    };
    let said = sandbox.run(&["init", "--from", "../notes"]).expect_code(0);
    assert!(said.stdout.contains("2 new ids, fields added to 2 sections\n"), "{}", said.stdout);
    let hint = "2 sections of decisions.md without `Status`: run the same command again with `--field Status=VALUE`; allowed is one of `proposed`, `active`, `superseded`, `deprecated`\n";
    assert!(said.stderr.contains(hint), "{}", said.stderr);
    let day = "<!-- @id: 2026-05-06-use-queues -->\n\n- **Date:** 2026-05-06\n\nThey hold.\n";
    assert!(sandbox.file("decisions.md").contains(day), "{}", sandbox.file("decisions.md"));
    assert_eq!(schema(&sandbox), 2);
    let answer = adopt(&sandbox, &["--field", "Status=active"]);
    assert_eq!(answer["renewed"], json!(["decisions.md"]));
    assert_eq!(answer["from"]["adopted"][0]["missing_fields"], json!([]));
    assert!(sandbox.file("decisions.md").contains("05-07\n- **Status:** active\n\nEnough.\n"));
    assert_eq!(schema(&sandbox), 0);
    let tree = sandbox.tree();
    adopt(&sandbox, &["--field", "Status=active"]);
    assert!(sandbox.tree() == tree, "a second run changes nothing");
}

#[test]
fn a_field_never_changes_what_a_person_wrote_since() {
    let sandbox = beside(&[("decisions.md", "# D\n\n## 2026-05-06 A\n\nx\n")]);
    adopt(&sandbox, &[]);
    sandbox.append("decisions.md", "By hand.\n");
    let answer = adopt(&sandbox, &["--field", "Status=active"]);
    assert_eq!(answer["from"]["kept"], json!(["decisions.md"]));
    assert!(!sandbox.file("decisions.md").contains("Status"));
}

/// The lines of `decisions.md` behind the ids of its two sections, after runs with a field each.
fn check_fields(sandbox: &Sandbox, runs: &[&str], expected: &str) {
    for run in runs {
        let answer = adopt(sandbox, &["--field", run]);
        assert_eq!(answer["from"]["kept"], json!([]), "{run}");
    }
    let text = sandbox.file("decisions.md");
    let fields = text.lines().filter(|line| line.starts_with("- **"));
    assert_eq!(fields.collect::<Vec<_>>().join("\n"), expected, "{runs:?}");
    let tree = sandbox.tree();
    let again = adopt(sandbox, &[]);
    assert_eq!((&again["from"]["adopted"], &again["from"]["kept"]), (&json!([]), &json!([])));
    assert!(sandbox.tree() == tree, "a run without a field changes nothing");
}

const TWO_DECISIONS: &str = "# D\n\n## One\n\nx\n\n## Two\n\n[a](other.md)\n";

#[test]
fn fields_may_come_one_run_after_the_other() {
    let both = "- **Date:** 2026-11-20\n- **Status:** active";
    let both = format!("{both}\n{both}");
    for runs in [
        &["Status=active", "Date=2026-11-20"][..],
        &["Date=2026-11-20", "Status=active"],
        &["Status=active", "Status=proposed", "Date=2026-11-20", "Date=2026-11-19"],
    ] {
        let sandbox =
            beside(&[("decisions.md", TWO_DECISIONS), ("other.md", "# O\n\n## P\n\nx\n")]);
        check_fields(&sandbox, runs, &both);
    }
    let text = TWO_DECISIONS.replace("## One", "## 2026-05-06 One").replace('\n', "\r\n");
    let sandbox = beside(&[("decisions.md", &text)]);
    adopt(&sandbox, &[]);
    let expected = "- **Date:** 2026-05-06\n- **Status:** active\n- **Date:** 2026-11-20\n- **Status:** active";
    check_fields(&sandbox, &["Status=active", "Date=2026-11-20"], expected);
    assert!(!sandbox.file("decisions.md").replace("\r\n", "").contains('\n'));
}

#[test]
fn a_later_run_calls_no_id_new_that_an_earlier_one_gave() {
    let sandbox = beside(&[("decisions.md", TWO_DECISIONS)]);
    let new_ids =
        |more: &[&str]| adopt(&sandbox, more)["from"]["adopted"][0]["new_ids"].as_u64().unwrap();
    assert_eq!(new_ids(&[]), 2);
    assert_eq!(new_ids(&["--field", "Status=active"]), 0);
}

#[test]
fn a_value_that_a_person_changed_between_two_runs_stays() {
    let sandbox = beside(&[("decisions.md", TWO_DECISIONS)]);
    adopt(&sandbox, &["--field", "Status=active"]);
    let text = sandbox.file("decisions.md").replacen("active", "deprecated", 1);
    sandbox.write("decisions.md", text);
    let expected = "- **Date:** 2026-11-20\n- **Status:** deprecated\n- **Date:** 2026-11-20\n- **Status:** active";
    check_fields(&sandbox, &["Date=2026-11-20"], expected);
}

#[test]
fn a_file_that_a_person_edited_between_two_runs_is_kept() {
    for (from, to) in [("\nx\n", "\nx and y\n"), ("- **Status:**", "Status:"), ("# D", "# E")] {
        let sandbox = beside(&[("decisions.md", TWO_DECISIONS)]);
        adopt(&sandbox, &["--field", "Status=active"]);
        let text = sandbox.file("decisions.md").replacen(from, to, 1);
        sandbox.write("decisions.md", text.as_str());
        let answer = adopt(&sandbox, &["--field", "Date=2026-11-20"]);
        assert_eq!(sandbox.file("decisions.md"), text);
        assert_eq!(answer["from"]["kept"], json!(["decisions.md"]), "{from:?}");
    }
}

#[test]
fn a_field_that_no_schema_would_have_is_refused_with_what_is_allowed() {
    let sandbox = beside(&[("decisions.md", "# D\n\n## 2026-05-06 A\n\nx\n")]);
    let secret = format!("Status={}", replace_placeholders("{{AWS_KEY}}"));
    for (field, hint) in [
        ("Status=done", "allowed is one of `proposed`, `active`"),
        ("Date=soon", "allowed is a day of the calendar"),
        ("Owner=ada", "names the required fields"),
        ("Status", "--field Status=active"),
        (&secret, "without secrets"),
        ("Status=active\n## B", "plain text"),
    ] {
        let arguments = ["init", "--from", "../notes", "--dry-run", "--field", field];
        let said = sandbox.run(&arguments).expect_code(2).stderr;
        assert!(said.contains(hint), "{field}: {said}");
        assert!(!said.contains(&secret["Status=".len()..]), "{said}");
    }
}

#[test]
fn a_file_that_was_refused_is_taken_once_the_line_is_gone() {
    let secret = replace_placeholders("{{AWS_KEY}}");
    let text = format!("# K\n\n## A\n\nkey {secret}\nand more\n");
    let sandbox = beside(&[("keys.md", &text)]);
    let said = sandbox.run(&["init", "--from", "../notes"]).expect_code(1).stderr;
    let hint =
        "remove what the findings name from the original file, then run the same command again";
    assert!(said.contains(hint), "{said}");
    let answer = sandbox.run(&["init", "--from", "../notes", "--approver", "Ada", "--json"]);
    assert_eq!(answer.json()["from"]["refused"][0]["hint"], hint);
    sandbox.write_project("../notes/keys.md", text.replace(&secret, "in the vault"));
    let answer = adopt(&sandbox, &[]);
    assert_eq!(pairs(&answer), ["keys.md modules/keys.md"]);
}

#[test]
fn whatever_keeps_a_file_out_the_answer_says_what_to_do_next() {
    let secret = replace_placeholders("{{AWS_KEY}}");
    let note = "# A\n\n## B\n\nx\n";
    let named = format!("{secret}.md");
    for (path, text, step) in [
        ("keys.md", format!("{note}key {secret}\n").into_bytes(), "remove what the findings name"),
        ("merge.md", format!("{note}<<<<<<< a\n").into_bytes(), "remove what the findings name"),
        ("hidden.md", format!("{note}x\u{202e}y\n").into_bytes(), "remove what the findings name"),
        ("latin.md", b"# L\n\xff\n".to_vec(), "make the original file a readable UTF-8 text"),
        (named.as_str(), note.as_bytes().to_vec(), "give the original file another name"),
    ] {
        let sandbox = beside(&[]);
        sandbox.write_project(&format!("../notes/{path}"), text);
        let said = sandbox.run(&["init", "--from", "../notes"]).expect_code(1).stderr;
        assert!(said.contains(step), "{path}: {said}");
        assert!(said.contains(", then run the same command again\n"), "{path}: {said}");
    }
}

#[test]
fn a_record_of_adopted_notes_that_cannot_be_read_is_to_be_restored_first() {
    let sandbox = beside(&[("a.md", "# A\n\n## B\n\nx\n")]);
    adopt(&sandbox, &[]);
    sandbox.write("adopted.jsonl", b"\xff\n");
    let error = adopt(&sandbox, &[])["error"].clone();
    let hint = error["hint"].as_str().unwrap();
    assert!(hint.contains("`git restore`, then run the same command again"), "{error}");
}

#[test]
fn a_note_that_was_kept_and_one_without_a_path_come_with_the_next_step() {
    let sandbox = beside(&[("a.md", "# A\n\n## B\n\nx\n"), ("staging/x.md", "# X\n")]);
    adopt(&sandbox, &[]);
    sandbox.append("modules/a.md", "By hand.\n");
    let said = sandbox.run(&["init", "--from", "../notes", "--approver", "Ada"]);
    assert!(
        said.stdout
            .contains("staging/x.md (in a folder that is for the program: move notes out of it)\n")
    );
    let step = "compare what was kept with the original files, and merge them by hand\n";
    assert!(said.stderr.contains(step), "{}", said.stderr);
}

#[test]
fn what_must_not_come_in_is_refused_file_by_file() {
    let secret = replace_placeholders("{{AWS_KEY}}");
    let sandbox = beside(&[
        ("good.md", "# Good\n\n## A\n\nx\n"),
        ("hidden.md", "# H\n\n## A\n\nx\u{202e}y\n"),
        ("keys.md", &format!("# K\n\n## A\n\nkey {secret}\n")),
        ("merge.md", "# M\n\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n"),
        ("meta/manifest.yaml", &format!("token: {secret}\n")),
    ]);
    std::fs::write(sandbox.root().join("notes/latin.md"), b"# L\n\xff\n").unwrap();
    let reply = sandbox.run(&["init", "--from", "../notes", "--json"]).expect_code(1);
    assert!(!format!("{}{}", reply.stdout, reply.stderr).contains(&secret));
    let answer = reply.json();
    assert_eq!(pairs(&answer), ["good.md modules/good.md"]);
    let refused = answer["from"]["refused"].as_array().unwrap().iter();
    let refused: Vec<String> = refused
        .map(|file| {
            format!(
                "{} {}",
                file["from"].as_str().unwrap(),
                file["findings"][0]["rule"].as_str().unwrap()
            )
        })
        .collect();
    assert_eq!(
        refused,
        [
            "meta/manifest.yaml secret",
            "hidden.md hidden-character",
            "keys.md secret",
            "latin.md file-unreadable",
            "merge.md conflict-marker",
        ]
    );
    let said = Sandbox::run(&sandbox, &["init", "--from", "../notes", "--approver", "Ada"]).stdout;
    assert!(said.contains("refused keys.md:5: this looks like a secret"), "{said}");
    for (path, bytes) in files_in(&sandbox.store()) {
        assert!(!String::from_utf8_lossy(&bytes).contains(&secret), "{path}");
    }
}

#[test]
fn a_store_of_another_tool_keeps_its_ids_and_its_settings() {
    let sandbox = beside(&[
        (
            "decisions.md",
            "# Decisions\n\n## Use SQLite\n<!-- @id: use-sqlite -->\n\n- **Date:** 2026-01-02\n- **Status:** active\n\nEnough.\n",
        ),
        ("runbooks/deploy.md", "# Deploy\n\n## Steps\n<!-- @id: deploy-steps -->\n\nPush.\n"),
        ("index.md", "# Index\n"),
        ("staging/1/proposal.json", "{}\n"),
        ("local/current.shared.md", "## Now\n<!-- @id: now -->\n\nMoving.\n"),
        ("meta/index.sqlite", "SQLite\n"),
        (
            "meta/manifest.yaml",
            "version: 0.4.1\nproject:\n    name: shop\n    root: .\nupdates:\n    approval:\n        decisions: server_only\n        pitfalls_append: stage\nstaging:\n    ttl_seconds: 1814400\n",
        ),
        (
            "meta/schema.yaml",
            "version: 0.4.1\ncategories:\n    decisions:\n        file: decisions.md\n        section_id_required: true\n        approval: stage\n        agent_writable: true\n        color: red\n    runbooks:\n        file_glob: runbooks/*.md\n        git_tracked: true\n",
        ),
    ]);
    let answer = adopt(&sandbox, &[]);
    assert_eq!(
        pairs(&answer),
        [
            "decisions.md decisions.md",
            "local/current.shared.md local/shared.md",
            "runbooks/deploy.md runbooks/deploy.md"
        ]
    );
    assert!(sandbox.file("runbooks/deploy.md").contains("<!-- @id: deploy-steps -->"));
    assert!(sandbox.file("config.toml").contains("ttl_days = 21"));
    assert!(sandbox.file("schemas/decisions.toml").contains("deny"));
    assert!(sandbox.file("schemas/pitfalls.toml").contains("append_to_section = \"stage\""));
    assert!(sandbox.has("schemas/runbooks.toml"));
    assert_eq!(
        answer["from"]["not_understood"],
        json!([
            "meta/schema.yaml: categories.decisions.color",
            "meta/manifest.yaml: project.name",
            "index.md (a table of contents, which `toc` prints)",
            "meta/index.sqlite (in a folder that is for the program: move notes out of it)",
            "staging/1/proposal.json (in a folder that is for the program: move notes out of it)"
        ])
    );
    assert_eq!(sandbox.run(&["status", "--json"]).expect_code(0).json()["pending"], json!([]));
    let request = json!({
        "intent": "record_decision", "sources": [{ "type": "user", "ref": "ada" }],
        "operations": [{ "operation": "append_section", "heading": "X", "content": "- **Date:** 2026-11-20\n- **Status:** active\n\nx" }],
    });
    sandbox.propose(request).rejected("denied_by_policy");
}

#[test]
fn a_store_of_another_tool_is_taken_over_where_it_is() {
    let sandbox = Sandbox::without_store();
    let (text, shared) = ("# Decisions\n\n## Use SQLite\n\nEnough.\n", "## Now\n\nMoving.\n");
    let contents = "# Agent Memory Index\n<!-- @generated -->\n\n## Topic map\n- decisions.md\n";
    for (path, text) in [
        ("decisions.md", text),
        ("index.md", contents),
        ("notes/loose.md", "# Loose\n\n## End\n\nx\n"),
        ("local/current.shared.md", shared),
        ("meta/manifest.yaml", "version: 0.4.1\nstaging:\n  ttl_seconds: 1814400\n"),
    ] {
        sandbox.write_project(&format!(".agent-memory/{path}"), text);
    }
    sandbox.write_project("../notes/a.md", "# A\n\n## B\n\nx\n");
    for arguments in [&["init"][..], &["init", "--from", "../notes"]] {
        let refused = sandbox.run(arguments).expect_code(2).stderr;
        assert!(refused.contains("another tool made this store"), "{refused}");
        assert!(refused.contains("agent-memory init --from "), "{refused}");
    }
    assert!(!sandbox.has("config.toml"));
    let take = |arguments: &[&str]| sandbox.run(arguments).expect_code(0).json();
    let answer = take(&["init", "--from", ".agent-memory", "--json"]);
    assert_eq!(answer["renewed"], json!(["decisions.md"]));
    assert_eq!(
        answer["from"]["not_understood"],
        json!([
            "index.md (a table of contents, which `toc` prints)",
            "notes/loose.md (no category of the store has it: move it to `modules/`)"
        ])
    );
    assert_eq!(sandbox.file("index.md"), contents);
    assert!(sandbox.file("config.toml").contains("ttl_days = 21"));
    assert!(sandbox.file("decisions.md").contains("<!-- @id: use-sqlite -->"));
    assert!(sandbox.file("local/shared.md").contains("Moving."));
    let before = sandbox.tree();
    let again = take(&["init", "--from", ".agent-memory", "--approver", "Ada", "--json"]);
    assert_eq!((&again["created"], &again["renewed"]), (&json!([]), &Value::Null));
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn a_note_whose_path_a_category_has_keeps_it_whatever_else_is_called_so() {
    let sandbox = beside(&[
        ("auth.md", "# Other\n\n## Other\n\nx\n"),
        ("modules/auth.md", "# Auth\n\n## Auth\n\ny\n"),
    ]);
    let answer = adopt(&sandbox, &[]);
    assert_eq!(pairs(&answer), ["auth.md modules/auth-2.md", "modules/auth.md modules/auth.md"]);
}

#[test]
fn settings_that_are_there_already_are_kept_and_nothing_is_called_translated() {
    let sandbox = beside(&[(
        "meta/manifest.yaml",
        "staging:\n  ttl_seconds: 1814400\nupdates:\n  approval:\n    decisions: server_only\n",
    )]);
    sandbox.run(&["init"]).expect_code(0);
    let before = sandbox.tree();
    let answer = adopt(&sandbox, &[]);
    assert_eq!(answer["from"]["kept"], json!(["config.toml", "schemas/decisions.toml"]));
    assert_eq!(answer["from"]["understood"], json!([]));
    assert_eq!(
        answer["from"]["not_understood"],
        json!([
            "meta/manifest.yaml: staging.ttl_seconds (`config.toml` is there already)",
            "meta/manifest.yaml: updates.approval.decisions (`schemas/decisions.toml` is there already)"
        ])
    );
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn a_name_that_looks_like_a_secret_is_refused_and_not_shown() {
    let secret = replace_placeholders("{{AWS_KEY}}");
    let sandbox = beside(&[(&format!("{secret}.md"), "# A\n\n## B\n\nx\n")]);
    for more in [&[][..], &["--json"][..]] {
        let arguments = [&["init", "--from", "../notes"][..], more].concat();
        let reply = sandbox.run(&arguments).expect_code(1);
        assert!(!format!("{}{}", reply.stdout, reply.stderr).contains(&secret));
    }
    assert!(sandbox.tree().keys().all(|path| !path.contains(&secret)));
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let sandbox = Sandbox::without_store();
    let error = adopt(&sandbox, &[])["error"].clone();
    assert!(error["message"].as_str().unwrap().contains("there is no file or folder"), "{error}");
    assert!(!sandbox.store().exists());
}

#[test]
fn a_folder_without_a_note_is_told() {
    let sandbox = beside(&[("picture.png", "x"), (".hidden/a.md", "x")]);
    for _ in 0..2 {
        let warnings = adopt(&sandbox, &[])["warnings"].to_string();
        assert!(warnings.contains("no note was found"), "{warnings}");
    }
    sandbox.write_project("../notes/a.markdown", "# A\n");
    for _ in 0..2 {
        assert_eq!(adopt(&sandbox, &[])["warnings"], Value::Null);
    }
}

#[test]
fn a_store_of_another_tool_is_listed_and_keeps_its_state_out_of_git() {
    let sandbox = Sandbox::without_store();
    let note = "# Pitfalls\n\n## P\n<!-- @id: p-one -->\n<!-- @source: user ada - confirmed 2026-11-20 -->\n\nx\n";
    for (path, text) in [
        ("meta/manifest.yaml", "version: 0.4.1\n"),
        ("meta/schema.yaml", "version: 0.4.1\ncategories: {}\n"),
        ("pitfalls.md", note),
        (".gitignore", "local/\nstaging/"),
    ] {
        sandbox.write_project(&format!(".agent-memory/{path}"), text.as_bytes());
    }
    sandbox.run(&["init", "--from", ".agent-memory"]).expect_code(0);
    assert_eq!(sandbox.file(".gitignore"), "local/\nstaging/\n/state/\n");
    assert_eq!(sandbox.file("pitfalls.md"), note);
    sandbox.git(&["add", "--all"]);
    sandbox.run(&["check", "--deny", "index-outdated"]).expect_code(0);
    let before = sandbox.tree();
    sandbox.run(&["init", "--from", ".agent-memory", "--approver", "Ada"]).expect_code(0);
    assert!(sandbox.tree() == before, "a second run changes nothing");
}
