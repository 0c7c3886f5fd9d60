//! `show` and `diff`: a proposal as a reviewer reads it, and memory as it stands.

use serde_json::json;

use crate::requests::{convention, new_body, two_files, with_conventions};
use crate::support::{Sandbox, replace_placeholders};

/// Makes a text fit for a snapshot, which must not depend on an id or on blanks at the end of a line.
fn id_shortened(text: &str, id: &str) -> String {
    let lines: Vec<_> = text.lines().map(str::trim_end).collect();
    lines.join("\n").replace(id, "[id]")
}

#[test]
fn a_proposal_is_shown_with_its_difference() {
    let sandbox = with_conventions();
    let mut request = new_body("errors", "They name a path and a line.");
    request["rationale"] = json!("Lines help");
    request["owner"] = json!("claude");
    let id = sandbox.propose(request).staged();
    let reply = sandbox.run(&["show", &id]).expect_code(0);
    insta::assert_snapshot!(id_shortened(&reply.stdout, &id), @r"
    proposal [id]
      intent     update_conventions
      why        Lines help
      by         claude
      sources    user ada
      pending    0s, 7d left
      digest     73e10e6185018839633d112a049d60f99b94698e06436421fd71563439b73c1f
      applies    yes
      changed  conventions.md#errors  cf6e310d5c2d7673

    --- a/conventions.md
    +++ b/conventions.md
    @@ -2,8 +2,9 @@

     ## Errors
     <!-- @id: errors -->
    +<!-- @source: user ada - inferred 2026-11-20 -->

    -They name a path.
    +They name a path and a line.

     ## Names
     <!-- @id: names -->
    ");
}

#[test]
fn diff_shows_every_file_of_a_proposal() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(two_files()).staged();
    let reply = sandbox.run(&["diff", &id]).expect_code(0);
    insta::assert_snapshot!(id_shortened(&reply.stdout, &id), @r"
    proposal [id]
    --- /dev/null
    +++ b/modules/auth.md
    @@ -0,0 +1,7 @@
    +# Auth
    +
    +## Tokens
    +<!-- @id: tokens -->
    +<!-- @source: user ada - inferred 2026-11-20 -->
    +
    +A text that is meant for modules/auth.md alone.
    --- /dev/null
    +++ b/modules/net.md
    @@ -0,0 +1,7 @@
    +# Net
    +
    +## Tokens
    +<!-- @id: tokens -->
    +<!-- @source: user ada - inferred 2026-11-20 -->
    +
    +A text that is meant for modules/net.md alone.
    ");
}

#[test]
fn diff_without_an_id_shows_all_that_wait() {
    let sandbox = Sandbox::new();
    let first = sandbox.propose(convention("One", "The first.")).staged();
    let second = sandbox.propose(convention("Two", "The second.")).staged();
    let answer = sandbox.run(&["diff", "--json"]).expect_code(0).json();
    let mut ids: Vec<&str> = answer["proposals"]
        .as_array()
        .unwrap()
        .iter()
        .map(|proposal| proposal["id"].as_str().unwrap())
        .collect();
    ids.sort_unstable();
    let mut expected = [first.as_str(), second.as_str()];
    expected.sort_unstable();
    assert_eq!(ids, expected);
}

#[test]
fn diff_of_an_empty_queue_says_so_and_prints_no_data() {
    let sandbox = Sandbox::new();
    let reply = sandbox.run(&["diff"]).expect_code(0);
    assert_eq!((reply.stdout.as_str(), reply.stderr.as_str()), ("", "nothing is pending\n"));
}

#[test]
fn show_in_json_has_the_digest_and_the_sections() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    let shown = sandbox.run(&["show", &id, "--json"]).expect_code(0).json();
    assert_eq!(shown["id"], id);
    assert_eq!(shown["digest"].as_str().unwrap().len(), 64);
    assert_eq!(shown["affected_sections"][0]["section_id"], "errors");
    assert_eq!(shown["diffs"][0]["path"], "conventions.md");
}

#[test]
fn show_and_diff_agree_on_the_digest() {
    let sandbox = Sandbox::new();
    sandbox.propose(convention("Errors", "Name the path.")).staged();
    let shown = sandbox.run(&["show", "--latest", "--json"]).expect_code(0).json();
    let diff = sandbox.run(&["diff", "--latest", "--json"]).expect_code(0).json();
    assert_eq!(shown["digest"], diff["proposals"][0]["digest"]);
}

