//! The table of arguments of the tools: names, types and ranges are those of the known clients.

use serde_json::{Value, json};

use super::fields::{
    any_object, by_default, flag, list, memory_type, object, object_with, one_of, relation_type,
    said, share, text, texts, whole_within,
};
use super::recalled::RecallFormat;

const ISO: &str = "ISO 8601.";

pub(super) fn store() -> Value {
    let item = object_with(
        &[
            ("content", text("")),
            ("tags", texts("")),
            ("importance", share("")),
            ("timestamp", text("")),
            ("type", memory_type("")),
            ("confidence", share("")),
            ("metadata", any_object("")),
        ],
        &["content"],
    );
    let mut memories = list(item, "Many memories, in place of `content`.");
    memories["maxItems"] = json!(500);
    let relations = one_of(
        &["INVALIDATED_BY", "EVOLVED_INTO"],
        "INVALIDATED_BY: the old one was wrong. EVOLVED_INTO: it was right at its time.",
    );
    object(&[
        ("content", text("One memory: what is known, why, and what follows.")),
        ("memories", memories),
        ("tags", texts("Project first.")),
        ("importance", share("0.5 if absent.")),
        ("embedding", list(json!({"type": "number"}), "A vector of your own.")),
        ("metadata", any_object("Anything structured, e.g. files_modified, error_signature.")),
        ("timestamp", text("When it was so, ISO 8601; now if absent.")),
        ("type", memory_type("The kind of knowledge.")),
        ("confidence", share("How sure the type is; 0.9 with `type`.")),
        ("id", text("A UUID of your own.")),
        ("t_valid", text("From when on it holds, ISO 8601.")),
        ("t_invalid", text("From when on it does not hold any more, ISO 8601.")),
        ("updated_at", text(ISO)),
        ("last_accessed", text(ISO)),
        ("supersedes_memory_id", text("The memory that this one corrects or replaces.")),
        ("supersede_relation", by_default(relations, json!("INVALIDATED_BY"))),
        ("supersede_reason", text("Why it is replaced; kept with the old memory.")),
    ])
}

pub(super) fn recall() -> Value {
    let mut fields = modes();
    fields.extend(filters());
    fields.extend(expansion());
    fields.extend(ranking());
    object(&fields)
}

