//! Sends requests to a server over HTTP, and sends them again where the network or the server fails.

use std::net::IpAddr;
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Map, Value};
use ureq::http::{Response, Uri};
use ureq::{Agent, Body, RequestBuilder};

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

const NO_SERVICE: &str = "that is not the answer of a memory service";

/// Sends requests to one server.
pub(in crate::server) struct HttpClient {
    agent: Agent,
    /// The address of the server, without a slash at the end.
    address: String,
    token: Option<String>,
}

/// What is sent, by method.
#[derive(Debug, Clone, Copy)]
pub(super) enum HttpRequest<'a> {
    Get(&'a QueryParameters),
    Delete(&'a QueryParameters),
    /// With the `Idempotency-Key` that is the same for each try.
    Post(&'a Value, &'a str),
    Patch(&'a Value),
}

/// What a server answered.
#[derive(Debug)]
pub(super) struct HttpAnswer {
    /// Of HTTP: 200 to 299, or 400 to 499.
    pub(super) status: u16,
    pub(super) body: Map<String, Value>,
}

/// What one try brought.
type Tried = std::result::Result<(u16, String), ureq::Error>;

impl HttpClient {
    /// Makes a client of the server at an address; the token is sent with each request.
    pub(in crate::server) fn new(address: &str, token: Option<String>) -> Result<Self> {
        let address = address.trim().trim_end_matches('/').to_owned();
        let uri = read_address(&address)?;
        let is_sendable = |token: &String| token.bytes().all(|byte| byte.is_ascii_graphic());
        if !token.as_ref().is_none_or(is_sendable) {
            let message = "the token has characters that no header can have";
            let hint = "see `AUTOMEM_API_KEY`, or `AUTOMEM_API_TOKEN`, for blanks and line ends";
            return Err(Error::new(ErrorKind::Usage, message).hint(hint));
        }
        let config = Agent::config_builder()
            .timeout_global(Some(TIMEOUT))
            .http_status_as_error(false)
            // The token belongs to this server, and not to one that it leads to.
            .max_redirects(0)
            .user_agent(concat!("agent-memory/", env!("CARGO_PKG_VERSION")));
        // What is meant for this machine does not leave it.
        let config = if is_this_machine(&uri) { config.proxy(None) } else { config };
        Ok(Self { agent: config.build().new_agent(), address, token })
    }

    /// Sends a request; where the network or the server fails, it is sent again.
    pub(super) fn send(&self, path: &str, request: HttpRequest<'_>) -> Result<HttpAnswer> {
        let mut pauses = PAUSES.into_iter();
        loop {
            let tried = self.send_once(path, request);
            let may_work_later = tried.as_ref().map_or(true, |(status, _)| *status >= 500);
            match pauses.next().filter(|_| may_work_later) {
                Some(pause) => sleep(pause),
                None => return self.read(tried),
            }
        }
    }

    fn send_once(&self, path: &str, request: HttpRequest<'_>) -> Tried {
        let address = format!("{}{path}", self.address);
        let pairs = |query: &QueryParameters| query.0.clone();
        let mut response: Response<Body> = match request {
            HttpRequest::Get(query) => {
                self.with_headers(self.agent.get(address).query_pairs(pairs(query))).call()?
            }
            HttpRequest::Delete(query) => {
                self.with_headers(self.agent.delete(address).query_pairs(pairs(query))).call()?
            }
            HttpRequest::Post(body, key) => {
                let request = self.with_headers(self.agent.post(address));
                request.header("idempotency-key", key).send(body.to_string())?
            }
            HttpRequest::Patch(body) => {
                self.with_headers(self.agent.patch(address)).send(body.to_string())?
            }
        };
        // An answer that breaks off is none.
        let text = response.body_mut().with_config().limit(ANSWER).read_to_string()?;
        Ok((response.status().as_u16(), self.without_token(text)))
    }

    /// Withholds the token from an answer that repeats it: an agent would read it.
    fn without_token(&self, text: String) -> String {
        match self.token.as_ref().filter(|token| token.len() >= 8 && text.contains(*token)) {
            Some(token) => text.replace(token, "[token]"),
            None => text,
        }
    }

    fn with_headers<B>(&self, request: RequestBuilder<B>) -> RequestBuilder<B> {
        let request = request.header("content-type", "application/json");
        match &self.token {
            Some(token) => request.header("authorization", format!("Bearer {token}")),
            None => request,
        }
    }

    /// Takes an answer of a memory service: an object, with a status that says that it was done or refused. All else, such
    /// as the page of a proxy, is an error.
    fn read(&self, tried: Tried) -> Result<HttpAnswer> {
        let (status, text) = tried.map_err(|cause| {
            let message = format!("the memory service at `{}` cannot be reached", self.address);
            let hint = "start it with `agent-memory serve`, or name another with `--url`";
            Error::new(ErrorKind::ServerFailed, message).hint(hint).because(cause)
        })?;
        let body: Option<Map<String, Value>> = serde_json::from_str(&text).ok();
        let is_answer = matches!(status, 200..=299 | 400..=499);
        match body {
            Some(body) if is_answer && !is_of_another_route(status, &body) => {
                Ok(HttpAnswer { status, body })
            }
            body => {
                let said = body.as_ref().and_then(|body| body.get("message")?.as_str());
                Err(self.failed(status, said.unwrap_or(NO_SERVICE)))
            }
        }
    }

    /// Makes the error of an answer that says nothing that a memory service says.
    pub(super) fn wrong_answer(&self, status: u16) -> Error {
        self.failed(status, NO_SERVICE)
    }

    fn failed(&self, status: u16, said: &str) -> Error {
        let message = format!("`{}` answered with {status}: {said}", self.address);
        let hint = format!("see what `{}/health` says", self.address);
        Error::new(ErrorKind::ServerFailed, message).hint(hint)
    }
}

/// Tells whether an answer says that there is no such route, and not that there is no such memory.
fn is_of_another_route(status: u16, body: &Map<String, Value>) -> bool {
    let message = body.get("message").and_then(Value::as_str).unwrap_or_default();
    let is_of_service = body.get("status").is_some_and(|it| it == "error");
    status == 404 && (!is_of_service || message.contains("URL was not found"))
}

fn read_address(address: &str) -> Result<Uri> {
    // What stands before `@` or behind `?` may be a token.
    let shown = address.rsplit('@').next().unwrap_or_default();
    let shown = shown.split(['?', '#']).next().unwrap_or_default();
    let refuse = || {
        // So may a part of the path.
        let shown = shown.splitn(4, '/').take(3).collect::<Vec<_>>().join("/");
        let message = format!("`{}` is no address of a memory service", shown_name(&shown));
        let hint = "name it like `http://127.0.0.1:8001`; its token goes into `AUTOMEM_API_KEY`";
        Error::new(ErrorKind::Usage, message).hint(hint)
    };
    if shown != address {
        return Err(refuse());
    }
    let uri: Uri = address.parse().map_err(|_| refuse())?;
    let is_web = matches!(uri.scheme_str(), Some("http" | "https"));
    if is_web && uri.authority().is_some() { Ok(uri) } else { Err(refuse()) }
}

fn is_this_machine(uri: &Uri) -> bool {
    let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
    let is_here = |ip: IpAddr| ip.is_loopback() || ip.is_unspecified();
    host.eq_ignore_ascii_case("localhost") || host.parse().is_ok_and(is_here)
}
