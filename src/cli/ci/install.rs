//! Writes the steps that install the program: the published version, or the package that `--from` names.

use crate::project::verbs::{CiPackage, PackageForm, PackageOrigin};

const UV: &str = r#"      - uses: astral-sh/setup-uv@20cfd1bf945f4377ade1205e4dbc17946fc9a30d # v10.0.1
        with:
          version: "0.12.4"
          enable-cache: false"#;

const PUBLISHED: &str = "  # Settings of uv in the repository do not count: a pull request could name another place to load the tool from.
  TOOL: uvx --no-config --from agent-memory-in-git==@VERSION@ agent-memory";

/// Says what holds the tool to what was meant.
pub(super) fn pin(package: Option<&CiPackage>) -> &'static str {
    match package {
        None => "version",
        Some(CiPackage { sha256: Some(_), .. }) => "checksum",
        Some(CiPackage { sha256: None, .. }) => "address",
    }
}

pub(super) fn tool_of_github(package: Option<&CiPackage>) -> String {
    package.map_or(PUBLISHED, |_| "  TOOL: agent-memory").to_owned()
}

pub(super) fn steps_of_github(package: Option<&CiPackage>) -> String {
    let Some(package) = package else { return UV.to_owned() };
    let mut lines = fetched(package, "$RUNNER_TEMP");
    let step = match package.form {
        PackageForm::Wheel => {
            // Settings of uv in the repository do not count here either.
            lines.push(r#"uv tool install --quiet --no-config "$file""#.to_owned());
            format!("{UV}\n\n")
        }
        PackageForm::Tarball => {
            lines.push(r#"mkdir "$RUNNER_TEMP/agent-memory""#.to_owned());
            let unpack = r#"tar -xzf "$file" -C "$RUNNER_TEMP/agent-memory" --strip-components=1"#;
            lines.push(unpack.to_owned());
            lines.push(r#"echo "$RUNNER_TEMP/agent-memory/bin" >> "$GITHUB_PATH""#.to_owned());
            String::new()
        }
    };
    format!("{step}      - name: Install\n        run: |\n{}", indented(&lines, 10))
}

pub(super) fn lines_of_gitlab(package: Option<&CiPackage>) -> String {
    let Some(package) = package else {
        return "    - pip install --quiet --root-user-action=ignore agent-memory-in-git==@VERSION@".to_owned();
    };
    let mut lines = fetched(package, "/tmp");
    lines.push(match package.form {
        PackageForm::Wheel => {
            r#"pip install --quiet --root-user-action=ignore --no-deps "$file""#.to_owned()
        }
        PackageForm::Tarball => r#"tar -xzf "$file" -C /usr/local --strip-components=1"#.to_owned(),
    });
    format!("    - |\n{}", indented(&lines, 6))
}

/// Returns the lines that get the package as `$file`, and end the job where it is another one.
fn fetched(package: &CiPackage, temp: &str) -> Vec<String> {
    let mut lines = match &package.origin {
        PackageOrigin::File(path) => vec![format!("file=\"./{path}\"")],
        PackageOrigin::Address(address) => {
            let name = address.rsplit('/').next().unwrap_or_default();
            vec![
                format!("file=\"{temp}/{name}\""),
                "curl --fail --silent --show-error --location --proto =https \\".to_owned(),
                format!("  --output \"$file\" {address}"),
            ]
        }
    };
    if let Some(sum) = &package.sha256 {
        lines.push(format!("echo \"{sum}  $file\" | sha256sum --check --quiet"));
    }
    lines
}

fn indented(lines: &[String], blanks: usize) -> String {
    let lines: Vec<String> = lines.iter().map(|line| format!("{:blanks$}{line}", "")).collect();
    lines.join("\n")
}
