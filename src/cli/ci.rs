//! `agent-memory ci`

mod install;
mod template;

use clap::ValueEnum;

use super::call::{Context, Exit};
use super::output::DONE;
use crate::error::{Error, ErrorKind};
use crate::project::verbs::ci;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The CI system
    system: System,
    /// Install this wheel or tarball, and check its sum: a file of the repository, or an address
    /// with `#sha256=SUM`; without it the published version
    #[arg(long, value_name = "PATH|URL")]
    from: Option<String>,
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
    if let (System::PreCommit, Some(_)) = (args.system, &args.from) {
        let error =
            "`--from` is for `github` and `gitlab`: pre-commit runs the program of each person";
        return Err(Error::new(ErrorKind::Usage, error).hint("leave `--from` out").into());
    }
    let facts = ci(&context.session, &context.roots, args.from.as_deref())?;
    context.output.warn_each(facts.package.iter().filter_map(|package| package.warning.as_ref()));
    let text = match args.system {
        System::Github => template::github(&facts),
        System::Gitlab => template::gitlab(&facts),
        System::PreCommit => template::pre_commit(&facts),
    };
    context.output.data(&text);
    Ok(DONE)
}
