//! Evidence in a submodule: git lists its files in another repository.

use crate::support::Sandbox;

const BLOB: &str = "f06859e70b78";

/// Makes a repository with a submodule, `vendor/auth`, of which a convention cites a file; all is staged.
fn with_submodule(cited: &str, blob: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    add_submodule(&sandbox, &[], &Sandbox::without_store(), "vendor/auth");
    let source = format!("<!-- @source: file {cited} {blob} confirmed 2026-11-20 -->");
    sandbox.write("conventions.md", format!("# C\n\n## A\n<!-- @id: a -->\n{source}\n\nx\n"));
    sandbox.run(&["reindex"]).expect_code(0);
    sandbox.git(&["add", "--all"]);
    sandbox
}

fn add_submodule(sandbox: &Sandbox, options: &[&str], other: &Sandbox, path: &str) {
    let address = other.project().display().to_string();
    let add = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &address, path];
    sandbox.git(&[options, &add].concat());
}

/// Returns the rules that find something from each side: on the disk, staged, as the change of a commit.
fn rules(sandbox: &Sandbox) -> [Vec<String>; 3] {
    [&[][..], &["--staged"], &["--base", "HEAD~1"]].map(|side| {
        let options = ["check", "--json", "--allow", "index-outdated"];
        let reply = sandbox.run(&[&options[..], side].concat()).json();
        let findings = reply["findings"].as_array().expect("a list");
        findings.iter().map(|each| each["rule"].as_str().expect("a name").to_owned()).collect()
    })
}

fn everywhere(rules: &[&str]) -> [Vec<String>; 3] {
    std::array::from_fn(|_| rules.iter().map(ToString::to_string).collect())
}

#[test]
fn a_file_of_a_submodule_is_not_known_from_any_side() {
    for (cited, blob, expected) in [
        ("vendor/auth/src/auth/refresh.rs:1-2", BLOB, &[][..]),
        ("vendor/auth/src/auth/refresh.rs", "0123456789ab", &[]),
        ("vendor/auth/src/gone.rs", BLOB, &[]),
        ("vendor/other/src/auth/refresh.rs", BLOB, &["provenance-gone"]),
    ] {
        let sandbox = with_submodule(cited, blob);
        sandbox.commit("a convention");
        assert_eq!(rules(&sandbox), everywhere(expected), "{cited} {blob}");
    }
}

#[test]
fn evidence_in_a_submodule_is_told_alike_whether_it_is_laid_out_or_not() {
    let sandbox = with_submodule("vendor/auth/src/auth/refresh.rs", BLOB);
    sandbox.commit("a convention");
    let freshness = || {
        let hits = sandbox.run(&["search", "x", "--json"]).json();
        hits["results"][0]["freshness"].clone()
    };
    assert_eq!(freshness(), "unchecked");
    sandbox.git(&["submodule", "--quiet", "deinit", "--force", "vendor/auth"]);
    assert_eq!(freshness(), "unchecked");
    assert_eq!(rules(&sandbox), everywhere(&[]));
}

#[test]
fn a_name_that_is_left_of_a_submodule_hides_nothing() {
    let sandbox = with_submodule("vendor/auth/src/gone.rs", BLOB);
    sandbox.commit("a convention");
    sandbox.git(&["rm", "--quiet", "--cached", "vendor/auth"]);
    std::fs::remove_dir_all(sandbox.project().join("vendor/auth")).expect("it is laid out");
    sandbox.write_project("vendor/auth/other.rs", "fn other() {}\n");
    sandbox.commit("a plain folder");
    assert!(sandbox.has("../.gitmodules"));
    assert_eq!(rules(&sandbox)[..2], everywhere(&["provenance-gone"])[..2]);
}

/// Its blob was not known when it was cited.
#[test]
fn a_section_that_was_proposed_with_evidence_in_a_submodule_is_unchecked() {
    let sandbox = with_submodule("vendor/auth/src/auth/refresh.rs", "-");
    let hits = sandbox.run(&["search", "x", "--json"]).expect_code(0).json();
    assert_eq!(hits["results"][0]["freshness"], "unchecked", "{hits}");
    let context = sandbox.run(&["context", "x"]).expect_code(0).stdout;
    assert!(context.contains("unchecked"), "{context}");
}
