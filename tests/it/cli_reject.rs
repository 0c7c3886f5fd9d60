//! `reject`: a person's no, which holds.

use serde_json::{Value, json};

use crate::requests::{TELLING, convention};
use crate::support::{Answer, Sandbox};

const REASON: &str = "we do not write it down twice";

#[test]
fn a_no_moves_the_proposal_to_the_trash() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", TELLING)).staged();
    let before = sandbox.file(&format!("staging/{id}/proposal.json"));
    let reply = sandbox.run(&["reject", &id, "--reason", REASON]).expect_code(0);
    insta::assert_snapshot!(reply.stdout.replace(&id, "[id]"), @"rejected [id], kept in state/trash/[id]");
    assert!(!sandbox.has(&format!("staging/{id}")));
    assert_eq!(sandbox.file(&format!("state/trash/{id}/proposal.json")), before);
}

#[test]
fn the_same_text_again_is_refused_with_date_and_reason() {
    let (sandbox, _) = rejected();
    let answer = sandbox.propose(convention("Errors", TELLING)).rejected("previously_rejected");
    let message = answer["message"].as_str().unwrap();
    assert!(message.contains("2026-11-20") && message.contains(REASON), "{message}");
}

#[test]
fn the_hint_names_restore_where_that_brings_the_proposal_back() {
    let (sandbox, id) = rejected();
    let again = || sandbox.propose(convention("Errors", TELLING));
    let hint = |answer: &Answer| answer["hint"].as_str().unwrap().to_owned();
    let said = hint(&again().rejected("previously_rejected"));
    let command = format!("agent-memory restore {id}");
    assert!(said.contains(&format!("`{command}`, which brings back what was rejected")), "{said}");
    assert!(said.contains(&format!("`rejections/{id}*.toml`")), "{said}");
    // A clone has the fingerprints, and nothing of what was rejected.
    let trash = sandbox.store().join("state/trash");
    let kept = sandbox.root().join("kept");
    std::fs::rename(&trash, &kept).unwrap();
    let said = hint(&again().rejected("previously_rejected"));
    assert!(!said.contains("restore") && said.contains("rejections/"), "{said}");
    std::fs::rename(&kept, &trash).unwrap();
    let mut words: Vec<&str> = command.split(' ').skip(1).collect();
    words.extend(["--approver", "Ada"]);
    sandbox.run(&words).expect_code(0);
    assert_eq!(again().staged(), id);
}

#[test]
fn the_same_text_in_other_clothes_is_refused() {
    let sandbox = Sandbox::new();
    let text = "- Say what to do next\n- Never log the reason of a refusal";
    let id = sandbox.propose(convention("Errors", text)).staged();
    sandbox.run(&["reject", &id, "--reason", REASON]).expect_code(0);
    let clothes = [
        ("Errors", "- SAY WHAT TO DO NEXT\n- NEVER LOG THE REASON OF A REFUSAL"),
        ("Errors", "- Never log the reason of a refusal\n- Say what to do next"),
        ("Errors", "*   Say  what to do next\n\n*  Never log the reason   of a refusal"),
        ("Messages", "- Say what to do next\n- Never log the reason of a refusal"),
    ];
    for (heading, text) in clothes {
        sandbox.propose(convention(heading, text)).rejected("previously_rejected");
    }
}

#[test]
fn another_text_is_welcome() {
    let (sandbox, _) = rejected();
    sandbox.propose(convention("Errors", "- Name the file that could not be read")).staged();
}

#[test]
fn a_corrected_number_is_another_text() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "- 1.4.2 breaks the retry of uploads")).staged();
    sandbox.run(&["reject", &id, "--reason", REASON]).expect_code(0);
    sandbox.propose(convention("Errors", "- 2.4.2 breaks the retry of uploads")).staged();
}

