//! A pack keeps to its tokens, and a hook to its characters, in whatever script the memory is written.

use std::sync::LazyLock;

use serde_json::{Value, json};
use tiktoken_rs::{CoreBPE, o200k_base};

use crate::support::{Sandbox, cases};

/// The sample texts: ten languages, and code.
fn samples() -> Vec<(String, String)> {
    let read = |path: std::path::PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (name, std::fs::read_to_string(path).unwrap())
    };
    cases("fixtures/languages").into_iter().map(read).collect()
}

/// A store with many sections in the words of a sample.
fn filled(sample: &str) -> Sandbox {
    let sections: Vec<&str> = sample.split("\n## ").skip(1).collect();
    let mut text = "# Conventions\n".to_owned();
    for number in 0..120 {
        let (heading, body) = sections[number % sections.len()].split_once('\n').unwrap();
        let body = body.split_once("-->\n").unwrap().1.trim_end();
        text += &format!("\n## {heading} {number}\n<!-- @id: s{number} -->\n{body}\n");
    }
    Sandbox::given(&[("conventions.md", &text)])
}

fn count(tokenizer: &CoreBPE, text: &str) -> usize {
    tokenizer.encode_ordinary(text).len()
}

#[test]
fn a_pack_has_no_more_tokens_than_its_budget_and_uses_most_of_it_in_every_language() {
    let samples = samples();
    assert!(samples.len() > 10);
    for (name, sample) in samples {
        let sandbox = filled(&sample);
        for budget in [1_200, 4_000] {
            let arguments = ["context", "--budget", &budget.to_string()];
            let pack = sandbox.run(&arguments).expect_code(0).stdout;
            let used = count(&TOKENIZER, &pack);
            assert!(used <= budget, "{name}: {used} of {budget}");
            assert!(used * 10 >= budget * 6, "{name}: {used} of {budget} only");
        }
    }
}

#[test]
fn a_pack_of_many_languages_keeps_to_its_budget_and_so_does_one_that_is_asked_for() {
    let all: String = samples().into_iter().map(|(_, sample)| sample).collect();
    let sandbox = filled(&all);
    for arguments in [&["context", "--budget", "3000"][..], &["context", "--budget", "3000", "3"]] {
        let used = count(&TOKENIZER, &sandbox.run(arguments).expect_code(0).stdout);
        assert!(used <= 3_000, "{arguments:?}: {used}");
    }
}

const CLIENTS: [&str; 5] = ["claude", "codex", "gemini", "cursor", "copilot"];

static TOKENIZER: LazyLock<CoreBPE> = LazyLock::new(|| o200k_base().unwrap());

/// Expects an answer within both bounds, and returns what the agent reads.
fn fits(sandbox: &Sandbox, client: &str) -> String {
    let input = json!({"source": "startup", "session_id": "s", "sessionId": "s"}).to_string();
    let call = sandbox.call(&["hook", client, "session-start"]);
    let reply = call.stdin(input).run().expect_code(0);
    let units = reply.stdout.encode_utf16().count();
    assert!(units <= 10_000, "{client}: {units}");
    let answer = reply.json();
    let places = ["/hookSpecificOutput/additionalContext", "/additional_context"];
    let places = places.into_iter().chain(["/additionalContext"]);
    let said = places.filter_map(|place| answer.pointer(place)).find_map(Value::as_str);
    let said = said.unwrap();
    assert!(count(&TOKENIZER, said) <= 2_000, "{client}: {said}");
    said.to_owned()
}

#[test]
fn the_answer_of_a_hook_is_short_enough_for_every_client_in_every_language() {
    for ((name, sample), client) in samples().into_iter().zip(CLIENTS.into_iter().cycle()) {
        let text = fits(&filled(&sample), client);
        assert!(text.contains("conventions.md#s0") && text.contains("receipt: "), "{name}");
    }
}

#[test]
fn what_is_longer_in_json_than_in_the_text_is_cut_to_whole_sections() {
    for body in [
        r#""\\" "#.repeat(60),
        "\" ".repeat(150),
        "internationalization ".repeat(20),
        format!("a{}b", " ".repeat(3_000)),
        "😀🚀".repeat(40),
        "```\n\t\t\t\"a\"\n```\n".repeat(20),
    ] {
        let section = |n: usize| format!("\n## Part {n}\n<!-- @id: s{n} -->\n\n{body}\n");
        let text: String = (0..120).map(section).collect();
        let sandbox = Sandbox::given(&[("conventions.md", &format!("# C\n{text}"))]);
        for client in CLIENTS {
            let text = fits(&sandbox, client);
            assert!(text.contains("## Part 0\n"), "{text}");
            assert!(text.contains("</recalled-memory ") && text.contains("left out: "), "{text}");
        }
    }
}

#[test]
fn many_warnings_hide_no_memory() {
    let section = |n: usize| format!("\n## Part {n}\n\n{}\n", "Text that says little. ".repeat(20));
    let text: String = (0..120).map(section).collect();
    let sandbox = Sandbox::given(&[("conventions.md", &format!("# C\n{text}"))]);
    for number in 0..300 {
        sandbox.write(&format!("modules/module-with-a-long-name-{number}.md"), b"\xff");
    }
    let text = fits(&sandbox, "claude");
    assert!(text.contains("warnings more; `agent-memory context` tells them"), "{text}");
    assert!(text.contains("## Part 0\n"), "{text}");
}
