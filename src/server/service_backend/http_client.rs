//! Sends requests to a server over HTTP, and tries again where that is safe.

use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;
use ureq::http::{Response, Uri};
use ureq::{Agent, Body, RequestBuilder};

use crate::contract::ContentHash;
use crate::disk::random;
use crate::error::{Error, ErrorKind, Result};
use crate::secrets::shown_name;
use crate::service::request::QueryParameters;

/// How long one try may take, as with the known clients.
const TIMEOUT: Duration = Duration::from_secs(25);

/// Pauses before the second, third and fourth try, as with the known clients.
const PAUSES: [Duration; 3] =
    [Duration::from_millis(500), Duration::from_secs(1), Duration::from_secs(2)];

/// Bytes of an answer at most.
const ANSWER: u64 = 64 << 20;

/// Sends requests to one server.
pub(in crate::server) struct HttpClient {
    agent: Agent,
    /// The address of the server, without a slash at the end.
    address: String,
    key: Option<String>,
}

/// What is sent, by method.
#[derive(Debug, Clone, Copy)]
pub(super) enum HttpMethod<'a> {
    Get(&'a QueryParameters),
    Delete(&'a QueryParameters),
    Post(&'a Value),
    Patch(&'a Value),
}

/// What a server answered.
#[derive(Debug)]
pub(super) struct HttpAnswer {
    /// Of HTTP: 200 to 299, or 400 to 499.
    pub(super) status: u16,
    pub(super) body: Value,
}

impl HttpClient {
    /// Makes a client of the server at an address; `key` is sent with each request.
    pub(in crate::server) fn new(address: &str, key: Option<String>) -> Result<Self> {
        let address = address.trim().trim_end_matches('/').to_owned();
        let uri: Uri = address.parse().map_err(|_| refuse_address(&address))?;
        let is_web = matches!(uri.scheme_str(), Some("http" | "https"));
        // A name or key in an address would be shown with it.
        let is_plain = uri.authority().is_some_and(|it| !it.as_str().contains('@'));
        if !is_web || !is_plain || uri.query().is_some() {
            return Err(refuse_address(&address));
        }
        let config = Agent::config_builder()
            .timeout_global(Some(TIMEOUT))
            .http_status_as_error(false)
            // The key belongs to this server, and not to one that it leads to.
            .max_redirects(0)
            .user_agent(concat!("agent-memory/", env!("CARGO_PKG_VERSION")));
        let config = match uri.host() {
            // What is meant for this machine does not leave it.
            Some("localhost" | "127.0.0.1" | "[::1]") => config.proxy(None),
            Some(_) | None => config,
        };
        Ok(Self { agent: config.build().new_agent(), address, key })
    }

    /// Sends a request; where the network or the server fails it is sent again, with the same `Idempotency-Key`.
    pub(super) fn send(&self, path: &str, method: HttpMethod<'_>) -> Result<HttpAnswer> {
        let key = match method {
            HttpMethod::Post(_) => Some(ContentHash::of(&random::<32>()?).to_string()),
            HttpMethod::Get(_) | HttpMethod::Delete(_) | HttpMethod::Patch(_) => None,
        };
        let mut pauses = PAUSES.into_iter();
        loop {
            let answered = self.send_once(path, method, key.as_deref());
            let may_work_later =
                answered.as_ref().map_or(true, |answer| answer.status().is_server_error());
            match pauses.next().filter(|_| may_work_later) {
                Some(pause) => sleep(pause),
                None => return self.read(answered),
            }
        }
    }

    fn send_once(
        &self,
        path: &str,
        method: HttpMethod<'_>,
        key: Option<&str>,
    ) -> std::result::Result<Response<Body>, ureq::Error> {
        let address = format!("{}{path}", self.address);
        let pairs = |query: &QueryParameters| query.0.clone();
        match method {
            HttpMethod::Get(query) => {
                self.with_headers(self.agent.get(address).query_pairs(pairs(query)), key).call()
            }
            HttpMethod::Delete(query) => {
                self.with_headers(self.agent.delete(address).query_pairs(pairs(query)), key).call()
            }
            HttpMethod::Post(body) => {
                self.with_headers(self.agent.post(address), key).send(body.to_string())
            }
            HttpMethod::Patch(body) => {
                self.with_headers(self.agent.patch(address), key).send(body.to_string())
            }
        }
    }

    fn with_headers<B>(
        &self,
        request: RequestBuilder<B>,
        idempotency_key: Option<&str>,
    ) -> RequestBuilder<B> {
        let request = request.header("content-type", "application/json");
        let request = match &self.key {
            Some(key) => request.header("authorization", format!("Bearer {key}")),
            None => request,
        };
        match idempotency_key {
            Some(key) => request.header("idempotency-key", key),
            None => request,
        }
    }

    /// Reads an answer. Only JSON comes from the service itself, and only below 500 it says what it did.
    fn read(
        &self,
        answered: std::result::Result<Response<Body>, ureq::Error>,
    ) -> Result<HttpAnswer> {
        let mut response = answered.map_err(|cause| {
            let message = format!("the memory service at `{}` cannot be reached", self.address);
            let hint = "start it with `agent-memory serve`, or name another with `--url`";
            Error::new(ErrorKind::ServerFailed, message).hint(hint).because(cause)
        })?;
        let status = response.status();
        let text = response.body_mut().with_config().limit(ANSWER).read_to_string();
        let body = text.ok().and_then(|text| serde_json::from_str::<Value>(&text).ok());
        match body {
            Some(body) if status.is_success() || status.is_client_error() => {
                Ok(HttpAnswer { status: status.as_u16(), body })
            }
            body => {
                let said = body.as_ref().and_then(|body| body["message"].as_str());
                let said = said.unwrap_or("no JSON of a memory service");
                let message =
                    format!("`{}` answered with {}: {said}", self.address, status.as_u16());
                let hint = format!("see what `{}/health` says", self.address);
                Err(Error::new(ErrorKind::ServerFailed, message).hint(hint))
            }
        }
    }
}

fn refuse_address(address: &str) -> Error {
    let shown = match address.contains('@') {
        // What is before it may be a password.
        true => "an address with `@`".to_owned(),
        false => format!("`{}`", shown_name(address)),
    };
    let message = format!("{shown} is no address of a memory service");
    let hint = "name it like `http://127.0.0.1:8001`; its token goes into `AUTOMEM_API_KEY`";
    Error::new(ErrorKind::Usage, message).hint(hint)
}
