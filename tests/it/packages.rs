//! What packages and the registry of servers say about this program agrees with `Cargo.toml`.

use serde_json::Value;

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
