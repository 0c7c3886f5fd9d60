//! `agent-memory check`

use clap::ValueEnum;

use super::call::{Context, Exit};
use super::output::{BAD, CARE, DONE, FAINT, GOOD, NO, Output, TITLE};
use super::values::no_such;
use crate::error::{Error, ErrorKind, Result};
use crate::project::verbs::{
    CheckFinding, CheckOptions, CheckReport, Level, Levels, ReportFormat, Rule, check, write_report,
};
use crate::text::count;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files and folders of the store; the whole store by default
    paths: Vec<String>,
    /// Report only findings that are new since the branch left this revision
    #[arg(long, value_name = "REV")]
    base: Option<String>,
    /// Check the files as they are staged in git
    #[arg(long)]
    staged: bool,
    /// Choose who reads the report; `human` by default, `json` with `--json`
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Make a rule an error; may be given several times, and wins over `--warn` and `--allow`
    #[arg(long, value_name = "RULE", value_parser = rule, value_delimiter = ',')]
    deny: Vec<Rule>,
    /// Make a rule a warning; wins over `--allow`
    #[arg(long, value_name = "RULE", value_parser = rule, value_delimiter = ',')]
    warn: Vec<Rule>,
    /// Do not report a rule
    #[arg(long, value_name = "RULE", value_parser = rule, value_delimiter = ',')]
    allow: Vec<Rule>,
    /// Exit with this code if nothing fails and a proposal is pending
    #[arg(long, value_name = "N")]
    pending_exit_code: Option<u8>,
    /// Print the page about a rule
    #[arg(long, value_name = "RULE", value_parser = rule, exclusive = true)]
    explain: Option<Rule>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A person at a terminal
    Human,
    /// A program, as one document
    Json,
    /// GitHub Actions: annotations
    Github,
    /// GitLab: a code quality report
    Gitlab,
    /// Code scanning: SARIF 2.1.0
    Sarif,
    /// Test reports: JUnit XML
    Junit,
    /// A comment on a pull request
    Markdown,
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    if let Some(rule) = args.explain {
        context.output.data(rule.about().page);
        return Ok(DONE);
    }
    let format = format(args, context.output)?;
    let options = CheckOptions {
        paths: args.paths.clone(),
        base: args.base.clone(),
        staged: args.staged,
        levels: levels(args)?,
    };
    let report = context
        .sessions()
        .map(|session| check(&session, &options))
        .reduce(|all, report| Ok(all?.and(report?)))
        .expect("a command runs for at least one root")?;
    context.output.warn_each(&report.notes);
    let written = |format| write_report(format, &report, env!("CARGO_PKG_VERSION"));
    match format {
        Format::Human => print(&report, context.output),
        Format::Json => context.output.data(&written(ReportFormat::Json)),
        Format::Github => context.output.data(&written(ReportFormat::Github)),
        Format::Gitlab => context.output.data(&written(ReportFormat::Gitlab)),
        Format::Sarif => context.output.data(&written(ReportFormat::Sarif)),
        Format::Junit => context.output.data(&written(ReportFormat::Junit)),
        Format::Markdown => context.output.data(&written(ReportFormat::Markdown)),
    }
    Ok(match (report.errors, report.pending.is_empty(), args.pending_exit_code) {
        (1.., _, _) => NO,
        (0, false, Some(code)) => code,
        (0, _, _) => DONE,
    })
}

fn format(args: &Args, output: Output) -> Result<Format> {
    match args.format {
        None if output.json => Ok(Format::Json),
        None => Ok(Format::Human),
        Some(format) if output.json && format != Format::Json => {
            let message = "`--json` and another `--format` cannot both be had";
            Err(Error::new(ErrorKind::Usage, message).hint("give one of them"))
        }
        Some(format) => Ok(format),
    }
}

fn levels(args: &Args) -> Result<Levels> {
    let mut levels = Levels::default();
    let wanted =
        [(&args.allow, Level::Allow), (&args.warn, Level::Warning), (&args.deny, Level::Error)];
    for (rules, level) in wanted {
        for rule in rules {
            levels.set(*rule, level).map_err(|why| {
                Error::new(ErrorKind::Usage, format!("`{rule}` stays an error: {why}"))
                    .hint("see `agent-memory check --explain secret` for what is none")
            })?;
        }
    }
    Ok(levels)
}

fn rule(text: &str) -> std::result::Result<Rule, String> {
    let names = Rule::ALL.iter().map(|rule| rule.name());
    Rule::parse(text).ok_or_else(|| no_such("rule", text, names))
}

fn print(report: &CheckReport, output: Output) {
    report.findings.iter().for_each(|finding| output.data(&line(finding)));
    let style = match (report.errors, report.warnings) {
        (0, 0) => GOOD,
        (0, _) => CARE,
        (_, _) => BAD,
    };
    let stuck = report.pending.iter().filter(|each| !each.can_apply).count();
    let pending = match (report.pending.len(), stuck) {
        (0, _) => String::new(),
        (all, 0) => format!("; pending: {}", count(all, "proposal")),
        (all, stuck) => {
            format!("; pending: {}, {stuck} cannot be applied", count(all, "proposal"))
        }
    };
    let (summary, extent) = (report.summary(), report.extent());
    output.data(&format!("{style}{summary}{style:#}; looked at {extent}{pending}\n"));
    let gravest = report.findings.iter().find(|finding| finding.level == Level::Error);
    if let Some(finding) = gravest.or(report.findings.first()) {
        let rule = finding.rule;
        output.talk(&format!("{TITLE}hint:{TITLE:#} `agent-memory check --explain {rule}`"));
    }
}

fn line(finding: &CheckFinding) -> String {
    let style = if finding.level == Level::Error { BAD } else { CARE };
    let numbers = [finding.line, finding.column].into_iter().flatten();
    let place: String = numbers.map(|number| format!(":{number}")).collect();
    let CheckFinding { path, level, message, rule, .. } = finding;
    let repair = finding.repair.line();
    format!(
        "{path}{place} {style}{level}{style:#} {message} {FAINT}[{rule}]{FAINT:#}\n  {repair}\n"
    )
}
