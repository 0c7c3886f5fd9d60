//! What was decided in a queue that is kept in git is pending again, in any clone.

use crate::requests::{convention, new_body, with_founded_conventions};
use crate::support::{Sandbox, replace_placeholders};
use crate::tracked::{Clone, clones, ids, tracking};

/// Makes a proposal that is committed.
fn committed(a: &Clone<'_>) -> String {
    let id = a.propose(convention("Paths", "Use forward slashes."));
    a.commit("a proposal");
    id
}

/// Makes one that the other clone knows as rejected.
fn rejected_elsewhere(sandbox: &Sandbox) -> String {
    let [a, b] = clones(sandbox);
    let id = committed(&a);
    a.decide("rejected", &id);
    a.commit("rejected");
    b.git(&["pull", "--quiet"]);
    id
}

/// Gives a proposal that waits other words.
fn reword(clone: &Clone<'_>, id: &str) {
    let path = format!("staging/{id}/proposal.json");
    clone.write(&path, clone.file(&path).replace("forward slashes", "short names"));
}

#[test]
fn what_one_clone_rejected_another_restores() {
    let sandbox = tracking();
    let [a, b] = clones(&sandbox);
    let id = rejected_elsewhere(&sandbox);
    b.run(&["restore", &id, "--approver", "Bob"]).expect_code(0);
    assert_eq!(ids(&b.status()["pending"]), [&id]);
    b.decide("applied", &id);
    b.commit("applied");
    a.git(&["pull", "--quiet", "../b", "main"]);
    assert!(sandbox.file("conventions.md").contains("Use forward slashes."));
    let reply = a.run(&["restore", &id, "--approver", "Ada"]).expect_code(1);
    assert!(reply.stderr.contains("was applied on another branch"), "{}", reply.stderr);
}

#[test]
fn what_was_decided_last_waits_again_in_every_clone() {
    let sandbox = tracking();
    let [a, b] = clones(&sandbox);
    let id = rejected_elsewhere(&sandbox);
    b.run(&["restore", &id, "--approver", "Bob"]).expect_code(0);
    reword(&b, &id);
    b.commit("in other words");
    b.decide("rejected", &id);
    b.commit("rejected again");
    a.git(&["pull", "--quiet", "../b", "main"]);
    a.git(&["clone", "--quiet", ".", "../c"]);
    let said = a.run(&["restore", &id, "--approver", "Ada"]).expect_code(0).stderr;
    assert!(said.contains(&format!("`state/trash/{id}/proposal.json`")), "{said}");
    let c = Clone { sandbox: &sandbox, folder: "../c" };
    c.run(&["restore", &id, "--approver", "Cid"]).expect_code(0);
    for clone in [a, b, c] {
        let words = clone.file(&format!("decided/{id}.json.2"));
        assert!(words.contains("short names"), "{words}");
        if clone.folder != "../b" {
            assert_eq!(clone.file(&format!("staging/{id}/proposal.json")), words);
        }
    }
}

#[test]
fn what_was_edited_and_decided_here_waits_again_as_it_was_decided() {
    let sandbox = tracking();
    let [a, _] = clones(&sandbox);
    let id = committed(&a);
    reword(&a, &id);
    a.decide("rejected", &id);
    let said = a.run(&["restore", &id, "--approver", "Ada"]).expect_code(0).stderr;
    assert!(said.contains(&format!("`decided/{id}.json`")), "{said}");
    assert!(a.file(&format!("staging/{id}/proposal.json")).contains("short names"));
}

#[test]
fn what_cannot_be_read_here_comes_from_git() {
    let sandbox = tracking();
    let [a, _] = clones(&sandbox);
    let id = committed(&a);
    a.decide("rejected", &id);
    a.write(&format!("state/trash/{id}/proposal.json"), "{".to_owned());
    a.run(&["restore", &id, "--approver", "Ada"]).expect_code(0);
    assert_eq!(ids(&a.status()["pending"]), [&id]);
}

#[test]
fn what_a_merge_put_back_is_in_nobodys_way() {
    let sandbox = tracking();
    let [a, b] = clones(&sandbox);
    let id = rejected_elsewhere(&sandbox);
    let asked = format!("staging/{id}/proposal.json");
    for clone in [a, b] {
        clone.git(&["checkout", "HEAD~1", "--", &format!(".agent-memory/{asked}")]);
        clone.write(&asked, clone.file(&asked).replace("forward slashes", "backslashes"));
        assert_eq!(ids(&clone.status()["decided"]), [&id]);
        let said = clone.run(&["restore", &id, "--approver", "Ada"]).expect_code(0);
        assert!(said.stderr.contains(&format!("displaced-{id}")), "{}", said.stderr);
        assert_eq!(ids(&clone.status()["pending"]), [&id]);
        assert!(clone.file(&asked).contains("forward slashes"));
    }
}

#[test]
fn a_secret_that_came_with_git_is_not_copied() {
    let sandbox = tracking();
    let [a, b] = clones(&sandbox);
    let id = committed(&a);
    a.decide("rejected", &id);
    let (kept, token) = (format!("decided/{id}.json"), replace_placeholders("{{GITHUB_TOKEN}}"));
    let text = a.file(&kept);
    a.write(&kept, text.replace("forward slashes", &token));
    a.commit("rejected");
    b.git(&["pull", "--quiet"]);
    let refused = b.run(&["restore", &id, "--approver", "Bob"]).expect_code(1);
    let said = refused.stderr;
    assert!(said.contains("secret_detected") && said.contains(&kept), "{said}");
    assert!(!said.contains(&token));
    assert!(!b.store().join(format!("staging/{id}")).exists());
    assert!(!b.file("state/journal").contains(&token));
    b.write(&kept, text);
    b.run(&["restore", &id, "--approver", "Bob"]).expect_code(0);
}

