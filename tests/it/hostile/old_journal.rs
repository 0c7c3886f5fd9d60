//! Records of the journal that come back in another place, or at another time.

use std::fs;

use serde_json::json;

use crate::power::progress_files;
use crate::requests::{convention, session};
use crate::support::{Sandbox, journal_line};

/// The boot id of a run of the system before this one.
const EARLIER_BOOT: &str = "00000000-0000-0000-0000-000000000000";

/// Gives a text that names this boot the earlier one.
fn of_earlier_boot(text: &str) -> String {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap();
    text.replace(boot.trim(), EARLIER_BOOT)
}

/// Returns the lines of the journal as the earlier boot would have written them, without their codes.
fn journal_of_earlier_boot(sandbox: &Sandbox) -> Vec<String> {
    let journal = of_earlier_boot(&sandbox.file("state/journal"));
    journal.lines().filter_map(|line| Some(line.split_once(' ')?.1.to_owned())).collect()
}

/// Signs lines and writes them as the journal.
fn write_journal(sandbox: &Sandbox, lines: &[String]) {
    let signed = lines.iter().map(|json| journal_line(&sandbox.project(), json));
    sandbox.write("state/journal", signed.collect::<String>());
}

/// Lets git's folder say that the last record was carried out in an earlier boot, and is not durable.
fn note_earlier_boot(sandbox: &Sandbox) {
    let noted = progress_files(&sandbox.project()).remove(0);
    let text = of_earlier_boot(&fs::read_to_string(&noted).unwrap());
    fs::write(&noted, format!("{:>20}{}", 0, &text[20..])).unwrap();
}

#[test]
fn a_record_says_nothing_in_another_store_of_the_repository() {
    let sandbox = Sandbox::new();
    sandbox.write_project("web/keep", "");
    sandbox.call(&["init", "--root", "."]).within("web").run().expect_code(0);
    let store = sandbox.project().join("web/.agent-memory");
    let step =
        json!({"step": "write", "path": "modules/evil.md", "before": null, "after": "# Evil\n"});
    let record = json!({"version": 1, "verb": "apply", "number": 99, "boot": "0", "steps": [step]});
    let line = journal_line(&sandbox.project(), &record.to_string());
    fs::write(store.join("state/journal"), &line).unwrap();
    sandbox.call(&["status"]).within("web").run().expect_code(0);
    assert!(!store.join("modules/evil.md").exists());
    // In its own store it is carried out.
    sandbox.write("state/journal", &line);
    sandbox.run(&["status"]).expect_code(0);
    assert!(sandbox.has("modules/evil.md"));
}

#[test]
fn a_record_that_a_commit_brings_back_is_not_carried_out_again() {
    let sandbox = Sandbox::new();
    let step =
        json!({"step": "write", "path": "modules/old.md", "before": null, "after": "# Old\n"});
    let record = json!({"version": 1, "verb": "apply", "number": 1, "boot": "0", "steps": [step]});
    let line = journal_line(&sandbox.project(), &record.to_string());
    // As a commit has it, and as where a checkout writes other bytes: `$Id$`, line ends, another encoding.
    for text in [line.clone(), line + "$Id: 1 $\n"] {
        sandbox.write("state/journal", &text);
        let told = sandbox.run(&["status"]).expect_code(0).stderr;
        assert!(told.contains("state/journal") && !sandbox.has("modules/old.md"), "{told}");
        let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
        sandbox.run(&["reject", &id, "--allow-again", "--reason", "no"]).expect_code(0);
        assert!(!sandbox.has("modules/old.md"));
    }
}

#[test]
fn records_go_on_where_the_last_ones_were_whatever_became_of_the_journal() {
    let sandbox = Sandbox::new();
    let propose = |heading: &str| {
        let id = sandbox.propose(convention(heading, "Name the path.")).staged();
        sandbox.apply(&id).applied();
    };
    propose("One");
    let old = sandbox.bytes("state/journal");
    propose("Two");
    fs::remove_dir_all(sandbox.store().join("state")).unwrap();
    propose("Three");
    sandbox.write("state/journal", &old);
    propose("Four");
    assert!(
        ["One", "Two", "Three", "Four"]
            .iter()
            .all(|it| sandbox.file("conventions.md").contains(it))
    );
    // What was carried out in an earlier run, and is durable, is old as well.
    let past = progress_files(&sandbox.project()).remove(0);
    fs::write(&past, format!("{:>20} {:>20} {:>36}\n", 9, 0, "an earlier run")).unwrap();
    let step = json!({"step": "write", "path": "modules/old.md", "before": null, "after": "# O\n"});
    for (number, is_old) in [(9, true), (10, false)] {
        let record =
            json!({"version": 1, "verb": "apply", "number": number, "boot": "0", "steps": [step]});
        let line = journal_line(&sandbox.project(), &record.to_string());
        sandbox.write("state/journal", line);
        sandbox.run(&["status"]).expect_code(0);
        assert_eq!(sandbox.has("modules/old.md"), !is_old, "{number}");
    }
}

