//! Whether a command line starts this program: however a person spells it, or as `install` spells it.

/// The program, and the packages that have it.
const NAMES: [&str; 4] =
    ["agent-memory", "agent-memory-cli", "agent-memory-in-git", "git-agent-memory"];

/// Tells whether a command line starts this program with some words: by its name or a path, through what runs packages
/// (`uvx`, `npx`, `cargo run`), or in a shell's line.
pub(super) fn starts(line: &[&str], words: &[&str]) -> bool {
    program(line, words).is_some()
}

/// Returns the program of a command line that [`starts`] this one, where its path is another file in each folder.
pub(super) fn relative_program(line: &[&str], words: &[&str]) -> Option<String> {
    program(line, words).filter(|word| is_relative(word)).map(str::to_owned)
}

fn program<'a>(line: &[&'a str], words: &[&str]) -> Option<&'a str> {
    let is_quote = |c: char| ['"', '\''].contains(&c);
    let line: Vec<&str> = words_of(line).map(|word| word.trim_matches(is_quote)).collect();
    let begin = line.iter().position(|word| is_program(word))?;
    let follow = line[begin + 1..].windows(words.len()).any(|window| window == words);
    follow.then_some(line[begin])
}

/// Tells whether a word is a path from the working folder. A name, a scope of `npx` and a home are the same everywhere;
/// where any other variable leads is not known.
fn is_relative(word: &str) -> bool {
    let first = word.split(['/', '\\']).next().unwrap_or_default();
    let is_fixed = word.starts_with(['/', '\\', '~', '@']) || word.get(1..2) == Some(":");
    let is_variable = word.starts_with(['$', '%']);
    let is_of_work = || WORKING_FOLDERS.iter().any(|it| first.contains(it));
    word.contains(['/', '\\']) && !is_fixed && (!is_variable || is_of_work())
}

/// What the variables are called that hold the folder in which a client works.
const WORKING_FOLDERS: [&str; 5] = ["workspace", "PROJECT_DIR", "PWD", "%CD%", "cwd"];

/// Tells whether a command line begins as `install` writes it. Only that is taken out: another spelling is a person's own,
/// and may start other programs as well.
pub(super) fn is_as_installed(line: &[&str], words: &[&str]) -> bool {
    let mut line = words_of(line);
    line.next() == Some("agent-memory") && words.iter().all(|word| line.next() == Some(word))
}

fn words_of<'a>(line: &[&'a str]) -> impl Iterator<Item = &'a str> {
    line.iter().flat_map(|part| part.split_whitespace())
}

/// Tells whether a word is this program: by name, at a path, in a version (`agent-memory@1.0`), or where `cargo` builds it.
fn is_program(word: &str) -> bool {
    let word =
        word.strip_suffix("Cargo.toml").map_or(word, |folder| folder.trim_end_matches(['/', '\\']));
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let name = name.split_once('@').map_or(name, |(name, _version)| name);
    NAMES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::{is_as_installed, relative_program, starts};

    #[test]
    fn a_command_line_is_ours_by_what_it_starts() {
        for line in [
            "agent-memory mcp",
            "/home/me/.cargo/bin/agent-memory mcp --root .",
            "C:\\Tools\\agent-memory.exe mcp",
            "/Users/me/My Tools/agent-memory mcp",
            "agent-memory --root /work mcp",
            "npx -y agent-memory-cli@1.2 mcp",
            "npx -y @tools/agent-memory mcp",
            "npx -y agent-memory-in-git@0.1.0 mcp",
            "pnpm dlx agent-memory-in-git mcp",
            "uvx --from agent-memory-cli agent-memory mcp",
            "cargo run -q -p agent-memory-cli -- mcp",
            "cargo run --manifest-path /src/agent-memory/Cargo.toml -- mcp",
            "sh -c \"exec 'agent-memory' mcp\"",
            "env RUST_LOG=info agent-memory mcp",
            "cmd /c agent-memory mcp",
        ] {
            assert!(starts(&[line], &["mcp"]), "{line}");
        }
        assert!(starts(
            &["/bin/agent-memory", "hook", "cursor", "stop"],
            &["hook", "cursor", "stop"]
        ));
    }

    #[test]
    fn what_starts_something_else_is_not_ours() {
        for line in [
            "other mcp",
            "agent-memory",
            "agent-memory serve",
            "my-agent-memory mcp",
            "agent-memory-server mcp",
            "other --name agent-memory-like mcp",
            "mcp agent-memory",
            "",
        ] {
            assert!(!starts(&[line], &["mcp"]), "{line}");
        }
    }

    #[test]
    fn a_path_that_is_another_program_in_each_folder_is_told() {
        for line in [
            "./tools/agent-memory mcp",
            "tools/agent-memory mcp",
            "..\\bin\\agent-memory.exe mcp",
            "sh -c 'exec ./agent-memory mcp'",
            "${workspaceFolder}/target/debug/agent-memory mcp",
            "${workspaceRoot}/agent-memory mcp",
            "$CLAUDE_PROJECT_DIR/bin/agent-memory mcp",
            "$PWD/agent-memory mcp",
            "cargo run --manifest-path agent-memory/Cargo.toml -- mcp",
        ] {
            assert!(starts(&[line], &["mcp"]), "{line}");
            assert!(relative_program(&[line], &["mcp"]).is_some(), "{line}");
        }
        for line in [
            "agent-memory mcp",
            "/usr/bin/agent-memory mcp",
            "~/.cargo/bin/agent-memory mcp",
            "$HOME/bin/agent-memory mcp",
            "${userHome}/bin/agent-memory mcp",
            "%LOCALAPPDATA%\\agent-memory.exe mcp",
            "$PREFIX/bin/agent-memory mcp",
            "%ProgramFiles%\\agent-memory.exe mcp",
            "${CARGO_INSTALL_ROOT}/bin/agent-memory mcp",
            "C:\\Tools\\agent-memory.exe mcp",
            "C:/Tools/agent-memory.exe mcp",
            "npx -y @tools/agent-memory mcp",
            "./other mcp",
        ] {
            assert_eq!(relative_program(&[line], &["mcp"]), None, "{line}");
        }
    }

    #[test]
    fn only_the_spelling_of_install_is_taken_out() {
        for line in ["agent-memory hook claude stop", "agent-memory  hook claude stop --root ."] {
            assert!(is_as_installed(&[line], &["hook", "claude", "stop"]), "{line}");
        }
        assert!(is_as_installed(&["agent-memory", "mcp"], &["mcp"]));
        for line in [
            "lint && agent-memory hook claude stop",
            "/usr/bin/agent-memory hook claude stop",
            "sh -c 'agent-memory hook claude stop'",
            "agent-memory --root . hook claude stop",
            "agent-memory hook claude",
        ] {
            assert!(!is_as_installed(&[line], &["hook", "claude", "stop"]), "{line}");
        }
    }
}
