//! Whose memory the command works on, and where it lies.

use std::path::Path;

use crate::cli::call::Context;
use crate::cli::environment;
use crate::config::UserConfig;
use crate::error::{Error, ErrorKind, Result};
use crate::personal::request::UserId;
use crate::personal::verbs::PersonalSession;

/// `AGENT_MEMORY_USER` decides, else `--as`, else the person's own settings, else the account.
pub(super) fn session(
    named: Option<&str>,
    data: Option<&Path>,
    context: &Context,
) -> Result<PersonalSession> {
    let id = match (environment::user_id(), named) {
        (Some(id), Some(named)) if id != named => {
            let message = format!("`--as` names `{named}`, and `AGENT_MEMORY_USER` is `{id}`");
            let hint = "leave `--as` out, or unset the variable";
            return Err(Error::new(ErrorKind::Usage, message).hint(hint));
        }
        (Some(id), _) => id,
        (None, Some("")) => {
            let message = "`--as` is empty";
            return Err(Error::new(ErrorKind::Usage, message).hint("give an id, such as `ada`"));
        }
        (None, Some(named)) => named.to_owned(),
        (None, None) => match own_settings()?.id {
            Some(id) => id,
            None => environment::account().unwrap_or_default(),
        },
    };
    let data = match data {
        Some(data) => data.to_owned(),
        None => environment::data()?,
    };
    Ok(PersonalSession {
        data,
        user: UserId::parse(&id),
        now: context.session.now,
        lock_wait: context.session.lock_wait,
    })
}

fn own_settings() -> Result<UserConfig> {
    environment::user_config()
        .map_or_else(|| Ok(UserConfig::default()), |file| UserConfig::read(&file))
}
