//! `secrets`: the scanner by itself, its rules, and what a person allows.

use serde_json::Value;

use crate::requests::session;
use crate::secrets_leak::{planted, secrets};
use crate::support::Sandbox;

/// Drawn for this test.
fn key() -> String {
    ["ghp_", "x9KfQ2mVb7Tz4LwPc8Rj1NsYd6GhAe3BuXo0"].concat()
}

fn scan(sandbox: &Sandbox, text: &str) -> (i32, Value) {
    let reply = sandbox.call(&["secrets", "scan", "-", "--json"]).stdin(text).run();
    (reply.code, reply.json())
}

#[test]
fn scan_says_where_and_what_to_do_and_never_what() {
    let sandbox = Sandbox::without_git();
    let (code, answer) = scan(&sandbox, &format!("a\nb {}\n", key()));
    assert_eq!(code, 1);
    let finding = &answer["findings"][0];
    assert_eq!(finding["type"], "github-token");
    assert_eq!((finding["line"].as_u64(), finding["column"].as_u64()), (Some(2), Some(3)));
    assert_eq!((&finding["path"], &finding["length"]), (&"-".into(), &"medium".into()));
    assert!(finding["remedy"].as_str().unwrap().contains("revoke"));
    assert!(!answer.to_string().contains(&key()[..8]));
}

#[test]
fn scan_looks_into_many_files_and_a_clean_one_is_0() {
    let sandbox = Sandbox::without_git();
    sandbox.write_project("a.md", b"nothing here");
    sandbox.write_project("b.env", format!("TOKEN={}", key()).as_bytes());
    let reply = sandbox.run(&["secrets", "scan", "a.md"]).expect_code(0);
    assert_eq!(reply.stdout, "");
    let answer = sandbox.run(&["secrets", "scan", "a.md", "b.env", "--json"]).expect_code(1).json();
    assert_eq!((&answer["files"], &answer["findings"][0]["path"]), (&2.into(), &"b.env".into()));
    let reply = sandbox.run(&["secrets", "scan", "absent"]).expect_code(2);
    assert!(reply.stderr.contains("absent"), "{}", reply.stderr);
}

#[test]
fn scan_without_a_path_looks_through_the_store_and_says_so() {
    let sandbox = Sandbox::new();
    sandbox.write_project("beside.md", key().as_bytes());
    let reply = sandbox.run(&["secrets", "scan"]).expect_code(0);
    assert!(reply.stderr.contains("files of `.agent-memory`"), "{}", reply.stderr);
    for name in ["pitfalls/a.md", "state/trash/b.md"] {
        sandbox.write(name, key());
    }
    // What is piped in is read where `-` asks for it.
    let reply = sandbox.call(&["secrets", "scan", "--json"]).stdin(key()).run().expect_code(1);
    let answer = reply.json();
    assert_eq!(answer["scanned"], serde_json::json!([".agent-memory"]));
    let files: Vec<_> =
        answer["findings"].as_array().unwrap().iter().map(|each| &each["path"]).collect();
    assert_eq!(files, [".agent-memory/pitfalls/a.md", ".agent-memory/state/trash/b.md"]);
    // From a folder below, too, and with another root.
    sandbox.write_project("src/deep/a.txt", "x");
    let below = sandbox.call(&["secrets", "scan"]).within("src/deep").run().expect_code(1);
    assert!(below.stdout.contains("pitfalls/a.md:1:1"), "{}", below.stdout);
}

#[test]
fn scan_without_a_path_and_without_a_store_asks_for_a_path() {
    let sandbox = Sandbox::without_git();
    let reply = sandbox.call(&["secrets", "scan"]).stdin(key()).run().expect_code(2);
    assert!(reply.stderr.contains("`-` for stdin"), "{}", reply.stderr);
    let reply = sandbox.call(&["secrets", "scan", "-"]).stdin(key()).run().expect_code(1);
    assert!(reply.stderr.contains("1 finding in 1 file of standard input"), "{}", reply.stderr);
}

#[test]
fn scan_goes_through_a_folder_and_past_what_cannot_be_read() {
    let sandbox = Sandbox::without_git();
    for name in ["notes/deep/b.md", "notes/a.md", "notes/.git/c", "other.md"] {
        sandbox.write_project(name, key().as_bytes());
    }
    let answer = sandbox.run(&["secrets", "scan", "notes", "--json"]).expect_code(1).json();
    let files: Vec<_> =
        answer["findings"].as_array().unwrap().iter().map(|each| &each["path"]).collect();
    assert_eq!(files, ["notes/a.md", "notes/deep/b.md"]);
    let reply = sandbox.run(&["secrets", "scan", "absent", "other.md"]).expect_code(2);
    assert!(reply.stdout.contains("other.md:1:1"), "{}", reply.stdout);
    assert!(reply.stderr.contains("absent"), "{}", reply.stderr);
}

