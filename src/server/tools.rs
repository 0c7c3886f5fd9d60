//! The table of tools. No tool approves anything: only a person at a terminal does.

use std::num::NonZeroUsize;
use std::sync::Arc;

use rmcp::model::{Tool as Listed, ToolAnnotations};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::field_fault::{FieldFault, faults, unknown_fields};
use super::schemas::{Object, input, input_of, output, output_of};
use crate::contract::{Confidence, understood};
use crate::error::{Error, ErrorKind, Result};
use crate::personal::verbs::{IndexRequest, PersonalSession, inject};
use crate::project::request::{request_schema, response_schema};
use crate::project::verbs::{
    Answers, DEFAULT_BUDGET, Freshness, Order, Pack, Project, Query, Session, ShownSection, Status,
    Task, context, fenced_answers, fenced_sections, propose, search, show_memory, status,
};
use crate::text::excerpt;

pub(super) struct Tool {
    /// The listed name, without a dot: several clients drop the whole list because of one.
    name: &'static str,
    aliases: &'static [&'static str],
    description: &'static str,
    input: fn() -> Arc<Object>,
    output: fn() -> Arc<Object>,
    effect: Effect,
    call: fn(&Caller<'_>, &Project, Value) -> Result<ToolReply>,
}

/// What a tool answers.
pub(super) struct ToolReply {
    pub(super) value: Value,
    /// What an agent reads in place of the JSON, where that is recalled text.
    pub(super) text: Option<String>,
}

impl From<Value> for ToolReply {
    fn from(value: Value) -> Self {
        Self { value, text: None }
    }
}

/// For whom a tool works.
pub(super) struct Caller<'c> {
    pub(super) session: &'c Session,
    /// The user whose own memory this server offers too.
    pub(super) person: Option<PersonalSession>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    Reads,
    /// It adds, and the same call again adds nothing.
    Adds,
}

const TOOLS: [Tool; 5] = [
    Tool {
        name: "memory_propose_update",
        aliases: &["memory.propose_update"],
        description: PROPOSE,
        input: || input(request_schema()),
        output: || output(response_schema()),
        effect: Effect::Adds,
        call: |_, project, arguments| {
            Ok(json!(propose(project, arguments.to_string().into_bytes())?).into())
        },
    },
    Tool {
        name: "memory_search",
        aliases: &["memory.search"],
        description: "Find decisions, conventions, pitfalls and notes by words. Call it \
            before you decide, or change code you do not know. A result has path, \
            id (for section_id), hash (for if_hash), best lines, freshness (`stale`, `missing`: the cited \
            code changed), and superseded_by: read that instead.",
        input: input_of::<SearchArguments>,
        output: output_of::<Answers>,
        effect: Effect::Reads,
        call: |caller, project, arguments| find_sections(caller, project, &read(arguments)?),
    },
    Tool {
        name: "memory_context",
        aliases: &["memory.context", "memory.fetch_context"],
        description: "Get memory for a task, within a token budget. Call it first, without a query: \
            state of the work, latest session entries, rules, decisions. With a query: \
            the best sections in full. `receipt` lists what was left out.",
        input: input_of::<ContextArguments>,
        output: output_of::<Pack>,
        effect: Effect::Reads,
        call: |caller, project, arguments| pack_context(caller, project, &read(arguments)?),
    },
    Tool {
        name: "memory_get",
        aliases: &["memory.get"],
        description: "Read a section or a file. Call it before you replace something; pass its hash as if_hash.",
        input: input_of::<GetArguments>,
        output: output_of::<GetAnswer>,
        effect: Effect::Reads,
        call: |_, project, arguments| get_sections(project, &read(arguments)?),
    },
    Tool {
        name: "memory_status",
        aliases: &["memory.status"],
        description: "List pending proposals and the state of the store.",
        input: input_of::<NoArguments>,
        output: output_of::<Status>,
        effect: Effect::Reads,
        call: |_, project, arguments| {
            let NoArguments {} = read(arguments)?;
            Ok(json!(status(project)?).into())
        },
    },
];