#[test]
fn a_unique_prefix_is_enough() {
    let mut sandbox = Sandbox::new();
    let first = sandbox.propose(convention("One", "The first.")).staged();
    sandbox.advance_days(1);
    sandbox.propose(convention("Two", "The second.")).staged();
    let shown = sandbox.run(&["show", "20261120", "--json"]).expect_code(0).json();
    assert_eq!(shown["id"], first);
}

#[test]
fn a_unique_part_is_enough() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Peculiar", "The first.")).staged();
    sandbox.propose(convention("Two", "The second.")).staged();
    let shown = sandbox.run(&["show", "peculiar", "--json"]).expect_code(0).json();
    assert_eq!(shown["id"], id);
}

#[test]
fn the_latest_is_the_youngest() {
    let mut sandbox = Sandbox::new();
    sandbox.propose(convention("One", "The first.")).staged();
    sandbox.advance_days(1);
    let second = sandbox.propose(convention("Two", "The second.")).staged();
    let shown = sandbox.run(&["show", "--latest", "--json"]).expect_code(0).json();
    assert_eq!(shown["id"], second);
}

#[test]
fn an_ambiguous_part_lists_the_candidates() {
    let sandbox = Sandbox::new();
    let first = sandbox.propose(convention("One", "The first.")).staged();
    let second = sandbox.propose(convention("Two", "The second.")).staged();
    let answer = sandbox.run(&["show", "2026", "--json"]).expect_code(1).answer();
    let message = answer.rejected("staging_ambiguous")["message"].to_string();
    assert!(message.contains(&first) && message.contains(&second), "{message}");
}

#[test]
fn an_unknown_id_is_a_no() {
    let sandbox = Sandbox::new();
    for command in ["show", "diff"] {
        let answer = sandbox.run(&[command, "absent", "--json"]).expect_code(1).answer();
        answer.rejected("staging_not_found");
    }
}

#[test]
fn a_decided_proposal_is_shown_from_the_log() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.apply(&id).applied();
    let shown = sandbox.run(&["show", &id, "--json"]).expect_code(0).json();
    let decisions: Vec<_> =
        shown["decisions"].as_array().unwrap().iter().map(|each| &each["decision"]).collect();
    assert_eq!(decisions, ["staged", "applied"]);
}

/// Three new conventions, of which a person took the last two; returns the id.
fn taken_in_part(sandbox: &Sandbox) -> String {
    let mut request = convention("Retries", "Retry every request forever.");
    for (heading, text) in [("Names", "Names are long."), ("Paths", "Paths have slashes.")] {
        let operation = convention(heading, text)["operations"][0].clone();
        request["operations"].as_array_mut().unwrap().push(operation);
    }
    let id = sandbox.propose(request).staged();
    let part = ["apply", &id, "--only", "2-3", "--reason", "not forever", "--approver", "Ada"];
    sandbox.run(&part).expect_code(0);
    id
}

/// Returns what a difference adds, without what stands below each heading.
fn headings_added(decision: &serde_json::Value) -> Vec<&str> {
    let diffs = decision["diffs"].as_array().into_iter().flatten();
    let lines = diffs.flat_map(|diff| diff["diff"].as_str().unwrap().lines());
    lines.filter(|line| line.starts_with("+## ") || line.starts_with("-#")).collect()
}

#[test]
fn a_decided_proposal_is_shown_with_what_landed_and_what_was_left_out() {
    let sandbox = Sandbox::new();
    let id = taken_in_part(&sandbox);
    // Whatever becomes of the file.
    for text in [None, Some("# Conventions\n\n## Other\n")] {
        text.into_iter().for_each(|text| sandbox.write("conventions.md", text));
        let shown = sandbox.run(&["show", &id, "--json"]).expect_code(0).json();
        let [staged, applied, rejected] = shown["decisions"].as_array().unwrap().as_slice() else {
            panic!("{shown}");
        };
        assert_eq!(headings_added(staged), [""; 0]);
        if text.is_none() {
            assert_eq!(headings_added(applied), ["+## Names", "+## Paths"]);
        }
        assert_eq!(rejected["decision"], "rejected");
        assert_eq!(rejected["reason"], "not forever");
        assert_eq!(rejected["approver"], "Ada");
        assert_eq!(rejected["applied_operations"], serde_json::json!([1, 2]));
        assert_eq!(headings_added(rejected), ["+## Retries"]);
        let log = sandbox.run(&["log", "--rejected", "-p", "--json"]).expect_code(0).json();
        assert_eq!(log["decisions"], serde_json::json!([rejected]));
    }
    let shown = sandbox.run(&["show", &id]).expect_code(0).stdout;
    assert!(shown.contains("rejected") && shown.contains("\n+## Retries\n"), "{shown}");
    sandbox.run(&["show", &id[..20]]).expect_code(0);
}