#[test]
fn a_short_text_with_a_long_link_is_remembered() {
    let sandbox = Sandbox::new();
    let text = "- [guide](https://a.example/a/very/long/path/to/it)";
    let id = sandbox.propose(convention("Errors", text)).staged();
    let answer = sandbox.run(&["reject", &id, "--reason", REASON, "--json"]).expect_code(0).json();
    assert_eq!(answer["remembered"], true);
    assert!(!sandbox.file(&format!("rejections/{id}.toml")).contains("fingerprints = []"));
    sandbox.propose(convention("Errors", text)).rejected("previously_rejected");
}

#[test]
fn a_fingerprint_holds_no_word_of_the_text() {
    let (sandbox, id) = rejected();
    let text = sandbox.file(&format!("rejections/{id}.toml"));
    // The id names the section.
    let text = text.replace(&id, "");
    for word in TELLING.split_whitespace().filter(|word| word.len() > 4) {
        assert!(!text.contains(word), "{word} in {text}");
    }
}

#[test]
fn a_fingerprint_goes_into_git() {
    let (sandbox, id) = rejected();
    let listed = sandbox.git(&["status", "--porcelain", "--untracked-files=all"]);
    assert!(listed.contains(&format!("rejections/{id}.toml")), "{listed}");
}

#[test]
fn allow_again_leaves_no_fingerprint() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", TELLING)).staged();
    let answer = sandbox.run(&["reject", &id, "--allow-again", "--json"]).expect_code(0).json();
    assert_eq!(answer["remembered"], false);
    assert!(!sandbox.has(&format!("rejections/{id}.toml")));
    let again = sandbox.propose(convention("Errors", TELLING)).staged();
    let said = sandbox.run(&["reject", &again, "--allow-again"]).expect_code(0).stdout;
    assert!(said.ends_with("; its text may be proposed again\n"), "{said}");
}

#[test]
fn a_rejection_stands_in_the_log() {
    let (sandbox, id) = rejected();
    let log = sandbox.run(&["log", "--json"]).expect_code(0).json();
    let line = &log["decisions"][0];
    assert_eq!((&line["decision"], &line["id"]), (&json!("rejected"), &json!(id)));
    assert_eq!(line["reason"], REASON);
}

#[test]
fn several_are_rejected_at_once() {
    let sandbox = Sandbox::new();
    let first = sandbox.propose(convention("One", "The first.")).staged();
    let second = sandbox.propose(convention("Two", "The second.")).staged();
    let answer = sandbox.run(&["reject", &first, &second, "--json"]).expect_code(0).json();
    assert_eq!(answer["results"].as_array().unwrap().len(), 2);
    assert_eq!(sandbox.run(&["status", "--json"]).json()["pending"], json!([]));
}

#[test]
fn an_unknown_id_among_several_is_exit_code_1() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("One", "The first.")).staged();
    let answer = sandbox.run(&["reject", "absent", &id, "--json"]).expect_code(1).json();
    assert_eq!(answer["results"][0]["error"]["code"], "staging_not_found");
    assert_eq!(answer["results"][1]["status"], "rejected");
}

#[test]
fn an_ambiguous_part_rejects_nothing() {
    let sandbox = Sandbox::new();
    sandbox.propose(convention("One", "The first.")).staged();
    sandbox.propose(convention("Two", "The second.")).staged();
    let before = sandbox.tree();
    let reply = sandbox.run(&["reject", "2026", "--json"]).expect_code(1);
    reply.answer().rejected("staging_ambiguous");
    assert_eq!(sandbox.tree(), before);
}

/// As one that came with git.
#[test]
fn a_part_of_an_id_that_fits_one_without_a_log_line_too_is_ambiguous() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("One", "The first.")).staged();
    let other = format!("{}-0f22", id.rsplit_once('-').unwrap().0);
    let staging = sandbox.store().join("staging");
    std::fs::create_dir(staging.join(&other)).unwrap();
    let proposal = |id: &str| staging.join(id).join("proposal.json");
    std::fs::copy(proposal(&id), proposal(&other)).unwrap();
    let answer = sandbox.run(&["reject", "one", "--json"]).expect_code(1).answer();
    let message = answer.rejected("staging_ambiguous")["message"].to_string();
    assert!(message.contains("fits 2 proposals"), "{message}");
}

