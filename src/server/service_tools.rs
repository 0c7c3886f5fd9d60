//! The table of tools of the memory service: those of its known clients, with their arguments and answers.

mod arguments;
mod associate;
mod call;
mod delete;
mod described;
mod fields;
mod health;
mod inputs;
mod outputs;
mod recall;
mod recalled;
mod reply;
mod size;
mod store;
mod stored;
mod supersede;
mod texts;
mod update;

use rmcp::model::{MetaObject, Tool as Listed, ToolAnnotations};
use serde_json::{Map, Value};

use super::schemas::object;
use super::service_backend::ServiceBackend;
use super::tools::Effect;
use crate::error::Error;
use crate::service::verbs::{RecallBudget, ServiceAnswer};
use arguments::Arguments;
use call::ServiceCall;
pub(super) use reply::ServiceReply;

/// A tool of the memory service.
pub(super) struct ServiceTool {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    input: fn() -> Value,
    output: fn() -> Value,
    hints: ToolHints,
    /// Whether a client that finds tools by search should list it without one.
    always_listed: bool,
    call: fn(&ServiceCall<'_>) -> ServiceAnswer<ServiceReply>,
}

/// What a client may expect of a tool.
#[derive(Clone, Copy)]
enum ToolHints {
    Reads,
    /// The same call again may add again.
    Adds,
    /// The same call again changes nothing.
    Changes,
    /// The same call again deletes nothing else.
    Deletes,
}

const TOOLS: [ServiceTool; 6] = [
    ServiceTool {
        name: "store_memory",
        title: "Store Memory",
        description: described::STORE,
        input: inputs::store,
        output: outputs::store,
        hints: ToolHints::Adds,
        always_listed: true,
        call: store::store_memory,
    },
    ServiceTool {
        name: "recall_memory",
        title: "Recall Memory",
        description: described::RECALL,
        input: inputs::recall,
        output: outputs::recall,
        hints: ToolHints::Reads,
        always_listed: true,
        call: recall::recall_memory,
    },
    ServiceTool {
        name: "associate_memories",
        title: "Associate Memories",
        description: described::ASSOCIATE,
        input: inputs::associate,
        output: outputs::associate,
        hints: ToolHints::Changes,
        always_listed: true,
        call: associate::associate_memories,
    },
    ServiceTool {
        name: "update_memory",
        title: "Update Memory",
        description: described::UPDATE,
        input: inputs::update,
        output: outputs::update,
        hints: ToolHints::Changes,
        always_listed: false,
        call: update::update_memory,
    },
    ServiceTool {
        name: "delete_memory",
        title: "Delete Memory",
        description: described::DELETE,
        input: inputs::delete,
        output: outputs::delete,
        hints: ToolHints::Deletes,
        always_listed: false,
        call: delete::delete_memory,
    },
    ServiceTool {
        name: "check_database_health",
        title: "Check Database Health",
        description: described::HEALTH,
        input: inputs::health,
        output: outputs::health,
        hints: ToolHints::Reads,
        always_listed: false,
        call: health::check_database_health,
    },
];

pub(super) fn listed() -> Vec<Listed> {
    TOOLS.iter().map(ServiceTool::listed).collect()
}

pub(super) fn find(name: &str) -> Option<&'static ServiceTool> {
    const { &TOOLS }.iter().find(|tool| tool.name == name)
}

impl ServiceTool {
    /// Answers a call; what is refused is an answer too.
    pub(super) fn answer(
        &self,
        backend: &dyn ServiceBackend,
        recall_budget: RecallBudget,
        given: Map<String, Value>,
    ) -> ServiceReply {
        let reply = self.reply(backend, recall_budget, given);
        reply.complete(&(self.output)())
    }

    fn reply(
        &self,
        backend: &dyn ServiceBackend,
        recall_budget: RecallBudget,
        given: Map<String, Value>,
    ) -> ServiceReply {
        let arguments = match Arguments::read(&(self.input)(), given) {
            Ok(arguments) => arguments,
            Err(refusal) => return ServiceReply::refused(&refusal),
        };
        let call = ServiceCall { backend, arguments: &arguments, recall_budget };
        let answer = match ((self.call)(&call), self.name) {
            (Err(error), "check_database_health") => return health::unhealthy(&error.to_string()),
            (Err(error), _) => return ServiceReply::failed(&error),
            (Ok(answer), _) => answer,
        };
        let reply = answer.unwrap_or_else(|refusal| ServiceReply::refused(&refusal));
        reply.warn(&arguments.warnings)
    }

    /// Makes the answer to a call that could not be answered at all.
    pub(super) fn failed(&self, error: &Error) -> ServiceReply {
        ServiceReply::failed(error).complete(&(self.output)())
    }

    pub(super) fn effect(&self) -> Effect {
        match self.hints {
            ToolHints::Reads => Effect::Reads,
            ToolHints::Adds | ToolHints::Changes | ToolHints::Deletes => Effect::Adds,
        }
    }

    fn listed(&self) -> Listed {
        let hints = ToolAnnotations::with_title(self.title).open_world(false);
        let hints = match self.hints {
            ToolHints::Reads => hints.read_only(true).destructive(false).idempotent(true),
            ToolHints::Adds => hints.read_only(false).destructive(false).idempotent(false),
            ToolHints::Changes => hints.read_only(false).destructive(false).idempotent(true),
            ToolHints::Deletes => hints.read_only(false).destructive(true).idempotent(true),
        };
        let listed = Listed::new(self.name, self.description, object((self.input)()))
            .with_title(self.title)
            .with_raw_output_schema(object((self.output)()))
            .with_annotations(hints);
        match self.always_listed {
            true => listed.with_meta(always_listed()),
            false => listed,
        }
    }
}

fn always_listed() -> MetaObject {
    MetaObject(Map::from_iter([("anthropic/alwaysLoad".to_owned(), Value::Bool(true))]))
}
