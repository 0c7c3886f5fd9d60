//! Bytes → request: names, limits, duplicate keys, and every slip in one answer.

use std::sync::LazyLock;

use serde_json::Value;

use super::forms::{find_files, in_known_form};
use super::levels::at_their_level;
use super::operations::{self, OperationProblems};
use super::parse_intent::read_intent;
use super::parse_sources::{read_owner, read_sources, short_text};
use super::request_text::{FoundRequest, HINT, find_request};
use crate::contract::{
    Confidence, ContentHash, Fields, Moment, Problem, Problems, Violation, kind_of_json, understood,
};
use crate::project::request::{
    Action, Answer, Intent, Operation, Reason, Refusal, Refusals, Request, request_schema,
};
use crate::text::{ClientText, HALF_CHARACTER, client_text};

/// Bytes of a request at most.
pub(crate) const REQUEST_BYTES: usize = 1_048_576;

const OPERATIONS: usize = 64;

/// Sources of a request and of its operations together: each is looked up.
const ALL_SOURCES: usize = 256;

static REQUEST_SCHEMA: LazyLock<Value> = LazyLock::new(|| request_schema().to_value());

/// A request as it came in.
#[derive(Debug)]
#[must_use = "call `parse` to see whether it is a request"]
pub struct Submission {
    bytes: Vec<u8>,
    submitted_at: Moment,
    day: String,
}

/// A request that can be read.
#[derive(Debug)]
#[must_use = "call `screen` before anything of it is shown or written"]
pub struct Proposal {
    pub(super) request: Request,
    /// The same as it stood on the wire, with its keys in alphabetical order.
    pub(super) raw: Value,
    /// What had to be understood before it could be read.
    pub(crate) warnings: Vec<String>,
    pub(super) submitted_at: Moment,
    pub(super) day: String,
}

impl Submission {
    /// Takes the bytes of a request, the moment at which it was made, and the day by the clock of its maker: files are
    /// named after that.
    pub fn new(bytes: Vec<u8>, submitted_at: Moment, day: String) -> Self {
        Self { bytes, submitted_at, day }
    }

    /// Reads the request, or says everything that is wrong with it.
    pub fn parse(self) -> Answer<Proposal> {
        if self.bytes.len() > REQUEST_BYTES {
            return Err(Refusal::new(
                Reason::TooLarge,
                format!("the request has more than {REQUEST_BYTES} bytes"),
                "split it into several requests",
            ));
        }
        let ClientText { text, is_mended } = client_text(&self.bytes).map_err(|what| {
            Refusal::new(Reason::InvalidRequest, format!("the request {what}"), HINT)
        })?;
        let FoundRequest { value, mut warnings } = find_request(&text)?;
        warnings.extend(is_mended.then(|| HALF_CHARACTER.to_owned()));
        let schema = &*REQUEST_SCHEMA;
        let levelled = at_their_level(schema, understood(schema, value));
        let raw = in_known_form(understood(schema, levelled));
        let request = read_request(&raw)?;
        warnings.extend(escaped_twice(&request));
        let Self { submitted_at, day, .. } = self;
        Ok(Proposal { request, raw, warnings, submitted_at, day })
    }
}

impl Proposal {
    /// Gives the files that it cites the paths that `find` returns for them.
    pub(crate) fn with_found_files(
        mut self,
        find: impl Fn(&str) -> Option<String>,
    ) -> Answer<Self> {
        if find_files(&mut self.raw, find) {
            self.request = read_request(&self.raw)?;
        }
        Ok(self)
    }

    pub fn request(&self) -> &Request {
        &self.request
    }
}

/// Warns of texts in which a line break stands as `\n`: their JSON was probably escaped twice.
fn escaped_twice(request: &Request) -> impl Iterator<Item = String> {
    let texts = request
        .operations
        .iter()
        .enumerate()
        .filter_map(|(number, operation)| Some((number, operation.action.content()?)));
    let texts = texts.filter(|(_, text)| text.contains("\\n") && !text.contains('\n'));
    texts.map(|(number, _)| format!("/operations/{number}: its text has `\\n` as two characters and no line break; if its JSON was escaped twice, send it again with `\\n` escaped once"))
}

/// Returns the hash of the question: the same for each author and each rationale.
pub(super) fn question_hash(raw: &Value) -> ContentHash {
    let parts: Vec<String> = ["intent", "operations", "sources", "confidence"]
        .iter()
        .map(|name| raw[*name].to_string())
        .collect();
    ContentHash::of(parts.join("\n").as_bytes())
}

fn read_request(raw: &Value) -> Answer<Request> {
    let mut refusals = Refusals::default();
    let request = read_fields(raw, &mut refusals);
    refusals.answer()?;
    // An operation that is lost without a message would let the rest of the request be applied.
    request.ok_or_else(|| {
        let hint = "send one operation at a time";
        Refusal::new(Reason::InvalidRequest, "the request cannot be read", hint)
    })
}

