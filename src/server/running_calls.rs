//! The calls of a client that are not answered yet; each is told to the log as it ends.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use rmcp::model::{ClientRequest, JsonRpcRequest, RequestId};

#[derive(Clone, Default)]
pub(super) struct RunningCalls(Arc<Mutex<HashMap<RequestId, RunningCall>>>);

struct RunningCall {
    name: String,
    begun: Instant,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallEnd {
    Answered,
    /// Answered with an error of the protocol.
    Refused,
    Cancelled,
}

impl RunningCalls {
    /// Notes a call; false where one with its id is running.
    pub(super) fn begin(&self, call: &JsonRpcRequest<ClientRequest>) -> bool {
        let mut running = self.running();
        if running.contains_key(&call.id) {
            return false;
        }
        let name = name_of(&call.request).into_owned();
        running.insert(call.id.clone(), RunningCall { name, begun: Instant::now() });
        true
    }

    pub(super) fn end(&self, id: &RequestId, end: CallEnd) {
        let Some(RunningCall { name, begun }) = self.running().remove(id) else { return };
        tracing::info!(name, ?end, ms = begun.elapsed().as_millis(), "mcp request");
    }

    fn running(&self) -> MutexGuard<'_, HashMap<RequestId, RunningCall>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the method, and of a call of a tool its name; nothing else of what a client sends.
fn name_of(request: &ClientRequest) -> Cow<'_, str> {
    match request {
        ClientRequest::CallToolRequest(call) => format!("tools/call {}", call.params.name).into(),
        other => other.method().into(),
    }
}