type Named = (&'static str, Value);

fn modes() -> Vec<Named> {
    vec![
        ("memory_id", text("Return this memory in full; all else is ignored.")),
        ("exhaustive", flag("With `tags`: list all that have one, in pages, without ranking.")),
        ("query", text("What you look for, in any words.")),
        ("queries", texts("Several questions at once; duplicates are removed.")),
        ("embedding", list(json!({"type": "number"}), "Compare with this vector.")),
        ("limit", by_default(whole_within(1, 200, "Memories at most."), json!(5))),
        ("offset", said(json!({"type": "integer", "minimum": 0}), "Memories to pass over.")),
        (
            "format",
            by_default(
                one_of(
                    &RecallFormat::NAMES,
                    "text: one list. items: one block a memory. detailed: with type, metadata keys, links. json: all fields in full.",
                ),
                json!("text"),
            ),
        ),
    ]
}

fn filters() -> Vec<Named> {
    vec![
        ("tags", texts("Only memories with these tags; the project first.")),
        ("tag_mode", one_of(&["any", "all"], "any if absent.")),
        (
            "tag_match",
            one_of(&["exact", "prefix"], "prefix (`slack` finds `slack:general`) if absent."),
        ),
        ("exclude_tags", texts("No memory with any of these.")),
        ("time_query", text("e.g. today, yesterday, last week, last 30 days.")),
        ("start", text("This time or newer, ISO 8601.")),
        ("end", text("This time or older, ISO 8601.")),
        (
            "state_mode",
            one_of(
                &["current", "history"],
                "current: what holds now. history: also what was replaced.",
            ),
        ),
        ("current_only", by_default(flag("The older form of state_mode."), json!(true))),
        (
            "state_debug",
            by_default(
                flag("Tell which memories were left out as not current, and why."),
                json!(false),
            ),
        ),
        ("min_score", share("Leave out what scores less.")),
        ("adaptive_floor", flag("Cut off weak matches; true if absent.")),
        ("scope_fallback", flag("Add memories without the tags where too few have them.")),
    ]
}

fn expansion() -> Vec<Named> {
    vec![
        ("expand_entities", flag("Also what names the same people, tools, projects.")),
        ("expand_relations", flag("Also what is linked to the answers.")),
        ("expand_respect_tags", flag("Expand only to memories with the tags.")),
        ("auto_decompose", flag("Also look for each name in the query.")),
        ("expansion_limit", by_default(whole_within(1, 500, "Added memories at most."), json!(25))),
        (
            "relation_limit",
            by_default(whole_within(1, 200, "Links followed from a memory."), json!(5)),
        ),
        ("expand_min_importance", share("Of added memories.")),
        ("expand_min_strength", share("Of followed links; 0.6 for strong ones.")),
    ]
}

fn ranking() -> Vec<Named> {
    let orders = ["score", "time_desc", "time_asc", "updated_desc", "updated_asc"];
    vec![
        ("sort", one_of(&orders, "time_* for a recap in order of time.")),
        (
            "recency_bias",
            one_of(
                &["auto", "on", "off"],
                "Prefer newer memories; auto: where the query asks for it.",
            ),
        ),
        ("context", text("What you do, e.g. coding-style, architecture.")),
        ("language", text("Programming language, e.g. rust.")),
        ("active_path", text("The file you work on, e.g. src/auth.ts.")),
        ("context_tags", texts("Prefer memories with these tags.")),
        ("context_types", texts("Prefer memories of these types.")),
        ("priority_ids", texts("Memories to return in any case.")),
        ("per_query_limit", whole_within(1, 50, "Memories a question at most, with `queries`.")),
    ]
}

pub(super) fn associate() -> Value {
    let pair = |about: [&str; 4]| {
        vec![
            ("memory1_id", text(about[0])),
            ("memory2_id", text(about[1])),
            ("type", relation_type(about[2])),
            ("strength", share(about[3])),
        ]
    };
    let mut item = pair(["", "", "", ""]);
    item.extend(properties());
    let item = object_with(&item, &["memory1_id", "memory2_id", "type", "strength"]);
    let mut associations = list(item, "Many pairs, in place of the fields above.");
    associations["minItems"] = json!(1);
    associations["maxItems"] = json!(500);
    let mut fields = pair([
        "From this memory.",
        "To this one.",
        "",
        "0.9 direct cause, 0.7 strong, 0.5 moderate.",
    ]);
    fields.extend(properties());
    fields.push(("associations", associations));
    object(&fields)
}

/// What some types of relations have besides; the others ignore it.
fn properties() -> Vec<Named> {
    vec![
        ("context", text("PREFERS_OVER, PART_OF")),
        ("reason", text("PREFERS_OVER, CONTRADICTS, INVALIDATED_BY, EVOLVED_INTO")),
        ("pattern_type", text("EXEMPLIFIES")),
        ("confidence", share("EXEMPLIFIES, EVOLVED_INTO, DERIVED_FROM")),
        ("resolution", text("CONTRADICTS")),
        ("observations", texts("REINFORCES")),
        ("timestamp", text("INVALIDATED_BY")),
        ("transformation", text("DERIVED_FROM")),
        ("role", text("PART_OF")),
    ]
}

pub(super) fn update() -> Value {
    let fields = [
        ("memory_id", text("The memory to change.")),
        ("content", text("Replaces the text.")),
        ("tags", texts("Replace all tags.")),
        ("importance", share("")),
        ("metadata", any_object("Merged; null removes a key.")),
        ("timestamp", text("Replaces the time it was made.")),
        ("t_valid", text("From when on it holds, ISO 8601.")),
        ("t_invalid", text("From when on it does not hold any more, ISO 8601.")),
        ("updated_at", text("Now if absent.")),
        ("last_accessed", text(ISO)),
        ("type", memory_type("")),
        ("confidence", share("How sure the type is.")),
    ];
    object_with(&fields, &["memory_id"])
}

pub(super) fn delete() -> Value {
    object(&[
        ("memory_id", text("The memory to delete; not together with `tags`.")),
        (
            "tags",
            texts("Delete all memories that have any of these; not together with `memory_id`."),
        ),
    ])
}

pub(super) fn health() -> Value {
    object(&[])
}