fn read_fields(raw: &Value, refusals: &mut Refusals) -> Option<Request> {
    let problems = Problems::default();
    let Some(mut fields) = Fields::of(raw, "", &problems) else {
        note(refusals, Reason::InvalidRequest, &problems);
        return None;
    };
    let intent = fields.value("intent");
    let list = fields.value("operations");
    let rationale = short_text(&mut fields, "rationale", 2_000);
    let sources = read_sources(&mut fields, &problems);
    let confidence = fields.optional_word("confidence", Confidence::parse, Confidence::NAMES);
    let owner = read_owner(&mut fields, &problems);
    let dry_run = fields.flag("dry_run").unwrap_or(false);
    fields.finish();
    note(refusals, Reason::InvalidRequest, &problems);
    let intent = read_intent(intent).map_err(|refusal| refusals.add(refusal)).ok();
    let operations = read_operations(list, intent, refusals);
    let own = operations.iter().flatten().map(|operation| operation.sources.len()).sum::<usize>();
    if sources.len() + own > ALL_SOURCES {
        let message =
            format!("the request has {} sources, allowed are {ALL_SOURCES}", sources.len() + own);
        let hint = "split it into several requests, or cite once, in `sources` of the request";
        refusals.add(Refusal::new(Reason::TooLarge, message, hint).at("/operations"));
    }
    if sources.is_empty() {
        note(refusals, Reason::InvalidOperation, &nothing_added(operations.as_deref()));
    }
    Some(Request {
        intent: intent?,
        operations: operations?,
        rationale,
        sources,
        confidence: confidence.unwrap_or_default(),
        owner,
        dry_run,
    })
}

/// Finds what would add neither text nor evidence to a section.
fn nothing_added(operations: Option<&[Operation]>) -> Problems {
    let problems = Problems::default();
    for (index, operation) in operations.into_iter().flatten().enumerate() {
        let is_empty = matches!(&operation.action, Action::AppendToSection { content, .. } if content.trim().is_empty());
        if is_empty && operation.sources.is_empty() {
            let pointer = format!("/operations/{index}/content");
            problems.add(
                pointer,
                "`content` is empty: give the text to add, or `sources` to add evidence alone",
            );
        }
    }
    problems
}

fn read_operations(
    value: Option<&Value>,
    intent: Option<Intent>,
    refusals: &mut Refusals,
) -> Option<Vec<Operation>> {
    let mut refuse = |reason, message: String, hint: &str| {
        refusals.add(Refusal::new(reason, message, hint).at("/operations"));
        None
    };
    let list = match value {
        Some(Value::Array(list)) if !list.is_empty() => list,
        Some(Value::Array(_)) | None => {
            let hint = "give at least one, e.g. {\"operation\": \"append_section\", …}";
            let message = "the request has no operations".to_owned();
            return refuse(Reason::NoOperations, message, hint);
        }
        Some(other) => {
            let message = format!("`operations`: expected a list, found {}", kind_of_json(other));
            return refuse(Reason::InvalidRequest, message, "give a list of objects");
        }
    };
    if list.len() > OPERATIONS {
        let message =
            format!("the request has {} operations, allowed are {OPERATIONS}", list.len());
        return refuse(Reason::TooLarge, message, "split it into several requests");
    }
    let problems = OperationProblems::default();
    let read: Vec<_> = list
        .iter()
        .enumerate()
        .filter_map(|(index, value)| operations::read(value, index, intent, &problems))
        .collect();
    note(refusals, Reason::InvalidOperation, &problems.fields);
    note(refusals, Reason::InvalidPath, &problems.paths);
    (read.len() == list.len()).then_some(read)
}

