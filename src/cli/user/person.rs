//! Whose memory the command works on, and where it lies.

use std::path::PathBuf;

use crate::cli::call::Context;
use crate::cli::environment;
use crate::error::{Error, ErrorKind, Result};
use crate::personal::request::UserId;
use crate::personal::verbs::PersonalSession;

// No doc comment: clap would take it for the help of the command.
#[derive(Debug, Default, clap::Args)]
pub(in crate::cli) struct Named {
    /// Use the memory of this person; by default that of `AGENT_MEMORY_USER`, else of the account
    #[arg(long = "as", global = true, value_name = "ID")]
    id: Option<String>,
    /// Keep the data of people in this folder; the environment variable `AGENT_MEMORY_DATA` does the same
    #[arg(long, global = true, value_name = "DIR")]
    data: Option<PathBuf>,
}

impl Named {
    pub(super) fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Returns the folder of all data.
    pub(in crate::cli) fn data(&self) -> Result<PathBuf> {
        environment::data(self.data.clone())
    }

    /// Tells whether the command line names a person, or a folder of data.
    pub(in crate::cli) fn is_given(&self) -> bool {
        self.id.is_some() || self.data.is_some()
    }
}

/// `AGENT_MEMORY_USER` decides, else `--as`, else the person's own settings, else the account.
pub(in crate::cli) fn session(named: &Named, context: &Context) -> Result<PersonalSession> {
    let id = match (environment::user_id(), named.id.as_deref()) {
        (Some(id), Some(named)) if id != named => {
            let is = if id.is_empty() { "empty".to_owned() } else { format!("`{id}`") };
            let message = format!("`--as` names `{named}`, and `AGENT_MEMORY_USER` is {is}");
            let hint = "leave `--as` out, or unset the variable";
            return Err(Error::new(ErrorKind::Usage, message).hint(hint));
        }
        (Some(id), _) => id,
        (None, Some("")) => {
            let message = "`--as` is empty";
            return Err(Error::new(ErrorKind::Usage, message).hint("give an id, such as `ada`"));
        }
        (None, Some(named)) => named.to_owned(),
        (None, None) => match environment::own_settings()?.id {
            Some(id) => id,
            None => environment::account().unwrap_or_default(),
        },
    };
    let data = named.data()?;
    Ok(PersonalSession {
        data,
        user: UserId::parse(&id),
        injects: !environment::is_ci(),
        now: context.session.now,
        lock_wait: context.session.lock_wait,
    })
}