const PROPOSE: &str = r#"Propose an edit of this project's memory. Call it when you learned what the next session must know: the state of the work, a decision, a pitfall, what a module does. One intent each. Examples:
{"intent":"session_log","operations":[{"operation":"append_section","heading":"Token refresh","content":"Rotation works; revocation is next."}]} (applied at once, like update_current of this branch and update_shared of all)
{"intent":"add_pitfall","operations":[{"operation":"append_section","heading":"Clock skew","content":"- Tokens fail when clocks differ"}]}
{"intent":"record_decision","sources":[{"type":"user","ref":"ada"}],"operations":[{"operation":"append_section","heading":"Short tokens","content":"- **Date:** 2026-11-20\n- **Status:** active\n\nThey live 15 minutes."}]}
{"intent":"update_conventions","sources":[{"type":"file","ref":"Cargo.toml"}],"operations":[{"operation":"append_section","heading":"Errors","content":"They name the path."}]}
{"intent":"refresh_module","sources":[{"type":"file","ref":"src/auth.rs:1-40"}],"operations":[{"operation":"append_section","path":"modules/auth.md","heading":"Rotation","content":"On every use."}]}
{"intent":"archive_stale","operations":[{"operation":"archive_section","path":"pitfalls/clock-skew.md","section_id":"clock-skew"}]}
To edit: replace_section_content or append_to_section with section_id and if_hash from memory_get. dry_run only checks.
Answers: applied; staged (show review_command to a person and continue); rejected (follow hint and violations, send again). target_drift: read the section again. provenance_violation: add sources that exist. secret_detected: remove it. previously_rejected: do not resend."#;

pub(super) fn listed() -> Vec<Listed> {
    TOOLS.iter().map(Tool::listed).collect()
}

pub(super) fn find(name: &str) -> Option<&'static Tool> {
    const { &TOOLS }.iter().find(|tool| tool.name == name || tool.aliases.contains(&name))
}

impl Tool {
    /// An error carries the store's notices too, as no later call repeats them.
    pub(super) fn answer(&self, caller: &Caller<'_>, arguments: Value) -> Result<ToolReply> {
        let project = match self.effect {
            Effect::Reads => Project::open(caller.session)?,
            Effect::Adds => Project::open_to_write(caller.session)?,
        };
        let answer = (self.call)(caller, &project, arguments);
        answer.map_err(|error| error.warn(project.take_warnings()))
    }

    pub(super) fn effect(&self) -> Effect {
        self.effect
    }

    fn listed(&self) -> Listed {
        listing(self.name, self.description, [(self.input)(), (self.output)()], self.effect)
    }
}

/// Lists a tool with the schemas of its arguments and of its answer.
pub(super) fn listing(
    name: &'static str,
    description: &'static str,
    [input, output]: [Arc<Object>; 2],
    effect: Effect,
) -> Listed {
    let hints = ToolAnnotations::new().open_world(false);
    let hints = match effect {
        Effect::Reads => hints.read_only(true),
        Effect::Adds => hints.read_only(false).destructive(false).idempotent(true),
    };
    Listed::new(name, description, input).with_raw_output_schema(output).with_annotations(hints)
}

/// More results at once would leave an agent no room for its task.
const MOST_RESULTS: usize = 100;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SearchArguments {
    /// Any words.
    query: String,
    /// 10 if absent.
    #[schemars(range(min = 1, max = MOST_RESULTS))]
    limit: Option<NonZeroUsize>,
    /// Results to skip, 10000 at most.
    offset: Option<usize>,
    /// e.g. `decisions`.
    category: Option<String>,
    /// A file or pattern, e.g. `modules/*`.
    file: Option<String>,
    /// This time or newer, e.g. `7d`, `last week`.
    since: Option<String>,
    /// This time or older.
    until: Option<String>,
    sort: Option<SearchSort>,
    /// e.g. `confirmed`.
    confidence: Option<String>,
    freshness: Option<SearchState>,
    /// Archived sections, too.
    include_archived: Option<bool>,
}

/// What comes first.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum SearchSort {
    Score,
    Time,
}

