//! The table of clients: what is written into which file.

use jsonc_parser::json;

use super::json::Entry;
use super::{Edit, What, hooks};
use crate::contract::words;

words! {
    /// A program that runs agents.
    Client {
        /// Claude Code.
        Claude = "claude",
        /// Codex.
        Codex = "codex",
        /// Cursor.
        Cursor = "cursor",
        /// Gemini CLI.
        Gemini = "gemini",
        /// Copilot, in the terminal and in the cloud.
        Copilot = "copilot",
        /// OpenCode.
        Opencode = "opencode",
        /// Visual Studio Code.
        Vscode = "vscode",
        /// Zed.
        Zed = "zed",
        /// Any other agent that reads `AGENTS.md`.
        Agents = "agents",
    }
}

words! {
    /// For which projects a client is told.
    Scope {
        /// For this one, in files that a team shares.
        Project = "project",
        /// For all of a user's.
        User = "user",
    }
}

words! {
    /// What a file of a client is there for.
    Purpose {
        /// What every agent reads.
        Instructions = "instructions",
        /// What an agent reads when it needs it.
        Skill = "skill",
        /// Which servers there are.
        Mcp = "mcp",
        /// What runs when something happens.
        Hooks = "hooks",
    }
}

/// A file of a client, and what we write there.
#[derive(Debug, Clone)]
pub struct Target {
    /// Why it is written.
    pub purpose: Purpose,
    /// Paths below the root: the first one that exists is used, else the first.
    pub paths: Vec<String>,
    /// Whether a missing file is not created.
    pub only_if_there: bool,
    /// What is written.
    pub edit: Edit,
}

const INSTRUCTIONS: &str = include_str!("texts/agents.md");

const SKILL: &str = include_str!("texts/skill.md");

const OPENCODE_SCHEMA: &str = "https://opencode.ai/config.json";

const VSCODE: &str = if cfg!(target_os = "macos") {
    "Library/Application Support/Code/User/mcp.json"
} else if cfg!(windows) {
    "AppData/Roaming/Code/User/mcp.json"
} else {
    ".config/Code/User/mcp.json"
};

const ZED: &str =
    if cfg!(windows) { "AppData/Roaming/Zed/settings.json" } else { ".config/zed/settings.json" };

