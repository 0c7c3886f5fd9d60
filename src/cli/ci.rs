//! `agent-memory ci`

use clap::ValueEnum;

use super::call::{Context, Exit};
use super::output::DONE;

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
    let template = match args.system {
        System::Github => include_str!("ci/github.yml"),
        System::Gitlab => include_str!("ci/gitlab.yml"),
        System::PreCommit => include_str!("ci/pre-commit.yaml"),
    };
    match context.session.root_from_top() {
        Some(root) => context.output.data(&below(template, &args.system, &root)),
        None => context.output.data(template),
    }
    Ok(DONE)
}

/// Adds the root of a store that is not found from the top of the repository.
fn below(template: &str, system: &System, root: &str) -> String {
    let quoted = serde_json::Value::from(root).to_string();
    let variable = |head: &str| {
        let indent = " ".repeat(head.len() - head.trim_start().len() + 2);
        template.replacen(head, &format!("{head}\n{indent}AGENT_MEMORY_ROOT: {quoted}"), 1)
    };
    match system {
        System::Github => variable("    env:"),
        System::Gitlab => variable("  variables:"),
        System::PreCommit => {
            let next = "        language: ";
            template.replacen(next, &format!("        args: [--root, {quoted}]\n{next}"), 1)
        }
    }
}
