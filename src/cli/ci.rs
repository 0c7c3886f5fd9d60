//! `agent-memory ci`

use clap::ValueEnum;

use super::Context;
use super::output::DONE;
use crate::error::Result;

/// Print a file that makes CI, or git before a commit, run `check`
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Who runs it
    system: System,
}

/// Who runs the check.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum System {
    /// GitHub Actions, for `.github/workflows/agent-memory.yml`
    Github,
    /// GitLab CI, for `.gitlab-ci.yml`
    Gitlab,
    /// The pre-commit framework, for `.pre-commit-config.yaml`
    PreCommit,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<u8> {
    context.output.data(match args.system {
        System::Github => include_str!("ci/github.yml"),
        System::Gitlab => include_str!("ci/gitlab.yml"),
        System::PreCommit => include_str!("ci/pre-commit.yaml"),
    });
    Ok(DONE)
}