#[test]
#[cfg(unix)]
fn scan_does_not_wait_for_who_writes_into_a_pipe() {
    let sandbox = Sandbox::without_git();
    let pipe = std::process::Command::new("mkfifo").arg(sandbox.project().join("pipe")).status();
    assert!(pipe.unwrap().success());
    sandbox.write_project("other.md", key().as_bytes());
    // Neither does it look for the end of a device that has none.
    let reply = sandbox.run(&["secrets", "scan", "/dev/zero"]).expect_code(2);
    assert!(reply.stderr.contains("`/dev/zero`: it is not a file"), "{}", reply.stderr);
    let reply = sandbox.run(&["secrets", "scan", "pipe", "other.md"]).expect_code(2);
    assert!(reply.stdout.contains("other.md:1:1"), "{}", reply.stdout);
    assert!(reply.stderr.contains("`pipe`: it is not a file"), "{}", reply.stderr);
    // What a shell puts in the place of `<(…)` is one, too.
    let script = format!("printf %s {} | \"$0\" secrets scan /dev/fd/0", key());
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_agent-memory")]);
    let output = shell.current_dir(sandbox.project()).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

#[test]
fn scan_finds_a_key_beside_bytes_that_are_no_text() {
    let sandbox = Sandbox::without_git();
    sandbox.write_project("a.bin", [b"\xff\xfe\0 ", key().as_bytes(), b" \xff"].concat());
    sandbox.run(&["secrets", "scan", "a.bin"]).expect_code(1);
}

#[test]
fn a_file_is_named_without_its_secret() {
    let sandbox = Sandbox::without_git();
    let name = format!("{}.txt", key());
    sandbox.write_project(&name, key().as_bytes());
    let reply = sandbox.run(&["secrets", "scan", &name]).expect_code(1);
    assert!(!reply.stdout.contains(&key()), "{}", reply.stdout);
}

#[test]
fn a_marker_of_another_scanner_is_named_in_the_hint() {
    let sandbox = Sandbox::new();
    let text = format!("Use {} # gitleaks:allow", key());
    let (code, answer) = scan(&sandbox, &text);
    assert_eq!((code, &answer["findings"][0]["foreign_marker"]), (1, &"gitleaks:allow".into()));
    let refusal = sandbox.propose(session("Today", &text)).rejected("secret_detected");
    assert!(refusal["hint"].as_str().unwrap().contains("`gitleaks:allow`"));
}

#[test]
fn rules_are_listed_by_name_in_lines_that_fit() {
    let sandbox = Sandbox::new();
    for columns in [40, 80] {
        let list = sandbox.call(&["secrets", "rules"]).env("COLUMNS", &columns.to_string()).run();
        let list = list.expect_code(0).stdout;
        assert!(list.lines().all(|line| line.chars().count() <= columns), "{list}");
        let names = list.lines().filter(|line| !line.starts_with(' '));
        let names: Vec<&str> = names.filter_map(|line| line.split(' ').next()).collect();
        let (always, named) = names.split_at(names.len() - 4);
        assert!(always.is_sorted(), "{always:?}");
        assert_eq!(named, ["card", "email", "iban", "phone"]);
    }
}

#[test]
fn rules_are_listed_and_explained() {
    let sandbox = Sandbox::without_git();
    let answer = sandbox.run(&["secrets", "rules", "--json"]).expect_code(0).json();
    let rules = answer["rules"].as_array().unwrap();
    assert!(rules.iter().any(|rule| rule["id"] == "github-token" && rule["always"] == true));
    assert!(rules.iter().any(|rule| rule["id"] == "iban" && rule["always"] == false));
    for rule in rules {
        let reply = sandbox.run(&["secrets", "explain", rule["id"].as_str().unwrap()]);
        let reply = reply.expect_code(0);
        assert!(reply.stdout.contains(rule["remedy"].as_str().unwrap()), "{}", reply.stdout);
    }
    let reply = sandbox.run(&["secrets", "explain", "github-tokn"]).expect_code(2);
    assert!(reply.stderr.contains("did you mean `github-token`?"), "{}", reply.stderr);
}

#[test]
fn an_allowed_value_passes_everywhere_and_is_written_nowhere() {
    let sandbox = planted(&secrets()[0]);
    let found = |sandbox: &Sandbox| {
        let answer = sandbox.run(&["search", "--json", "deploy"]).json();
        answer["results"].as_array().unwrap().len()
    };
    assert_eq!(found(&sandbox), 0);
    let (_, answer) = scan(&sandbox, &sandbox.file("conventions.md"));
    let fingerprint = answer["findings"][0]["fingerprint"].as_str().unwrap().to_owned();
    let allow = ["secrets", "allow", &fingerprint, "--reason", "the sandbox's", "--approver=Ada"];
    sandbox.run(&allow).expect_code(0);
    assert_eq!(scan(&sandbox, &sandbox.file("conventions.md")).0, 0);
    assert_eq!(found(&sandbox), 1);
    let config = sandbox.file("config.toml");
    assert!(config.contains(&fingerprint) && config.contains("the sandbox's"), "{config}");
    assert!(!config.contains(&secrets()[0].core));
    let log = sandbox.run(&["log", "--json"]).json();
    assert_eq!(log["decisions"][0]["decision"], "allowed");
    sandbox.run(&["log", "--verify"]).expect_code(0);
    let doctor = sandbox.run(&["doctor"]).stdout;
    assert!(!doctor.contains("looks like a secret"), "{doctor}");
    let answer = sandbox.run(&[&allow[..], &["--json"]].concat()).expect_code(0).json();
    assert_eq!(answer["added"], false);
}

#[test]
fn each_store_has_fingerprints_of_its_own_and_shares_them_with_its_clones() {
    let text = format!("TOKEN={}", key());
    let fingerprint = |sandbox: &Sandbox| {
        scan(sandbox, &text).1["findings"][0]["fingerprint"].as_str().unwrap().to_owned()
    };
    let made = || {
        let sandbox = Sandbox::without_git();
        sandbox.run(&["init"]).expect_code(0);
        sandbox
    };
    let (one, other, clone) = (made(), made(), made());
    clone.write("config.toml", one.file("config.toml"));
    assert_eq!(fingerprint(&one), fingerprint(&clone));
    assert_ne!(fingerprint(&one), fingerprint(&other));
    one.run(&["init"]).expect_code(0);
    assert_eq!(fingerprint(&one), fingerprint(&clone));
}

#[test]
fn what_was_allowed_before_a_store_had_a_salt_still_passes() {
    let outside = Sandbox::without_git();
    let text = format!("TOKEN={}", key());
    let common = scan(&outside, &text).1["findings"][0]["fingerprint"].clone();
    let sandbox = Sandbox::without_git();
    sandbox.run(&["init"]).expect_code(0);
    assert_ne!(scan(&sandbox, &text).1["findings"][0]["fingerprint"], common);
    let allow = ["secrets", "allow", common.as_str().unwrap(), "--reason=old", "--approver=Ada"];
    sandbox.run(&allow).expect_code(0);
    assert_eq!(scan(&sandbox, &text).0, 0);
}

#[test]
fn a_salt_that_a_change_adds_makes_no_old_secret_new() {
    let sandbox = planted(&secrets()[0]);
    sandbox.write("config.toml", "version = 1\n");
    sandbox.commit("planted");
    sandbox
        .write("config.toml", format!("[secrets]\nsalt = \"{}\"\n", "0123456789abcdef".repeat(2)));
    let answer = sandbox.run(&["check", "--base", "HEAD", "--json"]).expect_code(0).json();
    assert_eq!(answer["findings"], serde_json::json!([]), "{answer}");
}

#[test]
fn only_a_person_allows_and_says_why() {
    let mut sandbox = Sandbox::new();
    let before = sandbox.file("config.toml");
    let allow = |sandbox: &Sandbox, fingerprint: &str, reason: &str| {
        let arguments =
            ["secrets", "allow", fingerprint, "--reason", reason, "--approver=Ada", "--json"];
        sandbox.run(&arguments).expect_code(1).answer()
    };
    allow(&sandbox, "0123456789abcdef", " ").rejected("invalid_request");
    allow(&sandbox, "0123", "why").rejected("invalid_request");
    allow(&sandbox, "0123456789abcdef", &key()).rejected("secret_detected");
    sandbox.set_env("CLAUDECODE", "1");
    allow(&sandbox, "0123456789abcdef", "why").rejected("approval_refused");
    assert_eq!(sandbox.file("config.toml"), before);
}

#[test]
fn an_address_with_a_password_is_refused_in_a_source_too() {
    let sandbox = Sandbox::new();
    let mut request = session("Today", "Looked it up.");
    let address = ["https://ada:", "whiteduke@git.host.dev/x"].concat();
    request["sources"] = serde_json::json!([{ "type": "url", "ref": address }]);
    let refusal = sandbox.propose(request).rejected("secret_detected");
    assert_eq!(refusal["findings"][0]["pointer"], "/sources/0/ref");
}

#[test]
fn personal_data_is_refused_where_it_is_switched_on() {
    let sandbox = Sandbox::new();
    let request =
        || session("Today", "Ask ada@lovelace.io, she pays from GB82 WEST 1234 5698 7654 32.");
    sandbox.propose(request()).applied();
    sandbox.write("config.toml", "[secrets]\npii = [\"email\", \"iban\"]\n");
    let refusal = sandbox.propose(request()).rejected("pii_detected");
    let kinds: Vec<&Value> =
        refusal["findings"].as_array().unwrap().iter().map(|each| &each["type"]).collect();
    assert_eq!(kinds, ["email", "iban"]);
    assert!(!refusal["findings"].to_string().contains("lovelace"));
}
