//! The table of clients: what is written into which file.

use jsonc_parser::json;
use serde_json::Value;

use super::client::{Client, ClientScope, FilePurpose};
use super::edit::{ClientEdit, What};
use super::hooks;
use super::json::{JsonEntry, value_at};
use super::json_setting::JsonSetting;

/// A file of a client, and what we write there.
#[derive(Debug, Clone)]
pub struct ClientTarget {
    /// Why it is written.
    pub purpose: FilePurpose,
    /// Paths below the root: the first one that exists is used, else the first.
    pub paths: Vec<String>,
    /// Whether a missing file is not created.
    pub only_if_there: bool,
    /// What is written.
    pub edit: ClientEdit,
}

const INSTRUCTIONS: &str = include_str!("texts/agents.md");

const SKILL: &str = include_str!("texts/skill.md");

const OPENCODE_SCHEMA: &str = "https://opencode.ai/config.json";

const CLAUDE_SETTINGS: &str = ".claude/settings.json";

const MEMORY_FOLDER: &str = "autoMemoryDirectory";

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
    pub fn advice(self, scope: ClientScope, hooks: bool) -> Option<&'static str> {
        match (self, scope) {
            (Self::Claude, ClientScope::Project) => {
                Some("Claude Code asks you to approve the server of `.mcp.json` once")
            }
            (Self::Claude, ClientScope::User) => Some(
                "a Claude Code that runs may write `.claude.json` anew; if `--check` misses the server then, \
                 run `claude mcp add --scope user agent-memory -- agent-memory mcp`",
            ),
            (Self::Codex, ClientScope::Project) => Some(
                "Codex reads `.codex/` in projects that you trust, and runs hooks that you approved with `/hooks`",
            ),
            (Self::Codex, ClientScope::User) => {
                hooks.then_some("Codex runs hooks that you approved with `/hooks`")
            }
            (Self::Gemini, _) => {
                Some("Gemini CLI starts servers only in folders that you trust, and hooks too")
            }
            (Self::Copilot, ClientScope::Project) => {
                Some("Copilot reads what is in `.github/` only in folders that you trust")
            }
            (Self::Copilot, ClientScope::User)
            | (Self::Cursor | Self::Opencode | Self::Vscode | Self::Zed | Self::Agents, _) => None,
        }
    }

    /// Tells whether the client can run our command at a session's start and end.
    pub fn has_hooks(self) -> bool {
        !hooks::of(self).is_empty()
    }

    /// Returns the names of the events on which the client runs our command.
    pub fn hook_events(self) -> Vec<&'static str> {
        hooks::of(self).into_iter().filter_map(|entry| entry.words.last().copied()).collect()
    }

    /// Returns the files to write.
    ///
    /// `context_file` is the instruction file that the settings of Gemini CLI name.
    pub fn targets(self, scope: ClientScope, context_file: Option<&str>) -> Vec<ClientTarget> {
        let mut targets = match scope {
            ClientScope::Project => self.instructions(context_file),
            ClientScope::User => Vec::new(),
        };
        targets.push(skill(".agents/skills/agent-memory/SKILL.md"));
        if self == Self::Claude {
            targets.push(skill(".claude/skills/agent-memory/SKILL.md"));
        }
        targets.extend(self.server(scope));
        targets.extend(self.hooks_target(scope));
        targets
    }

    fn instructions(self, context_file: Option<&str>) -> Vec<ClientTarget> {
        let path = match self {
            Self::Gemini => context_file.unwrap_or("GEMINI.md"),
            _ => "AGENTS.md",
        };
        let block = What::Block(INSTRUCTIONS);
        let mut targets = vec![target(FilePurpose::Instructions, &[path], block)];
        if self == Self::Claude {
            let import =
                target(FilePurpose::Instructions, &["CLAUDE.md"], What::Import("@AGENTS.md"));
            targets.push(ClientTarget { only_if_there: true, ..import });
        }
        targets
    }

    fn server(self, scope: ClientScope) -> Option<ClientTarget> {
        const SERVERS: &str = "mcpServers";
        let plain = json!({"command": "agent-memory", "args": ["mcp"]});
        let stdio = json!({"type": "stdio", "command": "agent-memory", "args": ["mcp"]});
        let tools =
            json!({"type": "local", "command": "agent-memory", "args": ["mcp"], "tools": ["*"]});
        let local = json!({"type": "local", "command": ["agent-memory", "mcp"], "enabled": true});
        let (paths, section, value): (&[&str], _, _) = match (self, scope) {
            (Self::Claude, ClientScope::Project) => (&[".mcp.json"], SERVERS, plain),
            (Self::Claude, ClientScope::User) => (&[".claude.json"], SERVERS, plain),
            // It reads `.mcp.json` too, but its own file stays when Claude Code is uninstalled.
            (Self::Copilot, ClientScope::Project) => (&[".github/mcp.json"], SERVERS, plain),
            (Self::Copilot, ClientScope::User) => (&[".copilot/mcp-config.json"], SERVERS, tools),
            (Self::Cursor, _) => (&[".cursor/mcp.json"], SERVERS, plain),
            (Self::Gemini, _) => (&[".gemini/settings.json"], SERVERS, plain),
            (Self::Opencode, ClientScope::Project) => {
                (&["opencode.json", "opencode.jsonc"], "mcp", local)
            }
            (Self::Opencode, ClientScope::User) => {
                let paths = &[".config/opencode/opencode.json", ".config/opencode/opencode.jsonc"];
                (paths, "mcp", local)
            }
            (Self::Vscode, ClientScope::Project) => (&[".vscode/mcp.json"], "servers", stdio),
            (Self::Vscode, ClientScope::User) => (&[VSCODE], "servers", stdio),
            (Self::Zed, ClientScope::Project) => {
                (&[".zed/settings.json"], "context_servers", plain)
            }
            (Self::Zed, ClientScope::User) => (&[ZED], "context_servers", plain),
            (Self::Codex, _) => {
                return Some(target(FilePurpose::Mcp, &[".codex/config.toml"], What::Toml));
            }
            (Self::Agents, _) => return None,
        };
        // OpenCode adds this line to a file without it, which would then not be all ours.
        let first = (self == Self::Opencode).then(|| ("$schema", json!(OPENCODE_SCHEMA)));
        let words = vec!["mcp"];
        let entry =
            JsonEntry { section, name: "agent-memory", is_in_list: false, value, words, first };
        Some(target(FilePurpose::Mcp, paths, What::Json(vec![entry])))
    }

    fn hooks_target(self, scope: ClientScope) -> Option<ClientTarget> {
        let path = match (self, scope) {
            (Self::Claude, _) => CLAUDE_SETTINGS,
            (Self::Codex, _) => ".codex/hooks.json",
            (Self::Cursor, _) => ".cursor/hooks.json",
            (Self::Gemini, _) => ".gemini/settings.json",
            (Self::Copilot, ClientScope::Project) => ".github/hooks/agent-memory.json",
            (Self::Copilot, ClientScope::User) => ".copilot/hooks/agent-memory.json",
            (Self::Opencode | Self::Vscode | Self::Zed | Self::Agents, _) => return None,
        };
        Some(target(FilePurpose::Hooks, &[path], What::Json(hooks::of(self))))
    }
}