/// Notes all problems as one refusal.
fn note(refusals: &mut Refusals, reason: Reason, problems: &Problems) {
    let list = problems.take();
    let Some(first) = list.first() else { return };
    let place = if first.pointer.is_empty() { "the request" } else { &first.pointer };
    let message = format!("{place}: {}", first.message);
    let hint = "correct what `violations` lists and send the request again; `agent-memory propose --schema` prints all fields";
    let refusal = Refusal::new(reason, message, hint).at(first.pointer.clone());
    let violations = list
        .into_iter()
        .map(|Problem { pointer, message }| Violation::of_field(pointer, reason.name(), message))
        .collect();
    refusals.add_list(refusal, violations);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parse(text: &str) -> Answer<Request> {
        let moment = Moment::from_unix(0);
        Submission::new(text.as_bytes().to_vec(), moment, "1970-01-01".to_owned())
            .parse()
            .map(|proposal| proposal.request)
    }

    fn refused(text: &str, reason: Reason, pointer: Option<&str>) {
        let refusal = parse(text).expect_err("it is wrong");
        assert_eq!((refusal.reason, refusal.pointer.as_deref()), (reason, pointer), "{text}");
    }

    #[test]
    fn a_small_request_is_read() {
        let request = parse(
            r###"{"intent": "session_log", "owner": "ada", "operations":
                [{"operation": "append_section", "heading": "Today", "content": "Done."}]}"###,
        );
        let request = request.expect("a good request");
        assert_eq!(request.confidence, Confidence::Inferred);
        assert_eq!(request.owner.map(|owner| owner.id).as_deref(), Some("ada"));
    }

    #[test]
    fn each_part_has_its_own_code() {
        refused("nonsense", Reason::InvalidRequest, None);
        refused("[]", Reason::InvalidRequest, Some(""));
        refused(r#"{"intent": "x", "operations": []}"#, Reason::InvalidIntent, Some("/intent"));
        refused(r#"{"operations": []}"#, Reason::InvalidIntent, Some("/intent"));
        refused(r#"{"intent": "session_log"}"#, Reason::NoOperations, Some("/operations"));
        refused(
            r#"{"intent": "session_log", "operations": [{"operation": "shout"}]}"#,
            Reason::InvalidOperation,
            Some("/operations/0/operation"),
        );
        refused(
            r#"{"intent": "session_log", "sourcs": [], "operations": []}"#,
            Reason::InvalidRequest,
            Some("/sourcs"),
        );
    }

    #[test]
    fn a_bad_path_is_named_by_its_place() {
        refused(
            r#"{"intent": "session_log", "operations":
                [{"operation": "append_section", "path": "../x.md", "heading": "a", "content": "b"}]}"#,
            Reason::InvalidPath,
            Some("/operations/0/path"),
        );
    }

    #[test]
    fn all_slips_come_in_one_answer() {
        let refusal = parse(
            r#"{"intent": "session_log", "operations": [{"operation": "append_to_section",
                "sction_id": "a", "content": 5}]}"#,
        )
        .expect_err("it is wrong");
        let pointers: Vec<&str> =
            refusal.violations.iter().map(|each| each.pointer.as_str()).collect();
        assert_eq!(
            pointers,
            ["/operations/0/content", "/operations/0", "/operations/0/sction_id"],
            "{refusal:?}"
        );
    }

    #[test]
    fn a_wrong_intent_hides_nothing() {
        let refusal = parse(
            r#"{"intent": "x", "sourcs": [], "operations": [{"operation": "shout"},
                {"operation": "create_file", "path": "../x.md", "content": "a"}]}"#,
        )
        .expect_err("it is wrong");
        let listed: Vec<(&str, &str)> =
            refusal.violations.iter().map(|it| (it.pointer.as_str(), it.rule.as_str())).collect();
        let expected = [
            ("/sourcs", "invalid_request"),
            ("/intent", "invalid_intent"),
            ("/operations/0/operation", "invalid_operation"),
            ("/operations/1/path", "invalid_path"),
        ];
        assert_eq!(listed, expected);
    }

    #[test]
    fn what_is_there_instead_is_said() {
        let refusal = parse(r#"{"intent": 5, "operations": 5}"#).expect_err("it is wrong");
        let messages: Vec<&str> = refusal.violations.iter().map(|it| it.message.as_str()).collect();
        let expected = [
            "`intent`: expected a string, found the number 5",
            "`operations`: expected a list, found the number 5",
        ];
        assert_eq!(messages, expected);
    }

    #[test]
    fn what_can_only_mean_one_thing_is_understood() {
        let operation = json!({"operation": "append_section", "heading": "[1]", "content": "{}"});
        let plain = json!({
            "intent": "session_log", "dry_run": true, "owner": {"id": "ada"},
            "operations": [&operation], "sources": [{"type": "user", "ref": "ada"}],
        });
        let expected = parse(&plain.to_string()).expect("a good request");
        let with_level = |level: Value| {
            let mut operation = operation.clone();
            operation["heading_level"] = level;
            json!([operation])
        };
        for (name, value) in [
            ("operations", json!(json!([&operation]).to_string())),
            ("operations", json!([operation.to_string()])),
            ("operations", operation.clone()),
            ("operations", with_level(json!("2"))),
            ("operations", with_level(json!(2.0))),
            ("dry_run", json!("true")),
            ("owner", json!("{\"id\": \"ada\"}")),
            ("sources", json!("[{\"type\": \"user\", \"ref\": \"ada\"}]")),
            ("sources", json!({"type": "user", "ref": "ada"})),
        ] {
            let mut given = plain.clone();
            given[name] = value;
            assert_eq!(parse(&given.to_string()).expect("understood"), expected, "{given}");
        }
    }

    #[test]
    fn an_answer_lists_no_more_slips_than_anyone_will_read() {
        let fields: Vec<String> = (0..1_000).map(|number| format!("\"x{number}\": 1")).collect();
        let refusal = parse(&format!("{{{}}}", fields.join(", "))).expect_err("it is wrong");
        assert_eq!(refusal.violations.len(), 100);
        let end = ", and more, the first 100 under `violations`";
        assert!(refusal.message.ends_with(end), "{}", refusal.message);
    }

    #[test]
    fn too_much_is_too_much() {
        refused(&" ".repeat(REQUEST_BYTES + 1), Reason::TooLarge, None);
        let many = vec![r#"{"operation": "x"}"#; 65].join(",");
        let text = format!(r#"{{"intent": "session_log", "operations": [{many}]}}"#);
        refused(&text, Reason::TooLarge, Some("/operations"));
    }
}