/// The state of the cited files.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum SearchState {
    Fresh,
    Moved,
    Stale,
    Missing,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ContextArguments {
    /// Your task, in any words.
    query: Option<String>,
    /// Tokens at most; 4000 if absent.
    budget: Option<usize>,
    /// Files or folders that you will work on.
    #[serde(default)]
    scope: Vec<String>,
    /// Add sections that name a file changed on this branch.
    #[serde(default)]
    changed: bool,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GetArguments {
    /// The file, e.g. `conventions.md`.
    path: String,
    /// The section; the whole file if absent.
    section_id: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct GetAnswer {
    sections: Vec<ShownSection>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NoArguments {}

/// Reads arguments; all that are wrong are named at once.
fn read<T: for<'de> Deserialize<'de> + JsonSchema>(arguments: Value) -> Result<T> {
    let schema = Value::Object(Arc::unwrap_or_clone(input_of::<T>()));
    let Value::Object(mut given) = understood(&schema, arguments) else {
        let message = "the arguments are no object";
        return Err(
            Error::new(ErrorKind::Usage, message).hint("send one with the fields of the tool")
        );
    };
    // Clients that fill every field send `null` or an empty text for what they leave out.
    let required = schema["required"].clone();
    let is_required =
        |name: &str| required.as_array().is_some_and(|all| all.iter().any(|it| it == name));
    given.retain(|name, value| !value.is_null() && (*value != json!("") || is_required(name)));
    let faults = faults(&schema, &given);
    let mut wrong: Vec<String> = faults.iter().map(FieldFault::told).collect();
    wrong.extend(unknown_fields(&schema, &given));
    if !wrong.is_empty() {
        let hint = "correct what is named and call again; nothing was done";
        return Err(Error::new(ErrorKind::Usage, wrong.join("; ")).hint(hint));
    }
    serde_json::from_value(Value::Object(given)).map_err(|error| {
        Error::new(ErrorKind::Bug, "arguments that fit their schema cannot be read").because(error)
    })
}

fn find_sections(
    caller: &Caller<'_>,
    project: &Project,
    arguments: &SearchArguments,
) -> Result<ToolReply> {
    let query = Query {
        limit: arguments.limit.map_or(10, NonZeroUsize::get),
        offset: arguments.offset.unwrap_or(0),
        category: arguments.category.as_deref(),
        file: arguments.file.as_deref(),
        since: arguments.since.as_deref(),
        until: arguments.until.as_deref(),
        order: match arguments.sort {
            Some(SearchSort::Time) => Order::Time,
            Some(SearchSort::Score) | None => Order::Score,
        },
        confidence: arguments.confidence.as_deref().map(read_confidence).transpose()?,
        freshness: arguments.freshness.as_ref().map(|state| match state {
            SearchState::Fresh => Freshness::Fresh,
            SearchState::Moved => Freshness::Moved,
            SearchState::Stale => Freshness::Stale,
            SearchState::Missing => Freshness::Missing,
        }),
        include_archived: arguments.include_archived.unwrap_or(false),
        ..Query::new(&arguments.query, caller.session.now, &caller.session.zone)
    };
    let mut answers = search(project, &query)?;
    answers.warnings.splice(0..0, project.take_warnings());
    Ok(ToolReply { text: Some(fenced_answers(&answers)), value: json!(answers) })
}

fn read_confidence(word: &str) -> Result<Confidence> {
    Confidence::parse(word).ok_or_else(|| {
        let all: Vec<&str> = Confidence::ALL.iter().map(|each| each.name()).collect();
        let message = format!("`{}` is not a confidence level", excerpt(word));
        Error::new(ErrorKind::Usage, message).hint(format!("allowed are {}", all.join(", ")))
    })
}

fn pack_context(
    caller: &Caller<'_>,
    project: &Project,
    arguments: &ContextArguments,
) -> Result<ToolReply> {
    let budget = arguments.budget.unwrap_or(DEFAULT_BUDGET);
    let is_question = arguments.query.as_ref().is_some_and(|query| !query.trim().is_empty());
    let person = caller.person.as_ref().filter(|_| !is_question && project.injects_user_memory());
    let name = || caller.session.project_name();
    let request = IndexRequest { project: &name, budget, tells_news: false };
    let index = person.map(|person| inject(person, &request)).unwrap_or_default();
    let task = Task {
        question: arguments.query.as_deref(),
        budget,
        before: &index.text,
        scope: &arguments.scope,
        changed: arguments.changed,
        ..Task::default()
    };
    let mut pack = context(project, &task)?;
    pack.receipt.warnings.splice(0..0, project.take_warnings());
    pack.receipt.warnings.extend(index.warnings);
    Ok(ToolReply { text: Some(pack.text.clone()), value: json!(pack) })
}

fn get_sections(project: &Project, arguments: &GetArguments) -> Result<ToolReply> {
    let id = arguments.section_id.as_deref();
    // A section is written so in answers; two different names of it are for the reader to refuse.
    let (path, id) = match arguments.path.split_once('#') {
        Some((path, named)) if id.is_none_or(|id| id == named) && !named.is_empty() => {
            (path, Some(named))
        }
        Some(_) | None => (arguments.path.as_str(), id),
    };
    match show_memory(project, path, id)? {
        Ok(sections) => {
            let warnings = project.take_warnings();
            let text = Some(fenced_sections(&sections, &warnings));
            Ok(ToolReply { text, value: json!(GetAnswer { sections, warnings }) })
        }
        Err(refusal) => Err(Error::new(ErrorKind::Usage, refusal.message)
            .hint(refusal.hint)
            .warn(refusal.warnings)),
    }
}