impl Client {
    /// Returns the name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Claude => "Claude Code",
            Self::Codex => "Codex",
            Self::Cursor => "Cursor",
            Self::Gemini => "Gemini CLI",
            Self::Copilot => "Copilot",
            Self::Opencode => "OpenCode",
            Self::Vscode => "VS Code",
            Self::Zed => "Zed",
            Self::Agents => "AGENTS.md",
        }
    }

    /// Returns what the person has to do themselves.
    pub fn advice(self, scope: Scope, hooks: bool) -> Option<&'static str> {
        match (self, scope) {
            (Self::Claude, Scope::Project) => {
                Some("Claude Code asks you to approve the server of `.mcp.json` once")
            }
            (Self::Claude, Scope::User) => Some(
                "a Claude Code that runs may write `.claude.json` anew; if `--check` misses the server then, \
                 run `claude mcp add --scope user agent-memory -- agent-memory mcp`",
            ),
            (Self::Codex, Scope::Project) => Some(
                "Codex reads `.codex/` in projects that you trust, and runs hooks that you approved with `/hooks`",
            ),
            (Self::Codex, Scope::User) => {
                hooks.then_some("Codex runs hooks that you approved with `/hooks`")
            }
            (Self::Gemini, _) => {
                Some("Gemini CLI starts servers only in folders that you trust, and hooks too")
            }
            (Self::Copilot, Scope::Project) => {
                Some("Copilot reads what is in `.github/` only in folders that you trust")
            }
            (Self::Copilot, Scope::User)
            | (Self::Cursor | Self::Opencode | Self::Vscode | Self::Zed | Self::Agents, _) => None,
        }
    }

    /// Tells whether the client can run our command at a session's start and end.
    pub fn has_hooks(self) -> bool {
        !hooks::of(self).is_empty()
    }

    /// Returns the files to write.
    ///
    /// `context_file` is the instruction file that the settings of Gemini CLI name.
    pub fn targets(self, scope: Scope, context_file: Option<&str>) -> Vec<Target> {
        let mut targets = match scope {
            Scope::Project => self.instructions(context_file),
            Scope::User => Vec::new(),
        };
        targets.push(skill(".agents/skills/agent-memory/SKILL.md"));
        if self == Self::Claude {
            targets.push(skill(".claude/skills/agent-memory/SKILL.md"));
        }
        targets.extend(self.server(scope));
        targets.extend(self.hooks_target(scope));
        targets
    }

    fn instructions(self, context_file: Option<&str>) -> Vec<Target> {
        let path = match self {
            Self::Gemini => context_file.unwrap_or("GEMINI.md"),
            _ => "AGENTS.md",
        };
        let block = What::Block(INSTRUCTIONS);
        let mut targets = vec![target(Purpose::Instructions, &[path], block)];
        if self == Self::Claude {
            let import = target(Purpose::Instructions, &["CLAUDE.md"], What::Import("@AGENTS.md"));
            targets.push(Target { only_if_there: true, ..import });
        }
        targets
    }

    fn server(self, scope: Scope) -> Option<Target> {
        const SERVERS: &str = "mcpServers";
        let plain = json!({"command": "agent-memory", "args": ["mcp"]});
        let stdio = json!({"type": "stdio", "command": "agent-memory", "args": ["mcp"]});
        let tools =
            json!({"type": "local", "command": "agent-memory", "args": ["mcp"], "tools": ["*"]});
        let local = json!({"type": "local", "command": ["agent-memory", "mcp"], "enabled": true});
        let (paths, section, value): (&[&str], _, _) = match (self, scope) {
            (Self::Claude, Scope::Project) => (&[".mcp.json"], SERVERS, plain),
            (Self::Claude, Scope::User) => (&[".claude.json"], SERVERS, plain),
            // It reads `.mcp.json` too, but its own file stays when Claude Code is uninstalled.
            (Self::Copilot, Scope::Project) => (&[".github/mcp.json"], SERVERS, plain),
            (Self::Copilot, Scope::User) => (&[".copilot/mcp-config.json"], SERVERS, tools),
            (Self::Cursor, _) => (&[".cursor/mcp.json"], SERVERS, plain),
            (Self::Gemini, _) => (&[".gemini/settings.json"], SERVERS, plain),
            (Self::Opencode, Scope::Project) => {
                (&["opencode.json", "opencode.jsonc"], "mcp", local)
            }
            (Self::Opencode, Scope::User) => {
                let paths = &[".config/opencode/opencode.json", ".config/opencode/opencode.jsonc"];
                (paths, "mcp", local)
            }
            (Self::Vscode, Scope::Project) => (&[".vscode/mcp.json"], "servers", stdio),
            (Self::Vscode, Scope::User) => (&[VSCODE], "servers", stdio),
            (Self::Zed, Scope::Project) => (&[".zed/settings.json"], "context_servers", plain),
            (Self::Zed, Scope::User) => (&[ZED], "context_servers", plain),
            (Self::Codex, _) => {
                return Some(target(Purpose::Mcp, &[".codex/config.toml"], What::Toml));
            }
            (Self::Agents, _) => return None,
        };
        // OpenCode adds this line to a file without it, which would then not be all ours.
        let first = (self == Self::Opencode).then(|| ("$schema", json!(OPENCODE_SCHEMA)));
        let words = vec!["agent-memory", "mcp"];
        let entry = Entry { section, name: "agent-memory", is_in_list: false, value, words, first };
        Some(target(Purpose::Mcp, paths, What::Json(vec![entry])))
    }

    fn hooks_target(self, scope: Scope) -> Option<Target> {
        let path = match (self, scope) {
            (Self::Claude, _) => ".claude/settings.json",
            (Self::Codex, _) => ".codex/hooks.json",
            (Self::Cursor, _) => ".cursor/hooks.json",
            (Self::Gemini, _) => ".gemini/settings.json",
            (Self::Copilot, Scope::Project) => ".github/hooks/agent-memory.json",
            (Self::Copilot, Scope::User) => ".copilot/hooks/agent-memory.json",
            (Self::Opencode | Self::Vscode | Self::Zed | Self::Agents, _) => return None,
        };
        Some(target(Purpose::Hooks, &[path], What::Json(hooks::of(self))))
    }
}

/// Returns the instruction file that the settings of Gemini CLI name.
pub fn context_file(settings: &str) -> Option<String> {
    let settings = settings.strip_prefix(super::BOM).unwrap_or(settings);
    let names = super::json::strings_at(settings, "/context/fileName");
    let is_plain = |name: &&String| name.ends_with(".md") && !name.contains(['/', '\\']);
    let mut plain = names.iter().filter(is_plain);
    let first = plain.clone().next();
    plain.find(|name| *name == "AGENTS.md").or(first).cloned()
}

fn skill(path: &str) -> Target {
    target(Purpose::Skill, &[path], What::Whole(SKILL))
}

fn target(purpose: Purpose, paths: &[&str], what: What) -> Target {
    let paths = paths.iter().map(|path| (*path).to_owned()).collect();
    Target { purpose, paths, only_if_there: false, edit: Edit(what) }
}
