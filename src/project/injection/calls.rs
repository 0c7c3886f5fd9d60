//! Finds marks of roles and of tool calls that stand in a text as if it were a conversation.

use std::sync::LazyLock;

use regex::Regex;

use super::pattern::pattern;
use super::sign::{Injection, InjectionKind};
use crate::markdown::Readable;
use crate::text::PatternSet;

/// The marks that chat templates put around speakers, as the makers of the models document them.
static ROLE_MARK: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)<\|/?(?:im_start|im_end|im_sep|system|user|assistant|developer|human|endoftext|end_of_text|begin_of_text|eot_id|eom_id|start_header_id|end_header_id|end|channel|message|start|start_of_role|end_of_role|sep|endofprompt|python_tag)\|>|\[/?(?:INST|SYS|SYSTEM_PROMPT|AVAILABLE_TOOLS)\]|<</?SYS>>|<(?:start|end)_of_turn>|</(?:user|human)>|</?(?:system|assistant|developer|human|system[-_ ](?:prompt|message|reminder|instructions?|override)|admin[-_]?(?:override|message|instructions?)?|instructions?|important[-_](?:instructions?|system\w*)|new[-_]instructions?|hidden[-_]instructions?|user[-_](?:query|message|request))(?:\s[^>]*)?>|^\W*(?:\*\*|__)?###+\s*(?:system|instructions?|response|assistant|human|user|new instructions?)(?:\s(?:prompt|message|override|instructions?))?\s*:|[{,]\s*.role.\s*:\s*.(?:system|developer).\s*,\s*.content.\s*:",
    )
});

/// A tag that ends what a program put around a text.
static CLOSING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)</(?:context|documents?|memory|memories|tool_results?|function_results?|search_results?|untrusted\w*|data|user_input|retrieved\w*|source|notes?|content|file|input|output|result|excerpt)>",
    )
});

static CALL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?i)</?(?:antml:)?(?:function_calls?|invoke|tool_calls?|tool_use|tool_code|tool_results?|tool_response|use_mcp_tool|execute_command|function_results?|mcp_call)\b|<function=|<parameter[ =]|\[/?TOOL_(?:CALLS?|RESULTS?)\]|<\|(?:tool_call|tool_calls_begin|tool_sep|python_tag|plugin|action_start)|[{,]\s*"(?:tool_calls?|function_call|tool_use|tool_name|tool_input)"\s*:|"type"\s*:\s*"(?:tool_use|tool_call|function|function_call|tool_result)"|"(?:name|tool|function|recipient_name)"\s*:\s*"[\w.:-]+"\s*,\s*"(?:arguments|args|parameters|input|params)"\s*:|\bto=(?:functions|tools|python|browser)\b|\btool (?:result|output|response)\s*(?:\([\w.]+\))?\s*:|^\W*action input\s*:|^\W*(?:tool|function)[ _]call\s*:|^\W*(?:call|invoke)\s*:\s*\w+\("#,
    )
});

/// What a line has that is a mark or a call, so that the patterns are compiled for few.
static MAY_MARK: LazyLock<PatternSet> = LazyLock::new(|| {
    PatternSet::of([
        "<|",
        "[inst",
        "[/inst",
        "[sys",
        "[/sys",
        "[available",
        "[/available",
        "<<",
        "_of_turn>",
        "</",
        "<system",
        "<assistant",
        "<developer",
        "<human",
        "<admin",
        "<instruction",
        "<important",
        "<new",
        "<hidden",
        "<user",
        "###",
        "role",
        "function",
        "tool",
        "<invoke",
        "<parameter",
        "mcp_call",
        "execute_command",
        "\"type\"",
        "\"name\"",
        "recipient_name",
        "to=",
        "action input",
        "call",
        "invoke",
    ])
});

/// Who speaks in a conversation that was written out.
const SPEAKERS: [&str; 9] =
    ["human", "user", "assistant", "ai", "system", "developer", "claude", "chatgpt", "gpt"];

/// What a turn says that is none of a person's notes.
static SPOKEN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:you (?:are|must|will|should|have|may|can)|your (?:task|instructions?|role)|ignore|disregard|sure[,!.]|understood|of course|okay[,.]|i will|i'll|i have|i am now|i'm now|as requested|done[.,])",
    )
});

pub(super) fn find(readable: &Readable<'_>) -> Vec<Injection> {
    let mut found: Vec<Injection> = Vec::new();
    for (line, number) in readable.without_code.lines().zip(1..) {
        if !MAY_MARK.is_in(&line.to_lowercase()) {
            continue;
        }
        let mark = |regex: &Regex, kind| {
            regex.find(line).map(|found| Injection::new(number, kind, found.as_str()))
        };
        found.extend(mark(&ROLE_MARK, InjectionKind::RoleMark));
        found.extend(mark(&CALL, InjectionKind::ToolCall));
        found.extend(
            unopened(readable.text, line)
                .map(|tag| Injection::new(number, InjectionKind::RoleMark, tag)),
        );
    }
    found.extend(turns(&readable.without_code));
    found
}

/// Finds a tag that closes what the text never opened: it would end the fence around the text.
fn unopened<'l>(text: &str, line: &'l str) -> Option<&'l str> {
    let found = CLOSING.find(line)?.as_str();
    let opening = format!("<{}", &found[2..found.len() - 1]);
    let is_opened = text.to_lowercase().contains(&opening.to_lowercase());
    (!is_opened).then_some(found)
}

/// Finds turns of a conversation: two speakers, or one that speaks to the agent or as it.
fn turns(text: &str) -> Option<Injection> {
    let turns = text.lines().zip(1..).filter_map(|(line, number)| {
        let (who, said) = line.split_once(':')?;
        let mark = |c: char| c.is_whitespace() || "*_>".contains(c);
        let who = who.trim_matches(mark).to_lowercase();
        let is_turn = SPEAKERS.contains(&who.as_str());
        is_turn.then(|| (number, who, said.trim_matches(mark)))
    });
    let turns: Vec<(usize, String, &str)> = turns.collect();
    let is_person = |who: &str| matches!(who, "human" | "user");
    let are_two = turns.iter().any(|(_, who, _)| is_person(who))
        && turns.iter().any(|(_, who, _)| !is_person(who));
    let told = turns.iter().find(|(_, _, said)| are_two || SPOKEN.is_match(said));
    told.map(|(line, who, said)| {
        Injection::new(*line, InjectionKind::RoleMark, &format!("{who}: {said}"))
    })
}
