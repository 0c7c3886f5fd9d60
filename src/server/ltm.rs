//! Answers the requests of the protocol with the tools of long-term memories.

use std::sync::Arc;

use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult,
    Implementation, ListToolsResult, ServerCapabilities, ServerConfig,
};
use serde_json::json;

use super::ltm_tools::{self, LtmTool};
use super::mcp::{Paged, Reply, RequestInfo, could_not, structured, unknown_request, unknown_tool};
use super::tools::Effect;
use super::turns::{Turns, beside};
use crate::longterm::request::{GivenArguments, LongtermCall};
use crate::longterm::verbs::{self, LongtermMcp};

/// Where the host puts the context of a call: beside the arguments, never inside.
const CONTEXT: &str = "agent-memory/context";

/// Clients show this to the agent before the tools.
const INSTRUCTIONS: &str = "Numbered memories of a chat bot. They stand in your context as `ID:N text`; change one by \
    its number, delete it with an empty content, and name `target_user` for what stands under a person.";

/// Answers with the tools of long-term memories.
#[derive(Clone)]
pub(super) struct LtmServer {
    settings: Arc<LongtermMcp>,
    turns: Turns,
}

impl LtmServer {
    pub(super) fn new(settings: Arc<LongtermMcp>) -> Self {
        Self { settings, turns: Turns::default() }
    }

    async fn answer(&self, tool: &LtmTool, call: LongtermCall) -> CallToolResult {
        let (settings, tool) = (Arc::clone(&self.settings), tool.tool);
        let _turn = self.turns.take(Effect::Adds).await;
        let answered = beside(move || {
            let session = settings.host.session(&settings.tenant);
            Ok(match session {
                Ok(session) => verbs::answer(&session, tool, &call),
                Err(error) => verbs::unanswered(tool, &error),
            })
        });
        answered.await.map_or_else(could_not, |answer| {
            // A denial is an answer: the model reads it and goes on.
            match answer.is_failure() {
                true => structured(json!(answer), CallToolResult::error),
                false => structured(json!(answer), CallToolResult::success),
            }
        })
    }
}

impl ServerHandler for LtmServer {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("agent-memory", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(&self, _: Paged, _: RequestInfo) -> Reply<ListToolsResult> {
        Ok(ListToolsResult::with_all_items(ltm_tools::listed()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        info: RequestInfo,
    ) -> Reply<CallToolResponse> {
        let Some(tool) = ltm_tools::find(&request.name) else {
            return Err(unknown_tool(&request.name, &ltm_tools::listed()));
        };
        let own = request.meta.as_ref().and_then(|meta| meta.0.0.get(CONTEXT));
        let said = own.or_else(|| info.meta.0.0.get(CONTEXT)).cloned();
        let call = LongtermCall {
            context: said.unwrap_or_else(|| self.settings.context.clone()),
            arguments: GivenArguments::new(request.arguments.unwrap_or_default()),
        };
        Ok(self.answer(tool, call).await.into())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestInfo,
    ) -> Reply<CustomResult> {
        Err(unknown_request(&request))
    }
}