#[test]
fn the_latest_can_be_rejected() {
    let mut sandbox = Sandbox::new();
    let first = sandbox.propose(convention("One", "The first.")).staged();
    sandbox.advance_days(1);
    sandbox.propose(convention("Two", "The second.")).staged();
    sandbox.run(&["reject", "--latest"]).expect_code(0);
    assert_eq!(sandbox.run(&["status", "--json"]).json()["pending"][0]["id"], first);
}

#[test]
fn a_rejection_changes_no_memory_file() {
    let sandbox = Sandbox::new();
    let before = sandbox.file("conventions.md");
    let id = sandbox.propose(convention("Errors", TELLING)).staged();
    sandbox.run(&["reject", &id]).expect_code(0);
    assert_eq!(sandbox.file("conventions.md"), before);
}

fn rejected() -> (Sandbox, String) {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", TELLING)).staged();
    sandbox.run(&["reject", &id, "--reason", REASON, "--approver", "Ada"]).expect_code(0);
    (sandbox, id)
}

/// What is refused for ever, in the clothes it came back in elsewhere; each goes to another place.
fn clothes() -> Vec<(Value, &'static str)> {
    let pitfall = |heading: &str, text: &str| {
        let mut request = convention(heading, text);
        request["intent"] = "add_pitfall".into();
        request
    };
    vec![
        (convention("Errors", &TELLING.to_uppercase()), "previously_rejected"),
        (convention("Errors", &TELLING.replace(' ', "  ")), "previously_rejected"),
        (convention("Errors", &TELLING.replace(' ', "\u{a0}")), "previously_rejected"),
        (convention("Errors", &format!("**{}**", &TELLING[2..])), "previously_rejected"),
        (convention("Errors", &TELLING.replace('S', "&#83;")), "previously_rejected"),
        (
            convention("Errors", &TELLING.replace("do next", "\u{26a0} \"do\", next")),
            "previously_rejected",
        ),
        (convention("Errors", &TELLING.replace("to ", "to <!-- x -->")), "previously_rejected"),
        (convention("Errors", &TELLING.replace("next", "<i>next</i>")), "previously_rejected"),
        (convention("Errors", &TELLING.replace("next", "[next]()")), "previously_rejected"),
        (
            convention("Errors", &TELLING.replace(" error", "\\\n  \u{435}rror")),
            "previously_rejected",
        ),
        (convention("Messages", TELLING), "previously_rejected"),
        (pitfall("Errors", TELLING), "previously_rejected"),
        // What nobody sees is refused before anybody asks whether it is known.
        (convention("Errors", &TELLING.replace(' ', " \u{200b}")), "hidden_characters"),
    ]
}

fn stays_refused(propose: impl Fn(&Value) -> Answer) {
    for (request, reason) in clothes() {
        propose(&request).rejected(reason);
    }
}

#[test]
fn a_no_holds_in_every_place_and_in_all_clothes() {
    let (sandbox, _) = rejected();
    stays_refused(|request| sandbox.propose(request.clone()));
}

#[test]
fn a_no_holds_after_a_sweep_and_a_reindex_and_without_the_trash() {
    let (mut sandbox, id) = rejected();
    sandbox.propose(convention("Names", "Names are long and plain, as ever.")).staged();
    sandbox.advance_days(30);
    sandbox.run(&["sweep"]).expect_code(0);
    sandbox.run(&["reindex"]).expect_code(0);
    std::fs::remove_dir_all(sandbox.store().join("state")).unwrap();
    assert!(sandbox.has(&format!("rejections/{id}.toml")));
    stays_refused(|request| sandbox.propose(request.clone()));
}

#[test]
fn a_no_holds_in_a_fresh_clone() {
    let (sandbox, _) = rejected();
    sandbox.commit("what was rejected");
    let clone = sandbox.root().join("clone").display().to_string();
    sandbox.git(&["clone", "--quiet", ".", &clone]);
    assert!(!sandbox.root().join("clone/.agent-memory/state").exists());
    stays_refused(|request| {
        let call = sandbox.call(&["propose", "--root", &clone]);
        call.stdin(request.to_string()).run().answer()
    });
}
