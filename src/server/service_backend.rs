//! What answers the tools of the memory service: the database in this process, or a server.

mod backend;
mod http_client;
mod local;
mod remote;

pub(super) use backend::{ServiceBackend, ServiceRequest};
pub(super) use http_client::HttpClient;
pub(super) use local::LocalService;
pub(super) use remote::RemoteService;