#[test]
fn a_record_of_one_worktree_says_nothing_in_another() {
    let sandbox = Sandbox::new();
    sandbox.commit("a store");
    let other = sandbox.root().join("other");
    let place = other.display().to_string();
    for round in ["first", "made again"] {
        sandbox.git(&["worktree", "add", "--quiet", "--force", &place, "HEAD", "--detach"]);
        let within = |arguments: &[&str]| sandbox.call(arguments).within(&place);
        let request = convention("Deploys", "Push straight to production.").to_string();
        let id = within(&["propose"]).stdin(request).run().answer().staged();
        within(&["apply", &id, "--approver", "Ada"]).run().expect_code(0);
        let journal = fs::read_to_string(other.join(".agent-memory/state/journal")).unwrap();
        within(&["undo", &id, "--approver", "Ada"]).run().expect_code(0);
        // The record alone, without the mark that it is done.
        let record = journal.lines().find(|line| line.contains("\"verb\":\"apply\"")).unwrap();
        let planted = format!("{record}\n");
        sandbox.write("state/journal", &planted);
        sandbox.run(&["status"]).expect_code(0);
        assert!(!sandbox.file("conventions.md").contains("production"), "{round}");
        sandbox.git(&["worktree", "remove", "--force", &place]);
        sandbox.git(&["worktree", "add", "--quiet", "--force", &place, "HEAD", "--detach"]);
        fs::create_dir_all(other.join(".agent-memory/state")).unwrap();
        fs::write(other.join(".agent-memory/state/journal"), planted).unwrap();
        within(&["status"]).run().expect_code(0);
        let text = fs::read_to_string(other.join(".agent-memory/conventions.md"));
        assert!(!text.is_ok_and(|text| text.contains("production")), "{round}");
        sandbox.git(&["worktree", "remove", "--force", &place]);
    }
}

#[test]
fn a_journal_without_its_mark_changes_nothing_after_a_restart() {
    let sandbox = Sandbox::given(&[("conventions.md", "# Conventions\n")]);
    let before = sandbox.file("conventions.md");
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.apply(&id).applied();
    let journal = sandbox.file("state/journal");
    let record = journal.lines().find(|line| line.contains("\"verb\":\"apply\"")).unwrap();
    // As after a restart: another run of the system wrote the record, and noted that it was carried out.
    note_earlier_boot(&sandbox);
    write_journal(&sandbox, &[of_earlier_boot(record.split_once(' ').unwrap().1)]);
    sandbox.write("conventions.md", &before);
    sandbox.run(&["status"]).expect_code(0);
    sandbox.propose(convention("Others", "Other words.")).staged();
    assert_eq!(sandbox.file("conventions.md"), before);
}

#[test]
fn a_journal_that_lacks_a_record_changes_nothing_after_a_restart() {
    let of = |lines: &[String], verb: &str| {
        let at = lines.iter().position(|line| line.contains(verb)).unwrap();
        [lines[at].clone(), lines[at + 1].clone()]
    };
    for with_record in [false, true] {
        let sandbox = Sandbox::new();
        let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
        sandbox.run(&["reject", &id, "--allow-again", "--reason", "no"]).expect_code(0);
        sandbox.run(&["restore", &id, "--approver", "Ada"]).expect_code(0);
        sandbox.propose(convention("Others", "Other words.")).staged();
        let lines = journal_of_earlier_boot(&sandbox);
        let last = &lines[lines.len() - 2..];
        let rejected = of(&lines, "\"verb\":\"reject\"");
        write_journal(&sandbox, &[&rejected, &last[usize::from(!with_record)..]].concat());
        note_earlier_boot(&sandbox);
        let told = sandbox.run(&["status"]).expect_code(0);
        assert!(told.stdout.contains(&id), "{with_record}: {}", told.stdout);
        assert!(told.stderr.contains("state/journal"), "{with_record}: {}", told.stderr);
    }
}