/// Returns the instruction file that the settings of Gemini CLI name.
pub fn context_file(settings: &str) -> Option<String> {
    let names = strings_at(settings, "/context/fileName");
    let is_plain = |name: &&String| name.ends_with(".md") && !name.contains(['/', '\\']);
    let mut plain = names.iter().filter(is_plain);
    let first = plain.clone().next();
    plain.find(|name| *name == "AGENTS.md").or(first).cloned()
}

/// Returns the folder in which the settings of Claude Code let it keep its own memory, as it is written there.
pub fn memory_folder_in(settings: &str) -> Option<String> {
    strings_at(settings, &format!("/{MEMORY_FOLDER}")).into_iter().next()
}

/// Tells whether the settings of Claude Code switch its own memory on or off.
pub fn memory_switch_in(settings: &str) -> Option<bool> {
    value_at(settings, "/autoMemoryEnabled")?.as_bool()
}

/// Returns the string at a pointer, or the strings of a list.
fn strings_at(settings: &str, pointer: &str) -> Vec<String> {
    let list = match value_at(settings, pointer) {
        Some(Value::Array(list)) => list,
        found => Vec::from_iter(found),
    };
    list.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Returns the settings of Claude Code that let it keep its own memory in a folder.
pub fn memory_target(folder: &str) -> ClientTarget {
    let setting = JsonSetting { name: MEMORY_FOLDER, value: folder.to_owned() };
    target(FilePurpose::Memory, &[CLAUDE_SETTINGS], What::Setting(setting))
}

fn skill(path: &str) -> ClientTarget {
    target(FilePurpose::Skill, &[path], What::Whole(SKILL))
}

fn target(purpose: FilePurpose, paths: &[&str], what: What) -> ClientTarget {
    let paths = paths.iter().map(|path| (*path).to_owned()).collect();
    ClientTarget { purpose, paths, only_if_there: false, edit: ClientEdit(what) }
}
