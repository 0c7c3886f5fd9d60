//! `agent-memory serve token`

use clap::Subcommand;

use crate::cli::call::Context;
use crate::cli::output::{DONE, GOOD, Output};
use crate::contract::Timestamp;
use crate::error::Result;
use crate::secrets::shown_name;
use crate::service::verbs::{
    DEFAULT_TENANT, NewToken, RevokedTokens, ServiceStore, TenantTokens, TokenList, add_token,
    list_tokens, revoke_tokens,
};
use crate::text::count;

#[derive(Debug, Subcommand)]
pub(super) enum TokenCommand {
    /// Make a token of a tenant, and the tenant if there is none of this name
    ///
    /// The token is printed this once: only its hash is kept.
    Add {
        /// Name of the tenant: 1 to 64 letters, digits, `-`, `_` and `.`
        name: String,
    },
    /// List the tenants with their tokens counted
    List,
    /// Revoke all tokens of a tenant; its memories stay
    Revoke {
        /// Name of the tenant
        name: String,
    },
}

pub(super) fn run(command: &TokenCommand, store: &ServiceStore, context: &Context) -> Result<u8> {
    let (output, now) = (context.output, Timestamp::from(context.session.now));
    match command {
        TokenCommand::Add { name } => print_new(&add_token(store, name, now)?, output),
        TokenCommand::List => {
            let list = list_tokens(store)?;
            output.answer(&list, || table_of(&list));
        }
        TokenCommand::Revoke { name } => {
            let revoked = revoke_tokens(store, name, now)?;
            output.answer(&revoked, || {
                let RevokedTokens { tenant, revoked } = &revoked;
                format!(
                    "{GOOD}revoked{GOOD:#} {} of {}\n",
                    count(*revoked, "token"),
                    shown_name(tenant)
                )
            });
            if name == DEFAULT_TENANT {
                output.talk("the token of the server itself is none of these: remove `service.token` from the data, or change `AUTOMEM_API_TOKEN`, and start it again");
            }
        }
    }
    Ok(DONE)
}

/// The token alone is data, so that a script can take it.
fn print_new(token: &NewToken, output: Output) {
    if output.json {
        output.document_with_secret(token);
        return;
    }
    output.secret(&format!("{}\n", token.token));
    output.talk("keep it: it is shown this once");
}

fn table_of(list: &TokenList) -> String {
    let line = |TenantTokens { tenant, tokens }: &TenantTokens| {
        format!("{}\t{}\n", shown_name(tenant), count(*tokens, "token"))
    };
    list.tenants.iter().map(line).collect()
}
