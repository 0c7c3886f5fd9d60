//! The agent clients, and what a file of theirs is for.

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
    ClientScope {
        /// For this one, in files that a team shares.
        Project = "project",
        /// For all of a user's.
        User = "user",
    }
}

words! {
    /// What a file of a client is there for.
    FilePurpose {
        /// What every agent reads.
        Instructions = "instructions",
        /// What an agent reads when it needs it.
        Skill = "skill",
        /// Which servers there are.
        Mcp = "mcp",
        /// What runs when something happens.
        Hooks = "hooks",
        /// Where the client keeps what it notes about a person.
        Memory = "memory",
    }
}
