//! An index that stays open.

use super::*;

#[test]
fn an_index_that_stays_open_is_used_while_it_is_what_opens() {
    let sandbox = Sandbox::new(&[("a.md", "# cat\n")]);
    let index = sandbox.refreshed().0;
    let is_used = || index.is_what_opens(&sandbox.database());
    assert!(is_used());
    sandbox.write("a.md", "# dog\n");
    drop(sandbox.refreshed());
    assert!(is_used(), "another process of ours has written to it");
    assert!(!index.is_what_opens(&Sandbox::new(&[]).database()));

    let lock = sandbox.path("state/index.sqlite.lock");
    let aside = sandbox.path("state/aside");
    fs::rename(&lock, &aside).expect("it is there");
    assert!(!is_used(), "who comes next holds another lock");
    fs::rename(&aside, &lock).expect("it is there");

    let journal = sandbox.path("state/index.sqlite-journal");
    fs::remove_file(&journal).expect("it is there");
    fs::hard_link(sandbox.path("a.md"), &journal).expect("it is made");
    assert!(!is_used(), "SQLite would cut a file that is not only its own");
    fs::remove_file(&journal).expect("it is there");
    assert!(is_used());

    let other = sandbox.open().database;
    other.connection.execute_batch("UPDATE files SET hash = ''").expect("no other process writes");
    assert!(!is_used(), "another program wrote to it");
}