#[test]
fn a_journal_that_lacks_a_mark_changes_nothing_after_a_restart() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.run(&["reject", &id, "--allow-again", "--reason", "no"]).expect_code(0);
    sandbox.run(&["restore", &id, "--approver", "Ada"]).expect_code(0);
    sandbox.propose(session("Today", "Done.")).applied();
    let mut lines = journal_of_earlier_boot(&sandbox);
    let restored = lines.iter().position(|line| line.contains("\"verb\":\"restore\"")).unwrap();
    lines.remove(restored + 1);
    write_journal(&sandbox, &lines);
    note_earlier_boot(&sandbox);
    let told = sandbox.run(&["status"]).expect_code(0);
    assert!(told.stdout.contains(&id), "{}", told.stdout);
    assert!(told.stderr.contains("is older than what was carried out here"), "{}", told.stderr);
}

#[test]
fn an_unsigned_line_in_a_journal_stops_no_command() {
    let sandbox = Sandbox::new();
    for heading in ["One", "Two"] {
        sandbox.propose(convention(heading, "Name the path.")).staged();
    }
    let journal = sandbox.file("state/journal");
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    let planted =
        format!("{} {}\n", "0".repeat(32), json!({"version": 1, "steps": [{"path": "../x"}]}));
    sandbox.propose(convention("Three", "Name the path.")).staged();
    sandbox.write("state/journal", format!("{}{planted}{}", lines[0], lines[3]));
    for heading in ["Four", "Five"] {
        sandbox.propose(convention(heading, "Name the path.")).staged();
    }
}

#[test]
fn a_damaged_line_in_a_journal_takes_no_later_change_along() {
    let sandbox = Sandbox::given(&[("conventions.md", "# Conventions\n")]);
    let before = sandbox.file("conventions.md");
    for heading in ["One", "Two"] {
        let id = sandbox.propose(convention(heading, "Name the path.")).staged();
        sandbox.apply(&id).applied();
    }
    let journal = sandbox.file("state/journal");
    let (lines, room) = journal.split_at(journal.find('\0').unwrap());
    let mut lines: Vec<&str> = lines.split_inclusive('\n').collect();
    lines.insert(2, "junk\n");
    sandbox.write("state/journal", lines.concat() + room);
    let id = sandbox.propose(convention("Three", "Name the path.")).staged();
    sandbox.apply(&id).applied();
    // As after a power cut that took the file.
    let after = sandbox.file("conventions.md");
    write_journal(&sandbox, &journal_of_earlier_boot(&sandbox));
    note_earlier_boot(&sandbox);
    let earlier = after.split("\n## Three").next().unwrap().to_owned() + "\n";
    assert!(earlier.len() > before.len());
    sandbox.run(&["status"]).expect_code(0);
    assert_eq!(sandbox.file("conventions.md"), after);
}

#[test]
fn a_recovery_that_was_cut_short_takes_no_change_along() {
    let sandbox = Sandbox::given(&[("conventions.md", "# Conventions\n")]);
    let before = sandbox.file("conventions.md");
    for heading in ["One", "Two"] {
        let id = sandbox.propose(convention(heading, "Name the path.")).staged();
        sandbox.apply(&id).applied();
    }
    let after = sandbox.file("conventions.md");
    // As after a power cut that took the file and the last mark, and a recovery that was killed behind its first line: the
    // journal is of an earlier boot, and behind it are the marks of all records but the last, with the latest time.
    let mut lines = journal_of_earlier_boot(&sandbox);
    lines.pop();
    for json in lines.clone().iter().filter(|json| json.contains("\"done\":")) {
        let mut mark: serde_json::Value = serde_json::from_str(json).unwrap();
        mark["at"] = i64::MAX.into();
        lines.push(mark.to_string());
    }
    write_journal(&sandbox, &lines);
    note_earlier_boot(&sandbox);
    sandbox.write("conventions.md", &before);
    let told = sandbox.run(&["status"]).expect_code(0).stderr;
    assert!(!told.contains("state/journal"), "{told}");
    assert_eq!(sandbox.file("conventions.md"), after);
}
