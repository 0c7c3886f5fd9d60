//! The commands, with what their help says, where each begins, and the types that it prints with `--json`.
//!
//! The help is here and not beside the arguments, as arguments are built only for the command that runs.

use clap::Subcommand;
use serde_json::Value;

use super::call::{Context, Exit};
use super::log::LogDocument;
use super::report::{One, Several};
use super::review::ProposalListing;
use super::schema::{self, Form};
use super::show::Sections;
use super::stdout::AnswerKind;
use super::worktrees::{PendingList, WorktreeQueues};
use super::{
    apply, blame, check, ci, cite, completions, config, confirm, context, demo, diff, doctor, edit,
    fmt_ids, hook, init, install, log, ls, ltm, man, mcp, merge_driver, new, program_list, propose,
    read, rebase, reindex, reject, resolve, restore, review, search, secrets, serve, service, show,
    status, sweep, toc, undo, uninstall, user,
};
use crate::chain::ChainVerdict;
use crate::longterm::request::{
    DirectoryChange, DirectoryDocument, ForgottenMemories, Generations, LongtermAnswer,
    LongtermImport, LongtermList, LongtermLog, PromptMemories, RestoredMemory,
};
use crate::personal::request::{
    EntryChange, EntryList, EntryRefusal, ExportReport, FoundEntries, ImportReport, IndexRead,
    PersonalDiagnosis, ReadEntry,
};
use crate::personal::verbs::{PersonalLog, PersonalPath};
use crate::project::request::Outcome;
use crate::project::verbs::config::{ChangedSetting, SettingList};
use crate::project::verbs::read_stores::{ChangedStore, ReadStoreList, SyncedStores};
use crate::project::verbs::secrets::{AllowedSecret, Explanation, Scanned};
use crate::project::verbs::{
    AdoptedState, BlamedSection, CheckReport, Diagnosis, GivenIds, Initialised, Reindexed,
    Resolved, ShownProposal, ShownSection, SplitEntries, Status, StoreListing, Swept, Toc,
    Upgraded,
};
use crate::service::request::{
    AssociateAnswer, Deleted, DeletedByTag, GotMemory, History, MemoryExport, MemoryImport,
    RecallAnswer, RefusalBody, RestoreAnswer, ServiceStats, Stored, TagList, Trash, UndoAnswer,
    Updated,
};
use crate::service::verbs::{NewToken, RevokedTokens, TokenList};

