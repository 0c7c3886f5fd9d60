//! By which files and folders a client is found, in a repository and in a home.

use super::client::{Client, ClientScope};

/// The signs of a client: a name with `/` at its end is a folder.
struct Signs {
    client: Client,
    in_project: &'static [&'static str],
    in_home: &'static [&'static str],
}

const SIGNS: [Signs; 9] = [
    Signs {
        client: Client::Claude,
        in_project: &[".claude/", "CLAUDE.md"],
        in_home: &[".claude/", ".claude.json"],
    },
    Signs { client: Client::Codex, in_project: &[".codex/"], in_home: &[".codex/"] },
    Signs {
        client: Client::Cursor,
        in_project: &[".cursor/", ".cursorrules"],
        in_home: &[".cursor/"],
    },
    Signs {
        client: Client::Gemini,
        in_project: &[".gemini/", "GEMINI.md"],
        in_home: &[".gemini/"],
    },
    Signs {
        client: Client::Copilot,
        in_project: &[".github/copilot-instructions.md"],
        in_home: &[".copilot/"],
    },
    Signs {
        client: Client::Opencode,
        in_project: &["opencode.json", "opencode.jsonc", ".opencode/"],
        in_home: &[".config/opencode/"],
    },
    Signs {
        client: Client::Vscode,
        in_project: &[".vscode/"],
        in_home: &[".config/Code/", "Library/Application Support/Code/", "AppData/Roaming/Code/"],
    },
    Signs {
        client: Client::Zed,
        in_project: &[".zed/"],
        in_home: &[".config/zed/", "AppData/Roaming/Zed/"],
    },
    Signs { client: Client::Agents, in_project: &["AGENTS.md"], in_home: &[] },
];

impl Client {
    /// Returns the clients of which there are signs, with those signs; `is_there` says whether a file or a folder is.
    ///
    /// `AGENTS.md` alone is a sign of an agent that is not known. Beside a client that reads it too it says nothing.
    pub fn found(
        scope: ClientScope,
        is_there: impl Fn(&str) -> bool,
    ) -> Vec<(Self, Vec<&'static str>)> {
        let found = SIGNS.iter().filter_map(|signs| {
            let names = match scope {
                ClientScope::Project => signs.in_project,
                ClientScope::User => signs.in_home,
            };
            let there: Vec<&str> = names.iter().copied().filter(|name| is_there(name)).collect();
            (!there.is_empty()).then_some((signs.client, there))
        });
        let mut found: Vec<_> = found.collect();
        if found.iter().any(|(client, _)| client.reads_agents_md()) {
            found.retain(|(client, _)| *client != Self::Agents);
        }
        found
    }

    /// Gemini CLI reads `GEMINI.md` instead.
    fn reads_agents_md(self) -> bool {
        !matches!(self, Self::Gemini | Self::Agents)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(names: &[&str], expected: &[Client]) {
        let found = Client::found(ClientScope::Project, |name| names.contains(&name));
        let clients: Vec<Client> = found.into_iter().map(|(client, _)| client).collect();
        assert_eq!(clients, expected, "{names:?}");
    }

    #[test]
    fn each_client_is_found_by_its_files() {
        check(&[], &[]);
        check(&["CLAUDE.md"], &[Client::Claude]);
        check(&[".vscode/", ".cursorrules"], &[Client::Cursor, Client::Vscode]);
        let all: Vec<Client> = SIGNS.iter().map(|signs| signs.client).collect();
        assert_eq!(all.len(), Client::ALL.len());
        for signs in &SIGNS {
            signs.in_project.iter().for_each(|name| check(&[name], &[signs.client]));
        }
    }

    #[test]
    fn agents_md_says_nothing_beside_a_client_that_reads_it() {
        check(&["AGENTS.md"], &[Client::Agents]);
        check(&["AGENTS.md", ".codex/"], &[Client::Codex]);
        check(&["AGENTS.md", "GEMINI.md"], &[Client::Gemini, Client::Agents]);
    }
}
