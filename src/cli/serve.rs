//! `agent-memory serve`

mod token;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Subcommand;

use super::call::{Context, Exit};
use super::environment;
use super::ltm::longterm_host;
use super::output::{DONE, Output};
use super::stdout::AnswerKind;
use crate::disk::{lock_alone, outside};
use crate::error::{Error, ErrorKind, Result};
use crate::service::verbs::{DEFAULT_TENANT, ServerSettings, ServiceStore, TokenHash, make_token};
use token::TokenCommand;

// No doc comment: clap would take it for the help of the command.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Keep the data of the service in this folder; the environment variable `AGENT_MEMORY_DATA` does the same
    #[arg(long, global = true, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Listen on this address
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8001")]
    listen: SocketAddr,
    /// Ask for no token; on a loopback address only
    #[arg(long)]
    no_auth: bool,
    /// Accept the token in the address too, as `?api_key=`; addresses end up in logs
    #[arg(long)]
    query_token: bool,
    #[command(subcommand)]
    command: Option<ServeCommand>,
}

#[derive(Debug, Subcommand)]
enum ServeCommand {
    /// Make, list and revoke tokens, by which clients are let in; a running server follows at once
    Token {
        #[command(subcommand)]
        command: TokenCommand,
    },
}

/// The file of the token that is made at the first start.
const TOKEN: &str = "service.token";

/// The file that a running server holds.
const LOCK: &str = "service.lock";

impl Args {
    /// Tells whether the command changes something of which its answer alone tells.
    pub(super) fn kind(&self) -> AnswerKind {
        match &self.command {
            Some(ServeCommand::Token { .. }) => AnswerKind::Change,
            None => AnswerKind::Read,
        }
    }
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let data = environment::data(args.data.clone())?;
    match &args.command {
        None => run_server(args, &data, context),
        Some(ServeCommand::Token { command }) => {
            let store = ServiceStore::open(&data, environment::service_settings()?)?;
            Ok(token::run(command, &store, context)?)
        }
    }
}

/// Serves until the process is asked to end.
fn run_server(args: &Args, data: &Path, context: &Context) -> Exit {
    let serve = context.serve_http.ok_or_else(|| {
        Error::new(ErrorKind::Usage, "this program was built without the HTTP server")
            .hint("build it with the feature `http`, which is on by default")
    })?;
    if args.no_auth && !args.listen.ip().is_loopback() {
        let message = format!("`--no-auth` lets everyone in who reaches {}", args.listen);
        let hint = "listen on 127.0.0.1, or leave `--no-auth` out";
        return Err(Error::new(ErrorKind::Usage, message).hint(hint).into());
    }
    // Held until the process ends.
    let _alone = lock_alone(&data.join(LOCK))?.ok_or_else(|| {
        let hint = "stop it, or give another folder with `--data`";
        Error::new(ErrorKind::LockHeld, "another server works on this data:").at(data).hint(hint)
    })?;
    let store = Arc::new(ServiceStore::open(data, environment::service_settings()?)?);
    let default_tenant = store.tenant(DEFAULT_TENANT, environment::timestamp()?)?;
    let output = context.output;
    output.talk(&format!("data in {}", store.path().display()));
    let own_token = if args.no_auth { None } else { Some(own_token(data, output)?) };
    let settings = ServerSettings {
        listen: args.listen,
        store,
        default_tenant,
        is_open: args.no_auth,
        own_token,
        admin_token: environment::setting("ADMIN_API_TOKEN").map(|token| TokenHash::new(&token)),
        takes_query_token: args.query_token,
        origins: environment::list("VIEWER_ALLOWED_ORIGINS"),
        viewer: environment::setting("GRAPH_VIEWER_URL"),
        recall_budget: environment::recall_budget(),
        now: environment::timestamp,
        trace: output.verbose.then(|| Arc::new(move |line: &str| output.talk(line)) as _),
        began: Arc::new(move |address| output.talk(&format!("listening on http://{address}"))),
    };
    serve(settings, longterm_host(data.to_owned(), "http"))?;
    Ok(DONE)
}

/// Returns the token of the environment, else that of the data, which is made and shown at the first start.
fn own_token(data: &Path, output: Output) -> Result<TokenHash> {
    if let Some(token) = environment::setting("AUTOMEM_API_TOKEN") {
        output.talk("token from AUTOMEM_API_TOKEN");
        return Ok(TokenHash::new(&token));
    }
    let path = data.join(TOKEN);
    let shown = path.display();
    let kept = outside::read_text(&path)?.map(|text| text.trim().to_owned());
    if let Some(token) = kept.filter(|token| !token.is_empty()) {
        output.talk(&format!("token in {shown}"));
        return Ok(TokenHash::new(&token));
    }
    let token = make_token()?;
    outside::make_private_text(&path, &format!("{token}\n"))?;
    output.talk(&format!("token {token}, shown this once; it is kept in {shown}"));
    Ok(TokenHash::new(&token))
}