#[test]
fn what_was_left_out_is_shown_whole_where_the_parts_cannot_be_told_apart() {
    let sandbox = Sandbox::new();
    let id = taken_in_part(&sandbox);
    std::fs::remove_file(sandbox.store().join(format!("state/trash/{id}/proposal.json"))).unwrap();
    let shown = sandbox.run(&["show", &id, "--json"]).expect_code(0).json();
    let rejected = &shown["decisions"][2];
    assert_eq!(headings_added(rejected), ["+## Retries", "+## Names", "+## Paths"]);
    assert_eq!(rejected["diffs"][0]["note"], "as all of it was proposed; a part of it was applied");
}

#[test]
fn what_was_left_out_is_told_by_the_words_of_that_decision() {
    let sandbox = Sandbox::new();
    let id = taken_in_part(&sandbox);
    let places = ["", ".2"].map(|number| format!("state/trash/{id}{number}/proposal.json"));
    let decided = sandbox.file(&places[0]);
    let mut other: serde_json::Value = serde_json::from_str(&decided).unwrap();
    other["request"]["operations"].as_array_mut().unwrap().reverse();
    let mut texts = [decided, other.to_string()];
    for _ in ["first", "second"] {
        places.iter().zip(&texts).for_each(|(place, text)| sandbox.write(place, text));
        let shown = sandbox.run(&["show", &id, "--json"]).expect_code(0).json();
        assert_eq!(headings_added(&shown["decisions"][2]), ["+## Retries"]);
        texts.reverse();
    }
}

#[test]
fn what_was_taken_back_is_shown_with_both_differences() {
    let sandbox = Sandbox::new();
    let id = taken_in_part(&sandbox);
    sandbox.run(&["undo", &id, "--approver", "Ada"]).expect_code(0);
    let shown = sandbox.run(&["show", &id, "--json"]).expect_code(0).json();
    let decisions = shown["decisions"].as_array().unwrap();
    let words: Vec<&serde_json::Value> = decisions.iter().map(|each| &each["decision"]).collect();
    assert_eq!(words, ["staged", "applied", "rejected", "undone"]);
    assert_eq!(headings_added(&decisions[2]), ["+## Retries"]);
    assert!(decisions[3]["diffs"].to_string().contains("-## Names"));
}