#[test]
fn what_somebody_wrote_into_what_was_decided_is_not_committed() {
    let sandbox = tracking();
    let [a, _] = clones(&sandbox);
    let id = committed(&a);
    a.decide("rejected", &id);
    a.commit("rejected");
    a.run(&["restore", &id, "--approver", "Ada"]).expect_code(0);
    a.commit("restored");
    let (kept, token) = (format!("decided/{id}.json"), replace_placeholders("{{GITHUB_TOKEN}}"));
    let with_token = a.file(&kept).replace("forward slashes", &token);
    a.write(&kept, with_token.clone());
    a.write(&format!("{kept}.3"), with_token);
    a.run(&["apply", &id, "--commit", "--approver", "Ada"]).expect_code(0);
    assert!(!a.git(&["show", "HEAD"]).contains(&token));
    let left = a.git(&["status", "--short"]);
    assert_eq!(left.lines().count(), 2, "{left}");
}

#[test]
fn what_was_let_pass_when_it_was_proposed_waits_again() {
    let token = replace_placeholders("{{GITHUB_TOKEN}}");
    let region = format!("<!-- secret-allow: an example -->\n{token}\n<!-- /secret-allow -->");
    for sandbox in [with_founded_conventions(), tracking()] {
        sandbox.propose(convention("Paths", &token)).rejected("secret_detected");
        let id = sandbox.propose(convention("Paths", &region)).staged();
        let shown = sandbox.run(&["show", &id, "--json"]).json()["operations"].clone();
        assert!(shown.to_string().contains(&token), "{shown}");
        sandbox.commit("it waits");
        sandbox.run(&["reject", &id, "--reason", "no", "--approver", "Ada"]).expect_code(0);
        assert_eq!(sandbox.has(&format!("decided/{id}.json")), sandbox.has("decided"));
        sandbox.run(&["restore", &id, "--approver", "Ada"]).expect_code(0);
    }
}

#[test]
fn what_waits_again_makes_no_part_of_an_id_ambiguous() {
    let sandbox = tracking();
    let [a, b] = clones(&sandbox);
    let first = a.propose(convention("Paths", "Use forward slashes."));
    let second = a.propose(convention("Paths", "Use short names."));
    a.commit("two proposals");
    a.decide("rejected", &first);
    a.commit("rejected");
    b.git(&["pull", "--quiet"]);
    b.run(&["restore", &first, "--approver", "Bob"]).expect_code(0);
    b.commit("restored");
    a.git(&["pull", "--quiet", "../b", "main"]);
    let latest = a.run(&["restore", "--latest", "--approver", "Ada"]).expect_code(1);
    assert!(latest.stderr.contains("on this machine"), "{}", latest.stderr);
    a.decide("rejected", &second);
    let (part, _) = second.rsplit_once('-').unwrap();
    assert!(first.starts_with(part), "{first} {second}");
    a.run(&["restore", part, "--approver", "Ada"]).expect_code(0);
    let waiting = a.status();
    assert_eq!(ids(&waiting["pending"]).len(), 2);
    let again = a.run(&["restore", &first, "--approver", "Ada"]).expect_code(1);
    assert!(again.stderr.contains(&format!("`{first}` is pending already")), "{}", again.stderr);
    let (_, end) = second.rsplit_once('-').unwrap();
    let part = a.run(&["restore", end, "--approver", "Ada"]).expect_code(1);
    assert!(part.stderr.contains(&format!("`{second}` is pending already")), "{}", part.stderr);
}

#[test]
fn what_is_restored_to_a_queue_in_git_shows_its_files_elsewhere_too() {
    let sandbox = with_founded_conventions();
    let id = sandbox.propose(new_body("errors", "They name a line.")).staged();
    sandbox.run(&["reject", &id, "--reason", "no", "--approver", "Ada"]).expect_code(0);
    let config = sandbox.file("config.toml").replace("track = false", "track = true");
    sandbox.write("config.toml", config);
    sandbox.run(&["doctor", "--fix"]).expect_code(0);
    sandbox.run(&["restore", &id, "--approver", "Ada"]).expect_code(0);
    assert!(sandbox.run(&["doctor"]).expect_code(0).stdout.starts_with("healthy"));
    for kind in ["base", "files"] {
        assert!(sandbox.has(&format!("state/shown/{id}/{kind}/conventions.md")));
        assert!(!sandbox.has(&format!("staging/{id}/{kind}")));
    }
}

#[test]
fn what_is_restored_waits_again_on_every_branch() {
    let sandbox = tracking();
    let [a, b] = clones(&sandbox);
    let id = a.propose(convention("Paths", "Use forward slashes."));
    a.decide("rejected", &id);
    a.commit("rejected");
    a.run(&["restore", &id, "--approver", "Ada"]).expect_code(0);
    a.commit("restored");
    b.git(&["pull", "--quiet"]);
    assert_eq!(ids(&b.status()["pending"]), [&id]);
}
