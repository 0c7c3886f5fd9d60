//! Connections: how many, how slow, and how they end.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::{Method, StatusCode};
use axum::middleware::{from_fn_with_state, map_response};
use axum::response::Response;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tower_http::compression::CompressionLayer;
use tower_http::cors::{AllowOrigin, CorsLayer};
use tower_http::timeout::TimeoutLayer;

use super::answer::router;
use super::bodied_stream::BodiedStream;
use super::http_service::HttpService;
use super::reply::refuse;
use super::trace::traced;
use crate::error::{Error, ErrorKind, Result};

/// Connections at one time at most; another waits.
const CONNECTIONS: usize = 1_024;

/// How long a client may take to send the head of a request.
const HEAD: Duration = Duration::from_secs(10);

/// How long a request may take, with its body.
const REQUEST: Duration = Duration::from_secs(30);

/// How long the next connection waits after one could not be accepted.
const AFTER_ERROR: Duration = Duration::from_millis(100);

/// How long what has begun may take after the process was asked to end.
const DRAIN: Duration = Duration::from_millis(4_500);

/// Serves until the process is asked to end.
pub(super) async fn listen(service: &Arc<HttpService>) -> Result<()> {
    let address = service.settings.listen;
    let listener =
        TcpListener::bind(address).await.map_err(|cause| could_not_listen(address, cause))?;
    let local = listener.local_addr().map_err(|cause| could_not_listen(address, cause))?;
    (service.settings.began)(local);
    let app = router(service)
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, REQUEST))
        .layer(map_response(with_body))
        .layer(from_fn_with_state(Arc::clone(service), traced))
        .layer(CompressionLayer::new())
        .layer(sites(&service.settings.origins));
    let connections = Arc::new(Semaphore::new(CONNECTIONS));
    let ending = GracefulShutdown::new();
    let mut asked_to_end = std::pin::pin!(asked_to_end());
    loop {
        let room = Arc::clone(&connections).acquire_owned();
        let accepted = tokio::select! {
            accepted = async { (room.await.ok(), listener.accept().await) } => accepted,
            () = &mut asked_to_end => break,
        };
        let (Some(room), Ok((stream, _))) = accepted else {
            // There may be no file descriptor left until a connection ends.
            sleep(AFTER_ERROR).await;
            continue;
        };
        let connection = connection(stream, app.clone());
        let watched = ending.watch(connection);
        tokio::spawn(async move {
            // A client that goes away, or is too slow, concerns no other.
            let _ = watched.await;
            drop(room);
        });
    }
    drop(listener);
    // A stream ends only when its client closes it, so all streams are closed here.
    service.events.end();
    let _ = timeout(DRAIN, ending.shutdown()).await;
    Ok(())
}

/// Gives a body to what took too long: clients read JSON.
async fn with_body(response: Response) -> Response {
    match response.status() {
        StatusCode::REQUEST_TIMEOUT => refuse(
            StatusCode::REQUEST_TIMEOUT,
            "The request took too long",
            "try again, or ask for less",
        ),
        _ => response,
    }
}

/// Lets the pages of some sites read answers; of no site where none is named.
fn sites(origins: &[String]) -> CorsLayer {
    let origins = origins.iter().filter_map(|origin| origin.parse().ok());
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins))
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        .allow_headers([AUTHORIZATION, CONTENT_TYPE])
}

type Served = http1::Connection<TokioIo<BodiedStream>, TowerToHyperService<axum::Router>>;

fn connection(stream: TcpStream, app: axum::Router) -> Served {
    // An answer is small: it must not wait for more to send.
    let _ = stream.set_nodelay(true);
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD);
    builder.serve_connection(TokioIo::new(BodiedStream::new(stream)), TowerToHyperService::new(app))
}

fn could_not_listen(address: SocketAddr, cause: std::io::Error) -> Error {
    let message = format!("could not listen on {address}");
    let hint = "another program may use it: give another address with `--listen`";
    Error::new(ErrorKind::Io, message).because(cause).hint(hint)
}

/// Returns when the process is asked to end, by `SIGTERM` or Ctrl-C.
async fn asked_to_end() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = tokio::signal::ctrl_c() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
