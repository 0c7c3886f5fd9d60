//! The commands, with what their help says, and where each begins.
//!
//! The help of one stands here and not beside its arguments, as these are built only for the command that runs.

use clap::Subcommand;

use super::{
    Context, Exit, apply, blame, check, ci, completions, context, demo, diff, doctor, fmt_ids,
    hook, init, install, log, man, mcp, merge_driver, propose, rebase, reindex, reject, resolve,
    restore, review, search, secrets, show, status, sweep, toc, undo,
};

/// The commands.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum Command {
    /// Make a store in this repository, or what is missing of one
    Init(init::Args),
    /// Propose an edit: a JSON request on stdin, a JSON answer on stdout
    ///
    /// The answer is `applied`, `staged` (a person has to look) or `rejected` (with a reason and a hint).
    /// `--schema` prints the JSON Schemas of both.
    Propose(propose::Args),
    /// List the pending proposals and the state of the store
    Status(status::Args),
    /// Show a proposal with its diff, a memory file, or a section
    ///
    /// Of a proposal that was decided it shows each decision with what that changed, as `log -p` does.
    Show(show::Args),
    /// Show what pending proposals would change in the files of today
    ///
    /// Without an id, all of them.
    Diff(diff::Args),
    /// Apply pending proposals, after every check on the files of today
    Apply(apply::Args),
    /// Reject pending proposals; the same text is refused from then on
    Reject(reject::Args),
    /// Decide about the pending proposals, one by one
    ///
    /// At a terminal each proposal is shown with its difference, and one key decides; `?` lists the keys.
    /// Elsewhere it prints every proposal with the commands that would apply, split or reject it. Without ids it
    /// is about all that are pending.
    Review(review::Args),
    /// Merge a proposal with sections that changed since, and apply the result
    ///
    /// Sections that only one side changed are taken as they are; where both did, the lines are merged, and
    /// what contradicts is opened in `$EDITOR` with both sides marked; a section that was deleted since is kept as
    /// a new one or left out. The result is shown before it is applied.
    Rebase(rebase::Args),
    /// Take applied proposals back whose sections have not changed since
    Undo(undo::Args),
    /// Make rejected, swept or undone proposals pending again
    ///
    /// The same text may be proposed again, too.
    Restore(restore::Args),
    /// Take expired proposals, and those decided on another branch, out of the queue
    ///
    /// Nothing of them is deleted: `restore` brings them back.
    Sweep(sweep::Args),
    /// Search the memory: the sections that answer a question best
    Search(search::Args),
    /// Scan for secrets, explain a rule, allow a harmless find
    Secrets(secrets::Args),
    /// Print what an agent should read before it works
    ///
    /// With a question: the sections that answer it best. Without one: the state of the work on this branch,
    /// the shared notes, the conventions and the table of contents.
    Context(context::Args),
    /// List the sections of all tracked files, with ids and first words
    Toc(toc::Args),
    /// Show the decisions, newest first
    Log(log::Args),
    /// Merge memory files that git left in conflict, section by section
    ///
    /// Needs no merge driver: it takes the three versions from git's index. What merges is marked as resolved;
    /// where both sides changed the same lines, the markers stay inside that section.
    Resolve(resolve::Args),
    /// Merge three versions of a memory file, as git calls it
    ///
    /// `agent-memory install git` tells git about it. Exits with 1 where a person has to decide: there the
    /// section holds git's usual markers.
    #[command(hide = true)]
    MergeDriver(merge_driver::Args),
    /// Set up an agent client, or git, for agent-memory
    ///
    /// A block in `AGENTS.md`, a skill, the client's list of MCP servers; hooks only with `--hooks`. What else stands
    /// in these files stays as it is, and `--uninstall` leaves them as they were before.
    Install(install::Args),
    /// Give an id to every section that has none
    FmtIds(fmt_ids::Args),
    /// Show where a section comes from: proposal, sources, approver, commit
    Blame(blame::Args),
    /// Check the files of the store: form, evidence, secrets, merge markers
    ///
    /// Never writes. Exits with 1 if something was found at the level `error`; warnings alone are 0.
    Check(check::Args),
    /// Print a CI or pre-commit file that runs `check`
    Ci(ci::Args),
    /// Rebuild the search index from the Markdown files
    Reindex(reindex::Args),
    /// Diagnose the store, and repair it with `--fix`
    ///
    /// Exits with 1 if something does not work; warnings alone are 0.
    Doctor(doctor::Args),
    /// Show a proposal from request to search in a scratch repository
    ///
    /// Makes a git repository in a temporary folder, lets an agent propose a decision there, shows it as a
    /// reviewer sees it, applies it and finds it again. Every line that begins with `$` is a command that
    /// works the same way in a repository of your own. The folder is removed afterwards.
    Demo(demo::Args),
    /// Serve agents over the Model Context Protocol, on stdin and stdout
    ///
    /// The store is that of `--root`, else that of the project that the client names (`CLAUDE_PROJECT_DIR`), else
    /// that of the working directory.
    Mcp(mcp::Args),
    /// Answer a hook of an agent client
    ///
    /// CLIENT is claude, codex, gemini, cursor or copilot, EVENT the client's name of what happened. When a session
    /// begins it prints what to read; when an agent stops, once in a session, a reminder to keep what was learned.
    /// Nothing is printed where there is no store. A client or an event that is not known is told, with exit code 1:
    /// clients show that and go on. It never exits with 2, which they read as "stop".
    Hook(hook::Args),
    /// Print the completion script of a shell
    ///
    /// For bash: `agent-memory completions bash > ~/.local/share/bash-completion/completions/agent-memory`
    Completions(completions::Args),
    /// Write the manual pages
    ///
    /// In a folder `man1` of `MANPATH`, `man agent-memory` finds it; so does `git help agent-memory` where the
    /// program is on the path as `git-agent-memory` too.
    Man(man::Args),
}

impl Command {
    /// Runs the command and returns its exit code.
    pub(super) fn run(&self, context: &Context) -> Exit {
        match self {
            Self::Init(args) => init::run(args, context),
            Self::Propose(args) => propose::run(args, context),
            Self::Status(args) => status::run(args, context),
            Self::Show(args) => show::run(args, context),
            Self::Diff(args) => diff::run(args, context),
            Self::Apply(args) => apply::run(args, context),
            Self::Reject(args) => reject::run(args, context),
            Self::Review(args) => review::run(args, context),
            Self::Rebase(args) => rebase::run(args, context),
            Self::Undo(args) => undo::run(args, context),
            Self::Restore(args) => restore::run(args, context),
            Self::Sweep(args) => sweep::run(args, context),
            Self::Search(args) => search::run(args, context),
            Self::Secrets(args) => secrets::run(args, context),
            Self::Context(args) => context::run(args, context),
            Self::Toc(args) => toc::run(args, context),
            Self::Log(args) => log::run(args, context),
            Self::Resolve(args) => resolve::run(args, context),
            Self::MergeDriver(args) => merge_driver::run(args, context),
            Self::Install(args) => install::run(args, context),
            Self::FmtIds(args) => fmt_ids::run(args, context),
            Self::Blame(args) => blame::run(args, context),
            Self::Check(args) => check::run(args, context),
            Self::Ci(args) => ci::run(args, context),
            Self::Reindex(args) => reindex::run(args, context),
            Self::Doctor(args) => doctor::run(args, context),
            Self::Demo(args) => demo::run(args, context),
            Self::Mcp(args) => mcp::run(args, context),
            Self::Hook(args) => hook::run(args, context),
            Self::Completions(args) => completions::run(args, context),
            Self::Man(args) => man::run(args, context),
        }
    }
}
