//! `apply --dry-run`: what would be applied, without a lock, an approval or a write.

use super::answer::conclude;
use super::apply::{ApplyOptions, reopen_as_seen};
use super::change::applied;
use super::project::Project;
use super::reopen::refuse_expired;
use super::wanted::Wanted;
use crate::error::Result;
use crate::project::request::{Applied, Outcome};
use crate::project::store::staging;

/// Does all that `apply` does before its first write. `home` is where the proposal is pending.
pub(crate) fn dry_run(
    project: &Project,
    home: &Project,
    wanted: &Wanted,
    options: &ApplyOptions,
) -> Result<Outcome> {
    let planned = || {
        let queue = staging::read_queue(home.store.layout())?;
        let staged = wanted.find_undecided(&queue, home)?;
        if !options.expired {
            refuse_expired(project, staged)?;
        }
        let planned = reopen_as_seen(project, staged, options)?;
        let routing = planned.permitted()?;
        let warnings = project.refuse_ignored(planned.files.iter().map(|it| it.path.as_str()))?;
        let warnings = [staged.warnings().map(str::to_owned).collect(), warnings].concat();
        let proposal_id = Some(staged.id.clone());
        let mut outcome =
            Outcome::Applied(Applied { proposal_id, dry_run: true, ..applied(&planned, &routing) });
        outcome.warn(warnings);
        Ok(outcome)
    };
    conclude(planned(), project)
}
