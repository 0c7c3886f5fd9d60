//! The commands, with what their help says, where each begins, and the types that it prints with `--json`.
//!
//! The help of one stands here and not beside its arguments, as these are built only for the command that runs.

use clap::Subcommand;
use serde_json::Value;

use super::log::Decisions;
use super::report::{One, Several};
use super::review::Listing;
use super::schema::{self, Form};
use super::show::Sections;
use super::worktrees::{Queue, Worktrees};
use super::{
    Context, Exit, apply, blame, check, ci, completions, context, demo, diff, doctor, fmt_ids,
    hook, init, install, log, man, mcp, merge_driver, propose, rebase, reindex, reject, resolve,
    restore, review, search, secrets, show, status, sweep, toc, undo,
};
use crate::chain::Verdict;
use crate::contract::Outcome;
use crate::project::check::format::Report;
use crate::project::pack::Pack;
use crate::project::verbs::secrets::{AllowedSecret, Explanation, Scanned};
use crate::project::verbs::{
    AdoptedState, Blamed, Diagnosis, GivenIds, Initialised, Reindexed, Resolved, ShownProposal,
    ShownSection, Status, Swept, Toc,
};

/// Declares the commands: each is an arguments type and a `run` function in its module, and the documents it prints.
macro_rules! commands {
    ($($(#[$about:meta])* $name:ident = $module:ident [$($document:ty),*],)+) => {
        #[derive(Debug, Subcommand)]
        #[command(defer = true)]
        pub(super) enum Command { $($(#[$about])* $name($module::Args),)+ }

        impl Command {
            pub(super) fn run(&self, context: &Context) -> Exit {
                match self { $(Self::$name(args) => $module::run(args, context),)+ }
            }

            /// Returns the JSON Schema of what a command prints with `--json`.
            pub(super) fn schema(name: &str) -> Option<Value> {
                let forms: &[Form] = match name.replace('-', "_").as_str() {
                    "propose" => return Some(schema::of_propose()),
                    $(stringify!($module) => &[$(schema::form::<$document>),*],)+
                    _ => &[],
                };
                (!forms.is_empty()).then(|| schema::of_document(name, forms))
            }
        }
    };
}

commands! {
    /// Make a store in this repository, or what is missing of one
    Init = init [Initialised],
    /// Propose an edit: a JSON request on stdin, a JSON answer on stdout
    ///
    /// The answer is `applied`, `staged` (a person has to look) or `rejected` (with a reason and a hint).
    /// `--schema` prints the JSON Schemas of both.
    Propose = propose [Outcome],
    /// List the pending proposals and the state of the store
    Status = status [Status, Worktrees<Queue>],
    /// Show a proposal with its diff, a memory file, or a section
    ///
    /// Of a proposal that was decided it shows each decision with what that changed, as `log -p` does.
    Show = show [ShownProposal, Sections<ShownSection>, Decisions],
    /// Show what pending proposals would change in the files of today
    ///
    /// Without an id, all of them.
    Diff = diff [diff::Differences],
    /// Apply pending proposals, after every check on the files of today
    Apply = apply [One, Several<'static>],
    /// Reject pending proposals; the same text is refused from then on
    Reject = reject [One, Several<'static>],
    /// Decide about the pending proposals, one by one
    ///
    /// At a terminal each proposal is shown with its difference, and one key decides; `?` lists the keys.
    /// Elsewhere it prints every proposal with the commands that would apply, split or reject it. Without ids it
    /// is about all that are pending.
    Review = review [Listing, Worktrees<Listing>],
    /// Merge a proposal with sections that changed since, and apply the result
    ///
    /// Sections that only one side changed are taken as they are; where both did, the lines are merged, and
    /// what contradicts is opened in `$EDITOR` with both sides marked; a section that was deleted since is kept as
    /// a new one or left out. The result is shown before it is applied.
    Rebase = rebase [One, rebase::Merged<'static>, rebase::Conflicts],
    /// Take applied proposals back whose sections have not changed since
    Undo = undo [One, Several<'static>],
    /// Make rejected, swept or undone proposals pending again
    ///
    /// The same text may be proposed again, too.
    Restore = restore [One, Several<'static>],
    /// Take expired proposals, and those decided on another branch, out of the queue
    ///
    /// Nothing of them is deleted: `restore` brings them back.
    Sweep = sweep [Swept],
    /// Search the memory: the sections that answer a question best
    Search = search [search::Results<'static>],
    /// Scan for secrets, explain a rule, allow a harmless find
    Secrets = secrets [Scanned, secrets::Rules, Explanation, AllowedSecret],
    /// Print what an agent should read before it works
    ///
    /// With a question: the sections that answer it best. Without one: the state of the work on this branch,
    /// the shared notes, the conventions and the table of contents.
    Context = context [Pack],
    /// List the sections of all tracked files, with ids and first words
    Toc = toc [Toc],
    /// Show the decisions, newest first
    Log = log [Decisions, Verdict],
    /// Merge memory files that git left in conflict, section by section
    ///
    /// Needs no merge driver: it takes the three versions from git's index. What merges is marked as resolved;
    /// where both sides changed the same lines, the markers stay inside that section.
    Resolve = resolve [Resolved],
    /// Merge three versions of a memory file, as git calls it
    ///
    /// `agent-memory install git` tells git about it. Exits with 1 where a person has to decide: there the
    /// section holds git's usual markers.
    #[command(hide = true)]
    MergeDriver = merge_driver [],
    /// Set up an agent client, or git, for agent-memory
    ///
    /// A block in `AGENTS.md`, a skill, the client's list of MCP servers; hooks only with `--hooks`. What else stands
    /// in these files stays as it is, and `--uninstall` leaves them as they were before.
    Install = install [install::Installed<'static>, install::Settings],
    /// Give an id to every section that has none
    FmtIds = fmt_ids [GivenIds],
    /// Show where a section comes from: proposal, sources, approver, commit
    Blame = blame [Sections<Blamed>],
    /// Check the files of the store: form, evidence, secrets, merge markers
    ///
    /// Never writes. Exits with 1 if something was found at the level `error`; warnings alone are 0.
    Check = check [Report],
    /// Print a CI or pre-commit file that runs `check`
    Ci = ci [],
    /// Rebuild the search index from the Markdown files
    Reindex = reindex [Reindexed],
    /// Diagnose the store, and repair it with `--fix`
    ///
    /// Exits with 1 if something does not work; warnings alone are 0.
    Doctor = doctor [Diagnosis, AdoptedState],
    /// Show a proposal from request to search in a scratch repository
    ///
    /// Makes a git repository in a temporary folder, lets an agent propose a decision there, shows it as a
    /// reviewer sees it, applies it and finds it again. Every line that begins with `$` is a command that
    /// works the same way in a repository of your own. The folder is removed afterwards.
    Demo = demo [],
    /// Serve agents over the Model Context Protocol, on stdin and stdout
    ///
    /// The store is that of `--root`, else that of the project that the client names (`CLAUDE_PROJECT_DIR`), else
    /// that of the working directory.
    Mcp = mcp [],
    /// Answer a hook of an agent client
    ///
    /// CLIENT is claude, codex, gemini, cursor or copilot, EVENT the client's name of what happened. When a session
    /// begins it prints what to read; when an agent stops, once in a session, a reminder to keep what was learned.
    /// Nothing is printed where there is no store. A client or an event that is not known is told, with exit code 1:
    /// clients show that and go on. It never exits with 2, which they read as "stop".
    Hook = hook [],
    /// Print the completion script of a shell
    ///
    /// For bash: `agent-memory completions bash > ~/.local/share/bash-completion/completions/agent-memory`
    Completions = completions [completions::Script<'static>],
    /// Write the manual pages
    ///
    /// In a folder `man1` of `MANPATH`, `man agent-memory` finds it; so does `git help agent-memory` where the
    /// program is on the path as `git-agent-memory` too.
    Man = man [man::Pages],
}
