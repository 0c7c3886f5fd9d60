//! The commands of `docs/compare.md` do what the table says.

use crate::requests::convention;
use crate::support::{Sandbox, folder};

/// The command of a row: the first code in its last column.
fn command_of(row: &str) -> Option<Vec<String>> {
    let last = row.trim_end().trim_end_matches('|').rsplit('|').next()?;
    let command = last.split('`').nth(1)?.strip_prefix("agent-memory ")?;
    Some(command.split(' ').map(str::to_owned).collect())
}

#[test]
fn every_command_of_the_table_is_answered() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.apply(&id).applied();
    sandbox.propose(convention("Names", "One word a thing.")).staged();
    let request = convention("Limits", "Say them.");
    sandbox.write_project("request.json", request.to_string());
    let table = std::fs::read_to_string(folder("docs/compare.md")).unwrap();
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    let mut run = 0;
    for row in &rows {
        let Some(command) = command_of(row) else {
            let [_, _, here, ..] = row.split('|').collect::<Vec<_>>()[..] else { panic!("{row}") };
            assert!(here.trim().starts_with("no"), "nothing shows this: {row}");
            continue;
        };
        let command: Vec<&str> = command.iter().map(String::as_str).collect();
        sandbox.run(&command).expect_code(0);
        run += 1;
    }
    assert!(run > 30 && rows.len() > run, "{run} of {} rows", rows.len());
}
