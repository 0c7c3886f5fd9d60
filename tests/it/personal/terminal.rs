//! `agent-memory user` at a terminal: an editor for the body, a pager for the text.

use std::fs;

use super::{Person, preferred_language, upsert, with};
use crate::support::Terminal;

const UPSERT: &str = "user --data ../data --as ada upsert x --type user --description 'What x is'";

impl Person {
    /// Runs a command with an editor that carries out a line of the shell on the file `$1`.
    fn at_terminal(&self, arguments: &str, editor: &str) -> (String, i32) {
        let script = self.sandbox.root().join("editor");
        fs::write(&script, format!("{editor}\n")).unwrap();
        let editor = format!("sh {}", script.display());
        Terminal::run(&self.sandbox, arguments, 80, &[("EDITOR", &editor)]).end()
    }
}

#[test]
fn an_editor_opens_for_a_body_and_begins_with_the_one_that_stands() {
    let ada = Person::new();
    let (shown, code) = ada.at_terminal(UPSERT, "true");
    assert!(code == 2 && shown.contains("the edited text is empty"), "{shown}");
    let (shown, code) = ada.at_terminal(UPSERT, "printf 'First.\\n' >> \"$1\"");
    assert!(code == 0 && shown.contains("created x"), "{shown}");
    let (shown, code) = ada.at_terminal(UPSERT, "printf '\\nSecond.\\n' >> \"$1\"");
    assert!(code == 0 && shown.contains("updated x"), "{shown}");
    assert_eq!(ada.body("x"), "First.\nSecond.\n");
    let before = ada.tree();
    let (shown, code) = ada.at_terminal(UPSERT, "printf '' > \"$1\"");
    assert!(code == 2 && shown.contains("the edited text is empty"), "{shown}");
    let (shown, code) = ada.at_terminal(UPSERT, "exit 1");
    assert!(code == 2 && shown.contains("nothing was changed"), "{shown}");
    assert!(ada.tree() == before);
}

#[test]
fn what_a_person_wrote_is_kept_where_it_is_refused() {
    let ada = Person::new();
    let token = ["ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].concat();
    let (shown, code) = ada.at_terminal(UPSERT, &format!("echo 'Mine. {token}' > \"$1\""));
    assert_eq!(code, 1, "{shown}");
    assert!(shown.contains("[secret_detected]") && !shown.contains(&token), "{shown}");
    let path =
        shown.split("what you wrote is in ").nth(1).unwrap().split(';').next().unwrap().trim();
    assert!(fs::read_to_string(path).unwrap().starts_with("Mine."));
    fs::remove_file(path).unwrap();
    // Another process changes the entry while the editor is open.
    ada.done(&upsert("x"), "created");
    let program = env!("CARGO_BIN_EXE_agent-memory");
    let other = format!(
        "echo Theirs. | {program} {}; echo Mine. > \"$1\"",
        UPSERT.replace("upsert x", "upsert x --file -")
    );
    let (shown, code) = ada.at_terminal(UPSERT, &other);
    assert!(code == 1 && shown.contains("[target_drift]"), "{shown}");
    assert_eq!(ada.body("x"), "Theirs.\n");
    ada.run(&["delete", "x"]).expect_code(0);
    let (shown, code) = ada.at_terminal(UPSERT, &other);
    assert!(code == 1 && shown.contains("another process made `x` since"), "{shown}");
    assert_eq!(ada.body("x"), "Theirs.\n");
}

#[test]
fn what_a_person_wrote_is_kept_where_it_could_not_be_stored() {
    let ada = Person::with(&[upsert("x")]);
    let break_it = format!("echo Mine. > \"$1\"; printf x > {}/state/key", ada.folder().display());
    let (shown, code) = ada.at_terminal(UPSERT, &break_it);
    assert!(code == 2 && shown.contains("a key has 32 bytes"), "{shown}");
    let path =
        shown.split("what you wrote is in ").nth(1).unwrap().split(';').next().unwrap().trim();
    assert_eq!(fs::read_to_string(path).unwrap(), "Mine.\n");
    fs::remove_file(path).unwrap();
}

#[test]
fn an_entry_with_a_secret_is_not_opened() {
    let ada = Person::with(&[upsert("x")]);
    let token = ["ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].concat();
    ada.write("memory/x.md", format!("---\nname: x\n---\n\n{token}\n"));
    let before = ada.tree();
    let (shown, code) = ada.at_terminal(UPSERT, "echo Mine. > \"$1\"");
    assert!(code == 2 && shown.contains("send the new body on stdin"), "{shown}");
    assert!(ada.tree() == before);
}

#[test]
fn what_no_body_can_mend_is_refused_before_the_editor_opens() {
    let ada = Person::new();
    for arguments in [UPSERT.replace(" x ", " x.md "), UPSERT.replace("type user", "type note")] {
        let (shown, code) = ada.at_terminal(&arguments, "echo opened; exit 1");
        assert!(code == 1 && !shown.contains("opened"), "{shown}");
    }
}

#[test]
fn a_long_text_is_shown_by_the_pager_and_the_list_is_a_table() {
    let long = "One line of many.\n".repeat(60);
    let ada = Person::with(&[with(&preferred_language(), "body", long), upsert("b")]);
    let read = "user --data ../data --as ada read preferred-language";
    let pager = [("AGENT_MEMORY_PAGER", "sed 's/^/paged: /'")];
    let (shown, code) = Terminal::run(&ada.sandbox, read, 80, &pager).end();
    assert!(code == 0 && shown.contains("paged: # Memory: preferred-language"), "{shown}");
    let list = "user --data ../data --as ada list";
    let (shown, _) = Terminal::run(&ada.sandbox, list, 60, &[]).end();
    assert!(shown.contains("NAME") && shown.contains("2 entries"), "{shown}");
    assert!(shown.lines().all(|line| line.chars().count() <= 60), "{shown}");
}
