//! Says how many times what is kept under a key was changed.

use super::session::LongtermSession;
use crate::error::Result;
use crate::longterm::request::Generations;

/// Returns the generations of some keys; of all where none is named.
pub fn generations(session: &LongtermSession, keys: &[String]) -> Result<Generations> {
    session.read(|view| {
        let of = |key: &String| Ok((key.clone(), view.generation(key)?));
        let generations = match keys.is_empty() {
            true => view.generations()?.into_iter().collect(),
            false => keys.iter().map(of).collect::<Result<_>>()?,
        };
        Ok(Generations { generations })
    })
}
