//! What packages and the registry of servers say about this program agrees with `Cargo.toml`.

use serde_json::Value;

use crate::docs::{Part, parts};
use crate::support::folder;

const VERSION: &str = env!("CARGO_PKG_VERSION");
const DESCRIPTION: &str = env!("CARGO_PKG_DESCRIPTION");

fn text(path: &str) -> String {
    std::fs::read_to_string(folder("packaging").join(path)).unwrap()
}

fn document(path: &str) -> Value {
    serde_json::from_str(&text(path)).unwrap()
}

#[test]
fn the_npm_package_is_of_this_version_and_so_is_the_program_of_each_machine() {
    let package = document("npm/package.json");
    assert_eq!(package["version"], VERSION);
    assert_eq!(package["description"], DESCRIPTION);
    assert_eq!(package["license"], env!("CARGO_PKG_LICENSE"));
    let name = package["name"].as_str().unwrap();
    let programs = package["optionalDependencies"].as_object().unwrap();
    assert!(programs.contains_key(&format!("{name}-linux-x64")), "{programs:?}");
    for (program, version) in programs {
        assert!(program.starts_with(name), "{program}");
        assert_eq!(version, VERSION, "{program}");
    }
    let own = format!("require.resolve(`{name}-${{machine}}/bin/${{name}}`)");
    assert!(text("npm/launch.js").contains(&own), "the launcher looks for another package");
}

#[test]
fn the_wheel_has_the_name_of_the_npm_package() {
    let name = document("npm/package.json")["name"].clone();
    assert!(text("pypi/pyproject.toml").contains(&format!("\nname = {name}\n")));
}

#[test]
fn the_wheel_has_the_sbom_of_the_other_packages_alone() {
    // The one that maturin writes by itself names the folder of the build.
    assert!(text("pypi/pyproject.toml").contains("\n[tool.maturin.sbom]\nrust = false\n"));
    assert!(text("make/wheel").contains("--sbom-include \"$packages/agent-memory-$version-"));
}

#[test]
fn the_registry_of_servers_is_told_of_this_version_and_this_package() {
    let (server, npm) = (document("server.json"), document("npm/package.json"));
    assert_eq!(server["version"], VERSION);
    assert_eq!(server["description"], DESCRIPTION);
    assert!(DESCRIPTION.len() <= 100, "the registry takes no more");
    // The registry compares the two, so that nobody registers the package of somebody else.
    assert_eq!(server["name"], npm["mcpName"]);
    let (space, program) = server["name"].as_str().unwrap().split_once('/').unwrap();
    assert!(space.starts_with("io.github."), "{space}");
    assert_eq!(program, "agent-memory");
    for package in server["packages"].as_array().unwrap() {
        assert_eq!(package["identifier"], npm["name"]);
        assert_eq!(package["version"], VERSION);
        assert_eq!(package["transport"]["type"], "stdio");
        assert_eq!(package["packageArguments"][0]["value"], "mcp");
    }
    // `npx` runs the program that is called like the package.
    assert!(npm["bin"].get(npm["name"].as_str().unwrap()).is_some());
}

#[test]
fn the_commands_that_install_are_run_by_packaging_try() {
    let script = text("try");
    let page = std::fs::read_to_string(folder("docs/install.md")).unwrap();
    let blocks = parts(&page).into_iter().filter_map(|part| match part {
        Part::Block("sh", body) => Some(body),
        Part::Block(..) | Part::Prose(_) => None,
    });
    let commands: Vec<&str> = blocks.flat_map(str::lines).collect();
    assert!(commands.len() >= 6, "{commands:?}");
    for command in commands {
        let is_run = script.lines().any(|line| line.trim() == command);
        assert!(is_run, "`{command}` of docs/install.md is not run by packaging/try");
    }
}

#[test]
fn each_package_is_made_tried_and_compared_before_a_release() {
    let ci = std::fs::read_to_string(folder(".ci/run")).unwrap();
    let slow: Vec<&str> = ci.lines().filter_map(|line| line.strip_prefix("  packaging/")).collect();
    assert_eq!(slow, ["build", "try", "reproducible"]);
}
