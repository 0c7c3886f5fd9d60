//! `agent-memory ci`

mod template;

use clap::ValueEnum;

use super::call::{Context, Exit};
use super::output::DONE;
use crate::project::verbs::ci;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The CI system
    system: System,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum System {
    /// GitHub Actions, for `.github/workflows/agent-memory.yml`
    Github,
    /// GitLab CI, for `.gitlab-ci.yml`
    Gitlab,
    /// The pre-commit framework, for `.pre-commit-config.yaml`
    PreCommit,
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let facts = ci(&context.session, &context.roots)?;
    let text = match args.system {
        System::Github => template::github(&facts),
        System::Gitlab => template::gitlab(&facts),
        System::PreCommit => template::pre_commit(&facts),
    };
    context.output.data(&text);
    Ok(DONE)
}