impl Command {
    /// Tells whether the command changes something of which its answer alone tells.
    pub(super) fn kind(&self) -> AnswerKind {
        match self {
            Self::Init(_) | Self::Propose(_) | Self::Apply(_) | Self::Reject(_) => {
                AnswerKind::Change
            }
            Self::Cite(_) | Self::Confirm(_) | Self::New(_) | Self::Edit(_) => AnswerKind::Change,
            Self::Rebase(_) | Self::Undo(_) | Self::Restore(_) | Self::Sweep(_) => {
                AnswerKind::Change
            }
            Self::Resolve(_) | Self::Install(_) | Self::Uninstall(_) | Self::FmtIds(_) => {
                AnswerKind::Change
            }
            Self::Secrets(args) => args.kind(),
            Self::Doctor(args) => args.kind(),
            Self::Config(args) => args.kind(),
            Self::Read(args) => args.kind(),
            Self::User(args) => args.kind(),
            Self::Service(args) => args.kind(),
            Self::Ltm(args) => args.kind(),
            Self::Serve(args) => args.kind(),
            Self::Status(_) | Self::Show(_) | Self::Diff(_) | Self::Review(_) => AnswerKind::Read,
            Self::Search(_) | Self::Context(_) | Self::Toc(_) | Self::Log(_) | Self::Ls(_) => {
                AnswerKind::Read
            }
            Self::MergeDriver(_) | Self::Blame(_) | Self::Check(_) | Self::Ci(_) => {
                AnswerKind::Read
            }
            Self::Reindex(_) | Self::Demo(_) | Self::Mcp(_) | Self::Hook(_) => AnswerKind::Read,
            Self::Completions(_) | Self::Man(_) => AnswerKind::Read,
        }
    }
}

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

            /// Returns the name of the command, as its module has it.
            pub(super) fn name(&self) -> &'static str {
                match self { $(Self::$name(_) => stringify!($module),)+ }
            }

            /// An agent that runs one of these always reads one JSON document.
            pub(super) fn is_for_agents(&self) -> bool {
                match self {
                    Self::Propose(_) => true,
                    Self::User(args) => args.is_call(),
                    Self::Ltm(args) => args.is_call(),
                    _ => false,
                }
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
    /// Create a store in this repository, or the files that it lacks
    Init = init [Initialised],
    /// Propose an edit: a JSON request on stdin, a JSON answer on stdout
    ///
    /// The answer is `applied`, `staged` (pending until a person decides) or `rejected` (with a reason and a hint).
    /// `--schema` prints the JSON Schemas of the request and of the answer.
    Propose = propose [Outcome],
    /// Write a new decision, pitfall, convention, module or note in the editor
    ///
    /// The editor opens with the fields of the category and what they allow. What is wrong comes back as a comment at
    /// the top; an empty or unchanged text cancels. Where evidence is needed and none is cited, you are the source.
    New = new [Outcome],
    /// Change a section in the editor, without the comments below its headings
    ///
    /// Its sources stay, dated today: you have read them again. Ids stay as they are.
    Edit = edit [Outcome],
    /// Give a section a source: its evidence, as the file is now
    ///
    /// The text of the section stays. A source that it has already gets the blob and the day of now. At a terminal it is applied in your
    /// name, and `log`, `blame` and `undo` know it.
    Cite = cite [Outcome],
    /// Say that sections are still true: pins the present state of what they cite
    ///
    /// Shows the cited lines that changed, as they were and as they are now, and asks once. Every source gets the confidence
    /// `confirmed`, the day, and the blob of the cited file as it is now; lines that moved and files that were renamed are
    /// written where they stand now. A source that is gone stays as it is: `cite --was` replaces it.
    Confirm = confirm [confirm::Confirmed],
    /// List the pending proposals and the state of the store
    Status = status [Status, WorktreeQueues<PendingList>],
    /// Show a proposal with its diff, a memory file, or a section
    ///
    /// For a proposal that was decided, it shows each decision with what that changed, as `log -p` does.
    Show = show [ShownProposal, Sections<ShownSection>, LogDocument],
    /// Show what pending proposals would change in the current files
    ///
    /// Without ids it shows all pending proposals.
    Diff = diff [diff::Differences],
    /// Apply pending proposals, after every check on the current files
    Apply = apply [One, Several<'static>],
    /// Reject pending proposals, and refuse the same text from then on
    Reject = reject [One, Several<'static>],
    /// Decide about the pending proposals, one by one
    ///
    /// At a terminal it shows each proposal with its diff, and one key decides; `?` lists the keys. Without a
    /// terminal it prints each proposal with the commands that apply, split or reject it. Without ids it shows all
    /// pending proposals.
    Review = review [ProposalListing, WorktreeQueues<ProposalListing>],
    /// Merge a proposal with sections that changed since, and apply the result
    ///
    /// A section that only one side changed keeps that change. Where both sides changed it, the lines are merged, and
    /// a conflict is opened in the editor with both sides marked. A section that was deleted since is kept as a new
    /// one or left out. The result is shown before it is applied.
    Rebase = rebase [One, rebase::RebaseMerged<'static>, rebase::RebaseConflicts],
    /// Undo applied proposals whose sections have not changed since
    Undo = undo [One, Several<'static>],
    /// Make rejected, swept or undone proposals pending again
    ///
    /// The same text is no longer refused, either.
    Restore = restore [One, Several<'static>],
    /// Remove expired proposals, and those decided on another branch, from the queue
    ///
    /// Nothing is deleted: `restore` makes them pending again.
    Sweep = sweep [Swept],
    /// Search the memory for the sections that answer a question best
    Search = search [search::Results<'static>],
    /// Scan for secrets, explain a rule, allow a harmless value
    Secrets = secrets [Scanned, secrets::SecretRules, Explanation, AllowedSecret],
    /// Print what an agent should read before it works
    ///
    /// With a question: the sections that answer it best. Without one: the state of the work on this branch,
    /// the shared notes and the latest entries of the sessions, then conventions, pitfalls, decisions and modules.
    Context = context [context::ContextDocument<'static>],
    /// List what is in the store, one line a section
    ///
    /// Each section has its id, heading, how sure it is, whether the files that it cites have changed, and the newest day of its sources.
    Ls = ls [StoreListing],
    /// List the sections of all tracked files, with ids and first words
    Toc = toc [Toc],
    /// Show the decisions, newest first
    Log = log [LogDocument, ChainVerdict],
    /// Merge memory files that git left in conflict, section by section
    ///
    /// No merge driver is needed: the three versions come from git's index. A file without a conflict is marked as
    /// resolved. Where both sides changed the same lines, the markers stay inside that section.
    Resolve = resolve [Resolved],
    /// Merge three versions of a memory file, when git calls it
    ///
    /// `agent-memory install git` registers it in git's settings. It exits with 1 where a person has to decide: that
    /// section then holds git's usual markers.
    #[command(hide = true)]
    MergeDriver = merge_driver [],
    /// Set up an agent client, or git, for agent-memory
    ///
    /// It adds a block to `AGENTS.md`, a skill, and an entry to the client's list of MCP servers; hooks only with
    /// `--hooks`. All other text in these files stays as it is. Without a name it lists the clients that are found here,
    /// and what it would write.
    Install = install [install::Installed<'static>, install::ClientSettings, program_list::ProgramList],
    /// Take out what `install` set up
    ///
    /// Only that, and nothing else; a file that then holds nothing is removed. Without a name it lists what is set up here.
    Uninstall = uninstall [install::Installed<'static>, install::ClientSettings, program_list::ProgramList, uninstall::Uninstalled],
    /// Add an id to every section that has none
    FmtIds = fmt_ids [GivenIds],
    /// Show where a section comes from: proposal, sources, approver, commit
    Blame = blame [Sections<BlamedSection>],
    /// Check the files of the store: form, evidence, secrets, merge markers
    ///
    /// It never writes. It exits with 1 if there is a finding at the level `error`, and with 0 if there are only
    /// warnings.
    Check = check [CheckReport],
    /// Print a CI or pre-commit file that runs `check`
    ///
    /// At the top of a repository the file is for all its stores, else for the nearest one. `--root` names the stores
    /// and may be given several times.
    Ci = ci [],
    /// Rebuild the search index from the Markdown files
    Reindex = reindex [Reindexed],
    /// Diagnose the store, and repair it with `--fix`
    ///
    /// It exits with 1 if something does not work, and with 0 if there are only warnings. With `--user` it
    /// diagnoses the memory of a person instead, from any working folder, and exits with 1 if anything is found.
    Doctor = doctor [Diagnosis, AdoptedState, SplitEntries, Upgraded, PersonalDiagnosis, EntryRefusal],
    /// Show a proposal from request to search in a scratch repository
    ///
    /// It makes a git repository in a temporary folder, lets an agent propose a decision there, shows the proposal as
    /// a reviewer sees it, applies it and finds it again. Each line that begins with `$` is a command that works the
    /// same way in your own repository. The folder is removed afterwards.
    Demo = demo [],
    /// Keep a person's own memory: one Markdown file an entry, the same for every agent
    ///
    /// It lies in `~/.local/share/agent-memory/users/`, and only its owner reads it. Agents write it with the tools
    /// `update_user_memory` and `read_user_memory`.
    User = user [Outcome, EntryChange, EntryList, EntryRefusal, IndexRead, ReadEntry, PersonalLog, ChainVerdict, PersonalPath, ImportReport, ExportReport, FoundEntries],
    /// Store, recall, relate and forget memories of the memory service
    ///
    /// They lie in one database, `~/.local/share/agent-memory/service.sqlite`, also where a server serves it at the same time.
    Service = service [Stored, RecallAnswer, GotMemory, Updated, Deleted, DeletedByTag, TagList, AssociateAnswer, History, UndoAnswer, Trash, RestoreAnswer, MemoryImport, MemoryExport, ServiceStats, Outcome, EntryRefusal, RefusalBody],
    /// Keep the long-term memories of a chat bot: numbered, shared by a server or personal
    ///
    /// They lie in one database, `~/.local/share/agent-memory/longterm.sqlite`. A model changes them by number, and rules about
    /// people decide whether it may.
    Ltm = ltm [LongtermAnswer, PromptMemories, LongtermList, DirectoryDocument, DirectoryChange, RestoredMemory, ForgottenMemories, LongtermLog, ChainVerdict, Generations, LongtermImport],
    /// Serve the memory service over HTTP, and make the tokens of its clients
    ///
    /// The first start makes a token, shows it once, and keeps it in the folder of the data. `GET /openapi.json` describes all
    /// routes. It ends when it gets `SIGTERM` or Ctrl-C, after it has answered what it was asked.
    Serve = serve [NewToken, TokenList, RevokedTokens],
    /// Serve agents over the Model Context Protocol, on stdin and stdout
    ///
    /// The store is that of `--root`, else the nearest one above the working directory, else that of the project that
    /// the client names (`CLAUDE_PROJECT_DIR`). Where it is not that of the working directory, each answer names it.
    Mcp = mcp [],
    /// Answer a hook of an agent client
    ///
    /// CLIENT is claude, codex, gemini, cursor or copilot; EVENT is the client's name of the event. At the start of a
    /// session it prints what to read. When an agent stops, it prints a reminder to record what was learned, once in
    /// a session. Without a store it prints the person's own memory alone. An unknown client or event is an error with exit code 1, which
    /// clients show before they go on. It never exits with 2, which clients read as "stop".
    Hook = hook [],
    /// Print or change the settings of the store
    Config = config [SettingList, ChangedSetting],
    /// Read other stores, such as a handbook of a team: add, list, fetch or remove one
    ///
    /// Their sections are found, listed and packed under their name, and never changed.
    Read = read [ReadStoreList, ChangedStore, SyncedStores],
    /// Print the completion script of a shell
    ///
    /// For bash: `agent-memory completions bash > ~/.local/share/bash-completion/completions/agent-memory`
    Completions = completions [completions::Script<'static>],
    /// Write the manual pages
    ///
    /// `man agent-memory` finds them in a folder `man1` of `MANPATH`, and so does `git help agent-memory` where the
    /// program is also on the path as `git-agent-memory`.
    Man = man [man::Pages],
}