#[test]
fn a_section_of_memory_is_shown_with_its_place_and_hash() {
    let sandbox = with_conventions();
    let reply = sandbox.run(&["show", "conventions.md#names"]).expect_code(0);
    insta::assert_snapshot!(reply.stdout, @r"
    conventions.md:8#names  hash 5a5642ac611f7832
    ## Names
    <!-- @id: names -->

    They are long.
    ");
}

#[test]
fn a_file_of_memory_is_shown_whole() {
    let sandbox = with_conventions();
    let reply = sandbox.run(&["show", "conventions.md"]).expect_code(0);
    assert!(reply.stdout.contains("They name a path.") && reply.stdout.contains("They are long."));
}

#[test]
fn a_section_that_is_not_there_is_a_no() {
    let sandbox = with_conventions();
    let reply = sandbox.run(&["show", "conventions.md#absent", "--json"]).expect_code(1);
    reply.answer().rejected("section_not_found");
    for command in [&["show"][..], &["blame"], &["confirm", "--approver", "Ada"]] {
        let told = sandbox.run(&[command, &["#nope"]].concat()).expect_code(1).stderr;
        assert!(told.contains("no section is called `nope`"), "{command:?}: {told}");
    }
}

#[test]
fn a_file_outside_the_store_is_never_shown() {
    let sandbox = Sandbox::new();
    for path in ["../src/auth/refresh.rs#x", "/etc/passwd#x", "modules/../../x.md"] {
        let reply = sandbox.run(&["show", path, "--json"]).expect_code(1);
        reply.answer().rejected("invalid_path");
    }
}

#[test]
fn a_link_is_not_followed() {
    let sandbox = Sandbox::new();
    sandbox.write_project("outside.md", "# Outside\n");
    std::fs::create_dir(sandbox.store().join("modules")).unwrap();
    let link = sandbox.store().join("modules/link.md");
    std::os::unix::fs::symlink(sandbox.project().join("outside.md"), link).unwrap();
    let reply = sandbox.run(&["show", "modules/link.md"]).expect_code(1);
    assert!(reply.stderr.contains("symbolic link"), "{}", reply.stderr);
    assert!(!reply.stdout.contains("Outside"));
}

#[test]
fn show_and_diff_write_no_memory() {
    let sandbox = Sandbox::new();
    sandbox.propose(convention("Errors", "Name the path.")).staged();
    let before = sandbox.tree();
    for command in ["show", "diff"] {
        sandbox.run(&[command, "--latest"]).expect_code(0);
    }
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn hidden_characters_of_a_file_are_shown_by_code_point() {
    let sandbox = with_hidden();
    let reply = sandbox.run(&["show", "pitfalls.md"]).expect_code(0);
    insta::assert_snapshot!(reply.stdout, @r"
    pitfalls.md:1  hash 81a123593f8fe631
    # Pitfalls

    ## Tr<U+202E>ap
    <!-- @id: trap -->

    evil <U+001B>[31mred<U+200B> end
    ");
}

#[test]
fn hidden_characters_reach_no_terminal() {
    let sandbox = with_hidden();
    let replacement = json!({ "intent": "add_pitfall", "operations": [
        { "operation": "replace_section_content", "section_id": "trap", "content": "Clean." },
    ]});
    let id = sandbox.propose(replacement).staged();
    let commands: [&[&str]; 8] = [
        &["show", &id],
        &["show", "pitfalls.md"],
        &["show", "pitfalls.md#trap"],
        &["diff"],
        &["status"],
        &["doctor"],
        &["search", "evil"],
        &["apply", &id, "--approver", "Ada", "--force"],
    ];
    for command in commands {
        let reply = sandbox.run(command);
        let text = reply.stdout + &reply.stderr;
        assert!(!text.contains('\u{202e}') && !text.contains('\u{1b}'), "{command:?}: {text}");
    }
}

fn with_hidden() -> Sandbox {
    let text =
        "# Pitfalls\n\n## Tr\u{202e}ap\n<!-- @id: trap -->\n\nevil \u{1b}[31mred\u{200b} end\n";
    Sandbox::given(&[("pitfalls.md", text)])
}

#[test]
fn a_secret_that_only_its_name_gives_away_is_not_shown() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    let path = format!("staging/{id}/proposal.json");
    let secret = ["q8Zr!t2V", "x9Lm#w4K"].concat();
    let asked = sandbox.file(&path);
    let token = replace_placeholders("{{GITHUB_TOKEN}}");
    let values = [
        format!("\"{secret}\""),
        format!("[\"{secret}\"]"),
        format!("\"{secret}\\n\""),
        format!("\"{secret} {token}\""),
        format!("\"{token} {secret}\""),
        format!("{{\"name\": \"password\", \"value\": \"{secret}\"}}"),
    ];
    for value in values {
        let operation = "\"operation\": \"append_section\"";
        let more = format!("{operation}, \"password\": {value}");
        sandbox.write(&path, asked.replace(operation, &more));
        let shown = sandbox.run(&["show", &id, "--json"]).stdout;
        assert!(shown.contains("password") && shown.contains("[withheld: "), "{shown}");
        assert!(!shown.contains(&secret), "{shown}");
    }
}

#[test]
fn a_section_is_named_by_its_id_or_by_a_heading_that_it_alone_has() {
    let sandbox = Sandbox::new();
    let name = "conventions.md#How errors read";
    let id = sandbox.propose(convention("How errors read", "They name a path.")).staged();
    // `status` lists it, and it is in no file yet.
    assert!(sandbox.run(&["status"]).stdout.contains(name));
    let reply = sandbox.run(&["show", name]).expect_code(1);
    assert!(
        reply.stderr.contains(&format!("it is pending: `agent-memory show {id}`")),
        "{}",
        reply.stderr
    );
    let by_id = sandbox.run(&["show", "conventions.md#how-errors-read"]).expect_code(1);
    assert!(by_id.stderr.contains(&id), "{}", by_id.stderr);
    let file = sandbox.propose(two_files()).staged();
    let reply = sandbox.run(&["show", "modules/auth.md"]).expect_code(1);
    assert!(reply.stderr.contains(&file), "{}", reply.stderr);
    // What a proposal only changes is not pending, it is gone.
    let reply = sandbox.run(&["show", "conventions.md#names"]).expect_code(1);
    assert!(!reply.stderr.contains("it is pending"), "{}", reply.stderr);
    sandbox.apply(&id).applied();
    let by_id = sandbox.run(&["show", "conventions.md#how-errors-read"]).expect_code(0).stdout;
    assert_eq!(sandbox.run(&["show", name]).expect_code(0).stdout, by_id);
    sandbox.append("conventions.md", "\n## How errors read\n\nBy hand.\n");
    let reply = sandbox.run(&["show", name, "--json"]).answer().rejected("section_ambiguous");
    assert!(reply["hint"].to_string().contains("by its id"), "{}", reply.value);
}
