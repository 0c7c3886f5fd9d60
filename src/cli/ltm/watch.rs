//! `agent-memory ltm watch`

use std::thread::sleep;
use std::time::Duration;

use super::place::LongtermPlace;
use crate::cli::call::Context;
use crate::cli::output::DONE;
use crate::error::Result;
use crate::longterm::verbs::events_after;

/// Pause before changes are read again.
const PAUSE: Duration = Duration::from_millis(250);

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print the changes after this number; without it all
    #[arg(long, value_name = "SEQ", default_value_t = 0)]
    since: u64,
    /// End after what there is
    #[arg(long)]
    once: bool,
}

pub(super) fn run(args: &Args, place: &LongtermPlace, context: &Context) -> Result<u8> {
    let session = place.session(context)?;
    let mut last = args.since;
    loop {
        let (events, read_up_to) = events_after(&session, last)?;
        let is_end = events.is_empty();
        events.iter().for_each(|event| context.output.data(&format!("{event}\n")));
        last = read_up_to;
        match (is_end, args.once) {
            (true, true) => return Ok(DONE),
            (true, false) => sleep(PAUSE),
            (false, _) => {}
        }
    }
}
