//! An agent that calls the tools of the memory service, and holds each answer against what clients expect.

use serde_json::{Value, json};

use super::{Client, Era};
use crate::schemas::breaches;
use crate::support::Sandbox;

/// Calls the tools of the memory service.
pub(crate) struct Agent(Client);

impl Agent {
    pub(crate) fn start(sandbox: &Sandbox) -> Self {
        Self::with(sandbox, &[], Era::Stateless)
    }

    pub(crate) fn with(sandbox: &Sandbox, options: &[&str], era: Era) -> Self {
        let words = [&["mcp", "--service"], options].concat();
        Self(Client::with(sandbox, &words, era))
    }

    pub(crate) fn request(&mut self, method: &str) -> Value {
        self.0.request(method, json!({}))["result"].clone()
    }

    /// Calls a tool and returns its result.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        self.0.request("tools/call", params)["result"].clone()
    }

    /// Calls a tool that must answer, and returns the answer, which fits what clients check it against.
    pub(crate) fn answer(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], false, "{result}");
        checked(tool, &result)
    }

    /// Calls a tool that must refuse, and returns what the agent reads.
    pub(crate) fn refused(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        // Clients check what is refused too.
        checked(tool, &result);
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// Stores a memory and returns its id.
    pub(crate) fn store(&mut self, content: &str, tags: &[&str]) -> String {
        let answer = self.answer("store_memory", json!({"content": content, "tags": tags}));
        answer["memory_id"].as_str().unwrap().to_owned()
    }

    /// Returns the contents that a recall finds.
    pub(crate) fn contents(&mut self, arguments: Value) -> Vec<String> {
        let answer = self.answer("recall_memory", arguments);
        let results = answer["results"].as_array().unwrap().iter();
        results.map(|each| each["content"].as_str().unwrap_or_default().to_owned()).collect()
    }

    pub(crate) fn finish(self) {
        let (code, rest, talk) = self.0.finish();
        assert_eq!((code, rest.as_str(), talk.as_str()), (Some(0), "", ""));
    }
}

/// Returns what a tool answered, which fits what clients check it against.
fn checked(tool: &str, result: &Value) -> Value {
    let schema = jsonschema::draft202012::new(&expected(tool)).unwrap();
    let answer = result["structuredContent"].clone();
    assert_eq!(breaches(&schema, &answer), Vec::<String>::new(), "{answer}");
    answer
}

/// The types on which the known clients rely.
fn expected(tool: &str) -> Value {
    let (texts, counts) = (json!({"type": "array", "items": {"type": "string"}}), "integer");
    let kind = |name: &str| match name {
        "memory_ids" | "tags" | "queries" | "exclude_tags" | "deduped_from" => texts.clone(),
        "stored" | "created_count" | "failed_count" | "deleted_count" | "count" | "limit"
        | "offset" | "dedup_removed" | "jit_enriched_count" | "content_chars" => {
            json!({"type": counts})
        }
        "association_created"
        | "success"
        | "has_more"
        | "scope_fallback"
        | "content_truncated"
        | "outside_tag_scope"
        | "jit_enriched"
        | "already_deleted" => json!({"type": "boolean"}),
        "query_time_ms" | "importance" | "final_score" => json!({"type": "number"}),
        "truncation" | "state_filter" | "tag_scope" | "score_filter" | "vector_search"
        | "statistics" => json!({"type": "object"}),
        "succeeded" | "failed" => json!({"type": "array", "items": {"type": "object"}}),
        "mode" => json!({"enum": ["ranked", "enumeration", "id_fetch"]}),
        "status" => json!({"enum": ["healthy", "degraded", "error"]}),
        "state_mode" => json!({"enum": ["current", "history"]}),
        "recency_bias" => json!({"enum": ["auto", "on", "off"]}),
        _ => json!({"type": "string"}),
    };
    let object = |names: &str, required: Value| {
        let fields = names.split(' ').map(|name| (name.to_owned(), kind(name)));
        let fields: serde_json::Map<String, Value> = fields.collect();
        json!({"type": "object", "properties": fields, "required": required})
    };
    match tool {
        "store_memory" => object(
            "memory_id memory_ids superseded_memory_id association_created stored qdrant enrichment query_time_ms message",
            json!(["message"]),
        ),
        "recall_memory" => {
            let mut schema = object(
                "count mode has_more limit offset truncation dedup_removed query sort exclude_tags state_filter state_mode tag_scope scope_fallback recency_bias score_filter queries vector_search jit_enriched_count query_time_ms",
                json!(["count", "results"]),
            );
            let result = object(
                "memory_id summary content content_truncated content_chars tags importance final_score match_type created_at updated_at deduped_from outside_tag_scope jit_enriched state_replaces",
                json!(["memory_id"]),
            );
            schema["properties"]["results"] = json!({"type": "array", "items": result});
            schema
        }
        "associate_memories" => object(
            "success message created_count failed_count succeeded failed summary",
            json!(["success", "message"]),
        ),
        "update_memory" => object("memory_id message", json!(["memory_id", "message"])),
        "delete_memory" => {
            object("memory_id deleted_count tags message already_deleted", json!(["message"]))
        }
        "check_database_health" => {
            object("status backend statistics error", json!(["status", "backend"]))
        }
        other => panic!("there is no tool `{other}`"),
    }
}
